"""A context on the screen: what an assistant is given, and what each line of it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_lib.domain.recall import RecalledNode
from memory_lib.reasoning.prose.reply_language import language_of
from memory_lib.reasoning.prose.rounds_text import describe_sources
from selfimprint.cli.output import Screen, counted, one_line

if TYPE_CHECKING:
    from memory_lib.domain.recall import Context

QUOTE_CHARS = 200
QUOTES_A_LINE = 4
ASLEEP, FROM_FILES = ("graph", "asleep"), ("graph", "served_from_files")
TOLD = {
    ASLEEP: "Memories rest in sealed files that did not open in time: this is from what was said word for word. Ask again, "
    "or bring the person back: selfimprint move --to hot --apply",
    FROM_FILES: "Read from sealed files, where this person rests: complete.",
}
"""What is degraded, in a sentence, where a code would be told."""


def tell_context(context: Context, *, budget: int, screen: Screen) -> None:
    """``budget``: tokens the prose may take."""
    if context.context.strip():
        screen.heading(f"What the assistant is given ({context.tokens} of {budget} tokens)")
        screen.line(context.context, indent=2, hang=2)
    else:
        screen.heading("What the assistant is given")
        unseen = any(each.part == "graph" for each in context.degraded)
        screen.line(
            "No memory could be looked at, see below." if unseen else "Nothing is remembered that bears on this.", "dim"
        )
    if context.rounds_text:
        screen.heading(
            f"And word for word ({counted(len(context.rounds), 'excerpt')}, {len(context.rounds_text):,} characters)"
        )
        screen.line(context.rounds_text, indent=2, hang=4)
    if context.lines:
        screen.heading("What each line rests on")
        _tell_sources(context, screen)
    if context.explained:
        _tell_parts(context, screen)
    if context.degraded:
        screen.line()
        for each in context.degraded:
            whole = (each.part, each.reason) == FROM_FILES
            told = TOLD.get((each.part, each.reason), f"Degraded: {each.part} ({each.reason})")
            screen.line(told, "dim" if whole else "yellow")


def _tell_sources(context: Context, screen: Screen) -> None:
    items = {item.id: item for item in context.items}
    for number, line in enumerate(context.lines, 1):
        screen.entry(f"{number:2}. {one_line(line.text)}", "bold")
        quotes = _quotes([items[node] for node in line.nodes if node in items], language_text=line.text)
        for told in quotes[:QUOTES_A_LINE]:
            screen.line(told, indent=5, hang=2)
        if len(quotes) > QUOTES_A_LINE:
            screen.line(f"and {len(quotes) - QUOTES_A_LINE} more", "dim", indent=5)


def _quotes(items: list[RecalledNode], *, language_text: str) -> tuple[str, ...]:
    """Each dated quote once; one that is part of another of the same message goes with it."""
    found = {(source.message, source.start, source.end, source.time, source.quote) for item in items for source in item.sources}
    whole = [
        each
        for each in found
        if not any(other[0] == each[0] and other[1] <= each[1] and each[2] <= other[2] and other != each for other in found)
    ]
    sources = {(each[3], each[4]) for each in whole}
    return describe_sources(sources, language=language_of(language_text), quote_chars=QUOTE_CHARS)


def _tell_parts(context: Context, screen: Screen) -> None:
    """The terms of each score, best first."""
    from rich.table import Table  # noqa: PLC0415 - only people who ask for parts

    for name, found in (("memories", context.items), ("excerpts", context.rounds)):
        if not found:
            continue
        screen.heading(f"How the {name} were ranked")
        parts = list(dict.fromkeys(part for each in found for part in each.parts))
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column("score", justify="right")
        for part in parts:
            table.add_column(part, justify="right")
        table.add_column("what")
        for each in found:
            what = each.content if isinstance(each, RecalledNode) else each.text
            numbers = [f"{each.parts[part]:.3f}" if part in each.parts else "" for part in parts]
            table.add_row(f"{each.score:.3f}", *numbers, screen.text(one_line(what)[:90]))
        screen.show(table)
    stages = ", ".join(f"{stage} {ms:.1f}" for stage, ms in context.timings.items())
    screen.line(f"milliseconds: {stages}", "dim")
