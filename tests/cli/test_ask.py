"""``ask``: the context in both forms, on any clock, and what it says when it cannot."""

from __future__ import annotations

import pytest

CONTEXT = {"context", "lines", "rounds_text", "tokens", "items", "rounds", "triggers", "questions", "hints", "degraded"} | {
    "revision",
    "timings",
}


def test_json_has_the_shape_of_a_context(call, made):
    asked = call("ask", "--user", "vera", "Где я работаю?", "--now", "last", "--home", made, "--json")
    assert asked.code == 0
    assert set(asked.json) == CONTEXT
    assert asked.json["degraded"][0]["part"] == "embedder"
    assert any("лаборатории" in item["content"] for item in asked.json["items"])
    assert "parts" not in asked.json["items"][0]
    assert asked.error == ""


@pytest.mark.parametrize(
    ("user", "text", "said", "dated"),
    [
        ("vera", "Где я работаю?", "Теперь я работаю в лаборатории", "9 марта 2026: «Теперь я работаю в лаборатории»"),
        ("sam", "Do I play anything?", "I play the cello", "2 March 2026: “"),
    ],
)
def test_people_read_the_prose_and_the_dated_quotes_it_rests_on(call, made, user, text, said, dated):
    told = call("ask", "--user", user, text, "--now", "last", "--home", made)
    assert told.code == 0
    above, _, below = told.out.partition("What each line rests on")
    assert "What the assistant is given" in above
    assert said in above
    assert dated in below
    assert "Degraded: embedder (" in told.out


def test_explain_adds_parts(call, made):
    asked = call("ask", "--user", "vera", "Байкал", "--explain", "--now", "last", "--home", made, "--json")
    assert asked.json["items"][0]["parts"]
    told = call("ask", "--user", "vera", "Байкал", "--explain", "--now", "last", "--home", made)
    assert "How the memories were ranked" in told.out


def test_the_text_may_come_from_standard_input(call, made):
    typed = call("ask", "--user", "vera", "-", "--now", "last", "--home", made, "--json", typed="Где я работаю?\n")
    given = call("ask", "--user", "vera", "Где я работаю?", "--now", "last", "--home", made, "--json")
    assert typed.json["context"] == given.json["context"]


@pytest.mark.parametrize("text", ["", "я", "🙂", "?", "слово " * 2_000])
def test_any_message_works(call, made, text):
    assert call("ask", "--user", "vera", text, "--home", made, "--json").code == 0


def test_as_of_knows_nothing_later(call, made):
    before = call("ask", "--user", "vera", "Где я работаю?", "--as-of", "2026-03-06", "--home", made, "--json")
    assert before.code == 0
    assert "лаборатории" not in before.out


def test_a_setting_changes_one_call(call, made):
    without = call("ask", "--user", "vera", "Байкал", "--set", "rounds=off", "--set", "graph=off", "--home", made, "--json")
    assert without.json["items"] == []
    assert without.json["rounds"] == []
    told = call("ask", "--user", "vera", "Байкал", "--set", "rounds=off", "--set", "graph=off", "--home", made)
    assert "Nothing is remembered that bears on this." in told.out


@pytest.mark.parametrize(
    ("arguments", "kind", "word"),
    [
        (["--user", "nobody", "x"], "UnknownUser", "show --all"),
        (["--user", "vera", "x", "--now", "tomorrow"], "InvalidInput", "ISO 8601"),
        (["--user", "vera", "x", "--as-of", "last"], "InvalidInput", "--as-of"),
        (["--user", "vera", "x", "--set", "decay=never"], "UnknownSetting", "decay"),
        (["--user", "vera", "x", "--set", "=1"], "UnknownSetting", "NAME=VALUE"),
        (["x"], "Usage", "--user"),
        (["--user", "vera"], "Usage", "TEXT"),
        (["--user", "vera", "x", "--loud"], "Usage", "--loud"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence_and_exit_code_2(call, error_of, made, arguments, kind, word):
    refused = call("ask", *arguments, "--home", made, "--json")
    assert refused.code == 2
    assert word in error_of(refused)
    assert refused.json["error"]["kind"] == kind


def test_words_that_were_typed_do_not_come_back_in_an_error(call, error_of, made):
    refused = call("ask", "--user", "vera", "моя", "тайна", "--home", made)
    assert refused.code == 2
    assert "quotes" in error_of(refused)
    assert "тайна" not in refused.error


def test_a_home_that_is_not_there_is_not_made(call, error_of, tmp_path):
    refused = call("ask", "--user", "vera", "x", "--home", tmp_path / "nowhere")
    assert refused.code == 2
    assert "import" in error_of(refused)
    assert not (tmp_path / "nowhere").exists()
