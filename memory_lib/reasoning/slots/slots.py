"""Named properties read off a clause's tree: what each part of a life says, gathered, surest first.

==========================  ================================================================
``slot_identity``           name, age, birthday, diet
``slot_work``               job, employer, school
``slot_home``               city, origin
``slot_relationship``       relationship status
``slot_belongings``         pets, family
``own_properties``          whatever the words themselves call one's own ("my phone is …")
``slot_tastes``             likes, dislikes, languages
``slot_habits``             what one does as a rule
==========================  ================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_lib.domain.candidates import Modality, Slot
from memory_lib.domain.clause import Clause
from memory_lib.reasoning.clauses.modality import FORMERLY
from memory_lib.reasoning.slots.own_properties import COUNTED, own_property_slots
from memory_lib.reasoning.slots.slot_belongings import belonging_slots
from memory_lib.reasoning.slots.slot_habits import habit_slots, is_stopped
from memory_lib.reasoning.slots.slot_home import origin_slots, place_slots
from memory_lib.reasoning.slots.slot_identity import BIRTHDAY, identity_slots
from memory_lib.reasoning.slots.slot_relationship import relationship_slots
from memory_lib.reasoning.slots.slot_tastes import language_slots, taste_slots
from memory_lib.reasoning.slots.slot_values import SINGLE
from memory_lib.reasoning.slots.slot_work import hired_slots, school_slots, work_slots
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree

__all__ = ["SINGLE", "is_stopped", "mentions_allergy", "slots_of"]

_ALLERGY = re.compile(r"\b(?:allergic to|allergy to|аллергия на)\b")
_UNREAL = (Modality.CONDITIONAL, Modality.FICTIONAL, Modality.JOKING, Modality.WISHED, Modality.ASKED, Modality.QUOTED)


def slots_of(clause: Clause, tree: SentenceTree, words: str, *, dated: str | None) -> Iterator[Slot]:
    """Slots that the clause fills for whom it is about, surest first, each key once.

    Args:
        words: the clause's text.
        dated: local date of the clause's date mention, for a birthday.
    """
    folded = fold(words)
    if any(clause.has(modality) for modality in _UNREAL) or FORMERLY.search(folded):
        return
    if clause.has(Modality.PLANNED) and not BIRTHDAY.search(folded):
        return  # not true yet; the plan itself is a node
    yield from identity_slots(clause, tree, words, dated=dated)
    yield from hired_slots(clause, tree)
    yield from work_slots(clause, tree)
    yield from school_slots(clause, tree)
    yield from place_slots(clause, tree)
    yield from origin_slots(clause, tree)
    yield from relationship_slots(clause, folded)
    own = list(own_property_slots(clause, tree))
    yield from own
    if not any(slot.key.startswith(COUNTED) for slot in own):
        yield from belonging_slots(clause, tree)
    yield from taste_slots(clause, tree)
    yield from language_slots(clause, tree, folded)
    yield from habit_slots(clause, tree, folded)


def mentions_allergy(words: str) -> bool:
    """Said outright; kept in the person's own words, without a slot or a topic of its own."""
    return _ALLERGY.search(fold(words)) is not None
