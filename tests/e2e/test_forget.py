"""A topic is forgotten: nothing recalls it, nothing beside it is lost, nothing brings it back. Both languages."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from memory_lib.adapters.sql.engine import Database, sqlite_url
from memory_lib.adapters.sql.payload import unpack
from memory_lib.adapters.sql.sealed_columns import SEALED_COLUMNS
from memory_lib.bootstrap import FixedClock, Memory, models, open_memory
from memory_lib.domain.acts import ActKind
from memory_lib.settings import Settings
from tests.usecases.forgotten_topics import ENGLISH, RUSSIAN, Talk, Topic
from tests.usecases.operating import forgotten, operated

NOW = datetime(2026, 2, 1, 12, tzinfo=UTC)
SAMPLE = ("divorce", "dog", "surgery")

TALKS = [pytest.param(ENGLISH, id="en"), pytest.param(RUSSIAN, id="ru")]
pytestmark = pytest.mark.slow


OpenHome = Callable[[Talk], Memory]


@pytest.fixture(scope="module")
def open_at() -> Callable[[Path], Memory]:
    """Opens homes that share the models: loading them takes longer than a test."""
    embedder, parser = models(Settings())

    def open_one(path: Path) -> Memory:
        settings = Settings.load(home=path, overrides={"id_key": "ab" * 32})
        return open_memory(settings=settings, clock=FixedClock(NOW), embedder=embedder, parser=parser)

    return open_one


@pytest.fixture(scope="module")
def lived(open_at: Callable[[Path], Memory], tmp_path_factory: pytest.TempPathFactory) -> Callable[[Talk], Path]:
    """A home in which the talk was formed, made once."""
    made: dict[str, Path] = {}

    def of(talk: Talk) -> Path:
        if talk.language not in made:
            made[talk.language] = tmp_path_factory.mktemp("lived") / talk.language
            with open_at(made[talk.language]) as memory:
                memory.add("p", talk.messages())
        return made[talk.language]

    return of


@pytest.fixture
def home_of(open_at: Callable[[Path], Memory], lived: Callable[[Talk], Path], tmp_path: Path) -> Iterator[OpenHome]:
    opened: list[Memory] = []

    def of(talk: Talk) -> Memory:
        shutil.copytree(lived(talk), tmp_path / "home")
        opened.append(open_at(tmp_path / "home"))
        return opened[-1]

    yield of
    for memory in opened:
        memory.close()


def recalled(memory: Memory, probe: str) -> str:
    """All that an assistant is given."""
    context = memory.ask("p", probe, now="last")
    items = [text for item in context.items for text in (item.content, *(source.quote for source in item.sources))]
    rounds = [found.text for found in context.rounds]
    return "\n".join([context.context, context.rounds_text, *items, *rounds]).casefold()


def leaks(memory: Memory, topics: list[Topic]) -> list[tuple[str, str]]:
    return [
        (probe, word)
        for topic in topics
        for probe in topic.probes
        for said in [recalled(memory, probe)]
        for word in topic.words
        if word in said
    ]


def nodes(memory: Memory) -> dict[str, dict[str, Any]]:
    return {node["id"]: node for node in memory.show("p")["nodes"]}


def readable(memory: Memory) -> str:
    """Everything that the live key opens, in the ledger and in the graph."""
    user, home = memory.user_id("p"), memory.settings.home
    sealer = memory.ops.sealer
    opened: list[str] = []
    database = Database(sqlite_url(home / "ledger.db"), params=memory.settings.ledger)
    with database.read() as connection:
        for sealed in SEALED_COLUMNS:
            if sealed.floats or sealed.owner != "user_id":
                continue
            for found in connection.execute(select(sealed.table)).mappings():
                row: dict[str, Any] = {str(name): value for name, value in found.items()}
                if row[sealed.name] is not None:
                    payload = sealer.open(user, sealed.kind(row), sealed.record(row), row[sealed.name])
                    opened.append(json.dumps(unpack(payload), ensure_ascii=False))
    database.close()
    whole = memory.bench.reader.load(user)
    opened += [repr(part) for part in (whole.nodes, whole.edges, whole.acts)]
    opened += [repr(entry) for entry in memory.bench.action_log.entries(user, limit=100_000)]
    return "\n".join(opened).casefold()


@pytest.mark.parametrize("talk", TALKS)
def test_fifty_probes_find_nothing_and_siblings_stay_as_they_were(home_of: OpenHome, talk: Talk) -> None:
    home = home_of(talk)
    topics = list(talk.topics)
    assert sum(len(topic.probes) for topic in topics) >= 49
    assert leaks(home, topics[:1]), "the probes find it before"
    pinned = next(ident for ident, node in nodes(home).items() if "Musya" in node["content"] or "Муся" in node["content"])
    home.correct("p", pinned, ActKind.PIN)
    before, gone = nodes(home), set[str]()
    for topic in topics:
        gone |= set(forgotten(home, topic.asked).ids["nodes"])
    after = nodes(home)
    assert leaks(home, topics) == []
    assert set(after) == set(before) - gone
    assert {ident: before[ident] for ident in after} == after
    # what stays hidden are the words, not the places of the others
    assert all("█" not in source["quote"] for node in after.values() for source in node["sources"])
    user, graph = home.user_id("p"), home.graph_hash("p")
    run = home.run("ingest", [user])
    assert (run.total("units"), run.total("rounds"), home.graph_hash("p")) == (0, 0, graph)
    home.run("rebuild", [user])
    assert home.graph_hash("p") == graph
    assert leaks(home, topics) == []


@pytest.mark.parametrize("talk", TALKS)
def test_no_record_that_opens_holds_a_forgotten_word(home_of: OpenHome, talk: Talk) -> None:
    home = home_of(talk)
    topics = [topic for topic in talk.topics if topic.name in SAMPLE]
    words = [word for topic in topics for word in topic.words]
    node = next(ident for ident, each in nodes(home).items() if any(w in each["content"].casefold() for w in words))
    home.correct("p", node, ActKind.SET, field="about_name", value="Divorcia Разводова")
    said = readable(home)
    assert all(word in said for word in [*words, "разводова"])
    for topic in topics:
        forgotten(home, topic.asked)
    said = readable(home)
    assert [word for word in [*words, "разводова"] if word in said] == []


@pytest.mark.parametrize("talk", TALKS)
def test_it_does_not_come_back_in_another_format_but_may_be_said_anew(home_of: OpenHome, talk: Talk) -> None:
    home = home_of(talk)
    topics = [topic for topic in talk.topics if topic.name in SAMPLE]
    for topic in topics:
        forgotten(home, topic.asked)
    contents = {node["content"] for node in nodes(home).values()}
    home.add("p", talk.messages())
    assert {node["content"] for node in nodes(home).values()} == contents
    home.add("p", talk.messages(conversation="another export", prefix="x"))
    assert leaks(home, topics) == []
    home.run("rebuild", [home.user_id("p")])
    assert leaks(home, topics) == []
    dog = next(topic for topic in topics if topic.name == "dog")
    text = "My dog Rex learned a new trick." if talk.language == "en" else "Моя собака Рекс выучила новый трюк."
    home.add("p", [{"id": "new", "role": "user", "text": text, "time": "2026-03-01T10:00:00+00:00"}])
    assert any(dog.words[0] in node["content"].casefold() for node in nodes(home).values())


def test_killed_anywhere_it_goes_on_where_it_was(home_of: OpenHome, monkeypatch: pytest.MonkeyPatch) -> None:
    operation, home = import_module("memory_lib.operations.forget"), home_of(ENGLISH)
    listed = operated(home, "forget", apply=False, said={"topic": "my dog Rex"})
    (request,) = listed.ids["request"]
    topic = next(topic for topic in ENGLISH.topics if topic.name == "dog")

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(operation, "former_of", killed)
        with pytest.raises(KeyboardInterrupt):
            operated(home, "forget", request=request)
    home.run("ingest", [home.user_id("p")])
    with monkeypatch.context() as patched:
        patched.setattr(operation, "run", killed)
        with pytest.raises(KeyboardInterrupt):
            operated(home, "forget", request=request)
    assert operated(home, "forget", request=request).applied
    assert leaks(home, [topic]) == []
    graph = home.graph_hash("p")
    assert operated(home, "forget", request=request).applied
    home.run("rebuild", [home.user_id("p")])
    assert home.graph_hash("p") == graph
