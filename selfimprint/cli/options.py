"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memory_lib.errors import InvalidInput, UnknownSetting

if TYPE_CHECKING:
    from memory_lib.bootstrap import Memory
    from memory_lib.domain.ids import UserId

HomeOption = Annotated[
    Path | None,
    typer.Option(
        "--home", metavar="PATH", help="Where the memory lives; else SELFIMPRINT_HOME, else ~/.local/share/selfimprint."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Change a setting for this call: edges, decay, embedder, sleep, collective, smart_skip, rounds, graph, "
        "lexical_weight, or a dotted name such as ranking.k. May be given several times.",
    ),
]
UserOption = Annotated[str, typer.Option("--user", metavar="USER", help="The person, by the name used at import.")]
NowOption = Annotated[
    str | None,
    typer.Option("--now", metavar="T|last", help="Set the clock: an ISO 8601 time, or last = the person's last message + 1 h."),
]
AsOfOption = Annotated[
    str | None, typer.Option("--as-of", metavar="T", help="What was true at T, by messages up to T (ISO 8601).")
]
NoFlowOption = Annotated[bool, typer.Option("--no-flow", help="Walk the same plan without Prefect.")]
OutOption = Annotated[Path, typer.Option("--out", metavar="DIR", help="Where pictures go.")]

LAST = "last"


def assignments(given: Sequence[str] | None, *, option: str = "--set") -> dict[str, str]:
    """NAME=VALUE pairs as a mapping.

    Raises:
        UnknownSetting: one of them is no pair.
    """
    pairs: dict[str, str] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UnknownSetting(f"{option} takes NAME=VALUE, like {option} embedder=off")
        pairs[name.strip()] = value
    return pairs


def home_of(context: typer.Context, home: Path | None) -> Path | None:
    """The command's own --home, or the one given before the command."""
    return home if home is not None else context.find_root().params.get("home")


@contextmanager
def opened(
    context: typer.Context, home: Path | None, *, settings: Sequence[str] | None = None, reading: bool = False
) -> Iterator[Memory]:
    """The memory that the options name, closed at the end. ``reading``: a home that is not there is not made, but an error.

    Raises:
        InvalidInput: the home cannot be made or read, or (``reading``) nothing is in it yet.
    """
    from memory_lib.bootstrap import open_memory  # noqa: PLC0415 - half a second that --help does not need
    from memory_lib.settings import Settings  # noqa: PLC0415

    named = home_of(context, home)
    place = named or Path(os.environ.get("SELFIMPRINT_HOME", ""))
    try:
        chosen = Settings.load(home=named, overrides=assignments(settings))
        place = chosen.home
        if reading and not (place.is_dir() and any(place.iterdir())):
            raise InvalidInput(f"no memory is kept in {place} yet; selfimprint import FILE brings one, --home names another")
        memory = open_memory(settings=chosen)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise InvalidInput(
            f"the home {place} cannot be opened ({reason}); check its rights, or name another with --home"
        ) from None
    with memory:
        yield memory


def instant(text: str | None, *, option: str, memory: Memory, user: UserId) -> datetime | None:
    """The time an option gives. Without an offset it is on the person's own clock, as their last message had it.

    Raises:
        InvalidInput: not an ISO 8601 time.
    """
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidInput(f"{option} takes an ISO 8601 time such as 2026-05-14T11:00:00+03:00") from None
    if found.tzinfo is None:
        minutes = memory.bench.people.person(user).last_message_offset or 0
        found = found.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    return found


def clock(text: str | None, *, memory: Memory, user: UserId) -> datetime | str | None:
    """What ``--now`` gives: a time, or ``last``."""
    return LAST if text == LAST else instant(text, option="--now", memory=memory, user=user)
