"""Of whom a clause is told (pure): the speaker, another person, or nobody that matters."""

# ruff: noqa: C901, PLR0911, PLR0912 - rules of language are lists of cases

from __future__ import annotations

from memory_lib.domain.candidates import OTHERS, Modality
from memory_lib.domain.clause import Clause, PredicateKind, Tense, Who
from memory_lib.reasoning.clauses.clause_reports import claimed_by
from memory_lib.reasoning.clauses.clause_subjects import who_of
from memory_lib.reasoning.extraction.clause_dates import clause_date, is_dated_happening
from memory_lib.reasoning.extraction.reading import BODY, EVENT_NOUNS, Reading, Whom
from memory_lib.reasoning.extraction.third_parties import (
    another_person,
    called_there,
    human_before,
    names_me,
    only_owns_people,
    plainly_of_another,
)
from memory_lib.reasoning.feelings.feelings import feeling_of
from memory_lib.reasoning.people.person_mention import PersonMention
from memory_lib.reasoning.slots.slot_values import is_own_helper
from memory_lib.reasoning.trees.sentence_tree import FIRST_PERSON, FIRST_SINGULAR, SentenceTree, relation
from memory_lib.reasoning.words.pet_words import PETS
from memory_lib.reasoning.words.significance_words import is_significant

_BEFALLS = frozenset({"есть", "быть", "появиться", "родиться", "умереть", "заболеть"})
_SHORT = 6


def whom_of(reading: Reading, clause: Clause, tree: SentenceTree, *, linked: bool) -> Whom | None:
    """Whom, or None where the clause is nobody's. ``linked``: it is kept whoever it is about."""
    claimed = _claimed(reading, clause, tree)
    if claimed is not None:
        return claimed
    who = clause.subject.who
    mine = touches_self(clause, tree)
    if clause.has(Modality.QUOTED) and who in {Who.SELF, Who.GROUP} and not _quotes_oneself(clause):
        return Whom(OTHERS, sure=False)
    if clause.language == "ru" and names_me(tree, clause):
        return Whom(reading.self_about)  # "меня Антон зовут"
    plain = plainly_of_another(reading, clause, tree)
    if plain is not None:
        return plain
    if who in {Who.SELF, Who.GROUP}:
        return Whom(reading.self_about, sure=clause.subject.token is not None and not clause.subject.inherited)
    verb = tree[clause.head]
    alone = clause.kind is PredicateKind.FRAGMENT and clause.subject.inherited and clause.link is None
    if alone and not any(tree[i].pos == "PRON" for i in clause.own) and clause.own[0] <= 1:
        return Whom(reading.self_about, sure=False)  # "Бабушка выучила. И по-фински чуть-чуть": a list goes on
    if is_own_helper(clause, tree):
        return Whom(reading.self_about)  # "my dentist is Dr Okafor"
    other = another_person(reading, clause, tree)
    if other is not None and not _is_mine(clause, tree, verb.lemma):
        return other if other.about != OTHERS or other.name or mine or linked else None
    if clause.experiencer is not None and tree[clause.experiencer].lemma in {"я", "мы"}:
        # "у меня жена любит чай": she does, beside me; "у меня родилась дочка" is mine.
        beside = (
            who in {Who.PERSON, Who.OTHERS}
            and clause.subject.token is not None
            and tree.case(clause.experiencer) == "у"
            and verb.pos == "VERB"
        )
        if not beside or verb.lemma in _BEFALLS or clause.subject.inherited:
            return Whom(reading.self_about)
    elif clause.experiencer is not None and verb.lemma in {"нравиться", "понравиться", "хотеться"}:
        fan = next((m for m in reading.mentions if m.sentence == clause.sentence and clause.experiencer in m.tokens), None)
        return None if fan is None else Whom(f"person:{reading.key(fan)}", reading.key(fan))
    if who is Who.PERSON:
        mention = _person_of(reading, clause, tree)
        if mention is not None:
            return Whom(f"person:{reading.key(mention)}", reading.key(mention), sure=not clause.subject.inherited)
        if mine or linked:
            return Whom(reading.self_about if names_me(tree, clause) else OTHERS, sure=False)
        token = clause.subject.token
        if token is not None and tree[token].pos == "PRON" and _pet_before(reading, tree[token].start):
            return Whom(OTHERS, sure=False)
        if token is not None and tree[token].pos == "PRON":
            gender = {"he": "m", "он": "m", "she": "f", "она": "f"}.get(tree[token].lemma, "")
            name = human_before(reading, tree[token].start, gender)
            return None if name is None else Whom(OTHERS, name, sure=False)
        return None
    if not mine and clause.language == "ru":
        somebody = _undergone_by(reading, clause, tree)
        if somebody is not None:
            return somebody
    if mine and who is Who.OTHERS and clause.subject.token is not None and only_owns_people(tree, clause):
        return Whom(OTHERS, sure=False)  # "they're vegans, my in-laws"
    if mine:
        return Whom(reading.self_about, sure=True)
    if _is_own_pet(clause, tree):
        return Whom(reading.self_about, sure=False)
    if (
        who is Who.OTHERS
        and clause.subject.token is None
        and clause.language == "ru"
        and is_significant(reading.lemmas(clause))
    ):
        return Whom(reading.self_about, sure=False)  # "Развелись.", "Уволили."
    if linked:
        return Whom(reading.self_about, sure=False)
    if clause.kind is PredicateKind.FRAGMENT:
        return Whom(reading.self_about, sure=False)
    if clause.subject.token is not None and tree[clause.subject.token].lemma in BODY and not clause.subject.inherited:
        return Whom(reading.self_about, sure=False)
    if clause.subject.token is not None and who is Who.THING and _own_affair(reading, clause, tree):
        return Whom(reading.self_about, sure=False)
    bare = who is Who.NONE and clause.experiencer is None and clause.kind is PredicateKind.ADJECTIVAL
    if bare and clause.language == "ru" and len(clause.own) <= _SHORT and feeling_of(clause, tree) is not None:
        return Whom(reading.self_about, sure=False)
    if clause.language == "ru" and verb.text.lower() in {"нет", "нету"} and who is Who.THING and clause.experiencer is None:
        return Whom(reading.self_about, sure=False)  # "машины нет, езжу на автобусе"
    if is_dated_happening(reading, clause):
        return Whom(reading.self_about, sure=False)  # "The lamp went out the day before yesterday": told as part of one's days
    if reading.updates[clause.index].ended and who is Who.THING:
        return Whom(reading.self_about, sure=False)  # "the narrowboat is sold"
    if reading.corrects(clause) and who in {Who.THING, Who.NONE}:
        return Whom(reading.self_about, sure=False)  # "it's from 1834": of what was said before
    return None


def _claimed(reading: Reading, clause: Clause, tree: SentenceTree) -> Whom | None:
    """As in "he says I'm lazy": about the speaker, as he sees them."""
    if not clause.has(Modality.REPORTED) or clause.subject.who in {Who.SELF, Who.GROUP}:
        return None
    claim = claimed_by(tree, clause.head)
    if claim is None:
        return None
    subjects = tree.children(claim, "nsubj")
    mine = any(who_of(tree, subject) is Who.SELF for subject in subjects) or (
        not subjects and tree[claim].features.get("Person") == "1"
    )
    if not mine:
        return None
    mention = _person_of(reading, clause, tree)
    return Whom(reading.self_about, sure=False, by=OTHERS if mention is None else f"person:{reading.key(mention)}")


def _undergone_by(reading: Reading, clause: Clause, tree: SentenceTree) -> Whom | None:
    """As in "сына перевели в лицей", "у соседей четыре кошки": said of whom it is done to, or who has it."""
    token = None
    if clause.subject.who is Who.OTHERS and clause.subject.token is None:
        token = next((c for c in tree.children(clause.head, "obj", "iobj") if tree[c].features.get("Animacy") == "Anim"), None)
    unnamed = clause.subject.who is Who.OTHERS and clause.subject.token is None
    if token is None and unnamed and tree[clause.head].lemma in _DONE_TO_PEOPLE:
        meant = next((c for c in tree.children(clause.head, "obj") if tree[c].lemma in {"он", "она"}), None)
        if meant is not None:
            return called_there(reading, clause, tree, meant)
    holder = clause.head if tree.case(clause.head) == "у" else clause.experiencer
    if token is None and holder is not None and tree.case(holder) == "у" and tree[holder].pos in {"NOUN", "PROPN"}:
        token = holder if tree[holder].features.get("Animacy") == "Anim" else None
    if token is None:
        return None
    mention = next((m for m in reading.mentions if m.sentence == clause.sentence and token in {m.token, *m.tokens}), None)
    if mention is not None:
        return Whom(f"person:{reading.key(mention)}", reading.key(mention), sure=False)
    return Whom(OTHERS, sure=False) if tree[token].lemma not in PETS else None


_DONE_TO_PEOPLE = frozenset(
    """
    положить увезти забрать выписать прооперировать оперировать уволить перевести арестовать задержать отпустить призвать
    отчислить принять взять позвать пригласить госпитализировать лечить вылечить кремировать похоронить хоронить крестить
    отправить повысить сократить назначить выбрать выгнать исключить зачислить посадить оштрафовать лишить ограбить обокрасть
    избить сбить укусить обмануть наградить премировать эвакуировать спасти реанимировать откачать
    """.split()
)
"""As in "положили его", "её перевели": done to people by those whom nobody names."""


def _is_own_pet(clause: Clause, tree: SentenceTree) -> bool:
    """As in "Собака умерла в марте", "the cat ran away": one animal of which something is told is the speaker's."""
    token = clause.subject.token
    if token is None or clause.subject.inherited or clause.tense is not Tense.PAST or tree[token].lemma not in PETS:
        return False
    strange = {"a", "an", "this", "that", "some", "этот", "тот", "какой-то", "чужой"}
    return tree[token].features.get("Number") != "Plur" and not any(
        tree[c].lemma in strange for c in tree.children(token, "det", "amod")
    )


def _quotes_oneself(clause: Clause) -> bool:
    """As in "I told him «enough»": the quotation stands inside the speaker's own clause."""
    return any(found is Modality.QUOTED and cue.start > clause.start for found, cue in clause.modality)


def _is_mine(clause: Clause, tree: SentenceTree, verb: str) -> bool:
    """As in "у меня родилась дочка", "I have a son": what befalls or belongs to the speaker is theirs."""
    token = clause.experiencer
    if token is None or tree[token].lemma not in {"я", "мы"} or tree.case(token) != "у":
        return False
    more = any(tree[k].pos == "NUM" or tree[k].text == "," for k in clause.own)
    if verb in {"нет", "нету"}:
        return True
    return verb in _BEFALLS and not clause.subject.inherited and not (verb in {"есть", "быть"} and more)


def _pet_before(reading: Reading, place: int) -> bool:
    """Whether the last one spoken of before that place is an animal of the speaker's."""
    return any(token.lemma in PETS and token.end <= place for sentence in reading.parse.sentences for token in sentence.tokens)


def touches_self(clause: Clause, tree: SentenceTree) -> bool:
    """A word of the first person. "Us" and "our" count only of something owned or done, not in "nature makes us feel small"."""
    subject = clause.subject.token
    for index in clause.own:
        token = tree[index]
        words = {token.lemma, token.text.lower()}
        if words & FIRST_SINGULAR:
            return True
        if not words & FIRST_PERSON:
            continue
        if clause.tense is Tense.PAST or (
            relation(token) in {"nsubj", "det"} and subject is not None and subject in {index, token.head}
        ):
            return True
        if token.relation == "nmod:poss" and token.head == subject:
            return True
    return False


def _own_affair(reading: Reading, clause: Clause, tree: SentenceTree) -> bool:
    """As in "Собеседование прошло хорошо", "the interview went well": a definite event told in the past, or dated."""
    subject = clause.subject.token
    if subject is None or tree[subject].pos != "NOUN":
        return False
    if tree[subject].lemma in EVENT_NOUNS and clause.tense in {Tense.PAST, Tense.FUTURE}:
        return tree[subject].features.get("Number") != "Plur"
    if tree[subject].lemma in EVENT_NOUNS and clause_date(reading, clause, reading.words(clause)) is not None:
        return True
    return feeling_of(clause, tree) is not None


def _person_of(reading: Reading, clause: Clause, tree: SentenceTree) -> PersonMention | None:
    token = clause.subject.token
    if token is None or token >= len(tree.tokens):
        return None
    for mention in reading.mentions:
        if mention.sentence == clause.sentence and (token == mention.token or token in mention.tokens):
            return mention
    word = tree[token]
    if word.pos != "PRON":
        return None
    gender = {"he": "m", "он": "m", "she": "f", "она": "f", "him": "m", "her": "f"}.get(word.lemma, "")
    before = [m for m in reading.mentions if m.start < word.start]
    for mention in reversed(before):
        if mention.gender in {gender, "n"}:
            return mention
    for message, said in zip(reversed(reading.unit.before), reversed(reading.before), strict=False):
        if message.role is reading.message.role and message.speaker == reading.message.speaker:
            for mention in reversed(said.mentions()):
                if mention.gender in {gender, "n"}:
                    return mention
    return None
