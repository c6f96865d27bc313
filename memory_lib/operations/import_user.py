"""``import-user``: a person's exported memory comes back (``usecases.import_user``)."""

from __future__ import annotations

import secrets
from pathlib import Path

from memory_lib.domain.ids import ID_BYTES, UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.errors import InvalidInput, UnreadableFile
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.operations.export_user import exchange_of, place_of, whole_of
from memory_lib.plans import Progress
from memory_lib.usecases.import_user import ImportUserPorts
from memory_lib.usecases.import_user import import_user as take_in

MOST_BYTES = 2**30
"""Of a file that is handed in: some hundred times what the longest history here takes."""
FILE, KEY, NAME = "file", "key", "name"


def import_user(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """The request's payload: ``file``, ``key`` and, or not, ``name``. Raises UnreadableFile, SealBroken, InvalidInput."""
    if asked.request is None:
        raise InvalidInput("an import takes its file and key from a request; selfimprint import-user takes them itself")
    payload = bench.requests.payload(user, asked.request)
    name = payload.get(NAME)
    receipt = import_file(
        bench,
        Path(str(payload.get(FILE, ""))),
        key=str(payload.get(KEY, "")),
        name=None if name is None else str(name),
        apply=asked.apply,
    )
    progress(1)
    return receipt


def import_file(bench: OpsBench, file: Path, *, key: str, name: str | None, apply: bool) -> Receipt:
    """A file that somebody hands in. Raises UnreadableFile, SealBroken, InvalidInput."""
    exchange = exchange_of(bench)
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise UnreadableFile(
            f"the exported memory cannot be read ({reason}); name the ZIP that selfimprint export made"
        ) from None
    if len(data) > MOST_BYTES:
        raise UnreadableFile(f"the file is larger than {MOST_BYTES >> 20} MiB, which no exported memory is; name the right one")
    person = exchange.archives.unpack(data, key=key)
    ports = ImportUserPorts(
        people=bench.work.people,
        rows=exchange.rows,
        shards=bench.shards,
        shard_of=lambda user: place_of(bench, user).shard,
        living=lambda user: whole_of(bench, user),
        placements=bench.placements,
        write_turn=bench.work.write_turn,
        keyring=bench.keyring,
        rotation=bench.rotation,
        tombstones=bench.tombstones,
        id_key=bench.work.id_key,
        clock=bench.work.clock,
        new_user=lambda: UserId(secrets.token_hex(ID_BYTES)),
    )
    return take_in(person, name=name, ports=ports, apply=apply)
