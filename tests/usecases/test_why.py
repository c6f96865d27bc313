"""The chain text → message → unit → mention → node, walked in both directions."""

from __future__ import annotations

from typing import Any

import pytest

from memory_lib.domain.acts import ActKind
from memory_lib.errors import UnknownMessage, UnknownNode
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import ENGLISH, RUSSIAN, message

DIALOGUES = [pytest.param(RUSSIAN, id="ru"), pytest.param(ENGLISH, id="en")]


@pytest.mark.parametrize("dialogue", DIALOGUES)
def test_every_node_leads_to_its_words_and_every_message_to_its_nodes(
    open_home: OpenHome, dialogue: list[dict[str, Any]]
) -> None:
    memory = open_home()
    memory.add("p", dialogue)
    user = memory.user_id("p")
    there: set[tuple[str, str, int, int]] = set()
    for node in memory.show("p")["nodes"]:
        told = memory.why("p", node=node["id"])
        assert told["node"]["id"] == node["id"]
        assert len(told["chain"]) == node["proofs"]
        for step in told["chain"]:
            text = memory.bench.log.messages(user, [step["message"]["id"]])[step["message"]["id"]].text
            mention = step["mention"]
            assert text[mention["start"] : mention["end"]] == mention["quote"] != ""
            assert step["unit"] is not None
            there.add((step["message"]["id"], node["id"], mention["start"], mention["end"]))
        created = [action for action in told["actions"] if action["action"] == "create" and node["id"] in action["after"]]
        assert len(created) == 1
        assert created[0]["reasoner"] == "offline"
        assert created[0]["version"].startswith("formation/")
        assert f"/{told['chain'][0]['unit']}/" in created[0]["write_key"]
    back: set[tuple[str, str, int, int]] = set()
    for ref in memory.bench.log.refs(user):
        told = memory.why("p", message=ref.id)
        back |= {(ref.id, m["node"]["id"], m["start"], m["end"]) for m in told["mentions"]}
    assert back == there


def test_what_speaks_against_and_what_was_done_by_hand_is_told(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", ENGLISH)
    nodes = memory.show("p")["nodes"]
    old = next(n for n in nodes if n["slot"] and n["slot"]["key"] == "employer" and n["slot"]["value"] == "Initech")
    memory.correct("p", old["id"], ActKind.PIN)
    told = memory.why("p", node=old["id"])
    assert told["links"]["contradicted_by"][0]["quotes"] != [""]
    assert told["closed_by"]["source_id"] == "m8"
    assert [act["kind"] for act in told["acts"]] == ["pin"]
    assert {"close", "link", "pin"} <= {action["action"] for action in told["actions"]}
    closing = next(action for action in told["actions"] if action["action"] == "close")
    assert closing["before"][0] == old["id"]


def test_words_that_are_gone_are_quoted_from_the_former_text(open_home: OpenHome) -> None:
    memory = open_home()
    first = message(1, 4, "I drink coffee every morning.")
    memory.add("p", [first])
    (node,) = memory.show("p")["nodes"]
    memory.add("p", [{**first, "text": "Good morning!"}])
    told = memory.why("p", node=node["id"])
    (step,) = told["chain"]
    assert step["mention"]["kind"] == "stale"
    assert "coffee" in step["mention"]["quote"]
    assert step["message"]["edited"]
    assert ("stale", "words_gone") in {(action["action"], action["reason"]) for action in told["actions"]}


def test_a_former_name_finds_the_node(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", [message(2, 8, "I drink coffee every morning.")])
    (node,) = memory.show("p")["nodes"]
    memory.add("p", [message(1, 4, "I drink coffee every morning.")])
    told = memory.why("p", node=node["id"])
    assert told["node"]["id"] != node["id"]
    assert node["id"] in told["names"]


def test_what_is_not_there_says_so(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", ENGLISH)
    with pytest.raises(UnknownNode):
        memory.why("p", node="0" * 32)
    with pytest.raises(UnknownMessage):
        memory.why("p", message="0" * 32)
