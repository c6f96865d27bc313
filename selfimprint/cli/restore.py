"""``selfimprint restore``: a person comes back from a backup."""

from __future__ import annotations

from typing import Annotated

import typer

from memory_lib.errors import InvalidInput
from selfimprint.cli.options import HomeOption, JsonOption, SetOption, UserOption, opened
from selfimprint.cli.output import Screen
from selfimprint.cli.receipts import ApplyOption, OperatorOption, known_operator, tell


def restore(  # noqa: PLR0913 - each is an option of the command line
    context: typer.Context,
    *,
    place: Annotated[
        str | None,
        typer.Argument(
            metavar="[BACKUP]",
            help="A ledger's file or address (with its password in PGPASSWORD or ~/.pgpass), a folder of sealed files, or the "
            "copy of a home.",
        ),
    ] = None,
    source: Annotated[str | None, typer.Option("--from", metavar="BACKUP", help="The same.")] = None,
    user: UserOption,
    apply: ApplyOption = False,
    operator: OperatorOption = "",
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring a person back from a backup made under the same keys.

    What is missing is added, nothing newer is overwritten; who was erased stays erased. Put the home's keys folder back first.
    """
    from memory_lib.operations.restore import left_to_flow, restore_from, user_in  # noqa: PLC0415 - half a second that --help does not need

    if (place is None) is (source is None):
        raise InvalidInput("say once where the backup is: selfimprint restore BACKUP --user USER")
    given = place or source or ""
    screen = Screen(as_json)
    with opened(context, home, settings=settings) as memory:
        if apply:
            known_operator(memory, operator)
        ident = user_in(memory.ops, user, given)
        with screen.working() as work:
            receipt = restore_from(
                memory.ops,
                ident,
                given,
                apply=apply,
                progress=lambda count: work.advance("forming", count, unit="messages", total=None),
            )
        if not receipt.applied and receipt.refused is None:
            receipt = left_to_flow(memory.ops, ident, given, receipt, operator=operator)
    would = "Nothing has changed; --apply restores this"
    (request,) = receipt.ids.get("request", ("",))
    tell(
        receipt,
        screen,
        done="Restored.",
        would=f"{would}, or the form of restore with request {request}." if request else f"{would}.",
    )
