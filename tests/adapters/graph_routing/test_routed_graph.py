"""One graph in front of stores and files: who asks need not know where somebody lives."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.changes import Action, ChangeSet, PutNode, Revision, WriteKey
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.errors import PersonAway, SealBroken, UnknownSetting, UnreadableFile
from memory_lib.ports.graph import GraphCapabilities, GraphStore
from memory_lib.ports.person_mover import Destination
from memory_lib.ports.whereabouts import ReadFrom
from tests.adapters.graph_routing.household import OTHER, Household
from tests.adapters.graph_routing.test_opened_files import waiting_for
from tests.contracts.graph.samples import DIMENSION, FINGERPRINT, change_set, node, node_id

NOBODY = Revision(0, 0)
HOT, WARM, COLD = (Destination(tier) for tier in Tier)


def answers(graph: GraphStore, user: UserId) -> Mapping[str, Any]:
    """What every reading method says, comparable; vectors to half precision, as files keep them."""
    ids = [node_id(name) for name in "abcx"]
    index = graph.index(user)
    key = str(change_set(user, "first").key)
    return {
        "head": (graph.head(user).revision.n, graph.head(user).fingerprint, graph.head(user).dimension),
        "columns": {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name in type(index).__dataclass_fields__
            if name != "revision"
            for value in [getattr(index, name)]
        },
        "nodes": graph.nodes(user, ids),
        "no nodes": graph.nodes(user, []),
        "edges": graph.edges_among(user, ids),
        "some edges": graph.edges_among(user, ids[:2]),
        "load": {name: getattr(graph.load(user), name) for name in ("nodes", "edges", "acts", "renames")},
        "chains": graph.chains(user, edge_type=EdgeType.CAUSED_BY, min_length=1, limit=10),
        "keys": graph.applied_keys(user, [key, "never"]),
        "wanting": graph.wanting(user, fingerprint=FINGERPRINT),
        "wanting another's": graph.wanting(user, fingerprint="another"),
        "ahead": graph.ahead(user),
    }


@pytest.mark.parametrize("tier", [WARM, COLD], ids=lambda to: to.tier)
def test_who_rests_in_files_answers_as_from_the_store(household: Household, anna: UserId, tier: Destination):
    before = answers(household.routed, anna)
    household.mover.move(anna, tier)
    assert answers(household.routed, anna) == before
    household.mover.move(anna, HOT)
    assert answers(household.routed, anna) == before


def test_nobody_reads_as_nobody_and_leaves_no_trace(household: Household):
    user = household.person("nobody")
    assert household.routed.head(user).revision == NOBODY
    assert household.routed.index(user).ids == ()
    assert household.routed.load(user).nodes == {}
    assert household.routed.take(user).revision == NOBODY
    assert household.ledger.placements.of(user) is None


def test_every_write_of_somebody_away_is_refused(household: Household, anna: UserId):
    household.mover.move(anna, WARM)
    graph, now = household.routed, household.clock.now()
    whole = graph.take(anna)
    key = WriteKey(anna, "k", "u", "o", "1")
    writes: list[Callable[[], object]] = [
        lambda: graph.apply(anna, [change_set(anna, "late")], token=9, now=now),
        lambda: graph.set_fingerprint(anna, fingerprint=FINGERPRINT, dimension=DIMENSION, token=9),
        lambda: graph.rebuild(anna, ChangeSet(key, ()), token=9, now=now, based_on=whole.revision),
        lambda: graph.put_ahead(anna, {}, fingerprint="f", dimension=2, token=9),
        lambda: graph.switch(
            anna,
            fingerprint="f",
            dimension=2,
            token=9,
            key=key,
            action=Action("reembed", "asked", ()),
            now=now,
            without=frozenset(),
        ),
        lambda: graph.place(anna, whole, token=9, key_generation=1),
        lambda: graph.vacate(anna, token=9),
        lambda: graph.fence(anna, token=9),
    ]
    for write in writes:
        with pytest.raises(PersonAway, match="rests in warm files"):
            write()
    assert household.copies(anna) == ["warm 1"]


def test_what_waits_in_the_outbox_waits_with_the_person(household: Household, anna: UserId):
    waiting = household.routed.pending(anna, limit=10)
    assert len(waiting) == 1
    household.mover.move(anna, WARM)
    assert household.routed.pending(anna, limit=10) == ()
    household.mover.move(anna, Destination(Tier.HOT, OTHER))
    back = household.routed.pending(anna, limit=10)
    assert [entry.action for entry in back] == [entry.action for entry in waiting]
    household.routed.acknowledge(anna, up_to=back[-1].seq)
    assert household.routed.pending(anna, limit=10) == ()


def test_what_was_read_in_one_store_is_not_acknowledged_in_another(household: Household, anna: UserId):
    household.remembers(anna, "d", unit="second")
    old = household.routed.pending(anna, limit=10)
    household.mover.move(anna, Destination(Tier.HOT, OTHER))
    household.remembers(anna, "e", unit="third")
    household.routed.acknowledge(anna, up_to=old[-1].seq + 5)
    assert len(household.routed.pending(anna, limit=10)) == 3


# -- stores --


def test_new_people_are_given_a_store_for_good_with_their_first_write(household: Household):
    people = [household.person(f"p{n}") for n in range(12)]
    for user in people:
        household.remembers(user, "a")
    placed = {user: household.ledger.placements.of(user) for user in people}
    assert {place.shard for place in placed.values() if place is not None} == {"main", OTHER}
    for user, place in placed.items():
        assert place is not None
        assert household.copies(user) == [place.shard]
    assert household.routed.people(limit=5) == tuple(sorted(people)[:5])
    assert household.routed.people(after=sorted(people)[4]) == tuple(sorted(people)[5:])


def test_people_of_a_time_before_there_were_places_are_found_in_the_first_store(open_household: Callable[..., Household]):
    alone = open_household(shards=("main",))
    people = [alone.person(f"p{n}") for n in range(6)]
    for user in people:
        with alone.turns.hold(user) as turn:
            alone.shards["main"].apply(
                user, [change_set(user, "old", PutNode(node("a")))], token=turn.token, now=alone.clock.now()
            )
    household = open_household(shards=("main", OTHER, "third"))
    for user in people:
        assert node_id("a") in household.routed.load(user).nodes
        assert household.ledger.placements.of(user) is None, "reading writes nothing"
        household.remembers(user, "b", unit="second")
        assert household.copies(user) == ["main"]
        assert household.ledger.placements.of(user) == Placement(Tier.HOT, "main")


def test_a_place_in_a_store_that_is_gone_is_an_error_that_names_it(open_household: Callable[..., Household]):
    both = open_household()
    user = both.person()
    both.ledger.placements.assign(user, OTHER)
    both.remembers(user, "a")
    both.close()
    household = open_household(shards=("main",))
    with pytest.raises(UnknownSetting, match=OTHER):
        household.routed.head(user)


def test_who_comes_back_to_a_store_that_is_gone_is_given_another(open_household: Callable[..., Household]):
    both = open_household()
    user = both.person()
    both.ledger.placements.assign(user, OTHER)
    both.remembers(user, "a")
    both.mover.move(user, WARM)
    household = open_household(shards=("main",), files=both.files)
    assert household.mover.move(user, HOT).now == Placement(Tier.HOT, "main")


def test_it_can_do_what_every_store_can(household: Household):
    assert household.routed.capabilities == GraphCapabilities(vector_search=False, per_person_file=True, fencing=True)


def test_an_erasure_empties_every_store(household: Household, anna: UserId):
    whole = household.routed.take(anna)
    household.shards[OTHER].place(anna, whole, token=1, key_generation=1)
    gone = household.routed.erase(anna)
    assert gone["nodes"] == 6
    assert household.routed.residue(anna) == {}


# -- a move between looking up and reading --


def moved_between(household: Household, user: UserId, *to: Destination) -> Callable[..., Placement | None]:
    """A look-up after whose first answer the person is moved."""
    of, ways = household.ledger.placements.of, list(to)

    def looked_up(whom: UserId) -> Placement | None:
        found = of(whom)
        if ways and whom == user:
            way, ways[:] = ways[0], ways[1:]
            household.ledger.placements.of = of  # type: ignore[method-assign]
            household.mover.move(user, way)
            household.ledger.placements.of = looked_up  # type: ignore[method-assign, assignment]
        return found

    return looked_up


@pytest.mark.parametrize(
    ("start", "ways"),
    [
        (HOT, [WARM]),
        (HOT, [Destination(Tier.HOT, OTHER)]),
        (WARM, [HOT]),
        (WARM, [COLD]),
        (HOT, [WARM, HOT]),
        (WARM, [COLD, HOT]),
    ],
    ids=lambda to: "-".join(str(each.shard or each.tier) for each in (to if isinstance(to, list) else [to])),
)
def test_a_reader_overtaken_by_a_move_finds_the_person(
    household: Household, anna: UserId, start: Destination, ways: list[Destination], monkeypatch: pytest.MonkeyPatch
):
    before = answers(household.routed, anna)
    household.mover.move(anna, start)
    reads: list[Callable[[], object]] = [
        lambda: household.routed.head(anna).revision.n == before["head"][0],
        lambda: len(household.routed.index(anna).ids) == 3,
        lambda: household.routed.nodes(anna, [node_id("a")]) != {},
        lambda: len(household.routed.edges_among(anna, [node_id("a"), node_id("b")])) == 1,
        lambda: len(household.routed.load(anna).nodes) == 3,
        lambda: len(household.routed.take(anna).write_keys) == 1,
        lambda: household.routed.look(anna, within_s=5.0).head is not None,
    ]
    for read in reads:
        household.routed._files.forget(anna)
        with monkeypatch.context() as patched:
            patched.setattr(household.ledger.placements, "of", moved_between(household, anna, *ways))
            found = read()
        assert found
        household.mover.move(anna, start)


# -- opened files --


def test_files_are_opened_once_and_dropped_when_the_person_is_back(household: Household, anna: UserId):
    household.mover.move(anna, WARM)
    for _ in range(3):
        answers(household.routed, anna)
    assert household.warm.readings == 1
    household.mover.move(anna, HOT)
    assert household.warm.readings == 1, "the move reads what is open"
    household.mover.move(anna, WARM)
    answers(household.routed, anna)
    assert household.warm.readings == 2


def test_a_broken_set_is_named_and_tried_again_next_time(household: Household, anna: UserId):
    household.mover.move(anna, WARM)

    def broken(step: str) -> None:
        if step == "read":
            raise SealBroken("the file core of this person does not open")

    household.warm.before = broken
    for read in (household.routed.head, household.routed.load, lambda user: household.routed.look(user, within_s=5.0)):
        with pytest.raises(SealBroken):
            read(anna)
    household.warm.before = lambda _: None
    assert household.routed.head(anna).revision.n == 1


def test_a_set_that_is_missing_is_an_error_and_not_an_empty_person(household: Household, anna: UserId):
    household.mover.move(anna, WARM)
    household.warm.sets.clear()
    with pytest.raises(UnreadableFile):
        household.routed.load(anna)


def test_looking_does_not_wait_longer_than_it_was_told(household: Household, anna: UserId):
    household.mover.move(anna, WARM)
    go_on = threading.Event()
    household.warm.before = waiting_for(go_on)
    assert household.routed.look(anna, within_s=0.01).where is ReadFrom.OPENING
    assert household.routed.look(anna, within_s=0.01).head is None
    go_on.set()
    found = household.routed.look(anna, within_s=10.0)
    assert (found.where, household.warm.readings) == (ReadFrom.FILES, 1)
    household.mover.move(anna, HOT)
    assert household.routed.look(anna, within_s=0.0).where is ReadFrom.STORE
