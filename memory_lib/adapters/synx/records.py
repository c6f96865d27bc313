"""Frozen values to rows and back, by their own field types.

A row holds a value's fields in order; which fields, of which class, is written beside the rows (``layout``), for the classes
inside it too. So a field added to a class is carried from then on, and an older file gives it its default.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import cache, lru_cache
from itertools import chain, islice
from typing import Any, Final, Generic, TypeVar

from memory_lib.errors import SchemaMismatch

T = TypeVar("T")
Code = Callable[[Any], Any]
Column = Callable[[Sequence[Any]], list[Any]]
Layout = Mapping[str, Sequence[str]]
"""Name of a class → names of its fields, in the order of a row."""

_SCALARS: Final[Mapping[object, Code | None]] = {str: None, int: int, float: float, bool: bool}
_instant: Final = lru_cache(maxsize=8192)(datetime.fromisoformat)


class Records(Generic[T]):
    """Rows of one dataclass.

    Raises:
        TypeError: a field, here or further in, of a type that is not known to come back as it is.
    """

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        self._row = _row_maker(kind)
        self.layout: dict[str, list[str]] = {}
        _lay_out(kind, self.layout)
        self._readers: dict[tuple[tuple[str, tuple[str, ...]], ...], Callable[[Sequence[Any]], list[T]]] = {}

    def row(self, value: T) -> list[Any]:
        """The value's fields as plain values (``encoding.Value``)."""
        row: list[Any] = self._row(value)
        return row

    def read(self, rows: Sequence[Any], layout: Layout) -> list[T]:
        """The values of rows written under ``layout``.

        Raises:
            SchemaMismatch: a field or a value of an enumeration that this program does not know, or one it cannot do without.
            ValueError, TypeError, LookupError: rows that are not of this layout.
        """
        key = tuple((name, tuple(columns)) for name, columns in sorted(layout.items()))
        reader = self._readers.get(key)
        if reader is None:
            reader = self._readers[key] = _rows_reader(self._kind, dict(layout))
        return reader(rows)


@cache
def _fields(kind: type) -> tuple[tuple[str, Any, bool], ...]:
    """(name, type, whether it may be left out) of each field."""
    hints = typing.get_type_hints(kind)
    missing = dataclasses.MISSING
    made = [each.name for each in dataclasses.fields(kind) if not each.init]
    if made:
        raise TypeError(f"fields {made} of {kind.__name__} are made, not given; they cannot be read from a row")
    return tuple(
        (each.name, hints[each.name], each.default is not missing or each.default_factory is not missing)
        for each in dataclasses.fields(kind)
    )


def _plain_type(hint: Any) -> Any:
    """What a NewType stands for."""
    while isinstance(hint, typing.NewType):
        hint = hint.__supertype__
    return hint


def _optional(hint: Any) -> Any | None:
    """The other one of ``X | None``."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        rest = [each for each in typing.get_args(hint) if each is not type(None)]
        if len(rest) == 1 and len(typing.get_args(hint)) == 2:
            return rest[0]
    return None


def _item(hint: Any) -> Any | None:
    """``X`` of ``tuple[X, ...]``."""
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return arguments[0]
    return None


def _mapped(hint: Any) -> Any | None:
    """``X`` of ``Mapping[str, X]``."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(origin, type) and issubclass(origin, Mapping) and _plain_type(arguments[0]) is str:
        return arguments[1]
    return None


def _lay_out(hint: Any, layout: dict[str, list[str]]) -> None:
    hint = _plain_type(hint)
    for inner in (_optional(hint), _item(hint), _mapped(hint)):
        if inner is not None:
            _lay_out(inner, layout)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint) and hint.__name__ not in layout:
        layout[hint.__name__] = [name for name, _hint, _optional_ in _fields(hint)]
        for _name, inner, _may_be_left_out in _fields(hint):
            _lay_out(inner, layout)


# -- to rows; None where a value stays as it is --


def _writer(hint: Any) -> Code | None:  # noqa: PLR0911 - one branch a kind of type
    hint = _plain_type(hint)
    if hint in _SCALARS:
        return _SCALARS[hint]
    if hint is datetime:
        return datetime.isoformat
    if isinstance(hint, type) and issubclass(hint, Enum):
        return lambda value: value.value
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _row_maker(hint)
    if (inner := _optional(hint)) is not None:
        return _if_given(_writer(inner))
    if (inner := _item(hint)) is not None:
        return _items_written(_writer(inner))
    if (inner := _mapped(hint)) is not None:
        return _values_written(_writer(inner))
    raise TypeError(f"a field of type {hint} is not known to come back from a file as it was; say how in {__name__}")


def _if_given(write: Code | None) -> Code | None:
    return None if write is None else lambda value: None if value is None else write(value)


def _items_written(write: Code | None) -> Code:
    return list if write is None else lambda value: [write(each) for each in value]


def _values_written(write: Code | None) -> Code:
    return dict if write is None else lambda value: {key: write(each) for key, each in value.items()}


def _row_maker(kind: type) -> Code:
    writers = [(name, _writer(hint)) for name, hint, _optional_ in _fields(kind)]

    def row(value: Any) -> list[Any]:
        return [getattr(value, name) if write is None else write(getattr(value, name)) for name, write in writers]

    return row


# -- from rows: many values of one field at a time, which leaves the loops to C; None where values stay as they are --


def _reader(hint: Any, layout: Layout) -> Column | None:  # noqa: PLR0911 - one branch a kind of type
    hint = _plain_type(hint)
    if hint in _SCALARS:
        return None
    if hint is datetime:
        return lambda values: list(map(_instant, values))
    if isinstance(hint, type) and issubclass(hint, Enum):
        member = _Members(hint).__getitem__
        return lambda values: list(map(member, values))
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _rows_reader(hint, layout)
    if (inner := _optional(hint)) is not None:
        return _where_given(_reader(inner, layout))
    if (inner := _item(hint)) is not None:
        return _items_read(_reader(inner, layout))
    return _values_read(_reader(_mapped(hint), layout))


def _where_given(read: Column | None) -> Column | None:
    if read is None:
        return None

    def column(values: Sequence[Any]) -> list[Any]:
        given = [value for value in values if value is not None]
        if not given:
            return list(values)
        found = iter(read(given))
        return [None if value is None else next(found) for value in values]

    return column


def _items_read(read: Column | None) -> Column:
    if read is None:
        return lambda values: list(map(tuple, values))

    def column(values: Sequence[Any]) -> list[Any]:
        found = iter(read(list(chain.from_iterable(values))))
        return [tuple(islice(found, len(each))) for each in values]

    return column


def _values_read(read: Column | None) -> Column | None:
    if read is None:
        return None
    return lambda values: [dict(zip(each, read(list(each.values())), strict=True)) for each in values]


class _Members(dict[Any, Any]):
    """Values of an enumeration → its members."""

    def __init__(self, kind: type[Enum]) -> None:
        super().__init__({member.value: member for member in kind})
        self._name = kind.__name__

    def __missing__(self, value: object) -> Any:
        raise SchemaMismatch(f"a sealed file has a {self._name} that this program does not know; install the newer release")


def _columns(kind: type, layout: Layout) -> list[tuple[str, Column | None]]:
    """(field, how to read it) in the order of a row."""
    if kind.__name__ not in layout:
        raise SchemaMismatch(f"a sealed file does not say what fields its {kind.__name__} rows have; restore it from a backup")
    known = {name: hint for name, hint, _optional_ in _fields(kind)}
    columns = layout[kind.__name__]
    if any(name not in known for name in columns):
        raise SchemaMismatch(f"a sealed file has {kind.__name__} fields of a newer release; install it")
    lacking = [name for name, _hint, optional in _fields(kind) if not optional and name not in columns]
    if lacking:
        raise SchemaMismatch(
            f"a sealed file lacks the {kind.__name__} fields {lacking}; read it with the release that wrote it"
        )
    return [(name, _reader(known[name], layout)) for name in columns]


def _in_place(kind: type, columns: Sequence[str]) -> bool:
    """Whether the columns are the first arguments of the class, in their order."""
    fields = dataclasses.fields(kind)
    return not any(each.kw_only for each in fields) and [each.name for each in fields][: len(columns)] == list(columns)


def _rows_reader(kind: type[T], layout: Layout) -> Callable[[Sequence[Any]], list[T]]:
    columns = _columns(kind, layout)
    names = [name for name, _read in columns]
    in_place = _in_place(kind, names)

    def read(rows: Sequence[Any]) -> list[T]:
        if not rows:
            return []
        by_column = list(zip(*rows, strict=True))
        if len(by_column) != len(names):
            raise ValueError(len(names))
        ready = [values if code is None else code(values) for values, (_name, code) in zip(by_column, columns, strict=True)]
        if in_place:
            return list(map(kind, *ready))
        return [kind(**dict(zip(names, values))) for values in zip(*ready, strict=True)]  # noqa: B905 - both of one length

    return read
