"""Fenced code blocks of the documents, with where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.architecture.tree import ROOT, tracked_files

FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=indent)```[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """``language`` is the first word after the fence; ``line`` is that of the block's first line of code, from 1."""

    file: Path
    line: int
    language: str
    code: str


@dataclass(frozen=True, slots=True)
class Command:
    """One ``$ `` line of a console block (continued over ``\\`` at its end) with the output shown under it."""

    file: Path
    line: int
    words: str
    shown: str


def documents() -> tuple[Path, ...]:
    return tuple(path for path in tracked_files() if path.suffix == ".md")


def text_of(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def blocks(path: Path, language: str) -> Iterator[Block]:
    text = text_of(path)
    for match in FENCE.finditer(text):
        info = match["info"].split()
        if info[:1] == [language]:
            indent = len(match["indent"])
            code = "".join(line[indent:] if line.strip() else line for line in match["body"].splitlines(keepends=True))
            yield Block(path, text.count("\n", 0, match.start("body")) + 1, language, code)


def commands(path: Path) -> Iterator[Command]:
    for block in blocks(path, "console"):
        current: tuple[int, str] | None = None
        shown: list[str] = []
        for number, line in enumerate(block.code.splitlines(), block.line):
            if line.startswith("$ "):
                if current:
                    yield Command(path, *current, "\n".join(shown))
                current, shown = (number, line[2:]), []
            elif current and current[1].endswith("\\") and not shown:
                current = (current[0], current[1][:-1] + line.strip())
            else:
                shown.append(line)
        if current:
            yield Command(path, *current, "\n".join(shown))
