"""One JSON value out of its bytes, text kept exactly: lone surrogates and NUL escapes come through as they were given."""

from __future__ import annotations

import json
from typing import NoReturn


class NotJson(Exception):
    """The bytes are no JSON value; ``reason`` says why without showing any of them."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class _DuplicateKey(ValueError):
    pass


def decode(raw: bytes, *, unique_keys: bool = False, lenient: bool = False) -> object:
    """The value that the bytes write.

    ``unique_keys`` refuses an object that names a key twice (otherwise the last one counts, as usual for JSON); ``lenient``
    lets raw control characters stand inside strings, which some exporters write.

    Raises:
        NotJson: invalid UTF-8, not one JSON value, NaN or Infinity, nested deeper than the interpreter goes.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson(f"invalid UTF-8 at its byte {error.start + 1}; save the file as UTF-8") from None
    hook = _unique if unique_keys else None
    try:
        value: object = json.loads(text, object_pairs_hook=hook, parse_constant=_constant, strict=not lenient)
    except _DuplicateKey:
        raise NotJson("names a field twice; each field may stand once") from None
    except json.JSONDecodeError as error:
        raise NotJson(f"not valid JSON at its character {error.pos + 1}") from None
    except RecursionError:
        raise NotJson("nested too deeply") from None
    except ValueError:
        raise NotJson("holds a number that JSON does not allow or that is too long") from None
    return value


def encode(value: object) -> bytes:
    """Bytes for the quarantine of a part of a larger record."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _DuplicateKey
    return fields


def _constant(_name: str) -> NoReturn:
    raise ValueError
