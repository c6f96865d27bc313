"""Where one lives, and where one is from, read off a clause."""

from __future__ import annotations

from collections.abc import Iterator

from memory_lib.domain.candidates import Slot
from memory_lib.domain.clause import Clause, PredicateKind, Tense, Who
from memory_lib.reasoning.slots.slot_values import phrase, slot, title
from memory_lib.reasoning.trees.sentence_tree import SentenceTree

_LIVE = frozenset(["live", "reside", "dwell", "жить", "проживать", "обитать"])
_MOVE = frozenset(
    """
    move relocate settle resettle emigrate переехать перебраться переезжать осесть обосноваться поселиться эмигрировать
    переселиться
    """.split()
)


_DWELLINGS = frozenset(
    """
    house flat apartment studio caravan houseboat boat van trailer cottage bungalow dorm dormitory hostel hotel room
    basement loft mansion cabin hut attic barn farm squat bedsit condo townhouse дом квартира студия общежитие общага
    комната коммуналка дача вагончик бытовка хостел гостиница подвал мансарда изба хрущевка хрущёвка новостройка однушка
    двушка трешка трёшка особняк барак
    """.split()
)
_OWN_THINGS = frozenset(["house", "home", "flat", "i", "we", "дом", "квартира", "вещь", "я", "мы"])
NO_PLACES = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december christmas easter linux windows ubuntu macos mac android iphone ios python java javascript rust
    go excel word notion slack telegram whatsapp github gmail outlook zoom teams spotify netflix instagram youtube english
    german french russian spanish понедельник вторник среда четверг пятница суббота воскресенье линукс виндовс телеграм
    """.split()
)
"""What one moves to without leaving home: days, programs, languages."""
MOVING_OUT = frozenset(["съехать", "выселиться", "выехать", "съезжать"])


def place_slots(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    """As in "I live in Riga", "переехали в Тверь"; a dwelling ("in a caravan") is a property of its own."""
    head, token = clause.head, tree[clause.head]
    living = token.lemma in _LIVE and clause.tense is not Tense.PAST
    moving = token.lemma in _MOVE
    moved = tree.children(head, "obj") if moving else []
    if moving and (clause.negated or any(tree[i].lemma not in _OWN_THINGS for i in moved)):
        return  # "we moved the meeting to Monday"
    based = token.lemma == "base" and clause.language == "en"
    if not (living or moving or based):
        return
    dwelling: str | None = None
    direct = tree.children(head, "obl", "nmod", "advmod", "conj")
    for child in (*direct, *(below for above in direct for below in tree.children(above, "nmod", "obl"))):
        case = tree.case(child)
        below = tree[child]
        if below.pos not in {"PROPN", "NOUN", "X"}:
            continue
        if not (below.text[:1].isupper() or below.features.get("NameType") == "place"):
            if living and below.lemma in _DWELLINGS and case in {"in", "on", "в", "на"}:
                dwelling = phrase(tree, child)
            continue
        if ((living or based) and case in {"in", "в", "во", "на", "near", "at"}) or (
            moving and case in {"to", "в", "во", "на"}
        ):
            if below.lemma.lower() in NO_PLACES:
                continue
            yield slot("city", title(phrase(tree, child)))
            break
    if dwelling is not None:
        yield slot("home", dwelling)


def origin_slots(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    """As in "I'm from Ushuaia", "я из Омска"."""
    head, token = clause.head, tree[clause.head]
    if clause.tense is Tense.PAST or clause.subject.who not in {Who.SELF, Who.PERSON} or clause.kind is PredicateKind.VERB:
        return
    if tree.case(head) in {"from", "из"} and (token.pos == "PROPN" or token.features.get("NameType") == "place"):
        yield slot("origin", title(phrase(tree, head)))


def is_moving(tree: SentenceTree, clause: Clause) -> bool:
    """Whether the clause tells of a change of home."""
    return tree[clause.head].lemma in _MOVE
