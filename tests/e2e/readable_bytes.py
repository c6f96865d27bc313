"""What a thief of the disk would find: words and vectors in any file, in the encodings that programs write them in."""

from __future__ import annotations

import base64
import bz2
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import zstandard
from numpy.typing import NDArray

from tests.contracts.ledger.test_sealed_bytes import encodings

DEEPEST = 3
"""A stream inside a stream inside a stream."""
LARGEST = 64 << 20
BITE = 1 << 12
PREFIX, SHORTEST = 4, 8


def word_traces(word: str) -> Iterator[tuple[str, bytes]]:
    """(encoding, bytes) of a word of at least six letters."""
    plain = word.encode()
    yield from encodings(word)
    yield "utf-16-be", word.encode("utf-16-be")
    yield "utf-32", word.encode("utf-32-le")
    yield "json, capitals", b"".join(f"\\u{ord(c):04X}".encode() if ord(c) > 127 else c.encode() for c in word)
    yield "every letter escaped", b"".join(f"\\u{ord(c):04x}".encode() for c in word)
    yield "url", quote(word).encode()
    yield "url, small letters", quote(word).lower().encode()
    yield "hex, capitals", plain.hex().upper().encode()
    yield "python bytes", repr(plain)[2:-1].encode()
    yield "base64url", base64.urlsafe_b64encode(plain)[:-4]
    yield "base64 of utf-16", base64.b64encode(word.encode("utf-16-le"))[:-4]


WINDOW = 16


def vector_traces(vector: NDArray[np.float32]) -> Iterator[tuple[str, bytes]]:
    """(encoding, 16 bytes) at the beginning, in the middle and at the end."""
    for kind in ("<f4", ">f4", "<f2", ">f2", "<f8"):
        raw = vector.astype(kind).tobytes()
        middle = len(raw) // 2 // WINDOW * WINDOW
        for start in (0, middle, len(raw) - WINDOW):
            yield f"{kind} at {start}", raw[start : start + WINDOW]


Unpack = Callable[[memoryview], bytes]


def _until_it_breaks(make: Callable[[], Any]) -> Unpack:
    """What a decompressor gives before the stream ends or turns out to be none."""

    def unpacked(data: memoryview) -> bytes:
        stream, out = make(), bytearray()
        # small bites: what came before the first wrong byte counts too
        for start in range(0, len(data), BITE):
            try:
                out += stream.decompress(data[start : start + BITE])
            except (zlib.error, OSError, EOFError, ValueError, lzma.LZMAError, zstandard.ZstdError, MemoryError):
                break
            if len(out) > LARGEST or stream.eof:
                break
        return bytes(out)

    return unpacked


STREAMS: Mapping[bytes, Unpack] = {
    b"\x1f\x8b\x08": _until_it_breaks(lambda: zlib.decompressobj(31)),
    b"\x28\xb5\x2f\xfd": _until_it_breaks(lambda: zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()),
    b"BZh": _until_it_breaks(bz2.BZ2Decompressor),
    b"\xfd7zXZ\x00": _until_it_breaks(lzma.LZMADecompressor),
    **{bytes((0x78, level)): _until_it_breaks(zlib.decompressobj) for level in (0x01, 0x5E, 0x9C, 0xDA)},
}
_BEGINNINGS = re.compile(b"|".join(re.escape(magic) for magic in STREAMS))


def layers(data: bytes, depth: int = 0) -> Iterator[bytes]:
    """The bytes themselves, and whatever can be unpacked from any place in them."""
    yield data
    if depth < DEEPEST:
        for match in _BEGINNINGS.finditer(data):
            inner = STREAMS[match.group()](memoryview(data)[match.start() :])
            if len(inner) > PREFIX:
                yield from layers(inner, depth + 1)


class Search:
    """For words by name, and vectors. All traces at once: by their first four bytes, then in full."""

    def __init__(self, words: Mapping[str, str], vectors: Iterable[NDArray[np.float32]] = ()) -> None:
        self._names: dict[bytes, list[tuple[bytes, str]]] = {}
        self._firsts, self._seconds = np.zeros(1 << 16, np.bool_), np.zeros(1 << 16, np.bool_)
        for name, word in words.items():
            for coding, trace in word_traces(word):
                self._add(trace, f"{name} ({coding})")
        for vector in vectors:
            for coding, trace in vector_traces(vector):
                self._add(trace, f"vector ({coding})")

    def _add(self, trace: bytes, name: str) -> None:
        assert len(trace) >= SHORTEST, f"{name} is too short to be told from chance"
        self._names.setdefault(trace[:PREFIX], []).append((trace, name))
        self._firsts[int.from_bytes(trace[:2])] = True
        self._seconds[int.from_bytes(trace[2:PREFIX])] = True

    def found(self, data: bytes) -> set[str]:
        """Names of what these bytes give away, with its encoding."""
        return {name for layer in layers(data) for name in self._found_in(layer)}

    def _found_in(self, data: bytes) -> Iterator[str]:
        octets = np.frombuffer(data, np.uint8).astype(np.uint16)
        pairs = (octets[:-1] << 8) | octets[1:]
        places = np.flatnonzero(self._firsts[pairs[:-2]] & self._seconds[pairs[2:]])
        for place in places.tolist():
            for trace, name in self._names.get(data[place : place + PREFIX], ()):
                if data.startswith(trace, place):
                    yield name

    def found_under(self, root: Path) -> dict[str, set[str]]:
        """The same by file, for everything under ``root``; names of files and folders are looked at too."""
        told: dict[str, set[str]] = {}
        for path in sorted(root.rglob("*")):
            name = str(path.relative_to(root))
            try:
                content = path.read_bytes() if path.is_file() else b""
            except FileNotFoundError:  # gone meanwhile: another process is at work
                content = b""
            if found := self.found(name.encode("utf-8", "surrogateescape") + b"\0" + content):
                told[name] = found
        return told
