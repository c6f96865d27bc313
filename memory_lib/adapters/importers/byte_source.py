"""A file as bytes: read forward in chunks with progress, read again at a place, lines with a size limit."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from memory_lib.adapters.importers.limits import ImportLimits
from memory_lib.errors import UnreadableFile

Progress = Callable[[int, int], None]
"""Called with (bytes read so far, bytes to be read) over all files and passes of one import."""

UTF8_BOM = codecs.BOM_UTF8
UTF16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its line end. ``cut`` = it was longer than the limit and ``raw`` is only its beginning."""

    number: int
    raw: bytes
    cut: bool


class ByteMeter:
    """Adds up what is read over several files and passes, and tells the callback."""

    __slots__ = ("_done", "_on_progress", "_total")

    def __init__(self, on_progress: Progress | None, total: int) -> None:
        self._on_progress, self._total, self._done = on_progress, total, 0

    def add(self, count: int) -> None:
        self._done = min(self._done + count, self._total)
        if self._on_progress is not None:
            self._on_progress(self._done, self._total)

    def finish(self) -> None:
        """Whatever was not read will not be: the bar goes to its end."""
        if self._done < self._total:
            self.add(self._total - self._done)


class ByteSource:
    """One open file; close it or use ``with``.

    Raises:
        UnreadableFile: missing, not a file, not readable, empty, or UTF-16.
    """

    def __init__(self, path: Path, *, limits: ImportLimits, meter: ByteMeter | None = None) -> None:
        self._limits, self._meter = limits, meter
        try:
            self._file = path.open("rb")
        except FileNotFoundError:
            raise UnreadableFile("there is no file at the path given; check the path") from None
        except IsADirectoryError:
            raise UnreadableFile("the path given is a folder; give the export file inside it") from None
        except OSError as error:
            problem = error.strerror or type(error).__name__
            raise UnreadableFile(f"the file cannot be opened ({problem}); check its permissions") from None
        self.size = os.fstat(self._file.fileno()).st_size
        head = self._file.read(len(UTF8_BOM))
        self.start = len(UTF8_BOM) if head == UTF8_BOM else 0
        if head.startswith(UTF16_BOMS):
            self.close()
            raise UnreadableFile("the file is in UTF-16; save it as UTF-8 and import it again")
        self.rewind()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()

    def rewind(self) -> None:
        """Back to the first byte after a byte order mark."""
        self._file.seek(self.start)

    def chunk(self) -> bytes:
        """The next bytes, empty at the end."""
        return self._counted(self._file.read(self._limits.chunk_bytes))

    def at(self, start: int, end: int) -> bytes:
        """Bytes ``start`` to ``end`` of the file, without moving the forward reading."""
        here = self._file.tell()
        self._file.seek(start)
        data = self._file.read(end - start)
        self._file.seek(here)
        return data

    def lines(self) -> Iterator[Line]:
        """Lines split at LF (a CR before it goes too); blank ones are left out, numbers still count them."""
        limit, number = self._limits.record_bytes, 0
        while data := self._counted(self._file.readline(limit)):
            number += 1
            cut = not data.endswith(b"\n") and len(data) >= limit
            if cut:
                data = data[: self._limits.kept_of_oversized]
                while rest := self._counted(self._file.readline(self._limits.chunk_bytes)):
                    if rest.endswith(b"\n"):
                        break
            raw = data.removesuffix(b"\n").removesuffix(b"\r")
            if raw.strip(b" \t\r"):
                yield Line(number, raw, cut)

    def _counted(self, data: bytes) -> bytes:
        if self._meter is not None and data:
            self._meter.add(len(data))
        return data
