"""``selfimprint quarantine``: records that an import could not use."""

from __future__ import annotations

import base64
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memory_lib.errors import InvalidInput
from selfimprint.cli.options import HomeOption, JsonOption, opened
from selfimprint.cli.output import Screen, counted, one_line

if TYPE_CHECKING:
    from memory_lib.bootstrap import Memory

SHORTEST_PREFIX = 6


def quarantine(
    context: typer.Context,
    *,
    show: Annotated[str | None, typer.Option("--show", metavar="ID", help="Print the record as it stood in its file.")] = None,
    remove: Annotated[str | None, typer.Option("--remove", metavar="ID", help="Remove the record.")] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look at records that imports could not use.

    They are kept sealed for 30 days. Without an option: the list.
    """
    if show is not None and remove is not None:
        raise InvalidInput("give either --show ID or --remove ID")
    screen = Screen(as_json)
    with opened(context, home, reading=True) as memory:
        if show is not None:
            _show(memory, _whole_id(memory, show), screen)
        elif remove is not None:
            ident = _whole_id(memory, remove)
            memory.quarantine.remove(ident)
            if as_json:
                screen.give({"removed": ident})
            else:
                screen.line(f"Removed {ident}.")
        else:
            _list(memory, screen)


def _list(memory: Memory, screen: Screen) -> None:
    records = memory.quarantine.records(now=memory.bench.clock.now())
    if screen.as_json:
        screen.give(
            [
                {
                    "id": each.id,
                    "time": each.time.isoformat(),
                    "source": each.source,
                    "place": each.place,
                    "reason": each.reason,
                }
                for each in records
            ]
        )
        return
    if not records:
        screen.line("No record is kept here.", "dim")
        return
    from rich.table import Table  # noqa: PLC0415 - only for people

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("id", "kept since", "file", "place", "why"):
        table.add_column(name, no_wrap=name in {"id", "kept since"})
    for each in records:
        words = (each.id[:8], f"{each.time:%Y-%m-%d %H:%M}", each.source, each.place, each.reason)
        table.add_row(*(screen.text(one_line(word)) for word in words))
    screen.show(table)
    screen.line(f"{counted(len(records), 'record')}; --show ID prints one as it stood, --remove ID takes it away.", "dim")


def _show(memory: Memory, ident: str, screen: Screen) -> None:
    raw = memory.quarantine.open(ident)
    if screen.as_json:
        screen.give({"id": ident, **_words(raw)})
        return
    if sys.stdout.isatty():
        # whatever it was that could not be read, it must not steer the terminal
        screen.line(raw.decode("utf-8", "backslashreplace"))
    else:
        sys.stdout.buffer.write(raw + b"\n")


def _words(raw: bytes) -> dict[str, Any]:
    try:
        return {"raw": raw.decode("utf-8"), "encoding": "utf-8"}
    except UnicodeDecodeError:
        return {"raw": base64.b64encode(raw).decode("ascii"), "encoding": "base64"}


def _whole_id(memory: Memory, given: str) -> str:
    """The id that ``given`` begins.

    Raises:
        InvalidInput: no record, or more than one, begins so.
    """
    ids = [each.id for each in memory.quarantine.records(now=memory.bench.clock.now())]
    wanted = given.strip().lower()
    found = [ident for ident in ids if ident.startswith(wanted)] if len(wanted) >= SHORTEST_PREFIX else []
    if len(found) != 1:
        raise InvalidInput("no single quarantined record has an id that begins so; selfimprint quarantine lists the ids")
    return found[0]
