from __future__ import annotations

import asyncio
import traceback
from collections.abc import Iterator

import pytest

from memory_lib.errors import IllegalValue, StoreBusy, UnknownUser
from memory_lib.plans import Step, UnitOfWork
from tasks import runtime
from tasks.runtime import Handle, Interrupted, Unexpected, guarded, use
from tests.flows.conftest import OpenHome, take_in

SECRET = "Кошелёк у Вавиловой"


@pytest.fixture(autouse=True)
def nobody_left_a_handle() -> Iterator[None]:
    yield
    left = runtime._slot.swap(None)
    if left is not None:
        left.memory.close()


def raises_words() -> None:
    try:
        _ = {}[SECRET]
    except KeyError as error:
        error.add_note(SECRET)
        raise ValueError(f"cannot read {SECRET!r}") from error


def raises_ours() -> None:
    try:
        raises_words()
    except ValueError as error:
        busy = StoreBusy("the ledger is busy; try again")
        busy.add_note(SECRET)
        raise busy from error


def caught(work: object) -> BaseException:
    with pytest.raises(Exception) as told:
        asyncio.run(guarded(work))  # type: ignore[arg-type]
    return told.value


def test_an_unexpected_error_keeps_its_class_and_place_only() -> None:
    error = caught(raises_words)
    assert isinstance(error, Unexpected)
    assert error.kind == "ValueError"
    assert error.place.startswith("tests/flows/test_runtime.py:")
    assert SECRET not in "".join(traceback.format_exception(error))
    assert error.__context__ is None
    assert error.__cause__ is None


def test_an_error_of_ours_keeps_its_sentence_and_nothing_that_led_to_it() -> None:
    error = caught(raises_ours)
    assert isinstance(error, StoreBusy)
    told = "".join(traceback.format_exception(error))
    assert "the ledger is busy" in told
    assert SECRET not in told
    assert "raises_ours" not in told


@pytest.mark.parametrize("value", ["Вавилова", "", "0" * 31, "0" * 33, "A" * 32, "0" * 32 + "\n", None, 7])
def test_what_is_no_internal_id_is_refused_without_repeating_it(value: object) -> None:
    for check in (runtime.user_id, runtime.conversation_id):
        with pytest.raises(IllegalValue) as told:
            check(value)  # type: ignore[arg-type]
        assert "Вавилова" not in str(told.value)


def test_a_worker_opens_the_memory_of_its_environment_once(home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SELFIMPRINT_EMBEDDER", "off")
    first, second = runtime.handle(), runtime.handle()
    assert first is second
    assert first.memory.settings.home == home


def test_a_memory_put_in_is_used_and_taken_out_again(open_home: OpenHome) -> None:
    memory = open_home()
    with use(Handle(memory=memory)) as given:
        assert runtime.handle() is given
        with use(Handle(memory=memory)) as inner:
            assert runtime.handle() is inner
        assert runtime.handle() is given
    assert given.stop.is_set()
    assert runtime._slot.swap(None) is None


def test_a_piece_of_work_gives_its_counts_and_tells_its_progress(open_home: OpenHome) -> None:
    memory = open_home()
    user, *_ = take_in(memory)
    conversation, *_ = memory.bench.log.conversations(user)
    heard: list[tuple[str, int]] = []
    with use(Handle(memory=memory, progress=lambda step, count: heard.append((step, count)))):
        counts = asyncio.run(runtime.piece("extract", user, conversation))
        again = asyncio.run(runtime.piece("extract", user, conversation))
    assert counts["messages"] == counts["units"] == 2
    assert again["units"] == 0
    assert ("extract", 2) in heard


def test_work_in_a_thread_ends_at_the_next_batch_when_the_run_is_stopped(open_home: OpenHome) -> None:
    memory = open_home()
    user, *_ = take_in(memory)
    conversation, *_ = memory.bench.log.conversations(user)
    handle = Handle(memory=memory)
    handle.stop.set()
    with use(handle), pytest.raises(Interrupted):
        asyncio.run(runtime.piece("extract", user, conversation))


def test_an_unknown_person_is_an_error_of_ours(open_home: OpenHome) -> None:
    with use(Handle(memory=open_home())), pytest.raises(UnknownUser):
        asyncio.run(runtime.piece("form", "0" * 32))


def test_every_step_of_every_plan_can_be_asked_for() -> None:
    assert set(runtime.STEPS) == {"extract", "form", "log", "fade", "reembed", "rebuild", "rehydrate", "migrate_tier"}
    assert all(isinstance(step, Step) and isinstance(step.unit, UnitOfWork) for step in runtime.STEPS.values())
