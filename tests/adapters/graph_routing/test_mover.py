"""A person's graph on its way between stores and files: one living copy, nothing lost, whatever happens in between."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from memory_lib.adapters.graph_routing.comparing import differing
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.errors import (
    Cancelled,
    DependencyDown,
    LeaseLost,
    Permanent,
    PersonAway,
    StaleRead,
    StoreBusy,
    UnknownSetting,
)
from memory_lib.ports.graph import WholeGraph
from memory_lib.ports.person_mover import Destination
from tests.adapters.graph_routing.household import OTHER, Household
from tests.contracts.graph.samples import node_id

HOT, WARM, COLD = (Destination(tier) for tier in Tier)
EVERY_WAY = [
    (WARM,),
    (COLD,),
    (WARM, COLD),
    (WARM, HOT),
    (COLD, HOT),
    (WARM, COLD, HOT),
    (COLD, WARM, HOT, WARM),
    (Destination(Tier.HOT, OTHER),),
    (Destination(Tier.HOT, OTHER), WARM, HOT, Destination(Tier.HOT, "main")),
]


def whole(household: Household, user: UserId) -> WholeGraph:
    return household.routed.take(user)


@pytest.mark.parametrize("way", EVERY_WAY, ids=lambda way: " ".join(f"{to.tier}{to.shard or ''}" for to in way))
def test_all_that_is_kept_travels_and_one_copy_is_left(household: Household, anna: UserId, way: tuple[Destination, ...]):
    before, fingerprint = whole(household, anna), household.hash(anna)
    for to in way:
        moved = household.mover.move(anna, to)
        assert (moved.now.tier, moved.counts["nodes"], moved.counts["edges"]) == (to.tier, 3, 2)
        assert household.mover.where(anna) == moved.now
        assert differing(before, whole(household, anna), vectors_within=0.0) == ()
        assert household.hash(anna) == fingerprint
        place = moved.now.shard if to.tier is Tier.HOT else f"{to.tier} {moved.now.generation}"
        assert household.copies(anna) == [place]


def test_a_load_begins_a_new_epoch_and_resting_does_not(household: Household, anna: UserId):
    first = household.routed.head(anna).revision
    household.mover.move(anna, WARM)
    assert household.routed.head(anna).revision == first
    household.mover.move(anna, HOT)
    back = household.routed.head(anna).revision
    assert (back.n, back.epoch != first.epoch) == (first.n, True)


def test_moving_to_where_they_are_changes_nothing(household: Household, anna: UserId):
    before = household.routed.head(anna).revision
    moved = household.mover.move(anna, HOT)
    assert (moved.changed, moved.counts) == (False, {})
    assert household.routed.head(anna).revision == before
    household.mover.move(anna, WARM)
    assert not household.mover.move(anna, WARM).changed


def test_who_rests_can_be_given_another_store_to_come_back_to(household: Household, anna: UserId):
    household.mover.move(anna, WARM)
    generation = household.mover.where(anna).generation
    moved = household.mover.move(anna, Destination(Tier.WARM, OTHER))
    assert moved.now == Placement(Tier.WARM, OTHER, generation)
    assert household.mover.move(anna, HOT).now == Placement(Tier.HOT, OTHER)
    assert household.copies(anna) == [OTHER]


def test_a_plan_says_where_without_moving(household: Household, anna: UserId):
    assert household.mover.planned(anna, COLD) == Placement(Tier.COLD, "main", 1)
    assert household.mover.planned(anna, Destination(Tier.HOT, OTHER)) == Placement(Tier.HOT, OTHER)
    assert household.mover.planned(anna, HOT) == Placement(Tier.HOT, "main")
    assert household.mover.where(anna) == Placement(Tier.HOT, "main")


def test_a_store_that_is_not_configured_is_named(household: Household, anna: UserId):
    for ask in (household.mover.planned, household.mover.move):
        with pytest.raises(UnknownSetting, match="nowhere"):
            ask(anna, Destination(Tier.HOT, "nowhere"))


def test_the_sessions_travel_as_ids_and_times(household: Household, anna: UserId):
    generation = household.mover.move(anna, WARM).now.generation
    (session,) = household.warm.sessions(anna, generation=generation)
    refs = household.ledger.messages.refs(anna)
    assert session.messages == tuple(ref.id for ref in refs)
    assert (session.first_us, session.last_us) == (refs[0].at_us, refs[-1].at_us)


# -- writers --


def test_a_late_writer_with_an_old_token_is_refused_where_the_person_was(household: Household, anna: UserId):
    with household.turns.hold(anna) as turn:
        late = turn.token
    household.mover.move(anna, Destination(Tier.HOT, OTHER))
    store = household.shards["main"]
    with pytest.raises(LeaseLost):
        store.fence(anna, token=late)
    assert store.take(anna).nodes == {}


def test_a_late_writer_is_refused_while_the_copy_is_made(household: Household, anna: UserId):
    with household.turns.hold(anna) as turn:
        late = turn.token
    refused: list[str] = []

    def write_late(step: str) -> None:
        if step in ("write", "written"):
            with pytest.raises(LeaseLost):
                household.write(anna, "z", unit=f"late {step}", token=late)
            refused.append(step)

    household.warm.before = write_late
    household.mover.move(anna, WARM)
    assert refused == ["write", "written"]
    assert node_id("z") not in household.routed.load(anna).nodes


def test_a_writer_who_overtakes_a_slow_move_keeps_what_they_wrote(
    household: Household, anna: UserId, open_household: Callable[..., Household]
):
    """The move's lease runs out while it copies; the flip fails, and the source is the living copy."""
    other = open_household(clock=household.clock)

    def overtake(step: str) -> None:
        if step == "written":
            household.clock.pass_(seconds=40)
            other.remembers(anna, "z", unit="overtaking")

    household.warm.before = overtake
    with pytest.raises(LeaseLost):
        household.mover.move(anna, WARM)
    assert household.mover.where(anna) == Placement(Tier.HOT, "main")
    assert node_id("z") in household.routed.load(anna).nodes
    household.warm.before = lambda _: None
    household.clock.pass_(seconds=90)
    household.mover.move(anna, WARM)
    assert len(household.copies(anna)) == 1
    assert node_id("z") in household.routed.load(anna).nodes


def test_who_is_away_is_not_written(household: Household, anna: UserId):
    household.mover.move(anna, WARM)
    before = household.routed.head(anna)
    with pytest.raises(PersonAway):
        household.remembers(anna, "z", unit="away")
    assert household.routed.head(anna) == before


def test_of_two_movers_one_wins_and_the_other_says_so(
    household: Household, anna: UserId, open_household: Callable[..., Household]
):
    second = open_household(clock=household.clock)
    said: list[str] = []

    def meanwhile(step: str) -> None:
        if step == "write":
            with pytest.raises(StoreBusy, match="moved by another process"):
                second.mover.move(anna, COLD)
            said.append(step)

    household.warm.before = meanwhile
    assert household.mover.move(anna, WARM).changed
    assert said == ["write"]
    assert len(household.copies(anna)) == 1


@pytest.mark.parametrize("last", [HOT, WARM], ids=lambda to: to.tier)
def test_a_mover_who_was_overtaken_after_the_flip_removes_nothing_that_lives(
    household: Household,
    anna: UserId,
    open_household: Callable[..., Household],
    monkeypatch: pytest.MonkeyPatch,
    last: Destination,
):
    """It flipped to files and slept; others brought the person back and away again before it woke up to tidy."""
    other = open_household(clock=household.clock, files=household.files)
    flip = household.ledger.placements.flip
    woken = False

    def flip_and_sleep(user: UserId, to: Placement, **options: object) -> None:
        nonlocal woken
        flip(user, to, **options)  # type: ignore[arg-type]
        if to.tier is Tier.WARM and not woken:
            woken = True
            household.clock.pass_(seconds=90)
            other.mover.move(user, HOT)
            if last is WARM:
                household.clock.pass_(seconds=90)
                other.mover.move(user, WARM)

    monkeypatch.setattr(household.ledger.placements, "flip", flip_and_sleep)
    if last is HOT:
        with pytest.raises(LeaseLost):
            household.mover.move(anna, WARM)
    else:
        household.mover.move(anna, WARM)
    assert other.mover.where(anna).tier is last.tier
    assert len(household.copies(anna)) == 1
    assert node_id("a") in other.routed.load(anna).nodes


@pytest.mark.slow
def test_what_writers_were_promised_is_there_however_often_the_person_moves(
    household: Household, anna: UserId, open_household: Callable[..., Household]
):
    """Two writers, each in a household of its own, write for as long as a third moves the person about."""
    promised: list[str] = []
    moving = threading.Event()

    def write(name: str) -> None:
        writer = open_household(clock=household.clock, files=household.files, wait_s=30.0)
        number = kept = 0
        while not moving.is_set() or kept < 5:
            number += 1
            try:
                writer.remembers(anna, f"{name} {number}", unit=f"{name} {number}")
            except PersonAway:
                time.sleep(0.005)
            else:
                promised.append(f"{name} {number}")
                kept += 1
                time.sleep(0.02)  # the mover is waiting for its turn

    mover = open_household(clock=household.clock, files=household.files, wait_s=30.0).mover
    with ThreadPoolExecutor(2) as pool:
        writers = [pool.submit(write, name) for name in ("one", "two")]
        for to in (WARM, HOT, Destination(Tier.HOT, OTHER), COLD, HOT, Destination(Tier.HOT, "main")):
            mover.move(anna, to)
            time.sleep(0.05)
        moving.set()
        for each in writers:
            each.result(60.0)
    graph = whole(household, anna)
    assert len(promised) >= 10
    assert {node_id(name) for name in promised} <= graph.nodes.keys()
    keys = [applied.key for applied in graph.write_keys]
    assert len(keys) == len(set(keys)) == len(promised) + 1
    assert len(graph.outbox) == len(keys)
    assert household.copies(anna) == ["main"]


# -- stopping --


@pytest.mark.parametrize("asked", [1, 2, 3])
def test_stopped_before_the_flip_nothing_has_changed(household: Household, anna: UserId, asked: int):
    before = household.routed.head(anna).revision
    count = iter(range(1, 10))
    with pytest.raises(Cancelled):
        household.mover.move(anna, WARM, unless=lambda: next(count) == asked)
    assert household.routed.head(anna).revision == before
    assert household.copies(anna) == ["main"]
    assert household.mover.move(anna, WARM).changed


# -- faults --


@pytest.mark.parametrize("step", ["write", "written"])
@pytest.mark.parametrize(
    "fault", [Permanent("the disk of the files is full"), DependencyDown("files", "no answer")], ids=["full", "down"]
)
def test_files_that_cannot_be_written_leave_the_source_intact(household: Household, anna: UserId, step: str, fault: Exception):
    before = household.routed.head(anna).revision

    def fail(now: str) -> None:
        if now == step:
            raise fault

    household.warm.before = fail
    with pytest.raises(type(fault)):
        household.mover.move(anna, WARM)
    household.warm.before = lambda _: None
    assert household.copies(anna) == ["main"]
    assert household.routed.head(anna).revision == before
    assert household.mover.move(anna, WARM).changed


@pytest.mark.parametrize("call", ["fsync", "write"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO], ids=["ENOSPC", "EIO"])
def test_a_disk_that_fails_in_the_middle_is_a_clear_error_and_the_source_is_intact(
    open_household: Callable[..., Household], monkeypatch: pytest.MonkeyPatch, call: str, code: int
):
    household = open_household(sealed=True)
    user = household.person()
    household.remembers(user, "a", "b", "c")
    before, start = whole(household, user), household.copies(user)
    done, calls = getattr(os, call), iter(range(100))

    def failing(*arguments: Any) -> Any:
        if next(calls) >= 3:
            raise OSError(code, os.strerror(code))
        return done(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(os, call, failing)
        with pytest.raises(Permanent) as failed:
            household.mover.move(user, WARM)
    assert "\n" not in str(failed.value)
    assert household.copies(user) == start
    assert differing(before, whole(household, user), vectors_within=0.0) == ()
    assert household.mover.move(user, WARM).changed


def test_a_store_that_cannot_be_written_leaves_the_files(household: Household, anna: UserId, monkeypatch: pytest.MonkeyPatch):
    household.mover.move(anna, WARM)
    fingerprint = household.hash(anna)

    def full(*_arguments: object, **_options: object) -> None:
        raise Permanent(f"the disk is full (errno {errno.ENOSPC})")

    with monkeypatch.context() as patched:
        patched.setattr(household.shards["main"], "place", full)
        with pytest.raises(Permanent, match="disk is full"):
            household.mover.move(anna, HOT)
    assert household.hash(anna) == fingerprint
    assert household.copies(anna) == ["warm 1"]
    assert household.mover.move(anna, HOT).changed


def test_a_copy_that_differs_is_refused_and_the_files_stay(household: Household, anna: UserId, monkeypatch: pytest.MonkeyPatch):
    household.mover.move(anna, WARM)
    store = household.shards["main"]
    place = store.place

    def lose_an_edge(user: UserId, graph: WholeGraph, *, token: int, key_generation: int) -> object:
        edges = dict(list(graph.edges.items())[:-1])
        return place(user, replace(graph, edges=edges), token=token, key_generation=key_generation)

    with monkeypatch.context() as patched:
        patched.setattr(store, "place", lose_an_edge)
        with pytest.raises(Permanent, match=r"differs from its source in edges;"):
            household.mover.move(anna, HOT)
    assert household.copies(anna) == ["warm 1"]
    assert len(household.routed.load(anna).edges) == 2


def test_a_flip_whose_answer_was_lost_keeps_both_until_it_is_known_which_lives(
    household: Household, anna: UserId, monkeypatch: pytest.MonkeyPatch
):
    flip = household.ledger.placements.flip

    def flipped_and_lost(user: UserId, to: Placement, **options: object) -> None:
        flip(user, to, **options)  # type: ignore[arg-type]
        if to.tier is Tier.WARM:
            raise DependencyDown("ledger", "the connection went while it committed")

    with monkeypatch.context() as patched:
        patched.setattr(household.ledger.placements, "flip", flipped_and_lost)
        with pytest.raises(DependencyDown):
            household.mover.move(anna, WARM)
    assert household.mover.where(anna).tier is Tier.WARM
    assert node_id("a") in household.routed.load(anna).nodes
    assert household.mover.move(anna, WARM).removed == {"stores": 1}
    assert len(household.copies(anna)) == 1


def test_a_store_that_takes_no_part_may_be_down(household: Household, anna: UserId, monkeypatch: pytest.MonkeyPatch):
    def down(_user: UserId) -> None:
        raise DependencyDown("graph", "no answer")

    monkeypatch.setattr(household.shards[OTHER], "residue", down)
    assert household.mover.move(anna, WARM).changed


def test_leftovers_of_killed_moves_go_with_the_next(household: Household, anna: UserId):
    graph = whole(household, anna)
    household.warm.write(anna, graph, (), generation=household.ledger.placements.next_generation(anna))
    household.cold.write(anna, graph, (), generation=household.ledger.placements.next_generation(anna))
    household.shards[OTHER].place(anna, graph, token=1, key_generation=1)
    assert len(household.copies(anna)) == 4
    assert household.mover.move(anna, WARM).removed == {"stores": 2, "sets": 2}
    assert household.copies(anna) == [f"warm {household.mover.where(anna).generation}"]


def test_a_move_of_somebody_unknown_or_out_of_turn_says_so(household: Household, anna: UserId):
    with household.turns.hold(anna), pytest.raises(StoreBusy):
        household.mover.move(anna, WARM)
    assert household.mover.where(anna).tier is Tier.HOT
    with pytest.raises(StaleRead):
        household.ledger.placements.flip(
            anna,
            Placement(Tier.WARM, "main", 9),
            was=Placement(Tier.COLD, "main", 8),
            token=_newest(household, anna),
            now=household.clock.now(),
        )


def _newest(household: Household, user: UserId) -> int:
    lease = household.ledger.leases.acquire(user, "write", holder="test", ttl_s=5.0, now=household.clock.now())
    assert lease is not None
    return lease.token
