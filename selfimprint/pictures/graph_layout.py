"""Which memories are drawn and where: the strongest ones, in a panel of their topic, near what they are linked with.

Deterministic: the same graph gives the same picture. A spring layout over the links and a pull to each topic's middle says what
belongs near what; panels are packed in rows in that order, nodes snap to a brick grid in their panel (so that no label lies on
another), and neighbours in the grid change places as long as that makes links shorter or frees a node from a link across it.
"""

from __future__ import annotations

import math
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from selfimprint.pictures.picture_words import clean

LABEL_CHARS = 21
LABEL_LINES = 3
LINE_HEIGHT = 14.0
CELL_WIDTH = 158.0
GLYPH_ROOM = 27.0
SHIFT = 0.34
PADDING = 12.0
PANEL_TITLE = 30.0
GAP = 22.0
_TOPIC_PULL = 0.35
_LINK_PULL = {"caused_by": 1.6, "contradicts": 1.2, "followed_by": 1.0, "reinforces": 0.8, "associated_with": 0.8}


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node with its place (the glyph's middle), the glyph's radius and the label's lines."""

    node: Mapping[str, Any]
    x: float
    y: float
    radius: float
    label: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawnTopic:
    """A topic's panel."""

    topic: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Layout:
    """All coordinates lie within ``width`` × ``height``. ``hidden``: how many nodes are left out."""

    nodes: tuple[DrawnNode, ...]
    edges: tuple[Mapping[str, Any], ...]
    topics: tuple[DrawnTopic, ...]
    width: float
    height: float
    hidden: int


def lay_out(show: Mapping[str, Any], *, max_nodes: int, aspect: float) -> Layout:
    """Places for the strongest ``max_nodes`` nodes of ``show``; ``aspect`` = width / height to aim at."""
    everything = list(show.get("nodes", ()))
    nodes = _strongest(everything, max_nodes)
    ids = {node["id"] for node in nodes}
    edges = sorted(
        (edge for edge in show.get("edges", ()) if edge["from"] in ids and edge["to"] in ids and not edge.get("retracted_at")),
        key=lambda edge: (str(edge["type"]), str(edge["from"]), str(edge["to"])),
    )
    if not nodes:
        return Layout((), (), (), 0.0, 0.0, 0)
    near = _spring(nodes, edges)
    rows = _shelves(_panels(nodes, near), aspect=aspect)
    width = max(row.width for row in rows)
    top = 0.0
    for row in rows:
        row.settle(top, width)
        top += row.height + GAP
    panels = [panel for row in rows for column in row.columns for panel in column]
    places = {node_id: place for panel in panels for node_id, place in panel.places().items()}
    for panel in panels:
        _untangle(panel, places, edges)
    return Layout(
        nodes=tuple(_drawn(node, places[node["id"]]) for node in nodes),
        edges=tuple(edges),
        topics=tuple(DrawnTopic(panel.topic, panel.x, panel.y, panel.outer_width, panel.outer_height) for panel in panels),
        width=width,
        height=top - GAP,
        hidden=len(everything) - len(nodes),
    )


def _strongest(nodes: Sequence[Mapping[str, Any]], limit: int) -> list[Mapping[str, Any]]:
    """Those that hold before closed and archived ones, pinned ones first, then by weight."""

    def strength(node: Mapping[str, Any]) -> tuple[bool, bool, float, str]:
        return (not node.get("is_pinned"), is_over(node), -float(node.get("weight") or 0.0), str(node["id"]))

    return sorted(nodes, key=strength)[:limit]


def is_over(node: Mapping[str, Any]) -> bool:
    """Whether it is closed, retracted or archived."""
    return bool(node.get("valid_until") or node.get("retracted_at") or node.get("archived") or node.get("state") == "archived")


def label_lines(text: str) -> tuple[str, ...]:
    """``text`` in at most ``LABEL_LINES`` lines of ``LABEL_CHARS`` characters, the rest as an ellipsis."""
    lines = textwrap.wrap(clean(text[:400]), width=LABEL_CHARS, break_long_words=True, break_on_hyphens=False)
    if len(lines) > LABEL_LINES:
        last = lines[LABEL_LINES - 1]
        if len(last) >= LABEL_CHARS:
            last = last[: LABEL_CHARS - 1]
        lines = [*lines[: LABEL_LINES - 1], last.rstrip(" ,.;:—–-") + "…"]
    return tuple(lines)


def radius_of(node: Mapping[str, Any]) -> float:
    """Half a glyph's size, by weight."""
    return 9.0 + 12.0 * math.sqrt(min(max(float(node.get("weight") or 0.0), 0.0), 1.0))


def _drawn(node: Mapping[str, Any], place: tuple[float, float]) -> DrawnNode:
    return DrawnNode(node, *place, radius_of(node), label_lines(str(node.get("content") or "")))


def _topic_of(node: Mapping[str, Any]) -> str:
    return str(node.get("topic") or "other")


_Place = tuple[float, float]
_Points = NDArray[np.float64]
_Indices = NDArray[np.intp]


def _spring(nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> dict[str, _Place]:
    """Where each node (by id) wants to be, and each topic (by ``topic <name>``)."""
    by_topic: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        by_topic[_topic_of(node)].append(node["id"])
    graph: nx.Graph[str] = nx.Graph()
    start: dict[str, _Place] = {}
    for place, topic in enumerate(sorted(by_topic, key=lambda name: (-len(by_topic[name]), name))):
        hub = f"topic {topic}"
        turn = 2 * math.pi * place / len(by_topic)
        middle = (0.75 * math.cos(turn), 0.75 * math.sin(turn))
        start[hub] = middle
        for index, node_id in enumerate(by_topic[topic]):
            angle = index * 2.399963  # the golden angle spreads any number of points evenly
            distance = 0.05 * math.sqrt(index + 1)
            start[node_id] = (middle[0] + distance * math.cos(angle), middle[1] + distance * math.sin(angle))
            graph.add_edge(hub, node_id, weight=_TOPIC_PULL)
    for edge in edges:
        pull = _LINK_PULL.get(str(edge["type"]), 0.5) * float(edge.get("confidence") or 0.5)
        ends = (str(edge["from"]), str(edge["to"]))
        known = graph.get_edge_data(*ends, default={"weight": 0.0})["weight"]
        graph.add_edge(*ends, weight=max(pull, known))
    placed = nx.spring_layout(graph, pos=start, k=1.7 / math.sqrt(len(graph)), iterations=100, seed=7, weight="weight")
    return {name: (float(x), float(y)) for name, (x, y) in placed.items()}


@dataclass(slots=True, eq=False)
class _Panel:
    """One topic's brick grid.

    ``cells[row][column]`` holds a node id or None; every second row is shifted by a third of a cell.
    """

    topic: str
    wants: _Place
    cells: list[list[str | None]]
    row_heights: list[float]
    x: float = 0.0
    y: float = 0.0
    outer_width: float = 0.0
    outer_height: float = 0.0

    @property
    def columns(self) -> int:
        return len(self.cells[0])

    @property
    def width(self) -> float:
        shift = SHIFT if len(self.cells) > 1 else 0.0
        return (self.columns + shift) * CELL_WIDTH + 2 * PADDING

    @property
    def height(self) -> float:
        return sum(self.row_heights) + PANEL_TITLE + PADDING

    def settle(self, x: float, y: float, width: float, height: float) -> None:
        """Take a place on the canvas; spare width and height go between the cells."""
        self.x, self.y, self.outer_width, self.outer_height = x, y, width, height

    def place(self, row: int, column: int) -> _Place:
        """The middle of the glyph in a cell."""
        cell = CELL_WIDTH + (self.outer_width - self.width) / (self.columns + (SHIFT if len(self.cells) > 1 else 0.0))
        spare = (self.outer_height - self.height) / len(self.cells)
        filled = sum(cell_id is not None for cell_id in self.cells[row])
        # a row that is not full stands in the middle
        lead = (self.columns - filled) / 2 if filled else 0.0
        shift = SHIFT if row % 2 and len(self.cells) > 1 else 0.0
        top = sum(self.row_heights[:row]) + spare * (row + 0.5)
        return self.x + PADDING + cell * (column + lead + shift + 0.5), self.y + PANEL_TITLE + top + GLYPH_ROOM

    def places(self) -> dict[str, _Place]:
        return {
            node_id: self.place(row, column)
            for row, line in enumerate(self.cells)
            for column, node_id in enumerate(line)
            if node_id is not None
        }

    def neighbours(self) -> Iterator[tuple[str, str]]:
        """Pairs of nodes in cells that touch, as they stand when asked for."""
        for row in range(len(self.cells)):
            for column in range(self.columns):
                for below, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    one, other = self._at(row, column), self._at(row + below, column + across)
                    if one is not None and other is not None:
                        yield one, other

    def swap(self, one: str, other: str) -> None:
        """Let two nodes change cells."""
        turned = {one: other, other: one}
        self.cells = [[node if node is None else turned.get(node, node) for node in row] for row in self.cells]

    def _at(self, row: int, column: int) -> str | None:
        inside = 0 <= row < len(self.cells) and 0 <= column < self.columns
        return self.cells[row][column] if inside else None


def _panels(nodes: Sequence[Mapping[str, Any]], near: Mapping[str, _Place]) -> list[_Panel]:
    by_topic: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for node in nodes:
        by_topic[_topic_of(node)].append(node)
    panels = []
    for topic in sorted(by_topic):
        members = sorted(by_topic[topic], key=lambda node: (near[node["id"]][1], node["id"]))
        columns = math.ceil(math.sqrt(len(members)))
        lines = math.ceil(len(members) / columns)
        # rows as even as they can be: 5 in two rows are 3 and 2
        share, more = divmod(len(members), lines)
        cells: list[list[str | None]] = []
        heights: list[float] = []
        for line in range(lines):
            row, members = members[: share + (line < more)], members[share + (line < more) :]
            row.sort(key=lambda node: (near[node["id"]][0], node["id"]))
            labels = max(len(label_lines(str(node.get("content") or ""))) for node in row)
            cells.append([node["id"] for node in row] + [None] * (columns - len(row)))
            heights.append(2 * GLYPH_ROOM + LINE_HEIGHT * labels + 16.0)
        panels.append(_Panel(topic, near[f"topic {topic}"], cells, heights))
    return panels


@dataclass(slots=True, eq=False)
class _Shelf:
    """A row of columns of panels; no column is higher than the first panel."""

    columns: list[list[_Panel]]

    @property
    def height(self) -> float:
        return max(map(_stacked, self.columns))

    @property
    def width(self) -> float:
        return sum(map(_widest, self.columns)) + GAP * (len(self.columns) - 1)

    def takes(self, panel: _Panel, limit: float) -> bool:
        """Put ``panel`` under others of about its width, else beside them where ``limit`` allows."""
        for column in self.columns:
            fits = _stacked([*column, panel]) <= self.height + 1.0
            if fits and panel.width <= _widest(column) + 1.0:
                column.append(panel)
                return True
        if self.width + GAP + panel.width <= limit + 1.0 and panel.height <= self.height + 1.0:
            self.columns.append([panel])
            return True
        return False

    def settle(self, top: float, width: float) -> None:
        """Give each panel its place, spreading what space is left."""
        spare = (width - self.width) / len(self.columns)
        left = 0.0
        height = self.height
        for column in self.columns:
            y, room = top, (height - _stacked(column)) / len(column)
            column_width = _widest(column) + spare
            for panel in column:
                panel.settle(left, y, column_width, panel.height + room)
                y += panel.height + room + GAP
            left += column_width + GAP


def _stacked(column: Sequence[_Panel]) -> float:
    return sum(panel.height for panel in column) + GAP * (len(column) - 1)


def _widest(column: Sequence[_Panel]) -> float:
    return max(panel.width for panel in column)


def _shelves(panels: Sequence[_Panel], *, aspect: float) -> list[_Shelf]:
    """Panels packed in rows, highest first; of all row widths the one that is nearest to ``aspect`` with little space lost.

    Rows, columns and panels then stand in the order of where the spring layout wants them.
    """
    ordered = sorted(panels, key=lambda panel: (-panel.height, -panel.width, panel.topic))
    widest = max(panel.width for panel in panels)
    used = sum(panel.width * panel.height for panel in panels)
    best: list[_Shelf] = []
    best_cost = math.inf
    for step in range(24):
        limit = widest * (1 + step / 6)
        rows: list[_Shelf] = []
        for panel in ordered:
            if not any(row.takes(panel, limit) for row in rows):
                rows.append(_Shelf([[panel]]))
        width = max(row.width for row in rows)
        height = sum(row.height + GAP for row in rows)
        cost = abs(math.log(width / height / aspect)) + 1.2 * (width * height / used - 1)
        if cost < best_cost:
            best, best_cost = rows, cost
    for row in best:
        for column in row.columns:
            column.sort(key=lambda panel: (panel.wants[1], panel.topic))
        row.columns.sort(key=lambda column: (sum(panel.wants[0] for panel in column) / len(column), column[0].topic))
    return sorted(best, key=_wanted_height)


def _wanted_height(row: _Shelf) -> tuple[float, str]:
    panels = [panel for column in row.columns for panel in column]
    return sum(panel.wants[1] for panel in panels) / len(panels), panels[0].topic


def _untangle(panel: _Panel, places: dict[str, _Place], edges: Sequence[Mapping[str, Any]]) -> None:
    """Let grid neighbours change places while the links of this panel get shorter and cross fewer nodes."""
    inside = panel.places()
    links = [(str(edge["from"]), str(edge["to"])) for edge in edges if edge["from"] in inside or edge["to"] in inside]
    if not links:
        return
    names = list(dict.fromkeys([*inside, *(end for link in links for end in link)]))
    index = {name: place for place, name in enumerate(names)}
    points = np.array([places[name] for name in names])
    starts, ends = (np.array([index[link[side]] for link in links]) for side in (0, 1))
    mine = np.arange(len(inside))

    def cost(one: int, other: int) -> float:
        """Length of, and nodes under, the links of two nodes; plus whether other links run over the two."""
        touched = (starts == one) | (ends == one) | (starts == other) | (ends == other)
        own, rest = np.flatnonzero(touched), np.flatnonzero(~touched)
        length = float(np.linalg.norm(points[starts[own]] - points[ends[own]], axis=1).sum())
        crossed = _crossings(points, starts[own], ends[own], mine) + _crossings(
            points, starts[rest], ends[rest], np.array([one, other])
        )
        return length + _ACROSS * crossed

    for _ in range(6):
        changed = False
        for one, other in panel.neighbours():
            pair = [index[one], index[other]]
            before = cost(*pair)
            points[pair] = points[pair[::-1]]
            if cost(*pair) < before - 1e-6:
                panel.swap(one, other)
                changed = True
            else:
                points[pair] = points[pair[::-1]]
        if not changed:
            break
    for name in inside:
        x, y = points[index[name]]
        places[name] = (float(x), float(y))


_ACROSS = 160.0
_HALF_LABEL = np.array([52.0, 34.0])
_LABEL_DROP = np.array([0.0, 16.0])


def _crossings(points: _Points, starts: _Indices, ends: _Indices, nodes: _Indices) -> int:
    """How often straight lines run over the glyph or label of a node that is not their end."""
    if not len(starts):
        return 0
    first, along = points[starts][:, None], (points[ends] - points[starts])[:, None]
    centres = (points[nodes] + _LABEL_DROP)[None]
    length = np.maximum((along**2).sum(axis=2), 1e-9)
    part = ((centres - first) * along).sum(axis=2) / length
    near = np.abs(first + part[..., None] * along - centres) < _HALF_LABEL
    hits = near.all(axis=2) & (part > 0.05) & (part < 0.95)
    hits &= (starts[:, None] != nodes[None]) & (ends[:, None] != nodes[None])
    return int(hits.sum())
