"""One person's memory graph as an SVG that stands alone: typed shapes and colours, a legend, words and sources on hover."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from selfimprint.pictures.graph_layout import LINE_HEIGHT, DrawnNode, DrawnTopic, Layout, is_over, lay_out
from selfimprint.pictures.picture_words import (
    WORDS,
    Language,
    PictureWords,
    clean,
    counted,
    date_words,
    picture_language,
    source_words,
    xml_attribute,
    xml_text,
)

MAX_NODES = 60
"""More than this many labels are not read but searched; the page's list has them all."""

_MARGIN = 34.0
_LEGEND_ROW = 27.0
NODE_TYPES = ("fact", "event", "emotional_note", "person", "open_loop", "hypothesis")
_EDGES = ("caused_by", "followed_by", "reinforces", "contradicts", "associated_with")
_SIGNS = {"open_loop": "?", "positive": "+", "negative": "−"}


def stylesheet() -> str:
    """The picture's style sheet; its colours follow the reader's light or dark scheme."""
    return files(__package__).joinpath("graph.css").read_text(encoding="utf-8")


def graph_svg(show: Mapping[str, Any], *, language: Language | None = None, max_nodes: int = MAX_NODES) -> str:
    """The graph of ``show`` (``{user, nodes, edges}``, the wire shape of ``show --json``) as an SVG document.

    ``language`` of the fixed words; by default the one that most of the contents are in. At most ``max_nodes`` nodes are drawn,
    and the picture says how many are not.
    """
    return svg_element(show, language=language or picture_language(show), max_nodes=max_nodes, style=stylesheet())


def svg_element(show: Mapping[str, Any], *, language: Language, max_nodes: int, style: str, interactive: bool = False) -> str:
    """The ``<svg>`` element.

    ``style`` goes inside. ``interactive``: part of a page, which has the heading; nodes can be reached and pressed by keyboard.
    """
    words = WORDS[language]
    layout = lay_out(show, max_nodes=max_nodes, aspect=1.05 if interactive else 1.45)
    header = 52.0 if interactive else 74.0
    width = max(layout.width, 760.0) + 2 * _MARGIN
    legend, legend_height = _legend(words, width=width - 2 * _MARGIN)
    height = header + layout.height + 26 + legend_height + _MARGIN
    shift_x, shift_y = (width - layout.width) / 2, header
    curves, edge_labels = _edges(layout, words)
    heading = f"{words.title}: {clean(show.get('user') or words.user)}"
    size, extent = f"{width:.0f} {height:.0f}", f'width="{width:.0f}" height="{height:.0f}"'
    summary = xml_text(_summary(show, layout, words, language))
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="si-graph" viewBox="0 0 {size}" {extent} '
            f'lang="{language}" role="group" aria-label={xml_attribute(heading)}>'
        ),
        f"<style>{style}</style>" if style else "",
        f'<rect class="si-paper" {extent}/>',
        "" if interactive else f'<text class="si-heading" x="{_MARGIN:.0f}" y="38">{xml_text(heading)}</text>',
        f'<text class="si-note" x="{_MARGIN:.0f}" y="{header - 16:.0f}">{summary}</text>',
        f'<g transform="translate({shift_x:.1f} {shift_y:.1f})">',
        *(_topic(topic, words) for topic in layout.topics if len(layout.topics) > 1),
        *curves,
        *(_node(node, words, language=language, interactive=interactive) for node in layout.nodes),
        *edge_labels,
        "</g>",
        f'<g transform="translate({_MARGIN:.0f} {header + layout.height + 26:.1f})">{legend}</g>',
        "</svg>",
    ]
    return "\n".join(filter(None, parts))


def _summary(show: Mapping[str, Any], layout: Layout, words: PictureWords, language: Language) -> str:
    nodes = len(show.get("nodes", ()))
    if not nodes:
        return words.nothing
    edges = counted(len(show.get("edges", ())), words.edges, language=language)
    told = f"{counted(nodes, words.nodes, language=language)}, {edges}"
    if layout.hidden:
        told += "; " + words.left_out.format(shown=len(layout.nodes), hidden=layout.hidden)
    return told


def node_facts(node: Mapping[str, Any], words: PictureWords, *, language: Language) -> list[str]:
    """What is known of a node beside its content, each in a few words: kind, strength, state, dates."""
    facts = [
        words.node_types.get(str(node.get("type")), str(node.get("type"))),
        f"{words.page['weight']} {float(node.get('weight') or 0):.2f}",
        words.valences.get(str(node.get("valence")), "") if node.get("type") == "emotional_note" else "",
        words.states.get(str(node.get("state")), ""),
        words.page["pinned"] if node.get("is_pinned") else "",
        words.page["guess"] if node.get("is_inference") else "",
    ]
    for name, key in (("created_at", "when"), ("due", "due"), ("valid_until", "until")):
        day = date_words(node.get(name), language=language)
        facts.append(f"{words.page[key]} {day}" if day else "")
    if node.get("about_name"):
        facts.append(f"{words.page['about']}: {node['about_name']}")
    return [fact for fact in facts if fact]


def node_title(node: Mapping[str, Any], words: PictureWords, *, language: Language) -> str:
    """All that is known of a node, in lines: content, facts, sources."""
    facts = ", ".join(node_facts(node, words, language=language))
    return "\n".join([str(node.get("content") or ""), facts, *source_words(node, language=language)])


def _node(drawn: DrawnNode, words: PictureWords, *, language: Language, interactive: bool) -> str:
    node = drawn.node
    kind = str(node.get("type"))
    over = is_over(node)
    weight = min(max(float(node.get("weight") or 0.0), 0.0), 1.0)
    strength = 0.08 if over else 0.28 + 0.72 * weight
    classes = f"si-node si-{kind if kind in NODE_TYPES else 'fact'}{' si-over' if over else ''}"
    reach = f' tabindex="0" role="button" data-id={xml_attribute(node["id"])}' if interactive else ""
    label_opacity = 0.74 + 0.26 * weight
    sign = _SIGNS.get(kind) or (_SIGNS.get(str(node.get("valence")), "") if kind == "emotional_note" else "")
    name = f"{words.node_types.get(kind, kind)}: {node.get('content') or ''}"
    lines = "".join(
        f'<tspan x="0" y="{drawn.radius + 5 + LINE_HEIGHT * (place + 0.75):.1f}">{xml_text(line)}</tspan>'
        for place, line in enumerate(drawn.label)
    )
    return (
        f'<g class="{classes}" transform="translate({drawn.x:.1f} {drawn.y:.1f})"{reach}'
        f" aria-label={xml_attribute(name)}>"
        f"<title>{xml_text(node_title(node, words, language=language))}</title>"
        f"{glyph(kind, drawn.radius, strength)}"
        + (f'<text class="si-sign" font-size="{drawn.radius * 1.15:.1f}">{sign}</text>' if sign else "")
        + (_star(drawn.radius * 0.8, -drawn.radius * 0.8, 7.5) if node.get("is_pinned") else "")
        + f'<text class="si-label" opacity="{label_opacity:.2f}">{lines}</text></g>'
    )


def glyph(kind: str, radius: float, strength: float) -> str:
    """A circle, square, heart, bust, diamond or hexagon: types differ in shape, not in colour alone."""
    filled = f'class="si-glyph" fill-opacity="{strength:.2f}"'
    r = radius
    match kind:
        case "event":
            side = r * 0.9
            corner, extent = f"{-side:.1f}", f"{2 * side:.1f}"
            return f'<rect {filled} x="{corner}" y="{corner}" width="{extent}" height="{extent}" rx="{r * 0.28:.1f}"/>'
        case "emotional_note":
            left = f"C{-r * 1.5:.1f} {r * 0.05:.1f} {-r * 0.95:.1f} {-r * 1.25:.1f} 0 {-r * 0.45:.1f}"
            right = f"C{r * 0.95:.1f} {-r * 1.25:.1f} {r * 1.5:.1f} {r * 0.05:.1f} 0 {r:.1f}"
            return f'<path {filled} d="M0 {r:.1f} {left} {right} Z"/>'
        case "person":
            return (
                f'<path {filled} d="M{-r:.1f} {r:.1f} A{r:.1f} {r * 0.98:.1f} 0 0 1 {r:.1f} {r:.1f} Z"/>'
                f'<circle {filled} cy="{-r * 0.5:.1f}" r="{r * 0.48:.1f}"/>'
            )
        case "hypothesis":
            corners = " ".join(
                f"{r * math.cos(math.pi / 3 * corner):.1f},{r * math.sin(math.pi / 3 * corner):.1f}" for corner in range(6)
            )
            return f'<polygon {filled} points="{corners}"/>'
        case "open_loop":
            reach = r * 1.1
            points = f"0,{-reach:.1f} {reach:.1f},0 0,{reach:.1f} {-reach:.1f},0"
            return f'<polygon {filled} points="{points}" stroke-linejoin="round"/>'
        case _:
            return f'<circle {filled} r="{r:.1f}"/>'


def _star(x: float, y: float, size: float) -> str:
    points = []
    for corner in range(10):
        reach = size if corner % 2 == 0 else size * 0.45
        angle = math.pi / 5 * corner - math.pi / 2
        points.append(f"{x + reach * math.cos(angle):.1f},{y + reach * math.sin(angle):.1f}")
    return f'<polygon class="si-pin" points="{" ".join(points)}"/>'


def _topic(topic: DrawnTopic, words: PictureWords) -> str:
    name = words.topics.get(topic.topic, topic.topic)
    return (
        f'<rect class="si-area" x="{topic.x:.1f}" y="{topic.y:.1f}" '
        f'width="{topic.width:.1f}" height="{topic.height:.1f}" rx="16"/>'
        f'<text class="si-topic" x="{topic.x + 16:.1f}" y="{topic.y + 21:.1f}">{xml_text(name)}</text>'
    )


def _edges(layout: Layout, words: PictureWords) -> tuple[list[str], list[str]]:
    """Curves, and their words; two edges between the same nodes bend apart."""
    places = {node.node["id"]: node for node in layout.nodes}
    between: dict[frozenset[str], int] = {}
    curves: list[str] = []
    labels: list[str] = []
    for edge in layout.edges:
        start, end = places[edge["from"]], places[edge["to"]]
        pair = frozenset((str(edge["from"]), str(edge["to"])))
        order = between.get(pair, 0)
        between[pair] = order + 1
        # a pair has one bow whichever way its edges point
        bow = 0.10 + 0.16 * order
        if str(edge["from"]) > str(edge["to"]):
            bow = -bow
        curve, label = _edge(edge, start, end, bow=bow, words=words, others=layout.nodes)
        curves.append(curve)
        labels.append(label)
    return curves, [label for label in labels if label]


def _edge(
    edge: Mapping[str, Any], start: DrawnNode, end: DrawnNode, *, bow: float, words: PictureWords, others: Sequence[DrawnNode]
) -> tuple[str, str]:
    kind = str(edge["type"])
    across, along = end.x - start.x, end.y - start.y
    length = math.hypot(across, along) or 1.0
    middle_x = (start.x + end.x) / 2 - along * bow
    middle_y = (start.y + end.y) / 2 + across * bow
    x1, y1 = _towards(start, middle_x, middle_y, start.radius + (11 if kind == "contradicts" else 3))
    headed = kind != "associated_with"
    x2, y2 = _towards(end, middle_x, middle_y, end.radius + (11 if headed else 3))
    classes = f"si-edge si-{kind}"
    if edge.get("is_inferred"):
        classes += " si-inferred"
    if is_over(edge):
        classes += " si-ended"
    opacity = 0.35 + 0.6 * min(max(float(edge.get("confidence") or 0.0), 0.0), 1.0)
    name = words.edge_types.get(kind, kind)
    data = f" data-from={xml_attribute(edge['from'])} data-to={xml_attribute(edge['to'])}"
    curve = (
        f'<g class="si-link"{data} opacity="{opacity:.2f}"><title>{xml_text(name)}</title>'
        f'<path class="{classes}" d="M{x1:.1f} {y1:.1f} Q{middle_x:.1f} {middle_y:.1f} {x2:.1f} {y2:.1f}"/>'
    )
    if headed:
        curve += _arrow_head(kind, x2, y2, math.atan2(y2 - middle_y, x2 - middle_x))
        if kind == "contradicts":
            curve += _arrow_head(kind, x1, y1, math.atan2(y1 - middle_y, x1 - middle_x))
    curve += "</g>"
    label = words.edge_labels.get(kind, "")
    if not label or length < start.radius + end.radius + 34:
        return curve, ""
    label_x, label_y = _free_spot((x1, y1), (middle_x, middle_y), (x2, y2), others)
    return curve, (
        f'<text class="si-edge-label si-{kind} si-link"{data} x="{label_x:.1f}" y="{label_y:.1f}">{xml_text(label)}</text>'
    )


def _free_spot(
    start: tuple[float, float], bend: tuple[float, float], end: tuple[float, float], others: Sequence[DrawnNode]
) -> tuple[float, float]:
    """Where a curve's word stands: near its middle, yet off the glyphs and labels of nodes."""
    best, best_cost = start, math.inf
    for part in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74):
        rest = 1 - part
        x = rest * rest * start[0] + 2 * rest * part * bend[0] + part * part * end[0]
        y = rest * rest * start[1] + 2 * rest * part * bend[1] + part * part * end[1] + 4
        cost = abs(part - 0.5) * 40
        for node in others:
            half = max(node.radius, 3.4 * max((len(line) for line in node.label), default=0)) + 14
            if abs(x - node.x) < half and -node.radius - 4 < y - node.y < node.radius + 12 + LINE_HEIGHT * len(node.label):
                cost += 30
        if cost < best_cost:
            best, best_cost = (x, y), cost
    return best


def _towards(node: DrawnNode, x: float, y: float, distance: float) -> tuple[float, float]:
    length = math.hypot(x - node.x, y - node.y) or 1.0
    return node.x + (x - node.x) / length * distance, node.y + (y - node.y) / length * distance


def _arrow_head(kind: str, x: float, y: float, angle: float) -> str:
    tip = (x + 8 * math.cos(angle), y + 8 * math.sin(angle))
    wings = [(x + 4.2 * math.cos(angle + side), y + 4.2 * math.sin(angle + side)) for side in (math.pi / 2, -math.pi / 2)]
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in (tip, *wings))
    return f'<polygon class="si-head si-{kind}" points="{points}"/>'


def _legend(words: PictureWords, *, width: float) -> tuple[str, float]:
    """Shapes, line styles and marks in rows as wide as the picture, and how high they are together."""
    items: list[tuple[str, str]] = []
    for kind in NODE_TYPES:
        sign = _SIGNS.get(kind, "")
        mark = f'<text class="si-sign" font-size="10">{sign}</text>' if sign else ""
        items.append((f'<g class="si-{kind}">{glyph(kind, 9, 0.85)}{mark}</g>', words.node_types[kind]))
    for kind in _EDGES:
        head = "" if kind == "associated_with" else _arrow_head(kind, 5, 0, 0.0)
        line = f'<path class="si-edge si-{kind}" d="M-13 0 L{13 if not head else 5} 0"/>{head}'
        if kind == "contradicts":
            line += _arrow_head(kind, -8, 0, math.pi)
        items.append((line, words.edge_types[kind]))
    items += [
        (_star(0, 0, 8.5), words.legend_marks["pinned"]),
        (f'<g class="si-fact si-over">{glyph("fact", 9, 0.08)}</g>', words.legend_marks["closed"]),
        ('<path class="si-edge si-associated_with si-inferred" d="M-13 0 L13 0"/>', words.legend_marks["inferred"]),
        (
            (
                f'<g class="si-fact"><g transform="translate(-6 0)">{glyph("fact", 8, 0.95)}</g>'
                f'<g transform="translate(9 0)">{glyph("fact", 4.5, 0.35)}</g></g>'
            ),
            words.legend_marks["faded"],
        ),
    ]
    x, y = 0.0, _LEGEND_ROW
    drawn = [f'<line class="si-legend-line" x1="0" y1="0" x2="{width:.0f}" y2="0"/>']
    for mark, name in items:
        space = 52.0 + 7.2 * len(name)
        if x + space > width and x > 0:
            x, y = 0.0, y + _LEGEND_ROW
        drawn.append(
            f'<g transform="translate({x + 16:.1f} {y:.1f})">{mark}'
            f'<text class="si-legend-text" x="22" y="4.5">{xml_text(name)}</text></g>'
        )
        x += space
    return "".join(drawn), y + _LEGEND_ROW / 2
