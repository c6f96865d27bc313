"""Restoring: a home is backed up, destroyed, and people come back from each kind of backup with the same memories and answers;
whoever was erased does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memory_lib.bootstrap import Memory
from memory_lib.domain.placement import MAIN, Placement, Tier
from memory_lib.domain.shapes import context_shape
from memory_lib.errors import InvalidInput, UnknownUser, UnreadableFile
from memory_lib.operations.bench import Asked
from memory_lib.operations.erase import erase
from memory_lib.operations.restore import restore, restore_from, user_in
from tests.e2e.erasing import CANARIES, GONE, NOW, STAYS, Filled, evidence_of, later, opened, said
from tests.e2e.readable_bytes import Search

pytestmark = pytest.mark.slow

QUESTIONS = {GONE: "Где я работаю?", STAYS: "What am I allergic to?"}


def nothing(_count: int) -> None:
    """No progress."""


def belief(memory: Memory, name: str) -> dict[str, object]:
    answer = context_shape(memory.ask(name, QUESTIONS[name], now=NOW))
    return {
        "hash": memory.graph_hash(name),
        "items": [(item["id"], item["content"]) for item in answer["items"]],
        "context": answer["context"],
        "rounds": answer["rounds_text"],
    }


def beliefs(home: Path) -> dict[str, dict[str, object]]:
    with opened(home) as (memory, _ops):
        return {name: belief(memory, name) for name in (GONE, STAYS)}


@pytest.fixture
def backup(filled: Filled, tmp_path: Path) -> Path:
    """A copy of the whole home."""
    return Path(shutil.copytree(filled.home, tmp_path / "backup"))


@pytest.fixture
def home(backup: Path, tmp_path: Path) -> Path:
    """A destroyed home: its keys were put back, nothing else."""
    place = tmp_path / "home"
    shutil.copytree(backup / "keys", place / "keys")
    return place


def test_from_a_homes_copy_into_an_empty_home(home: Path, backup: Path) -> None:
    expected = beliefs(backup)
    with opened(home) as (memory, ops):
        for name in (GONE, STAYS):
            user = user_in(ops.bench, name, str(backup))
            dry = restore_from(ops.bench, user, str(backup), apply=False, progress=nothing)
            assert not dry.applied
            assert name not in memory.users()
            done = restore_from(ops.bench, user, str(backup), apply=True, progress=nothing)
            assert done.applied
            assert "graph_placed" in done.notes
            assert done.counts["ledger"] == dry.counts["ledger"]
            assert belief(memory, name) == expected[name]
            again = restore_from(ops.bench, user, str(backup), apply=True, progress=nothing)
            assert "ledger" not in again.counts
            assert "graph_kept" in again.notes
    assert Search(CANARIES).found_under(home) == {}
    assert not list(home.glob("restore-*"))


def test_from_the_ledger_alone_memories_are_formed_again(home: Path, backup: Path) -> None:
    expected = beliefs(backup)
    with opened(home) as (memory, ops):
        user = user_in(ops.bench, STAYS, str(backup / "ledger.db"))
        done = restore_from(ops.bench, user, str(backup / "ledger.db"), apply=True, progress=nothing)
        assert "graph_rebuilt" in done.notes
        assert done.counts["formed"]["nodes"] > 0
        assert belief(memory, STAYS) == expected[STAYS]


def test_from_sealed_files_where_the_store_lost_the_graph(filled: Filled, tmp_path: Path) -> None:
    expected = beliefs(filled.home)
    home = Path(shutil.copytree(filled.home, tmp_path / "live"))
    files = Path(shutil.copytree(home / "files" / "cold", tmp_path / "kept files"))
    for part in ("graphs", "files"):
        shutil.rmtree(home / part)
    with opened(home) as (memory, ops):
        assert memory.show(GONE)["nodes"] == []
        before = ops.graph.head(filled.user).revision
        done = restore_from(ops.bench, filled.user, str(files), apply=True, progress=nothing)
        assert done.applied
        assert done.notes == ("graph_placed",)
        found = belief(memory, GONE)
        assert found["hash"] == expected[GONE]["hash"]
        assert found["items"] == expected[GONE]["items"]
        assert ops.graph.head(filled.user).revision.epoch != before.epoch


def test_nothing_newer_is_overwritten(filled: Filled, backup: Path, tmp_path: Path) -> None:
    home = Path(shutil.copytree(filled.home, tmp_path / "live"))
    with opened(home, now=later(60)) as (memory, ops):
        more = said(GONE, 20, "Я переехал в Выборг.")
        edited = {**said(GONE, 4, "28 мая у меня собеседование в Пскове.")}
        memory.add(GONE, [{key: value for key, value in each.items() if key != "user"} for each in (more, edited)])
        before = belief(memory, GONE)
        shown = memory.show(GONE)
        done = restore_from(ops.bench, filled.user, str(backup), apply=True, progress=nothing)
        assert "ledger" not in done.counts
        assert "graph_kept" in done.notes
        assert memory.show(GONE) == shown
        assert belief(memory, GONE) == before


def test_missing_messages_come_back_into_a_live_home(backup: Path, filled: Filled, tmp_path: Path) -> None:
    """The live home begins anew with half of what was said; the backup has the rest."""
    expected = beliefs(backup)
    home = tmp_path / "live"
    shutil.copytree(backup / "keys", home / "keys")
    with opened(home) as (memory, ops):
        first = ops.bench
        user = user_in(first, STAYS, str(backup))
        restore_from(first, user, str(backup / "ledger.db"), apply=True, progress=nothing)
        with ops.ledger._database.write() as connection:
            for table in ("message_versions", "rounds", "messages"):
                connection.exec_driver_sql(
                    f"DELETE FROM {table} WHERE message_id IN (SELECT message_id FROM messages ORDER BY at_us DESC LIMIT 1)"
                )
        assert memory.bench.people.person(user).messages == 3
        done = restore_from(first, user, str(backup), apply=True, progress=nothing)
        assert done.counts["ledger"]["messages"] == 1
        assert belief(memory, STAYS) == expected[STAYS]


def test_a_ledger_of_yesterday_goes_on_above_todays_fences(filled: Filled, backup: Path, tmp_path: Path) -> None:
    """The stores have seen tokens that yesterday's ledger would give out again."""
    home = Path(shutil.copytree(filled.home, tmp_path / "live"))
    with opened(home) as (memory, ops):
        for _ in range(9):
            with ops.bench.work.write_turn.hold(filled.user) as turn:
                ops.graph.fence(filled.user, token=turn.token)
    for old in home.glob("ledger.db*"):
        old.unlink()
    with opened(home) as (memory, ops):
        restore_from(ops.bench, filled.user, str(backup), apply=True, progress=nothing)
        more = said(GONE, 21, "Я переехал в Выборг.")
        memory.add(GONE, [{key: value for key, value in more.items() if key != "user"}])
        assert any("Выборг" in node["content"] for node in memory.show(GONE)["nodes"])


def test_who_rested_in_files_that_are_gone_is_formed_again(filled: Filled, backup: Path, tmp_path: Path) -> None:
    home = Path(shutil.copytree(filled.home, tmp_path / "live"))
    expected = beliefs(backup)
    with opened(home) as (memory, ops):
        with ops.bench.work.write_turn.hold(filled.user) as turn:
            hot = ops.bench.placements.of(filled.user)
            assert hot is not None
            generation = ops.bench.files[Tier.WARM].generations(filled.user)[-1]
            warm = Placement(Tier.WARM, MAIN, generation)
            ops.bench.placements.flip(filled.user, warm, was=hot, token=turn.token, now=NOW)
            ops.graph.vacate(filled.user, token=turn.token)
        for files in ops.files.values():
            files.erase(filled.user)
        done = restore_from(ops.bench, filled.user, str(backup), apply=True, progress=nothing)
        assert "graph_placed" in done.notes
        place = ops.bench.placements.of(filled.user)
        assert place is not None
        assert place.tier is Tier.HOT
        assert memory.graph_hash(GONE) == expected[GONE]["hash"]


def test_whoever_was_erased_is_not_restored_and_others_are(filled: Filled, backup: Path, tmp_path: Path) -> None:
    expected = beliefs(backup)
    home = Path(shutil.copytree(filled.home, tmp_path / "live"))
    with opened(home) as (_memory, ops):
        erase(ops.bench, filled.user, Asked(apply=True), nothing)
    for part in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
        (home / part).unlink(missing_ok=True)
    for part in ("graphs", "files"):
        shutil.rmtree(home / part, ignore_errors=True)
    with opened(home) as (memory, ops):
        assert user_in(ops.bench, GONE, str(backup)) == filled.user
        refused = restore_from(ops.bench, filled.user, str(backup), apply=True, progress=nothing)
        assert (refused.applied, refused.refused) == (False, "erased")
        assert memory.users() == ()
        user = user_in(ops.bench, STAYS, str(backup))
        assert restore_from(ops.bench, user, str(backup), apply=True, progress=nothing).applied
        assert belief(memory, STAYS) == expected[STAYS]
    assert evidence_of(backup, filled.user).found_under(home) == {}


def test_without_their_key_nobody_is_restored(home: Path, backup: Path, filled: Filled) -> None:
    with opened(home) as (memory, ops):
        memory.keyring.destroy(filled.user)
        refused = restore_from(ops.bench, filled.user, str(backup), apply=True, progress=nothing)
        assert refused.refused == "key_missing"


def test_what_is_no_backup_is_refused(home: Path, backup: Path, filled: Filled, tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text("no ledger")
    (tmp_path / "empty").mkdir()
    with opened(home) as (_memory, ops):
        for place in ("some.txt", "nowhere"):
            with pytest.raises(UnreadableFile):
                restore_from(ops.bench, filled.user, str(tmp_path / place), apply=True, progress=nothing)
        nobody = restore_from(ops.bench, filled.user, str(tmp_path / "empty"), apply=True, progress=nothing)
        assert nobody.refused == "not_in_backup"
        with pytest.raises(UnknownUser):
            user_in(ops.bench, "никто", str(backup))
        with pytest.raises(InvalidInput):
            restore(ops.bench, filled.user, Asked(apply=True), nothing)
