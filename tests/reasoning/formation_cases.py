"""Hand-written formation cases: read a file, form the messages with the product, judge the graph (see cases/README.md).

A case is right as a whole or not at all: every expectation met, nothing forbidden held, and no more than three nodes a sentence
plus two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from memory_lib.bootstrap import Memory

CASES = Path(__file__).parent / "cases"
HALVES = ("open", "blind")
LANGUAGES = ("ru", "en")
GROUPS = (
    "simple_facts",
    "slot_updates",
    "negation_and_hedging",
    "unreal",
    "third_parties",
    "dates",
    "causes",
    "emotions",
    "open_loops",
    "corrections",
    "names",
    "significance",
    "multi_valued",
)
CASE_KEYS = {"id", "at", "messages", "expect", "edges", "never", "no_edges"}
NODE_KEYS = {
    *("type", "has", "about", "live", "from", "to", "due", "precision", "modality", "valence", "stated", "significant"),
    *("name", "relation", "alias", "count", "proofs"),
}
EDGE_KEYS = {"type", "from", "to", "both"}
ROLES = {"user", "assistant", "other"}

NOT_PLAIN = {"hedged", "planned", "wished", "ordered", "asked", "conditional", "reported", "quoted", "fictional", "joking"}
NOT_MEANT = NOT_PLAIN - {"planned", "wished"}
SIGNIFICANT_FROM = 0.8
"""DESIGN §4: an event above this importance fades like a milestone."""
NODES_A_SENTENCE = 3
NODES_BESIDE = 2
_SENTENCE_END = re.compile(r"[.!?…]+(?:\s|$)|\n+")

_DATES = {"from": ("valid_from", "due"), "to": ("ends",), "due": ("due", "valid_from")}
"""Of a thing to come, the day it is due is the day it begins."""

Shape = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One case as it stands in its file, with the file's half, language and group."""

    id: str
    half: str
    language: str
    group: str
    messages: tuple[Mapping[str, Any], ...]
    expect: tuple[Shape, ...]
    edges: tuple[Shape, ...]
    never: tuple[Shape, ...]
    no_edges: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was wrong, by expectation; nothing = the case is right. ``kinds``: the same as keys of a pattern, without a word of
    the case. ``false_fact``: a forbidden plain claim about the person.
    """

    case: Case
    wrong: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    false_fact: bool = False
    nodes: int = field(default=0, compare=False)

    @property
    def right(self) -> bool:
        return not self.wrong


def read_cases(half: str, language: str, group: str) -> tuple[Case, ...]:
    """The cases of one file.

    Raises:
        ValueError: the file says something no case may say; names the case and the key.
    """
    path = CASES / half / language / f"{group}.yaml"
    return tuple(_case(item, half, language, group) for item in yaml.safe_load(path.read_text(encoding="utf-8")))


def all_cases(half: str) -> Iterator[Case]:
    """Every case of one half, file by file."""
    for language in LANGUAGES:
        for group in GROUPS:
            yield from read_cases(half, language, group)


def _case(item: Mapping[str, Any], half: str, language: str, group: str) -> Case:
    ident = str(item.get("id"))
    _only(ident, item, CASE_KEYS)
    expect, never = tuple(item.get("expect", ())), tuple(item.get("never", ()))
    edges, no_edges = tuple(item.get("edges", ())), tuple(item.get("no_edges", ()))
    for pattern in (*expect, *never):
        _only(ident, pattern, NODE_KEYS)
    for pattern in (*edges, *no_edges):
        _only(ident, pattern, EDGE_KEYS)
    if not (expect or never or edges or no_edges):
        raise ValueError(f"case {ident} expects nothing")
    return Case(ident, half, language, group, tuple(_messages(ident, item)), expect, edges, never, no_edges)


def _only(ident: str, given: Mapping[str, Any], allowed: set[str]) -> None:
    unknown = set(given) - allowed
    if unknown:
        raise ValueError(f"case {ident}: {', '.join(sorted(map(str, unknown)))} is no key of a case; see cases/README.md")


def _messages(ident: str, item: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    at = _instant(item["at"])
    for number, said in enumerate(item["messages"]):
        roles = [key for key in said if key != "at"]
        if len(roles) != 1 or roles[0] not in ROLES:
            raise ValueError(f"case {ident}: message {number} must have one role out of {', '.join(sorted(ROLES))}")
        at = _instant(said["at"]) if "at" in said else at
        yield {"id": f"{ident}-{number}", "role": roles[0], "text": said[roles[0]], "time": at.isoformat()}
        at += timedelta(minutes=1)


def _instant(value: object) -> datetime:
    return value if isinstance(value, datetime) and value.tzinfo is not None else datetime.fromisoformat(str(value))


def judge(case: Case, memory: Memory) -> Verdict:
    """Forms the case's messages as a new person of ``memory`` and compares what is then believed with what should be."""
    user = f"{case.half}-{case.id}"
    memory.add(user, case.messages)
    graph = memory.show(user, now="last")
    return judged(case, graph)


def judged(case: Case, graph: Mapping[str, Any]) -> Verdict:
    """Compares a graph in the shape of ``show`` with the case."""
    nodes: Sequence[Shape] = graph["nodes"]
    by_id = {node["id"]: node for node in nodes}
    wrong: list[str] = []
    kinds: list[str] = []
    for pattern in case.expect:
        found = [node for node in nodes if _expected(node, pattern, by_id)]
        wanted = pattern.get("count")
        if not found or (wanted is not None and len(found) != wanted):
            wrong.append(f"expected {dict(pattern)}: found {len(found)}")
            kinds.append("count" if found else _blamed(nodes, pattern, by_id))
    false_fact = False
    for pattern in case.never:
        held = [node for node in nodes if _held(node, pattern, by_id)]
        if held:
            wrong.append(f"never {dict(pattern)}: held by {[node['content'] for node in held]}")
            kinds.append(f"held as {held[0]['about'] if held[0]['about'] in {'self', 'others'} else 'a person'}")
            false_fact = false_fact or any(node["about"] == "self" and _plain(node) for node in held)
    missing = [p for p in case.edges if not _edges(p, graph["edges"], by_id)]
    wrong += [f"edge {dict(p)}: none" for p in missing]
    kinds += [f"edge {p['type']}" for p in missing]
    wrong += [f"no edge {dict(p)}: there is one" for p in case.no_edges if _edges(p, graph["edges"], by_id)]
    said = [str(message["text"]) for message in case.messages if message["role"] != "assistant"]
    sentences = sum(max(1, len([part for part in _SENTENCE_END.split(text) if part.strip()])) for text in said)
    if len(nodes) > NODES_A_SENTENCE * sentences + NODES_BESIDE:
        wrong.append(f"{len(nodes)} nodes out of {sentences} sentences")
        kinds.append("too many nodes")
    return Verdict(case, tuple(wrong), tuple(kinds), false_fact, len(nodes))


def _blamed(nodes: Sequence[Shape], pattern: Shape, by_id: Mapping[str, Shape]) -> str:
    """The one key without which a node would have matched; "has" where no node holds the words."""
    for key in pattern:
        loose = {name: value for name, value in pattern.items() if name != key}
        if key == "live":
            loose["live"] = not pattern["live"]
        if key == "has" and len(pattern["has"]) < 2:
            continue
        if any(_expected(node, loose, by_id) for node in nodes):
            return key
    if any(_expected(node, {**pattern, "modality": "any"}, by_id) for node in nodes):
        return "modality"
    if any(_expected(node, {**pattern, "live": not pattern.get("live", True)}, by_id) for node in nodes):
        return "live"
    held = any(all(_has(_words(node), stem) for stem in pattern.get("has", ())) for node in nodes)
    return "several keys" if held else "no node with the words"


def _live(node: Shape) -> bool:
    return not node["valid_until"] and not node["retracted_at"] and node["state"] in {"stable", "weakened"}


def _plain(node: Shape) -> bool:
    return not NOT_PLAIN.intersection(node["modality"])


def _expected(node: Shape, pattern: Shape, by_id: Mapping[str, Shape]) -> bool:
    if _live(node) != pattern.get("live", True):
        return False
    modality = pattern.get("modality")
    if modality is None and NOT_MEANT.intersection(node["modality"]):
        return False
    if modality is not None and modality != "any" and modality not in node["modality"]:
        return False
    return _matches(node, pattern, by_id)


def _held(node: Shape, pattern: Shape, by_id: Mapping[str, Shape]) -> bool:
    if not _live(node):
        return False
    modality = pattern.get("modality")
    if modality is None:
        if not _plain(node) or "negated" in node["modality"]:
            return False
    elif modality != "any" and modality not in node["modality"]:
        return False
    return _matches(node, pattern, by_id)


def _matches(node: Shape, pattern: Shape, by_id: Mapping[str, Shape]) -> bool:  # noqa: C901, PLR0911 - one line a key
    if "type" in pattern and node["type"] not in str(pattern["type"]).split("|"):
        return False
    if not all(_has(_words(node), stem) for stem in pattern.get("has", ())):
        return False
    if "about" in pattern and not _about(node, str(pattern["about"]), by_id):
        return False
    for key, fields in _DATES.items():
        if key in pattern and not any(str(node[name] or "").startswith(str(pattern[key])) for name in fields):
            return False
    for key in ("precision", "valence", "stated"):
        if key in pattern and node[key] != pattern[key]:
            return False
    if "significant" in pattern and (node["importance"] > SIGNIFICANT_FROM) != pattern["significant"]:
        return False
    attributes = node["attributes"]
    if "name" in pattern and not _has(str(attributes.get("name", "")), pattern["name"]):
        return False
    if "relation" in pattern and not _has(str(attributes.get("relation", "")), pattern["relation"]):
        return False
    if "alias" in pattern and not _has(_words(node), pattern["alias"]):
        return False
    return bool(node["proofs"] >= pattern.get("proofs", 1))


def _words(node: Shape) -> str:
    slot = node["slot"] or {}
    return " ".join([node["content"], *map(str, node["attributes"].values()), str(slot.get("value", ""))])


def _fold(text: str) -> str:
    return text.casefold().replace("ё", "е").replace("’", "'")


def _has(words: str, stem: object) -> bool:
    folded = _fold(words)
    return any(_fold(part.strip()) in folded for part in str(stem).split("|"))


def _about(node: Shape, who: str, by_id: Mapping[str, Shape]) -> bool:
    if who == "self":
        return bool(node["about"] == "self")
    if node["about"] == "self" and node["type"] != "person":
        return False
    person = node if node["type"] == "person" else by_id.get(node["about"])
    return _has(" ".join([str(node["about_name"] or ""), "" if person is None else _words(person)]), who)


def _edges(pattern: Shape, edges: Sequence[Shape], by_id: Mapping[str, Shape]) -> bool:
    def ends(one: str, other: str) -> bool:
        return all(_has(_words(by_id[one]), stem) for stem in pattern["from"]) and all(
            _has(_words(by_id[other]), stem) for stem in pattern["to"]
        )

    return any(
        edge["type"] in str(pattern["type"]).split("|")
        and (ends(edge["from"], edge["to"]) or (pattern.get("both", False) and ends(edge["to"], edge["from"])))
        for edge in edges
        if edge["from"] in by_id and edge["to"] in by_id
    )
