"""``restore``: a person comes back from sealed files or a backup (``usecases.restore``), then what is missing of their graph is
formed.
"""

from __future__ import annotations

from dataclasses import replace

from memory_lib import plans
from memory_lib.domain.ids import UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.errors import InvalidInput, KeyMissing, UnknownUser
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.operations.export_user import exchange_of, place_of
from memory_lib.plans import Progress
from memory_lib.ports.requests import RequestState
from memory_lib.usecases.restore import OPERATION, WANTING, RestorePorts
from memory_lib.usecases.restore import restore as put_back

FROM = "from"
REBUILT = "graph_rebuilt"


def restore(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """The place of the backup is the request's payload ``from``."""
    if asked.request is None:
        raise InvalidInput(
            "a restore takes the place of the backup from a request; selfimprint restore without --apply makes one"
        )
    place = str(bench.requests.payload(user, asked.request).get(FROM, ""))
    return restore_from(bench, user, place, apply=asked.apply, progress=progress)


def restore_from(bench: OpsBench, user: UserId, place: str, *, apply: bool, progress: Progress) -> Receipt:
    """Raises UnreadableFile where ``place`` is no backup; else as the use case and forming do."""
    exchange = exchange_of(bench)
    ports = RestorePorts(
        people=bench.work.people,
        rows=exchange.rows,
        shards=bench.shards,
        files=bench.files,
        shard_of=lambda user: place_of(bench, user).shard,
        placements=bench.placements,
        write_turn=bench.work.write_turn,
        keyring=bench.keyring,
        rotation=bench.rotation,
        tombstones=bench.tombstones,
        clock=bench.work.clock,
    )
    with exchange.backups.open(place) as backup:
        receipt = put_back(user, backup=backup, ports=ports, apply=apply)
    if not receipt.applied:
        return receipt
    wanting = WANTING in receipt.notes
    plan = plans.REBUILD if wanting else plans.INGEST
    done = plans.run(plan, bench.work, [user], workers=1, progress=lambda _step, count: progress(count)).or_raise()
    formed = {name: count for name in ("units", "nodes", "edges") if (count := done.total(name))}
    notes = tuple(REBUILT if note == WANTING else note for note in receipt.notes)
    return replace(receipt, notes=notes, counts={**receipt.counts, **({"formed": formed} if formed else {})})


def left_to_flow(bench: OpsBench, user: UserId, place: str, receipt: Receipt, *, operator: str) -> Receipt:
    """A dry run's receipt with the request by which the flow does it: the place, which may be somebody's word, is sealed there.
    As it was where nothing can be sealed for the person yet, since this home has no row or no key of them.
    """
    try:
        request = bench.requests.ask(
            user,
            OPERATION,
            now=bench.work.clock.now(),
            state=RequestState.PLANNED,
            payload={FROM: place},
            operator=operator,
        )
    except (UnknownUser, KeyMissing):
        return receipt
    return replace(receipt, ids={**receipt.ids, "request": (request.id,)})


def user_in(bench: OpsBench, name: str, place: str) -> UserId:
    """The internal id of a person by their name, here or, where this home does not know them, in the backup.

    Raises:
        UnknownUser: neither knows anybody by that name.
    """
    found = bench.work.people.find(name)
    if found is None:
        with exchange_of(bench).backups.open(place) as backup:
            found = None if backup.people is None else backup.people.find(name)
    if found is None:
        raise UnknownUser("nobody by that name in this home or in the backup; sealed files alone do not know names")
    return found
