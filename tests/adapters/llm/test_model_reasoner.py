from __future__ import annotations

import json

import pytest

from memory_lib.adapters.llm.model_reasoner import ModelReasoner
from memory_lib.bootstrap import FixedClock, open_memory
from memory_lib.domain.syntax import Parse
from memory_lib.reasoning.extraction.offline_reasoner import OfflineReasoner
from memory_lib.reasoning.jobs import extract_mentions
from memory_lib.settings import Settings
from tests.adapters.llm.conftest import NOW, SETTINGS
from tests.adapters.llm.scripted import Reply, completion
from tests.reasoning.jobs.asked import unit
from tests.reasoning.jobs.test_extract_mentions import PLAIN

SAID = "I work at Siemens in Leeds."
MENTION = {**PLAIN, "quote": "work at Siemens", "slot": "employer", "slot_value": "Siemens"}
FOUND = completion({"mentions": [MENTION], "relations": []})
OFFLINE = OfflineReasoner(params=SETTINGS.mentions, parser_version="none")


def reasoner(thinker):
    return ModelReasoner(thinker, OFFLINE, params=SETTINGS.mentions, characters=1_000)


def test_what_the_model_found_names_the_model(server, make):
    server.says(FOUND)
    asked = reasoner(make())
    found = asked.extract(unit("Hi.", SAID), [Parse("en", ()), Parse("en", ())], user="u")
    assert (found.reasoner, found.version) == (asked.name, asked.version) == ("small-one", extract_mentions.VERSION)
    (candidate,) = found.candidates
    assert SAID[candidate.start : candidate.end] == candidate.content == "work at Siemens"
    document = json.loads(server.asked[0]["messages"][1]["content"])
    assert [turn["text"] for turn in document["before"]] == ["Hi."]
    assert document["last_message"]["text"] == SAID


def test_what_the_rules_found_instead_names_the_rules(server, make):
    server.says(completion({"mentions": [{**MENTION, "quote": "I am the pope"}], "relations": []}))
    asked = reasoner(make())
    found = asked.extract(unit(SAID), [Parse("en", ())], user="u")
    assert (found.reasoner, found.version) == (OFFLINE.name, OFFLINE.version)
    assert (found.reasoner, found.version) != (asked.name, asked.version)
    assert len(server.asked) == 4


MESSAGES = [
    {"id": "1", "role": "user", "text": SAID, "time": "2026-05-20T10:00:00+03:00"},
    {"id": "2", "role": "assistant", "text": "Nice!", "time": "2026-05-20T10:00:10+03:00"},
]


@pytest.mark.parametrize("reply", [FOUND, Reply(status=400)], ids=["model", "fallback"])
def test_a_unit_is_asked_about_once_whoever_answered(server, tmp_path, reply):
    server.says(reply)
    overrides = {"model.base_url": server.url, "model.model": "small-one", "embedder": "off"}
    for _ in range(2):
        settings = Settings.load(home=tmp_path / "home", overrides=overrides)
        with open_memory(settings=settings, clock=FixedClock(NOW)) as memory:
            memory.add("anna", MESSAGES)
            nodes = memory.show("anna", now=NOW)["nodes"]
            hashed = memory.graph_hash("anna")
            calls = memory.bench.people.person(memory.user_id("anna")), memory.thinker.name
        assert len(server.asked) == 1
        assert nodes
        who = {node["reasoner"] for node in nodes}
        assert who == {"small-one"} if reply is FOUND else who == {"offline"}
    assert calls[1] == "small-one"
    with open_memory(settings=settings, clock=FixedClock(NOW)) as memory:
        assert memory.graph_hash("anna") == hashed


def test_without_an_address_the_rules_think(tmp_path):
    with open_memory(settings=Settings.load(home=tmp_path / "home")) as memory:
        assert memory.thinker.name == memory.bench.reasoner.name == "offline"
