"""What other processes do to keys while a test watches. Run by a fork server, so that a process costs milliseconds."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.params import KeyringParams, PassphraseParams
from memory_lib.adapters.keys.passphrase import change_passphrase
from memory_lib.adapters.keys.sealing import NONCE, AesGcmSealer, generation_of
from memory_lib.domain.ids import UserId

SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload([__name__])
PARAMS = KeyringParams(seals_a_key=2**32, rotate_at=2**31, seals_reserved=256, opened_keys=8, opened_s=60.0, checked_s=0.01)
CHEAP = PassphraseParams(memory_kib=64, passes=1, lanes=1)
KILLED = 9

STEPS = ("open", "write", "pwrite", "fsync", "link", "unlink", "rename", "replace")
"""Calls by which files change, or are about to."""


def start(target: Callable[..., None], *arguments: object) -> tuple[Any, Connection]:
    """The running process, and our end of the pipe that it got as its last argument."""
    ours, theirs = SERVER.Pipe()
    process = SERVER.Process(target=target, args=(*arguments, theirs), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def keyring_of(root: Path) -> LocalKeyring:
    return LocalKeyring(root, id_key=None, params=PARAMS)


def die_at(root: Path, operation: str, user: UserId, step: int, _pipe: Connection) -> None:
    """Do the operation and end, as if killed, just before its ``step``-th change of a file. Ends well where there are fewer."""
    keyring = None if operation == "passphrase" else keyring_of(root)
    left = step
    for name in STEPS:
        real = getattr(os, name)

        def counting(*arguments: Any, _real: Callable[..., Any] = real, **options: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                os._exit(KILLED)
            return _real(*arguments, **options)

        setattr(os, name, counting)
    if keyring is None:
        change_passphrase(root, old=None, new="сени и калитка", params=CHEAP)
    else:
        getattr(keyring, operation)(user)
    left = 1_000


def seal_in_two_halves(root: Path, user: UserId, seals: int, pipe: Connection) -> None:
    """``seals`` in two halves, a word waited for between them; the second half by a child too, which got the sealer by a fork.
    Sends (generation, nonce) of everything sealed here, then of everything sealed by the child.
    """
    sealer = AesGcmSealer(keyring_of(root), params=PARAMS)
    mine = _sealed(sealer, user, seals // 2)
    pipe.send("half")
    pipe.recv()
    reading, writing = os.pipe()
    child = os.fork()
    theirs = _sealed(sealer, user, seals // 2)
    if child == 0:
        with os.fdopen(writing, "wb") as out:
            out.write(b"".join(theirs))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as read:
        content = read.read()
    os.waitpid(child, 0)
    pipe.send([*mine, *theirs])
    pipe.send([content[at : at + 16] for at in range(0, len(content), 16)])
    pipe.close()


def _sealed(sealer: AesGcmSealer, user: UserId, seals: int) -> list[bytes]:
    seal = sealer.sealing(user)
    made = (seal("node", "n", b"") for _ in range(seals))
    return [generation_of(envelope).to_bytes(4, "big") + envelope[NONCE] for envelope in made]
