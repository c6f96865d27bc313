from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

from memory_lib.adapters.neo4j import queries
from memory_lib.domain.candidates import EdgeType

ARGUMENTS: dict[str, list[Any]] = {"kind": list(EdgeType), "label": list(queries.STANDING_ALONE)}
"""What builders take, by the name of the parameter: values of allow-lists only."""
KEYWORDS = re.compile(r"\b(MATCH|MERGE|CREATE)\b")
NODE = re.compile(r"\((\w*)(:[^\s){]+)?\s*(\{[^}]*\})?\)")
PATTERN_PART = re.compile(
    r"\b(?:MATCH|MERGE|CREATE)\b(.*?)(?=\b(?:OPTIONAL|MATCH|MERGE|CREATE|WHERE|SET|ON|RETURN|WITH|USING|DELETE|DETACH|UNION|FOREACH|SEARCH|UNWIND)\b|$)"
)
OVER_MANY = {"PEOPLE"}
"""Ids of people alone; tested by itself below."""


def builders() -> dict[str, Callable[..., str]]:
    return {
        name: value
        for name, value in vars(queries).items()
        if inspect.isfunction(value) and not name.startswith("_") and value.__module__ == queries.__name__
    }


def statements() -> dict[str, str]:
    """Every statement of the module: constants, and what builders make of each allowed argument."""
    found = {
        name: value
        for name, value in vars(queries).items()
        if name.isupper() and not name.startswith("_") and isinstance(value, str) and KEYWORDS.search(value)
    }
    for name, build in builders().items():
        (parameter,) = inspect.signature(build).parameters
        found |= {f"{name}({argument})": build(argument) for argument in ARGUMENTS[parameter]}
    return found


STATEMENTS = statements()


def test_all_of_them_are_looked_at():
    assert len(STATEMENTS) > 45
    assert {"NODES", "SET_HEAD", "SEARCH_INDEX", "put_edges(caused_by)", "clear(Act)"} <= STATEMENTS.keys()


def foreign_nodes(statement: str) -> list[str]:
    """Node patterns that neither name the person nor are bound already by one that does."""
    bound: set[str] = set()
    foreign: list[str] = []
    for part in PATTERN_PART.finditer(statement):
        for variable, label, properties in NODE.findall(part.group(1)):
            if re.search(r"\buser_id: \$user\b", properties):
                bound.add(variable)
            elif label or variable not in bound:
                foreign.append(f"({variable}{label}{properties})")
    return foreign


@pytest.mark.parametrize("name", sorted(STATEMENTS.keys() - OVER_MANY - {"SEARCH_INDEX"}))
def test_every_node_pattern_of_every_statement_names_the_person(name):
    assert "$user" in STATEMENTS[name]
    assert foreign_nodes(STATEMENTS[name]) == []


def test_a_pattern_without_the_person_is_found():
    planted = queries.EDGES_AMONG.replace("(b:Memory {user_id: $user})", "(b:Memory)")
    assert foreign_nodes(planted) == ["(b:Memory)"]
    assert foreign_nodes("MATCH (m) RETURN m") == ["(m)"]
    assert foreign_nodes("MATCH (m:Memory {user_id: $user}) MATCH (m)-[e]->() RETURN e") == ["()"]
    assert foreign_nodes("MATCH (m:Memory {id: $user}) RETURN m") == ["(m:Memory{id: $user})"]


def test_the_search_in_an_index_keeps_to_the_person_inside_it():
    assert "FOR $vector WHERE m.user_id = $user AND" in queries.SEARCH_INDEX
    assert set(foreign_nodes(queries.SEARCH_INDEX)) == {"(m:Memory)", "(m)"}, "the one that the index confines"


def test_the_statement_over_many_people_tells_ids_alone():
    assert re.search(r"RETURN p\.user_id ORDER BY", queries.PEOPLE)
    assert set(re.findall(r"\(:\w+ \{([^}]*)\}\)", queries.PEOPLE)) == {"user_id: p.user_id"}


@pytest.mark.parametrize("name", sorted(STATEMENTS))
def test_labels_types_and_names_come_from_allow_lists(name):
    statement = STATEMENTS[name]
    labels = set(re.findall(r"\(\w*:(\w+)", statement))
    assert labels <= {"Memory", "Person", *queries.STANDING_ALONE}
    types = {each for group in re.findall(r"\[\w*:([\w|]+)", statement) for each in group.split("|")}
    assert types <= {kind.value.upper() for kind in EdgeType}
    assert "'" not in statement, "no value stands in a statement"


@pytest.mark.parametrize("build", builders().values())
def test_a_builder_takes_nothing_that_is_not_on_its_list(build):
    with pytest.raises((KeyError, ValueError)):
        build("Memory) DETACH DELETE n //")


@pytest.mark.parametrize("name", [n for n in STATEMENTS if n.startswith("put_edges")])
def test_both_ends_of_an_edge_are_found_by_the_index(name):
    hints = re.findall(r"USING INDEX (\w):Memory\(user_id, id\)", STATEMENTS[name])
    assert hints == ["m", "b"]


@pytest.mark.parametrize("name", sorted(STATEMENTS))
def test_a_match_of_a_label_says_which_index_it_uses(name):
    # MERGE takes no hint: it goes by the constraint. The head is one node, found by its own constraint
    for found in re.finditer(r"(?<!OPTIONAL )MATCH \((\w):(\w+) \{user_id: \$user[^}]*\}\)([^-]{0,14})", STATEMENTS[name]):
        if found.group(2) != "Person":
            assert found.group(3).startswith(" USING INDEX"), found.group(0)
