r"""Records in SYNX, in the one form that this parser never misreads.

SYNX has no escapes: a ``#`` or ``//`` after a space starts a comment, a line break ends a value, and odd keys, big numbers and
nested lists are lost without a word. So a document here is a list of rows a section, and a row is one quoted line::

    nodes
      - "j["8f3a","Мы едем в Тверь \u0023 завтра",0.5,null]"
      - "xWyLtoIAiXQ=="

``j``: the row as JSON, in which ``#``, ``//``, control characters and line breaks of any alphabet are escaped. ``x``: the
same JSON in base64, where a text holds lone surrogates (JSON's escapes would join two of them). A longer line is cut into
pieces, all but the last under ``+``, the last under ``.``. Inside JSON, ``{"": "…"}`` is bytes in base64, and
``{"": [[key, value] …]}`` a map that has an empty key. Section names are ours; a person's word is never a SYNX key. The parser
only ever parses: nothing in a document is resolved, included or run.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import synx_native

from memory_lib.errors import IllegalValue, UnreadableFile

Value = Any
"""None, bool, int, finite float, str, bytes, a list of values, or a map of str to values; of exactly these types."""

MAX_DOCUMENT_BYTES: Final = 15 * 1024 * 1024
"""The parser silently cuts a document at 16 MiB."""
PIECE_CHARACTERS: Final = 200_000
"""At most 800 KB of UTF-8: the parser may silently cut a value at 1 MiB."""

_SECTION: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
# what some reader of lines somewhere takes for white space, a line's end, or nothing at all
_ODD: Final = re.compile("[\x7f-\xa0\xad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff0-\uffff]")
_EMPTY_KEY: Final = '"":'
_BYTES_OR_PAIRS: Final = '{"":'

_EMPTY: Final = "[]"


@dataclass(frozen=True, slots=True)
class Packed:
    """A row ready for a document: its lines, and their size in bytes of UTF-8 with what stands round them."""

    value: Value
    lines: tuple[str, ...]
    size: int


def pack(value: Value) -> Packed:
    """The row's lines.

    Raises:
        IllegalValue: a value that would not come back as it is: of another type, not finite, a key that is no text, an integer
            of over 4,300 digits, or nested too deeply. (A tuple is refused by ``encode``, when it comes back as a list.)
    """
    text = _text(value)
    if text.isascii():
        line = "j" + text.replace("#", "\\u0023").replace("//", "\\/\\/").replace("\x7f", "\\u007f")
    elif _SURROGATE.search(text):
        line = "x" + base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")
    else:
        line = "j" + _ODD.sub(_escaped, text.replace("#", "\\u0023").replace("//", "\\/\\/"))
    if len(line) <= PIECE_CHARACTERS:
        lines: tuple[str, ...] = (line,)
    else:
        places = range(0, len(line), PIECE_CHARACTERS)
        pieces = [line[place : place + PIECE_CHARACTERS] for place in places]
        lines = (*["+" + piece for piece in pieces[:-1]], "." + pieces[-1])
    return Packed(value, lines, sum(len(each.encode()) + len('  - ""\n') for each in lines))


def encode(sections: Mapping[str, Sequence[Packed]]) -> bytes:
    """A document, read again and compared before it is handed out.

    Raises:
        IllegalValue: a section's name, a document over 15 MiB, or one that the parser does not read back as it was.
    """
    parts = []
    for name, rows in sections.items():
        if not _SECTION.fullmatch(name):
            raise IllegalValue(f"a section cannot be called {name!r}; a name is letters, digits and _")
        if rows:
            parts.append(name + "\n" + "".join([f'  - "{line}"\n' for row in rows for line in row.lines]))
        else:
            parts.append(f'{name} "{_EMPTY}"\n')
    data = "".join(parts).encode()
    if len(data) > MAX_DOCUMENT_BYTES:
        raise IllegalValue(
            f"a document of {len(data)} bytes is over the {MAX_DOCUMENT_BYTES} that are surely read whole; split it"
        )
    expected = {name: [line for row in rows for line in row.lines] for name, rows in sections.items()}
    lines = _lines(data)
    if lines != expected or any(_values(lines[name]) != [row.value for row in rows] for name, rows in sections.items()):
        raise IllegalValue("a document does not read back as it was written; nothing was kept, report this as a fault")
    return data


def decode(data: bytes) -> dict[str, list[Value]]:
    """Section → rows.

    Raises:
        UnreadableFile: it is not what ``encode`` makes.
    """
    return {name: _values(lines) for name, lines in _lines(data).items()}


def _text(value: Value) -> str:
    """The value as JSON. Most values are JSON as they are, which C code sees faster than a walk through them."""
    try:
        text = _ENCODER.encode(value)
        return text if _EMPTY_KEY not in text else _ENCODER.encode(_plain(value))
    except IllegalValue:
        raise
    except TypeError:
        return _ENCODER.encode(_plain(value))
    except RecursionError:
        raise IllegalValue("a value is nested too deeply to be kept in a file") from None
    except ValueError:
        raise IllegalValue("a number that is not finite or has over 4,300 digits cannot be kept in a file") from None


def _plain(value: Value) -> Value:
    """``value`` with bytes and empty keys as JSON can hold them; refuses what JSON would change."""
    kind = type(value)
    if value is None or kind is str or kind is int or kind is bool:
        return value
    if kind is float:
        if not math.isfinite(value):
            raise IllegalValue("a number that is not finite cannot be kept in a file")
        return value
    if kind is list:
        return [_plain(each) for each in value]
    if kind is bytes:
        return {"": base64.b64encode(value).decode("ascii")}
    if kind is dict:
        if not all(type(key) is str for key in value):
            raise IllegalValue("a map with a key that is no text cannot be kept in a file")
        if "" in value:
            return {"": [[key, _plain(each)] for key, each in value.items()]}
        return {key: _plain(each) for key, each in value.items()}
    raise IllegalValue(f"a value of type {kind.__name__} cannot be kept in a file")


def _special(value: dict[str, Value]) -> Value:
    if len(value) == 1 and "" in value:
        inside = value[""]
        return base64.b64decode(inside) if isinstance(inside, str) else dict(inside)
    return value


_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False)
_SPECIAL: Final = json.JSONDecoder(object_hook=_special)
_DECODER: Final = json.JSONDecoder()


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


def _lines(data: bytes) -> dict[str, list[str]]:
    try:
        parsed = synx_native.parse(data.decode())
    except ValueError:
        raise UnreadableFile("a document is not SYNX in UTF-8; restore the file from a backup") from None
    return {name: [] if lines == _EMPTY else _texts(lines) for name, lines in parsed.items()}


def _texts(lines: object) -> list[str]:
    if isinstance(lines, list) and all(type(line) is str and line for line in lines):
        return lines
    raise UnreadableFile("a document has a section that is no list of rows; restore the file from a backup")


def _values(lines: Iterable[str]) -> list[Value]:
    whole = _joined(lines)
    try:
        if not any(line[0] == "x" for line in whole):
            values: list[Value] = _json("[" + ",".join([line[1:] for line in whole]) + "]")
        else:
            values = [_json(_text_of(line)) for line in whole]
    except (ValueError, RecursionError, TypeError):
        raise UnreadableFile("a row of a document does not read; restore the file from a backup") from None
    if len(values) != len(whole):
        raise UnreadableFile("a row of a document holds more than one value; restore the file from a backup")
    return values


def _json(text: str) -> Any:
    return (_SPECIAL if _BYTES_OR_PAIRS in text else _DECODER).decode(text)


def _text_of(line: str) -> str:
    if line[0] == "x":
        return base64.urlsafe_b64decode(line[1:]).decode("utf-8", "surrogatepass")
    return line[1:]


def _joined(lines: Iterable[str]) -> list[str]:
    whole: list[str] = []
    pieces: list[str] = []
    for line in lines:
        tag = line[0]
        if tag in "jx" and not pieces:
            whole.append(line)
        elif tag in "+.":
            pieces.append(line[1:])
            if tag == ".":
                whole.append("".join(pieces))
                pieces = []
        else:
            raise UnreadableFile("a row of a document has no known tag; restore the file from a backup")
    if pieces or any(line[:1] not in ("j", "x") for line in whole):
        raise UnreadableFile("a row of a document is not complete; restore the file from a backup")
    return whole
