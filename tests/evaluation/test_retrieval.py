"""Data sets in, the report out; the product is a callable."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_lib.adapters.importers.longmemeval import longmemeval_turn_id
from memory_lib.errors import UnknownSetting, UnreadableFile
from memory_lib.evaluation.baselines import BaselineParams, Bm25Baseline
from memory_lib.evaluation.datasets import Question, locomo_evidence, read_retrieval_data
from memory_lib.evaluation.retrieval import Answered, RetrievalParams, evaluate_retrieval
from memory_lib.policies.stems import Stemmer, StemParams

STEMS = StemParams(max_characters=10_000, max_words=1_000, max_word_characters=64, cached_words=1_000, window_characters=1_000)
PARAMS = RetrievalParams(k=2, resamples=50, seed=1, level=0.95, baseline=BaselineParams(k1=0.9, b=0.4))

SAMPLE = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Vera",
        "speaker_b": "Oleg",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Vera", "dia_id": "D1:1", "text": "I bought a kayak."},
            {"speaker": "Oleg", "dia_id": "D1:2", "text": "Nice!", "blip_caption": "a red canoe"},
            {"speaker": "Vera", "dia_id": "D1:3", "text": "We paddle on Sunday."},
        ],
        "session_2_date_time": "9:10 am on 2 June, 2023",
        "session_2": [{"speaker": "Oleg", "dia_id": "D2:5", "text": "The lake was calm."}],
    },
    "qa": [
        {"question": "What did Vera buy?", "answer": "a kayak", "evidence": ["D1:1"], "category": 4},
        {"question": "When do they paddle?", "answer": "Sunday", "evidence": ["D1:03; D2:5"], "category": 2},
        {"question": "Which boat is red?", "evidence": ["D:1:2", "D9:9"], "category": 1},
        {"question": "Is there evidence?", "evidence": ["D"], "category": 3},
        {"question": "Nothing?", "evidence": [], "category": 5},
    ],
}

EVIDENCE = {
    "question_id": "q1",
    "question_type": "multi-session",
    "question": "Where do I keep my skis?",
    "question_date": "2023/04/10 (Mon) 23:07",
    "abstention": False,
    "evidence_sessions": [
        {"date": "2023/04/10 (Mon) 14:47", "turns": [{"role": "user", "content": "My skis stand in the cellar."}]},
        {"date": "2023/04/09 (Sun) 10:00", "turns": [{"role": "user", "content": "I waxed the skis."}]},
    ],
}
HAYSTACK = {
    "question_id": "q2",
    "question_type": "knowledge-update",
    "questions": ["How old is my cat?", "Another question of the author?"],
    "question_date": "2023/05/20 (Sat) 02:21",
    "haystack_dates": ["2023/05/01 (Mon) 10:00"],
    "haystack_session_ids": ["s1"],
    "haystack_sessions": [
        [
            {"role": "user", "content": "My cat turned nine.", "has_answer": True},
            {"role": "assistant", "content": "Congratulations!"},
            {"role": "user", "content": "Thanks."},
        ]
    ],
}


@pytest.fixture
def locomo(tmp_path: Path) -> str:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([SAMPLE]), encoding="utf-8")
    return f"locomo:{path}"


@pytest.fixture
def longmemeval(tmp_path: Path) -> str:
    folder = tmp_path / "pool"
    folder.mkdir()
    unanswerable = {**EVIDENCE, "question_id": "q3_abs", "abstention": True, "question": "Unknown?"}
    lines = "\n".join(json.dumps(record) for record in (EVIDENCE, unanswerable))
    (folder / "evidence.jsonl").write_text(lines, encoding="utf-8")
    (folder / "haystack.json").write_text(json.dumps([HAYSTACK]), encoding="utf-8")
    (folder / "NOTE.md").write_text("not data", encoding="utf-8")
    return f"longmemeval:{folder}"


@pytest.mark.parametrize(
    ("listed", "ids"),
    [
        (["D1:3"], ("D1:3",)),
        (["D8:6; D9:17"], ("D8:6", "D9:17")),
        (["D30:05"], ("D30:5",)),
        (["D:11:26"], ("D11:26",)),
        (["D1:1", "D1:1"], ("D1:1",)),
        (["D", "", None], ()),
        ([], ()),
    ],
)
def test_evidence_is_read_in_its_malformed_forms_too(listed: list[object], ids: tuple[str, ...]) -> None:
    assert locomo_evidence(listed) == ids


def test_locomo_asks_the_first_person_every_question_whose_evidence_resolves(locomo: str) -> None:
    data = read_retrieval_data(locomo)
    assert list(data.turns) == ["conv-1:Vera"]
    assert [(q.category, q.evidence) for q in data.questions] == [
        ("single-hop", ("D1:1",)),
        ("temporal", ("D1:3", "D2:5")),
        ("multi-hop", ("D1:2",)),
    ]
    assert data.unresolved == 2
    last = max(turn.time for turn in data.turns["conv-1:Vera"])
    assert {(q.asked_at - last).total_seconds() for q in data.questions} == {3600.0}


def test_longmemeval_is_one_pool_of_both_shapes_without_session_terms(longmemeval: str) -> None:
    data = read_retrieval_data(longmemeval)
    (turns,) = data.turns.values()
    assert len(turns) == 5
    assert [(q.text, q.category) for q in data.questions] == [
        ("Where do I keep my skis?", "multi-session"),
        ("How old is my cat?", "knowledge-update"),
    ]
    assert data.questions[1].evidence == (longmemeval_turn_id("user", "My cat turned nine."),)
    assert set(data.questions[0].evidence) < {turn.id for turn in turns}
    assert data.questions[0].asked_at == datetime(2023, 4, 10, 23, 7, tzinfo=UTC)
    assert data.settings == {"rounds.profile": "assistant"}


@pytest.mark.parametrize("spec", ["locomo", "locomo:", "squad:data.json", ""])
def test_data_of_another_name_is_refused(spec: str) -> None:
    with pytest.raises(UnknownSetting):
        read_retrieval_data(spec)


def test_a_missing_path_is_named_as_such(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        read_retrieval_data(f"locomo:{tmp_path / 'nowhere.json'}")


def test_a_file_that_is_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"a": 1}', encoding="utf-8")
    with pytest.raises(UnreadableFile):
        read_retrieval_data(f"locomo:{path}")


def test_the_baseline_reads_speaker_and_caption_and_drops_what_says_nothing(locomo: str) -> None:
    (turns,) = read_retrieval_data(locomo).turns.values()
    baseline = Bm25Baseline(turns, stemmer=Stemmer(STEMS), params=PARAMS.baseline)
    assert baseline.ranked("Who has red canoes?", limit=1) == ["D1:2"]
    assert baseline.ranked("What did Oleg say about a calm lake?", limit=1) == ["D2:5"]
    assert baseline.ranked("Where is it?", limit=2) == ["D1:1", "D1:2"]


def test_the_report_counts_turns_within_the_budget_and_what_was_handed_over(locomo: str) -> None:
    data = read_retrieval_data(locomo)
    answers = {
        "What did Vera buy?": Answered(ranked=["D1:1", "D1:2"], handed_over={"D1:1"}, ms=1.0),
        "When do they paddle?": Answered(ranked=["D1:3", "D1:1", "D2:5"], handed_over={"D1:3", "D2:5"}, ms=2.0),
        "Which boat is red?": Answered(ranked=["D1:1"], handed_over=(), ms=3.0),
    }
    seen: list[tuple[int, int]] = []

    def ask(question: Question) -> Answered:
        return answers[question.text]

    report = evaluate_retrieval(
        data,
        ask,
        stemmer=Stemmer(STEMS),
        params=PARAMS,
        config={"embedder": "on"},
        on_progress=lambda done, total: seen.append((done, total)),
    )
    assert set(report) == {"recall@2", "all@2", "by_category", "ci", "handed_over", "bm25", "ms", "config"}
    assert report["recall@2"] == 0.5
    assert report["all@2"] == pytest.approx(1 / 3, abs=1e-4)
    assert report["handed_over"] == pytest.approx(2 / 3, abs=1e-4)
    categories = report["by_category"]
    assert isinstance(categories, dict)
    shares = {name: each["recall@2"] for name, each in categories.items()}
    assert shares == {"single-hop": 1.0, "temporal": 0.5, "multi-hop": 0.0}
    assert categories["multi-hop"]["bm25"] == 1.0
    assert categories["temporal"]["handed_over"] == 1.0
    baseline = report["bm25"]
    assert isinstance(baseline, dict)
    assert baseline["by_category"]["multi-hop"] == 1.0
    assert report["ms"] == {"p50": 2.0, "p99": pytest.approx(2.98)}
    config = report["config"]
    assert isinstance(config, dict)
    assert (config["embedder"], config["questions"], config["unresolved"], config["turns"]) == ("on", 3, 2, 4)
    assert seen == [(1, 3), (2, 3), (3, 3)]
    json.dumps(report, allow_nan=False)


def test_a_report_on_no_question_is_still_json(locomo: str) -> None:
    data = read_retrieval_data(locomo)
    empty = type(data)(dataset=data.dataset, questions=(), turns=data.turns, unresolved=0, settings={})
    report = evaluate_retrieval(
        empty, lambda _: Answered(ranked=(), handed_over=(), ms=0.0), stemmer=Stemmer(STEMS), params=PARAMS, config={}
    )
    assert report["recall@2"] is None
    json.dumps(report, allow_nan=False)
