"""The page of a person's export: our words in their language, theirs as they said them."""

from __future__ import annotations

from typing import Any

import pytest

from memory_lib.reasoning.prose.person_page import person_page


def node(content: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": "n",
        "type": "fact",
        "content": content,
        "weight": 0.5,
        "state": "stable",
        "due": None,
        "valid_until": None,
        "is_pinned": False,
        "is_inference": False,
        "retracted_at": None,
        "archived": None,
        "created_at": "2026-05-02T10:00:00+03:00",
        "sources": [{"quote": content, "time": "2026-05-02T10:00:00+03:00"}],
        **fields,
    }


def page(*nodes: dict[str, Any], language: Any = "ru", user: str = "Вера", messages: int = 3) -> str:
    first, last = ("2026-05-01T00:00:00Z", "2026-05-09T00:00:00Z") if messages else (None, None)
    return person_page(
        {"user": user, "nodes": list(nodes), "edges": []},
        messages=messages,
        first=first,
        last=last,
        at="2026-06-01T12:00:00+00:00",
        language=language,
    )


def test_both_languages_tell_the_same() -> None:
    nodes = [node("Я живу в Омске", is_pinned=True), node("I may move", type="open_loop", due="2026-07-01")]
    russian, english = page(*nodes), page(*nodes, language="en")
    assert russian.count("\n") == english.count("\n")
    for told in (russian, english):
        assert told.count("Я живу в Омске") == 1
        assert "2026-07-01" in told
    assert "закреплено" in russian
    assert "pinned" in english


def test_a_quote_is_told_where_it_says_more_than_its_memory() -> None:
    same = {"quote": "Я живу в Омске", "time": "2026-05-02T10:00:00+03:00"}
    later = {"quote": "Я живу в Омске", "time": "2026-05-08T10:00:00+03:00"}
    other = {"quote": "перебрался в Омск", "time": "2026-05-02T11:00:00+03:00"}
    told = page(node("Я живу в Омске", sources=[same, later, other]))
    assert "Сказано 2026-05-02: «Я живу в Омске»" not in told
    assert "Сказано 2026-05-08: «Я живу в Омске»" in told
    assert "Сказано 2026-05-02: «перебрался в Омск»" in told


def test_the_strongest_comes_first_and_what_is_over_last() -> None:
    told = page(node("Старое", valid_until="2026-05-05", weight=0.9), node("Слабое", weight=0.1), node("Сильное", weight=0.8))
    assert told.index("Сильное") < told.index("Слабое") < told.index("## Больше не так") < told.index("Старое")


def test_words_are_read_as_words_and_not_as_markup() -> None:
    told = page(node("# не заголовок\n- и *не* [список](x)"), user="<b>Вера</b>")
    assert "- \\# не заголовок - и \\*не\\* \\[список\\](x)" in told
    assert "\\<b\\>" in told
    assert "\n# не" not in told


@pytest.mark.parametrize("language", ["ru", "en"])
def test_of_nobody_it_says_so(language: Any) -> None:
    told = page(language=language, messages=0)
    assert ("Ничего не запомнено" if language == "ru" else "Nothing is remembered") in told
    assert "None" not in told
