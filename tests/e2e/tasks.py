"""What children of the warm process do, by name. Arguments and results are JSON values."""

from __future__ import annotations

import gc
import json
import os
import re
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.bootstrap import FixedClock, Memory, WallClock, open_memory
from memory_lib.domain.changes import Applied, ChangeSet
from memory_lib.domain.ids import UserId
from memory_lib.domain.message import Message
from memory_lib.domain.syntax import Parse
from memory_lib.errors import Transient
from memory_lib.ports.graph import GraphWriter
from memory_lib.ports.ledger import Appended, MessageLog
from memory_lib.settings import Settings
from tests.e2e.moments import Moments
from tests.e2e.word_vectors import OtherWordVectors, WordVectors

_T = TypeVar("_T")
ID_KEY = "cd" * 32
SMALL_STEPS = {"importing.batch": "7", "extract_chunk": "5", "form_batch": "4"}
"""Many transactions, so that there are many places between two of them."""


class LearntParser:
    """The real parser; texts that it was given before a fork are not parsed again after it."""

    def __init__(self) -> None:
        self._parser = BilingualParser(max_characters=Settings().parsed_characters)
        self._learnt: dict[str, Parse] = {}
        self.version = self._parser.version

    def learn(self, texts: Sequence[str]) -> None:
        self._learnt.update((text, self._parser.parse(text)) for text in texts if text not in self._learnt)

    def parse(self, text: str) -> Parse:
        return self._learnt.get(text) or self._parser.parse(text)


PARSER = LearntParser()


def warm() -> None:
    """Loads the models, and what opening a new home imports late."""
    import alembic.command
    import alembic.config
    import alembic.script  # noqa: F401

    PARSER.learn(["Мы ходили в горы.", "We went hiking."])


def opened(
    home: str | Path, now: str | None, overrides: Mapping[str, str] = SMALL_STEPS, embedder: WordVectors | None = None
) -> Memory:
    """``now`` None: the wall clock. ``embedder``: another one, beside the usual."""
    return open_memory(
        settings=Settings.load(home=Path(home), overrides={"id_key": ID_KEY, **overrides}),
        clock=WallClock() if now is None else FixedClock(datetime.fromisoformat(now)),
        embedder=embedder or WordVectors(),
        former_embedders=[WordVectors()],
        parser=PARSER,
    )


class Acknowledgements:
    """A file outside the home that says what a process was promised to be kept; a line each, once the promise is given."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._write = os.write

    def say(self, *what: object) -> None:
        self._write(self._file, (json.dumps(what) + "\n").encode())


class AcknowledgingLog:
    def __init__(self, log: MessageLog, said: Acknowledgements) -> None:
        self._log, self._said = log, said

    def append(self, user: UserId, messages: Sequence[Message], *, now: datetime) -> Appended:
        done = self._log.append(user, messages, now=now)
        self._said.say("messages", user, [[message.id, message.text_version] for message in messages])
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)


class AcknowledgingWriter:
    def __init__(self, writer: GraphWriter, said: Acknowledgements) -> None:
        self._writer, self._said = writer, said

    def apply(self, user: UserId, change_sets: Sequence[ChangeSet], **options: Any) -> tuple[Applied, ...]:
        done = self._writer.apply(user, change_sets, **options)
        self._said.say("keys", user, [str(applied.key) for applied in done])
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self._writer, name)


def acknowledging(memory: Memory, said: Acknowledgements) -> Memory:
    bench = memory.bench
    log, writer = AcknowledgingLog(bench.log, said), AcknowledgingWriter(bench.writer, said)
    return replace(memory, bench=replace(bench, log=log, writer=writer))


def remember(
    home: str,
    files: Sequence[str],
    *,
    now: str | None = None,
    acknowledged: str | None = None,
    count: bool = False,
    deadly: int | None = None,
    prefect: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Imports each file and forms memories of it. ``deadly``: the moment (``Moments``) before which this process dies.
    ``prefect``: a running server (``flows.local.LocalPrefect``) against which the plan is walked as a flow."""
    said = None if acknowledged is None else Acknowledgements(acknowledged)
    moments = Moments(Path(home), deadly=deadly) if count or deadly is not None else None
    begun = monotonic()
    with opened(home, now) as plain:
        memory = plain if said is None else acknowledging(plain, said)
        for file in files:
            imported = memory.import_export(Path(file))
            if prefect is None:
                memory.run("ingest", imported.people)
            else:
                walk_as_flow(memory, imported.people, prefect)
    return {"seconds": monotonic() - begun, "moments": 0 if moments is None else moments.seen}


def remember_stubbornly(home: str, file: str, *, acknowledged: str) -> dict[str, Any]:
    """Imports the file and forms memories of it with one opened memory, again and again until nothing fails for now; how often
    it failed, by kind. The same home may be written by many at once."""
    failed: Counter[str] = Counter()

    def stubbornly(work: Callable[[], _T]) -> _T:
        while True:
            try:
                return work()
            except Transient as error:
                failed[type(error).__name__] += 1
                sleep(0.2)

    with stubbornly(lambda: opened(home, None)) as plain:
        memory = acknowledging(plain, Acknowledgements(acknowledged))
        stubbornly(lambda: memory.run("ingest", memory.import_export(Path(file)).people))
    return dict(failed)


class Counting(OtherWordVectors):
    """Writes down how many texts it was given, so that it is known of a process that died."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._write = os.write

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self._write(self._file, f"{len(texts)}\n".encode())
        return super().embed(texts)


def reembed(home: str, *, now: str, embedded: str, count: bool = False, deadly: int | None = None) -> dict[str, Any]:
    """Every person's vectors to another embedder; recall works before, during and after. ``embedded``: a file outside the home
    that counts texts. ``deadly``: as for ``remember``."""
    embedder = Counting(embedded)
    moments = Moments(Path(home), deadly=deadly) if count or deadly is not None else None
    asked = 0

    def ask(_step: str, _count: int) -> None:
        nonlocal asked
        for name in memory.users():
            assert not memory.ask(name, "Где я работаю?", now="last").degraded
            asked += 1

    with opened(home, now, {**SMALL_STEPS, "reembed_batch": "7"}, embedder) as memory:
        total = memory.to_reembed(memory.user_ids())
        run = memory.run("reembed", memory.user_ids(), progress=ask if count else lambda _step, _count: None)
        return {
            "moments": 0 if moments is None else moments.seen,
            "asked": asked,
            "total": total,
            **{name: run.total(name) for name in ("rounds", "units", "nodes", "switched")},
        }


def other_vectors(home: str, *, now: str) -> dict[str, Any]:
    """Each person's vectors in the other space, and the graph's hash; recall by vectors answers."""
    with opened(home, now, embedder=OtherWordVectors()) as memory:
        found: dict[str, Any] = {}
        for name in memory.users():
            user, bench = memory.user_id(name), memory.bench
            assert not memory.ask(name, "Где я работаю?", now="last").degraded
            rounds = bench.rounds.load(user, fingerprint=OtherWordVectors.fingerprint)
            units = sorted(bench.staging.have(user, reasoner=bench.reasoner.name, version=bench.reasoner.version))
            staged = bench.staging.units(user, units, reasoner=bench.reasoner.name, version=bench.reasoner.version)
            found[name] = {
                "hash": memory.graph_hash(name),
                "served by": [bench.people.person(user).fingerprint, bench.reader.head(user).fingerprint],
                "rounds": {r.message: None if r.vector is None else _short(r.vector) for r in rounds},
                "units": {
                    s.extraction.unit_id: None if s.vectors is None else [_short(row) for row in s.vectors]
                    for s in staged
                    if s.extraction.candidates
                },
                "nodes": {node: _short(vector) for node, vector in sorted(bench.reader.load(user).vectors.items())},
                "left ahead": bench.next_nodes.ahead(user),
                "actions": sum(e.action.action == "reembed" for e in bench.action_log.entries(user, limit=100_000)),
            }
        return found


def _short(vector: NDArray[np.float32]) -> list[float]:
    return [round(float(value), 5) for value in vector[:8]]


def import_measured(home: str, file: str) -> dict[str, float]:
    """An import and its cost: MB that the process grew by at its largest, seconds, messages, and MB of the file."""
    path = Path(file)
    with opened(home, None, {}) as memory:
        memory.run("ingest", memory.add("warm", [_FIRST]).people)
        gc.collect()
        resident = peak_memory(afresh=True)
        begun = monotonic()
        imported = memory.import_export(path, user="p")
        return {
            "grew": peak_memory() - resident,
            "seconds": monotonic() - begun,
            "messages": imported.new,
            "bad": imported.bad_count,
            "file": path.stat().st_size / MB,
        }


MB = 1e6
_FIRST = {"conversation": "c", "id": "1", "role": "user", "text": "Я живу в Туле.", "time": "2026-01-01T00:00:00Z"}


def peak_memory(*, afresh: bool = False) -> float:
    """The most that this process has had in memory, in MB; ``afresh``: from now on, where the system can forget the past."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (MB if sys.platform == "darwin" else MB / 1024)
    if afresh:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) * 1024 / MB


def die_holding_leases(home: str, file: str, *, now: str) -> None:
    """Takes the file in, takes the write lease of everybody and is killed."""
    with opened(home, now) as memory:
        imported = memory.import_export(Path(file))
        with ExitStack() as held:
            for user in imported.people:
                held.enter_context(memory.bench.write_turn.hold(user))
            os.kill(os.getpid(), signal.SIGKILL)


class Interposed:
    """A port whose every method calls ``between`` before it does its work."""

    def __init__(self, port: object, between: Callable[[], None]) -> None:
        self._port, self._between = port, between

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._port, name)
        if not callable(value) or name == "close":
            return value

        def called(*arguments: Any, **options: Any) -> Any:
            self._between()
            return value(*arguments, **options)

        return called


PORTS = ("people", "log", "rounds", "staging", "action_log", "reader", "writer", "outbox")


def interposed(memory: Memory, between: Callable[[], None]) -> Memory:
    ports = {name: Interposed(getattr(memory.bench, name), between) for name in PORTS}
    return replace(memory, settings=memory.settings.model_copy(update={"workers": 1}), bench=replace(memory.bench, **ports))


def take_turns(home: str, first: str, second: str, *, at: int | None, now: str, second_now: str) -> int:
    """One memory takes in the first file; just before its ``at``-th call of a port, another takes in the second, from its
    beginning to its end. Returns how many calls the first made (those inside the second's work are none of them)."""
    calls, inside = 0, False

    def between() -> None:
        nonlocal calls, inside
        if inside:
            return
        calls += 1
        if calls == at:
            inside = True
            remember(home, [second], now=second_now)
            inside = False

    with opened(home, now) as plain:
        memory = interposed(plain, between)
        imported = memory.import_export(Path(first))
        memory.run("ingest", imported.people)
    return calls


def overtaken(home: str, first: str, second: str, *, now: str, second_now: str) -> None:
    """The first pauses before it writes a graph for longer than its lease; the second takes over, reads, and just before the
    second writes, the first's write goes on."""
    waiting: list[Callable[[], Any]] = []
    late: list[Any] = []

    def go_on() -> None:
        if waiting:
            late.append(waiting.pop()())

    with opened(home, now) as plain_one, opened(home, second_now) as plain_two:
        overtaking = Before("apply", plain_two.bench.writer, lambda _write: go_on())
        two = replace(plain_two, bench=replace(plain_two.bench, writer=overtaking))

        def pause(write: Callable[[], Any]) -> Any:
            if late or waiting:
                return None
            waiting.append(write)
            two.run("ingest", two.import_export(Path(second)).people)
            go_on()
            return late[0]

        one = replace(plain_one, bench=replace(plain_one.bench, writer=Before("apply", plain_one.bench.writer, pause)))
        one.run("ingest", one.import_export(Path(first)).people)


class Before:
    """A port of which one method first calls ``hook`` with its own work; where that gives an answer, it is the answer."""

    def __init__(self, method: str, port: object, hook: Callable[[Callable[[], Any]], Any]) -> None:
        self._method, self._port, self._hook = method, port, hook

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._port, name)
        if name != self._method:
            return value

        def called(*arguments: Any, **options: Any) -> Any:
            write = partial(value, *arguments, **options)
            answer = self._hook(write)
            return write() if answer is None else answer

        return called


def walk_as_flow(memory: Memory, users: Sequence[UserId], server: Mapping[str, Any]) -> None:
    from flows.local import LocalPrefect, run_plan_with_prefect

    running = LocalPrefect(Path(server["home"]), server["port"], server["pid"], Path(server["log"]))
    done = run_plan_with_prefect(memory, "ingest", users, server=running)
    for failed in done.failures:
        assert failed.error is not None
        raise failed.error


def state(home: str, *, now: str | None = None, acknowledged: str | None = None) -> dict[str, Any]:
    """What each person of a home has, comparable between homes of one id key; and what of the acknowledged is not there."""
    with opened(home, now) as memory:
        return {
            "people": {name: _person(memory, name) for name in memory.users()},
            "lost": [] if acknowledged is None else lost(memory, Path(acknowledged)),
        }


def recover(home: str, files: Sequence[str], *, now: str, acknowledged: str) -> dict[str, Any]:
    """After a death: what of the acknowledged is lost; then everything again to the end, and the state."""
    before = state(home, now=now, acknowledged=acknowledged)["lost"] if Path(home).exists() else []
    remember(home, files, now=now)
    return {**state(home, now=now, acknowledged=acknowledged), "lost before": before}


def _person(memory: Memory, name: str) -> dict[str, Any]:
    user, bench = memory.user_id(name), memory.bench
    refs = bench.log.refs(user)
    stored = bench.reader.load(user)
    kept = bench.rounds.load(user, fingerprint=bench.embedder.fingerprint)
    texts = bench.log.messages(user, [ref.id for ref in refs])
    entries = bench.action_log.entries(user, limit=100_000)
    return {
        "hash": memory.graph_hash(name),
        "nodes": len(stored.nodes),
        "edges": len(stored.edges),
        "weights": {node.id: node.weight.value for node in stored.nodes.values()},
        "node vectors": {
            node: [round(float(value), 5) for value in vector[:8]] for node, vector in sorted(stored.vectors.items())
        },
        "messages": {ref.id: [ref.at_us, texts[ref.id].text] for ref in refs},
        "counted messages": bench.people.person(user).messages,
        "rounds": {each.message: [each.round_id, each.vector is not None] for each in kept},
        "actions": [
            [entry.write_key.removeprefix(user), entry.position, entry.action.action, entry.action.reason, *entry.action.ids]
            for entry in entries
        ],
        "unlogged": len(bench.outbox.pending(user, limit=10)),
    }


def lost(memory: Memory, acknowledged: Path) -> list[str]:
    """Acknowledged messages and write keys that this home does not have."""
    missing: list[str] = []
    for line in acknowledged.read_text(encoding="utf-8").splitlines() if acknowledged.exists() else ():
        what, user, things = json.loads(line)
        if what == "messages":
            known = memory.bench.log.messages(user, [message for message, _ in things])
            missing += [f"message {message}" for message, version in things if message not in known]
        else:
            missing += [f"write key {key}" for key in set(things) - memory.bench.writer.applied_keys(user, things)]
    return missing


def erase_person(home: str, user: str, *, now: str, deadly: int | None = None) -> dict[str, Any]:
    """The person erased; the receipt, and how many moments it took. ``deadly``: dies just before that one."""
    from memory_lib.operations.bench import Asked
    from memory_lib.operations.erase import erase
    from tests.e2e.erasing import opened as opened_with_ops

    with opened_with_ops(Path(home), now=datetime.fromisoformat(now)) as (_memory, ops):
        moments = Moments(Path(home), deadly=deadly)
        receipt = erase(ops.bench, UserId(user), Asked(apply=True), lambda _count: None)
        return {"receipt": receipt.record(), "moments": moments.seen}


TASKS: Mapping[str, Callable[..., Any]] = {
    "erase_person": erase_person,
    "remember": remember,
    "remember_stubbornly": remember_stubbornly,
    "state": state,
    "recover": recover,
    "take_turns": take_turns,
    "overtaken": overtaken,
    "die_holding_leases": die_holding_leases,
    "import_measured": import_measured,
    "reembed": reembed,
    "other_vectors": other_vectors,
}
