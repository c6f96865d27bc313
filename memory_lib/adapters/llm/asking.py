"""Ask a job's question until an answer stands, or let the offline rule answer and say so.

Every question is entered in the ledger: who was asked, how often, what it cost and who answered in the end. Nothing but a
withdrawn question escapes: a model that is down, busy, chatty or wrong gives a poorer answer, never an error.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from memory_lib.adapters.llm.params import ModelParams
from memory_lib.domain.ids import UserId
from memory_lib.errors import (
    BadAnswer,
    Cancelled,
    DependencyDown,
    MissingExtra,
    ModelBusy,
    ModelRefused,
    SelfImprintError,
)
from memory_lib.policies.model_budget import ModelBudgetParams, Spent, may_ask, night_began
from memory_lib.ports.clock import Clock
from memory_lib.ports.ledger import ModelBook, ModelCall
from memory_lib.ports.model import Cancel, Model, ModelAnswer, ModelRequest
from memory_lib.reasoning.jobs.job import OFFLINE, Checked, Job, Problem, Thought, as_json
from memory_lib.reasoning.jobs.schema import StrictModel, json_schema, parse_answer

InputsT = TypeVar("InputsT")
AnswerT = TypeVar("AnswerT", bound=StrictModel)
ValueT = TypeVar("ValueT")

BY_MODEL = "model"
_PAUSE_S = 0.5
"""Before a server that failed is asked again; doubled each time."""
_SUM_AGAIN_S = 30.0
"""How long the sum over all people may be old: with 200,000 rows it takes longer than a small question should."""
_NOTES = {
    "truncated": "it was cut off; answer shorter, fewer items",
    "refused": "it was refused; only fill in the schema",
    "not_json": "it was not one JSON object alone",
    "empty": "it was empty",
}


@dataclass(slots=True)
class _Tally:
    requests: int = 0
    malformed: int = 0
    rejected: int = 0
    first_try: bool = False
    prompt_tokens: int = 0
    answer_tokens: int = 0


@dataclass(slots=True)
class _Server:
    """How the server has been: after failures in a row it is left alone for a while, so that a dead one costs one wait."""

    guard: threading.Lock = field(default_factory=threading.Lock)
    failures: int = 0
    until: float = 0.0

    def resting(self) -> bool:
        return time.monotonic() < self.until

    def failed(self, params: ModelParams, *, at_once: bool) -> None:
        with self.guard:
            self.failures += 1
            if at_once or self.failures >= params.failures:
                self.until = time.monotonic() + params.rest_s
                self.failures = 0

    def answered(self) -> None:
        with self.guard:
            self.failures = 0


class _Night:
    """Requests of all people this night: summed up from the book now and then, counted on here in between."""

    def __init__(self, book: ModelBook) -> None:
        self._book = book
        self._guard = threading.Lock()
        self._since: datetime | None = None
        self._read_at = 0.0
        self._requests = 0

    def sent(self, since: datetime) -> int:
        """Raises whatever the book does."""
        with self._guard:
            if self._since != since or time.monotonic() - self._read_at > _SUM_AGAIN_S:
                self._requests = self._book.spent(since=since).requests
                self._since, self._read_at = since, time.monotonic()
            return self._requests

    def one_more(self) -> None:
        with self._guard:
            self._requests += 1


class ModelThinker:
    """Implements ``ports.thinker.Thinker``: a model first, the offline rule behind it."""

    def __init__(
        self,
        model: Model,
        book: ModelBook,
        clock: Clock,
        *,
        params: ModelParams,
        budget: ModelBudgetParams,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._model = model
        self._book = book
        self._clock = clock
        self._params = params
        self._budget = budget
        self._sleep = sleep
        self._server = _Server()
        self._night = _Night(book)

    @property
    def name(self) -> str:
        return self._model.name

    def close(self) -> None:
        self._model.close()

    def think(
        self,
        job: Job[InputsT, AnswerT, ValueT],
        inputs: InputsT,
        *,
        user: UserId,
        cancel: Cancel | None = None,
        within_s: float | None = None,
    ) -> Thought[ValueT]:
        started, now, tally = time.monotonic(), self._clock.now(), _Tally()
        deadline = started + (self._params.patience_s if within_s is None else within_s)
        outcome, left_out = "cancelled", 0
        try:
            hurried = within_s is not None
            checked, why = self._asked(job, inputs, user, tally, now=now, deadline=deadline, cancel=cancel, hurried=hurried)
            outcome = why or BY_MODEL
            if checked is not None and checked.value is not None:
                left_out = sum(problem.count for problem in checked.problems)
                return Thought(value=checked.value, reasoner=self.name, version=job.version, problems=checked.problems)
            return Thought(value=job.offline(inputs), reasoner=OFFLINE, version=job.version, fallback=outcome)
        finally:
            self._record(job, user, tally, now=now, outcome=outcome, left_out=left_out, seconds=time.monotonic() - started)

    def _asked(
        self,
        job: Job[InputsT, AnswerT, ValueT],
        inputs: InputsT,
        user: UserId,
        tally: _Tally,
        *,
        now: datetime,
        deadline: float,
        cancel: Cancel | None,
        hurried: bool,
    ) -> tuple[Checked[ValueT] | None, str | None]:
        """An answer that stands, or the reason why there is none."""
        schema, data = json_schema(job.answer), as_json(job.data(inputs))
        note, why = "", "no_answer"
        for attempt in range(1 + self._params.retries):
            if cancel is not None and cancel.is_set():
                raise Cancelled("the question to the model was withdrawn")
            held_back = self._held_back(user, now, tally)
            if held_back is not None:
                return None, held_back
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return None, "out_of_time"
            request = ModelRequest(
                job=job.name,
                system=job.prompt,
                data=data,
                note=note,
                schema=schema,
                max_tokens=self._params.max_tokens,
                timeout_s=remaining,
            )
            tally.requests += 1
            self._night.one_more()
            try:
                answer = self._model.ask(request, cancel=cancel)
            except BadAnswer as error:
                self._server.answered()
                _add(tally, error)
                tally.malformed += 1
                note, why = _note(error), error.code
                continue
            except (ModelRefused, MissingExtra) as error:
                self._server.failed(self._params, at_once=True)
                return None, "not_installed" if isinstance(error, MissingExtra) else "model_refused_us"
            except DependencyDown as error:
                if not hurried:  # a server that is slow for a reader who waits may be quick enough for a sleep
                    self._server.failed(self._params, at_once=False)
                why = "model_busy" if isinstance(error, ModelBusy) else "model_down"
                self._pause(error, attempt, deadline=deadline, cancel=cancel)
                continue
            self._server.answered()
            _add(tally, answer)
            checked, note, why = _judged(job, inputs, answer, tally)
            if checked is not None:
                return checked, None
        return None, why

    def _held_back(self, user: UserId, now: datetime, tally: _Tally) -> str | None:
        """Why the model is not asked: its server rests, or the budget is spent (what this question sent included)."""
        if self._server.resting():
            return "model_resting"
        try:
            since = night_began(now)
            person, everyone = self._book.spent(since=since, user=user).requests + tally.requests, self._night.sent(since)
        except SelfImprintError:
            return "budget_unknown"
        verdict = may_ask(person=Spent(person, 0), everyone=Spent(everyone, 0), params=self._budget)
        return None if verdict.allowed else verdict.because

    def _pause(self, error: DependencyDown, attempt: int, *, deadline: float, cancel: Cancel | None) -> None:
        """As long as a busy server asks for, within reason; who asked may leave meanwhile."""
        asked = error.retry_after_s if isinstance(error, ModelBusy) else None
        wait = _PAUSE_S * 2**attempt if asked is None else asked
        wait = min(wait, self._params.longest_wait_s, max(0.0, deadline - time.monotonic()))
        if cancel is None:
            self._sleep(wait)
        elif cancel.wait(wait):
            raise Cancelled("the question to the model was withdrawn")

    def _record(
        self,
        job: Job[Any, Any, Any],
        user: UserId,
        tally: _Tally,
        *,
        now: datetime,
        outcome: str,
        left_out: int,
        seconds: float,
    ) -> None:
        call = ModelCall(
            job=job.name,
            job_version=job.version,
            model=self.name,
            at=now,
            outcome=outcome,
            requests=tally.requests,
            malformed=tally.malformed,
            rejected=tally.rejected,
            left_out=left_out,
            first_try=tally.first_try,
            prompt_tokens=tally.prompt_tokens,
            answer_tokens=tally.answer_tokens,
            seconds=seconds,
        )
        try:
            self._book.record(user, call)
        except SelfImprintError:
            # a locked ledger must not cost the answer; the budget misses one question
            return


def _add(tally: _Tally, cost: BadAnswer | ModelAnswer) -> None:
    tally.prompt_tokens += cost.prompt_tokens
    tally.answer_tokens += cost.answer_tokens


def _judged(
    job: Job[InputsT, AnswerT, ValueT], inputs: InputsT, answer: ModelAnswer, tally: _Tally
) -> tuple[Checked[ValueT] | None, str, str]:
    """The checked value, or (None, what to tell the model, the reason)."""
    chatter: tuple[Problem, ...] = ()
    try:
        try:
            parsed = parse_answer(answer.text, job.answer)
        except BadAnswer as error:
            inner = _inner(answer.text)
            if error.code != "not_json" or inner is None:
                raise
            parsed = parse_answer(inner, job.answer)
            chatter = (Problem("text_round_the_answer"),)
    except BadAnswer as error:
        tally.malformed += 1
        return None, _note(error), error.code
    tally.first_try = tally.first_try or (tally.requests == 1 and not chatter)
    try:
        checked = job.check(parsed, inputs)
    except Exception:  # noqa: BLE001 - a check that stumbles over an answer lets nothing of it stand
        tally.rejected += 1
        return None, "", "check_failed"
    if checked.value is None:
        tally.rejected += 1
        codes = ", ".join(problem.code.replace("_", " ") for problem in checked.problems)
        return None, codes, checked.problems[0].code if checked.problems else "rejected"
    return Checked(checked.value, (*chatter, *checked.problems)), "", ""


def _inner(text: str) -> str | None:
    """The object inside what a chatty model wrote round it."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else None


def _note(error: BadAnswer) -> str:
    return "; ".join((_NOTES.get(error.code, error.code.replace("_", " ")), *error.faults))
