"""Cuts a JSON text of any size into its records without holding it: each piece comes as its own bytes with its path.

A streaming parser was tried first (ijson 3.6 with yajl): it silently replaces a lone surrogate by "?", stops for good at the
first bad byte, and does not give a record's bytes back for the quarantine. Cutting by brackets keeps all three: a piece is
decoded by the standard library afterwards, a broken one spoils only itself, and its bytes are at hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memory_lib.adapters.importers.byte_source import ByteSource
from memory_lib.adapters.importers.json_value import NotJson, decode
from memory_lib.adapters.importers.limits import ImportLimits

Path = tuple[str | int, ...]

TOP_LEVEL = "top level of the file"
"""The place of a break outside every record."""

_BLANK = re.compile(rb"[ \t\n\r]*+")
_SCALAR = re.compile(rb"[^ \t\n\r,\]}\[{\":]*+")
_IN_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_BETWEEN_BRACKETS = re.compile(rb'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
_OPENERS, _CLOSERS = b"{[", b"}]"


class BrokenText(Exception):
    """The text stops being JSON at byte ``offset``; nothing after it can be cut. ``cut_off`` = it simply ends too early."""

    def __init__(self, path: Path, offset: int, *, cut_off: bool) -> None:
        self.path, self.offset, self.cut_off = path, offset, cut_off
        super().__init__(f"JSON breaks at byte {offset}")

    @property
    def reason(self) -> str:
        if self.cut_off:
            return "the file ends inside this record; what was whole before it is imported, export or copy the file again"
        return f"the file stops being JSON at byte {self.offset}; nothing after it was read, export or copy the file again"


@dataclass(frozen=True, slots=True)
class Piece:
    """A value that was not entered, or (``closed``) the end of a container that was.

    ``path``: keys and indexes from the top; ``position``: its place in its container, from 0. ``start``/``end``: bytes of the
    file. ``raw`` is cut short where ``oversized``.
    """

    path: Path
    position: int
    start: int
    end: int
    raw: bytes
    oversized: bool = False
    closed: bool = False


class _Cursor:
    """A window on the file that moves forward; bytes from ``hold`` on stay in it."""

    def __init__(self, source: ByteSource, limits: ImportLimits) -> None:
        self._source, self._limits = source, limits
        self.window, self.at, self.base = b"", 0, source.start
        self.hold: int | None = None
        self.cut: bytes | None = None

    @property
    def offset(self) -> int:
        return self.base + self.at

    def begin(self) -> int:
        """Keeps the bytes from here on for ``taken``; gives their offset."""
        self.hold, self.cut = self.at, None
        return self.offset

    def taken(self) -> bytes:
        """The bytes since ``begin``, or the first of them where they are more than a record may have."""
        raw = self.cut or b""
        if self.hold is not None:
            oversized = self.at - self.hold > self._limits.record_bytes
            raw = self.window[self.hold : self.hold + self._limits.kept_of_oversized if oversized else self.at]
        self.hold = None
        return raw

    def more(self) -> bool:
        """Takes in the next chunk; False at the end of the file."""
        keep = self.at if self.hold is None else self.hold
        if self.hold is not None and self.at - self.hold > self._limits.record_bytes:
            self.cut = self.window[self.hold : self.hold + self._limits.kept_of_oversized]
            self.hold, keep = None, self.at
        chunk = self._source.chunk()
        if not chunk:
            return False
        self.window = self.window[keep:] + chunk
        self.base, self.at = self.base + keep, self.at - keep
        if self.hold is not None:
            self.hold = 0
        return True

    def peek(self) -> int | None:
        """The next byte that is not blank, or None at the end."""
        while True:
            found = _BLANK.match(self.window, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self.window):
                return self.window[self.at]
            if not self.more():
                return None

    def pass_string(self) -> bool:
        """Over a string whose opening quote is next; False where the file ends first."""
        self.at += 1
        while True:
            found = _IN_STRING.match(self.window, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self.window) and self.window[self.at] == 0x22:
                self.at += 1
                return True
            if not self.more():
                return False

    def pass_scalar(self) -> bool:
        begun = self.offset
        while True:
            found = _SCALAR.match(self.window, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self.window) or not self.more():
                return self.offset > begun

    def pass_container(self) -> bool:
        """Over a bracket and all that it holds, kinds of bracket unchecked (decoding checks them)."""
        self.at += 1
        depth = 1
        while True:
            found = _BETWEEN_BRACKETS.match(self.window, self.at)
            self.at = found.end() if found else self.at
            if self.at >= len(self.window):
                if not self.more():
                    return False
                continue
            byte = self.window[self.at]
            if byte == 0x22:
                if not self.pass_string():
                    return False
                continue
            self.at += 1
            depth += 1 if byte in _OPENERS else -1
            if depth == 0:
                return True


def pieces(source: ByteSource, *, enters: Callable[[Path], bool], limits: ImportLimits) -> Iterator[Piece]:
    """Every value of the text, in order; containers whose path ``enters`` accepts are opened instead of given whole.

    Raises:
        BrokenText: the text ends early or stops being JSON; all pieces before that place were given.
    """
    cursor = _Cursor(source, limits)
    yield from _value(cursor, (), 0, enters, limits)
    if cursor.peek() is not None:
        raise BrokenText((), cursor.offset, cut_off=False)


def _value(cursor: _Cursor, path: Path, position: int, enters: Callable[[Path], bool], limits: ImportLimits) -> Iterator[Piece]:
    byte = cursor.peek()
    if byte is None:
        raise BrokenText(path, cursor.offset, cut_off=True)
    if byte in _OPENERS and enters(path):
        yield from _members(cursor, path, position, enters, limits)
    else:
        yield _whole(cursor, path, position, byte, limits)


def _whole(cursor: _Cursor, path: Path, position: int, byte: int, limits: ImportLimits) -> Piece:
    start = cursor.begin()
    if byte == 0x22:
        complete = cursor.pass_string()
    elif byte in _OPENERS:
        complete = cursor.pass_container()
    else:
        complete = cursor.pass_scalar()
    if not complete:
        raise BrokenText(path, cursor.offset, cut_off=byte == 0x22 or byte in _OPENERS)
    oversized = cursor.offset - start > limits.record_bytes
    return Piece(path, position, start, cursor.offset, cursor.taken(), oversized=oversized)


def _members(
    cursor: _Cursor, path: Path, position: int, enters: Callable[[Path], bool], limits: ImportLimits
) -> Iterator[Piece]:
    start = cursor.offset
    is_object = cursor.window[cursor.at] == 0x7B
    closer = _CLOSERS[0] if is_object else _CLOSERS[1]
    cursor.at += 1
    count = 0
    while True:
        byte = cursor.peek()
        if byte is None:
            raise BrokenText(path, cursor.offset, cut_off=True)
        if byte == closer and count == 0:
            break
        if count:
            if byte == closer:
                break
            if byte != 0x2C:
                raise BrokenText((*path, count), cursor.offset, cut_off=False)
            cursor.at += 1
        key: str | int = _key(cursor, path, limits) if is_object else count
        yield from _value(cursor, (*path, key), count, enters, limits)
        count += 1
    cursor.at += 1
    yield Piece(path, position, start, cursor.offset, b"", closed=True)


def _key(cursor: _Cursor, path: Path, limits: ImportLimits) -> str:
    byte = cursor.peek()
    if byte != 0x22:
        raise BrokenText(path, cursor.offset, cut_off=byte is None)
    piece = _whole(cursor, path, 0, byte, limits)
    byte = cursor.peek()
    if byte != 0x3A:
        raise BrokenText(path, cursor.offset, cut_off=byte is None)
    cursor.at += 1
    try:
        key = decode(piece.raw)
    except NotJson:
        raise BrokenText(path, piece.start, cut_off=False) from None
    return str(key)
