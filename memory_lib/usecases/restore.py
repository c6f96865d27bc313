"""A person comes back from a backup: rows that are missing are added, nothing newer is overwritten, and whoever was erased
stays so (DESIGN §5, ops).

Their graph is placed from the newest copy that opens (a store's or a set of sealed files), where that is newer than the living
one; where there is no graph at all the caller makes it again from the messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.domain.receipt import Receipt
from memory_lib.errors import KeyMissing, SealBroken, UnknownUser, UnreadableFile
from memory_lib.ports.clock import Clock
from memory_lib.ports.graph import GraphStore, WholeGraph
from memory_lib.ports.keys import Keyring, KeyRotation, Tombstones
from memory_lib.ports.ledger import People
from memory_lib.ports.person_rows import Backup, PersonRows, Rows
from memory_lib.ports.placements import Placements
from memory_lib.ports.sealed_graphs import SealedGraphs
from memory_lib.ports.write_turn import WriteTurn

OPERATION = "restore"

ERASED, KEYLESS, NOBODY = "erased", "key_missing", "not_in_backup"
"""Refused: the person was erased; their data key is not here (put the key store back first); neither this home nor the backup
knows the person, or the backup holds nothing of them."""
PLACED, KEPT, WANTING, UNREADABLE = "graph_placed", "graph_kept", "graph_to_rebuild", "graph_copy_unreadable"
"""Notes: what became of the graph. ``UNREADABLE``: a copy does not open (another key generation, or damaged) and was passed
by.
"""

LEASES, WRITE = "leases", "write"

_OURS = frozenset({LEASES, "placements"})
"""Tables of which only counters travel."""

_KEYS: Mapping[str, tuple[str, ...]] = {
    "people": (),
    "messages": ("message_id",),
    "message_versions": ("message_id", "text_version"),
    "rounds": ("message_id",),
    "staging": ("unit_id", "reasoner", "version"),
    "next_vectors": ("kind", "record"),
    "model_calls": ("call_id",),
    "residuals": ("unit_id", "place"),
    "decisions": ("decision_key",),
    "actions": ("write_key", "position"),
    "forget_rules": ("rule_id",),
}
"""What tells a person's rows of one table apart; of a table that is not named here, everything a row holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestorePorts:
    """``shards``, ``files``: the living ones; ``shard_of``: the store that a person belongs to, or would."""

    people: People
    rows: PersonRows
    shards: Mapping[str, GraphStore]
    files: Mapping[Tier, SealedGraphs]
    shard_of: Callable[[UserId], str]
    placements: Placements
    write_turn: WriteTurn
    keyring: Keyring
    rotation: KeyRotation
    tombstones: Tombstones
    clock: Clock


def restore(user: UserId, *, backup: Backup, ports: RestorePorts, apply: bool) -> Receipt:
    """Counts: rows added a table, and what was placed of the graph. Repeating adds nothing.

    Raises:
        SealBroken: a row of the backup does not open; nothing was added.
        StoreBusy: somebody else writes the person.
    """
    receipt = Receipt(operation=OPERATION, applied=False, at=ports.clock.now(), user=user)
    if ports.tombstones.of(user) is not None:
        return replace(receipt, refused=ERASED)
    if not ports.keyring.exists(user):
        return replace(receipt, refused=KEYLESS)
    dump = _dumped(user, backup.people, backup.rows)
    here = _dumped(user, ports.people, ports.rows)
    copies, unreadable = _copies(user, backup, ports)
    notes = (UNREADABLE,) if unreadable else ()
    if dump is None and (here is None or not copies):
        return replace(receipt, refused=NOBODY, notes=notes)
    missing = _missing(dump or {}, here or {})
    if not apply:
        living = _living_n(user, ports, ports.placements.of(user) if here is not None else None)
        best = max(copies, key=_n, default=None)
        counts = {"ledger": missing, "graph": _graph_counts(best) if best is not None and _n(best) > living else {}}
        return replace(receipt, counts=_filled(counts), notes=(*notes, _fate(best, living)))
    added: Mapping[str, int] = {}
    if dump is not None:
        added = ports.rows.load(user, dump)
    _above_fences(user, ports)
    with ports.write_turn.hold(user, renewing=True) as turn:
        place = ports.placements.of(user) or ports.placements.assign(user, ports.shard_of(user))
        living = _living_n(user, ports, place)
        best = max(copies, key=_n, default=None)
        newer = best is not None and _n(best) > living
        if newer or (place.tier is not Tier.HOT and living == 0):
            shard = place.shard if place.shard in ports.shards else ports.shard_of(user)
            if best is not None and newer:
                ports.shards[shard].place(user, best, token=turn.token, key_generation=ports.rotation.generation(user))
            hot = Placement(Tier.HOT, shard)
            if place != hot:
                ports.placements.flip(user, hot, was=place, token=turn.token, now=ports.clock.now())
    counts = {
        "ledger": {table: count for table, count in added.items() if count},
        "graph": _graph_counts(best) if newer else {},
    }
    return replace(receipt, applied=True, counts=_filled(counts), notes=(*notes, _fate(best, living)))


def _above_fences(user: UserId, ports: RestorePorts) -> None:
    """A ledger of yesterday gives out tokens that the stores of today have seen: it goes on above the highest of them."""
    fence = max((store.head(user).fence for store in ports.shards.values()), default=0)
    ports.rows.load(user, {LEASES: [{"kind": WRITE, "token": fence}]} if fence else {})


def _dumped(user: UserId, people: People | None, rows: PersonRows | None) -> Rows | None:
    if people is None or rows is None:
        return None
    try:
        people.person(user)
    except UnknownUser:
        return None
    return rows.dump(user)


def _missing(dump: Rows, here: Rows) -> dict[str, int]:
    found: dict[str, int] = {}
    for table, rows in dump.items():
        if table in _OURS:
            continue
        known = {_key(table, row) for row in here.get(table, ())}
        if count := sum(_key(table, row) not in known for row in rows):
            found[table] = count
    return found


def _key(table: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    names = _KEYS.get(table)
    return tuple(repr(row.get(name)) for name in (sorted(row) if names is None else names))


def _copies(user: UserId, backup: Backup, ports: RestorePorts) -> tuple[list[WholeGraph], bool]:
    """Graphs of the person that open, and whether some did not. The living files count where nothing says that they are the
    living copy any more.
    """
    found: list[WholeGraph] = []
    broken = False
    if backup.graph is not None:
        try:
            found.append(backup.graph.take(user))
        except (SealBroken, KeyMissing):
            broken = True
    for files in (*backup.files.values(), *ports.files.values()):
        for whole in _sets(user, files):
            broken |= whole is None
            if whole is not None:
                found.append(whole)
                break
    return [whole for whole in found if _n(whole)], broken


def _sets(user: UserId, files: SealedGraphs) -> Iterator[WholeGraph | None]:
    """The newest first."""
    for generation in sorted(files.generations(user), reverse=True):
        try:
            yield files.read(user, generation=generation)
        except (SealBroken, UnreadableFile):
            yield None


def _living_n(user: UserId, ports: RestorePorts, place: Placement | None) -> int:
    if place is None:
        return 0
    if place.tier is Tier.HOT:
        shard = ports.shards.get(place.shard)
        return 0 if shard is None else shard.head(user).revision.n
    files = ports.files.get(place.tier)
    try:
        return 0 if files is None else files.read(user, generation=place.generation).revision.n
    except (SealBroken, UnreadableFile):
        return 0


def _n(whole: WholeGraph) -> int:
    return whole.revision.n


def _graph_counts(whole: WholeGraph | None) -> dict[str, int]:
    return {} if whole is None else {"nodes": len(whole.nodes), "edges": len(whole.edges), "acts": len(whole.acts)}


def _fate(best: WholeGraph | None, living: int) -> str:
    if best is not None and _n(best) > living:
        return PLACED
    return KEPT if living else WANTING


def _filled(counts: Mapping[str, Mapping[str, int]]) -> dict[str, Mapping[str, int]]:
    return {part: kinds for part, kinds in counts.items() if kinds}
