from __future__ import annotations

import json
import logging
import threading
import time
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_lib.adapters.llm.asking import ModelThinker
from memory_lib.errors import BadAnswer, Cancelled, DependencyDown, ModelBusy, ModelRefused, StoreBusy
from memory_lib.policies.model_budget import ModelBudgetParams
from memory_lib.ports.model import ModelAnswer
from memory_lib.reasoning.jobs import find_evidence, place_candidate, read_valence
from memory_lib.reasoning.jobs.job import OFFLINE
from tests.adapters.llm.conftest import SETTINGS, Book, Clock
from tests.adapters.llm.scripted import Reply, completion
from tests.reasoning.jobs.asked import JOBS, questions, statement

CANARY = "Канарейка поёт zebrafinch"
FELT = {"valence": "negative", "intensity": 60, "stated": True}


def felt(text=CANARY):
    return read_valence.Inputs(text=text, params=SETTINGS.jobs.valence)


def think(thinker, job=read_valence.JOB, inputs=None, **other):
    return thinker.think(job, felt() if inputs is None else inputs, user="u1", **other)


def test_an_answer_that_stands_is_the_models(server, make, book):
    server.says(completion(FELT))
    thought = think(make())
    assert (thought.value.valence, thought.value.intensity, thought.value.stated) == ("negative", 0.6, True)
    assert (thought.reasoner, thought.version, thought.fallback) == ("small-one", read_valence.VERSION, None)
    ((user, call),) = book.calls
    assert (user, call.job, call.model, call.outcome) == ("u1", "read_valence", "small-one", "model")
    assert (call.requests, call.malformed, call.rejected, call.first_try) == (1, 0, 0, True)
    assert (call.prompt_tokens, call.answer_tokens) == (11, 7)
    assert call.seconds > 0


MALFORMED = {
    "outside_schema": completion({**FELT, "label": "ADMIN"}),
    "not_json": completion("I would say negative."),
    "surrogates": completion('{"verdict": "supports", "quote": "\\ud800"}'),
    "truncated": completion('{"val', finish="length"),
    "empty": completion(""),
    "refused": completion(None, refusal="no"),
    "too_large": completion("{" + " " * 1_000_000 + "}"),
    "no_choice": Reply(body=b'{"choices": []}'),
    "unreadable_response": Reply(body=b"\xff\xfe"),
}


@pytest.mark.parametrize("code", MALFORMED)
def test_an_invalid_answer_is_asked_again_three_times_then_the_rule_answers_and_says_so(server, make, book, code):
    server.says(MALFORMED[code])
    job, inputs = read_valence.JOB, felt()
    if code == "surrogates":
        claim = find_evidence.Claim(text="x", subjects=(), valence=None)
        job, inputs = find_evidence.JOB, find_evidence.Inputs(claim=claim, text="x", params=SETTINGS.jobs.evidence)
    thought = think(make(), job, inputs)
    assert (thought.reasoner, thought.fallback) == (OFFLINE, code)
    assert thought.value == job.offline(inputs)
    assert len(server.asked) == 4
    assert (book.last.outcome, book.last.requests, book.last.malformed, book.last.first_try) == (code, 4, 4, False)


def test_the_next_prompt_says_what_was_wrong_in_words_of_the_schema(server, make):
    server.says(completion({**FELT, "intensity": 600, "zebra": 1}), completion(FELT))
    assert think(make()).reasoner == "small-one"
    note = server.asked[1]["messages"][0]["content"]
    assert "intensity: less_than_equal" in note
    assert "extra_forbidden" in note
    assert "zebra" not in note
    assert "600" not in note


def test_talk_round_the_answer_is_left_out_and_counted(server, make, book):
    server.says(completion("Sure! Here it is:\n```json\n" + json.dumps(FELT) + "\n```\nAnything else?"))
    thought = think(make())
    assert thought.reasoner == "small-one"
    assert [problem.code for problem in thought.problems] == ["text_round_the_answer"]
    assert (book.last.requests, book.last.first_try, book.last.left_out) == (1, False, 1)


def test_an_id_out_of_range_is_told_and_asked_again(server, make, book):
    inputs = place_candidate.Inputs(
        candidate=statement("I keep bees"),
        neighbours=(place_candidate.Neighbour(statement("I have bees"), 0.8),),
        language="en",
        params=SETTINGS.jobs.place,
    )
    server.says(completion({"action": "attach", "neighbour": 7}), completion({"action": "attach", "neighbour": 1}))
    thought = think(make(), place_candidate.JOB, inputs)
    assert thought.value.neighbour == 0
    assert "neighbour out of range" in server.asked[1]["messages"][0]["content"]
    assert (book.last.requests, book.last.malformed, book.last.rejected, book.last.first_try) == (2, 0, 1, True)


def test_a_busy_server_is_given_the_time_it_asks_for(server, make, slept):
    server.says(Reply(status=429, headers={"retry-after": "3"}), completion(FELT))
    assert think(make()).reasoner == "small-one"
    assert slept == [3.0]


def test_a_busy_server_cannot_make_us_wait_for_ever(server, make, slept):
    server.says(Reply(status=429, headers={"retry-after": "86400"}), completion(FELT))
    assert think(make(longest_wait_s=0.25)).reasoner == "small-one"
    assert slept == [0.25]


@pytest.mark.parametrize(
    ("reply", "code"), [(Reply(status=500), "model_down"), (Reply(status=429), "model_busy"), (Reply(status=503), "model_busy")]
)
def test_a_server_that_fails_leaves_it_to_the_rule(server, make, book, reply, code):
    server.says(reply)
    thought = think(make(patience_s=60.0))
    assert (thought.reasoner, thought.fallback, book.last.outcome, book.last.requests) == (OFFLINE, code, code, 4)


def test_a_server_that_hangs_leaves_it_to_the_rule(server, make, book):
    server.says(Reply(hang=30.0))
    began = time.monotonic()
    thought = think(make(timeout_s=0.2, patience_s=0.5))
    assert time.monotonic() - began < 5.0
    assert thought.reasoner == OFFLINE
    assert thought.fallback == book.last.outcome
    assert thought.fallback in {"model_down", "out_of_time"}


def test_a_dead_server_is_left_alone_for_a_while(server, make, book):
    server.says(Reply(status=500))
    thinker = make(failures=4, rest_s=60.0)
    assert think(thinker).fallback == "model_down"
    assert len(server.asked) == 4
    assert think(thinker).fallback == "model_resting"
    assert len(server.asked) == 4
    assert book.last.requests == 0


def test_a_server_that_refuses_us_is_asked_once(server, make):
    server.says(Reply(status=401))
    thinker = make()
    assert think(thinker).fallback == "model_refused_us"
    assert think(thinker).fallback == "model_resting"
    assert len(server.asked) == 1


def test_prose_that_takes_too_long_is_the_templates_and_is_not_held_against_the_server(server, make):
    server.says(Reply(hang=30.0))
    thinker = make(failures=1)
    began = time.monotonic()
    assert think(thinker, within_s=0.2).reasoner == OFFLINE
    assert time.monotonic() - began < 3.0
    server.says(completion(FELT))
    assert think(thinker).reasoner == "small-one"


def test_a_persons_budget_and_everybodys(server, make, book, clock):
    server.says(completion(FELT))
    thinker = make(budget=ModelBudgetParams(person=2, night=3))
    assert [think(thinker).fallback for _ in range(3)] == [None, None, "person_budget_spent"]
    assert thinker.think(read_valence.JOB, felt(), user="u2").fallback is None
    assert thinker.think(read_valence.JOB, felt(), user="u3").fallback == "night_budget_spent"
    assert len(server.asked) == 3
    clock.instant += timedelta(days=1)
    assert think(thinker).fallback is None


def test_repeated_requests_of_one_question_count_too(server, make):
    server.says(completion("no"))
    thought = think(make(budget=ModelBudgetParams(person=2, night=100)))
    assert thought.fallback == "person_budget_spent"
    assert len(server.asked) == 2


def test_a_withdrawn_question_ends_at_once_and_is_entered(server, make, book):
    server.says(Reply(hang=30.0))
    cancel = threading.Event()
    threading.Timer(0.1, cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        think(make(), cancel=cancel)
    assert time.monotonic() - began < 2.0
    assert (book.last.outcome, book.last.requests) == ("cancelled", 1)


def test_who_waits_for_a_busy_server_can_leave(server, make):
    server.says(Reply(status=429, headers={"retry-after": "9"}))
    cancel = threading.Event()
    threading.Timer(0.1, cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        think(make(), cancel=cancel)
    assert time.monotonic() - began < 2.0


class Locked(Book):
    """A ledger that somebody else holds."""

    def record(self, _user, _call):
        raise StoreBusy("locked")


def test_a_locked_ledger_costs_no_answer():
    assert think(over(Said(json.dumps(FELT)), book=Locked())).reasoner == "said"


@pytest.mark.parametrize("code", MALFORMED)
def test_no_word_of_a_person_or_a_model_reaches_the_book_or_a_log(server, make, book, caplog, code):
    server.says(MALFORMED[code])
    with caplog.at_level(logging.DEBUG):
        thought = think(make())
    told = caplog.text + repr(book.calls) + str(thought.fallback) + repr(thought.problems)
    for word in ("zebrafinch", "Канарейка", "ADMIN", "negative."):
        assert word not in told


class Said:
    """A model that says one thing."""

    name = "said"

    def __init__(self, text):
        self.text = text

    def ask(self, _request, *, cancel=None):
        if isinstance(self.text, Exception):
            raise self.text
        return ModelAnswer(text=self.text, prompt_tokens=1, answer_tokens=1)

    def close(self): ...


def over(model, *, book=None):
    return ModelThinker(
        model, book or Book(), Clock(), params=SETTINGS.model, budget=SETTINGS.model_budget, sleep=lambda _seconds: None
    )


def answers(schema):
    """JSON near the schema: right here, wrong there."""
    ends = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=8)
    json_values = st.recursive(
        ends, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner), max_leaves=6
    )
    known = {"properties": schema.get("properties", {}), "$defs": schema.get("$defs", {})}

    def value(part):  # noqa: PLR0911 - a table of cases
        if "$ref" in part:
            return value(known["$defs"][part["$ref"].rpartition("/")[2]])
        if "enum" in part:
            return st.sampled_from(part["enum"])
        kind = part.get("type")
        if kind == "object":
            return st.fixed_dictionaries({name: value(each) for name, each in part["properties"].items()})
        if kind == "array":
            return st.lists(value(part["items"]), min_size=part.get("minItems", 0), max_size=min(3, part["maxItems"]))
        if kind == "integer":
            return st.integers(part["minimum"], part["maximum"])
        if kind == "string":
            words = st.sampled_from(
                ["", "Nora", "Кира", "March", "boxes", "2026-05-01", "9999-99-99", "в марте", "bees", "\ufffd"]
            )
            return words.filter(lambda word: len(word) <= part["maxLength"])
        return st.booleans()

    return value(schema).map(json.dumps) | json_values.map(json.dumps) | st.text(max_size=30)


EACH_JOB = [
    next(q for q in questions() if q.job is job and q.language == language) for job in JOBS for language in ("ru", "en")
]


@pytest.mark.parametrize("question", EACH_JOB, ids=lambda q: f"{q.job.name}-{q.language}")
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_no_exception_escapes_a_job_whatever_the_model_says(question, data):
    text = data.draw(answers(question.job.answer.model_json_schema()))
    thinker = over(Said(text))
    thought = thinker.think(question.job, question.inputs, user="u")
    assert thought.value is not None
    assert (thought.fallback is None) == (thought.reasoner == "said")


@pytest.mark.parametrize(
    "error", [BadAnswer("empty"), DependencyDown("model", "x"), ModelBusy(retry_after_s=None), ModelRefused(404)], ids=repr
)
def test_no_error_of_a_model_escapes_a_job(error):
    thinker = over(Said(error))
    for question in EACH_JOB:
        assert thinker.think(question.job, question.inputs, user="u").reasoner == OFFLINE
