"""Start, find, stop: the same few steps for every kind of server."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from infra.local.errors import ServerTrouble
from infra.local.places import REPOSITORY, Places
from infra.local.process import end, is_alive
from infra.local.server import Kind, Running, read_record, write_record

READY_WITHIN = 180.0  # seconds; Neo4j needs 6 on an idle machine of two cores, ten times that on a loaded one
PATIENCE = 20.0  # seconds a server has to end after each signal
TRIES = 3  # a free port may be taken before it is bound; what a killed server leaves takes a moment to go


def start(
    name: str, kind: Kind, places: Places, *, owner: str | None = None, port: int | None = None, within: float = READY_WITHIN
) -> Running:
    """The running server of this name, started where it is not running; returns when it answers.

    ``owner`` is the identity of a process for whose life it is wanted: the server is stopped by ``release`` when its last owner
    has gone. Without one it stays. A server that was killed goes on with its data, on its old port where that is free.
    Raises ServerTrouble.
    """
    kind.fetch(places)
    with places.locked(name):
        there = read_record(places.record(name))
        tries = TRIES
        while there is None or not there.is_alive or there.kind == kind.name:
            if there is None or not there.is_alive:
                tries -= 1
                there = _launch(name, kind, places, owner=owner, port=port, before=there)
            if _ready(kind, there, within):
                kept = replace(there, owners=_with_owner(there, owner))
                write_record(places.record(name), kept)
                return kept
            if there.is_alive:
                end(there.process, signals=kind.signals, patience=PATIENCE)
                raise ServerTrouble(f"{name} did not answer within {within:.0f} s; its log ends with: {tail(there.log)}")
            if not tries:
                raise ServerTrouble(f"{name} ended at once; its log ends with: {tail(there.log)}")
            time.sleep(0.3)
        raise ServerTrouble(f"{name} runs as {there.kind}, not as {kind.name}; stop it first")


def _with_owner(there: Running, owner: str | None) -> tuple[str, ...]:
    if owner is None:
        return ()
    # whoever started it to stay wins
    return there.owners if not there.owners or owner in there.owners else (*there.owners, owner)


def _launch(name: str, kind: Kind, places: Places, *, owner: str | None, port: int | None, before: Running | None) -> Running:
    folder = kind.folder(places, name)
    if port is None:
        port = before.port if before is not None and _is_free(before.port) else free_port()
    command = kind.prepare(places, folder, port)
    path = places.record(name)
    log = places.root / "logs" / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    record = Running(
        name=name,
        kind=kind.name,
        process="0/",
        port=port,
        folder=str(folder),
        log=str(log),
        address=kind.address(port),
        owners=() if owner is None else (owner,),
    )
    fields = asdict(record)
    del fields["process"]
    asked = {
        "path": str(path),
        "record": fields,
        "words": command.words,
        "environment": {**places.environment, **command.environment},
        "account": command.account,
    }
    told = subprocess.run(
        [sys.executable, "-m", "infra.local.launch"],
        input=json.dumps(asked),
        text=True,
        capture_output=True,
        cwd=REPOSITORY,
        check=False,
    )
    running = read_record(path)
    if running is None or (before is not None and running.process == before.process):
        raise ServerTrouble(f"{name} could not be launched: {told.stderr.strip().rpartition(chr(10))[2] or told.returncode}")
    return running


def _ready(kind: Kind, running: Running, within: float) -> bool:
    until = time.monotonic() + within
    while time.monotonic() < until:
        if kind.healthy(Path(running.folder), running.port):
            return running.is_alive
        if not running.is_alive:
            return False
        time.sleep(0.1)
    return False


def find(name: str, places: Places) -> Running | None:
    """The record of this server, if its process lives."""
    there = read_record(places.record(name))
    return there if there is not None and there.is_alive else None


def recorded(places: Places) -> Iterator[Running]:
    """Every record, also of servers that have died."""
    for path in sorted(places.records.glob("*.json")):
        there = read_record(path)
        if there is not None:
            yield there


def stop(name: str, kind: Kind, places: Places, *, keep: bool = False) -> bool:
    """End the server of this name and remove its data and log (``keep`` leaves them); whether it was running.

    Raises ServerTrouble when it does not end.
    """
    with places.locked(name):
        return _stop(name, kind, places, keep=keep)


def _stop(name: str, kind: Kind, places: Places, *, keep: bool) -> bool:
    there = read_record(places.record(name))
    if there is None:
        return False
    ran = there.is_alive
    if not end(there.process, signals=kind.signals, patience=PATIENCE):
        raise ServerTrouble(f"{name} (pid {there.pid}) does not end, not even by {kind.signals[-1].name}")
    if not keep:
        shutil.rmtree(there.folder, ignore_errors=True)
        Path(there.log).unlink(missing_ok=True)
    places.record(name).unlink(missing_ok=True)
    return ran


def kill(name: str, places: Places) -> Running:
    """End it as a crash would (SIGKILL); its record and data stay, and ``start`` goes on from them. Raises ServerTrouble."""
    with places.locked(name):
        there = read_record(places.record(name))
        if there is None:
            raise ServerTrouble(f"no server {name} was started here")
        if not end(there.process, signals=(signal.SIGKILL,), patience=PATIENCE):
            raise ServerTrouble(f"{name} (pid {there.pid}) does not end")
        return there


def release(owner: str, kind_of: dict[str, Kind], places: Places) -> list[str]:
    """This owner needs nothing any more: stop what only it, or owners that have died, wanted. The names that were stopped."""
    stopped = []
    for each in list(recorded(places)):
        with places.locked(each.name):
            there = read_record(places.record(each.name))
            if there is None or not there.owners:
                continue
            left = tuple(one for one in there.owners if one != owner and is_alive(one))
            if left:
                write_record(places.record(there.name), replace(there, owners=left))
            elif there.kind in kind_of:
                _stop(there.name, kind_of[there.kind], places, keep=False)
                stopped.append(there.name)
    return stopped


def tail(log: str) -> str:
    """The last words of a server's log, on one line."""
    try:
        with Path(log).open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 2000))
            lines = file.read().decode("utf-8", errors="replace").splitlines()
    except OSError:
        return "nothing"
    return " | ".join(line.strip() for line in lines[-4:] if line.strip())[-600:] or "nothing"


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now."""
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        return int(each.getsockname()[1])


def _is_free(port: int) -> bool:
    with socket.socket() as each:
        each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do: ports of ended connections are free
        try:
            each.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
