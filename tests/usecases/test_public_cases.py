"""Cases in which other memory systems have failed in public, each from messages to what is remembered."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from memory_lib.bootstrap import Memory
from memory_lib.domain.shapes import context_shape
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import ENGLISH, RUSSIAN, message
from tests.usecases.test_recall import WordVectors


def at(ident: str, when: str, text: str, **extra: Any) -> dict[str, Any]:
    return {"conversation": "talk", "id": ident, "role": "user", "text": text, "time": when, **extra}


def nodes(memory: Memory, *, user: str = "p", kind: str | None = None, **options: Any) -> list[dict[str, Any]]:
    return [n for n in memory.show(user, **options)["nodes"] if kind is None or n["type"] == kind]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My friend Kate lives in Leeds.", "My friend Kate broke her arm."),
        ("Моя подруга Катя живёт в Казани.", "Моя подруга Катя сломала руку."),
    ],
)
def test_two_users_with_a_friend_of_one_name_share_nothing(open_home: OpenHome, one: str, other: str) -> None:
    memory = open_home()
    memory.add("anna", [message(1, 4, one)])
    memory.add("boris", [message(1, 4, other)])
    (hers,) = nodes(memory, user="anna", kind="person")
    (his,) = nodes(memory, user="boris", kind="person")
    assert hers["proofs"] == his["proofs"] == 1
    words = {user: " ".join(n["content"] for n in nodes(memory, user=user)) for user in ("anna", "boris")}
    assert not {"arm", "руку"} & set(words["anna"].replace(".", " ").split())
    assert not {"Leeds", "Казани"} & set(words["boris"].replace(".", " ").split())
    for user, text in (("anna", one), ("boris", other)):
        for node in nodes(memory, user=user):
            assert all(text[source["start"] : source["end"]] == source["quote"] for source in node["sources"])
    assert "Leeds" not in memory.ask("boris", "Kate", now="last").rounds_text
    assert "Казани" not in memory.ask("boris", "Катя", now="last").rounds_text


@pytest.mark.parametrize("dialogue", [pytest.param(RUSSIAN, id="ru"), pytest.param(ENGLISH, id="en")])
def test_the_same_episode_twice_is_one_episode(open_home: OpenHome, dialogue: list[dict[str, Any]]) -> None:
    memory = open_home()
    memory.add("p", dialogue)
    before = memory.graph_hash("p")
    memory.add("p", dialogue)
    assert memory.graph_hash("p") == before
    # retold in another conversation a day later: proofs, not copies
    retold = [{**m, "conversation": "again", "id": f"again-{m['id']}"} for m in dialogue if m["role"] == "user"]
    count = len(nodes(memory))
    memory.add("p", retold)
    assert len(nodes(memory)) == count


@pytest.mark.parametrize(
    "texts",
    [
        ["I joined the KPMG choir.", "I sing in the KPMG choir.", "KPMG called me.", "KPMG is loud."],
        ["Я работаю в МГУ.", "В МГУ шумно.", "МГУ закрыли.", "Я устал от МГУ."],
    ],
)
def test_an_acronym_four_times_makes_no_person_and_no_copies(open_home: OpenHome, texts: list[str]) -> None:
    memory = open_home()
    memory.add("p", [message(n, 3 + n, text) for n, text in enumerate([*texts, *texts], start=1)])
    assert not [n for n in nodes(memory, kind="person") if n["content"] in ("KPMG", "МГУ")]
    contents = [n["content"] for n in nodes(memory)]
    assert len(contents) == len(set(contents))


class Opposite(WordVectors):
    """An embedder for which no text resembles another, itself said earlier included."""

    fingerprint = "opposite/1"

    def __init__(self) -> None:
        super().__init__()
        self._turn = 0

    def embed(self, texts: Any) -> Any:
        rows = np.zeros((len(texts), 64), np.float32)
        for row in rows:
            self._turn += 1
            row[self._turn % 64] = 1.0
        return rows


@pytest.mark.parametrize(("text", "name"), [("My colleague Bob is tall.", "Bob"), ("Мой коллега Олег высокий.", "Олег")])
def test_exact_names_meet_however_far_apart_their_vectors_are(open_home: OpenHome, text: str, name: str) -> None:
    memory = open_home(embedder=Opposite())
    memory.add("p", [message(n, 3 + n, text) for n in range(1, 5)])
    people = [n for n in nodes(memory, kind="person") if name in n["content"] or n["attributes"].get("name") == name]
    assert [n["proofs"] for n in people] == [4]
    contents = [n["content"] for n in nodes(memory) if n["type"] != "person"]
    assert len(contents) == len(set(contents))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Я обедаю в Кафе 7.", "Я живу в Доме 7."),
        ("У меня приём в кабинете 12.", "У меня место в ряду 12."),
        ("I have lunch at Cafe 7.", "I live in House 7."),
    ],
)
def test_places_that_share_a_digit_are_not_one(open_home: OpenHome, one: str, other: str) -> None:
    memory = open_home(embedder=WordVectors())
    memory.add("p", [message(1, 4, one), message(2, 5, other)])
    shown = nodes(memory)
    assert all(n["proofs"] == 1 for n in shown)
    for node in shown:
        assert len({source["message"] for source in node["sources"]}) == 1


class Flawed(WordVectors):
    """Good vectors, but for some texts nothing but zeros."""

    fingerprint = "flawed/1"

    def embed(self, texts: Any) -> Any:
        rows = super().embed(texts)
        for row, text in zip(rows, texts, strict=True):
            if "tea" in text:
                row[:] = 0.0
        return rows


def test_a_null_vector_among_good_ones_hurts_nobody(open_home: OpenHome) -> None:
    memory = open_home(embedder=Flawed())
    memory.add("p", [message(1, 4, "I like tea."), message(2, 5, "I own a red car."), message(3, 6, "I own a red car.")])
    context = memory.ask("p", "What car do I own?", now="last")
    assert "car" in context.context + context.rounds_text
    memory.add("p", [message(4, 7, "I like tea.")])
    assert sorted(n["proofs"] for n in nodes(memory)) == [2, 2]


@pytest.mark.parametrize("text", ["I visited my aunt in Oslo last week.", "На прошлой неделе я ездил к тёте в Осло."])
def test_last_week_in_a_message_of_may_2023_is_in_may_2023(open_home: OpenHome, text: str) -> None:
    memory = open_home()
    memory.add("p", [at("m1", "2023-05-17T10:00:00+03:00", text)])
    dated = [n for n in nodes(memory) if n["precision"] == "week"]
    assert dated
    assert {n["valid_from"][:10] for n in dated} == {"2023-05-08"}
    assert all(n["created_at"].startswith("2023-05-17") for n in nodes(memory))


@pytest.fixture
def machine_far_west() -> Iterator[None]:
    """The machine's own zone is UTC−11."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Pacific/Midway"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


def test_the_machines_zone_changes_nothing(open_home: OpenHome, machine_far_west: None) -> None:
    far = open_home("far")
    for dialogue in (RUSSIAN, ENGLISH):
        far.add("p", [{**m, "conversation": f"{m['conversation']}-{dialogue is RUSSIAN}"} for m in dialogue])
    os.environ["TZ"] = "Asia/Tokyo"
    time.tzset()
    near = open_home("near")
    for dialogue in (RUSSIAN, ENGLISH):
        near.add("p", [{**m, "conversation": f"{m['conversation']}-{dialogue is RUSSIAN}"} for m in dialogue])
    assert far.graph_hash("p") == near.graph_hash("p")
    assert [n["valid_from"] for n in nodes(far)] == [n["valid_from"] for n in nodes(near)]


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [
        ("My colleague Bob yelled at me.", "My colleague Bob said hello today.", "Bob"),
        ("Коллега Олег накричал на меня.", "Коллега Олег сегодня поздоровался.", "Олег"),
    ],
)
def test_taking_back_one_of_two_episodes_leaves_the_person(open_home: OpenHome, first: str, second: str, name: str) -> None:
    memory = open_home()
    memory.add("p", [message(1, 4, first), message(2, 9, second)])
    memory.add("p", [message(1, 4, "…")])
    (person,) = [n for n in nodes(memory, kind="person") if n["state"] != "stale"]
    assert name in (person["content"], person["attributes"].get("name"))
    assert person["state"] == "weakened"
    assert person["created_at"].startswith("2026-05-09")
    told = " ".join(n["content"] for n in nodes(memory, live=True))
    assert "yelled" not in told
    assert "накричал" not in told
    memory.add("p", [message(2, 9, "…")])
    assert nodes(memory, live=True) == []


def test_ten_parallel_identical_adds_are_one(open_home: OpenHome) -> None:
    alone = open_home("alone")
    alone.add("p", RUSSIAN)
    memory = open_home("together")
    errors: list[BaseException] = []

    def add() -> None:
        try:
            memory.add("p", RUSSIAN)
        except BaseException as error:  # noqa: BLE001 - told below
            errors.append(error)

    threads = [threading.Thread(target=add) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert memory.graph_hash("p") == alone.graph_hash("p")
    user = memory.user_id("p")
    created = [e for e in memory.bench.action_log.entries(user, limit=10_000) if e.action.action == "create"]
    assert len(created) == len(nodes(memory))


@pytest.mark.parametrize(
    ("love", "hate", "dish"),
    [("I love borscht.", "I hate borscht.", "borscht"), ("Я люблю борщ.", "Я ненавижу борщ.", "борщ")],
)
def test_love_then_hate_of_one_dish_are_never_one_statement(open_home: OpenHome, love: str, hate: str, dish: str) -> None:
    memory = open_home(embedder=WordVectors())
    memory.add("p", [message(1, 4, love), message(2, 14, hate)])
    about = [n for n in nodes(memory) if dish in n["content"] and n["type"] != "person"]
    assert {source["quote"].rstrip(".") for n in about for source in n["sources"]} >= {love.rstrip("."), hate.rstrip(".")}
    for node in about:
        assert len({source["message"] for source in node["sources"]}) == 1
    live = {n["content"].rstrip(".") for n in nodes(memory, live=True)}
    assert hate.rstrip(".") in live
    assert love.rstrip(".") not in live
    assert any(e["type"] == "contradicts" for e in memory.show("p")["edges"])


def _weights(memory: Memory) -> dict[str, tuple[float, int]]:
    return {n["id"]: (n["weight"], n["proofs"]) for n in nodes(memory, now="last")}


QUESTIONS = [pytest.param(RUSSIAN, "Как дела с Олегом?", id="ru"), pytest.param(ENGLISH, "How are things with Bob?", id="en")]


@pytest.mark.parametrize(("dialogue", "question"), QUESTIONS)
def test_recall_fed_back_fifty_times_grows_nothing(open_home: OpenHome, dialogue: list[dict[str, Any]], question: str) -> None:
    memory = open_home(embedder=WordVectors())
    memory.add("p", dialogue)
    before = {n["id"]: n["proofs"] for n in nodes(memory)}
    edges = len(memory.show("p")["edges"])
    for turn in range(50):
        context = memory.ask("p", question, now="last")
        told = _carried(context, turn)
        assert told.strip()
        memory.add("p", [at(f"echo-{turn}", f"2026-06-01T{turn // 10:02d}:{turn % 10 * 5:02d}:00+03:00", told)])
    assert {n["id"]: n["proofs"] for n in nodes(memory)} == before
    assert len(memory.show("p")["edges"]) == edges
    stored = memory.bench.reader.load(memory.user_id("p"))
    assert not any(p.span.message for n in stored.nodes.values() for p in n.proofs if p.at_us > 1_780_261_200_000_000)


def _carried(context: Any, turn: int) -> str:
    """The ways in which an assistant's prompt may carry what recall said."""
    import json

    shape = context_shape(context)
    ways: Sequence[str] = (
        context.context,
        context.rounds_text,
        f"{context.context}\n\n{context.rounds_text}",
        "\n".join(line.text for line in context.lines),
        "\n".join(f"> {line.text}" for line in context.lines),
        "\n".join(f"{number}. {line.text}" for number, line in enumerate(context.lines, start=1)),
        context.context.removesuffix("</memory>"),
        json.dumps(shape, ensure_ascii=False),
        json.dumps(shape, ensure_ascii=True, indent=2),
    )
    return ways[turn % len(ways)]


@pytest.mark.parametrize(("dialogue", "question"), QUESTIONS)
def test_own_words_beside_what_was_fed_back_are_heard(
    open_home: OpenHome, dialogue: list[dict[str, Any]], question: str
) -> None:
    memory = open_home(embedder=WordVectors())
    memory.add("p", dialogue)
    context = memory.ask("p", question, now="last")
    own = "Я купил велосипед." if dialogue is RUSSIAN else "I bought a bicycle."
    before = len(nodes(memory))
    memory.add("p", [at("echo", "2026-06-01T10:00:00+03:00", f"{context.context}\n{own}\n{context.rounds_text}")])
    new = nodes(memory)[before:]
    assert [n["content"].rstrip(".") for n in new] == [own.rstrip(".")]
    (source,) = new[0]["sources"]
    assert source["quote"].rstrip(".") == own.rstrip(".")
