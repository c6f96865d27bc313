"""What the answer to a job may look like: closed objects, every field required, every string, list and number bounded.

Servers constrain sampling by this schema, and what they let through is validated again. Nothing in an answer is free to become
a label, a type or a path: what decides is an enum or a number, what is quoted must be found in the text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memory_lib.errors import BadAnswer, IllegalValue

Percent = Annotated[int, Field(ge=0, le=100)]
"""Servers enforce bounds of integers and not of floats (TRAPS, Models), so a share is asked for in percent."""

AnswerT = TypeVar("AnswerT", bound="StrictModel")

_REFUSED_KEYS = ("anyOf", "oneOf", "allOf", "default", "patternProperties")
_FAULTS = 3
"""So many faults of an answer are told to the model; more only lengthen the prompt."""


class StrictModel(BaseModel):
    """A closed, frozen record: no unknown field, no optional one, no default, no coercion."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


@cache
def json_schema(answer: type[StrictModel]) -> Mapping[str, Any]:
    """The schema sent to the server. Raises IllegalValue where it is not strict."""
    schema = answer.model_json_schema()
    assert_strict(schema)
    return schema


def assert_strict(schema: Mapping[str, Any]) -> None:
    """Every object closed with all its properties required, every string, array and integer bounded, no floats, no unions.

    Raises:
        IllegalValue: names the place in the schema and what is missing there.
    """
    for place, part in _parts(schema, "answer"):
        fault = _fault(part)
        if fault is not None:
            raise IllegalValue(f"the schema at {place} is not strict: {fault}")


def _parts(schema: Mapping[str, Any], place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield place, schema
    for name, part in {**schema.get("$defs", {}), **schema.get("properties", {})}.items():
        yield from _parts(part, f"{place}.{name}")
    if "items" in schema:
        yield from _parts(schema["items"], f"{place}[]")


def _fault(part: Mapping[str, Any]) -> str | None:  # noqa: PLR0911 - a table of cases
    refused = [key for key in _REFUSED_KEYS if key in part]
    if refused:
        return f"it uses {', '.join(refused)}"
    if "$ref" in part or "enum" in part or "const" in part:
        return None
    kind = part.get("type")
    if kind == "object":
        if part.get("additionalProperties") is not False:
            return "additionalProperties is not false"
        if sorted(part.get("required", ())) != sorted(part.get("properties", {})):
            return "not every property is required"
        return None
    needed = {"string": ("maxLength",), "array": ("maxItems", "items"), "integer": ("minimum", "maximum"), "boolean": ()}
    if kind not in needed:
        return f"type {kind} is not allowed"
    missing = [key for key in needed[str(kind)] if key not in part]
    return f"{', '.join(missing)} missing" if missing else None


def parse_answer(text: str, answer: type[AnswerT]) -> AnswerT:
    """The answer as its record. The text must be one JSON object and nothing else, apart from white space.

    Raises:
        BadAnswer: not JSON, a key twice, a number that is none, or outside the schema. Carries no word of the text.
    """
    if _has_surrogate(text):
        raise BadAnswer("surrogates", faults=("characters that are no text",))
    try:
        loaded = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
        if any(_has_surrogate(word) for word in _strings(loaded)):
            raise BadAnswer("surrogates", faults=("characters that are no text",))
        return answer.model_validate_json(text)
    except ValidationError as error:
        raise BadAnswer("outside_schema", faults=_faults(error, answer)) from None
    except RecursionError:
        raise BadAnswer("too_deep", faults=("nested too deeply",)) from None
    except ValueError:
        raise BadAnswer("not_json", faults=("the answer is not one JSON object with each key once",)) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key twice")
    return made


def _no_constant(_name: str) -> None:
    raise ValueError("no number")


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)


def _faults(error: ValidationError, answer: type[StrictModel]) -> tuple[str, ...]:
    """Place and kind of the first faults. A key that the model made up is the model's words: it is not repeated."""
    known = _names(answer.model_json_schema())
    told = []
    for fault in error.errors(include_url=False, include_input=False, include_context=False)[:_FAULTS]:
        place = ".".join(str(part) if isinstance(part, int) or part in known else "?" for part in fault["loc"])
        told.append(f"{place or 'answer'}: {fault['type']}")
    return tuple(told)


def _names(schema: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(name for _, part in _parts(schema, "") for name in part.get("properties", {}))
