"""What leaves something open, what settles it, and lists of tasks."""

from __future__ import annotations

import pytest

from memory_lib.domain.candidates import Candidate, NodeType, Settling

from .conftest import Extract


def loops(extract: Extract, text: str) -> list[Candidate]:
    return [candidate for candidate in extract(text).candidates if candidate.type is NodeType.OPEN_LOOP]


def settling(extract: Extract, text: str) -> set[Settling | None]:
    return {candidate.update.settles for candidate in extract(text).candidates if candidate.type is not NodeType.PERSON}


@pytest.mark.parametrize(
    ("text", "rule", "due"),
    [
        ("I promised my aunt a jar of honey by Friday.", "promise", "2026-05-15"),
        ("I told Ravi I'd fix his bike.", "promise", None),
        ("I'm still waiting for the surveyor's report.", "waiting", None),
        ("We haven't heard back from the nursery.", "waiting", None),
        ("The plumber said he'd call on Thursday.", "waiting", "2026-05-14"),
        ("I still need to post the parcel.", "task", None),
        ("I can't decide between the two flats.", "undecided", None),
        ("Я обещала соседке полить цветы до пятницы.", "promise", "2026-05-15"),
        ("Жду звонка из мастерской.", "waiting", None),
        ("Мастер обещал приехать в четверг.", "waiting", "2026-05-14"),
        ("Мне надо забрать куртку из химчистки.", "task", None),
        ("Никак не решу, ехать ли к сестре.", "undecided", None),
    ],
)
def test_something_is_left_open(extract: Extract, text: str, rule: str, due: str | None) -> None:
    found = loops(extract, text)
    assert [loop.rule for loop in found] == [f"open_loop.{rule}/1"]
    assert found[0].due == due or (found[0].due or "").startswith(due or "-")


@pytest.mark.parametrize(
    "text",
    [
        "The gate can wait.",
        "Родители ждут нас с прошлого лета.",
        "My parents are expecting us in June.",
        "He kept every promise he made.",
        "I have to say the soup was good.",
        "I love waiting for the first snow.",
        "Я всегда сдерживаю обещания.",
        "Надо сказать, суп удался.",
        "Я жил в Туле.",
    ],
)
def test_nothing_is_left_open(extract: Extract, text: str) -> None:
    assert loops(extract, text) == []


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (
            "To do: get the clock valued, write to the widow, fix the gate.",
            ["get the clock", "write to the widow", "fix the gate"],
        ),
        ("I need to call the bank and book the dentist.", ["call the bank", "book the dentist"]),
        ("Продлить пропуск, вернуть дрель Олегу, найти няню.", ["Продлить пропуск", "вернуть дрель", "найти няню"]),
    ],
)
def test_each_task_of_a_list_is_a_loop_of_its_own(extract: Extract, text: str, items: list[str]) -> None:
    found = [loop.content for loop in loops(extract, text)]
    assert len(found) == len(items)
    for item in items:
        assert any(item in content for content in found)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("I renewed my licence this morning.", Settling.DONE),
        ("The parcel from Riga arrived.", Settling.ARRIVED),
        ("I've decided, I'm keeping the boat.", Settling.DECIDED),
        ("I no longer need the certificate.", Settling.DROPPED),
        ("Я вернул дрель Олегу.", Settling.DONE),
        ("Пришёл ответ из архива.", Settling.ARRIVED),
        ("Мы решили остаться в Твери.", Settling.DECIDED),
        ("Справка больше не нужна.", Settling.DROPPED),
    ],
)
def test_a_statement_says_how_it_may_settle_something(extract: Extract, text: str, how: Settling) -> None:
    assert how in settling(extract, text)


@pytest.mark.parametrize(
    "text",
    [
        "I haven't renewed my licence yet.",
        "I will renew my licence on Monday.",
        "If the parcel arrived I would be glad.",
        "Я ещё не вернул дрель Олегу.",
        "Я верну дрель Олегу завтра.",
    ],
)
def test_what_is_not_done_settles_nothing(extract: Extract, text: str) -> None:
    assert settling(extract, text) <= {None}
