"""``selfimprint graph``: pictures of a person's memory, or its chains of causes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memory_lib.domain.candidates import EdgeType
from selfimprint.cli.options import HomeOption, JsonOption, OutOption, UserOption, opened
from selfimprint.cli.output import Screen, counted, one_line
from selfimprint.cli.picture_files import write_pictures

if TYPE_CHECKING:
    from memory_lib.bootstrap import Memory

JOINED = {
    EdgeType.CAUSED_BY: "because of",
    EdgeType.FOLLOWED_BY: "then",
    EdgeType.REINFORCES: "which supports",
    EdgeType.CONTRADICTS: "against",
    EdgeType.ASSOCIATED_WITH: "beside",
}


def graph(
    context: typer.Context,
    *,
    user: UserOption,
    out: OutOption = Path("out"),
    chains: Annotated[
        EdgeType | None, typer.Option("--chains", help="Print chains along one type of link instead of drawing.")
    ] = None,
    shortest: Annotated[int, typer.Option("--min", metavar="N", min=1, help="Links a chain has at least.")] = 2,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Chains printed at most, the longest first.")] = 20,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw a person's memory, or print its chains.

    Writes an SVG and an HTML page that opens offline; with --chains, prints chains along one type of link instead.
    """
    screen = Screen(as_json)
    with opened(context, home, reading=True) as memory:
        ident = memory.user_id(user)
        if chains is not None:
            _tell_chains(memory, user, chains, shortest=shortest, limit=limit, screen=screen)
            return
        pictures = write_pictures(memory.show(user), out, ident=ident)
    if as_json:
        screen.give({"user": user, "pictures": [str(path) for path in pictures]})
    else:
        screen.line(f"Drawn: {pictures[0]} and {pictures[1]} (opens offline)")


def _tell_chains(memory: Memory, user: str, kind: EdgeType, *, shortest: int, limit: int, screen: Screen) -> None:
    found = memory.chains(user, kind, min_length=shortest, limit=limit)
    ids = list(dict.fromkeys(node for chain in found for node in chain))
    nodes = memory.bench.reader.nodes(memory.user_id(user), ids)
    if screen.as_json:
        screen.give([[{"id": node, "content": nodes[node].content} for node in chain if node in nodes] for chain in found])
        return
    if not found:
        screen.line(f"No chain of {counted(shortest, kind.value + ' link')} or more.", "dim")
    for number, chain in enumerate(found, 1):
        first, *rest = [one_line(nodes[node].content) for node in chain if node in nodes]
        screen.line(f"{number}. {first}", "bold")
        for content in rest:
            screen.line(f"{JOINED[kind]} → {content}", indent=5)
