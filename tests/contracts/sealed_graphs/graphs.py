"""Whole graphs in which every field of every record says something, made from the types of the fields.

A field that is added to a record is filled here too; one of a type that nobody has thought of raises TypeError.
"""

from __future__ import annotations

import dataclasses
import random
import types
import typing
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from enum import Enum
from functools import cache
from typing import Any

import numpy as np

from memory_lib.domain.acts import Act
from memory_lib.domain.candidates import Span, Topic
from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import ConversationId, MessageId, NodeId
from memory_lib.domain.node import Archived, Edge, Node, NodeState, Weight
from memory_lib.ports.graph import AppliedKey, OutboxEntry, WholeGraph
from memory_lib.ports.sealed_graphs import SessionTrace

SAYINGS = (
    "Мы едем в Тверь # завтра // если не передумаем",
    'She said "no" and left:\n  - "j[1]"\r\n\tkey value',
    "ёжик 🦔 под зонтом 👩‍👧‍👦 é e\u0301",
    "!active\n@x $HOME {ref} :env <!-- -->",
    "\x00\x07\x1b\x7f\x85\u2028\u2029\ufeff\u200b\u202e",
    "half \ud83d and \ude00 apart, \ud83d\ude00 beside",
    " spaces round ",
    "",
    '\\u0023 \\n \\" /\\/',
    "NaN",
    "долго " * 60,
    "'" * 3 + '"' * 3 + "`" * 3,
)


def made_up(kind: Any, chance: random.Random) -> Any:
    """A value of this type, optional ones given four times in five."""
    while isinstance(kind, typing.NewType):
        kind = kind.__supertype__
    plain = {
        str: lambda: chance.choice(SAYINGS),
        int: lambda: chance.choice([0, 1, -1, 2**31, -(2**53) - 1, 2**200]),
        float: lambda: chance.choice([0.1, 1 / 3, 1e-9, 1.0, 0.05]),
        bool: lambda: chance.random() < 0.5,
        datetime: lambda: datetime(
            chance.randint(1, 9998),
            3,
            1,
            23,
            59,
            59,
            chance.choice([0, 1, 999_999]),
            timezone(timedelta(minutes=chance.choice([0, 180, -210, 345]))),
        ),
    }
    special = {
        Span: lambda: Span(MessageId(f"{chance.getrandbits(128):032x}"), chance.randint(0, 9), chance.randint(10, 99)),
        Weight: lambda: Weight(chance.random(), chance.randint(0, 2**51)),
        Node: lambda: node(chance),
        Edge: lambda: edge(chance, *(NodeId(f"{chance.getrandbits(128):032x}") for _ in "ab")),
    }
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if (make := (plain | special).get(kind)) is not None:
        return make()
    if origin is types.UnionType and arguments[1] is type(None):
        return None if chance.random() < 0.2 else made_up(arguments[0], chance)
    if origin is tuple and arguments[1] is Ellipsis:
        return tuple(made_up(arguments[0], chance) for _ in range(chance.randint(1, 3)))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {f"{chance.choice(SAYINGS)}{place}": made_up(arguments[1], chance) for place in range(chance.randint(1, 3))} | (
            {"": made_up(arguments[1], chance)} if chance.random() < 0.3 else {}
        )
    if isinstance(kind, type) and issubclass(kind, Enum):
        return chance.choice(list(kind))
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return kind(**filled(kind, chance))
    raise TypeError(f"no sample for {kind}; say here what values it has")


def filled(kind: type, chance: random.Random) -> dict[str, Any]:
    return {name: made_up(hint, chance) for name, hint in _hints(kind).items()}


_hints = cache(typing.get_type_hints)


def node(chance: random.Random, **fixed: Any) -> Node:
    values = filled(Node, chance) | {"id": NodeId(f"{chance.getrandbits(128):032x}")} | fixed
    archived = made_up(Archived, chance) if values["state"] is NodeState.ARCHIVED else None
    return Node(**(values | {"archived": archived}))


def edge(chance: random.Random, source: NodeId, target: NodeId) -> Edge:
    return Edge(**(filled(Edge, chance) | {"source": source, "target": target}))


def whole_graph(seed: int, *, nodes: int = 60, dimension: int = 16, edges: int | None = None) -> WholeGraph:
    """Nodes of every topic, pinned, archived and retracted ones among them; a few nodes without a vector."""
    chance = random.Random(seed)
    topics = list(Topic)
    made = [node(chance, topic=topics[place % len(topics)]) for place in range(nodes)]
    ids = [each.id for each in made]
    joined = [edge(chance, *chance.sample(ids, 2)) for _ in range(2 * nodes if edges is None else edges)]
    numbers = np.random.default_rng(seed)
    rows = numbers.standard_normal((nodes, dimension)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    outbox = tuple(made_up(OutboxEntry, chance) for _ in range(5))
    return WholeGraph(
        revision=Revision(7, 123_456),
        fingerprint="word-vectors/1:16",
        dimension=dimension,
        nodes={each.id: each for each in made},
        edges={each.id: each for each in joined},
        acts=tuple(made_up(Act, chance) for _ in range(20)),
        renames={NodeId(f"{chance.getrandbits(128):032x}"): chance.choice(ids) for _ in range(4)},
        vectors={each: row for each, row in zip(ids, rows, strict=True) if chance.random() < 0.9},
        write_keys=tuple(AppliedKey(f"key/{place}", f"{chance.getrandbits(256):064x}", place) for place in range(30)),
        outbox=outbox,
    )


def empty_graph() -> WholeGraph:
    return WholeGraph(Revision(0, 0), None, None, {}, {}, (), {}, {}, (), ())


def sessions_of(whole: WholeGraph, *, each: int = 4) -> tuple[SessionTrace, ...]:
    """Sessions of the messages that the graph rests on."""
    messages = sorted({proof.span.message for one in whole.nodes.values() for proof in one.proofs})
    return tuple(
        SessionTrace(ConversationId("c" * 32), place, tuple(messages[first : first + each]), first, first + each)
        for place, first in enumerate(range(0, len(messages), each))
    )


def assert_same(back: WholeGraph, whole: WholeGraph) -> None:
    """Every field of every record, time zones and types of numbers included; vectors within float16."""
    assert set(back.vectors) == set(whole.vectors)
    for each, vector in whole.vectors.items():
        assert back.vectors[each].dtype == np.float32
        np.testing.assert_array_equal(back.vectors[each], vector.astype(np.float16).astype(np.float32))
    for field in dataclasses.fields(WholeGraph):
        if field.name == "vectors":
            continue
        mine, theirs = getattr(back, field.name), getattr(whole, field.name)
        assert mine == theirs, field.name
        if isinstance(theirs, Mapping):
            mine, theirs = sorted(mine.items()), sorted(theirs.items(), key=lambda item: item[0])
        assert plain(mine) == plain(theirs), field.name


def plain(value: Any) -> str:
    """With the offset of every instant, which equality does not see."""
    if isinstance(value, tuple | list):
        return str([plain(each) for each in value])
    if isinstance(value, Mapping):
        return str([(key, plain(value[key])) for key in sorted(value)])
    if isinstance(value, Enum):
        return repr(value)
    if dataclasses.is_dataclass(value):
        return type(value).__name__ + plain([getattr(value, field.name) for field in dataclasses.fields(value)])
    return value.isoformat() if isinstance(value, datetime) else repr(value)
