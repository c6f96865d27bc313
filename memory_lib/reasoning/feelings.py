"""Whether a clause states how the speaker feels, and which way (pure)."""

# ruff: noqa: C901, PLR0912 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

from dataclasses import dataclass

from memory_lib.domain.candidates import Valence
from memory_lib.domain.clause import Clause, Mark, Who
from memory_lib.reasoning.feeling_words import EVALUATIONS, FEEL_VERBS, FEELINGS, LIFE_NOUNS
from memory_lib.reasoning.folding import fold
from memory_lib.reasoning.sentence_tree import SentenceTree, relation

_SOFTENED = 0.5
"""Share of the intensity that a denied feeling keeps: "not happy" is less than "sad"."""
_INTENSIFIERS = frozenset(
    """
    очень так сильно ужасно безумно жутко невероятно very so really extremely super incredibly
    """.split()
)
# Words that name a feeling only as the predicate: as an adverb inside a sentence they name a manner ("хорошо доехали").
_PREDICATE_ONLY = frozenset(
    """
    хорошо плохо тяжело легко приятно страшно больно скучно весело спокойно ужасно content calm blessed hurt cold mad
    love tired relaxed
    """.split()
)
_STATE_VERBS = frozenset(
    """
    be get become become stay remain seem be чувствовать чувствовать стать быть
    """.split()
)
_OTHER_DIRECTED = frozenset(
    """
    бесить взбесить раздражать расстроить разозлить порадовать радовать расстраивать вдохновить обидеть annoy upset
    excite hurt scare worry depress
    """.split()
)
_LOW = frozenset({"down", "low", "blue", "off"})
_IDIOMS = (
    ("на седьмом небе", 0.9), ("вне себя от счастья", 0.9), ("места себе не нахожу", -0.7), ("не нахожу себе места", -0.7), ("ком в горле", -0.6),
    ("опускаются руки", -0.7), ("руки опускаются", -0.7), ("руки опустились", -0.7), ("сердце разрывается", -0.8), ("на нервах", -0.5),
    ("over the moon", 0.9), ("on cloud nine", 0.9), ("in tears", -0.7), ("fed up", -0.6), ("on edge", -0.5), ("feeling down", -0.6),
    ("at the end of my rope", -0.8), ("stressed out", -0.6), ("burned out", -0.7), ("burnt out", -0.7),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Feeling:
    """A stated feeling and the token that names it."""

    valence: Valence
    intensity: float
    token: int
    named: bool
    """Whether a feeling was named; False = a day, mood or stretch of life was judged."""
    idiom: bool = False


def feeling_of(clause: Clause, tree: SentenceTree) -> Feeling | None:
    """The speaker's own stated feeling in that clause, or None."""
    subject, head = clause.subject, tree[clause.head]
    about_self = subject.who in {Who.SELF, Who.GROUP} or _experiences(clause, tree) or _is_made_to_feel(clause, tree)
    own = set(clause.own)
    for index in _predicate_family(clause, tree):
        if index not in own:
            continue
        lemma = _lemma(tree, index)
        value = FEELINGS.get(lemma)
        if value is None and lemma in _LOW and head.lemma in FEEL_VERBS and index != clause.head:
            value = -0.5
        if value is None and tree[index].text.lower().replace("ё", "е") in FEELINGS:
            value = FEELINGS[tree[index].text.lower().replace("ё", "е")]
        if value is None:
            continue
        if lemma == "miss" and not _misses_somebody(clause, tree):
            continue
        if (
            lemma in _PREDICATE_ONLY
            and tree[index].pos == "ADV"
            and index != clause.head
            and head.lemma not in FEEL_VERBS | _STATE_VERBS
        ):
            continue
        if lemma in _OTHER_DIRECTED and tree[index].pos == "VERB":
            if not _acts_on_self(index, tree):
                continue
        elif not about_self:
            continue
        if (
            lemma in {"fear", "worry", "calm", "content"}
            and tree[index].pos == "NOUN"
            and head.lemma not in FEEL_VERBS | {"have"}
        ):
            continue
        return _feeling(clause, tree, index, value, named=True)
    idiom = _idiom(clause, tree) if about_self else None
    if idiom is not None:
        return idiom
    evaluated = _evaluation(clause, tree)
    if evaluated is not None:
        index, value = evaluated
        return _feeling(clause, tree, index, value, named=False)
    return None


def _idiom(clause: Clause, tree: SentenceTree) -> Feeling | None:
    words = fold(" ".join(tree[index].text for index in clause.own))
    for pattern, value in _IDIOMS:
        if pattern in words:
            return Feeling(Valence.POSITIVE if value > 0 else Valence.NEGATIVE, abs(value), clause.head, named=True, idiom=True)
    return None


def _lemma(tree: SentenceTree, index: int) -> str:
    return tree[index].lemma.replace("ё", "е")


def _is_made_to_feel(clause: Clause, tree: SentenceTree) -> bool:
    """As in "It makes me angry"."""
    return tree[clause.head].lemma == "make" and any(
        tree[inner].lemma in {"i", "me", "we", "us"}
        for child in tree.children(clause.head, "ccomp", "xcomp")
        for inner in tree.children(child, "nsubj")
    )


def _experiences(clause: Clause, tree: SentenceTree) -> bool:
    return clause.experiencer is not None and tree[clause.experiencer].lemma in {"я", "мы"}


def _predicate_family(clause: Clause, tree: SentenceTree) -> list[int]:
    """The predicate and what completes it: "feel sad", "стало грустно", "в восторге", "full of joy"."""
    family = [clause.head]
    if _is_made_to_feel(clause, tree):
        for child in tree.children(clause.head, "ccomp", "xcomp"):
            family.extend([child, *tree.children(child, "xcomp")])
    for child in tree.children(clause.head, "xcomp", "advmod", "obj", "obl", "conj", "nsubj"):
        token = tree[child]
        name = relation(token)
        if name == "advmod" and token.pos not in {"ADJ", "ADV"} and token.lemma not in _LOW:
            continue
        if name == "obj" and tree[clause.head].lemma not in FEEL_VERBS | {"have", "иметь"}:
            continue
        if name == "obl" and tree.case(child) not in {"в", "от", "in", "under"}:
            continue
        if name == "nsubj" and not (token.pos == "NOUN" and _experiences(clause, tree)):
            continue
        family.append(child)
        if name in {"xcomp", "conj"}:
            family.extend(tree.children(child, "conj"))
    return family


def _misses_somebody(clause: Clause, tree: SentenceTree) -> bool:
    objects = tree.children(clause.head, "obj")
    return any(
        tree[child].pos in {"PROPN", "PRON", "NOUN"}
        and tree[child].lemma not in {"train", "bus", "flight", "deadline", "chance", "call", "class", "meeting"}
        for child in objects
    )


def _acts_on_self(index: int, tree: SentenceTree) -> bool:
    """As in "this upsets me", "меня бесит": the speaker is the one acted on (or a participle: "я расстроена")."""
    if tree[index].features.get("VerbForm") == "Part":
        return True
    return any(tree[child].lemma in {"я", "мы", "i", "we", "me", "us"} for child in tree.children(index, "obj", "iobj"))


def _evaluation(clause: Clause, tree: SentenceTree) -> tuple[int, float] | None:
    token = tree[clause.head]
    value = EVALUATIONS.get(_lemma(tree, clause.head))
    subject = clause.subject.token
    judged = subject is not None and not clause.subject.inherited and tree[subject].lemma in LIFE_NOUNS
    if value is not None and judged:
        return clause.head, value
    if token.lemma in LIFE_NOUNS and (clause.kind.value == "nominal" or relation(token) in {"nsubj", "root"}):
        for child in tree.children(clause.head, "amod"):
            rated = EVALUATIONS.get(_lemma(tree, child))
            if rated is not None:
                return child, rated
    if (
        subject is not None
        and not clause.subject.inherited
        and tree[subject].lemma in LIFE_NOUNS
        and clause.kind.value != "verb"
    ):
        for child in tree.children(subject, "amod"):
            rated = EVALUATIONS.get(_lemma(tree, child))
            if rated is not None:
                return child, rated
    # "had a terrible day", "был ужасный день"
    for child in tree.children(clause.head, "obj", "nsubj", "xcomp"):
        if tree[child].lemma in LIFE_NOUNS and tree[clause.head].lemma in {"have", "be", "быть", "выдаться", "получиться"}:
            for inner in tree.children(child, "amod"):
                rated = EVALUATIONS.get(_lemma(tree, inner))
                if rated is not None and child in clause.own:
                    return inner, rated
    return None


def _never_so(clause: Clause, tree: SentenceTree) -> bool:
    """As in "Никогда ещё не была так счастлива": nothing is denied."""
    words = {tree[index].text.lower() for index in clause.own}
    return bool(words & {"никогда", "never"}) and bool(words & {"так", "такой", "такая", "so", "such", "more"})


def _feeling(clause: Clause, tree: SentenceTree, index: int, value: float, *, named: bool) -> Feeling:
    intensity = abs(value)
    positive = value > 0
    if any(
        tree[child].text.lower() in _INTENSIFIERS
        for child in (*tree.children(index, "advmod"), *tree.children(clause.head, "advmod"))
    ):
        intensity = min(1.0, intensity + 0.1)
    negated = clause.negated or any(
        tree[child].text.lower() in {"не", "not", "n't"} for child in tree.children(index, "advmod")
    )
    negated = negated and not _never_so(clause, tree)
    if negated and clause.mark(Mark.NO_LONGER) is None and not positive:
        return Feeling(Valence.NEUTRAL, round(intensity * _SOFTENED, 2), index, named)
    if negated:
        return Feeling(Valence.NEGATIVE if positive else Valence.POSITIVE, round(intensity * _SOFTENED, 2), index, named)
    return Feeling(Valence.POSITIVE if positive else Valence.NEGATIVE, round(intensity, 2), index, named)
