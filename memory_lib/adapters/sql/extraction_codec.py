"""An extraction as JSON values, and back: equal in every field, whatever the text holds.

``VERSION`` names the layout; an older one is read, a newer one refused.
"""

from __future__ import annotations

from typing import Any

from memory_lib.domain.candidates import (
    NO_UPDATE,
    Candidate,
    EdgeType,
    Extraction,
    Modality,
    NodeType,
    Precision,
    Relation,
    Settling,
    Slot,
    Topic,
    Update,
    Valence,
)
from memory_lib.domain.ids import MessageId
from memory_lib.errors import SchemaMismatch

VERSION = 1


def encode(extraction: Extraction) -> dict[str, Any]:
    """Values that JSON can hold."""
    return {
        "v": VERSION,
        "unit": extraction.unit_id,
        "message": extraction.message,
        "candidates": [candidate_record(candidate) for candidate in extraction.candidates],
        "relations": [[r.source, r.target, r.type.value, r.confidence, r.start, r.end, r.rule] for r in extraction.relations],
        "reasoner": extraction.reasoner,
        "version": extraction.version,
        "language": extraction.language,
        "worth": extraction.worth,
    }


def decode(record: dict[str, Any]) -> Extraction:
    """The extraction again.

    Raises:
        SchemaMismatch: written by a newer version.
    """
    if record["v"] != VERSION:
        raise SchemaMismatch(f"a staged extraction of layout {record['v']!r}, and {VERSION} is the newest known; update")
    return Extraction(
        unit_id=record["unit"],
        message=MessageId(record["message"]),
        candidates=tuple(candidate_from_record(item) for item in record["candidates"]),
        relations=tuple(
            Relation(source=source, target=target, type=EdgeType(kind), confidence=confidence, start=start, end=end, rule=rule)
            for source, target, kind, confidence, start, end, rule in record["relations"]
        ),
        reasoner=record["reasoner"],
        version=record["version"],
        language=record["language"],
        worth=record.get("worth", True),
    )


def candidate_record(candidate: Candidate) -> dict[str, Any]:
    """Values that JSON can hold."""
    slot = candidate.slot
    return {
        "type": candidate.type.value,
        "content": candidate.content,
        "start": candidate.start,
        "end": candidate.end,
        "rule": candidate.rule,
        "confidence": candidate.confidence,
        "importance": candidate.importance,
        "valence": candidate.valence.value,
        "intensity": candidate.intensity,
        "stated": candidate.stated,
        "topic": candidate.topic.value,
        "slot": None if slot is None else [slot.key, slot.value, slot.single],
        "attributes": dict(candidate.attributes),
        "modality": [m.value for m in candidate.modality],
        "holder": candidate.holder,
        "about": candidate.about,
        "about_name": candidate.about_name,
        "due": candidate.due,
        "valid_from": candidate.valid_from,
        "precision": candidate.precision.value,
        "ends": candidate.ends,
        "polarity": candidate.polarity,
        "pinned": candidate.pinned,
        "update": _update_record(candidate.update),
    }


def _update_record(update: Update) -> list[Any] | None:
    if update == NO_UPDATE:
        return None
    words = (update.slots, update.ended, update.denied)
    settles = None if update.settles is None else update.settles.value
    return [*map(list, words), update.corrects, update.adds, update.changes, settles, list(update.settled)]


def _update(record: list[Any] | None) -> Update:
    if record is None:
        return NO_UPDATE
    slots, ended, denied, corrects, adds, changes, settles, settled = record
    return Update(
        slots=tuple(slots),
        ended=tuple(ended),
        denied=tuple(denied),
        corrects=corrects,
        adds=adds,
        changes=changes,
        settles=None if settles is None else Settling(settles),
        settled=tuple(settled),
    )


def candidate_from_record(record: dict[str, Any]) -> Candidate:
    """What ``candidate_record`` gave."""
    slot = record["slot"]
    return Candidate(
        type=NodeType(record["type"]),
        content=record["content"],
        start=record["start"],
        end=record["end"],
        rule=record["rule"],
        confidence=record["confidence"],
        importance=record["importance"],
        valence=Valence(record["valence"]),
        intensity=record["intensity"],
        stated=record["stated"],
        topic=Topic(record["topic"]),
        slot=None if slot is None else Slot(key=slot[0], value=slot[1], single=slot[2]),
        attributes=record["attributes"],
        modality=tuple(Modality(value) for value in record["modality"]),
        holder=record["holder"],
        about=record["about"],
        about_name=record["about_name"],
        due=record["due"],
        valid_from=record["valid_from"],
        precision=Precision(record["precision"]),
        ends=record["ends"],
        polarity=record["polarity"],
        pinned=record["pinned"],
        update=_update(record.get("update")),
    )
