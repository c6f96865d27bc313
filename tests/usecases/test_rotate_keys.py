from __future__ import annotations

import itertools
import shutil
import threading
import time
from dataclasses import replace

import pytest

from memory_lib.adapters.keys.sealing import generation_of
from memory_lib.errors import KeyMissing, LeaseLost, SealBroken, StaleRead, StoreBusy
from memory_lib.usecases.rotate_keys import ROTATION_UNDER_WAY, reseal, rotate_keys
from tests.usecases.rotating_home import KILLED, PARAMS, SERVER, SHORT, Wall, filled, opened, rotate_until_killed


@pytest.fixture
def home(tmp_path):
    with opened(tmp_path / "one") as home:
        yield home


@pytest.fixture
def user(home):
    return filled(home)


def test_a_rotation_leaves_everything_as_it_was_under_a_new_key(home, user):
    before = home.everything(user)
    first = home.keyring.open(user)
    told = []
    receipt = rotate_keys(user, ports=home.ports, params=PARAMS, apply=True, progress=told.append)
    assert home.everything(user) == before
    assert home.keyring.generations(user) == (2,)
    assert home.keyring.open(user).key != first.key
    assert home.graph.head(user).key_generation == 2
    assert all(store.outdated(user) == 0 for store in home.ports.resealables.values())
    assert receipt.applied
    assert receipt.counts["keys"] == {"generation": 2, "kept": 1, "destroyed": 1}
    assert receipt.counts["ledger"]["resealed"] >= 9
    assert receipt.counts["graph"]["resealed"] >= 11
    assert sum(told) == receipt.counts["ledger"]["resealed"] + receipt.counts["graph"]["resealed"]
    assert receipt.user == user
    assert receipt.id


def test_whoever_keeps_the_graph_in_memory_reads_it_again(home, user):
    before = home.graph.head(user).revision
    rotate_keys(user, ports=home.ports, params=PARAMS, apply=True)
    after = home.graph.head(user).revision
    assert after.epoch != before.epoch
    assert after.n == before.n


def test_a_dry_run_counts_and_changes_nothing(home, user):
    receipt = rotate_keys(user, ports=home.ports, params=PARAMS, apply=False)
    assert not receipt.applied
    assert receipt.counts == {
        "graph": {"outdated": 0},
        "ledger": {"outdated": 0},
        "files": {"outdated": 0},
        "keys": {"generation": 1, "kept": 1, "outworn": 0},
    }
    assert receipt.notes == ()
    home.keyring.begin(user)
    receipt = rotate_keys(user, ports=home.ports, params=PARAMS, apply=False)
    assert receipt.counts["graph"]["outdated"] >= 11
    assert receipt.counts["ledger"]["outdated"] >= 9
    assert receipt.notes == (ROTATION_UNDER_WAY,)
    assert home.keyring.generations(user) == (1, 2)


def test_copies_made_before_a_rotation_open_no_record_after_it(home, user, tmp_path):
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    rotate_keys(user, ports=home.ports, params=PARAMS, apply=True)
    # yesterday's ledger and graph, today's keys
    shutil.rmtree(tmp_path / "two" / "keys")
    shutil.copytree(tmp_path / "one" / "keys", tmp_path / "two" / "keys")
    with opened(tmp_path / "two") as other:
        refs = other.ledger.messages.refs(user)
        assert len(refs) == 9
        for ref in refs:
            with pytest.raises(SealBroken):
                other.ledger.messages.messages(user, [ref.id])
        for use in (other.graph.load, other.graph.index, other.ledger.people.external):
            with pytest.raises(SealBroken):
                use(user)


def test_another_process_seals_by_the_new_key_from_the_next_call_on(home, user, tmp_path):
    with opened(tmp_path / "one") as other:
        assert generation_of(other.sealer.seal(user, "x", "1", b"")) == 1
        old = other.sealer.seal(user, "x", "1", b"old")
        rotate_keys(user, ports=home.ports, params=PARAMS, apply=True)
        assert generation_of(other.sealer.seal(user, "x", "1", b"")) == 2
        with pytest.raises(SealBroken):
            other.sealer.open(user, "x", "1", old)


def test_a_person_who_rests_in_files_is_rotated_and_their_old_files_do_not_open(home, user, tmp_path):
    home.rest(user)
    before, place = home.everything(user), home.ledger.placements.of(user)
    shutil.copytree(tmp_path / "one" / "warm", tmp_path / "copy")
    receipt = rotate_keys(user, ports=home.ports, params=PARAMS, apply=True)
    assert receipt.counts["files"]["resealed"] >= 3
    assert receipt.counts["graph"] == {"resealed": 0}
    assert home.everything(user) == before
    now = home.ledger.placements.of(user)
    assert (now.tier, now.shard) == (place.tier, place.shard)
    assert home.files.generations(user) == (now.generation,)
    assert now.generation > place.generation
    # yesterday's files in their place
    shutil.rmtree(tmp_path / "one" / "warm")
    shutil.copytree(tmp_path / "copy", tmp_path / "one" / "warm")
    with pytest.raises(SealBroken):
        home.files.read(user, generation=place.generation)


def test_sets_of_files_that_nobody_lives_in_go_where_they_are_of_an_older_key(home, user):
    home.ledger.placements.assign(user, "main")
    left = home.ledger.placements.next_generation(user)
    home.files.write(user, home.graph.take(user), (), generation=left)
    before = home.everything(user)
    rotate_keys(user, ports=home.ports, params=PARAMS, apply=True)
    assert home.everything(user) == before
    assert home.files.generations(user) == ()


def test_a_person_who_was_moved_before_the_end_is_looked_at_once_more(home, user):
    def move(_seconds):
        home.keyring.forget(user)
        home.rest(user)

    receipt = rotate_keys(user, ports=home.ports, params=replace(PARAMS, grace_s=30.0), apply=True, pause=move)
    assert home.keyring.generations(user) == (2,)
    assert receipt.counts["files"] == {"resealed": 0}
    assert len(home.everything(user)[2]) == 4


def test_resealing_makes_old_envelopes_anew_and_leaves_the_keys(home, user):
    assert reseal(user, ports=home.ports, params=PARAMS, apply=True).counts["ledger"] == {"resealed": 0}
    home.keyring.begin(user)
    planned = reseal(user, ports=home.ports, params=PARAMS, apply=False)
    done = reseal(user, ports=home.ports, params=PARAMS, apply=True)
    assert planned.counts["ledger"]["outdated"] == done.counts["ledger"]["resealed"] >= 9
    assert planned.counts["graph"]["outdated"] == done.counts["graph"]["resealed"] >= 11
    assert done.counts["keys"] == {"generation": 2, "kept": 2, "destroyed": 0}
    assert done.notes == (ROTATION_UNDER_WAY,)
    assert reseal(user, ports=home.ports, params=PARAMS, apply=True).counts["ledger"] == {"resealed": 0}


def test_an_erased_person_is_not_rotated(home, user):
    home.keyring.destroy(user)
    for apply in (False, True):
        with pytest.raises(KeyMissing):
            rotate_keys(user, ports=home.ports, params=PARAMS, apply=apply)
    assert not home.keyring.exists(user)


def test_a_person_without_a_graph_is_rotated(home):
    user = home.ledger.people.ensure("борис", now=Wall().now())
    receipt = rotate_keys(user, ports=home.ports, params=PARAMS, apply=True)
    assert receipt.counts["graph"] == {"resealed": 0}
    assert home.ledger.people.external(user) == "борис"


class Store:
    """Envelopes in memory; ``script``: what the next calls of ``reseal`` raise, or None."""

    def __init__(self, home, user, *, count=3, script=()):
        self.rotation = home.keyring
        self.sealer = home.sealer
        self.rows = {str(n): self.sealer.seal(user, "x", str(n), b"%d" % n) for n in range(count)}
        self.script = list(script)

    def old(self, user):
        newest = self.rotation.generation(user)
        return [row for row, envelope in self.rows.items() if generation_of(envelope) != newest]

    def outdated(self, user):
        return len(self.old(user))

    def reseal(self, user, *, limit):
        if self.script and (error := self.script.pop(0)) is not None:
            raise error
        taken = self.old(user)[:limit]
        for row in taken:
            self.rows[row] = self.sealer.seal(user, "x", row, self.sealer.open(user, "x", row, self.rows[row]))
        return len(taken)


def with_store(home, store):
    return replace(home.ports, resealables={**home.ports.resealables, "double": store})


def test_a_busy_store_is_asked_again(home, user):
    busy = [StoreBusy("x"), LeaseLost(token=1, highest=2), StaleRead("x"), None, StoreBusy("x")]
    store, paused = Store(home, user, count=28, script=busy), []
    receipt = rotate_keys(user, ports=with_store(home, store), params=PARAMS, apply=True, pause=paused.append)
    assert receipt.counts["double"]["resealed"] == 28
    assert paused == [PARAMS.pause_s] * 4
    assert home.keyring.generations(user) == (2,)


def test_a_store_that_stays_busy_keeps_the_old_key_and_the_next_call_goes_on(home, user):
    store = Store(home, user, script=[StoreBusy("x")] * PARAMS.attempts)
    ports = with_store(home, store)
    with pytest.raises(StoreBusy):
        rotate_keys(user, ports=ports, params=PARAMS, apply=True, pause=lambda _: None)
    assert home.keyring.generations(user) == (1, 2)
    rotate_keys(user, ports=ports, params=PARAMS, apply=True, pause=lambda _: None)
    assert home.keyring.generations(user) == (2,)
    assert store.outdated(user) == 0


def test_a_record_that_does_not_open_keeps_the_old_key(home, user):
    store = Store(home, user)
    store.rows["1"] = store.rows["1"][:-1] + bytes([store.rows["1"][-1] ^ 1])
    with pytest.raises(SealBroken):
        rotate_keys(user, ports=with_store(home, store), params=PARAMS, apply=True)
    assert home.keyring.generations(user) == (1, 2)


def test_a_store_that_counts_and_does_nothing_is_not_waited_for_for_ever(home, user):
    store = Store(home, user)
    store.reseal = lambda _user, *, limit: 0 * limit
    with pytest.raises(StoreBusy, match="double"):
        rotate_keys(user, ports=with_store(home, store), params=PARAMS, apply=True, pause=lambda _: None)
    assert home.keyring.generations(user) == (1, 2)


def test_what_was_sealed_before_the_rotation_and_written_after_its_first_round_is_sealed_anew_too(home, user):
    store = Store(home, user)
    late = home.sealer.seal(user, "x", "late", b"late")
    waited = []

    def grace(seconds):
        waited.append(seconds)
        assert store.outdated(user) == 0
        store.rows["late"] = late

    ports = with_store(home, store)
    rotate_keys(user, ports=ports, params=replace(PARAMS, grace_s=30.0), apply=True, pause=grace)
    assert len(waited) == 1
    assert 25 < waited[0] <= 30
    assert home.sealer.open(user, "x", "late", store.rows["late"]) == b"late"


def test_another_rotation_begun_meanwhile_is_not_cut_short(home, user):
    def meanwhile(_seconds):
        home.keyring.finish(user)
        home.keyring.begin(user)

    with pytest.raises(StoreBusy, match="another rotation"):
        rotate_keys(user, ports=home.ports, params=replace(PARAMS, grace_s=30.0), apply=True, pause=meanwhile)
    assert home.keyring.generations(user) == (2, 3)


@pytest.mark.slow
def test_writers_beside_a_rotation_lose_nothing(home, user, tmp_path):
    stop, failures, said, remembered = threading.Event(), [], [], []

    def write(number):
        with opened(tmp_path / "one") as other:
            for count in itertools.count():
                try:
                    place = 100_000 * (number + 1) + count
                    other.say(user, place)
                    said.append(f"слово {place}, word {place}")
                    other.remember(user, f"of {number}, {count}")
                    remembered.append(f"content of of {number}, {count}")
                except Exception as error:  # noqa: BLE001 - told by the test
                    failures.append(error)
                    return
                if stop.is_set():
                    return
                time.sleep(0.005)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(2)]
    for each in writers:
        each.start()
    try:
        for _ in range(3):
            rotate_keys(user, ports=home.ports, params=replace(PARAMS, grace_s=0.2, batch=100), apply=True)
    finally:
        stop.set()
        for each in writers:
            each.join()
    assert failures == []
    assert len(said) > 10
    _, texts, nodes, _ = home.everything(user)
    assert set(said) <= set(texts)
    assert len(texts) == len(said) + 9
    assert set(remembered) <= {each.content for each in nodes.values()}
    assert home.keyring.generations(user) == (4,)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["hot", "warm"])
def test_a_rotation_killed_between_any_two_steps_is_gone_on_with(tmp_path, where):
    with opened(tmp_path / "first") as home:
        user = filled(home)
        if where == "warm":
            home.rest(user)
        before = home.everything(user)
    seen = set()
    for strikes in itertools.count():
        place = tmp_path / str(strikes)
        shutil.copytree(tmp_path / "first", place)
        process = SERVER.Process(target=rotate_until_killed, args=(place, user, strikes))
        process.start()
        process.join()
        with opened(place, lease_s=SHORT) as home:
            kept = home.keyring.generations(user)
            seen.add(kept)
            assert home.everything(user) == before, strikes
            if where == "hot":
                # whoever writes in between writes by the newest key
                home.remember(user, "late")
            home.say(user, 777)
            if process.exitcode == 0:
                break
            assert process.exitcode == KILLED
            receipt = rotate_keys(user, ports=home.ports, params=PARAMS, apply=True)
            assert home.keyring.generations(user) == (receipt.counts["keys"]["generation"],)
            name, texts, nodes, _ = home.everything(user)
            assert name == before[0]
            assert len(texts) == len(before[1]) + 1
            assert len(nodes) == len(before[2]) + (where == "hot")
            assert not list((place / "keys").rglob("*.tmp"))
            assert len([path for path in (place / "keys" / "people").rglob("*.key") if path.is_file()]) == 1
    assert strikes >= 8
    assert seen == {(1,), (1, 2), (2,)}
