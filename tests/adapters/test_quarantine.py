from __future__ import annotations

import os
import signal
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory_lib.adapters import quarantine
from memory_lib.adapters.quarantine import Quarantine, QuarantinedRecord, QuarantineParams
from memory_lib.domain.ids import UserId
from memory_lib.errors import InvalidInput, SealBroken
from tests.contracts.ledger.workers import add_to_quarantine, start
from tests.contracts.ledger_backends import keys_of

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)
DAY = timedelta(days=1)
RAW = '{"text": "тайное озеро"'.encode()


@pytest.fixture
def kept(tmp_path: Path) -> Quarantine:
    return opened(tmp_path)


def opened(root):
    return Quarantine(root, keys_of(root)[0], params=QuarantineParams(keep_days=30.0))


def add(kept, number=0, *, raw=RAW, now=NOW):
    return kept.add(f"line {number}", "not JSON", raw, source="чат.jsonl", now=now)


def test_a_record_is_listed_without_its_bytes_and_opened_on_request(kept):
    name = add(kept)
    assert kept.records(now=NOW) == (
        QuarantinedRecord(id=name, time=NOW, place="line 0", reason="not JSON", source="чат.jsonl"),
    )
    assert kept.open(name) == RAW


@pytest.mark.parametrize("raw", [b"", b"\x00\xff", b"x" * 3_000_000])
def test_any_bytes_come_back(kept, raw):
    assert kept.open(add(kept, raw=raw)) == raw


def test_nothing_is_made_before_there_is_a_bad_record(kept, tmp_path):
    assert kept.records(now=NOW) == ()
    assert kept.expire(now=NOW) == 0
    assert not (tmp_path / "quarantine").exists()


def test_the_same_record_of_the_same_place_is_kept_once(kept, tmp_path):
    assert add(kept) == add(kept) == add(opened(tmp_path), now=NOW + DAY)
    assert add(kept) != add(kept, 1)
    assert len(kept.records(now=NOW)) == 2


def test_records_are_listed_in_order_of_time_by_any_opening(kept, tmp_path):
    names = [add(kept, n, now=NOW - n * DAY) for n in range(4)]
    assert [record.id for record in opened(tmp_path).records(now=NOW)] == names[::-1]


def test_no_file_gives_the_words_away_and_all_are_the_owners(kept, tmp_path):
    add(kept)
    for path in (tmp_path / "quarantine").iterdir():
        content = path.read_bytes()
        assert not any(word.encode() in content for word in ("озеро", "чат.jsonl", "line 0", "not JSON"))
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077


def test_a_removed_record_is_gone_and_the_others_stay(kept, tmp_path):
    names = [add(kept, n) for n in range(3)]
    kept.remove(names[1])
    assert [record.id for record in opened(tmp_path).records(now=NOW)] == [names[0], names[2]]
    for use in (kept.open, kept.remove):
        with pytest.raises(InvalidInput):
            use(names[1])
    kept.remove(names[0])
    kept.remove(names[2])
    assert [path.name for path in (tmp_path / "quarantine").iterdir()] == ["lock"]


def test_records_expire_after_the_days_they_are_kept(kept, tmp_path):
    old, young = add(kept, 0, now=NOW), add(kept, 1, now=NOW + timedelta(hours=1))
    later = NOW + 30 * DAY
    assert {record.id for record in kept.records(now=later - timedelta(seconds=1))} == {old, young}
    assert [record.id for record in kept.records(now=later)] == [young]
    assert kept.expire(now=later) == 1
    assert kept.open(young) == RAW
    with pytest.raises(InvalidInput):
        kept.open(old)
    assert kept.expire(now=later + DAY) == 1
    assert [path.name for path in (tmp_path / "quarantine").iterdir()] == ["lock"]


@pytest.mark.parametrize("cut", [1, 20, 70])
def test_a_frame_cut_off_by_a_crash_costs_that_record_only(kept, tmp_path, cut):
    first, second = add(kept, 1), add(kept, 2)
    (path,) = (tmp_path / "quarantine").glob("*.sealed")
    os.truncate(path, path.stat().st_size - cut)
    again = opened(tmp_path)
    assert [record.id for record in again.records(now=NOW)] == [first]
    assert add(again, 2) == second
    third = add(again, 3)
    assert {record.id for record in opened(tmp_path).records(now=NOW)} == {first, second, third}
    assert again.expire(now=NOW + 32 * DAY) == 3
    assert list((tmp_path / "quarantine").glob("*.sealed")) == []


def test_altered_bytes_are_seen(kept, tmp_path):
    name = add(kept)
    (path,) = (tmp_path / "quarantine").glob("*.sealed")
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(SealBroken):
        opened(tmp_path).open(name)
    content[quarantine.HEADER_BYTES + 20] ^= 1
    path.write_bytes(content)
    os.utime(path, (1, 1))
    with pytest.raises(SealBroken):
        opened(tmp_path).records(now=NOW)


def test_processes_add_at_once_and_a_killed_one_loses_nothing_acknowledged(tmp_path):
    running = [start(add_to_quarantine, tmp_path, name) for name in ("one", "two")]
    acknowledged = []
    for process, pipe in running:
        acknowledged += [pipe.recv() for _ in range(6)]
        os.kill(process.pid, signal.SIGKILL)
        process.join(10)
    kept = opened(tmp_path)
    assert {record.id for record in kept.records(now=NOW)} >= set(acknowledged)
    last = add(kept)
    assert kept.open(last) == RAW


ANNA, BEN = UserId("a" * 32), UserId("b" * 32)
OTHER = "другой.jsonl"


def left(kept):
    return {record.place for record in kept.records(now=NOW + DAY)}


def test_with_a_person_all_records_of_their_sources_go(kept, tmp_path):
    add(kept)
    kept.attribute("чат.jsonl", [ANNA, BEN], now=NOW)
    kept.add("line 7", "not JSON", RAW, source=OTHER, now=NOW)
    kept.attribute(OTHER, [BEN], now=NOW)
    assert kept.residue(ANNA) == {"records": 1, "notes": 1}
    assert opened(tmp_path).erase(ANNA) == {"records": 1, "notes": 1}
    assert left(kept) == {"line 7"}
    assert kept.residue(ANNA) == {}
    assert kept.erase(ANNA) == {}
    assert kept.residue(BEN) == {"records": 1, "notes": 1}


def test_records_that_nobody_is_known_for_go_with_the_first_who_is_erased(kept):
    add(kept)
    assert kept.residue(ANNA) == {}
    assert kept.erase(ANNA) == {"unattributed": 1}
    assert left(kept) == set()


def test_a_record_kept_after_the_note_goes_too(kept):
    kept.attribute("чат.jsonl", [ANNA], now=NOW)
    add(kept, now=NOW + DAY)
    assert kept.erase(ANNA) == {"records": 1, "notes": 1}


def test_a_record_that_does_not_open_goes_and_hides_no_other(kept, tmp_path):
    add(kept)
    add(kept, 1, now=NOW + DAY)
    kept.attribute("чат.jsonl", [ANNA], now=NOW + DAY)
    (first, _) = sorted((tmp_path / "quarantine").glob("*.sealed"))
    content = bytearray(first.read_bytes())
    content[quarantine.HEADER_BYTES + 20] ^= 1
    first.write_bytes(content)
    assert kept.holds("чат.jsonl")
    assert kept.erase(ANNA) == {"records": 1, "unattributed": 1, "notes": 1}
    assert not list((tmp_path / "quarantine").glob("*.sealed"))


def test_notes_tell_no_name_no_id_and_no_source_and_expire_with_the_records(kept, tmp_path):
    add(kept)
    kept.attribute("чат.jsonl", [ANNA], now=NOW)
    kept.attribute("чат.jsonl", [ANNA], now=NOW)
    files = b"".join(path.read_bytes() for path in (tmp_path / "quarantine").glob("*.sealed"))
    assert files.count(quarantine.PEOPLE_MAGIC) == 1
    assert ANNA.encode() not in files
    assert bytes.fromhex(ANNA) not in files
    assert "чат".encode() not in files
    assert kept.expire(now=NOW + 31 * DAY) == 1
    assert kept.residue(ANNA) == {}
    assert not list((tmp_path / "quarantine").glob("*.sealed"))


def test_an_erasure_killed_while_it_rewrites_loses_nobody_elses_records(kept, tmp_path, monkeypatch):
    add(kept)
    kept.attribute("чат.jsonl", [ANNA], now=NOW)
    kept.add("line 7", "not JSON", RAW, source=OTHER, now=NOW)
    kept.attribute(OTHER, [BEN], now=NOW)
    child = os.fork()
    if child == 0:
        monkeypatch.setattr(Path, "replace", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        opened(tmp_path).erase(ANNA)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    assert left(kept) == {"line 0", "line 7"}
    assert kept.erase(ANNA) == {"records": 1, "notes": 1}
    assert left(kept) == {"line 7"}
    assert kept.open(kept.records(now=NOW)[0].id) == RAW
    assert not list((tmp_path / "quarantine").glob("*.tmp"))


def test_the_key_that_seals_names_no_record(kept, tmp_path):
    keyring = keys_of(tmp_path)[0]
    sealing, naming = keyring.deployment_key("quarantine"), keyring.deployment_key("quarantine-id")
    named = add(kept)
    assert named == quarantine._record_id(naming, "чат.jsonl", "line 0", RAW)
    assert named != quarantine._record_id(sealing, "чат.jsonl", "line 0", RAW)
