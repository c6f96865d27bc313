"""``selfimprint peek``: one message or memory in clear, for a reason, on record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memory_lib.errors import UnknownNode
from selfimprint.cli.correct import SHORTEST_PREFIX
from selfimprint.cli.options import HomeOption, JsonOption, UserOption, opened
from selfimprint.cli.output import Screen, one_line
from selfimprint.cli.receipts import OperatorOption, known_operator

if TYPE_CHECKING:
    from memory_lib.bootstrap import Memory
    from memory_lib.domain.ids import NodeId, UserId


def peek(
    context: typer.Context,
    *,
    user: UserOption,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept sealed in the audit log.")],
    node: Annotated[
        str | None, typer.Option("--node", metavar="ID", help="A memory's id, or its first 6 characters or more.")
    ] = None,
    message: Annotated[str | None, typer.Option("--message", metavar="ID", help="A message's id.")] = None,
    operator: OperatorOption = "",
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look at one message or memory of somebody in clear.

    Each look leaves a row in the audit log, before anything is shown.
    """
    from memory_lib.domain.ids import MessageId  # noqa: PLC0415 - half a second that --help does not need
    from memory_lib.operations.peek import peek as look  # noqa: PLC0415

    screen = Screen(as_json)
    with opened(context, home, reading=True) as memory:
        known_operator(memory, operator)
        ident = memory.user_id(user)
        peeked = look(
            memory.ops,
            ident,
            node=None if node is None else whole_id(memory, ident, node),
            message=None if message is None else MessageId(message.strip().lower()),
            reason=reason,
            operator=operator,
        )
    shown = peeked.shown or {}
    if as_json:
        screen.give({**peeked.receipt.record(), "shown": shown})
        return
    for name, value in shown.items():
        if value not in (None, "", [], {}):
            screen.line(f"{name}: {one_line(value) if isinstance(value, str) else value}", hang=2)


def whole_id(memory: Memory, user: UserId, given: str) -> NodeId:
    """The node id that ``given`` begins; opens no word. Raises UnknownNode."""
    from memory_lib.domain.ids import NodeId  # noqa: PLC0415

    wanted = given.strip().lower()
    if len(wanted) < SHORTEST_PREFIX:
        raise UnknownNode(f"give at least {SHORTEST_PREFIX} characters of the memory's id; selfimprint show lists the ids")
    found = [ident for ident in memory.bench.reader.index(user).ids if ident.startswith(wanted)]
    # one that names nothing is looked for all the same, and that leaves its row
    return found[0] if len(found) == 1 else NodeId(wanted)
