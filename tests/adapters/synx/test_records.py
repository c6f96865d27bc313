"""Values to rows and back: fields that are added, dropped, or of a type nobody thought of."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum

import pytest

from memory_lib.adapters.synx.records import Records
from memory_lib.domain.acts import Act
from memory_lib.domain.node import Edge, Node
from memory_lib.errors import SchemaMismatch
from memory_lib.ports.graph import AppliedKey, OutboxEntry
from memory_lib.ports.sealed_graphs import SessionTrace
from tests.contracts.sealed_graphs.graphs import edge, made_up, plain

KINDS = (Node, Edge, Act, AppliedKey, OutboxEntry, SessionTrace)


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Leaf:
    colour: Colour
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    name: str
    leaves: tuple[Leaf, ...] = ()
    best: Leaf | None = None
    named: Mapping[str, Leaf] = field(default_factory=dict)
    heights: Mapping[str, float] = field(default_factory=dict)
    rings: tuple[int, ...] = ()


LEAF = Leaf(Colour.RED, datetime(2026, 5, 1, 9, 0, 0, 7, timezone(timedelta(hours=5, minutes=45))))
TREE = Tree(name="дуб", leaves=(LEAF, LEAF), best=LEAF, named={"a": LEAF}, heights={"m": 3.5}, rings=(1, 2))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_record_of_a_graph_comes_back(kind: type) -> None:
    chance = random.Random(kind.__name__)
    values = [made_up(kind, chance) for _ in range(60)]
    records = Records(kind)
    back = records.read([records.row(value) for value in values], records.layout)
    assert back == values
    assert [plain(value) for value in back] == [plain(value) for value in values]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_samples_give_every_field_something_to_lose(kind: type) -> None:
    chance = random.Random(kind.__name__)
    values = [made_up(kind, chance) for _ in range(60)]
    for each in dataclasses.fields(kind):
        assert len({plain(getattr(value, each.name)) for value in values}) > 1, each.name


def test_nested_values_optional_ones_and_maps_come_back() -> None:
    records = Records(Tree)
    values = [TREE, Tree(name="ель"), dataclasses.replace(TREE, best=None), Tree(name="", leaves=(LEAF,))]
    assert records.read([records.row(value) for value in values], records.layout) == values
    assert records.read([], records.layout) == []


def test_the_order_of_columns_is_the_files_own() -> None:
    records = Records(Leaf)
    row, layout = records.row(LEAF), {"Leaf": ["at", "colour"]}
    assert records.read([row[::-1]], layout) == [LEAF]


def test_a_field_that_an_older_file_does_not_have_gets_its_default() -> None:
    records = Records(Tree)
    assert records.read([["дуб"]], {"Tree": ["name"]}) == [Tree(name="дуб")]


def test_a_field_that_cannot_be_done_without_or_is_not_known_is_refused() -> None:
    records = Records(Tree)
    with pytest.raises(SchemaMismatch, match="name"):
        records.read([[[1]]], {"Tree": ["rings"]})
    with pytest.raises(SchemaMismatch, match="newer"):
        records.read([["дуб", 1]], {"Tree": ["name", "weight"]})
    with pytest.raises(SchemaMismatch, match="Leaf"):
        records.read([["дуб", []]], {"Tree": ["name", "leaves"]})
    with pytest.raises(SchemaMismatch, match="Colour"):
        Records(Leaf).read([["blue", LEAF.at.isoformat()]], Records(Leaf).layout)


def test_rows_of_another_shape_are_refused() -> None:
    records = Records(Leaf)
    row = records.row(LEAF)
    for rows in ([row[:1]], [row, row[:1]], [[*row, 1]], [["red", "yesterday"]], [None], [["red", None]]):
        with pytest.raises((ValueError, TypeError, LookupError)):
            records.read(rows, records.layout)


@dataclass(frozen=True)
class Unheard:
    where: complex


@dataclass(frozen=True)
class Pair:
    both: tuple[int, str]


@dataclass(frozen=True)
class Either:
    one: int | str


@dataclass(frozen=True)
class Derived:
    name: str
    length: int = field(init=False, default=0)


@pytest.mark.parametrize("kind", [Unheard, Pair, Either, Derived], ids=lambda kind: kind.__name__)
def test_a_field_of_a_type_nobody_thought_of_fails_at_once(kind: type) -> None:
    with pytest.raises(TypeError):
        Records(kind)


def test_zones_and_microseconds_come_back() -> None:
    records = Records(Leaf)
    for at in (
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(2026, 5, 1, tzinfo=timezone(timedelta(hours=-3, minutes=-30))),
        datetime(2026, 5, 1, tzinfo=timezone(timedelta(seconds=12_345))),
    ):
        (back,) = records.read([records.row(Leaf(Colour.RED, at))], records.layout)
        assert (back.at, back.at.utcoffset()) == (at, at.utcoffset())


def test_an_edge_keeps_its_id() -> None:
    chance = random.Random(4)
    one = edge(chance, "a", "b")
    (back,) = Records(Edge).read([Records(Edge).row(one)], Records(Edge).layout)
    assert back.id == one.id
