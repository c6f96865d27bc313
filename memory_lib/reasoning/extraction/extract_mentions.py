"""The job *extract*: what one message says, as candidates with exact spans, and the relations its words state.

``offline`` is the reasoner without a model: rules over clauses (never over raw text), Russian and English alike. It prefers
silence to a wrong node. Only own words become content; nothing is inferred about health or any other forbidden category.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_lib.domain.candidates import Candidate, Extraction, Relation
from memory_lib.domain.message import Role, Unit
from memory_lib.domain.syntax import Parse
from memory_lib.reasoning.extraction.cause_rules import relate_causes
from memory_lib.reasoning.extraction.extraction_params import ExtractionParams
from memory_lib.reasoning.extraction.leftover_rules import read_leftovers
from memory_lib.reasoning.extraction.message_rules import read_answer, read_persons, read_pins
from memory_lib.reasoning.extraction.node_rules import keep_linked, read_clause
from memory_lib.reasoning.extraction.parse_readings import ParseReadings
from memory_lib.reasoning.extraction.reading import open_reading
from memory_lib.reasoning.extraction.relation_rules import relate_order, relate_persons, relate_repeats
from memory_lib.reasoning.extraction.settlements import read_settlements
from memory_lib.reasoning.extraction.task_lists import read_task_lists

__all__ = ["REASONER", "VERSION", "ExtractionParams", "offline"]

REASONER = "offline"
VERSION = "extract-rules/3"


def offline(
    unit: Unit, parses: Sequence[Parse], *, params: ExtractionParams, readings: ParseReadings | None = None
) -> Extraction:
    """Candidates and relations of the unit's own message; nothing for what an assistant, a system or a tool says.

    Args:
        unit: the message with its predecessors.
        parses: one parse a message, ``unit.before`` first and the unit's own message last.
        params: the numbers.
        readings: what is kept of parses from one unit to the next; saves time, changes nothing.
    """
    parse = parses[-1]
    if unit.message.role not in {Role.USER, Role.OTHER} or not parse.sentences:
        return _extraction(unit, parse, (), ())
    reading = open_reading(unit, parses, params, readings=readings)
    for clause in reading.clauses:
        if len(reading.drafts) >= params.max_candidates:
            break
        read_clause(reading, clause, linked=False)
    keep_linked(reading)
    read_answer(reading)
    read_task_lists(reading)
    read_leftovers(reading)
    read_pins(reading)
    read_settlements(reading)
    read_persons(reading)
    relate_causes(reading)
    relate_order(reading)
    relate_repeats(reading)
    relate_persons(reading)
    unique = {(relation.source, relation.target, relation.type): relation for relation in reversed(reading.relations)}
    ordered = sorted(unique.values(), key=lambda r: (r.start, r.end, str(r.source), str(r.target), r.type.value))
    return _extraction(unit, parse, tuple(draft.candidate for draft in reading.drafts), tuple(ordered))


def _extraction(unit: Unit, parse: Parse, candidates: tuple[Candidate, ...], relations: tuple[Relation, ...]) -> Extraction:
    return Extraction(unit.id, unit.message.id, candidates, relations, REASONER, VERSION, parse.language)
