"""What a person costs on one set of stores: asked from memory, away in files, brought back, sealed anew, erased (DESIGN §6).

People are synthetic. Everything goes through an opened memory, as programs use it; only the embedder is replaced, so that what
is measured is the stores. Figures come with the processor time of this process and with how crowded the machine was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from memory_lib.adapters.blobs.directory import DirectoryBlobs
from memory_lib.adapters.graph_routing.session_traces import session_traces
from memory_lib.bootstrap import Memory, open_memory
from memory_lib.bootstrap.stores import FILES
from memory_lib.domain.ids import UserId
from memory_lib.domain.message import Message
from memory_lib.domain.placement import Tier
from memory_lib.domain.recall import Context
from memory_lib.evaluation.synthetic_people import MadeVectors, Writer, on_record, whole_graph
from memory_lib.evaluation.temporary_stores import versions
from memory_lib.evaluation.timing import best_of, load, often, once
from memory_lib.operations.bench import Asked
from memory_lib.operations.erase import erase
from memory_lib.operations.rotate_keys import ports_of
from memory_lib.ports.blobs import BlobInfo, Blobs
from memory_lib.ports.graph import WholeGraph
from memory_lib.ports.person_mover import Destination
from memory_lib.ports.requests import RequestState
from memory_lib.settings import Settings
from memory_lib.usecases.recall import recall
from memory_lib.usecases.rotate_keys import rotate_keys

ASLEEP, FROM_FILES = "asleep", "served_from_files"
CLAIMED = "benchmark"


@dataclass(frozen=True, slots=True, kw_only=True)
class TierSizes:
    """``nodes``, ``edges``, ``messages``: of the person who is asked and away. ``returning``: nodes (five edges each) of the
    one who is brought back into the store. ``erased``: nodes, messages and rounds of the one who is erased, with twice as many
    edges. ``queries``: asked from memory. ``times``: repetitions of what takes long.
    """

    nodes: int
    edges: int
    messages: int
    dimension: int
    returning: int
    erased: int
    queries: int
    times: int


FULL = TierSizes(nodes=2000, edges=10_000, messages=2000, dimension=1024, returning=1000, erased=1000, queries=300, times=3)
QUICK = TierSizes(nodes=60, edges=120, messages=60, dimension=32, returning=30, erased=30, queries=5, times=1)


@dataclass(frozen=True, slots=True)
class _Person:
    name: str
    user: UserId
    whole: WholeGraph
    placed: dict[str, Any]


def tier_figures(settings: Settings, *, sizes: TierSizes) -> dict[str, Any]:
    """Every figure of the stores that ``settings`` name. Raises what they raise."""
    writer = Writer(17)
    embedder = MadeVectors(writer, dimension=sizes.dimension)
    load_before = load()
    with open_memory(settings=settings, embedder=embedder) as memory:
        people: list[UserId] = []
        try:
            one = _made(memory, "one", people, nodes=sizes.nodes, edges=sizes.edges, messages=sizes.messages, writer=writer)
            report: dict[str, Any] = {
                "services": versions(settings),
                "load_before": load_before,
                "place": one.placed,
                "recall": _recall(memory, one, writer, sizes),
                "read": {
                    "load": best_of([once(lambda: memory.bench.reader.load(one.user))[1] for _ in range(sizes.times)]),
                    "index": best_of([once(lambda: memory.bench.reader.index(one.user))[1] for _ in range(sizes.times)]),
                },
                "sealing": _sealing(memory, one.user, sizes),
                "claims": _claims(memory, one.user, sizes),
                "files": {tier.value: _files(memory, one, tier, sizes) for tier in (Tier.WARM, Tier.COLD)},
            }
            report["first_recall"] = {tier.value: _first(memory, one, tier, writer, sizes) for tier in (Tier.WARM, Tier.COLD)}
            memory.run("rehydrate", [one.user])
            report["rotation"] = _rotation(memory, one.user)
            small = _made(
                memory,
                "returning",
                people,
                nodes=sizes.returning,
                edges=sizes.returning * 5,
                messages=sizes.returning,
                writer=writer,
            )
            report["back"] = {tier.value: _back(memory, small.user, tier, sizes) for tier in (Tier.WARM, Tier.COLD)}
            gone = _made(
                memory,
                "erased",
                people,
                nodes=sizes.erased,
                edges=sizes.erased * 2,
                messages=sizes.erased,
                writer=writer,
            )
            report["erase"] = _erase(memory, gone.user)
        finally:
            for user in people:
                for shard in memory.ops.shards.values():
                    shard.erase(user)
        report["load_after"] = load()
        return report


def _made(memory: Memory, name: str, people: list[UserId], *, nodes: int, edges: int, messages: int, writer: Writer) -> _Person:
    said: list[Message]
    user, said = on_record(memory, name, count=messages, writer=writer)
    people.append(user)
    embedder = memory.bench.embedder
    whole = whole_graph(
        said, nodes=nodes, edges=edges, dimension=embedder.dimension, fingerprint=embedder.fingerprint, writer=writer
    )
    place = memory.ops.placements.assign(user, next(iter(memory.ops.shards)))
    store = memory.ops.shards[place.shard]
    generation = memory.keyring.open(user).generation
    with memory.bench.write_turn.hold(user, renewing=True) as turn:
        _, placed = once(lambda: store.place(user, whole, token=turn.token, key_generation=generation))
    return _Person(name, user, whole, placed)


# -- asked from memory ------------------------------------------------------------------


def _recall(memory: Memory, one: _Person, writer: Writer, sizes: TierSizes) -> dict[str, Any]:
    """``ask``: as programs call it, the external name looked up; ``view_and_recall``: who is asked is known. Then its reads,
    one by one.
    """
    texts = [writer.words(6) for _ in range(sizes.queries)]
    params, bench = memory.settings.recall_params(), memory.bench
    now = memory.instant(one.user, "last")

    def known(number: int) -> Context:
        view = memory.views.view(one.user)
        return recall(
            view, texts[number], now=now, views=memory.views, embedder=bench.embedder, count=memory.count_tokens, params=params
        )

    for number in range(sizes.queries):
        known(number)  # messages and nodes that the answers quote are opened once
    times = sizes.queries
    return {
        "view_and_recall_ms": often(known, times=times),
        "ask_ms": often(lambda number: memory.ask(one.name, texts[number], now=now), times=times),
        "reads_ms": {
            "name": often(lambda _: bench.people.find(one.name), times=times),
            "person": often(lambda _: bench.people.person(one.user), times=times),
            "placement": often(lambda _: memory.ops.placements.of(one.user), times=times),
            "head": often(lambda _: memory.ops.shards[next(iter(memory.ops.shards))].head(one.user), times=times),
            "view": often(lambda _: memory.views.view(one.user), times=times),
        },
    }


# -- away and back ----------------------------------------------------------------------


def _files(memory: Memory, one: _Person, tier: Tier, sizes: TierSizes) -> dict[str, Any]:
    """A set of the person's sealed files: written (which reads it back and compares), read, and what it weighs."""
    files = memory.ops.files[tier]
    traces = session_traces(memory.bench.log.refs(one.user), params=memory.settings.sessions)
    wrote, read = [], []
    found: tuple[BlobInfo, ...] = ()
    for _ in range(sizes.times):
        generation = memory.ops.placements.next_generation(one.user)
        wrote.append(
            once(lambda generation=generation: files.write(one.user, one.whole, traces, generation=generation))[1]  # type: ignore[misc]
        )
        read.append(once(lambda generation=generation: files.read(one.user, generation=generation))[1])  # type: ignore[misc]
        with _blobs(memory.settings, tier) as blobs:
            found = blobs.list(f"{one.user[:2]}/{one.user}/{generation:012d}/")
        files.delete(one.user, generation=generation)
    sized = sum(info.size for info in found)
    return {
        "write_and_compare": best_of(wrote),
        "read": best_of(read),
        "mb": round(sized / 1e6, 2),
        "files": len(found),
        "of_float32_vectors": round(sized / max(1, 4 * sum(len(v) for v in one.whole.vectors.values())), 2),
    }


@contextmanager
def _blobs(settings: Settings, tier: Tier) -> Iterator[Blobs]:
    if tier is Tier.WARM or settings.s3.bucket is None:
        yield DirectoryBlobs(settings.home / FILES / tier.value)
        return
    from memory_lib.adapters.blobs.s3 import S3Blobs  # noqa: PLC0415 - an extra

    far = S3Blobs(settings.s3)
    try:
        yield far
    finally:
        far.close()


def _first(memory: Memory, one: _Person, tier: Tier, writer: Writer, sizes: TierSizes) -> dict[str, Any]:
    """The first answer with everything in it, of a process that holds nothing of the person, before any store has loaded them.
    ``asleep``: answers from the rounds alone that came before it.
    """
    _, moved = once(lambda: memory.bench.tiers and memory.bench.tiers.mover.move(one.user, Destination(tier)))
    runs = []
    for _ in range(sizes.times):
        memory.ops.stores["memory"].erase(one.user)
        text = writer.words(6)
        answers: Sequence[Context]
        answers, took = once(lambda text=text: _until_full(memory, one.name, text))  # type: ignore[misc]
        notes = [each.reason for each in answers[-1].degraded if each.part == "graph"]
        runs.append({**took, "asleep": len(answers) - 1, "notes": notes, "items": len(answers[-1].items)})
    return {**best_of(runs), "moved_there": moved}


def _until_full(memory: Memory, name: str, text: str) -> list[Context]:
    answers: list[Context] = []
    while not answers or any(each.reason == ASLEEP for each in answers[-1].degraded):
        answers.append(memory.ask(name, text, now="last"))
    return answers


def _back(memory: Memory, user: UserId, tier: Tier, sizes: TierSizes) -> dict[str, Any]:
    """From sealed files into the store again, as the plan does it: copied, read back, compared, switched, tidied."""
    assert memory.bench.tiers is not None, "an opened memory has tiers"
    runs = []
    for _ in range(sizes.times):
        memory.bench.tiers.mover.move(user, Destination(tier))
        memory.ops.stores["memory"].erase(user)
        runs.append(once(lambda: memory.run("rehydrate", [user]))[1])
    return best_of(runs)


# -- keys, claims, the end --------------------------------------------------------------


def _sealing(memory: Memory, user: UserId, sizes: TierSizes) -> dict[str, Any]:
    """Microseconds an envelope of 200 bytes, in runs of a thousand; and milliseconds until a key nobody holds is opened."""
    count, payload = 1000, b"x" * 200
    seal = memory.ops.sealer.sealing(user)
    sealed = [seal("node", str(i), payload) for i in range(count)]
    open_ = memory.ops.sealer.opener(user)
    sealing = often(lambda _: [seal("node", str(i), payload) for i in range(count)], times=max(3, sizes.times))
    opening = often(lambda _: [open_("node", str(i), each) for i, each in enumerate(sealed)], times=max(3, sizes.times))

    def first(_: int) -> None:
        memory.ops.sealer.forget(user)
        memory.ops.sealer.opener(user)

    return {"seal_us": sealing, "open_us": opening, "first_opened_ms": often(first, times=max(3, sizes.times))}


def _claims(memory: Memory, user: UserId, sizes: TierSizes) -> dict[str, Any]:
    """Milliseconds to take a waiting request, and to take and give back a person's write lease."""
    requests, now = memory.ops.requests, memory.bench.clock.now
    times = max(5, min(sizes.queries, 100))
    for number in range(times):
        requests.ask(user, CLAIMED, now=now(), payload={"number": number})
    taken: list[str] = []

    def claim(_: int) -> None:
        (found,) = requests.claim(CLAIMED, holder="benchmark", limit=1, ttl_s=600.0, now=now())
        taken.append(found.id)

    def hold(_: int) -> None:
        with memory.bench.write_turn.hold(user):
            pass

    figures = {"claim_ms": often(claim, times=times), "write_lease_ms": often(hold, times=times)}
    assert len(set(taken)) == times, "nobody gets a request that somebody has"
    for request in taken:
        requests.move(user, request, RequestState.DONE, now=now())
    return figures


def _rotation(memory: Memory, user: UserId) -> dict[str, Any]:
    """A new key and everything sealed anew under it; without the grace for late writers, which is only waited for."""
    params = replace(memory.ops.rotate_keys, grace_s=0.0)
    receipt, took = once(lambda: rotate_keys(user, ports=ports_of(memory.ops), params=params, apply=True))
    made = {name: counts["resealed"] for name, counts in receipt.counts.items() if counts.get("resealed")}
    return {**took, "resealed": made, "grace_s": memory.ops.rotate_keys.grace_s}


def _erase(memory: Memory, user: UserId) -> dict[str, Any]:
    """The whole erasure: buried, key destroyed, every store emptied and looked at once more, receipt signed."""
    receipt, took = once(lambda: erase(memory.ops, user, Asked(apply=True), lambda _: None))
    return {**took, "counts": {name: dict(kinds) for name, kinds in receipt.counts.items()}, "steps_s": dict(receipt.seconds)}
