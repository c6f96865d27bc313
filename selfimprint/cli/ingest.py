"""Messages that were taken in become memories: the ``ingest`` plan, through Prefect where it is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory_lib.errors import DependencyDown
from selfimprint.cli.output import Screen, Work

if TYPE_CHECKING:
    from memory_lib.bootstrap import Memory
    from memory_lib.domain.ids import UserId
    from memory_lib.plans import PlanRun

PLAN = "ingest"
STAGES = {"extract": ("reading", "messages"), "form": ("forming memories", "units"), "log": ("writing the log", "people")}
CHANGES = ("units", "candidates", "rounds", "nodes", "edges")


@dataclass(frozen=True, slots=True)
class Ingested:
    """``by``: ``prefect`` or ``plan`` (the same steps without it, for the reason in ``why``)."""

    run: PlanRun
    by: str
    why: str | None
    degraded: tuple[tuple[str, str], ...]

    @property
    def changed(self) -> bool:
        return any(self.run.total(name) for name in CHANGES)

    def formed(self, name: str) -> int:
        """A count of the forming step alone (reading counts its units too)."""
        return sum(done.counts.get(name, 0) for done in self.run.done if done.step == "form")

    def as_dict(self) -> dict[str, object]:
        return {
            "by": self.by,
            "why": self.why,
            **{name: self.formed(name) for name in ("units", "nodes", "edges", "replays", "waiting")},
        }


def ingest(memory: Memory, users: Sequence[UserId], *, flow: bool, new: int, screen: Screen) -> Ingested:
    """Runs the plan for these people. ``new``: messages that just came in; where there are none, no server is started.

    Raises the first error met, after all that could be done is done.
    """
    run, why = _through_prefect(memory, users, screen) if flow and new else (None, None)
    if run is None:
        if not flow:
            why = "--no-flow"
        elif not new:
            why = "nothing new came in"
        elif not screen.as_json:
            screen.note(f"Prefect takes no part ({why}); the same plan runs without it", "yellow")
        run = _walked(screen, memory, users, lambda progress: memory.run(PLAN, users, progress=progress))
        by = "plan"
    else:
        by = "prefect"
    return Ingested(run, by, why, _degraded(memory, run))


def _through_prefect(memory: Memory, users: Sequence[UserId], screen: Screen) -> tuple[PlanRun | None, str | None]:
    """The run, or why there is none."""
    if not users:
        return None, "nobody to do it for"
    from importlib.util import find_spec  # noqa: PLC0415 - see opened()

    if find_spec("prefect") is None:
        return None, "the extra is not installed: pip install 'selfimprint[flows]'"
    try:
        from flows.local import PrefectUnavailable, run_plan_with_prefect  # noqa: PLC0415 - only where they are there
    except ImportError:
        return None, "flows run from the repository or its image"
    screen.note("starting a temporary Prefect server; it ends with this command")
    try:
        run = _walked(screen, memory, users, lambda progress: run_plan_with_prefect(memory, PLAN, users, progress=progress))
    except PrefectUnavailable as unavailable:
        return None, str(unavailable)
    for failed in run.failures:
        if failed.error is not None:
            raise failed.error
    return run, None


def _walked(
    screen: Screen, memory: Memory, users: Sequence[UserId], walk: Callable[[Callable[[str, int], None]], PlanRun]
) -> PlanRun:
    messages = sum(memory.bench.people.person(user).messages for user in users)
    with screen.working() as work:
        return walk(_progress(work, messages))


def _progress(work: Work, messages: int) -> Callable[[str, int], None]:
    def advance(step: str, count: int) -> None:
        name, unit = STAGES.get(step, (step, "pieces"))
        work.advance(name, count, unit=unit, total=messages if step == "extract" else None)

    return advance


def _degraded(memory: Memory, run: PlanRun) -> tuple[tuple[str, str], ...]:
    """Why something was kept without its vector."""
    if not run.total("without_vectors"):
        return ()
    people = {done.user for done in run.done if done.counts.get("without_vectors")}
    reasons: dict[tuple[str, str], None] = {}
    for fingerprint in sorted({memory.bench.people.person(user).fingerprint or "" for user in people}):
        try:
            memory.bench.embedders.of(fingerprint or None).embed(["?"])
        except DependencyDown as down:
            reasons[down.part, down.reason] = None
    if reasons:
        return tuple(reasons)
    return (("embedder", "it did not answer for a while; the same import again adds what is missing"),)
