"""The numbers of a model behind a server, and of asking it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import SecretStr


class ReasoningEffort(StrEnum):
    """How long the model may think before it answers; ``unset``: the field is not sent, for servers that refuse it."""

    UNSET = "unset"
    MINIMAL = "minimal"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelParams:
    """``base_url``: an OpenAI-compatible server's, with its ``/v1``; None: the offline rules think. ``model``: its name there.

    ``timeout_s``: for one request; ``patience_s``: for a question with all its requests; ``compose_ms``: for the prose of a
    recall, then the template. ``retries``: further requests where an answer cannot be used or the server is busy.
    ``max_tokens``: of an answer. ``max_bytes``: of a response, more is not read. ``calls``: at once. ``longest_wait_s``: what a
    busy server may make us wait. ``failures``: in a row after which the server is left alone for ``rest_s``. ``characters``: of
    each text in a prompt. ``places``: whether the model is asked about placements that rules leave open, while the person is
    written for.
    """

    base_url: str | None
    api_key: SecretStr | None = field(repr=False)
    model: str
    reasoning_effort: ReasoningEffort
    timeout_s: float
    patience_s: float
    compose_ms: int
    retries: int
    max_tokens: int
    max_bytes: int
    calls: int
    longest_wait_s: float
    failures: int
    rest_s: float
    characters: int
    places: bool
