"""What the wire models of all formats share: strings kept exactly, and validation errors turned into sentences without text."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationError


def _exact(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("must be a string")  # noqa: TRY004 (pydantic collects ValueError only)
    return value


def _named(value: object) -> str:
    if not _exact(value):
        raise ValueError("must not be empty")
    return _exact(value)


ExactText = Annotated[str, PlainValidator(_exact)]
"""Any string, lone surrogates included (pydantic's own check refuses those in some versions)."""

Name = Annotated[str, PlainValidator(_named)]
"""A string that is not empty."""


class OwnRecord(BaseModel):
    """Base of this project's own format: strict types, unknown fields refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ForeignRecord(BaseModel):
    """Base of other programs' formats: only the fields used are declared, the rest is ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)


_RULES = {
    "model_type": "must be a JSON object",
    "dict_type": "must be a JSON object",
    "list_type": "must be a JSON array",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
}


def reason_of(error: ValidationError, model: type[BaseModel]) -> str:
    """The first problem as "field 'time' must be …": declared fields and fixed rules, never a value or an unknown key."""
    first = error.errors(include_url=False, include_input=False)[0]
    kind = first["type"]
    if kind in {"extra_forbidden", "string_unicode"}:
        return f"has a field the format does not know; known are {', '.join(model.model_fields)}"
    field = ".".join(str(part) for part in first["loc"])
    if kind == "missing":
        return f"field '{field}' is missing"
    rule = str(first["ctx"]["error"]) if kind == "value_error" else _RULES.get(kind, "has a value the format does not allow")
    return f"field '{field}' {rule}" if field else f"the record {rule}"
