"""The machine's clock is wrong, or the calendar jumps: nothing is lost, nothing waits for a time that may never come."""

from __future__ import annotations

import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from memory_lib.bootstrap import Memory
from memory_lib.domain.acts import ActKind
from memory_lib.domain.time import DAY_US, to_us
from tests.e2e.dialogue import ANNA, BEN, START, Record, dialogue, split, two_people, write_jsonl
from tests.e2e.tasks import PARSER, opened
from tests.e2e.warm_process import WarmProcess

TRUE = datetime(2026, 4, 1, 12, tzinfo=UTC)
CLOCKS = {
    "stands still": [TRUE] * 4,
    "an hour back": [TRUE, TRUE - timedelta(hours=1), TRUE, TRUE - timedelta(hours=2)],
    "back before all that was said": [TRUE, datetime(1999, 1, 1, tzinfo=UTC), TRUE, datetime(1971, 1, 1, tzinfo=UTC)],
    "a year forward and back": [TRUE, TRUE + timedelta(days=365), TRUE, TRUE + timedelta(days=365)],
    "to 2100 and back": [datetime(2100, 1, 1, tzinfo=UTC), TRUE, datetime(2100, 1, 1, tzinfo=UTC), TRUE],
    "from 1970": [datetime(1970, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC), TRUE, TRUE],
}


@pytest.fixture(scope="module")
def records() -> list[Record]:
    made = two_people(3, messages=8)
    PARSER.learn([record["text"] for record in made])
    return made


def live_weights(memory: Memory, user: str, now: datetime | str) -> dict[str, float]:
    return {node["id"]: node["weight"] for node in memory.show(user, now=now)["nodes"]}


def summary(memory: Memory) -> dict[str, Any]:
    """What must not depend on the clock of the machine."""
    return {
        user: (memory.graph_hash(user), live_weights(memory, user, "last"), len(memory.bench.log.refs(memory.user_id(user))))
        for user in memory.users()
    }


@pytest.mark.slow
@pytest.mark.parametrize("clock", CLOCKS)
def test_a_clock_that_jumps_between_imports_changes_no_memory(tmp_path: Path, records: list[Record], clock: str) -> None:
    file = write_jsonl(tmp_path / "all.jsonl", records)
    with opened(tmp_path / "calm", TRUE.isoformat()) as memory:
        memory.run("ingest", memory.import_export(file).people)
        expected = summary(memory)
    first, second = split(3, records, 0.4)
    parts = [write_jsonl(tmp_path / f"{n}.jsonl", part) for n, part in enumerate((first, second, records, records))]
    for part, now in zip(parts, CLOCKS[clock], strict=True):
        with opened(tmp_path / "home", now.isoformat()) as memory:
            imported = memory.import_export(part)
            memory.run("ingest", imported.people)
            for user in memory.users():
                assert memory.ask(user, "Как работа? How is work?").items
                memory.show(user)
    with opened(tmp_path / "home", TRUE.isoformat()) as memory:
        assert summary(memory) == expected
        assert memory.import_export(file).same == len(records)


@pytest.mark.slow
def test_fading_under_a_wrong_clock_archives_nothing_that_would_not_fade_by_itself(
    tmp_path: Path, records: list[Record]
) -> None:
    file = write_jsonl(tmp_path / "all.jsonl", records)
    homes = {"wrong": [datetime(2100, 1, 1, tzinfo=UTC), datetime(1999, 1, 1, tzinfo=UTC), TRUE], "right": [TRUE]}
    shown: dict[str, Any] = {}
    for home, clocks in homes.items():
        with opened(tmp_path / home, TRUE.isoformat()) as memory:
            memory.run("ingest", memory.import_export(file).people)
        for now in clocks:
            with opened(tmp_path / home, now.isoformat()) as memory:
                memory.run("fade", memory.user_ids())
        with opened(tmp_path / home, TRUE.isoformat()) as memory:
            # whatever is archived comes back with its mention, so both go on alike
            for user, language in ((ANNA, "ru"), (BEN, "en")):
                later = dialogue(
                    4, user=user, language=language, conversation="later", messages=12, start=START + timedelta(days=60)
                )
                memory.run("ingest", memory.import_export(write_jsonl(tmp_path / "later.jsonl", later)).people)
            shown[home] = {user: (memory.graph_hash(user), live_weights(memory, user, "last")) for user in memory.users()}
            assert all(weights for _, weights in shown[home].values())
    for user, (_, weights) in shown["right"].items():
        assert shown["wrong"][user][1].keys() == weights.keys(), "nothing is lost"
        assert shown["wrong"][user][1] == pytest.approx(weights), "an archive dated by the active clock weighs alike"


@pytest.mark.slow
@pytest.mark.parametrize("years", [1, 74])
def test_weights_pause_after_seven_silent_days(tmp_path: Path, records: list[Record], years: int) -> None:
    with opened(tmp_path / "home", TRUE.isoformat()) as memory:
        memory.run("ingest", memory.import_export(write_jsonl(tmp_path / "all.jsonl", records)).people)
        for user in memory.users():
            times = memory.bench.log.user_times(memory.user_id(user))
            last = datetime.fromtimestamp(int(times[-1]) / 1e6, UTC)
            on_day = {day: live_weights(memory, user, last + timedelta(days=day)) for day in (0, 6, 7, 8, 30)}
            assert on_day[6] != on_day[7]
            assert on_day[7] == on_day[8] == on_day[30] == live_weights(memory, user, last + timedelta(days=365 * years))
            # before the first message, and long before anything: read, not raised
            assert live_weights(memory, user, datetime(1971, 1, 1, tzinfo=UTC)).keys() == on_day[0].keys()


@pytest.mark.slow
@pytest.mark.parametrize("granted", ["2100-01-01T00:00:00+00:00", "2027-06-01T00:00:00+00:00", "2026-04-01T13:00:00+00:00"])
def test_a_lease_of_a_dead_process_from_the_future_blocks_nobody(warm: WarmProcess, tmp_path: Path, granted: str) -> None:
    records = two_people(3, messages=8)
    warm.learn(record["text"] for record in records)
    file, home = write_jsonl(tmp_path / "all.jsonl", records), tmp_path / "home"
    assert warm.fork("die_holding_leases", home=str(home), file=str(file), now=granted).wait() == -signal.SIGKILL
    done = warm.do("remember", home=str(home), files=[str(file)], now=TRUE.isoformat())
    assert done["seconds"] < 20, "it waited for a lease from the future"
    warm.do("remember", home=str(tmp_path / "calm"), files=[str(file)], now=TRUE.isoformat())
    found, calm = (warm.do("state", home=str(tmp_path / each), now=TRUE.isoformat())["people"] for each in ("home", "calm"))
    assert {user: person["hash"] for user, person in found.items()} == {user: person["hash"] for user, person in calm.items()}


def test_corrections_made_under_a_wrong_clock_still_hold(tmp_path: Path, records: list[Record]) -> None:
    file = write_jsonl(tmp_path / "all.jsonl", records)
    with opened(tmp_path / "home", "2100-01-01T00:00:00+00:00") as memory:
        memory.run("ingest", memory.import_export(file).people)
        node = memory.show(BEN)["nodes"][0]["id"]
        memory.correct(BEN, node, ActKind.PIN)
    with opened(tmp_path / "home", TRUE.isoformat()) as memory:
        memory.run("ingest", memory.user_ids())
        assert next(n for n in memory.show(BEN)["nodes"] if n["id"] == node)["is_pinned"]
        memory.correct(BEN, node, ActKind.UNPIN)
        memory.run("fade", memory.user_ids())


ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia")
CHANGES = {
    "clocks forward in spring": datetime(2026, 3, 27, 1, 30, tzinfo=UTC),
    "clocks back in autumn": datetime(2026, 10, 23, 0, 30, tzinfo=UTC),
}


def across(change: str, zone: str) -> list[Record]:
    """The same instants on the walls of a zone: every 20 hours and 10 minutes for twelve days, over most zones' change."""
    said = ("I drink tea every morning.", "Мой друг Олег приехал.", "I live in Tula.", "Я работаю в Озоне.")
    instants = [CHANGES[change] + n * timedelta(hours=20, minutes=10) for n in range(14)]
    return [
        {
            "user": "p",
            "conversation": "c",
            "id": f"m{number}",
            "role": "user",
            "text": said[number % len(said)],
            "time": instant.astimezone(ZoneInfo(zone)).isoformat(),
            "zone": zone,
        }
        for number, instant in enumerate(instants)
    ]


@pytest.mark.parametrize("change", CHANGES)
def test_weights_are_the_same_in_every_zone_and_across_both_summer_time_changes(tmp_path: Path, change: str) -> None:
    found: dict[str, dict[str, float]] = {}
    for zone in ZONES:
        with opened(tmp_path / zone.replace("/", "-"), TRUE.isoformat()) as memory:
            memory.run("ingest", memory.import_export(write_jsonl(tmp_path / "said.jsonl", across(change, zone))).people)
            shown = memory.show("p", now=CHANGES[change] + timedelta(days=14))
            found[zone] = {node["id"]: node["weight"] for node in shown["nodes"]}
    assert len(found["UTC"]) >= 4
    for zone, weights in found.items():
        assert weights == found["UTC"], zone


def test_a_day_is_24_hours_of_active_time_on_each_side_of_a_change(tmp_path: Path) -> None:
    """The night in Berlin has 23 hours in spring: two weights a civil day apart differ by 23/24 of a day's fading."""
    zone = ZoneInfo("Europe/Berlin")
    before, after = datetime(2026, 3, 28, 12, tzinfo=zone), datetime(2026, 3, 29, 12, tzinfo=zone)
    assert to_us(after) - to_us(before) == DAY_US * 23 // 24
    record = {"conversation": "c", "id": "m", "role": "user", "text": "I live in Tula.", "time": before.isoformat()}
    with opened(tmp_path / "home", TRUE.isoformat()) as memory:
        memory.add("p", [record])
        (weight,) = {node["weight"] for node in memory.show("p", now=after)["nodes"] if node["type"] == "fact"}
    assert weight == pytest.approx(0.92 ** (23 / 24))
