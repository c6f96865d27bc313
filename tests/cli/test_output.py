"""What is written can be written, and cannot steer a terminal."""

from __future__ import annotations

import io
import json

import pytest

from selfimprint.cli.output import Screen, counted, encodable, json_text, listed, one_line, visible


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1251", "koi8-r", "no-such-encoding"])
@pytest.mark.parametrize("value", ["Омск", "naïve", "🙂", "half \ud83d", "nul \x00", "★ → “x”"])
def test_json_survives_every_encoding(encoding, value):
    text = json_text({"text": value}, encoding)
    if encoding != "no-such-encoding":
        text.encode(encoding)
    assert json.loads(text) == {"text": value}


def test_json_keeps_words_readable_where_it_can():
    assert "Омск" in json_text("Омск", "utf-8")


@pytest.mark.parametrize("encoding", ["ascii", "cp1251", "latin-1"])
def test_text_survives_every_encoding(encoding):
    encodable("Омск 🙂 \ud83d ★ → …", encoding).encode(encoding)
    assert encodable("★ a → b…", "ascii") == "* a -> b..."


def test_remembered_words_cannot_steer_the_terminal():
    assert visible("a\x1b[2Jb\x07c\u202ed\r\ne\x9bf") == "a[2Jbcd\nef"
    assert one_line(" a\n\tb\x1b ") == "a b"


def test_progress_is_a_line_for_each_stage_where_there_is_no_terminal(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    screen = Screen()
    with screen.working() as work:
        work.advance("reading", 3, unit="messages", total=5)
        work.advance("reading", 2, unit="messages", total=5)
        work.advance("forming", 1, unit="units", total=None)
    first, second = stream.getvalue().splitlines()
    assert first.startswith("reading: 5 messages, ")
    assert second.startswith("forming: 1 units, ")


def test_with_json_nothing_is_said_meanwhile(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    screen = Screen(as_json=True)
    with screen.working() as work:
        work.advance("reading", 3, unit="messages", total=5)
    screen.note("done")
    assert stream.getvalue() == ""


def test_counts_read_well():
    assert [counted(1, "link"), counted(1204, "link"), counted(2, "memory", "memories")] == [
        "1 link",
        "1,204 links",
        "2 memories",
    ]
    assert listed({"b": 2, "a": 2, "c": 1000}) == "1,000 c, 2 a, 2 b"
