"""``selfimprint export``: a person's memory as one file for them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memory_lib.errors import InvalidInput
from selfimprint.cli.new_files import write_new
from selfimprint.cli.options import HomeOption, JsonOption, SetOption, UserOption, opened
from selfimprint.cli.output import Screen
from selfimprint.cli.receipts import ApplyOption, OperatorOption, known_operator, tell

FOLDER = Path("out")


def export(  # noqa: PLR0913 - each is an option of the command line
    context: typer.Context,
    *,
    user: UserOption,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="The ZIP to write; else out/export-….zip. Must not be there yet."),
    ] = None,
    request: Annotated[
        str | None, typer.Option("--request", metavar="ID", help="Fetch what a flow has exported, by its receipt's request.")
    ] = None,
    apply: ApplyOption = False,
    operator: OperatorOption = "",
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a person's memory into a ZIP that they can read.

    Messages, memories, and a sealed part from which selfimprint import-user restores everything exactly. Its key is printed
    once and kept nowhere.
    """
    from memory_lib.operations.bench import Asked  # noqa: PLC0415 - half a second that --help does not need
    from memory_lib.operations.export_user import export_user, fetched, handed_over  # noqa: PLC0415

    screen = Screen(as_json)
    with opened(context, home, settings=settings, reading=True) as memory:
        if apply:
            known_operator(memory, operator)
        ident = memory.user_id(user)
        if not apply:
            receipt = export_user(memory.ops, ident, Asked(operator=operator), lambda _count: None)
            tell(receipt, screen, done="", would="Nothing was written; --apply writes all of this into a ZIP.")
            return
        path = out if out is not None else FOLDER / f"export-{ident[:8]}.zip"
        if path.exists():
            raise InvalidInput("the file to be written is there already; name another one with --out")
        handed = handed_over(memory.ops, ident) if request is None else fetched(memory.ops, ident, request)
        write_new(path, handed.data, todo="name another place with --out")
    if as_json:
        screen.give({**handed.receipt.record(), "file": str(path), "archive_key": handed.key})
        return
    screen.line(f"{path}: {len(handed.data):,} bytes, readable by whoever has the file.")
    screen.line(f"Key of its sealed part, shown this once: {handed.key}", wrap=False)
