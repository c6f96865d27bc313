"""After an erasure nothing of the person is anywhere under the home, nothing of a copy opens, and nobody else has lost a byte
(CONTRACTS, Sealing and keys)."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from memory_lib.adapters.keys.signing import verified
from memory_lib.domain.ids import UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.errors import DependencyDown, Transient, UnknownUser
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.operations.erase import erase, ports_of
from memory_lib.operations.export_user import handed_over
from memory_lib.usecases.erase import ERASE
from memory_lib.usecases.reapply_tombstones import Reapplied, reapply_tombstones
from tests.e2e.erasing import (
    CANARIES,
    GONE,
    NOW,
    RECORDS,
    STAYS,
    Filled,
    later,
    opened,
    readable,
    records_that_open,
)
from tests.e2e.readable_bytes import Search
from tests.e2e.warm_process import WarmProcess
from tests.usecases.ops_bench import GRAPH, Opened

pytestmark = pytest.mark.slow

KILLED_AT, SOAKED_AT = 10, 150
"""Points of one erasure, evenly over its moments."""


@pytest.fixture
def home(filled: Filled, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled.home, tmp_path / "home"))


def nothing(_count: int) -> None:
    """No progress."""


def erased(bench: OpsBench, user: UserId) -> Receipt:
    return erase(bench, user, Asked(apply=True), nothing)


def expect_gone(home: Path, filled: Filled) -> None:
    assert filled.evidence.found_under(home) == {}
    with opened(home) as (memory, ops):
        assert all(store.residue(filled.user) == {} for store in ops.bench.stores.values())
        assert not memory.keyring.exists(filled.user)
        assert memory.users() == (STAYS,)


def test_before_it_there_is_something_everywhere(filled: Filled) -> None:
    told = filled.evidence.found_under(filled.home)
    places = {name.split("/")[0] for name in told}
    assert places == {"ledger.db", "graphs", "files", "exports", "quarantine", "keys"}
    found = {where for each in told.values() for where in each}
    assert found >= {where for where, _ in filled.evidence.traces} - {"internal id, raw"}
    assert records_that_open(filled.home, filled.user) > 40


def test_nothing_of_the_person_is_anywhere_and_nobody_else_lost_a_byte(home: Path, filled: Filled) -> None:
    words = Search(CANARIES)
    with opened(home) as (memory, ops):
        before = readable(handed_over(ops.bench, memory.user_id(STAYS)).data)
        dry = erase(ops.bench, filled.user, Asked(apply=False), nothing)
        assert not dry.applied
        assert dry.user == filled.user
        ports = ports_of(ops.bench)
        receipt: Receipt | None = None
        for step in ERASE:
            assert words.found_under(home) == {}, step.name
            receipt = step.work(ports, filled.user)
        assert words.found_under(home) == {}
        assert receipt is not None
        assert receipt.counts == dry.counts
        assert readable(handed_over(ops.bench, memory.user_id(STAYS)).data) == before
        assert set(before) == {"README.txt", "memory.md", "memory.json", "messages.jsonl"}
        # a day's sealed export and the person's requests are still theirs
        assert ops.bench.stores["exports"].residue(memory.user_id(STAYS)) == {"files": 1}
    expect_gone(home, filled)
    assert words.found_under(home) == {}


def test_the_receipt_is_signed_names_nobody_and_is_kept(home: Path, filled: Filled) -> None:
    with opened(home) as (_memory, ops):
        receipt = erased(ops.bench, filled.user)
        assert receipt.applied
        assert receipt.user is None
        assert verified(receipt.record(), ops.bench.signer.public_key)
        assert not verified({**receipt.record(), "counts": {}}, ops.bench.signer.public_key)
        assert {"bury", "destroy_key", "empty_stores", "scan"} <= receipt.seconds.keys()
        assert "key_backups_7_days" in receipt.notes
        assert filled.user not in str(receipt.record())
        assert ops.bench.receipts.one(receipt.id) == receipt
        assert erased(ops.bench, filled.user) == receipt
    with opened(home, now=later(60)) as (_memory, ops):
        assert erased(ops.bench, filled.user) == receipt
        assert erase(ops.bench, filled.user, Asked(apply=False), nothing).counts == {}


@pytest.mark.timeout(300)
def test_killed_anywhere_it_goes_on_where_it_was(warm: WarmProcess, filled: Filled, tmp_path: Path) -> None:
    kill_and_go_on(warm, filled, tmp_path, points=KILLED_AT)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_killed_at_nearly_every_moment_it_goes_on(warm: WarmProcess, filled: Filled, tmp_path: Path) -> None:
    kill_and_go_on(warm, filled, tmp_path, points=SOAKED_AT)


def kill_and_go_on(warm: WarmProcess, filled: Filled, tmp_path: Path, *, points: int) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(filled.home, whole)
    calm = warm.do("erase_person", home=str(whole), user=filled.user, now=NOW.isoformat())
    assert calm["moments"] > 50
    for point in range(points):
        home = tmp_path / f"killed {point}"
        shutil.copytree(filled.home, home)
        deadly = 1 + point * (calm["moments"] - 2) // (points - 1)
        child = warm.fork("erase_person", home=str(home), user=filled.user, now=NOW.isoformat(), deadly=deadly)
        assert child.wait() == -signal.SIGKILL, deadly
        assert Search(CANARIES).found_under(home) == {}, deadly
        # the dead one's write lease has run out by then
        again = warm.do("erase_person", home=str(home), user=filled.user, now=later(2).isoformat())
        assert again["receipt"]["counts"] == calm["receipt"]["counts"], deadly
        expect_gone(home, filled)
        shutil.rmtree(home)


def test_a_store_that_does_not_answer_is_emptied_by_the_next_call(home: Path, filled: Filled) -> None:
    class Down:
        def erase(self, user: UserId) -> Mapping[str, int]:
            raise DependencyDown("graph", "no answer")

        residue = erase

    with opened(home) as (memory, ops):
        with pytest.raises(DependencyDown):
            erased(ops.with_stores({GRAPH: Down()}), filled.user)
        assert not memory.keyring.exists(filled.user)
        assert ops.bench.tombstones.of(filled.user) is not None
        others = {name: store for name, store in ops.bench.stores.items() if name != GRAPH}
        assert all(store.residue(filled.user) == {} for store in others.values())
        receipt = erased(ops.bench, filled.user)
        assert receipt.counts["ledger"]["messages"] == 4
        assert receipt.counts[GRAPH]["nodes"] > 0
    expect_gone(home, filled)


def test_what_comes_back_while_it_is_emptied_is_told_and_the_next_call_ends_it(home: Path, filled: Filled) -> None:
    class Writing:
        """A store into which somebody writes once more, just behind the erasure."""

        def __init__(self, ops: Opened) -> None:
            self.ops, self.late = ops, 1

        def erase(self, user: UserId) -> Mapping[str, int]:
            return self.ops.graph.erase(user)

        def residue(self, user: UserId) -> Mapping[str, int]:
            return {"nodes": self.late} if self.late else self.ops.graph.residue(user)

    with opened(home) as (_memory, ops):
        writing = Writing(ops)
        with pytest.raises(Transient, match=f"still in {GRAPH}"):
            erased(ops.with_stores({GRAPH: writing}), filled.user)
        writing.late = 0
        assert erased(ops.with_stores({GRAPH: writing}), filled.user).applied
    expect_gone(home, filled)


def test_the_search_fails_where_only_the_key_is_destroyed(home: Path, filled: Filled) -> None:
    with opened(home) as (memory, _ops):
        memory.keyring.destroy(filled.user)
    with pytest.raises(AssertionError):
        assert filled.evidence.found_under(home) == {}
    assert records_that_open(home, filled.user) == 0


def test_the_search_fails_where_only_the_rows_go(home: Path, filled: Filled) -> None:
    with opened(home) as (_memory, ops):
        for store in ops.bench.stores.values():
            store.erase(filled.user)
    told = filled.evidence.found_under(home)
    assert {where for found in told.values() for where in found} >= {"wrapped key"}
    put_back(filled.home, home)
    assert records_that_open(home, filled.user) > 40


@pytest.mark.parametrize("left_out", [GRAPH, "files:warm", "files:cold", "exports", "quarantine", "ledger"])
def test_the_search_fails_where_one_store_is_forgotten(home: Path, filled: Filled, left_out: str) -> None:
    with opened(home) as (_memory, ops):
        erased(ops.without(left_out), filled.user)
    assert filled.evidence.found_under(home) != {}


STORES = ("ledger.db", "graphs", "files", "exports", "quarantine")


def put_back(backup: Path, home: Path, *, parts: tuple[str, ...] = STORES) -> None:
    """Yesterday's stores over today's, keys and tombstones as they are."""
    for part in parts:
        for old in home.glob(f"{part}*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        source = backup / part
        shutil.copytree(source, home / part) if source.is_dir() else shutil.copy2(source, home / part)


def reapplied(ops: Opened, **options: bool) -> Reapplied:
    bench = ops.bench
    return reapply_tombstones(
        values=ops.ledger.deployment_values,
        tombstones=bench.tombstones,
        keyring=bench.keyring,
        sealer=bench.sealer,
        listings=[
            lambda after, limit: bench.work.people.everyone(after=after, limit=limit),
            lambda after, limit: ops.graph.people(after=after, limit=limit),
        ],
        stores=bench.stores,
        **options,
    )


def test_of_yesterdays_backup_no_record_opens_and_it_is_emptied_of_them(home: Path, filled: Filled) -> None:
    with opened(home) as (memory, ops):
        before = readable(handed_over(ops.bench, memory.user_id(STAYS)).data)
        erased(ops.bench, filled.user)
        assert reapplied(ops).people == 0
    put_back(filled.home, home)
    assert filled.evidence.found_under(home) != {}
    assert records_that_open(home, filled.user) == 0
    with opened(home) as (memory, ops):
        assert filled.evidence.found_under(home) == {}
        with pytest.raises(UnknownUser):
            memory.show(GONE)
        assert reapplied(ops) == Reapplied(people=0, counts={}, whole=True)
        assert readable(handed_over(ops.bench, memory.user_id(STAYS)).data) == before
    expect_gone(home, filled)


def test_a_backup_of_the_graph_and_files_alone_opens_no_record_either(home: Path, filled: Filled) -> None:
    with opened(home) as (_memory, ops):
        erased(ops.bench, filled.user)
        reapplied(ops)
    put_back(filled.home, home, parts=("graphs", "files"))
    assert records_that_open(home, filled.user) == 0
    with opened(home) as (_memory, ops):
        assert reapplied(ops, always=True).people == 1
    expect_gone(home, filled)


def test_a_key_put_back_with_the_backup_is_destroyed_again(home: Path, filled: Filled) -> None:
    with opened(home) as (_memory, ops):
        erased(ops.bench, filled.user)
    put_back(filled.home, home)
    shutil.copytree(filled.home / "keys" / "people", home / "keys" / "people", dirs_exist_ok=True)
    assert records_that_open(home, filled.user) > 40
    with opened(home) as (memory, _ops):
        assert memory.users() == (STAYS,)
    expect_gone(home, filled)


def test_erased_again_after_a_backup_it_has_a_receipt_of_its_own(home: Path, filled: Filled) -> None:
    with opened(home) as (_memory, ops):
        first = erased(ops.bench, filled.user)
    with opened(home, now=later(600)) as (_memory, ops):
        put_back(filled.home, home, parts=("files",))
        second = erased(ops.bench, filled.user)
        assert second.id != first.id
        assert second.counts == {"files:warm": first.counts["files:warm"], "files:cold": first.counts["files:cold"]}
    expect_gone(home, filled)


def test_who_comes_again_starts_from_nothing(home: Path, filled: Filled, tmp_path: Path) -> None:
    with opened(home) as (memory, ops):
        erased(ops.bench, filled.user)
        with pytest.raises(UnknownUser):
            memory.user_id(GONE)
        first = {key: value for key, value in RECORDS[0].items() if key != "user"}
        memory.add(GONE, [first])
        user = memory.user_id(GONE)
        assert user != filled.user
        assert memory.bench.people.person(user).messages == 1
        texts = [node["content"] for node in memory.show(GONE)["nodes"]]
        assert texts
        assert not any(CANARIES[name] in text for text in texts for name in ("pinned", "person", "corrected"))
        assert reapplied(ops).people == 0
        assert ops.bench.keyring.exists(user)


@pytest.fixture
def counting() -> Callable[[], int]:
    """How often everybody was listed."""
    calls = 0

    def count() -> int:
        nonlocal calls
        calls += 1
        return calls

    return count


def test_tombstones_cost_one_read_where_nothing_changed(home: Path, filled: Filled, counting: Callable[[], int]) -> None:
    def listing(_after: Any, _limit: int) -> tuple[UserId, ...]:
        counting()
        return ()

    with opened(home) as (_memory, ops):
        bench = ops.bench
        ops.ledger.deployment_values.set("tombstones", "another state")
        options: dict[str, Any] = {
            "values": ops.ledger.deployment_values,
            "tombstones": bench.tombstones,
            "keyring": bench.keyring,
            "sealer": bench.sealer,
            "listings": [listing],
            "stores": bench.stores,
        }
        reapply_tombstones(**options)
        assert counting() == 2
        reapply_tombstones(**options)
        assert counting() == 3
        erased(bench, filled.user)
        reapply_tombstones(**options)
        assert counting() == 5
