"""Whom else a clause is told of (pure): another person's property never becomes the speaker's.

Where the person is known by a name or a relation, the clause is about them; else about others, with the word that was said.
"""

# ruff: noqa: PLR0911 - rules of language are lists of cases
from __future__ import annotations

from collections.abc import Iterator

from memory_lib.domain.candidates import OTHERS
from memory_lib.domain.clause import Clause, PredicateKind, Who
from memory_lib.reasoning.clauses.clause_subjects import is_oblique
from memory_lib.reasoning.extraction.reading import Reading, Whom
from memory_lib.reasoning.people.human_nouns import is_human
from memory_lib.reasoning.people.opening_people import at_somebody, named_by_others, opening_person, owner_told
from memory_lib.reasoning.people.person_mention import PersonMention
from memory_lib.reasoning.trees.sentence_tree import FIRST_PERSON, SentenceTree, is_mark, relation

_OF_A_PHRASE = frozenset({"appos", "flat", "conj", "amod", "nmod", "det", "parataxis", "compound", "case", "nummod", "punct"})
_MINE = frozenset({"my", "our", "мой", "наш", "свой"})
_THEIRS = frozenset({"his", "her", "their", "hers", "theirs", "его", "ее", "её", "их", "he", "she", "they"})
_PARTS = frozenset("one two three four five six some many most all both none half several few each either neither any".split())
_IMPERSONAL = frozenset(
    """
    хватать хватить тянуть везти повезти пахнуть знобить тошнить мутить рвать трясти лихорадить клонить светать темнеть холодать
    теплеть моросить капать дуть болеть следовать значить быть есть нет стоить хотеться казаться выходить получаться
    приходиться прийтись удаваться удаться оставаться остаться думаться спаться вериться нравиться
    находиться оказываться оказаться сниться
    """.split()
)
_CALLING = frozenset({"звать", "называть", "прозвать", "величать", "call", "name"})
_GENDERS = {"she": "f", "her": "f", "он": "m", "она": "f", "he": "m", "him": "m", "его": "m", "её": "f", "ее": "f"}
_FAR = 7
_OPENING = frozenset("хорошо ну короче вообще кстати слава богу жаль правда кажется оказывается спасибо ладно главное".split())
"""What one says before coming to the point."""


def plainly_of_another(reading: Reading, clause: Clause, tree: SentenceTree) -> Whom | None:
    """Whom the clause is about where its own words leave no doubt, whatever the parser made of them."""
    named = named_by_others(tree, clause)
    if named is not None:
        return called_there(reading, clause, tree, named)
    if names_me(tree, clause) or _goes_on_naming_me(tree, clause):
        return None
    said = _still_of_somebody(tree, clause)
    if said is not None:
        return called_there(reading, clause, tree, said)
    for token in (owner_told(tree, clause), at_somebody(tree, clause), opening_person(tree, clause)):
        if token is not None:
            if tree[token].pos == "PRON" or not is_human(tree, token):
                return called_there(reading, clause, tree, token)
            return told_of(reading, clause, tree, token, sure=True)
    subject = clause.subject.token
    if subject is not None and clause.subject.who is Who.THING and not clause.subject.inherited:
        mention = next((m for m in reading.mentions if m.sentence == clause.sentence and m.name and subject in m.tokens), None)
        if mention is not None and tree[subject].relation != "nmod:poss" and tree[subject].text in mention.name:
            return Whom(f"person:{reading.key(mention)}", reading.key(mention), sure=False)
    return None


def called_there(reading: Reading, clause: Clause, tree: SentenceTree, token: int) -> Whom:
    """The person of that noun or pronoun: named there, or spoken of last before it; others where nobody fits."""
    mention = next((m for m in reading.mentions if m.sentence == clause.sentence and token in {m.token, *m.tokens}), None)
    if mention is None and is_human(tree, token):
        return told_of(reading, clause, tree, token, sure=True)
    if mention is None and tree[token].lemma in _GENDERS:
        mention = spoken_before(reading, tree[token].start, _GENDERS[tree[token].lemma])
    if mention is None and tree[token].lemma in _GENDERS:
        return Whom(OTHERS, human_before(reading, tree[token].start, _GENDERS[tree[token].lemma]), sure=False)
    if mention is None:
        return Whom(OTHERS, None if tree[token].pos in {"PRON", "DET"} else tree[token].text, sure=False)
    return Whom(f"person:{reading.key(mention)}", reading.key(mention), sure=False)


def spoken_before(reading: Reading, place: int, gender: str) -> PersonMention | None:
    """The last person of that gender ("" = any) mentioned before that place, in this message or the speaker's earlier ones."""
    fitting = {gender, "n"} if gender else {"m", "f", "n"}
    for mention in reversed(reading.mentions):
        if mention.start < place and mention.gender in fitting:
            return mention
    for message, said in zip(reversed(reading.unit.before), reversed(reading.before), strict=False):
        if message.role is reading.message.role and message.speaker == reading.message.speaker:
            for mention in reversed(said.mentions()):
                if mention.gender in fitting:
                    return mention
    return None


def another_person(reading: Reading, clause: Clause, tree: SentenceTree) -> Whom | None:
    """Whom the clause is about where that is a human being beside the speaker; None where it is not."""
    if clause.subject.who in {Who.SELF, Who.GROUP, Who.ADDRESSEE}:
        return None
    whom = _another(reading, clause, tree)
    if (
        whom is not None
        and whom.about == OTHERS
        and any(tree[k].features.get("Person") == "1" and tree[k].pos == "VERB" for k in clause.own)
    ):
        return None  # "Левша, дальтоник — цвета подписываю номерами"
    return whom


def _another(reading: Reading, clause: Clause, tree: SentenceTree) -> Whom | None:
    if names_me(tree, clause):
        return None
    if tree.case(clause.head) == "у" and is_human(tree, clause.head):
        return told_of(reading, clause, tree, clause.head, sure=True)
    token = clause.subject.token
    if token is not None and not is_oblique(tree, token):
        for human in _humans_of(tree, token):
            return told_of(reading, clause, tree, human, sure=not clause.subject.inherited)
        if _is_possessed(tree, token) and not _befalls_me(tree, clause):
            return Whom(OTHERS, sure=False)
    if clause.experiencer is not None and is_human(tree, clause.experiencer):
        return told_of(reading, clause, tree, clause.experiencer, sure=True)
    if _speaks_on(reading, tree, clause):
        last = _last_spoken_of(reading, clause, tree)
        return Whom(OTHERS, sure=False) if last is None else Whom(f"person:{reading.key(last)}", reading.key(last), sure=False)
    first = _first_noun(tree, clause)
    if first is None or (token is not None and first != token and not is_oblique(tree, token)):
        return None
    whom = told_of(reading, clause, tree, first, sure=False)
    if clause.kind is PredicateKind.FRAGMENT and whom.about == OTHERS and not _is_owned(tree, clause, first):
        return None  # "Левша, дальтоник": what somebody is may be what the speaker is
    return whom


def _speaks_on(reading: Reading, tree: SentenceTree, clause: Clause) -> bool:
    """As in "Курит трубку": the third person without a subject goes on about somebody."""
    verb = tree[clause.head]
    if tree.sentence.language != "ru" or clause.subject.token is not None or clause.experiencer is not None:
        return False
    if any(tree[k].pos == "PRON" and tree[k].lemma in FIRST_PERSON for k in clause.own if k < clause.head):
        return False  # "у меня-то до 2031 года действует"
    third = verb.features.get("Person") == "3" and verb.features.get("Number") == "Sing" and verb.features.get("Mood") == "Ind"
    reflexive = verb.text.lower().endswith("ся") and not any(m.start < verb.start for m in reading.mentions)
    personal = verb.pos == "VERB" and not reflexive and verb.lemma not in _IMPERSONAL
    return third and personal and not _befalls_me(tree, clause) and clause.subject.who is Who.NONE


def _last_spoken_of(reading: Reading, clause: Clause, tree: SentenceTree) -> PersonMention | None:
    before = [m for m in reading.mentions if m.start < tree[clause.head].start]
    if before:
        return before[-1]
    for message, said in zip(reversed(reading.unit.before), reversed(reading.before), strict=False):
        if message.role is reading.message.role and message.speaker == reading.message.speaker and said.mentions():
            return said.mentions()[-1]
    return None


def names_me(tree: SentenceTree, clause: Clause) -> bool:
    """As in "меня зовут Алина", "they call me Sam"."""
    others = tree.sentence.language == "ru" and tree[clause.head].features.get("Number") == "Plur"  # "меня Антон зовут"
    named = any(tree[k].pos == "PROPN" for k in clause.own if k > clause.head or (others and k != clause.head))
    return named and tree[clause.head].lemma in _CALLING and _befalls_me(tree, clause)


def _still_of_somebody(tree: SentenceTree, clause: Clause) -> int | None:
    """The pronoun of "она у нас Ксюша": "у нас" only tells among whom."""
    words = [k for k in clause.own if not is_mark(tree[k])]
    for place, k in enumerate(words[:2]):
        among = [tree.lowered(w) for w in words[place + 1 : place + 3]]
        if tree.lowered(k) in {"он", "она", "они"} and among in (["у", "нас"], ["у", "меня"]):
            return k
    return None


def _goes_on_naming_me(tree: SentenceTree, clause: Clause) -> bool:
    """As in "По паспорту я Наталья, но все зовут Тата": who is called so was said before, and was the speaker."""
    if tree.sentence.language != "ru" or tree[clause.head].lemma not in _CALLING or clause.subject.who is not Who.SELF:
        return False
    return clause.subject.inherited


def only_owns_people(tree: SentenceTree, clause: Clause) -> bool:
    """Whether all that speaks of the speaker there is whose people they are ("my in-laws")."""
    own = [k for k in clause.own if tree[k].lemma in FIRST_PERSON or tree.lowered(k) in FIRST_PERSON]
    return bool(own) and all(
        relation(tree[k]) in {"nmod", "det"}
        and tree[k].head >= 0
        and (is_human(tree, tree[k].head) or tree[tree[k].head].lemma == "law")
        for k in own
    )


def human_before(reading: Reading, place: int, gender: str) -> str | None:
    """The word for the last human being that the message speaks of before that place, where no name tells who it is."""
    for tree in reversed(reading.trees):
        for index in range(len(tree.tokens) - 1, -1, -1):
            token = tree[index]
            if token.end <= place and token.pos == "NOUN" and is_human(tree, index):
                known = {"Masc": "m", "Fem": "f"}.get(token.features.get("Gender", ""), "")
                if (token.features.get("Number") != "Plur" and gender in {known, ""}) or not known:
                    return token.lemma
    return None


def told_of(reading: Reading, clause: Clause, tree: SentenceTree, human: int, *, sure: bool) -> Whom:
    """That human being as a candidate's ``about``."""
    mention = _mention(reading, clause, tree, human)
    if mention is not None:
        return Whom(f"person:{reading.key(mention)}", reading.key(mention), sure=sure)
    return Whom(OTHERS, tree[human].text if tree[human].pos == "PROPN" else tree[human].lemma, sure=False)


def _mention(reading: Reading, clause: Clause, tree: SentenceTree, human: int) -> PersonMention | None:
    here = [m for m in reading.mentions if m.sentence == clause.sentence]
    for mention in here:
        if human == mention.token or human in mention.tokens:
            return mention
    owner = _owner_of(tree, human)
    elsewhere = set() if owner is None else set(tree.subtree(owner))
    phrase = {k for k in tree.subtree(human) if relation(tree[k]) in _OF_A_PHRASE and k < human + _FAR} - elsewhere | {human}
    for mention in here:
        if phrase & set(mention.tokens):
            return mention
    beside = next((m for m in here if human < m.tokens[0] <= human + 2 and m.name), None)
    if beside is not None and tree.sentence.language == "ru" and tree[beside.tokens[0]].features.get("Case") == "Nom":
        between = [tree[k] for k in range(human + 1, beside.tokens[0])]
        if not any(is_mark(token) or token.pos in {"VERB", "ADP", "CCONJ", "PRON"} for token in between):
            return beside  # "Соседка тёть Валя"
    # ", Рустам," right after the noun phrase, wherever the parser hung it
    after = human + 1
    while after < min(len(tree.tokens), human + _FAR) and (is_mark(tree[after]) or tree[after].lemma in _MINE):
        after += 1
    return next((m for m in here if after in m.tokens and after > human + 1), None)


def _owner_of(tree: SentenceTree, human: int) -> int | None:
    """The boss of "жена начальника": a genitive beside another case tells whose the person is, not who they are."""
    if tree.sentence.language != "ru" or tree[human].features.get("Case") in {"Gen", None}:
        return None
    return next(
        (
            child
            for child in tree.children(human, "nmod")
            if tree[child].features.get("Case") == "Gen" and not tree.case(child) and is_human(tree, child)
        ),
        None,
    )


def _humans_of(tree: SentenceTree, token: int) -> Iterator[int]:
    """The human being that subject names: itself, the whole of "two of my stepsons", or whose it is ("my boss's dog")."""
    if is_human(tree, token):
        yield token
        return
    if tree[token].lemma in _PARTS or tree[token].pos in {"NUM", "DET"}:
        for child in tree.children(token, "nmod", "obl"):
            if is_human(tree, child):
                yield child
                return
    for child in tree.children(token, "nmod"):
        owner = tree[child].relation == "nmod:poss" or (
            tree.sentence.language == "ru" and tree[child].features.get("Case") == "Gen" and not tree.children(child, "case")
        )
        if owner and is_human(tree, child):
            yield child
            return


def _is_possessed(tree: SentenceTree, token: int) -> bool:
    return any(
        tree[child].text.lower() in _THEIRS or tree[child].lemma in _THEIRS for child in tree.children(token, "det", "nmod")
    )


def _is_owned(tree: SentenceTree, clause: Clause, human: int) -> bool:
    """As in "сосед мой", "тётка у меня", "у соседа": somebody in the speaker's life, no description."""
    if _after_at(tree, human) or any(tree.lowered(c) in {"the", "this", "that"} for c in tree.children(human, "det")):
        return True
    return any(
        tree[k].lemma in _MINE or (tree[k].lemma in {"я", "мы", "i", "we"} and tree[k].features.get("Case") == "Gen")
        for k in clause.own
    )


def _befalls_me(tree: SentenceTree, clause: Clause) -> bool:
    return any(
        tree[k].lemma in {"i", "me", "us", "я", "мы"}
        and relation(tree[k]) in {"obj", "iobj", "obl"}
        and tree[k].features.get("Case") != "Nom"
        for k in clause.own
    )


def _first_noun(tree: SentenceTree, clause: Clause) -> int | None:
    """The human being a clause begins with, where the parser saw no subject: "Тётка у меня оленевод", "У бывшего двойня"."""
    words = [k for k in clause.own if not is_mark(tree[k])]
    if any(
        tree[k].features.get("Person") == "1" or (tree[k].lemma in {"i", "я"} and tree[k].features.get("Case") == "Nom")
        for k in words
        if tree[k].pos != "PRON" or tree[k].features.get("Case") == "Nom"
    ):
        return None
    for k in words[:4]:
        token = tree[k]
        if tree.lowered(k) in _OPENING:
            continue
        if token.pos in {"DET", "ADJ", "PRON", "CCONJ", "PART", "ADV", "NUM"} and not is_human(tree, k):
            if token.pos == "PRON" and token.lemma in {"i", "я", "we", "мы"} and token.features.get("Case") in {"Nom", None}:
                return None
            continue
        if token.pos == "ADP" and token.text.lower() == "у" and tree.sentence.language == "ru":
            continue
        if not is_human(tree, k):
            return None
        before = tree[k - 1].text.lower() if k > 0 else ""
        if tree.sentence.language == "ru":
            return k if token.features.get("Case") in {"Nom", "Dat", None} or before == "у" or _after_at(tree, k) else None
        return k if k <= clause.head else None
    return None


def _after_at(tree: SentenceTree, index: int) -> bool:
    return any(tree[k].text.lower() == "у" for k in range(max(0, index - 3), index))
