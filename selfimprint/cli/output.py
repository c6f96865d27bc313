"""What commands write: results to standard output, what happens meanwhile to standard error.

People see text; with ``--json`` standard output holds one JSON document and nothing else. Neither can fail on a character: what
the terminal's encoding lacks is escaped, and control characters inside remembered words never reach the terminal.
"""

from __future__ import annotations

import io
import json
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress, TaskID
    from rich.text import Text

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What steers a terminal: control characters, and those that turn the writing direction."""
_PLAIN = str.maketrans(
    {
        "…": "...",
        "·": "-",
        "—": "-",
        "–": "-",
        "→": "->",
        "←": "<-",
        "★": "*",
        "“": '"',
        "”": '"',
        "‘": "'",
        "’": "'",
        "✓": "ok",
    }
)
PLAIN_WIDTH = 120
"""Columns where the output is no terminal and COLUMNS is not set: a log's reader scrolls, a table should not be cut to 80."""


def encodable(text: str, encoding: str) -> str:
    """``text`` as far as ``encoding`` can hold it: plain look-alikes for our own signs, escapes for the rest."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:
        return text.encode("ascii", "backslashreplace").decode("ascii")
    return text


def json_text(value: object, encoding: str) -> str:
    """JSON with words as they are; with every other letter than ASCII escaped where one cannot be encoded (a lone surrogate,
    a terminal that is not UTF-8).
    """
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return json.dumps(value, ensure_ascii=True, indent=2)
    return text


def encoding_of(stream: IO[str]) -> str:
    """A stream's encoding."""
    return getattr(stream, "encoding", None) or "utf-8"


def visible(text: str) -> str:
    """Without the controls and hidden characters that could steer a terminal."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """``visible``, on one line."""
    return " ".join(visible(text).split())


@dataclass(slots=True)
class Screen:
    """Where one command writes. ``as_json``: standard output is kept for the one document."""

    as_json: bool = False
    _console: Console | None = None
    _meanwhile: Console | None = None

    def give(self, value: object) -> None:
        """The JSON document."""
        sys.stdout.write(json_text(value, encoding_of(sys.stdout)) + "\n")

    @property
    def console(self) -> Console:
        if self._console is None:
            self._console = _console(sys.stdout)
        return self._console

    @property
    def meanwhile(self) -> Console:
        if self._meanwhile is None:
            self._meanwhile = _console(sys.stderr)
        return self._meanwhile

    def text(self, text: str, style: str = "") -> Text:
        """Words for standard output, safe for it."""
        from rich.text import Text  # noqa: PLC0415 - --help and --json do without

        return Text(encodable(visible(text), encoding_of(sys.stdout)), style=style)

    def line(self, text: str = "", style: str = "", *, indent: int = 0, hang: int = 0, wrap: bool = True) -> None:
        """Paragraphs on standard output, each wrapped under its own indent (``hang`` more from its second row on); or (``wrap``
        off) as long as they are.
        """
        for paragraph in text.split("\n"):
            told = self.text(paragraph, style)
            if not wrap:
                self.console.print(told, soft_wrap=True)
                continue
            rows = told.wrap(self.console, max(20, self.console.width - indent - hang))
            for number, row in enumerate(rows or [told]):
                row.rstrip()
                row.pad_left(indent + (hang if number else 0))
                self.console.print(row, no_wrap=True, overflow="ignore", crop=False)

    def entry(self, text: str, style: str = "") -> None:
        """One row, cut where it is longer than the screen."""
        self.console.print(self.text(text, style), no_wrap=True, overflow="ellipsis", crop=True)

    def show(self, renderable: RenderableType) -> None:
        self.console.print(renderable)

    def heading(self, text: str, *, strong: bool = False) -> None:
        from rich.rule import Rule  # noqa: PLC0415

        title = self.text(text, "bold" if strong else "")
        self.console.print()
        self.console.print(Rule(title, align="left", characters="═" if strong else "─", style="cyan" if strong else "dim"))

    def note(self, text: str, style: str = "") -> None:
        """A line about what happens, on standard error; not with ``--json``."""
        if not self.as_json:
            from rich.text import Text  # noqa: PLC0415

            self.meanwhile.print(Text(encodable(visible(text), encoding_of(sys.stderr)), style=style))

    @contextmanager
    def working(self) -> Iterator[Work]:
        """Progress: bars on a terminal, else a line for each stage once it is done."""
        if not self.meanwhile.is_terminal:
            work = Work(self)
            yield work
            work.finish()
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=32),
            MofNCompleteColumn(),
            TextColumn("{task.fields[unit]}"),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=self.meanwhile) as bars:
            work = Work(self, bars)
            yield work
            work.finish()


@dataclass(slots=True)
class _Stage:
    unit: str
    total: int | None
    started: float
    done: int = 0
    bar: TaskID | None = None
    said: bool = False


@dataclass(slots=True)
class Work:
    """Stages of what is being done. Safe between threads."""

    screen: Screen
    bars: Progress | None = None
    _stages: dict[str, _Stage] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def advance(self, name: str, count: int, *, unit: str, total: int | None) -> None:
        """``count`` more of stage ``name`` are done; stages before it are over."""
        with self._lock:
            stage = self._stages.get(name)
            if stage is None:
                self._finish()
                stage = self._stages[name] = _Stage(unit, total, time.monotonic())
                if self.bars is not None:
                    stage.bar = self.bars.add_task(encodable(name, encoding_of(sys.stderr)), total=total, unit=unit)
            stage.done += count
            if self.bars is not None and stage.bar is not None:
                self.bars.update(stage.bar, completed=stage.done, total=None if total is None else max(total, stage.done))

    def finish(self) -> None:
        with self._lock:
            self._finish()

    def _finish(self) -> None:
        for name, stage in self._stages.items():
            if stage.said:
                continue
            stage.said = True
            if self.bars is not None and stage.bar is not None:
                self.bars.update(stage.bar, completed=stage.done, total=stage.done)
            elif stage.done:
                self.screen.note(f"{name}: {stage.done:,} {stage.unit}, {time.monotonic() - stage.started:.1f} s")


def _console(stream: IO[str]) -> Console:
    if isinstance(stream, io.TextIOWrapper):
        # signs that rich adds itself (an ellipsis, a table's lines) may not fit the terminal's encoding either
        stream.reconfigure(errors="backslashreplace")
    import os  # noqa: PLC0415

    from rich.console import Console  # noqa: PLC0415

    wide = None if stream.isatty() or os.environ.get("COLUMNS") else PLAIN_WIDTH
    return Console(file=stream, width=wide, highlight=False, markup=False, emoji=False, soft_wrap=False)


def counted(number: int, one: str, many: str | None = None) -> str:
    """``1 message``, ``1,204 messages``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(counts: dict[str, Any]) -> str:
    """``3 service line, 1 no text``: what was counted, the most first."""
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0])))
