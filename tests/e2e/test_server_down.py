"""A server dies, or hangs: what was acknowledged is there, nothing is half done, recall answers from what is left within a
second and says why, and all is well when the server is back, without reopening the memory."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory_lib.adapters.importers.jsonl import record_from
from memory_lib.bootstrap import Memory
from memory_lib.domain.placement import Tier
from memory_lib.domain.recall import Context
from memory_lib.errors import DependencyDown, Transient
from memory_lib.ports.person_mover import Destination
from tests.e2e.dialogue import ANNA, BEN, Record, split, two_people, write_jsonl
from tests.e2e.tasks import opened
from tests.e2e.warm_process import Child, WarmProcess
from tests.servers import KmsServer, PrivateServer, S3Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
on_neo4j, on_postgres, on_s3, on_kms = (getattr(pytest.mark, name) for name in ("neo4j", "postgres", "s3", "kms"))

ANSWER_S = 1.0
"""Within this recall answers without its graph (on a machine that is not asked for more than it has)."""
LEDGER_S = 3.0
"""Within this a call that needs the ledger says that it is down: a refused connection, and the next try."""
WRITERS = 4
ASKERS = 8
QUESTIONS = {ANNA: "Где я работаю и кто такой Олег?", BEN: "Where do I work and who is Bob?"}
THEN = datetime(2026, 3, 20, 12, tzinfo=UTC)
"""Somewhere in the middle of the dialogues."""
LATER = "2100-01-01T00:00:00+00:00"
"""A clock for looking only."""


# -- servers and homes ------------------------------------------------------------------


@dataclass(slots=True)
class Own:
    """Servers that this module may kill: one of a kind, started when first asked for."""

    stack: ExitStack = field(default_factory=ExitStack)
    known: dict[str, PrivateServer] = field(default_factory=dict)

    def __call__(self, name: str) -> PrivateServer:
        if name not in self.known:
            self.known[name] = PrivateServer(name)
            self.stack.callback(self.known[name].close)
        server = self.known[name]
        if not server.running.is_alive:
            back(server)
        return server


@pytest.fixture(scope="module")
def own() -> Iterator[Own]:
    servers = Own()
    with servers.stack:
        yield servers


def back(server: PrivateServer) -> None:
    """Started again; a graph server answers a query, of which its first one after a start takes seconds on a loaded machine."""
    server.start()
    if "database" in server.address:
        import neo4j

        with neo4j.GraphDatabase.driver(server.neo4j.url) as driver:
            driver.execute_query("MATCH (p:Person {user_id: ''}) RETURN p.n", database_=server.neo4j.database)


@contextmanager
def hung(server: PrivateServer) -> Iterator[None]:
    """Inside, its process stands still: connections stay open, and nobody answers."""
    pid = server.running.pid
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def home_on(folder: Path, *, neo4j: PrivateServer | None = None, ledger: str | None = None, more: str = "") -> Path:
    """A home whose settings.toml names its servers, for every process that opens it."""
    folder.mkdir(mode=0o700, parents=True)
    lines = [] if ledger is None else [f'ledger_url = "{ledger}"']
    if more:
        lines.append(more)
    if neo4j is not None:
        lines += ["[neo4j.shards.main]", f'uri = "{neo4j.neo4j.url}"', f'database = "{neo4j.neo4j.database}"']
    (folder / "settings.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


# -- what happened, and how long it took -------------------------------------------------


def patience(seconds: float) -> float:
    """``seconds``, and more where the machine is asked for more than twice what it has."""
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1) / 2.0)


class Clock:
    """What things took; a test prints the longest of each kind beside the load of the machine."""

    def __init__(self) -> None:
        self._took: dict[str, list[float]] = {}

    def __call__(self, what: str, work: Callable[[], Any], *, within: float | None = None) -> Any:
        begun = time.perf_counter()
        try:
            return work()
        finally:
            seconds = time.perf_counter() - begun
            self._took.setdefault(what, []).append(seconds)
            if within is not None:
                assert seconds < patience(within), f"{what} took {seconds:.2f} s"

    def tell(self, of: str) -> None:
        load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        for what, each in self._took.items():
            longest, median = max(each) * 1000, sorted(each)[len(each) // 2] * 1000
            print(f"{of}: {what}: {len(each)} times, median {median:.0f} ms, longest {longest:.0f} ms (load {load})")  # noqa: T201


@pytest.fixture
def clock(request: pytest.FixtureRequest) -> Iterator[Clock]:
    made = Clock()
    yield made
    made.tell(request.node.name)


def messages_of(records: Sequence[Record], user: str) -> list[Record]:
    return [record for record in records if record["user"] == user]


def take_in(memory: Memory, records: Sequence[Record]) -> Any:
    return memory.take_in([record_from(dict(record), user=record["user"]) for record in records], source="test")


def remember(memory: Memory, records: Sequence[Record]) -> None:
    memory.run("ingest", take_in(memory, records).people)


def ask(memory: Memory, user: str, **options: Any) -> Context:
    return memory.ask(user, QUESTIONS[user], now="last", **options)


def expect_full(context: Context) -> None:
    assert context.degraded == ()
    assert context.items
    assert context.context
    assert context.rounds_text


def expect_rounds_alone(context: Context, *, why: str) -> None:
    """The rest of recall, and the reason for what is missing."""
    ((part, reason),) = [(each.part, each.reason) for each in context.degraded]
    assert part == "graph"
    assert why in reason
    assert not context.items
    assert context.rounds_text
    assert not any(text in reason for text in (*QUESTIONS, *QUESTIONS.values()))


def hashes(memory: Memory) -> dict[str, str]:
    return {user: memory.graph_hash(user) for user in memory.users()}


def never_lost(folder: Path, *parts: Sequence[Record]) -> dict[str, str]:
    """The graphs of a home whose stores are files, which took in the same, part after part."""
    with opened(folder, LATER) as memory:
        for part in parts:
            remember(memory, part)
        return hashes(memory)


# -- killed while many write -------------------------------------------------------------


def alone(warm: WarmProcess, folder: Path, records: Sequence[Record]) -> dict[str, Any]:
    """What one undisturbed process makes of these records, in a home of files."""
    warm.learn(record["text"] for record in records)
    file = write_jsonl(folder / "alone.jsonl", records)
    warm.do("remember", home=str(folder / "alone"), files=[str(file)])
    people: dict[str, Any] = warm.do("state", home=str(folder / "alone"), now=LATER)["people"]
    return people


def writers_of(warm: WarmProcess, home: Path, records: Sequence[Record]) -> list[tuple[Child, Path]]:
    """Each writes a quarter of the records, whosever they are, so that all of them write everybody."""
    writers: list[tuple[Child, Path]] = []
    for number in range(WRITERS):
        file = write_jsonl(home.parent / f"part {number}.jsonl", records[number::WRITERS])
        acknowledged = home.parent / f"acknowledged {number}"
        child = warm.fork("remember_stubbornly", home=str(home), file=str(file), acknowledged=str(acknowledged))
        writers.append((child, acknowledged))
    return writers


def acknowledged_by(paths: Sequence[Path], what: str) -> int:
    return sum(path.read_text(encoding="utf-8").count(f'["{what}"') for path in paths if path.exists())


def wait_for_acknowledgements(paths: Sequence[Path], what: str, count: int) -> int:
    until = time.monotonic() + 120
    while (seen := acknowledged_by(paths, what)) < count:
        assert time.monotonic() < until, f"only {seen} of {what} were acknowledged in two minutes"
        time.sleep(0.005)
    return seen


def expect_whole(warm: WarmProcess, home: Path, acknowledged: Sequence[Path], expected: dict[str, Any]) -> None:
    promised = home.parent / "acknowledged by all"
    promised.write_text("".join(path.read_text(encoding="utf-8") for path in acknowledged), encoding="utf-8")
    state = warm.do("state", home=str(home), now=LATER, acknowledged=str(promised))
    assert state["lost"] == []
    found = state["people"]
    assert found.keys() == expected.keys()
    for name, person in found.items():
        one = expected[name]
        assert person["hash"] == one["hash"]
        for part in ("messages", "counted messages", "rounds", "weights", "node vectors", "unlogged"):
            assert person[part] == one[part], part
        assert max(Counter((key, position) for key, position, *_ in person["actions"]).values()) == 1
        created = Counter(action[-1] for action in person["actions"] if action[2] == "create")
        assert max(created.values()) == 1, "a node was created twice"
    with opened(home, LATER) as memory:
        for name in memory.users():
            whole = memory.ops.work.reader.take(memory.user_id(name))  # type: ignore[attr-defined]
            keys = [each.key for each in whole.write_keys]
            assert len(set(keys)) == len(keys) == whole.revision.n, "each change set counted once"
            assert sorted(each.n for each in whole.write_keys) == list(range(1, len(keys) + 1)), "none half, none twice"
        before = hashes(memory)
        rebuilt = memory.run("rebuild", memory.user_ids())
        assert rebuilt.total("different") == rebuilt.total("faults") == 0
        assert hashes(memory) == before


def kill_under_writers(
    warm: WarmProcess, folder: Path, server: PrivateServer, home: Path, *, what: str, seed: int, kills: int, down_s: float
) -> Counter[str]:
    """``what`` is acknowledged by the server that is killed. What writers met, by kind of error."""
    records = two_people(seed, messages=10)
    expected = alone(warm, folder, records)
    writers = writers_of(warm, home, records)
    paths = [path for _, path in writers]
    for path in paths:
        wait_for_acknowledgements([path], "messages", 1)
    seen = acknowledged_by(paths, what)
    for _ in range(kills):
        seen = wait_for_acknowledgements(paths, what, seen + 2)
        server.kill()
        time.sleep(down_s)
        back(server)
    met: Counter[str] = Counter()
    for child, _ in writers:
        met.update(child.answer())
    expect_whole(warm, home, paths, expected)
    return met


@on_neo4j
@on_postgres
def test_a_graph_server_killed_under_four_writers_loses_and_doubles_nothing(
    own: Own, warm: WarmProcess, tmp_path: Path
) -> None:
    server = own("neo4j")
    with own("postgres").postgres.fresh() as ledger:
        home = home_on(tmp_path / "home", neo4j=server, ledger=ledger)
        met = kill_under_writers(warm, tmp_path, server, home, what="keys", seed=1, kills=1, down_s=0.5)
    assert met["DependencyDown"], "the writers never noticed that their server died"
    print(f"writers met {dict(met)}")  # noqa: T201


@on_postgres
def test_a_ledger_server_killed_under_four_writers_loses_and_doubles_nothing(
    own: Own, warm: WarmProcess, tmp_path: Path
) -> None:
    server = own("postgres")
    with server.postgres.fresh() as ledger:
        home = home_on(tmp_path / "home", ledger=ledger)
        met = kill_under_writers(warm, tmp_path, server, home, what="messages", seed=2, kills=2, down_s=0.5)
    assert met["DependencyDown"], "the writers never noticed that their server died"
    print(f"writers met {dict(met)}")  # noqa: T201


@on_neo4j
@on_postgres
@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(10, 20))
def test_servers_killed_under_writers_again_and_again(own: Own, warm: WarmProcess, tmp_path: Path, seed: int) -> None:
    graph, ledger_server = own("neo4j"), own("postgres")
    with ledger_server.postgres.fresh() as ledger:
        home = home_on(tmp_path / "graph killed", neo4j=graph, ledger=ledger)
        kill_under_writers(warm, tmp_path / "1", graph, home, what="keys", seed=seed, kills=3, down_s=1.0)
    home = home_on(tmp_path / "graph killed, ledger in a file", neo4j=graph)
    kill_under_writers(warm, tmp_path / "2", graph, home, what="keys", seed=seed, kills=3, down_s=1.0)
    with ledger_server.postgres.fresh() as ledger:
        home = home_on(tmp_path / "ledger killed", neo4j=graph, ledger=ledger)
        kill_under_writers(warm, tmp_path / "3", ledger_server, home, what="messages", seed=seed, kills=3, down_s=1.0)


# -- a graph server that is down ----------------------------------------------------------


def outage_of_the_graph(server: PrivateServer, folder: Path, clock: Clock, *, seconds: float, seed: int) -> None:
    """All of an outage, of at least so many seconds, as one opened memory meets it."""
    records = two_people(seed)
    early, late = split(seed, records, 0.3)
    with opened(home_on(folder / "home", neo4j=server), LATER) as memory:
        remember(memory, early)
        whole = ask(memory, ANNA)
        expect_full(whole)
        kept = hashes(memory)
        server.kill()
        begun = time.monotonic()
        waiting = list(late)
        while time.monotonic() - begun < seconds or waiting:
            for user in (ANNA, BEN):  # one whom this memory has opened, and one whom it has not
                answer = clock("ask", lambda user=user: ask(memory, user), within=ANSWER_S)
                expect_rounds_alone(answer, why="Neo4j server does not answer")
            then = clock("ask of then", lambda: memory.ask(BEN, QUESTIONS[BEN], as_of=THEN), within=ANSWER_S)
            assert [each.part for each in then.degraded] == ["graph"]
            batch, waiting = waiting[:6], waiting[6:]
            if batch:
                people = clock("take_in", lambda batch=batch: take_in(memory, batch)).people
                with pytest.raises(DependencyDown, match="graph is not available"):
                    clock("ingest", lambda people=people: memory.run("ingest", people))
            else:
                time.sleep(0.2)
        back(server)
        again = clock("first ask after the return", lambda: ask(memory, ANNA))
        assert again.degraded == ()
        assert again.revision == whole.revision
        assert hashes(memory) == kept, "nothing was half done"
        memory.run("ingest", memory.user_ids())
        assert hashes(memory) == never_lost(folder / "never lost", early, late)
        for user in memory.user_ids():
            assert memory.bench.outbox.pending(user, limit=10) == ()
        for name in (ANNA, BEN):
            expect_full(ask(memory, name))


@on_neo4j
def test_while_the_graph_server_is_down_recall_answers_and_messages_wait(own: Own, tmp_path: Path, clock: Clock) -> None:
    outage_of_the_graph(own("neo4j"), tmp_path, clock, seconds=1.0, seed=3)


@on_neo4j
@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_half_a_minute_without_the_graph_server(own: Own, tmp_path: Path, clock: Clock) -> None:
    outage_of_the_graph(own("neo4j"), tmp_path, clock, seconds=30.0, seed=4)


def open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


@on_neo4j
def test_a_graph_server_that_hangs_costs_no_ask_more_than_its_second(own: Own, tmp_path: Path, clock: Clock) -> None:
    server = own("neo4j")
    records = two_people(5)
    early, late = split(5, records, 0.3)
    home = home_on(tmp_path / "home", neo4j=server)

    def short(what: str, user: str) -> None:
        answer = clock(what, lambda: ask(memory, user), within=ANSWER_S)
        expect_rounds_alone(answer, why="Neo4j server")

    with opened(home, LATER) as memory, ThreadPoolExecutor(ASKERS) as askers:
        remember(memory, early)
        whole = ask(memory, ANNA)
        list(askers.map(lambda _: expect_full(ask(memory, ANNA)), range(4 * ASKERS)))
        threads, files = threading.active_count(), open_files()
        with hung(server):  # its connections were in use a moment ago
            list(askers.map(lambda _: short("ask, many at once, just then", ANNA), range(ASKERS)))
            for _ in range(3):
                short("ask, known person", ANNA)
                short("ask, person not opened yet", BEN)
            list(askers.map(lambda _: short("ask, many at once, later", BEN), range(4 * ASKERS)))
            with opened(home, LATER) as fresh:
                answer = clock("first ask of a memory", lambda: ask(fresh, ANNA), within=ANSWER_S)
                expect_rounds_alone(answer, why="Neo4j server does not answer")
            take_in(memory, late)
            with pytest.raises(Transient, match="graph is not available"):
                clock("ingest", lambda: memory.run("ingest", memory.user_ids()), within=10.0)
            assert threading.active_count() <= threads
            assert open_files() <= files + 2
        again = clock("first ask after the return", lambda: ask(memory, ANNA))
        assert again.degraded == ()
        assert again.items
        assert again.revision == whole.revision
        memory.run("ingest", memory.user_ids())
        assert hashes(memory) == never_lost(tmp_path / "never lost", early, late)
        expect_full(ask(memory, BEN))


@on_neo4j
def test_what_was_being_written_when_the_graph_server_hung_is_there_once(own: Own, tmp_path: Path) -> None:
    server = own("neo4j")
    records = two_people(6)
    with opened(home_on(tmp_path / "home", neo4j=server), None) as memory, ThreadPoolExecutor(1) as thread:
        people = take_in(memory, records).people
        writing = thread.submit(memory.run, "ingest", people)
        user = memory.user_id(ANNA)
        while memory.bench.reader.head(user).revision.n < 2:
            time.sleep(0.005)
        with hung(server):
            time.sleep(3.0)
        if (error := writing.exception()) is not None:
            assert isinstance(error, Transient)
        memory.run("ingest", people)
        assert hashes(memory) == never_lost(tmp_path / "never lost", records)


# -- a ledger server that is down ----------------------------------------------------------


@on_postgres
def test_while_the_ledger_server_is_down_every_call_says_so_and_afterwards_all_is_well(
    own: Own, tmp_path: Path, clock: Clock
) -> None:
    server = own("postgres")
    records = two_people(7)
    early, late = split(7, records, 0.3)
    words = {word for record in records for word in record["text"].split() if len(word) > 5} | {ANNA, BEN}
    with server.postgres.fresh() as ledger, opened(home_on(tmp_path / "home", ledger=ledger), LATER) as memory:
        remember(memory, early)
        for name in (ANNA, BEN):
            expect_full(ask(memory, name))
        kept = hashes(memory)
        people = memory.user_ids()
        server.kill()
        calls: dict[str, Callable[[], Any]] = {
            "ask": lambda: ask(memory, ANNA),
            "take_in": lambda: take_in(memory, late),
            "ingest": lambda: memory.run("ingest", people),
            "show": lambda: memory.show(BEN),
        }
        for _ in range(3):
            for what, call in calls.items():
                with pytest.raises(DependencyDown) as met:
                    clock(what, call, within=LEDGER_S)
                assert met.value.part == "ledger"
                assert not [word for word in words if word in str(met.value)]
                assert met.value.__cause__ is None
        back(server)
        expect_full(clock("first ask after the return", lambda: ask(memory, ANNA)))
        assert hashes(memory) == kept
        remember(memory, late)
        assert hashes(memory) == never_lost(tmp_path / "never lost", early, late)


# -- an object store that is down ----------------------------------------------------------


@on_s3
def test_while_the_object_store_is_down_nobody_moves_and_who_rests_there_answers_from_rounds(
    own: Own, tmp_path: Path, clock: Clock
) -> None:
    server = own("s3")
    s3 = S3Server(**server.address)
    records = messages_of(two_people(8), ANNA)
    with s3.fresh() as bucket:
        names = {
            "bucket": bucket,
            "endpoint": s3.endpoint,
            "region": s3.region,
            "access_key": s3.access_key,
            "secret_key": s3.secret_key,
        }
        more = "[s3]\n" + "\n".join(f'{name} = "{value}"' for name, value in names.items())
        home = home_on(tmp_path / "home", more=more)
        with opened(home, LATER) as memory:
            remember(memory, records)
            whole, kept = ask(memory, ANNA), hashes(memory)
            expect_full(whole)
            user = memory.user_id(ANNA)
            tiers = memory.bench.tiers
            assert tiers is not None
            server.kill()
            with pytest.raises(Transient) as met:
                clock("move to the cold files", lambda: tiers.mover.move(user, Destination(Tier.COLD)), within=15.0)
            assert isinstance(met.value, DependencyDown)
            assert tiers.mover.where(user).tier is Tier.HOT
            assert hashes(memory) == kept
            expect_full(ask(memory, ANNA))
            remember(memory, [{**records[-1], "id": "later", "text": "Я теперь работаю в Озоне!"}])
            kept = hashes(memory)
            back(server)
            night = memory.run("tier_migration", [user])
            assert night.total("to_cold") == 1
            assert tiers.mover.where(user).tier is Tier.COLD
            assert hashes(memory) == kept
        with opened(home, LATER) as memory:
            server.kill()
            for _ in range(3):
                answer = clock("ask of a cold person", lambda: ask(memory, ANNA), within=ANSWER_S + 1.0)
                ((part, reason),) = [(each.part, each.reason) for each in answer.degraded]
                print(f"reason given: {reason}")  # noqa: T201
                assert part == "graph"
                assert not answer.items
                assert answer.rounds_text
            with pytest.raises(Transient):
                clock("return of a cold person", lambda: memory.run("rehydrate", [memory.user_id(ANNA)]), within=15.0)
            back(server)
            answer = clock("first ask after the return", lambda: ask(memory, ANNA))
            assert answer.items
            assert hashes(memory) == kept
            memory.run("rehydrate", [memory.user_id(ANNA)])
            expect_full(ask(memory, ANNA))
            assert hashes(memory) == kept


# -- a key service that is down -------------------------------------------------------------


@on_kms
def test_while_the_key_service_is_down_opened_keys_serve_for_their_time_and_nobody_new_is_made(
    own: Own, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = own("kms")
    kms = KmsServer(**server.address)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", kms.access_key)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", kms.secret_key)
    opened_s = 6.0
    more = (
        f'[kms]\nkey_id = "{kms.fresh_key()}"\nendpoint = "{kms.endpoint}"\nregion = "{kms.region}"\n'
        "connect_s = 0.5\nread_s = 0.5\nattempts = 2\n"
        f"[keyring]\nopened_s = {opened_s}"
    )
    records = two_people(9)
    with opened(home_on(tmp_path / "home", more=more), LATER) as memory:
        remember(memory, messages_of(records, ANNA))
        expect_full(ask(memory, ANNA))

        def nobody_new(what: str) -> None:
            with pytest.raises(Transient) as met:
                clock(what, lambda: take_in(memory, messages_of(records, BEN)), within=5.0)
            assert isinstance(met.value, DependencyDown)
            assert met.value.part == "kms"
            assert BEN not in str(met.value)

        with hung(server):
            expect_full(clock("ask while it hangs", lambda: ask(memory, ANNA), within=ANSWER_S))
            nobody_new("new person while it hangs")
        remember(memory, messages_of(records, BEN))
        for name in (ANNA, BEN):
            expect_full(ask(memory, name))
        server.kill()  # its keys are in its memory alone: it does not come back
        for name in (ANNA, BEN):
            expect_full(clock("ask while it is gone", lambda name=name: ask(memory, name), within=ANSWER_S))
        with pytest.raises(Transient):
            clock("new person while it is gone", lambda: memory.add("somebody else", [new_message()]), within=5.0)
        assert set(memory.users()) == {ANNA, BEN}
        time.sleep(opened_s)
        memory.views.forget(memory.user_id(ANNA))
        with pytest.raises(DependencyDown, match="kms is not available"):
            clock("ask when the opened key's time is over", lambda: ask(memory, ANNA), within=5.0)


def new_message() -> dict[str, str]:
    return {"role": "user", "text": "I moved to Wales.", "time": "2026-03-02T09:00:00Z"}
