"""``selfimprint reset``: start over with what is pinned and recent."""

from __future__ import annotations

import typer

from selfimprint.cli.options import HomeOption, JsonOption, SetOption, UserOption, opened
from selfimprint.cli.output import Screen, counted
from selfimprint.cli.receipts import ApplyOption, OperatorOption, known_operator, tell


def reset(
    context: typer.Context,
    *,
    user: UserOption,
    apply: ApplyOption = False,
    operator: OperatorOption = "",
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Archive everything but pinned memories and the last 30 days.

    For 30 days selfimprint undo brings it back; messages stay as they are.
    """
    from memory_lib.operations.bench import Asked  # noqa: PLC0415 - half a second that --help does not need
    from memory_lib.operations.reset import reset as operation  # noqa: PLC0415

    screen = Screen(as_json)
    with opened(context, home, settings=settings, reading=True) as memory:
        if apply:
            known_operator(memory, operator)
        receipt = operation(memory.ops, memory.user_id(user), Asked(apply=apply, operator=operator), lambda _count: None)
    what = counted(len(receipt.ids["nodes"]), "memory", "memories")
    done = (
        f"{what} archived; selfimprint undo --user {user} {receipt.batch} brings them back."
        if receipt.batch
        else "Nothing to do."
    )
    tell(receipt, screen, done=done, would=f"Nothing has changed; --apply archives {what}.")
