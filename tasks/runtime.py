"""The process's open memory, and one piece of a plan's work done on it without a word of a person reaching Prefect.

The command line puts in the memory that it has open (``use``). A worker's process opens its own from settings and environment
when it is first asked, and closes it when it ends.
"""

from __future__ import annotations

import asyncio
import atexit
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from memory_lib import plans
from memory_lib.bootstrap import Memory, open_memory
from memory_lib.domain.ids import ID_BYTES, ConversationId, UserId
from memory_lib.errors import IllegalValue, Permanent, SelfImprintError, Transient
from memory_lib.operations import OPERATIONS
from memory_lib.operations.bench import Asked
from memory_lib.plans import PlanRun, Step

P = ParamSpec("P")
R = TypeVar("R")

ROOT = Path(__file__).resolve().parent.parent
INTERNAL_ID = rf"^[0-9a-f]{{{2 * ID_BYTES}}}$"
"""An internal id: what a form lets through, and what is looked at again inside."""

CODE = r"^[A-Za-z0-9_.:-]{0,128}$"
"""An option of an operation: a code, an id or a number."""
OPERATOR = r"^[a-z0-9._-]{0,64}$"

STEPS: Mapping[str, Step] = {step.name: step for plan in plans.PLANS.values() for step in plan}


class Unexpected(Permanent):
    """An error that nobody planned for, by its class and place. Its message stays behind: it may hold what a person said."""

    def __init__(self, kind: str, place: str) -> None:
        self.kind, self.place = kind, place
        super().__init__(
            f"{kind} at {place}, an error nobody planned for; its message is withheld because it may hold a person's words: "
            "run the same plan without Prefect (memory.run) to see it"
        )


class Interrupted(Transient):
    """The run was asked to stop; what was finished stays, and running it again goes on from there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handle:
    """An open memory, who hears of progress and of finished plans, and whether work in threads should end."""

    memory: Memory
    progress: Callable[[str, int], None] = lambda _step, _count: None
    finished: Callable[[PlanRun], None] = lambda _run: None
    stop: threading.Event = field(default_factory=threading.Event)


class _Slot:
    """The one handle of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._handle: Handle | None = None

    def get(self) -> Handle:
        with self._lock:
            if self._handle is None:
                self._handle = Handle(memory=open_memory())
                atexit.register(self._handle.memory.close)
            return self._handle

    def swap(self, handle: Handle | None) -> Handle | None:
        with self._lock:
            before, self._handle = self._handle, handle
            return before


_slot = _Slot()


def handle() -> Handle:
    """The handle in use; opened from settings and environment where nobody put one in."""
    return _slot.get()


@contextmanager
def use(given: Handle) -> Iterator[Handle]:
    """This memory for flows of this process; whoever opened it closes it. Work still running in threads is asked to end."""
    before = _slot.swap(given)
    try:
        yield given
    finally:
        given.stop.set()
        _slot.swap(before)


def known_operator(name: str) -> None:
    """Raises IllegalValue where this deployment names its operators and ``name`` is none of them."""
    named = handle().memory.settings.operators
    if named and name not in named:
        raise IllegalValue("who asks is not among the operators that this deployment names (setting operators)")


def other_operator(asked: str, approved: str) -> None:
    """Raises IllegalValue where this deployment names its operators and the second is none of them, or is the first."""
    if not handle().memory.settings.operators:
        return
    known_operator(approved)
    if asked == approved:
        raise IllegalValue("this deployment names its operators, so another one than who asked must confirm")


def user_id(value: str) -> UserId:
    """Raises IllegalValue, without the value: it may be a name."""
    return UserId(_internal(value, "a user id"))


def conversation_id(value: str) -> ConversationId:
    """Raises IllegalValue, without the value: it may be a name."""
    return ConversationId(_internal(value, "a conversation id"))


def _internal(value: object, what: str) -> str:
    if not (isinstance(value, str) and re.fullmatch(INTERNAL_ID, value)):
        raise IllegalValue(
            f"{what} is not {2 * ID_BYTES} lower-case hex digits; flows take internal ids only, "
            "selfimprint show --all --json lists them"
        )
    return value


async def piece(step: str, user: str, conversation: str | None = None) -> dict[str, int]:
    """One piece of work of a step, in a thread; its counts.

    Raises:
        SelfImprintError: what the step raised, without what led to it, or ``Unexpected``.
    """
    try:
        return await guarded(_piece, step, user, conversation)
    except asyncio.CancelledError:
        handle().stop.set()  # a thread is not cancelled: it looks here between two batches
        raise


def _piece(step: str, user: str, conversation: str | None) -> dict[str, int]:
    now = handle()

    def progress(count: int) -> None:
        if now.stop.is_set():
            raise Interrupted("the run was interrupted between two batches; what is finished stays, run it again for the rest")
        now.progress(step, count)

    place = None if conversation is None else conversation_id(conversation)
    done = plans.do(STEPS[step], now.memory.bench, user_id(user), place, progress)
    if done.error is not None:
        raise done.error
    return dict(done.counts)


async def operation(
    name: str, user: str, *, apply: bool, operator: str, request: str | None, options: Mapping[str, str]
) -> dict[str, Any]:
    """An operation on a person, in a thread; its receipt's record.

    Raises:
        SelfImprintError: as ``piece``; IllegalValue for something that is no code or id.
    """
    try:
        return await guarded(_operation, name, user, apply=apply, operator=operator, request=request, options=options)
    except asyncio.CancelledError:
        handle().stop.set()
        raise


def _operation(
    name: str, user: str, *, apply: bool, operator: str, request: str | None, options: Mapping[str, str]
) -> dict[str, Any]:
    now = handle()
    if name not in OPERATIONS:
        raise IllegalValue(f"there is no operation by that name; there are {', '.join(sorted(OPERATIONS))}")
    if not re.fullmatch(OPERATOR, operator):
        raise IllegalValue("an operator's name is made of small letters, digits, dots, lines and underscores")
    if not all(re.fullmatch(CODE, value) for value in options.values()):
        raise IllegalValue("an option of an operation is a code, an id or a number; words go through the command line")

    def progress(count: int) -> None:
        if now.stop.is_set():
            raise Interrupted("the run was interrupted between two batches; what is finished stays, run it again for the rest")
        now.progress(name, count)

    asked = Asked(
        apply=apply,
        operator=operator,
        request=None if request is None else _internal(request, "a request"),
        options={option: value for option, value in options.items() if value},
    )
    return OPERATIONS[name](now.memory.ops, user_id(user), asked, progress).record()


async def guarded(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """``work`` in a thread. An error comes out as one sentence: no cause, no context, no frames of what it was doing.

    Prefect stores messages and tracebacks for good; ours carry ids and numbers only, others' are replaced by class and place.
    """
    try:
        return await asyncio.to_thread(work, *args, **kwargs)
    except SelfImprintError as error:
        failed: SelfImprintError = error
    except Exception as error:  # noqa: BLE001 - whatever it is, its words go no further
        failed = Unexpected(type(error).__qualname__, _place(error.__traceback__))
    raise _bare(failed)  # outside of any ``except``, so that no context is attached again


def _bare(error: SelfImprintError) -> SelfImprintError:
    error.__cause__ = error.__context__ = error.__traceback__ = None
    if hasattr(error, "__notes__"):
        del error.__notes__
    return error


def _place(trace: TracebackType | None) -> str:
    """``file:line`` of the innermost frame of this project: code has no words of a person."""
    place = "an unknown place"
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        if path.is_relative_to(ROOT) and ".venv" not in path.parts:
            place = f"{path.relative_to(ROOT).as_posix()}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
