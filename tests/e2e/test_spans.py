"""Every node and edge has a source, and its quote stands at that place of the stored message: 100 % (CONTRACTS, Shapes)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.dialogue import ANNA, BEN, dialogue, split, write_jsonl
from tests.e2e.tasks import opened

MESSAGES = 120


@pytest.mark.slow
@pytest.mark.parametrize(("user", "language"), [(ANNA, "ru"), (BEN, "en")])
def test_every_quote_is_found_at_its_place(tmp_path: Path, user: str, language: str) -> None:
    records = [
        record
        for conversation in ("one", "two")
        for record in dialogue(7, user=user, language=language, conversation=conversation, messages=MESSAGES // 2)
    ]
    said = {(record["conversation"], record["id"]): record["text"] for record in records}
    with opened(tmp_path / "home", "2026-06-01T12:00:00+00:00", {}) as memory:
        for part in split(7, records, 0.2):
            # the second part is older in places: what a replay writes is looked at too
            memory.run("ingest", memory.import_export(write_jsonl(tmp_path / "part.jsonl", part)).people)
        ident, log = memory.user_id(user), memory.bench.log
        stored = log.messages(ident, [ref.id for ref in log.refs(ident)])
        shown = memory.show(user)
        assert len(shown["nodes"]) > 40
        assert len(shown["edges"]) > 20
        for entity in shown["nodes"] + shown["edges"]:
            assert entity["sources"], entity["id"]
            for source in entity["sources"]:
                message = stored[source["message"]]
                assert message.text == said[message.conversation_name, message.source_id]
                assert message.role != "assistant"
                assert message.text[source["start"] : source["end"]] == source["quote"]
                assert source["quote"].strip()
        graph = memory.bench.reader.load(ident)
        for each in (*graph.nodes.values(), *graph.edges.values()):
            assert each.proofs
            assert all(0 <= p.span.start < p.span.end <= len(stored[p.span.message].text) for p in each.proofs)
