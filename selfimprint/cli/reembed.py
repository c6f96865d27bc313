"""``selfimprint reembed``: after the embedder was changed, vectors are made anew."""

from __future__ import annotations

from typing import Annotated

import typer

from selfimprint.cli.options import HomeOption, JsonOption, opened
from selfimprint.cli.output import Screen, counted

PLAN = "reembed"


def reembed(
    context: typer.Context,
    *,
    user: Annotated[
        str | None, typer.Option("--user", metavar="USER", help="One person, by the name used at import; else everybody.")
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make vectors anew after the embedder was changed.

    The old ones serve until a person's are all there. Stopped at any moment, it goes on from there when it is started again.
    """
    screen = Screen(as_json)
    with opened(context, home, reading=True) as memory:
        users = memory.user_ids() if user is None else (memory.user_id(user),)
        total = memory.to_reembed(users)
        with screen.working() as work:

            def progress(step: str, count: int) -> None:
                if step == PLAN:
                    work.advance("making vectors", count, unit="vectors", total=total)

            run = memory.run(PLAN, users, progress=progress)
        made = {name: run.total(name) for name in ("rounds", "units", "nodes", "unusable", "switched")}
        fingerprint = memory.bench.embedder.fingerprint
    if as_json:
        screen.give({"embedder": fingerprint, "people": len(users), **made})
        return
    done = made["rounds"] + made["units"] + made["nodes"]
    if not done and not made["switched"]:
        screen.line(f"Nothing to do: every vector is of {fingerprint}.")
        return
    screen.line(f"{counted(done, 'vector')} of {fingerprint} made; {counted(made['switched'], 'person', 'people')} switched.")
    if made["unusable"]:
        screen.line(f"{counted(made['unusable'], 'text')} without a usable vector; words find them.", "yellow")
