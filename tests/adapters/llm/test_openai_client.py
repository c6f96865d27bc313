from __future__ import annotations

import json
import logging
import threading
import time
from dataclasses import replace

import pytest
from pydantic import SecretStr

from memory_lib.adapters.llm.openai_client import OpenAIModel
from memory_lib.adapters.llm.params import ReasoningEffort
from memory_lib.errors import (
    BadAnswer,
    Cancelled,
    DependencyDown,
    ModelBusy,
    ModelRefused,
    SelfImprintError,
    UnknownSetting,
)
from memory_lib.ports.model import ModelRequest
from memory_lib.reasoning.jobs import read_valence
from memory_lib.reasoning.jobs.schema import json_schema
from tests.adapters.llm.scripted import Reply, completion

CANARY = "канарейка-zebrafinch"
FELT = {"valence": "negative", "intensity": 60, "stated": True}


def request(**other):
    fields = {
        "job": "read_valence",
        "system": "You read.",
        "data": json.dumps({"message": CANARY}, ensure_ascii=False),
        "note": "",
        "schema": json_schema(read_valence.Answer),
        "max_tokens": 100,
        "timeout_s": 5.0,
    }
    return ModelRequest(**{**fields, **other})


def test_the_request_asks_for_one_strict_schema_coldly_and_cheaply(server, model):
    server.says(completion(FELT))
    answer = model.ask(request())
    assert json.loads(answer.text) == FELT
    assert (answer.prompt_tokens, answer.answer_tokens) == (11, 7)
    (body,) = server.asked
    assert body["response_format"]["type"] == "json_schema"
    assert body["response_format"]["json_schema"]["strict"] is True
    assert body["response_format"]["json_schema"]["schema"]["additionalProperties"] is False
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("small-one", 0, 100)
    assert body["reasoning_effort"] == "low"
    assert [each["role"] for each in body["messages"]] == ["system", "user"]
    assert CANARY in body["messages"][1]["content"]
    assert not {"store", "user", "metadata", "tools"} & set(body)


def test_what_was_wrong_is_told_apart_from_the_data(server, model):
    server.says(completion(FELT))
    model.ask(request(note="intensity: int_type"))
    system, user = server.asked[0]["messages"]
    assert "intensity: int_type" in system["content"]
    assert "int_type" not in user["content"]


def test_effort_is_left_out_where_a_server_refuses_the_field(server, params):
    server.says(completion(FELT))
    model = OpenAIModel(replace(params, reasoning_effort=ReasoningEffort.UNSET))
    model.ask(request())
    model.close()
    assert "reasoning_effort" not in server.asked[0]


def test_the_environment_adds_nothing_and_sends_nothing_elsewhere(server, params, monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody-else")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    server.says(completion(FELT))
    model = OpenAIModel(replace(params, api_key=SecretStr("sk-ours")))
    model.ask(request())
    model.close()
    (heads,) = server.heads
    assert heads["authorization"] == "Bearer sk-ours"
    assert "somebody" not in str(heads)
    assert "sk-ours" not in repr(model) + repr(params) + repr(replace(params, api_key=SecretStr("sk-ours")))


BAD = {
    "truncated": completion('{"valence": "neg', finish="length"),
    "refused": completion(None, refusal=f"I can't talk about {CANARY}"),
    "unfinished": completion("{}", finish="tool_calls"),
    "empty": completion(None),
    "no_choice": Reply(body=b'{"choices": []}'),
    "no_message": Reply(body=b'{"choices": [{"finish_reason": "stop"}]}'),
    "unreadable_response": Reply(body=b'{"choices": [{"message": {"content": "\xff\xfe"}}]}'),
    "too_large": completion("x" * 1_000_000),
}


@pytest.mark.parametrize("code", BAD)
def test_what_is_no_answer_is_named(server, model, code):
    server.says(BAD[code])
    with pytest.raises(BadAnswer) as caught:
        model.ask(request())
    assert caught.value.code == code
    if code in {"truncated", "refused", "unfinished", "empty"}:
        assert (caught.value.prompt_tokens, caught.value.answer_tokens) == (11, 7)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"<html>",
        b'{"choices": {}}',
        b'{"choices": [3]}',
        b"[" * 100_000,
        b'{"usage": 5, "choices": [{"message": 4}]}',
    ],
)
def test_whatever_comes_back_is_a_bad_answer(server, model, body):
    server.says(Reply(body=body))
    with pytest.raises(BadAnswer):
        model.ask(request())


def test_an_answer_that_filters_content_counts_as_refused(server, model):
    server.says(completion("", finish="content_filter"))
    with pytest.raises(BadAnswer) as caught:
        model.ask(request())
    assert caught.value.code == "refused"


@pytest.mark.parametrize(
    ("status", "headers", "error", "wait"),
    [
        (429, {"retry-after": "7"}, ModelBusy, 7.0),
        (429, {"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, ModelBusy, 0.0),
        (429, {"retry-after": "soon"}, ModelBusy, None),
        (429, {"retry-after": "nan"}, ModelBusy, None),
        (429, {}, ModelBusy, None),
        (503, {"retry-after": "2"}, ModelBusy, 2.0),
        (500, {}, DependencyDown, ...),
        (502, {}, DependencyDown, ...),
        (401, {}, ModelRefused, ...),
        (404, {}, ModelRefused, ...),
        (400, {}, ModelRefused, ...),
        (307, {"location": "http://127.0.0.1:9/v1"}, ModelRefused, ...),
    ],
)
def test_each_status_is_the_error_that_its_reader_needs(server, model, status, headers, error, wait):
    server.says(Reply(status=status, headers=headers, body=json.dumps({"error": {"message": CANARY}}).encode()))
    with pytest.raises(error) as caught:
        model.ask(request())
    assert type(caught.value) is error
    if wait is not ...:
        assert caught.value.retry_after_s == wait
    assert len(server.asked) == 1


def test_nobody_at_the_address_is_a_server_that_is_down(params):
    model = OpenAIModel(replace(params, base_url="http://127.0.0.1:9/v1"))
    with pytest.raises(DependencyDown, match="cannot be reached"):
        model.ask(request())
    model.close()


@pytest.mark.parametrize("reply", [Reply(hang=30.0), replace(completion(FELT), drip=0.05)], ids=["hangs", "drips"])
def test_a_server_that_takes_too_long_is_left(server, model, reply):
    server.says(reply)
    began = time.monotonic()
    with pytest.raises(DependencyDown, match="in time"):
        model.ask(request(timeout_s=0.3))
    assert time.monotonic() - began < 3.0


def test_a_withdrawn_question_is_left_within_moments(server, model):
    server.says(Reply(hang=30.0))
    cancel = threading.Event()
    threading.Timer(0.1, cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        model.ask(request(), cancel=cancel)
    assert time.monotonic() - began < 2.0  # what a pass may take to stop (DESIGN §4)


def test_no_more_calls_at_once_than_allowed(server, params):
    server.says(replace(completion(FELT), hang=0.05))
    model = OpenAIModel(replace(params, calls=2))
    threads = [threading.Thread(target=model.ask, args=(request(),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    model.close()
    assert len(server.asked) == 8
    assert server.most_at_once == 2


def test_waiting_for_a_place_ends_with_the_time_of_the_call(server, params):
    server.says(Reply(hang=30.0))
    model = OpenAIModel(replace(params, calls=1))
    with pytest.raises(DependencyDown):
        model.ask(request(timeout_s=0.2))
    with pytest.raises(DependencyDown):
        model.ask(request(timeout_s=0.2))
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        model.ask(request(), cancel=cancel)
    model.close()


@pytest.mark.parametrize("other", [{"base_url": None}, {"model": " "}, {"model": "offline"}])
def test_a_model_without_an_address_or_a_name_of_its_own_is_no_setting(params, other):
    with pytest.raises(UnknownSetting):
        OpenAIModel(replace(params, **other))


REPLIES = [
    *BAD.values(),
    completion(f"{CANARY} {{"),
    Reply(status=400, body=CANARY.encode()),
    Reply(status=500, body=CANARY.encode()),
    Reply(status=429, body=CANARY.encode()),
    Reply(hang=30.0),
]


def test_no_word_sent_or_received_reaches_an_error_or_a_log(server, model, caplog):
    """Also where the deployment logs everything it can."""
    with caplog.at_level(logging.DEBUG):
        for reply in REPLIES:
            server.says(reply)
            try:
                model.ask(request(timeout_s=0.3))
            except SelfImprintError as error:
                chain = [error, error.__cause__, error.__context__ if not error.__suppress_context__ else None]
                told = "".join(f"{each} {each!r} {vars(each)}" for each in chain if each is not None)
                assert "zebrafinch" not in told
                assert "канарейка" not in told
    assert len(server.asked) == len(REPLIES)
    assert "zebrafinch" not in caplog.text
    assert "канарейка" not in caplog.text
    assert "zebrafinch" not in repr(request())
