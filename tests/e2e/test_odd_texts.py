"""Texts that break programs: stored and given back as they were, remembered and asked about, in bounded time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory_lib.bootstrap import FixedClock, Memory, open_memory
from memory_lib.settings import Settings
from tests.e2e.dialogue import Record
from tests.e2e.tasks import ID_KEY, PARSER, LearntParser
from tests.e2e.word_vectors import WordVectors

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
MEGABYTE = 1_000_000
SECONDS = 30.0
"""For one message of any size through import, ingest, ask and show; a megabyte takes about two."""

TOLD = {
    "cyrillic": "Я работаю в Ёлкинграде, ъыэ, и мой друг Щукарь это знает.",
    "emoji": "👩‍👩‍👧‍👦 I work at Initech 🏳️‍🌈 and my friend Bob 👍🏽 knows it 🇷🇺",
    "only emoji": "🙂🙃👩‍🚀",
    "hebrew": "אני עובד בחברת אינטק, and I live in Haifa",
    "arabic with marks": "\u202bأعمل في شركة\u202c I work at Initech \u200f\u2067\u2069",
    "nul in the middle": "I work at Initech\0 and my friend Bob\0 called me.",
    "nul first": "\0Я живу в Туле.",
    "only nul": "\0\0\0",
    "lone high surrogate": "I live in Tula \ud83d and I like it.",
    "lone low surrogate": "\udc00Мой брат Олег приехал.\udfff",
    "surrogates the wrong way round": "x \udc00\ud83d y",
    "surrogates that look like a pair": "pair \ud83d" + "\ude00 end",
    "combining": "Z̴̧͗a͜l̨͝g̸o̕ I work at Ínítéch, й and й",
    "decomposed and composed": "cafe\u0301 café Й и\u0306",
    "white space": " \t\r\n\v\f\x1c\u00a0\u2003\u2028\u2029\ufeff",
    "control": "".join(map(chr, range(32))) + "\x7f\x80\x85 I live in Tula.",
    "not characters": "\ufffe\uffff\U0010ffff I live in Tula.",
    "astral": "𝕀 𝕨𝕠𝕣𝕜 at 𝓘nitech 𐍈 我在北京工作",
    "one letter": "я",
    "one mark": "?",
    "empty": "",
    "line ends": "I work at Initech.\r\nI live in Tula.\rI like tea.\n\n",
    "markup": "<script>alert(1)</script> {{ user }} ${HOME} %s %(x)s \\u0041 '; DROP TABLE people; --",
    "quotes": "\"I work at Initech,\" she said: «Да ну»? “No”—'yes'",
    "one long word": "ы" * 70_000,
    "no spaces": "Яработаю" * 5_000 + ".",
    "many sentences": "I work at Initech. Я живу в Туле! " * 700,
    "many lines": "\n".join(f"{n}. Мой друг Олег приехал." for n in range(1500)),
    "brackets": "(" * 20_000 + ")" * 20_000,
    "commas": "I like tea, " * 4_000,
    "a megabyte of russian": ("Мы с Олегом ходили в горы, потому что Олег устал. " * 20_001)[:MEGABYTE],
    "a megabyte of english": ("Bob and I went hiking because Bob was tired. " * 23_000)[:MEGABYTE],
    "a megabyte without a space": "z" * MEGABYTE,
    "a megabyte of emoji": "👩‍🚀" * (MEGABYTE // 3),
}

ASKED = {
    "empty": "",
    "blank": " \n\t ",
    "one letter": "я",
    "one digit": "7",
    "emoji": "🙂",
    "zero-width emoji": "👩‍👩‍👧‍👦🏳️‍🌈",
    "nul": "\0",
    "nul inside": "Where do\0 I work?",
    "lone surrogate": "Где я \ud83d работаю?",
    "right to left": "איפה אני עובד?",
    "combining only": "\u0301\u0308\u0327",
    "marks": "?!…—«»()[]{}*/\\%_^~`",
    "ten thousand characters": ("Где я работаю и с кем дружу? " * 400)[:10_000],
    "ten thousand characters in one word": "й" * 10_000,
    "ten thousand of emoji": "🙂" * 10_000,
    "a megabyte": ("Where do I work, and who is Bob? " * 31_000)[:MEGABYTE],
    "a year too large": "What did I do in the year 99999999999999999999, on 31.02.0000?",
    "many dates": "12.03.2026 " * 900,
    "format": "{0} %s ${x} {user.__class__}",
}


@pytest.fixture(scope="module")
def parser() -> LearntParser:
    return PARSER


@pytest.fixture
def memory(tmp_path: Path, parser: LearntParser) -> Iterator[Memory]:
    settings = Settings.load(home=tmp_path / "home", overrides={"id_key": ID_KEY})
    with open_memory(settings=settings, parser=parser, embedder=WordVectors(), clock=FixedClock(NOW)) as opened:
        yield opened


def told(number: int, text: str, **fields: Any) -> Record:
    return {
        "conversation": "c",
        "id": f"m{number}",
        "role": "user",
        "text": text,
        "time": f"2026-05-01T10:{number:02d}:00Z",
        **fields,
    }


def expect_spans_in_place(memory: Memory, user: str) -> int:
    """Each source of each node and edge, by what show says and by what is stored; how many there were."""
    shown, log, ident = memory.show(user), memory.bench.log, memory.user_id(user)
    assert json.loads(json.dumps(shown)) == shown
    sources = 0
    for entity in shown["nodes"] + shown["edges"]:
        assert entity["sources"], entity["id"]
        for source in entity["sources"]:
            text = log.messages(ident, [source["message"]])[source["message"]].text
            assert 0 <= source["start"] < source["end"] <= len(text)
            assert text[source["start"] : source["end"]] == source["quote"]
            sources += 1
    return sources


@pytest.mark.parametrize("name", TOLD)
def test_a_text_comes_back_as_it_was_and_is_remembered_without_a_crash(memory: Memory, tmp_path: Path, name: str) -> None:
    text = TOLD[name]
    begun = time.process_time()
    before, after = told(1, "I work at Initech."), told(3, "Мой друг Олег устал.")
    odd = told(2, text, speaker=text[:50] or None, caption=text[:50] or None)
    memory.add("p", [before, odd, told(4, "Ok.", role="assistant"), after])
    user = memory.user_id("p")
    refs = memory.bench.log.refs(user)
    stored = {message.source_id: message for message in memory.bench.log.messages(user, [ref.id for ref in refs]).values()}
    assert stored["m2"].text == text
    assert (stored["m2"].speaker or "") == (stored["m2"].caption or "") == text[:50]
    assert expect_spans_in_place(memory, "p") > 0
    for question in (text[:500], "Где я работаю?", "Who is Oleg?"):
        json.dumps(memory.ask("p", question, now="last", explain=True).rounds_text)
    took = time.process_time() - begun
    assert took < SECONDS, f"{name}: {took:.1f} s"
    again = memory.add("p", [odd])
    assert (again.new, again.edited, again.same) == (0, 0, 1)


@pytest.mark.parametrize("name", TOLD)
def test_a_text_of_a_file_comes_back_as_it_was(memory: Memory, tmp_path: Path, name: str) -> None:
    file = tmp_path / "odd.jsonl"
    # escapes: UTF-8 has no place for half a pair
    file.write_text(json.dumps(told(1, TOLD[name], user="p")) + "\n", encoding="ascii")
    imported = memory.import_export(file)
    assert (imported.new, imported.bad_count) == (1, 0), imported.bad
    user = memory.user_id("p")
    (message,) = memory.bench.log.messages(user, [ref.id for ref in memory.bench.log.refs(user)]).values()
    # where a file escapes both halves of a pair, JSON means one character
    assert message.text == json.loads(json.dumps(TOLD[name]))


@pytest.mark.parametrize("name", ASKED)
def test_any_question_is_answered(memory: Memory, name: str) -> None:
    memory.add("p", [told(1, "I work at Initech and my friend Bob likes tea."), told(2, "Мой друг Олег устал."), told(3, "🙂")])
    begun = time.process_time()
    context = memory.ask("p", ASKED[name], now="last", explain=True)
    assert time.process_time() - begun < SECONDS
    assert context.items
    assert 0 < context.tokens <= 400
    assert context.context


@pytest.mark.parametrize("name", ["cyrillic", "emoji", "only nul", "lone high surrogate", "combining", "hebrew", "empty"])
def test_names_may_be_odd_too(memory: Memory, name: str) -> None:
    user = TOLD[name] or "\u200b"
    names = dict.fromkeys(("conversation", "id", "agent", "channel", "session"), user)
    memory.add(user, [{**told(1, "I work at Initech."), **names}])
    assert memory.users() == (user,)
    assert memory.show(user)["user"] == user
    assert memory.ask(user, "Where do I work?").items
    json.dumps(memory.show(user))


@pytest.mark.embedder
@pytest.mark.slow
def test_the_real_embedder_takes_them_too(tmp_path: Path, parser: LearntParser) -> None:
    settings = Settings.load(home=tmp_path / "home", overrides={"id_key": ID_KEY})
    names = (
        "emoji",
        "arabic with marks",
        "nul first",
        "lone high surrogate",
        "combining",
        "empty",
        "a megabyte without a space",
    )
    with open_memory(settings=settings, parser=parser, clock=FixedClock(NOW)) as memory:
        records = [told(number, TOLD[name]) for number, name in enumerate(names, 1)]
        memory.add("p", records)
        kept = memory.bench.rounds.load(memory.user_id("p"), fingerprint=memory.bench.embedder.fingerprint)
        assert len(kept) == len(records)
        assert all(each.vector is not None for each in kept)
        assert expect_spans_in_place(memory, "p") > 5
        for question in ("empty", "emoji", "nul", "lone surrogate", "ten thousand characters", "a megabyte"):
            context = memory.ask("p", ASKED[question], now="last")
            assert context.items
            assert context.degraded == ()
