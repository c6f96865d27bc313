"""``selfimprint import``: a file of dialogue to the ledger, then memories of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from selfimprint.cli.ingest import Ingested, ingest
from selfimprint.cli.options import HomeOption, JsonOption, NoFlowOption, SetOption, opened
from selfimprint.cli.output import Screen, counted, listed, one_line

if TYPE_CHECKING:
    from memory_lib.bootstrap import ImportReport, Memory
    from memory_lib.usecases.import_messages import Imported

FORMATS = "auto|jsonl|locomo|longmemeval|chatgpt|telegram"
PEOPLE_NAMED = 6


@dataclass(frozen=True, slots=True)
class TakenIn:
    """One file that went to the ledger."""

    file: Path
    imported: Imported
    report: ImportReport

    @property
    def new(self) -> int:
        return self.imported.new + self.imported.edited


def import_(  # noqa: PLR0913 - each is an option of the command line
    context: typer.Context,
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The export: a file, or the folder it was unpacked to.")],
    format: Annotated[  # noqa: A002 - the name of the option
        str, typer.Option("--format", metavar=FORMATS, help="Which export it is; auto tells by the content.")
    ] = "auto",
    user: Annotated[
        str | None, typer.Option("--user", metavar="USER", help="The person's name here, where the file does not give one.")
    ] = None,
    me: Annotated[
        str | None, typer.Option("--me", metavar="NAME|ID", help="Who of the speakers is the user (Telegram).")
    ] = None,
    no_flow: NoFlowOption = False,
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import dialogue and form memories of it.

    The same file again, or a later export that overlaps, adds nothing twice.
    """
    screen = Screen(as_json)
    with opened(context, home, settings=settings) as memory:
        taken = take_in(memory, file, format=format, user=user, me=me, screen=screen)
        formed = ingest(memory, taken.imported.people, flow=not no_flow, new=taken.new, screen=screen)
        if as_json:
            screen.give(taken_dict(memory, taken, formed))
        else:
            tell_taken(memory, taken, screen)
            tell_formed(formed, screen)


def take_in(
    memory: Memory,
    file: Path,
    *,
    format: str = "auto",  # noqa: A002 - the name of the option
    user: str | None = None,
    me: str | None = None,
    screen: Screen,
) -> TakenIn:
    """The file's messages on record; forms nothing yet."""
    from memory_lib.bootstrap import ImportReport  # noqa: PLC0415 - the library loads when a command runs

    report = ImportReport()
    before = 0
    with screen.working() as work:

        def progress(done: int, total: int) -> None:
            nonlocal before
            work.advance(f"importing {one_line(file.name)}", (done - before) >> 10, unit="kB", total=total >> 10)
            before += ((done - before) >> 10) << 10

        imported = memory.import_export(file, format=format, user=user, me=me, report=report, on_progress=progress)
    return TakenIn(file, imported, report)


def taken_dict(memory: Memory, taken: TakenIn, formed: Ingested) -> dict[str, object]:
    """What ``import --json`` prints."""
    return {
        "changed": bool(taken.new) or formed.changed,
        **file_dict(memory, taken),
        "formed": formed.as_dict(),
        "degraded": [{"part": part, "reason": reason} for part, reason in formed.degraded],
    }


def file_dict(memory: Memory, taken: TakenIn) -> dict[str, object]:
    """One file's counts."""
    imported, report = taken.imported, taken.report.as_dict()
    return {
        "file": taken.file.name,
        "format": report["format"],
        "users": [memory.bench.people.external(user) for user in imported.people],
        "messages": {"new": imported.new, "edited": imported.edited, "same": imported.same},
        "bad": {
            "count": imported.bad_count,
            "records": [{"place": place, "reason": reason} for place, reason in imported.bad],
        },
        "skipped": report["skipped"],
        "notes": report["notes"],
    }


def tell_taken(memory: Memory, taken: TakenIn, screen: Screen) -> None:
    """One file's counts for people; bad records with their places."""
    imported, report = taken.imported, taken.report
    names = [memory.bench.people.external(user) for user in imported.people[:PEOPLE_NAMED]]
    more = len(imported.people) - len(names)
    people = ", ".join(one_line(name) for name in names) + (f" and {more:,} more" if more > 0 else "")
    counts = [
        counted(imported.new, "new message") if imported.new else "",
        f"{imported.edited:,} edited" if imported.edited else "",
        f"{imported.same:,} known already" if imported.same else "",
    ]
    said = ", ".join(filter(None, counts)) or "no messages"
    screen.line(f"{one_line(taken.file.name)} ({report.format}): {said}" + (f"; people: {people}" if people else ""))
    if report.skipped:
        screen.line(f"left out: {listed({str(reason): count for reason, count in report.skipped.items()})}", indent=2)
    if report.notes:
        screen.line(f"changed on the way in: {listed({str(note): count for note, count in report.notes.items()})}", indent=2)
    if imported.bad_count:
        screen.line(
            f"{counted(imported.bad_count, 'record')} could not be used; kept sealed for 30 days, see: selfimprint quarantine",
            "yellow",
            indent=2,
        )
        for place, reason in imported.bad:
            screen.line(f"{place}: {reason}", indent=4)
        if imported.bad_count > len(imported.bad):
            screen.line(f"and {imported.bad_count - len(imported.bad):,} more", indent=4)


def tell_formed(formed: Ingested, screen: Screen) -> None:
    """What became of the messages, which way, and what had to do without."""
    if not formed.changed:
        screen.line("Nothing changed: all of this was remembered already.", "green")
    else:
        way = "the ingest flow in Prefect" if formed.by == "prefect" else f"the ingest plan without Prefect ({formed.why})"
        written = (
            f"{counted(formed.formed('nodes'), 'memory', 'memories')} and {counted(formed.formed('edges'), 'link')} written"
        )
        screen.line(f"{written}, out of {counted(formed.formed('units'), 'message')}, by {way}.", "green")
    if waiting := formed.formed("waiting"):
        told = f"{counted(waiting, 'message')} of another import still on the way; import again to form memories of them"
        screen.line(f"{told}.", "yellow")
    for part, reason in formed.degraded:
        screen.line(f"Degraded: {part} ({reason}); memories are found by words alone.", "yellow")
