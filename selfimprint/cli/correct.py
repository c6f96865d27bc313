"""``selfimprint correct``: the person's own word on one memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memory_lib.domain.acts import ActKind
from memory_lib.errors import InvalidInput, UnknownNode
from selfimprint.cli.options import HomeOption, JsonOption, UserOption, assignments, instant, opened
from selfimprint.cli.output import Screen, one_line
from selfimprint.cli.receipts import OperatorOption, known_operator
from selfimprint.cli.show import marks

if TYPE_CHECKING:
    from memory_lib.bootstrap import Memory

SHORTEST_PREFIX = 6
TIMES = {"due", "valid_from", "valid_until"}


def correct(  # noqa: PLR0913 - each is an option of the command line
    context: typer.Context,
    *,
    node: Annotated[str, typer.Argument(metavar="NODE", help="The memory's id, or its first 6 characters or more.")],
    user: UserOption,
    pin: Annotated[bool, typer.Option("--pin", help="Keep it for good.")] = False,
    unpin: Annotated[bool, typer.Option("--unpin", help="Let it fade again.")] = False,
    wrong: Annotated[bool, typer.Option("--wrong", help="It is not so.")] = False,
    field: Annotated[
        str | None,
        typer.Option(
            "--set",
            metavar="FIELD=VALUE",
            help="Set content, topic, valence, importance, intensity, due, valid_from, valid_until, ends, modality, slot, "
            "about or about_name.",
        ),
    ] = None,
    operator: OperatorOption = "",
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Pin, mark as wrong, or correct a memory.

    The act is recorded; what was said stays, and what a field said before is shown by why and by show --known-at.
    """
    asked = [kind for kind, given in zip(ActKind, (pin, unpin, wrong, field is not None), strict=False) if given]
    if len(asked) != 1:
        raise InvalidInput("say what to do with the memory: one of --pin, --unpin, --wrong, --set FIELD=VALUE")
    name, value = next(iter(assignments([field]).items())) if field is not None else (None, None)
    screen = Screen(as_json)
    with opened(context, home, reading=True) as memory:
        known_operator(memory, operator)
        ident = whole_id(memory, user, node)
        if name in TIMES and value:
            given = instant(value, option=f"--set {name}=", memory=memory, user=memory.user_id(user))
            value = None if given is None else given.isoformat()
        done = memory.correct(user, ident, asked[0], field=name, value=value)
        shown = next(each for each in memory.show(user)["nodes"] if each["id"] == done.node.id)
    if as_json:
        screen.give({**shown, "batch": done.batch})
    else:
        state = ", ".join(marks(shown)) or "stable"
        screen.line(f"{one_line(shown['content'])} ({shown['type'].replace('_', ' ')}, {state})")
        if done.batch is None:
            screen.line("It was so already; nothing has changed.", "dim")
        else:
            screen.line(f"selfimprint undo --user {user} {done.batch} takes it back.", "dim")


def whole_id(memory: Memory, user: str, given: str) -> str:
    """The id that ``given`` begins.

    Raises:
        UnknownNode: no memory, or more than one, begins so.
    """
    stored = memory.bench.reader.load(memory.user_id(user))
    wanted = given.strip().lower()
    if wanted in stored.nodes or wanted in stored.renames:
        return wanted
    if len(wanted) < SHORTEST_PREFIX:
        raise UnknownNode(f"give at least {SHORTEST_PREFIX} characters of the memory's id; selfimprint show lists the ids")
    found = [ident for ident in stored.nodes if ident.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownNode(f"{len(found)} ids of this person's memories begin so; give more characters")
    raise UnknownNode("no memory of this person has an id that begins so; selfimprint show lists the ids")
