"""Whether a clause tells how somebody feels, which way, and by what: a named feeling, a set phrase, a sign, a judged day (pure)."""

# ruff: noqa: C901, PLR0911, PLR0912 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from dataclasses import replace

from memory_lib.domain.candidates import Valence
from memory_lib.domain.clause import Clause, Mark, PredicateKind, Who
from memory_lib.domain.syntax import ROOT
from memory_lib.reasoning.clauses.clause_subjects import is_depictive
from memory_lib.reasoning.feelings.feeling import Feeling, experiences, lemma_of, said
from memory_lib.reasoning.feelings.implied_feelings import DENY, body_sign, doing
from memory_lib.reasoning.feelings.undergone_feelings import evaluation, is_literal, undergone
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation
from memory_lib.reasoning.words.event_words import names_happening
from memory_lib.reasoning.words.feeling_idioms import IDIOMS
from memory_lib.reasoning.words.feeling_words import (
    DONE_VERBS,
    FEEL_VERBS,
    FEELINGS,
    NOUNS,
    OWN_VERBS,
    STATES,
)
from memory_lib.reasoning.words.kinship_words import RELATIONS
from memory_lib.reasoning.words.role_words import ROLES

_SOFTENED = 0.5
"""Share of the intensity that a denied feeling keeps: "not happy" is less than "sad"."""
_STRONGER = 0.1
_INTENSIFIERS = frozenset(
    """
    очень так сильно ужасно безумно жутко невероятно страшно дико бесконечно чертовски абсолютно совершенно совсем ужас настолько
    very so really extremely super incredibly absolutely utterly totally completely terribly truly deeply insanely beyond
    """.split()
)
# Words that name a feeling only as the predicate: as an adverb inside a sentence they name a manner ("хорошо доехали").
_PREDICATE_ONLY = frozenset(
    """
    хорошо плохо тяжело легко приятно страшно больно скучно весело спокойно ужасно жутко сложно странно уютно нервно напряженно дурно
    невыносимо радостно счастливо горько кисло бодро отвратительно отчаянно мучительно комфортно тоскливо грустно
    content calm blessed hurt cold mad love tired relaxed terrible awful horrible rotten lousy low flat cross sick broken flat bitter
    """.split()
)
_STATE_VERBS = frozenset(
    """
    be get become stay remain seem go leave come end стать быть становиться остаться ходить сидеть бывать чувствовать лежать проснуться
    """.split()
)
# Said of things as often as of people: these count only of a person who feels, with a first-person or named subject.
_ALSO_OF_THINGS = frozenset(
    "странно сложно сложный трудно low flat broken sick cross moved touched down rested merry sorry cold".split()
)
# These count only right after "be" or "feel": "sailed down to the bay" tells of no mood.
_ONLY_PREDICATES = frozenset(
    "down low flat cross sick cold rested merry sorry off blue horrible rotten lousy bitter glum broken".split()
)
_LOW = frozenset({"down", "low", "blue", "off", "empty", "numb", "lost", "small", "alone"})
# Alone in a sentence these answer or agree ("Хорошо.", "Glad to hear it") and name no feeling.
_PHATIC_ALONE = frozenset(
    """
    хорошо отлично легко спокойно приятно ужас кошмар странно сложно плохо любовь весело уютно sorry calm content relaxed confident
    comfortable surprised touched rested cool confused moved любовь боль лень прикольно комфортно надежда
    """.split()
)
_POLITE = frozenset(
    """
    hear help see know meet say report announce oblige слышать услышать помочь помогать видеть увидеть знать познакомиться встретить
    сказать сообщить ответить быть
    """.split()
)
_SELF_WORDS = frozenset("я мы i we me us мне меня нам нас".split())
_NOT_ONLY = re.compile(
    r"\b(?:не (?:просто|только|то что|то чтобы)|not (?:just|only|merely)|never (?:been|felt|was)(?: (?:so|more|this|as))?|никогда (?:еще )?не был\w* (?:так|такой|такая|настолько)|couldn't be|could not be|couldn't have been|не могу не|не мог\w* не|can't help)\b"
)
_WEAK_DENIAL = re.compile(
    r"\b(?:far from|hardly|barely|anything but|nowhere near|scarcely|less than|вовсе не|ничуть не|отнюдь не|едва ли|никакой|никакого|никаких)\b"
)


def feeling_of(clause: Clause, tree: SentenceTree) -> Feeling | None:
    """The speaker's own feeling in that clause, or None."""
    subject = clause.subject
    about_self = (
        subject.who in {Who.SELF, Who.GROUP}
        or experiences(clause, tree)
        or _is_made_to_feel(clause, tree)
        or _is_elided(clause, tree)
    )
    found = _named(clause, tree, about_self=about_self, other=False)
    if found is not None:
        return found
    impersonal = about_self or _is_impersonal(clause, tree)
    found = (
        undergone(clause, tree)
        or (_idiom(clause, tree) if impersonal else None)
        or _beyond_words(clause, tree)
        or _comes_over(clause, tree)
    )
    if found is None and about_self:
        found = doing(clause, tree)
    found = found or body_sign(clause, tree)
    if found is not None:
        return found
    evaluated = evaluation(clause, tree)
    if evaluated is not None:
        index, value = evaluated
        return _feeling(clause, tree, index, value, named=False)
    return None


def feeling_of_other(clause: Clause, tree: SentenceTree) -> Feeling | None:
    """The feeling of the clause's subject or experiencer, who is somebody else: "Нил расстроен", "маме страшно", "she cried"."""
    if not _somebody(clause, tree):
        return None
    found = _named(clause, tree, about_self=True, other=True) or _idiom(clause, tree) or doing(clause, tree, tears_only=True)
    if found is None or found.valence is Valence.NEUTRAL:
        return None
    return replace(found, of_other=True)


def _somebody(clause: Clause, tree: SentenceTree) -> bool:
    """Whether the subject (or "маме", "у брата") is a person other than the speaker."""
    if clause.subject.who is Who.PERSON:
        return True
    if clause.subject.who is not Who.THING or clause.subject.token is None:
        return False
    token = tree[clause.subject.token]
    if token.lemma in RELATIONS or token.lemma.rsplit("-", 1)[-1] in ROLES:
        return True
    return tree.sentence.language == "ru" and token.pos == "NOUN" and token.features.get("Animacy") == "Anim"


def _is_elided(clause: Clause, tree: SentenceTree) -> bool:
    """As in "Can't sleep again", "Страшно до дрожи", "Gutted about the job": nobody is named, so the speaker is meant."""
    head = tree[clause.head]
    subject = clause.subject.token
    likened = subject is not None and subject > 0 and tree.lowered(subject - 1) in {"как", "like"}  # "Доволен как слон"
    bare = tree.sentence.language == "ru" and (likened or (clause.subject.who is Who.THING and head.pos == "ADV"))
    if (clause.subject.who is not Who.NONE and not bare) or (clause.experiencer is not None and not experiences(clause, tree)):
        return False
    subjects = tree.children(clause.head, "nsubj", "csubj")
    if not likened and any(not any(is_mark(tree[k]) for k in range(clause.head + 1, child)) for child in subjects):
        return False
    if head.pos in {"VERB", "AUX"}:
        return (
            tree.sentence.language == "ru" or bool(tree.children(clause.head, "aux")) or head.features.get("VerbForm") == "Part"
        )
    lemma = lemma_of(tree, clause.head)
    folded = head.text.lower().replace("ё", "е")
    if head.head != ROOT and any(tree.lowered(k) in {"мне", "нам"} for k in tree.children(head.head, "iobj", "obl")):
        return relation(head) in {"conj", "parataxis"}  # "Мне не больно, просто странно"
    if lemma in _PHATIC_ALONE or folded in _PHATIC_ALONE:
        return False
    if any(tree[child].lemma in _POLITE for child in tree.children(clause.head, "xcomp", "advcl", "csubj", "ccomp")):
        return False
    if lemma in STATES or folded in STATES:
        return head.pos in {"ADJ", "ADV", "VERB", "NOUN", "PROPN"} and relation(head) in {
            "root",
            "parataxis",
            "conj",
            "ccomp",
            "advcl",
        }
    return clause.kind is PredicateKind.FRAGMENT


def _is_impersonal(clause: Clause, tree: SentenceTree) -> bool:
    """As in "Терпение лопнуло", "Меня тошнит от …", "My heart is broken": told of a thing or of nothing, but of the speaker's."""
    if clause.subject.who not in {Who.THING, Who.NONE, Who.OTHERS}:
        return False
    if tree.sentence.language == "en":
        return any(tree.lowered(index) in {"me", "my"} for index in clause.own)
    return clause.experiencer is None or experiences(clause, tree)


_COMING = frozenset(
    """
    накатить накатывать нахлынуть охватить охватывать одолеть одолевать взять брать разобрать мучить замучить грызть съедать давить душить накрыть накрывать
    прийти появиться остаться вернуться переполнять распирать захлестнуть подступить навалиться навалилась нарастать расти заесть заедать
    take set wash hit come creep grip overwhelm eat fill overcome strike consume sweep flood sink kick gnaw
    """.split()
)


def _comes_over(clause: Clause, tree: SentenceTree) -> Feeling | None:
    """As in "Накатила тоска", "relief washed over me": the feeling itself does something to the speaker."""
    if tree[clause.head].lemma not in _COMING:
        return None
    named = (
        child for child in tree.children(clause.head, "nsubj", "obj") if lemma_of(tree, child) in NOUNS and child in clause.own
    )
    subject = next(named, None)
    if subject is None:
        return None
    sets_in = tree.sentence.language == "en" and tree[clause.head].lemma in {"set", "kick", "creep"}
    if not (_is_impersonal(clause, tree) or sets_in):
        return None
    return _feeling(clause, tree, subject, NOUNS[lemma_of(tree, subject)], named=True)


def _named(clause: Clause, tree: SentenceTree, *, about_self: bool, other: bool) -> Feeling | None:
    head = tree[clause.head]
    own = set(clause.own)
    for index in _predicate_family(clause, tree, other=other):
        if index not in own:
            continue
        token = tree[index]
        lemma = lemma_of(tree, index)
        text = token.text.lower().replace("ё", "е")
        value = FEELINGS.get(lemma)
        if value is None and lemma in _LOW and head.lemma in FEEL_VERBS and index != clause.head:
            value = -0.5
        if value is None and text in STATES and _is_state_form(tree, index):
            value = STATES[text]
            lemma = text
        if value is None:
            continue
        if lemma == "miss" and not _misses_somebody(clause, tree):
            continue
        if (
            lemma in _PREDICATE_ONLY
            and token.pos == "ADV"
            and index != clause.head
            and head.lemma not in FEEL_VERBS | _STATE_VERBS
        ):
            continue
        if token.pos == "ADV" and index == clause.head and not _predicative(clause, about_self=about_self):
            continue
        done = lemma in DONE_VERBS and lemma not in STATES and lemma not in OWN_VERBS
        if done:
            participle = token.features.get("VerbForm") == "Part" and tree.sentence.language == "en"
            alone = not tree.children(index, "nsubj", "obj")
            passive = participle and about_self and (bool(tree.children(index, "cop", "aux")) or index != clause.head or alone)
            short = token.features.get("Variant") == "Short" and about_self
            if not passive and not short and (other or not _acts_on_self(index, tree)):
                continue
            if not passive and not short and not other and is_literal(tree, index, lemma):
                continue
        elif not about_self or _is_courtesy(tree, index, lemma):
            continue
        if text in _ONLY_PREDICATES and not (
            (index == clause.head and tree.children(index, "cop", "aux")) or head.lemma in FEEL_VERBS
        ):
            continue
        if lemma in _ALSO_OF_THINGS and not (other or clause.subject.who in {Who.SELF, Who.GROUP} or experiences(clause, tree)):
            continue
        if (
            token.pos == "NOUN"
            and lemma in NOUNS
            and lemma not in STATES
            and tree.sentence.language == "en"
            and head.lemma not in FEEL_VERBS | {"have", "full"}
            and not (relation(token) in {"obl", "nmod"} and tree.case(index) in {"in", "of", "with"})
        ):
            continue
        polite = index == clause.head and value > 0 and not other
        if polite and any(tree[child].lemma in _POLITE for child in tree.children(index, "xcomp")):
            continue
        found = _feeling(clause, tree, index, value, named=True)
        return replace(found, undergone=True) if done and not about_self else found
    return None


def _is_state_form(tree: SentenceTree, index: int) -> bool:
    """As in "I was moved", "рада": a state, not the verb that it is made of ("I moved here")."""
    token = tree[index]
    if tree.sentence.language == "ru" or token.pos in {"ADJ", "ADV"}:
        return True
    helpers = {tree[child].lemma for child in tree.children(index, "cop", "aux")}
    free = (
        token.features.get("VerbForm") == "Part"
        and token.head >= 0
        and tree[token.head].lemma in FEEL_VERBS | {"get", "be", "leave"}
    )
    alone = token.head == ROOT and not tree.children(index, "nsubj", "aux", "expl")  # "So relieved the scan was clear!"
    return (
        ("be" in helpers or free or alone)
        and not tree.children(index, "obj")
        and token.text.lower() not in {"moved", "moving", "rested", "broken"}
    ) or ("be" in helpers and any(tree.case(child) == "by" for child in tree.children(index, "obl")))


def _predicative(clause: Clause, *, about_self: bool) -> bool:
    return about_self or clause.kind is PredicateKind.ADJECTIVAL


def _is_courtesy(tree: SentenceTree, index: int, lemma: str) -> bool:
    """As in "I'm afraid I can't come", "I appreciate your help"."""
    if lemma in {"appreciate", "enjoy"}:
        return True
    if lemma in {"afraid", "sorry"} and any(
        tree[inner].text.lower() in {"n't", "not", "wo", "must", "have"}
        for child in tree.children(index, "ccomp")
        for inner in tree.children(child)
        if not any(tree[mark].lemma == "that" for mark in tree.children(child, "mark"))
    ):
        return True
    return lemma in {"celebrate", "stress", "treasure", "panic", "жалеть"} and bool(tree.children(index, "obj"))


def _idiom(clause: Clause, tree: SentenceTree) -> Feeling | None:
    words = said(clause, tree)
    for pattern, value in IDIOMS:
        match = pattern.search(words)
        if match is None:
            continue
        if DENY.search(words[: match.start()]) is not None:
            return None
        return Feeling(Valence.POSITIVE if value > 0 else Valence.NEGATIVE, abs(value), clause.head, named=True, idiom=True)
    return None


def _beyond_words(clause: Clause, tree: SentenceTree) -> Feeling | None:
    """As in "Proud doesn't cover it", "злая — не то слово": the feeling and more."""
    match = _MORE_THAN.search(said(clause, tree))
    value = None if match is None else STATES.get(match.group(1) or match.group(2))
    if value is None:
        return None
    return Feeling(
        Valence.POSITIVE if value > 0 else Valence.NEGATIVE,
        min(1.0, abs(value) + _STRONGER),
        clause.head,
        named=True,
        idiom=True,
    )


_MORE_THAN = re.compile(
    r"^\W*(\w+) (?:does(?:n't| not)|did(?:n't| not)|is(?:n't| not)|was(?:n't| not)|ca(?:n't|nnot)) (?:even )?(?:begin to |start to )?(?:cover|describe|cut|do|the word|come close|scratch)|(\w+)\W+(?:это )?не то слово"
)


def _is_made_to_feel(clause: Clause, tree: SentenceTree) -> bool:
    """As in "It makes me angry"."""
    return tree[clause.head].lemma in {"make", "leave", "get", "keep"} and any(
        tree[inner].lemma in {"i", "me", "we", "us"}
        for child in tree.children(clause.head, "ccomp", "xcomp")
        for inner in tree.children(child, "nsubj")
    )


def _predicate_family(clause: Clause, tree: SentenceTree, *, other: bool = False) -> list[int]:
    """The predicate and what completes it: "feel sad", "стало грустно", "в восторге", "full of joy"."""
    family = [clause.head]
    if _is_made_to_feel(clause, tree):
        for child in tree.children(clause.head, "ccomp", "xcomp"):
            family.extend([child, *tree.children(child, "xcomp", "ccomp")])
    felt = experiences(clause, tree) or (other and clause.experiencer is not None)
    for child in tree.children(clause.head, "xcomp", "advmod", "obj", "obl", "conj", "nsubj", "nmod", "amod"):
        token = tree[child]
        name = relation(token)
        if name == "advmod" and token.pos not in {"ADJ", "ADV"} and token.lemma not in _LOW:
            continue
        if name == "obj" and tree[clause.head].lemma not in FEEL_VERBS | {"have", "иметь"}:
            continue
        if name in {"obl", "nmod"} and tree.case(child) not in {"в", "от", "in", "under", "of", "with"}:
            continue
        if name == "amod" and not is_depictive_of(clause, tree, child):
            continue
        depicted = name == "nsubj" and is_depictive(tree, clause.head, child)
        if name == "nsubj" and not depicted and not (token.pos == "NOUN" and felt):
            continue
        family.append(child)
        if name in {"xcomp", "conj"}:
            family.extend(tree.children(child, "conj", "obl"))
    return family


def is_depictive_of(clause: Clause, tree: SentenceTree, index: int) -> bool:
    """An adjective hung on a verb by mistake of the parser: "вернулась домой злая"."""
    return tree[clause.head].pos == "VERB" and index > clause.head


def _was_late_for(tree: SentenceTree, index: int) -> bool:
    """As in "I missed the briefing": missed once, a thing that is nobody's own; "I missed my garden" is a feeling."""
    token = tree[index]
    if token.pos != "NOUN" or token.lemma in RELATIONS:
        return False
    return names_happening(token.lemma) or not any(tree.lowered(k) in {"my", "our", "his", "her"} for k in tree.children(index))


def _misses_somebody(clause: Clause, tree: SentenceTree) -> bool:
    objects = tree.children(clause.head, "obj")
    return any(
        tree[child].pos in {"PROPN", "PRON", "NOUN"}
        and not (tree[clause.head].features.get("Tense") == "Past" and _was_late_for(tree, child))
        and tree[child].lemma
        not in {"train", "bus", "flight", "deadline", "chance", "call", "class", "meeting", "appointment", "turn", "exit", "stop",
                "point", "lesson", "shot", "target", "plane", "match", "episode", "session", "dose", "opportunity", "boat", "ferry", "lecture", "step", "period"}
        for child in objects
    )  # fmt: skip


def _acts_on_self(index: int, tree: SentenceTree) -> bool:
    """As in "this upsets me", "меня бесит": the speaker is the one acted on."""
    return any(tree[child].text.lower() in _SELF_WORDS for child in tree.children(index, "obj", "iobj", "nsubj", "obl"))


def _feeling(clause: Clause, tree: SentenceTree, index: int, value: float, *, named: bool) -> Feeling:
    intensity = abs(value)
    positive = value > 0
    if any(
        tree[child].text.lower() in _INTENSIFIERS
        for child in (*tree.children(index, "advmod"), *tree.children(clause.head, "advmod"))
        if child != index
    ):
        intensity = min(1.0, intensity + _STRONGER)
    words = said(clause, tree)
    negated = clause.negated or any(
        tree[child].text.lower() in {"не", "not", "n't", "hardly", "barely", "без"}
        for child in tree.children(index, "advmod", "case")
    )
    negated = (negated or _WEAK_DENIAL.search(words) is not None) and _NOT_ONLY.search(words) is None
    if negated and clause.mark(Mark.NO_LONGER) is None and not positive:
        return Feeling(Valence.NEUTRAL, round(intensity * _SOFTENED, 2), index, named)
    if negated:
        return Feeling(Valence.NEGATIVE if positive else Valence.POSITIVE, round(intensity * _SOFTENED, 2), index, named)
    return Feeling(Valence.POSITIVE if positive else Valence.NEGATIVE, round(intensity, 2), index, named)
