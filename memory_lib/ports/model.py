"""A language model that fills in a schema. What it answers is advice: it is checked by the job that asked (docs/adr/0007)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


class Cancel(Protocol):
    """Says whether the question is still wanted; a ``threading.Event`` is one."""

    def is_set(self) -> bool: ...

    def wait(self, timeout: float) -> bool:
        """True as soon as it is withdrawn, False after ``timeout`` seconds."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """``system``: our words. ``data``: one JSON document with what people said. ``note``: what was wrong with the last answer,
    in our words, or "". ``schema``: strict JSON schema of the answer. ``timeout_s``: for the whole call, waiting included.
    """

    job: str
    system: str
    data: str = field(repr=False)
    note: str
    schema: Mapping[str, Any] = field(repr=False)
    max_tokens: int
    timeout_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """``text``: what the model wrote, unchecked. Tokens as the server counts them, 0 where it does not."""

    text: str = field(repr=False)
    prompt_tokens: int
    answer_tokens: int


class Model(Protocol):
    """Thread-safe. Loads and connects to nothing before the first question."""

    @property
    def name(self) -> str:
        """What is written on what it proposes; no address, no secret."""
        ...

    def ask(self, request: ModelRequest, *, cancel: Cancel | None = None) -> ModelAnswer:
        """One question, no retries.

        Raises:
            BadAnswer: it answered nothing usable (truncated, refused, empty, too large, no text).
            ModelBusy: the server asks us to wait.
            DependencyDown: it does not answer in time, or at all.
            ModelRefused: it will not take our requests.
            MissingExtra: the client is not installed.
            Cancelled: ``cancel`` was set meanwhile.
        """
        ...

    def close(self) -> None: ...
