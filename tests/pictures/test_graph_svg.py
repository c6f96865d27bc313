"""The SVG: well formed whatever is in it, the same for the same graph, readable."""

from __future__ import annotations

import itertools
import random
import xml.etree.ElementTree as ET

import pytest

from selfimprint.pictures.graph_layout import LABEL_CHARS, LABEL_LINES, LINE_HEIGHT, lay_out
from selfimprint.pictures.graph_svg import graph_svg
from selfimprint.pictures.picture_words import counted
from tests.pictures.pictured import edge, node, person

SVG = "{http://www.w3.org/2000/svg}"
NASTY = [
    "<script>alert(1)</script>",
    "]]>&amp;\"'",
    "a\x00b\x1b[2J",
    "\ud800 lone",
    "\u202eevil",
    "x" * 5000,
    "",
    "👩‍👩‍👧 ❤️ שלום",
    "\n\n\t",
]


def drawn(document):
    return [group for group in ET.fromstring(document).iter(f"{SVG}g") if "si-node" in group.get("class", "")]


def titled(group):
    return group.find(f"{SVG}title").text


@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_memory_is_drawn_with_its_words_dates_and_sources(language):
    show = person(language)
    groups = drawn(graph_svg(show))
    assert len(groups) == len(show["nodes"])
    by_content = {titled(group).split("\n")[0]: group for group in groups}
    assert set(by_content) == {each["content"] for each in show["nodes"]}
    exam = titled(by_content[show["nodes"][4]["content"]])
    quoted = f"«{show['nodes'][4]['content']}»" if language == "ru" else f"“{show['nodes'][4]['content']}”"
    assert (f"12 мая 2026: {quoted}" if language == "ru" else f"12 May 2026: {quoted}") in exam
    assert ("срок 16 мая 2026" if language == "ru" else "due 16 May 2026") in exam


def test_fixed_words_are_in_the_language_of_the_contents_or_as_asked():
    assert "Карта памяти: Vera" in graph_svg(person("ru"))
    assert "Memory map: Vera" in graph_svg(person("en"))
    assert "Memory map: Vera" in graph_svg(person("ru"), language="en")
    assert "7 воспоминаний, 5 связей" in graph_svg(person("ru"))


def test_types_states_and_marks_can_be_told_apart():
    document = graph_svg(person("en"))
    classes = {titled(group).split("\n")[0]: group.get("class") for group in drawn(document)}
    assert classes["I set type at a printing house"] == "si-node si-fact si-over"
    assert classes["Mrs Whitlock"] == "si-node si-person"
    assert document.count('class="si-pin"') == 2  # the pinned fact, and the legend
    assert "si-edge si-caused_by si-inferred" in document
    assert document.count('class="si-edge-label si-caused_by') == 2


def test_weak_memories_are_smaller_and_paler_than_strong_ones():
    show = {"user": "u", "nodes": [node("a", "strong", weight=1.0), node("b", "weak", weight=0.1)], "edges": []}
    circles = {titled(group).split("\n")[0]: group.find(f"{SVG}circle") for group in drawn(graph_svg(show))}
    assert float(circles["strong"].get("r")) > float(circles["weak"].get("r"))
    assert float(circles["strong"].get("fill-opacity")) > float(circles["weak"].get("fill-opacity"))


def test_a_large_graph_shows_its_strongest_and_says_how_many_are_left_out():
    nodes = [node(f"n{place:03}", f"memory {place}", weight=place / 200) for place in range(200)]
    document = graph_svg({"user": "u", "nodes": nodes, "edges": [edge("n000", "caused_by", "n199")]})
    assert "the 60 strongest are drawn, 140 more are not" in document
    assert {titled(group).split("\n")[0] for group in drawn(document)} == {f"memory {place}" for place in range(140, 200)}


def test_the_same_graph_in_another_order_gives_the_same_bytes():
    show = person("ru")
    mixed = {**show, "nodes": show["nodes"][:], "edges": show["edges"][:]}
    random.Random(5).shuffle(mixed["nodes"])
    random.Random(6).shuffle(mixed["edges"])
    assert graph_svg(show) == graph_svg(mixed)


@pytest.mark.parametrize("words", NASTY)
def test_any_words_give_a_well_formed_document(words):
    show = {
        "user": words,
        "nodes": [
            node("a", words, about_name=words),
            node("b", "plain", topic=words or "work"),
            node("c", words, "unknown_type"),
        ],
        "edges": [edge("a", "caused_by", "b"), edge("a", "unknown_kind", "c")],
    }
    document = graph_svg(show)
    assert len(drawn(document)) == 3
    assert "<script" not in document
    document.encode()


def test_nothing_outside_the_document_is_asked_for():
    document = graph_svg(person("en")).replace('xmlns="http://www.w3.org/2000/svg"', "")
    for outside in ("http:", "https:", "url(", "@import", "href", "<script", "<image", "<foreignObject"):
        assert outside not in document


def test_no_label_lies_on_another():
    nodes = [
        node(
            f"n{place}",
            "some words of a memory that are long enough to wrap " * (place % 3),
            topic=["work", "other", "food"][place % 7 % 3],
        )
        for place in range(60)
    ]
    links = [edge(f"n{place}", "caused_by", f"n{(place * 7 + 3) % 60}") for place in range(0, 60, 2)]
    layout = lay_out({"nodes": nodes, "edges": links}, max_nodes=60, aspect=1.4)
    boxes = []
    for each in layout.nodes:
        half = max(each.radius, 3.3 * max((len(line) for line in each.label), default=0))
        below = each.radius + 5 + LINE_HEIGHT * len(each.label)
        boxes.append((each.x - half, each.x + half, each.y - each.radius, each.y + below))
    for one, other in itertools.combinations(boxes, 2):
        assert one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
    assert all(box[0] >= 0 and box[1] <= layout.width and box[2] >= 0 and box[3] <= layout.height for box in boxes)


def test_labels_are_wrapped_and_cut():
    label = lay_out({"nodes": [node("a", "word " * 90)], "edges": []}, max_nodes=60, aspect=1.4).nodes[0].label
    assert len(label) == LABEL_LINES
    assert max(len(line) for line in label) <= LABEL_CHARS
    assert label[-1].endswith("…")


def test_a_person_without_memories_gets_a_picture_that_says_so():
    assert "Nothing is remembered yet" in graph_svg({"user": "u", "nodes": [], "edges": []})
    assert "Пока ничего не запомнено" in graph_svg({"user": "u", "nodes": [], "edges": []}, language="ru")


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (0, "0 связей"),
        (1, "1 связь"),
        (2, "2 связи"),
        (5, "5 связей"),
        (11, "11 связей"),
        (21, "21 связь"),
        (112, "112 связей"),
    ],
)
def test_russian_counts_agree(number, told):
    assert counted(number, ("связь", "связи", "связей"), language="ru") == told
