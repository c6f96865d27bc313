"""Whether a clause states how the speaker feels, and which way (pure)."""

# ruff: noqa: C901, PLR0912 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from dataclasses import dataclass

from memory_lib.domain.candidates import Valence
from memory_lib.domain.clause import Clause, Mark, Who
from memory_lib.reasoning.clauses import is_depictive
from memory_lib.reasoning.feeling_idioms import BODY_SIGNS, DONE_TO_ONE, DRIVEN, DRIVEN_TO, IDIOMS
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
_BODY_WORDS = frozenset(
    """
    hand knee voice leg heart stomach gut inside jaw fist tooth chest throat shoulder head mind lump knot butterfly рука
    колено коленка коленки губа голос палец нога сердце
    """.split()
)


@dataclass(frozen=True, slots=True)
class Feeling:
    """A stated feeling and the token that names it."""

    valence: Valence
    intensity: float
    token: int
    named: bool
    """Whether a feeling was named; False = a day, mood or stretch of life was judged."""
    idiom: bool = False
    undergone: bool = False
    """Whether somebody or something else brings it about ("Marcus stresses me out"): the speaker is not the subject."""


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
    found = _undergone(clause, tree) or (_idiom(clause, tree) if about_self else None) or _body_sign(clause, tree)
    if found is not None:
        return found
    evaluated = _evaluation(clause, tree)
    if evaluated is not None:
        index, value = evaluated
        return _feeling(clause, tree, index, value, named=False)
    return None


def _said(clause: Clause, tree: SentenceTree) -> str:
    words = [tree[index].text for index in clause.own]
    return fold(" ".join(words)).replace(" n't", "n't").replace(" '", "'").replace("ca n't", "can't")


def _idiom(clause: Clause, tree: SentenceTree) -> Feeling | None:
    words = _said(clause, tree)
    for pattern, value in IDIOMS:
        match = pattern.search(words)
        if match is None:
            continue
        if re.search(r"\b(?:not|n't|never|не|ни) (?:\w+ )?$", words[: match.start()]) is not None:
            return None
        return Feeling(Valence.POSITIVE if value > 0 else Valence.NEGATIVE, abs(value), clause.head, named=True, idiom=True)
    return None


def _body_sign(clause: Clause, tree: SentenceTree) -> Feeling | None:
    """As in "My hands were shaking", "у меня тряслись руки": the speaker's own body tells; another's or a denied one does not."""
    part = next(
        (index for index in clause.own if tree[index].lemma in _BODY_WORDS and tree[index].pos in {"NOUN", "PROPN"}), None
    )
    if part is None or clause.negated:
        return None
    owners = {tree[child].text.lower() for child in tree.children(part, "det", "nmod", "amod")}
    mine = bool(owners & {"my", "our", "мои", "моя", "мое", "моё"}) or any(tree[i].text.lower() == "my" for i in clause.own)
    if tree.sentence.language == "ru":
        owned = any(
            relation(tree[child]) == "nmod" and tree[child].pos in {"NOUN", "PROPN", "PRON"} for child in tree.children(part)
        )
        others = {"его", "ее", "её", "их", "твои", "твоя", "ваши"}
        other = clause.experiencer is not None and not _experiences(clause, tree)
        mine = not (other or owners & others or owned) and clause.subject.who is not Who.PERSON
    if not mine:
        return None
    words = _said(clause, tree)
    for pattern, value in BODY_SIGNS:
        if pattern.search(words) is not None:
            return Feeling(Valence.POSITIVE if value > 0 else Valence.NEGATIVE, abs(value), clause.head, named=True, idiom=True)
    return None


def _undergone(clause: Clause, tree: SentenceTree) -> Feeling | None:
    """As in "Marcus stresses me out", "it drives me mad", "меня трясёт": done to the speaker, by whomever."""
    head = clause.head
    token = tree[head]
    if token.pos != "VERB" or clause.subject.who is Who.ADDRESSEE:
        return None
    objects = tree.children(head, "obj", "iobj", "obl", "nsubj")
    if not any(
        tree[child].text.lower() in {"me", "us", "меня", "нас"}
        and (tree[child].text.lower() in {"me", "us"} or not tree.case(child))
        for child in (*objects, *(inner for c in tree.children(head, "ccomp", "xcomp") for inner in tree.children(c, "nsubj")))
    ):
        return None
    value = _lasting_value(tree, head)
    if value is None:
        return None
    if clause.negated:
        return None
    return Feeling(
        Valence.POSITIVE if value > 0 else Valence.NEGATIVE, abs(value), head, named=True, idiom=True, undergone=True
    )  # fmt: skip


_ALSO_LITERAL = frozenset("достать доставать доводить touch bug трясти бесить добить колотить тронуть".split())


def _lasting_value(tree: SentenceTree, head: int) -> float | None:
    lemma = tree[head].lemma.replace("ё", "е")
    particles = {tree[child].text.lower() for child in tree.children(head, "compound", "advmod", "obl", "xcomp")}
    for (verb, particle), rated in DRIVEN.items():
        if lemma == verb and particle in particles:
            return rated
    if lemma == "drive":
        below = {tree[i].lemma for i in tree.subtree(head)} | {tree[i].text.lower() for i in tree.subtree(head)}
        return -0.7 if below & DRIVEN_TO else None
    if lemma in {"выводить", "вывести"}:
        return -0.7 if any(tree[i].text.lower() == "себя" for i in tree.subtree(head)) else None
    if lemma in _ALSO_LITERAL and (
        len(tree.children(head, "obj")) > 1
        or any(tree.case(child) not in {"", "от", "with"} for child in tree.children(head, "obl"))
    ):
        return None
    return DONE_TO_ONE.get(lemma)


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
        depicted = name == "nsubj" and is_depictive(tree, clause.head, child)
        if name == "nsubj" and not depicted and not (token.pos == "NOUN" and _experiences(clause, tree)):
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
