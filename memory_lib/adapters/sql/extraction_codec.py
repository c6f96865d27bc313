"""An extraction as JSON values, and back: equal in every field, whatever the text holds.

``VERSION`` names the layout; an older one is read, a newer one refused.
"""

from __future__ import annotations

from typing import Any

from memory_lib.domain.candidates import (
    Candidate,
    EdgeType,
    Extraction,
    Modality,
    NodeType,
    Precision,
    Relation,
    Slot,
    Topic,
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
        "candidates": [_candidate_record(candidate) for candidate in extraction.candidates],
        "relations": [[r.source, r.target, r.type.value, r.confidence, r.start, r.end, r.rule] for r in extraction.relations],
        "reasoner": extraction.reasoner,
        "version": extraction.version,
        "language": extraction.language,
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
        candidates=tuple(_candidate(item) for item in record["candidates"]),
        relations=tuple(
            Relation(source=source, target=target, type=EdgeType(kind), confidence=confidence, start=start, end=end, rule=rule)
            for source, target, kind, confidence, start, end, rule in record["relations"]
        ),
        reasoner=record["reasoner"],
        version=record["version"],
        language=record["language"],
    )


def _candidate_record(candidate: Candidate) -> dict[str, Any]:
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
    }


def _candidate(record: dict[str, Any]) -> Candidate:
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
    )
