"""Who does cognitive jobs: a model with the offline rule behind it, or the rule alone."""

from __future__ import annotations

from typing import Protocol, TypeVar

from memory_lib.domain.ids import UserId
from memory_lib.ports.model import Cancel
from memory_lib.reasoning.jobs.job import Job, Thought
from memory_lib.reasoning.jobs.schema import StrictModel

InputsT = TypeVar("InputsT")
AnswerT = TypeVar("AnswerT", bound=StrictModel)
ValueT = TypeVar("ValueT")


class Thinker(Protocol):
    """Thread-safe."""

    @property
    def name(self) -> str:
        """Who is asked first: a model's name, or ``offline``."""
        ...

    def think(
        self,
        job: Job[InputsT, AnswerT, ValueT],
        inputs: InputsT,
        *,
        user: UserId,
        cancel: Cancel | None = None,
        within_s: float | None = None,
    ) -> Thought[ValueT]:
        """The job's value, from whoever could give it; the thought says who, and why not the model.

        ``within_s``: seconds for all of it; then the rule answers. Raises Cancelled, and nothing else.
        """
        ...
