"""``selfimprint ask``: the context that an assistant would be given for a message."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from selfimprint.cli.options import (
    AsOfOption,
    HomeOption,
    JsonOption,
    NowOption,
    SetOption,
    UserOption,
    clock,
    instant,
    opened,
)
from selfimprint.cli.output import Screen


def ask(  # noqa: PLR0913 - each is an option of the command line
    context: typer.Context,
    *,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The person's message; - reads it from standard input.")],
    user: UserOption,
    now: NowOption = None,
    as_of: AsOfOption = None,
    explain: Annotated[bool, typer.Option("--explain", help="Each score's parts, and more sources.")] = False,
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print what an assistant is told for a message.

    The context in prose, excerpts word for word, and the dated quotes that each line rests on.
    """
    screen = Screen(as_json)
    with opened(context, home, settings=settings, reading=True) as memory:
        ident = memory.user_id(user)
        message = _from_stdin() if text == "-" else text
        found = memory.ask(
            user,
            message,
            now=clock(now, memory=memory, user=ident),
            as_of=instant(as_of, option="--as-of", memory=memory, user=ident),
            explain=explain,
        )
        if as_json:
            from memory_lib.domain.shapes import context_shape  # noqa: PLC0415 - see opened()

            screen.give(context_shape(found))
        else:
            from selfimprint.cli.context_page import tell_context  # noqa: PLC0415

            tell_context(found, budget=memory.settings.compose.budget, screen=screen)


def _from_stdin() -> str:
    return sys.stdin.buffer.read().decode("utf-8", "replace").removesuffix("\n")
