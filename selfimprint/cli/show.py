"""``selfimprint show``: everything that is remembered of a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from memory_lib.errors import InvalidInput
from selfimprint.cli.options import AsOfOption, HomeOption, JsonOption, NowOption, clock, instant, opened
from selfimprint.cli.output import Screen, counted, listed, one_line

SHOWN_ID = 8
CONTENT_CHARS = 160


def show(  # noqa: PLR0913 - each is an option of the command line
    context: typer.Context,
    *,
    user: Annotated[str | None, typer.Option("--user", metavar="USER", help="The person, by the name used at import.")] = None,
    everybody: Annotated[bool, typer.Option("--all", help="Everybody in this home.")] = False,
    now: NowOption = None,
    as_of: AsOfOption = None,
    known_at: Annotated[str | None, typer.Option("--known-at", metavar="T", help="What was on record at T (ISO 8601).")] = None,
    live: Annotated[bool, typer.Option("--live", help="Only what holds: not closed, not retracted, not archived.")] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what is remembered, the strongest first.

    Closed and archived memories too, unless --live.
    """
    if (user is None) is not everybody:
        raise InvalidInput("say whose memory to show: --user USER, or --all for everybody")
    screen = Screen(as_json)
    with opened(context, home, reading=True) as memory:
        shown = []
        for name in memory.users() if user is None else (user,):
            ident = memory.user_id(name)
            shown.append(
                memory.show(
                    name,
                    now=clock(now, memory=memory, user=ident),
                    as_of=instant(as_of, option="--as-of", memory=memory, user=ident),
                    known_at=instant(known_at, option="--known-at", memory=memory, user=ident),
                    live=live,
                )
            )
    if as_json:
        screen.give(shown if everybody else shown[0])
        return
    if not shown:
        screen.line("Nobody is remembered in this home yet; selfimprint import FILE brings people.", "dim")
    for person in shown:
        _tell(person, screen)


def _tell(person: Mapping[str, Any], screen: Screen) -> None:
    from rich.table import Table  # noqa: PLC0415 - only for people

    nodes = sorted(person["nodes"], key=lambda node: (_is_over(node), -node["weight"], node["created_at"], node["id"]))
    screen.heading(one_line(person["user"]), strong=True)
    if not nodes:
        screen.line("Nothing is remembered.", "dim")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("weight", justify="right", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    table.add_column("what", min_width=24)
    table.add_column("state")
    table.add_column("since", no_wrap=True)
    table.add_column("id", no_wrap=True, min_width=SHOWN_ID, style="dim")
    for node in nodes:
        style = "dim" if _is_over(node) else ""
        table.add_row(
            f"{node['weight']:.2f}",
            node["type"].replace("_", " "),
            screen.text(_cut(one_line(node["content"]))),
            screen.text(", ".join(marks(node))),
            node["created_at"][:10],
            node["id"][:SHOWN_ID],
            style=style,
        )
    screen.show(table)
    over = sum(_is_over(node) for node in nodes)
    kinds = listed(Counter(edge["type"] for edge in person["edges"]))
    told = counted(len(nodes), "memory", "memories") + (f" ({over:,} no longer hold)" if over else "")
    links = counted(len(person["edges"]), "link") + (f": {kinds}" if kinds else "")
    screen.line(f"{told}, {links}.", "dim")


def marks(node: Mapping[str, Any]) -> list[str]:
    """A node's state in words."""
    told = []
    if node["is_pinned"]:
        told.append("★ pinned")
    if node["is_inference"]:
        told.append("a guess")
    if node["retracted_at"]:
        told.append("marked wrong")
    elif node["archived"]:
        told.append("archived")
    elif node["state"] != "stable":
        told.append(node["state"])
    if node["valid_until"]:
        told.append(f"until {node['valid_until'][:10]}")
    elif node["due"]:
        told.append(f"due {node['due'][:10]}")
    return told


def _is_over(node: Mapping[str, Any]) -> bool:
    return bool(node["valid_until"] or node["retracted_at"] or node["archived"])


def _cut(text: str) -> str:
    return text if len(text) <= CONTENT_CHARS else text[: CONTENT_CHARS - 1].rstrip() + "…"
