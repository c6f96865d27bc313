"""A person's exported memory taken in, whole: the same messages, the same graph, the same answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from memory_lib.domain.canonical import graph_hash
from memory_lib.domain.ids import IdKey, UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.errors import InvalidInput, UnknownUser
from memory_lib.ports.clock import Clock
from memory_lib.ports.graph import GraphStore, WholeGraph
from memory_lib.ports.keys import Keyring, KeyRotation, Tombstones
from memory_lib.ports.ledger import People
from memory_lib.ports.person_archive import ArchivedPerson
from memory_lib.ports.person_rows import PersonRows, Rows
from memory_lib.ports.placements import Placements
from memory_lib.ports.write_turn import WriteTurn

OPERATION = "import-user"
ID_KEY_CHECK = "export id key"

OTHER_IDS = "other_id_key"
"""Refused: this home makes other ids of the same messages; what was exported would meet itself under two names."""
ALREADY_HERE = "another_person_by_this_name"
"""Refused: somebody by this name is here and is not the same."""
SAME = "already_here"
"""A note: exactly this person is here, and nothing was done."""
CONTINUED = "continued"
"""A note: an import that was cut short was gone on with."""

PEOPLE, EXTERNAL = "people", "external_sealed"
"""The table of people and its column with the name; a dump holds it opened."""
LEFT_OUT = frozenset({"leases", "placements"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportUserPorts:
    """``shard_of``: the graph store that a person belongs to, or would; ``living``: their graph from wherever it lives."""

    people: People
    rows: PersonRows
    shards: Mapping[str, GraphStore]
    shard_of: Callable[[UserId], str]
    living: Callable[[UserId], WholeGraph]
    placements: Placements
    write_turn: WriteTurn
    keyring: Keyring
    rotation: KeyRotation
    tombstones: Tombstones
    id_key: IdKey
    clock: Clock
    new_user: Callable[[], UserId]


def import_user(person: ArchivedPerson, *, name: str | None, ports: ImportUserPorts, apply: bool) -> Receipt:
    """``name``: what they are called here, else as in the archive. Repeating, or going on after a kill, ends the same.

    Refused (``Receipt.refused``) where this home makes other ids, or somebody else goes by that name. Who was erased here comes
    as a newcomer: their former internal id is never used again.

    Raises:
        StoreBusy: somebody else writes the person.
    """
    called = person.external if name is None else name
    if not called:
        raise InvalidInput("a person needs a name; give one with --as")
    counts = {
        "graph": {"nodes": len(person.whole.nodes), "edges": len(person.whole.edges), "acts": len(person.whole.acts)},
        "ledger": {table: len(rows) for table, rows in person.rows.items() if rows and table not in LEFT_OUT},
    }
    known = ports.people.find(called)
    receipt = Receipt(operation=OPERATION, applied=False, at=ports.clock.now(), user=known, counts=counts)
    if person.id_key != ports.id_key.hash(ID_KEY_CHECK):
        return replace(receipt, refused=OTHER_IDS)
    unfinished = False
    if known is not None:
        if _same(known, person, ports):
            return replace(receipt, counts={}, notes=(SAME,))
        unfinished = _unfinished(known, person, ports)
        if not unfinished:
            return replace(receipt, refused=ALREADY_HERE)
    if not apply:
        return receipt
    user = known if known is not None else _free_id(person, ports)
    ports.keyring.create(user)
    loaded = ports.rows.load(user, _rows(person, user, called))
    with ports.write_turn.hold(user, renewing=True) as turn:
        place = ports.placements.of(user) or ports.placements.assign(user, ports.shard_of(user))
        ports.shards[place.shard].place(
            user, _graph(person, user), token=turn.token, key_generation=ports.rotation.generation(user)
        )
    return replace(
        receipt,
        applied=True,
        user=user,
        counts={"graph": counts["graph"], "ledger": {table: count for table, count in loaded.items() if count}},
        notes=(CONTINUED,) if unfinished else (),
    )


def _same(user: UserId, person: ArchivedPerson, ports: ImportUserPorts) -> bool:
    """The same words, and the same beliefs drawn from them."""
    here = ports.living(user)
    return _hash(here.nodes, here.edges) == person.graph_hash and _versions(ports.rows.dump(user)) == _versions(person.rows)


def _unfinished(user: UserId, person: ArchivedPerson, ports: ImportUserPorts) -> bool:
    """Whether a killed import of this archive left the person: their rows are all of the archive's, and they have no graph
    yet.
    """
    return (
        ports.living(user).revision.n == 0
        and _versions(ports.rows.dump(user)) <= _versions(person.rows)
        and bool(person.whole.nodes)
    )


def _versions(rows: Rows) -> set[tuple[str, str]]:
    return {(row["message_id"], row["text_version"]) for row in rows.get("message_versions", ())}


def _hash(nodes: Mapping[Any, Any], edges: Mapping[Any, Any]) -> str:
    return graph_hash(nodes.values(), edges.values())


def _free_id(person: ArchivedPerson, ports: ImportUserPorts) -> UserId:
    """The former internal id, so that nothing has to be renamed; a new one where somebody has it, or had it and was erased."""
    former = person.user
    if ports.tombstones.of(former) is not None:
        return ports.new_user()
    try:
        ports.people.person(former)
    except UnknownUser:
        return former
    return ports.new_user()


def _rows(person: ArchivedPerson, user: UserId, called: str) -> Rows:
    rows = {table: kept for table, kept in person.rows.items() if table not in LEFT_OUT}
    rows[PEOPLE] = [{**row, EXTERNAL: called} for row in rows.get(PEOPLE, ())]
    if user == person.user:
        return rows
    return {
        table: [
            {**row, "write_key": _renamed(row["write_key"], person.user, user)} if "write_key" in row else row for row in kept
        ]
        for table, kept in rows.items()
    }


def _graph(person: ArchivedPerson, user: UserId) -> WholeGraph:
    """Write keys begin with the internal id."""
    whole = person.whole
    if user == person.user:
        return whole
    return replace(
        whole,
        write_keys=tuple(replace(each, key=_renamed(each.key, person.user, user)) for each in whole.write_keys),
        outbox=tuple(replace(each, write_key=_renamed(each.write_key, person.user, user)) for each in whole.outbox),
    )


def _renamed(key: str, former: UserId, user: UserId) -> str:
    return user + key.removeprefix(former) if key.startswith(f"{former}/") else key
