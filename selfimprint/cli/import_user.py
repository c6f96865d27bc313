"""``selfimprint import-user``: a person's exported memory comes back, whole."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from selfimprint.cli.options import HomeOption, JsonOption, SetOption, opened
from selfimprint.cli.output import Screen
from selfimprint.cli.receipts import ApplyOption, OperatorOption, known_operator, tell

TYPED = "-"


def import_user(  # noqa: PLR0913 - each is an option of the command line
    context: typer.Context,
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The ZIP that selfimprint export wrote.")],
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            metavar="KEY",
            help="The key printed with it; - reads it from standard input. Else it is asked for, which keeps it out of the "
            "shell's history and from whoever can list processes.",
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--as", "--user", metavar="NAME", help="What the person is called here, where not as in the ZIP."),
    ] = None,
    apply: ApplyOption = False,
    operator: OperatorOption = "",
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take in a person's exported memory: the same messages, memories and answers.

    The same ZIP again changes nothing. Where messages get other ids here (another id key), import the ZIP's messages.jsonl
    instead.
    """
    from memory_lib.operations.import_user import import_file  # noqa: PLC0415 - half a second that --help does not need

    screen = Screen(as_json)
    with opened(context, home, settings=settings) as memory:
        if apply:
            known_operator(memory, operator)
        given = key
        if key is None:
            given = typer.prompt("The key of the export", hide_input=True, err=True)
        elif key == TYPED:
            given = sys.stdin.readline().strip()
        receipt = import_file(memory.ops, file, key=given or "", name=name, apply=apply)
    here = "already_here" in receipt.notes
    tell(
        receipt,
        screen,
        done="Imported.",
        would="Nothing has changed." if here else "Nothing has changed; --apply imports this.",
    )
