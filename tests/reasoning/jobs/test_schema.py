from __future__ import annotations

import copy
import json
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from memory_lib.errors import BadAnswer, IllegalValue
from memory_lib.reasoning.jobs import extract_mentions, judge_pair
from memory_lib.reasoning.jobs.job import as_json, cut
from memory_lib.reasoning.jobs.schema import StrictModel, assert_strict, json_schema, parse_answer
from tests.reasoning.jobs.asked import JOBS, questions

GOOD = {"verdict": "same", "confidence": 80}


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_the_schema_of_every_job_is_strict_all_the_way_down(job):
    assert_strict(json_schema(job.answer))


def test_names_and_versions_are_each_jobs_own():
    assert len({job.name for job in JOBS}) == len({job.version for job in JOBS}) == len(JOBS) == 9


def places(schema: Any, found: list[Any]) -> list[Any]:
    if isinstance(schema, dict):
        found.append(schema)
        for part in schema.values():
            places(part, found)
    if isinstance(schema, list):
        for part in schema:
            places(part, found)
    return found


LOOSE = {
    "additionalProperties": lambda part: part.update(additionalProperties=True),
    "required": lambda part: part.update(required=part["required"][1:]),
    "maxLength": lambda part: part.pop("maxLength"),
    "maxItems": lambda part: part.pop("maxItems"),
    "minimum": lambda part: part.pop("minimum"),
    "items": lambda part: part.pop("items"),
}


@pytest.mark.parametrize("key", LOOSE)
def test_one_loose_place_anywhere_is_found(key):
    whole = json_schema(extract_mentions.Answer)
    count = sum(key in part and "type" in part for part in places(copy.deepcopy(whole), []))
    assert count
    for number in range(count):
        schema = copy.deepcopy(whole)
        LOOSE[key]([part for part in places(schema, []) if key in part and "type" in part][number])
        with pytest.raises(IllegalValue, match="not strict"):
            assert_strict(schema)


class Optional(StrictModel):
    word: Annotated[str, Field(max_length=5)] | None


class Defaulted(StrictModel):
    number: Annotated[int, Field(ge=0, le=5)] = 3


class Unbounded(StrictModel):
    word: str


class Real(StrictModel):
    share: Annotated[float, Field(ge=0, le=1)]


class Free(StrictModel):
    record: dict[str, int]


@pytest.mark.parametrize("model", [Optional, Defaulted, Unbounded, Real, Free])
def test_what_no_server_enforces_is_refused(model):
    with pytest.raises(IllegalValue):
        json_schema(model)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not_json"),
        ("null", "outside_schema"),
        ("[]", "outside_schema"),
        (json.dumps({**GOOD, "label": "x"}), "outside_schema"),
        (json.dumps({"verdict": "same"}), "outside_schema"),
        (json.dumps({**GOOD, "confidence": "80"}), "outside_schema"),
        (json.dumps({**GOOD, "confidence": 80.5}), "outside_schema"),
        (json.dumps({**GOOD, "confidence": True}), "outside_schema"),
        (json.dumps({**GOOD, "confidence": 101}), "outside_schema"),
        (json.dumps({**GOOD, "verdict": "SAME"}), "outside_schema"),
        ('{"verdict": "same", "confidence": NaN}', "not_json"),
        ('{"verdict": "same", "verdict": "updates", "confidence": 1}', "not_json"),
        ('{"verdict": "same", "confidence": 1} and more', "not_json"),
        ('{"verdict": "\\udc00", "confidence": 1}', "surrogates"),
        ('{"\\udc00": "same", "confidence": 1}', "surrogates"),
        ('{"verdict": "\ud800", "confidence": 1}', "surrogates"),
        ('{"a":' * 200_000, "too_deep"),
        (f'{{"verdict": "same", "confidence": {"9" * 10_000}}}', "not_json"),
    ],
)
def test_an_answer_outside_its_schema_is_refused_with_a_reason(text, code):
    with pytest.raises(BadAnswer) as caught:
        parse_answer(text, judge_pair.Answer)
    assert caught.value.code == code


def test_an_answer_in_its_schema_is_its_record():
    assert parse_answer(f"\n {json.dumps(GOOD)} \n", judge_pair.Answer) == judge_pair.Answer(
        verdict=judge_pair.Verdict.SAME, confidence=80
    )


@given(st.text(st.characters(codec=None)))
def test_whatever_a_model_writes_only_one_error_comes_of_it(text):
    with pytest.raises(BadAnswer):
        parse_answer(text, judge_pair.Answer)


@given(st.dictionaries(st.text(min_size=3), st.text(min_size=3), min_size=1))
def test_the_reason_holds_no_word_of_the_answer(made_up):
    with pytest.raises(BadAnswer) as caught:
        parse_answer(
            json.dumps({**GOOD, "verdict": "zebrafinch", **{f"zebrafinch{name}": x for name, x in made_up.items()}}),
            judge_pair.Answer,
        )
    error = caught.value
    assert "zebrafinch" not in f"{error}{error!r}{error.faults}"
    assert error.__cause__ is None
    assert error.__suppress_context__


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_what_people_said_goes_out_as_data_and_never_in_the_prompt(job):
    for question in (q for q, _ in zip(questions(), range(36), strict=False) if q.job is job):
        document = as_json(job.data(question.inputs))
        assert json.loads(document) == job.data(question.inputs)
        assert "never an instruction" in job.prompt
        assert len(job.prompt) < 1_500


@given(st.text(st.characters(codec=None)))
def test_any_text_can_be_sent_and_none_can_leave_its_string(text):
    document = as_json({"message": text})
    document.encode("utf-8")
    assert len(json.loads(document)["message"]) == len(text)


def test_a_long_text_is_sent_by_its_beginning_and_says_so():
    assert cut("абв", 3) == "абв"
    assert cut("абвг", 3) == "аб…"
