"""What a run leaves for the reader of the UI: tables of ids and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from prefect.artifacts import acreate_table_artifact

from memory_lib.plans import Done, PlanRun

SHOWN = 1000
"""Rows of a table at most; the description says how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """One step of a run: pieces of work, how many failed, the sums of their counts, and wall seconds."""

    step: str
    pieces: int
    failed: int
    counts: str
    seconds: float

    @classmethod
    def of(cls, step: str, done: Sequence[Done], *, seconds: float) -> Self:
        total: Counter[str] = Counter()
        for piece in done:
            total.update(piece.counts)
        return cls(
            step=step,
            pieces=len(done),
            failed=sum(piece.error is not None for piece in done),
            counts=", ".join(f"{name} {count}" for name, count in total.items()),
            seconds=round(seconds, 2),
        )

    def cells(self) -> dict[str, str | int | float]:
        return {"step": self.step, "pieces": self.pieces, "failed": self.failed, "counts": self.counts, "seconds": self.seconds}


def failure_cells(done: Iterable[Done]) -> list[dict[str, str]]:
    """A row a failed piece: where, and our own sentence, which never has a person's words."""
    return [
        {
            "step": piece.step,
            "user": piece.user,
            "conversation": piece.conversation or "",
            "error": type(piece.error).__name__,
            "what to do": str(piece.error),
        }
        for piece in done
    ]


async def publish(plan: str, rows: Sequence[StepRow], run: PlanRun) -> None:
    """The table ``<plan>-steps``, and ``<plan>-failures`` where something failed."""
    await acreate_table_artifact(
        key=f"{plan}-steps", table=[row.cells() for row in rows], description=f"{plan}: each step's pieces of work, in order"
    )
    if run.failures:
        await acreate_table_artifact(
            key=f"{plan}-failures",
            table=failure_cells(run.failures[:SHOWN]),
            description=f"{plan}: {len(run.failures)} failed pieces of work (at most {SHOWN} shown), by internal ids",
        )
