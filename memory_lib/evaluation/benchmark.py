"""Speed and memory, as JSON on stdout: ``python -m memory_lib.evaluation.benchmark`` (DESIGN §6). Of the embedded default,
and of the stores on the servers that are named (``store_benchmark``).

People are synthetic: nodes with random unit vectors and generated words, rounds likewise, written through the real stores, so
that sizes are exact and no text of a data set is needed. Ratios are taken inside one run; absolute times belong to the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_lib.bootstrap import Memory, open_memory
from memory_lib.domain.changes import Change, ChangeSet, PutEdge, PutNode, WriteKey
from memory_lib.domain.ids import UserId
from memory_lib.domain.message import Message, Role, SourceMessage
from memory_lib.evaluation.formation_cost import both_languages_mb, formation_cost
from memory_lib.evaluation.store_benchmark import measured
from memory_lib.evaluation.synthetic_people import EDGE_TYPES, START, Writer, edge, node, on_record
from memory_lib.evaluation.temporary_stores import servers_from
from memory_lib.policies.rounds.scoring import RoundQuery, score_rounds
from memory_lib.policies.stems import Stemmer
from memory_lib.ports.embedder import calibrated
from memory_lib.settings import Settings
from memory_lib.usecases.recall import recall

NODES_A_COMMIT, EDGES_A_COMMIT = 3, 2


class FixedVectors:
    """The embedder with vectors made beforehand: recall is measured without embedding."""

    def __init__(self, inner: Any, writer: Writer) -> None:
        self._inner = inner
        self._vectors = writer.vectors(512, inner.dimension)
        self._at = 0

    @property
    def fingerprint(self) -> str:
        return str(self._inner.fingerprint)

    @property
    def dimension(self) -> int:
        return int(self._inner.dimension)

    @property
    def mean(self) -> NDArray[np.float32]:
        mean: NDArray[np.float32] = self._inner.mean
        return mean

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self._at = (self._at + len(texts)) % (len(self._vectors) - len(texts))
        return self._vectors[self._at : self._at + len(texts)]

    def count_tokens(self, text: str) -> int:
        return int(self._inner.count_tokens(text))


def person(memory: Memory, name: str, *, nodes: int, rounds: int, writer: Writer) -> UserId:
    """A person with this many nodes, twice as many edges, and this many rounds, written through the stores."""
    user, messages = on_record(memory, name, count=rounds, writer=writer)
    graph(memory, user, messages, nodes=nodes, writer=writer)
    return user


def graph(memory: Memory, user: UserId, messages: Sequence[Message], *, nodes: int, writer: Writer) -> list[float]:
    """Writes the nodes in change sets of the usual size; returns seconds a change set, one transaction each."""
    vectors = writer.vectors(nodes, memory.bench.embedder.dimension)
    made = [node(i, messages, writer) for i in range(nodes)]
    seconds: list[float] = []
    with memory.bench.write_turn.hold(user) as turn:
        memory.bench.writer.set_fingerprint(
            user,
            fingerprint=memory.bench.embedder.fingerprint,
            dimension=memory.bench.embedder.dimension,
            token=turn.token,
        )
    batch: list[ChangeSet] = []
    for start in range(0, nodes, NODES_A_COMMIT):
        changes: list[Change] = [
            PutNode(one, vectors[start + i].tobytes()) for i, one in enumerate(made[start : start + NODES_A_COMMIT])
        ]
        for i in range(start, min(start + NODES_A_COMMIT, nodes)):
            for _ in range(EDGES_A_COMMIT):
                other = writer.choice(i) if i else 0
                if other != i:
                    changes.append(PutEdge(edge(made[i], made[other], EDGE_TYPES[writer.choice(len(EDGE_TYPES))])))
        batch.append(ChangeSet(WriteKey(user, "bench", str(start), "form", "1"), tuple(changes)))
        alone = len(seconds) < 100
        if alone or len(batch) == 64 or start + NODES_A_COMMIT >= nodes:
            with memory.bench.write_turn.hold(user) as turn:
                began = time.perf_counter()
                memory.bench.writer.apply(user, batch, token=turn.token, now=START)
                if alone:
                    seconds.append(time.perf_counter() - began)
            batch = []
    return seconds


def timed(work: Callable[[], object], *, times: int) -> list[float]:
    """Milliseconds of each call."""
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000.0)
    return taken


def spread(ms: Sequence[float]) -> dict[str, float]:
    """Median and 99th percentile."""
    ordered = sorted(ms)
    return {
        "p50": round(statistics.median(ordered), 3),
        "p99": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))], 3),
    }


def recall_figures(memory: Memory, name: str, user: UserId, *, writer: Writer, queries: int) -> dict[str, Any]:
    """Recall apart from embedding, and the sum of its bare parts in the same run, interleaved so that drift hits both."""
    embedder = FixedVectors(memory.bench.embedder, writer)
    params = memory.settings.recall_params()
    view = memory.views.view(user)
    now = memory.instant(user, "last")
    texts = [writer.words(6) for _ in range(queries)]
    whole: list[float] = []
    parts: dict[str, list[float]] = {"matrix_pass": [], "bm25": [], "unsealing": []}
    stemmer = Stemmer(memory.settings.stems)
    for text in texts:
        context: list[Any] = []

        def ask(text: str = text, context: list[Any] = context) -> None:
            current = memory.views.view(user)
            context.append(
                recall(current, text, now=now, views=memory.views, embedder=embedder, count=memory.count_tokens, params=params)
            )

        whole += timed(ask, times=1)
        vector = embedder.embed([text])[0]
        moved = calibrated(vector[None, :], embedder.mean)[0]
        centred = view.rounds.centred(vector)
        parts["matrix_pass"] += timed(lambda: (view.graph.vectors @ moved, view.rounds.vectors @ centred), times=1)  # noqa: B023
        query = RoundQuery(stems=tuple(stemmer.stems(text)), vector=None)
        parts["bm25"] += timed(lambda: score_rounds(view.rounds, query, params=params.round_params), times=1)  # noqa: B023
        nodes = [item.id for item in context[0].items]
        shown = [m for found in context[0].rounds for m in found.messages]
        shown += [source.message for item in context[0].items for source in item.sources]
        parts["unsealing"] += timed(
            lambda: (memory.bench.reader.nodes(user, nodes), memory.bench.log.messages(user, list(dict.fromkeys(shown)))),  # noqa: B023
            times=1,
        )
    bare = {part: round(statistics.median(ms), 3) for part, ms in parts.items()}
    ratio = statistics.median(w / max(sum(p), 1e-9) for w, *p in zip(whole, *parts.values(), strict=True))
    matrix = statistics.median(w / m for w, m in zip(whole, parts["matrix_pass"], strict=True))
    return {
        **spread(whole),
        "bare_parts_p50": bare,
        "ratio_to_bare_parts": round(ratio, 2),
        "ratio_to_matrix_pass": round(matrix, 2),
        "person": name,
    }


def opening(memory: Memory, user: UserId, *, times: int) -> dict[str, Any]:
    """A whole person from disk: the graph's columns, and the rounds with their word index."""
    reader, views = memory.bench.reader, memory.views

    def whole() -> None:
        views.forget(user)
        views.view(user)

    return {
        "graph_index_ms": spread(timed(lambda: reader.index(user), times=times)),
        "rounds_ms": spread(timed(lambda: views.open_rounds(user), times=times)),
        "whole_person_ms": spread(timed(whole, times=times)),
    }


def ingest_figures(home: Path, *, messages: int) -> dict[str, Any]:
    """Messages a second through the whole of ingest: ledger, extraction, embedding, forming."""
    lines = [
        ("I work at {w} and my colleague {w} said that the meeting about {w} went well.", "en"),
        ("Вчера мы с {w} ездили в {w}, потому что там открылся новый {w}.", "ru"),
        ("I feel tired because the {w} deadline moved to Friday.", "en"),
        ("Надо решить, куда поехать в отпуск: в {w} или в {w}.", "ru"),
    ]
    writer = Writer(7)
    given = [
        {
            "conversation": "c",
            "id": str(i),
            "role": "user",
            "text": lines[i % len(lines)][0].replace("{w}", writer.words(1)),
            "time": (START + timedelta(minutes=i)).isoformat(),
        }
        for i in range(messages)
    ]
    with open_memory(home) as memory:
        memory.add("warm", given[:4])
        began = time.perf_counter()
        memory.add("person", given)
        seconds = time.perf_counter() - began
        began = time.perf_counter()
        memory.take_in(
            [
                SourceMessage("bulk", "c", str(i), Role.USER, writer.words(15), START + timedelta(minutes=i))
                for i in range(5000)
            ],
            source="benchmark",
        )
        appended = 5000 / (time.perf_counter() - began)
    return {
        "messages": messages,
        "messages_a_second": round(messages / seconds, 1),
        "ledger_only_messages_a_second": round(appended),
    }


def memory_of(home: Path, people: int) -> float:
    """Resident MB of a fresh process with this many people opened and asked."""
    code = (
        "import sys\n"
        "from memory_lib.evaluation.benchmark import open_and_ask\n"
        "print(open_and_ask(sys.argv[1], int(sys.argv[2])))\n"
    )
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code, str(home), str(people)], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def open_and_ask(home: str, people: int) -> float:
    """Opens and asks the first ``people`` people of a home; resident MB of this process afterwards."""
    with open_memory(home) as memory:
        for user in memory.user_ids()[:people]:
            view = memory.views.view(user)
            embedder = FixedVectors(memory.bench.embedder, Writer(3))
            recall(
                view,
                "ma re",
                now=START,
                views=memory.views,
                embedder=embedder,
                count=memory.count_tokens,
                params=memory.settings.recall_params(),
            )
        return _resident_mb()


def _resident_mb() -> float:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def thousand_people(home: Path, *, writer: Writer, people: int) -> dict[str, Any]:
    """Many people on disk, each of a few nodes: what one more person costs when the home is full."""
    settings = Settings.load(home=home)
    with open_memory(settings=replace_workers(settings)) as memory:
        began = time.perf_counter()
        users = [person(memory, f"p{i}", nodes=12, rounds=10, writer=writer) for i in range(people)]
        made = time.perf_counter() - began
        views = [memory.views.view(user) for user in users[:10]]
        opened = timed(lambda: memory.views.view(users[writer.choice(people)]), times=200)
        size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
    return {
        "people": people,
        "seconds_to_make": round(made, 1),
        "open_one_ms": spread(opened),
        "mb_on_disk": round(size / 1e6, 1),
        "warm": len(views),
    }


def replace_workers(settings: Settings) -> Settings:
    """The same settings with one worker, so that writing many people is measured without contention."""
    return settings.model_copy(update={"workers": 1})


def run(*, quick: bool) -> dict[str, Any]:
    """Every figure. ``quick`` makes fewer repetitions and people (for the tests)."""
    queries, times, people = (20, 3, 20) if quick else (200, 15, 1000)
    sizes = (500, 2000) if quick else (500, 2000, 5000)
    root = Path(tempfile.mkdtemp(prefix="selfimprint-bench-"))
    report: dict[str, Any] = {
        "machine": {"python": platform.python_version(), "cores": os.cpu_count(), "load": list(os.getloadavg())},
        "recall_ms": {},
        "open": {},
    }
    try:
        with open_memory(root / "sizes") as memory:
            for size in sizes:
                writer = Writer(size)
                rounds = min(size * 2, 5000)
                user = person(memory, f"n{size}", nodes=size, rounds=rounds, writer=writer)
                report["recall_ms"][str(size)] = recall_figures(memory, f"n{size}", user, writer=writer, queries=queries)
                report["open"][str(size)] = {"rounds": rounds, **opening(memory, user, times=times)}
            writer = Writer(11)
            other = person(memory, "commits", nodes=0, rounds=30, writer=writer)
            messages = list(memory.bench.log.messages(other, [r.id for r in memory.bench.log.refs(other)]).values())
            report["commit_ms"] = spread([s * 1000.0 for s in graph(memory, other, messages, nodes=300, writer=writer)])
        report["ingest"] = ingest_figures(root / "ingest", messages=40 if quick else 200)
        report["formation"] = formation_cost(root / "formation", messages=200 if quick else 2000)
        report["formation_resident_mb"] = both_languages_mb()
        report["with_people_on_disk"] = thousand_people(root / "many", writer=Writer(5), people=people)
        counts = (1, 10) if quick else (1, 10, 100)
        report["resident_mb"] = {str(n): memory_of(root / "many", n) for n in counts}
        report["machine"]["load_after"] = list(os.getloadavg())
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return report


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description="Speed and memory, as JSON.")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and people")
    parser.add_argument("--servers", metavar="FILE", help="addresses of servers as JSON (- reads standard input)")
    asked = parser.parse_args()
    servers = servers_from(asked.servers)
    report = {**run(quick=asked.quick), "stores": measured(servers, quick=asked.quick)}
    print(json.dumps(report, indent=2))  # noqa: T201 - the report is the output


if __name__ == "__main__":
    main()
