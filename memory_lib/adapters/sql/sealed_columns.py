"""Every sealed column of the ledger: how its rows are found, what kind and record each envelope is sealed under, and what lies
inside. Whoever seals a new column adds its row here; a test compares the list with the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Table

from memory_lib.adapters.sql import (
    action_log,
    audit,
    decisions,
    forgetting,
    message_log,
    next_vectors,
    people,
    requests,
    residuals,
    rounds,
    staging,
    tables,
)

Row = Mapping[str, Any]
"""A row's values by column."""


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """``kind`` and ``record``: of a row, what its envelope is sealed under. ``floats``: the payload is float32 values, else
    JSON. ``owner``: the column by which the rows of a person are found: the person's id, or the keyed pseudonym of it.
    """

    table: Table
    name: str
    kind: Callable[[Row], str]
    record: Callable[[Row], str]
    floats: bool = False
    owner: str = "user_id"

    @property
    def column(self) -> Column[bytes]:
        return self.table.c[self.name]

    @property
    def place(self) -> str:
        """Table and column, as errors and tests name it."""
        return f"{self.table.name}.{self.name}"


def _always(kind: str) -> Callable[[Row], str]:
    return lambda _row: kind


def _named(form: str) -> Callable[[Row], str]:
    return form.format_map


def _ahead_kind(row: Row) -> str:
    return rounds.VECTOR_KIND if row["kind"] == next_vectors.ROUND else staging.VECTORS_KIND


_STAGED = "{unit_id}/{reasoner}/{version}"

SEALED_COLUMNS: tuple[SealedColumn, ...] = (
    SealedColumn(tables.people, "external_sealed", _always(people.KIND), _named("{user_id}")),
    SealedColumn(tables.message_versions, "sealed", _always(message_log.KIND), _named("{message_id}/{text_version}")),
    SealedColumn(tables.rounds, "sealed", _always(rounds.KIND), _named("{message_id}/{round_id}")),
    SealedColumn(
        tables.rounds,
        "sealed_vector",
        _always(rounds.VECTOR_KIND),
        _named("{message_id}/{round_id}/{fingerprint}"),
        floats=True,
    ),
    SealedColumn(tables.staging, "sealed", _always(staging.KIND), _named(_STAGED)),
    SealedColumn(
        tables.staging, "sealed_vectors", _always(staging.VECTORS_KIND), _named(_STAGED + "/{fingerprint}"), floats=True
    ),
    SealedColumn(tables.next_vectors, "sealed", _ahead_kind, _named("{record}/{fingerprint}"), floats=True),
    SealedColumn(tables.residuals, "sealed", _always(residuals.KIND), _named("{unit_id}/{place}")),
    SealedColumn(tables.decisions, "sealed", _always(decisions.KIND), _named("{decision_key}")),
    SealedColumn(tables.actions, "sealed", _always(action_log.KIND), _named("{write_key}/{position}")),
    SealedColumn(tables.requests, "sealed", _always(requests.KIND), _named("{request_id}")),
    SealedColumn(tables.forget_rules, "sealed", _always(forgetting.KIND), _named("{rule_id}")),
    SealedColumn(tables.audit, "sealed", _always(audit.KIND), _named("{seq}"), owner="subject"),
)


def sealed_of(table: Table) -> tuple[SealedColumn, ...]:
    """Those of one table."""
    return tuple(each for each in SEALED_COLUMNS if each.table is table)
