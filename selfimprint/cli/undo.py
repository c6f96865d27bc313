"""``selfimprint undo``: what one batch did is taken back."""

from __future__ import annotations

from typing import Annotated

import typer

from selfimprint.cli.options import HomeOption, JsonOption, SetOption, UserOption, opened
from selfimprint.cli.output import Screen, counted
from selfimprint.cli.receipts import OperatorOption, known_operator, tell


def undo(
    context: typer.Context,
    *,
    batch: Annotated[str, typer.Argument(metavar="BATCH", help="As reset or correct named it, or show --json under archived.")],
    user: UserOption,
    operator: OperatorOption = "",
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take back a reset, a correction or a fading, within 30 days.

    It can be undone, too.
    """
    from memory_lib.operations.bench import Asked  # noqa: PLC0415 - half a second that --help does not need
    from memory_lib.operations.undo import BATCH  # noqa: PLC0415
    from memory_lib.operations.undo import undo as operation  # noqa: PLC0415

    screen = Screen(as_json)
    with opened(context, home, settings=settings, reading=True) as memory:
        known_operator(memory, operator)
        options = {BATCH: batch.strip()}
        asked = Asked(apply=True, operator=operator, options=options)
        receipt = operation(memory.ops, memory.user_id(user), asked, lambda _count: None)
    what = counted(len(receipt.ids["nodes"]), "memory", "memories")
    done = f"{what} as before. Undone itself by {receipt.batch}." if receipt.batch else "Nothing left to undo."
    tell(receipt, screen, done=done, would="")
