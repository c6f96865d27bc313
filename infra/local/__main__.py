"""``python -m infra.local start|stop|status [NAME...]``: all of them, or the ones named."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from infra.local.catalog import KINDS, SERVERS
from infra.local.control import find, recorded, release, start, stop
from infra.local.errors import ServerTrouble
from infra.local.places import Places
from infra.local.process import identity

NOBODY = identity(0)


def main(arguments: Sequence[str] | None = None, places: Places | None = None) -> int:
    """Exit code 1 when something could not be done; the sentence why is on standard error."""
    parser = argparse.ArgumentParser(prog="python -m infra.local", description="Real servers on loopback, without Docker.")
    commands = parser.add_subparsers(dest="command", required=True)
    known = f"any of: {', '.join(SERVERS)}; none named = all"
    starting = commands.add_parser("start", help="start what is not running; programs that are missing are fetched first")
    stopping = commands.add_parser("stop", help="stop, and remove the data")
    stopping.add_argument("--keep", action="store_true", help="keep the data for the next start")
    telling = commands.add_parser("status", help="what runs, and where")
    telling.add_argument("--json", action="store_true", help="addresses as one JSON object")
    for each in (starting, stopping, telling):
        each.add_argument("names", nargs="*", metavar="NAME", help=known)
    asked = parser.parse_args(arguments)
    here = places or Places.here()
    unknown = set(asked.names) - set(SERVERS) - {each.name for each in recorded(here)}
    if unknown:
        print(f"error: there is no server {', '.join(sorted(unknown))}; {known}", file=sys.stderr)
        return 2
    if asked.command == "start":
        return _start(asked.names or list(SERVERS), here)
    if asked.command == "stop":
        return _stop(asked.names, here, keep=asked.keep)
    return _status(asked.names, here, as_json=asked.json)


def _start(names: Sequence[str], places: Places) -> int:
    release(NOBODY, dict(KINDS), places)  # of test sessions that were killed
    before = {name for name in names if find(name, places)}

    def one(name: str) -> str | ServerTrouble:
        began = time.monotonic()
        try:
            running = start(name, SERVERS[name].kind(places), places)
        except ServerTrouble as error:
            return error
        how = "was running" if name in before else f"up after {time.monotonic() - began:.1f} s"
        return f"{name:13} {running.kind:16} {next(iter(running.address.values()))}  pid {running.pid}, {how}"

    with ThreadPoolExecutor(max_workers=len(names)) as pool:  # they wait most of the time
        told = list(pool.map(one, names))
    failed = [each for each in told if isinstance(each, ServerTrouble)]
    for line in told:
        if not isinstance(line, ServerTrouble):
            print(line)
    for error in failed:
        print(f"error: {error}", file=sys.stderr)
    return int(bool(failed))


def _stop(names: Sequence[str], places: Places, *, keep: bool) -> int:
    code = 0
    for each in list(recorded(places)):
        if names and each.name not in names:
            continue
        try:
            ran = stop(each.name, KINDS[each.kind], places, keep=keep)
        except ServerTrouble as error:
            print(f"error: {error}", file=sys.stderr)
            code = 1
        else:
            print(f"{each.name:13} {'stopped' if ran else 'had ended by itself'}")
    return code


def _status(names: Sequence[str], places: Places, *, as_json: bool) -> int:
    there = {each.name: each for each in recorded(places)}
    wanted = names or [*SERVERS, *(name for name in there if name not in SERVERS)]
    addresses = {}
    for name in wanted:
        running = there.get(name)
        if running is None or not running.is_alive:
            told = "not running" if running is None else "died"
        elif KINDS[running.kind].healthy(Path(running.folder), running.port):
            told = f"{next(iter(running.address.values()))}  pid {running.pid}"
            addresses[name] = dict(running.address)
        else:
            told = f"pid {running.pid} does not answer"
        if not as_json:
            print(f"{name:13} {running.kind if running else '':16} {told}")
    if as_json:
        print(json.dumps(addresses, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
