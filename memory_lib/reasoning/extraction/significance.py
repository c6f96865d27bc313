"""Whether a told event is significant at creation: whose it is, whether it really happens, and what kind it is (pure)."""

# ruff: noqa: E501 - word lists read best on long lines
from __future__ import annotations

from collections.abc import Collection, Sequence

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause, Mark, Tense, Who
from memory_lib.reasoning.trees.sentence_tree import FIRST_PERSON, SentenceTree
from memory_lib.reasoning.words.kinship_words import RELATIONS
from memory_lib.reasoning.words.pet_words import PETS
from memory_lib.reasoning.words.role_words import ROLES
from memory_lib.reasoning.words.significance_words import NEWS_STATES, is_significant, names_harm

_CLOSE = frozenset(
    """
    mother father parents sister brother twin daughter son child wife husband partner fiance fiancee girlfriend boyfriend grandmother
    grandfather grandchild
    """.split()
)
"""Ties whose life events weigh like one's own; of anybody else one knows, only death and grave harm do."""
_AS_GUEST = frozenset(
    """
    attend invite guest photograph film cater host dress go come play dj bake plan посетить позвать пригласить приглашать гость гулять пойти сходить
    ходить поехать съездить снимать фотографировать играть вести петь испечь быть
    """.split()
)
_FEASTS = frozenset("wedding свадьба выпускной graduation помолвка engagement венчание новоселье поминки".split())
_TRIED = frozenset(
    """
    сдать поступить пройти взять принять получить дать хватить состояться pass get accept admit take make come hire promote give win survive
    """.split()
)
"""Denied, these are news as well: not passed, not taken."""
_UNREAL = (
    Modality.CONDITIONAL,
    Modality.FICTIONAL,
    Modality.JOKING,
    Modality.QUOTED,
    Modality.WISHED,
    Modality.ASKED,
    Modality.REPORTED,
)
_STRANGERS = frozenset(
    """
    actor actress singer celebrity president politician star footballer player writer author minister king queen prince princess
    colleague coworker neighbour neighbor boss client friend classmate
    актер актёр актриса певец певица звезда президент политик министр футболист писатель блогер король королева принц знаменитость ведущий
    коллега сосед соседка начальник начальница клиент друг подруга приятель приятельница знакомый знакомая однокурсник одноклассник
    """.split()
)


def is_life_event(clause: Clause, tree: SentenceTree, lemmas: Sequence[str], *, happens: bool, tie: str | None) -> bool:
    """The rule of significance for one clause.

    Args:
        lemmas: of the clause's own words.
        happens: whether the clause tells an event (past, planned, or under way), not a standing fact.
        tie: the tie of the person it is about ("" = a person without one, "others" = nobody known), None = the speaker.
    """
    words = {*lemmas, *(tree[i].text.lower() for i in clause.own if tree[i].features.get("VerbForm") == "Part")}
    if not (is_significant(lemmas) or is_significant(words) or _moves_away(clause, tree)) or any(
        clause.has(modality) for modality in _UNREAL
    ):
        return False
    unsure_plan = clause.has(Modality.HEDGED) and clause.tense is not Tense.PAST
    longs = tree[clause.head].lemma == "die" and bool(tree.children(clause.head, "xcomp"))  # "dying to try it"
    if unsure_plan or longs or not (happens or words & NEWS_STATES):
        return False
    harm = names_harm(words)
    if not _is_close(clause, tree, words, tie, harm=harm):
        return False
    if words & _FEASTS and words & _AS_GUEST and words & _STRANGERS:
        return False
    if clause.negated and not clause.has(Modality.PLANNED):
        return clause.mark(Mark.NO_LONGER) is not None or bool(words & _TRIED)
    return True


def _moves_away(clause: Clause, tree: SentenceTree) -> bool:
    """As in "We moved to a farm near Cork": somebody moves somewhere, and moves nothing."""
    head = clause.head
    return (
        tree[head].lemma in {"move", "relocate", "переехать", "перебраться"}
        and not tree.children(head, "obj", "xcomp")
        and clause.subject.who in {Who.SELF, Who.GROUP, Who.PERSON}
        and any(tree.case(child) in {"to", "into", "from", "back to", "в", "на", "из"} for child in tree.children(head, "obl"))
        and is_significant(["move", "relocate", "abroad", *(tree[child].lemma for child in tree.children(head, "obl"))])
    )


def _is_close(clause: Clause, tree: SentenceTree, words: Collection[str], tie: str | None, *, harm: bool) -> bool:
    mine = bool(set(words) & FIRST_PERSON)
    if tie in _CLOSE:
        return True
    if tie is not None and tie not in {"", "others"}:
        return harm
    token = clause.subject.token
    subject = "" if token is None or clause.subject.inherited else tree[token].lemma
    family = any(word in RELATIONS and RELATIONS[word][0] in _CLOSE for word in words)
    if tie is None:
        stranger = (subject in _STRANGERS or subject.rsplit("-", 1)[-1] in ROLES) and not family
        thing = (
            clause.subject.who is Who.THING and not mine and not is_significant([subject]) and not (harm and subject in PETS)
        )
        return not (stranger or thing) or family or (harm and mine)
    return family or (harm and (mine or bool(set(words) & PETS)))
