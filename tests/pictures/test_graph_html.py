"""The page: opens offline, runs only its own script, has every memory, and no words of a person become markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from selfimprint.pictures.graph_html import graph_html
from tests.pictures.pictured import edge, node, person

NASTY = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "a\u2028b\u2029c",
    '"><img src=x onerror=alert(1)>',
    "\ud800\x00",
    "' onfocus='x",
]


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.scripts, self.styles, self.buttons = [], [], [], {}
        self._open, self._button = None, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        self._open = tag if tag in ("script", "style") else None
        if tag == "script":
            self.scripts.append([attributes, ""])
        if tag == "style":
            self.styles.append("")
        if tag == "button":
            self._button = attributes.get("data-id")
            self.buttons.setdefault(self._button, "")

    def handle_endtag(self, tag):
        self._open = None
        if tag == "button":
            self._button = None

    def handle_data(self, data):
        if self._open == "script":
            self.scripts[-1][1] += data
        elif self._open == "style":
            self.styles[-1] += data
        elif self._button:
            self.buttons[self._button] += data

    def data(self):
        return json.loads(next(text for attributes, text in self.scripts if attributes.get("type") == "application/json"))


def sha256(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_policy_allows_this_script_and_these_styles_and_nothing_else(language):
    page = Page(graph_html(person(language), language=language))
    policy = next(values["content"] for tag, values in page.tags if values.get("http-equiv") == "Content-Security-Policy")
    runnable = [text for attributes, text in page.scripts if attributes.get("type") is None]
    assert len(runnable) == 1
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src {sha256(runnable[0])};" in policy
    assert [f"style-src {sha256(style)};" in policy for style in page.styles] == [True]
    assert "unsafe" not in policy
    assert not [values for _, values in page.tags for name in values if name == "style" or name.startswith("on")]


def test_nothing_is_fetched():
    page = Page(graph_html(person("en"), language="en"))
    for _, values in page.tags:
        for name in ("src", "href", "action", "srcset"):
            assert values.get(name, "#").startswith(("#", "data:"))
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", graph_html(person("en"), language="en"))


@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_memory_is_in_the_list_and_can_be_reached_by_keyboard(language):
    show = person(language)
    page = Page(graph_html(show, language=language))
    for each in show["nodes"]:
        assert each["content"] in page.buttons[each["id"]]
    inside = [values for tag, values in page.tags if "si-node" in (values.get("class") or "")]
    assert {values["data-id"] for values in inside} == {each["id"] for each in show["nodes"]}
    assert all(values["tabindex"] == "0" and values["role"] == "button" and values["aria-label"] for values in inside)
    assert ("html", {"lang": language}) in page.tags


def test_details_carry_dated_quotes_and_links_both_ways():
    nodes = {each["id"]: each for each in Page(graph_html(person("en"), language="en")).data()["nodes"]}
    assert nodes["exam"]["sources"] == ["12 May 2026: “bookbinding exam on Saturday”"]
    assert {"to": "exam", "text": "because of →"} in nodes["nerves"]["links"]
    assert {"to": "nerves", "text": "← because of"} in nodes["exam"]["links"]
    assert {"to": "boss", "text": "because of (inferred) →"} in nodes["nerves"]["links"]


def test_what_is_not_drawn_is_in_the_list_all_the_same():
    nodes = [node(f"n{place}", f"memory {place}") for place in range(80)]
    page = Page(graph_html({"user": "u", "nodes": nodes, "edges": []}, language="en"))
    assert sum("si-node" in (values.get("class") or "") for _, values in page.tags) == 60
    assert len([name for name in page.buttons if name]) == 80


@pytest.mark.parametrize("words", NASTY)
def test_no_words_become_markup(words):
    show = {
        "user": words,
        "nodes": [node("a", words, about_name=words, topic=words), node("b", "plain", sources=[{"quote": words}])],
        "edges": [edge("a", "caused_by", "b")],
    }
    text = graph_html(show, language="en")
    page = Page(text)
    plain = Page(
        graph_html({"user": "u", "nodes": [node("a", "one"), node("b", "plain")], "edges": show["edges"]}, language="en")
    )
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in plain.tags}
    assert len(page.scripts) == 2
    assert not [name for _, values in page.tags for name in values if name.startswith("on")]
    assert "\u2028" not in page.scripts[0][1]
    assert len(page.data()["nodes"]) == 2
    text.encode()


def test_an_empty_graph_has_a_page():
    assert "Nothing is remembered yet" in graph_html({"user": "u", "nodes": [], "edges": []})
