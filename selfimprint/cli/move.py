"""``selfimprint move``: a person's graph to another store or tier."""

from __future__ import annotations

from typing import Annotated

import typer

from selfimprint.cli.options import HomeOption, JsonOption, SetOption, UserOption, opened
from selfimprint.cli.output import Screen, counted

OPERATION = "move"


def move(
    context: typer.Context,
    *,
    user: UserOption,
    to: Annotated[str, typer.Option("--to", metavar="PLACE", help="hot, warm, cold, or shard:NAME.")],
    apply: Annotated[bool, typer.Option("--apply", help="Do it; else only say what would be done.")] = False,
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
        receipt = operation(memory.ops, memory.user_id(user), Asked(apply=apply, options={TO: to}), lambda _: None)
    if as_json:
        screen.give(receipt.record())
        return
    was, now = (note.partition(":")[2] for note in receipt.notes[:2])
    if "already_there" in receipt.notes:
        screen.line(f"Nothing to do: {user} is at {was}.")
        return
    graph = receipt.counts.get("graph", {})
    what = f"{counted(graph.get('nodes', 0), 'node')} and {counted(graph.get('edges', 0), 'edge')}"
    if not graph:
        what = "no rows"
    if not apply:
        screen.line(f"{user} would move from {was} to {now}: {what}. --apply does it.")
        return
    screen.line(f"{user} moved from {was} to {now}: {what}.")
