"""``selfimprint move``: a person's graph to another store or tier."""

from __future__ import annotations

from typing import Annotated

import typer

from selfimprint.cli.options import HomeOption, JsonOption, SetOption, UserOption, opened
from selfimprint.cli.output import Screen
from selfimprint.cli.receipts import ApplyOption, OperatorOption, known_operator, tell


def move(
    context: typer.Context,
    *,
    user: UserOption,
    to: Annotated[str, typer.Option("--to", metavar="PLACE", help="hot, warm, cold, or shard:NAME.")],
    apply: ApplyOption = False,
    operator: OperatorOption = "",
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Move a person's graph to another store or tier: copied, compared, switched, then taken away where it was.

    Stopped at any moment, the person lives in exactly one place; starting it again ends it.
    """
    from memory_lib.operations.bench import Asked  # noqa: PLC0415 - half a second that --help does not need
    from memory_lib.operations.move import TO  # noqa: PLC0415
    from memory_lib.operations.move import move as operation  # noqa: PLC0415

    screen = Screen(as_json)
    with opened(context, home, settings=settings, reading=True) as memory:
        if apply:
            known_operator(memory, operator)
        asked = Asked(apply=apply, operator=operator, options={TO: to})
        receipt = operation(memory.ops, memory.user_id(user), asked, lambda _count: None)
    was, now = (note.partition(":")[2] for note in receipt.notes[:2])
    if "already_there" in receipt.notes:
        done = would = f"Nothing to do: {user} is at {was}."
    else:
        done, would = f"{user} moved from {was} to {now}.", f"{user} would move from {was} to {now}; --apply does it."
    tell(receipt, screen, done=done, would=would)
