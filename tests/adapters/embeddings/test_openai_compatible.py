"""An OpenAI-compatible server: what is sent, what of an answer is believed, and what happens when there is none."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import traceback
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from memory_lib.adapters.embeddings.openai_compatible import OpenAiCompatibleEmbedder
from memory_lib.adapters.embeddings.params import EmbeddingsServerParams, VectorEncoding
from memory_lib.adapters.embeddings.shared import SharedEmbedder
from memory_lib.errors import DependencyDown, UnknownSetting, UnusableVector
from memory_lib.ports.embedder import embedded_apart
from memory_lib.settings import Settings
from tests.adapters.embeddings.embeddings_server import DIMENSION, Server, in_base64, item, numbers, proper, served

pytest.importorskip("openai", reason="the extra llm is not installed; pip install 'selfimprint[llm]'")

TEXTS = ["I keep bees.", "Я держу пчёл.", "My sister plays the cello."]
SECRET = "Кошелёк Вавиловой"


class Sleeper:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now


@pytest.fixture
def server() -> Iterator[Server]:
    with served() as running:
        yield running


@pytest.fixture
def sleeper() -> Sleeper:
    return Sleeper()


@pytest.fixture
def make(server: Server, sleeper: Sleeper, tmp_path: Path) -> Any:
    def embedder(**changes: Any) -> OpenAiCompatibleEmbedder:
        params: EmbeddingsServerParams = replace(
            Settings().embeddings_server, url=server.url, model="m", dimension=DIMENSION, **changes
        )
        return OpenAiCompatibleEmbedder(
            params=params,
            max_characters=2_400,
            count=len,
            means=tmp_path / "means",
            sleep=sleeper.sleep,
            clock=sleeper.clock,
        )

    return embedder


def unit(text: str) -> Any:
    values = np.array(numbers(text))
    return values / np.linalg.norm(values)


def test_vectors_are_unit_rows_in_the_order_of_the_texts(make: Any, server: Server) -> None:
    vectors = make().embed(TEXTS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, [unit(text) for text in TEXTS], atol=1e-6)
    assert server.asked == [TEXTS]
    ((_, body),) = server.requests
    assert (body["path"], body["model"], body["encoding_format"]) == ("/v1/embeddings", "m", "float")
    assert make().embed([]).shape == (0, DIMENSION)


def test_the_answer_may_come_in_any_order(make: Any, server: Server) -> None:
    server.always = lambda texts: {"data": proper(texts)["data"][::-1]}
    np.testing.assert_allclose(make().embed(TEXTS), [unit(text) for text in TEXTS], atol=1e-6)


def test_vectors_may_come_in_base64_and_a_server_that_ignores_the_wish_is_read_too(make: Any, server: Server) -> None:
    server.always = in_base64
    embedder = make(encoding=VectorEncoding.BASE64)
    np.testing.assert_allclose(embedder.embed(TEXTS), [unit(text) for text in TEXTS], atol=1e-6)
    assert server.requests[0][1]["encoding_format"] == "base64"
    server.always = proper
    np.testing.assert_allclose(embedder.embed(TEXTS), [unit(text) for text in TEXTS], atol=1e-6)


def test_many_texts_go_in_batches(make: Any, server: Server) -> None:
    texts = [f"text {n}" for n in range(10)]
    np.testing.assert_allclose(make(batch=4).embed(texts), [unit(text) for text in texts], atol=1e-6)
    assert [len(asked) for asked in server.asked] == [4, 4, 2]


def test_texts_are_bounded_prefixed_and_never_empty(make: Any, server: Server) -> None:
    make(prefix="query: ").embed(["a" * 9_000, "", " \n", "tea\0milk", "a\ud800b"])
    sent = server.asked[0]
    assert sent == ["query: " + "a" * 2_400, "query: .", "query: .", "query: tea milk", "query: a b"]


def test_the_key_is_sent_and_shown_nowhere_else(make: Any, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "of-another-server")
    make(api_key=SecretStr("sesame")).embed(["a"])
    make().embed(["a"])
    assert [headers["authorization"] for headers, _ in server.requests] == ["Bearer sesame", "Bearer none"]
    assert "sesame" not in repr(replace(Settings().embeddings_server, api_key=SecretStr("sesame")))


# -- answers that are none ----------------------------------------------------------------

BAD = {
    "wrong size": [1.0] * (DIMENSION + 1),
    "null": None,
    "a null inside": [1.0] * (DIMENSION - 1) + [None],
    "not a number": [1.0] * (DIMENSION - 1) + [float("nan")],
    "infinite": [1.0] * (DIMENSION - 1) + [float("inf")],
    "zeros": [0.0] * DIMENSION,
    "empty": [],
    "words": "not base64!",
    "an object": {"a": 1},
    "too large": [1e300] * DIMENSION,
    "nested": [[1.0] * DIMENSION],
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_bad_vector_among_good_ones_is_asked_for_alone(make: Any, server: Server, bad: Any) -> None:
    embedder = make()
    for place in range(3):
        server.steps = [
            lambda texts, place=place: {"data": [item(n, bad if n == place else numbers(t)) for n, t in enumerate(texts)]}
        ]
        np.testing.assert_allclose(embedder.embed(TEXTS), [unit(text) for text in TEXTS], atol=1e-6)
        assert server.asked[-2:] == [TEXTS, [TEXTS[place]]]


def test_a_text_that_never_gets_a_vector_fails_alone(make: Any, server: Server) -> None:
    embedder = make()
    for bad in BAD.values():
        server.always = lambda texts, bad=bad: {
            "data": [item(n, bad if text == TEXTS[1] else numbers(text)) for n, text in enumerate(texts)]
        }
        with pytest.raises(UnusableVector, match="1 of 3 texts") as caught:
            embedder.embed(TEXTS)
        assert TEXTS[1] not in str(caught.value)
        first, second, third = embedded_apart(embedder, TEXTS)
        assert second is None
        np.testing.assert_allclose(np.stack([first, third]), [unit(TEXTS[0]), unit(TEXTS[2])], atol=1e-6)
        with SharedEmbedder(embedder, threads=2, remembered=10, batch=3) as shared:
            assert [vector is None for vector in embedded_apart(shared, TEXTS)] == [False, True, False]


def test_a_text_that_is_missing_or_twice_in_the_answer_is_asked_for_alone(make: Any, server: Server) -> None:
    server.steps = [lambda texts: {"data": proper(texts)["data"][:2]}]
    np.testing.assert_allclose(make().embed(TEXTS), [unit(text) for text in TEXTS], atol=1e-6)
    server.steps = [lambda texts: {"data": [*proper(texts)["data"], item(0, [1.0] * DIMENSION)]}]
    np.testing.assert_allclose(make().embed(TEXTS), [unit(text) for text in TEXTS], atol=1e-6)


@pytest.mark.parametrize("index", [3, -1, None, "0", 0.0, True])
def test_an_item_without_a_place_makes_the_whole_answer_unbelievable(make: Any, server: Server, index: Any) -> None:
    server.always = lambda texts: {"data": [{**each, "index": index} for each in proper(texts)["data"]]}
    with pytest.raises(DependencyDown, match="not OpenAI's") as caught:
        make().embed(TEXTS)
    assert not isinstance(caught.value, UnusableVector)


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"data": 3}', b'{"error": "x"}', b"\xff\xfe", b"[" * 100_000])
def test_an_answer_of_another_shape_is_a_server_that_is_down(make: Any, server: Server, body: bytes) -> None:
    server.always = lambda _texts: body
    with pytest.raises(DependencyDown, match="not OpenAI's"):
        make().embed(TEXTS)


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_text_that_the_server_refuses_fails_alone(make: Any, server: Server, status: int) -> None:
    def refusing(texts: list[str]) -> Any:
        return (status, {}, {"error": texts}) if TEXTS[0] in texts else proper(texts)

    server.always = refusing
    assert [vector is None for vector in embedded_apart(make(), TEXTS)] == [True, False, False]


# -- no answer ----------------------------------------------------------------------------


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_a_passing_error_is_tried_again_later_each_time(make: Any, server: Server, sleeper: Sleeper, status: int) -> None:
    server.steps = [lambda _: (status, {}, {})] * 2
    np.testing.assert_allclose(make().embed(TEXTS), [unit(text) for text in TEXTS], atol=1e-6)
    assert sleeper.waits == [0.25, 0.5]


def test_the_server_says_how_long_to_wait(make: Any, server: Server, sleeper: Sleeper) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=3), usegmt=True)
    server.steps = [lambda _: (429, {"Retry-After": "2"}, {}), lambda _: (503, {"Retry-After": soon}, {})]
    make().embed(TEXTS)
    assert sleeper.waits[0] == 2.0
    assert 0.0 <= sleeper.waits[1] <= 3.0


@pytest.mark.parametrize("header", ["nonsense", "-5", "99999999999999999999"])
def test_an_odd_wish_to_wait_is_no_trouble(make: Any, server: Server, sleeper: Sleeper, header: str) -> None:
    server.steps = [lambda _: (429, {"Retry-After": header}, {})]
    embedder = make()
    try:
        embedder.embed(TEXTS)
    except DependencyDown as down:
        assert "429" in str(down)  # noqa: PT017 - either is right, and each in its own way
    assert all(0.0 <= wait <= 5.0 for wait in sleeper.waits)


def test_who_asks_for_a_long_wait_is_down_for_now(make: Any, server: Server, sleeper: Sleeper) -> None:
    server.steps = [lambda _: (429, {"Retry-After": "600"}, {})]
    with pytest.raises(DependencyDown, match="429"):
        make().embed(TEXTS)
    assert sleeper.waits == []


def test_after_the_tries_the_server_is_left_alone_for_a_while(make: Any, server: Server, sleeper: Sleeper) -> None:
    server.always = lambda _: (500, {}, {})
    embedder = make()
    for _ in range(3):
        with pytest.raises(DependencyDown, match="500"):
            embedder.embed(TEXTS)
    assert len(server.requests) == 3
    server.always = proper
    sleeper.now += 5.0
    assert embedder.embed(TEXTS).shape == (3, DIMENSION)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_for_good_is_not_tried_again(make: Any, server: Server, status: int) -> None:
    server.always = lambda _: (status, {}, {"error": {"message": "who are you"}})
    with pytest.raises(DependencyDown, match=str(status)):
        make().embed(TEXTS)
    assert len(server.requests) == 1


def test_a_server_that_hangs_is_given_up(make: Any, server: Server) -> None:
    def hang(texts: list[str]) -> Any:
        server.hanging.wait(20)
        return proper(texts)

    server.always = hang
    with pytest.raises(DependencyDown, match=r"0\.2 s"):
        make(timeout_s=0.2, tries=2).embed(TEXTS)
    assert len(server.requests) == 2


def test_a_server_that_is_not_there_is_down(make: Any, server: Server) -> None:
    embedder = make()
    embedder._params = replace(embedder._params, url="http://127.0.0.1:9/v1")
    with pytest.raises(DependencyDown, match="cannot be reached"):
        embedder.embed(TEXTS)
    assert embedder.count_tokens("four") == 4


# -- what stays inside --------------------------------------------------------------------


def test_no_text_is_in_an_error_or_a_log(make: Any, server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    answers: list[Any] = [
        lambda texts: (401, {}, {"error": {"message": f"cannot embed {texts}"}}),
        lambda texts: (422, {}, {"error": texts}),
        lambda texts: (500, {}, {"error": texts}),
        lambda texts: json.dumps(texts).encode(),
        lambda texts: {"data": [item(0, texts)]},
    ]
    told = ""
    for answer in answers:
        server.always = answer
        try:
            make().embed([SECRET])
        except DependencyDown:
            told += traceback.format_exc()
    told += caplog.text + repr([record.__dict__ for record in caplog.records])
    assert "DependencyDown" in told
    for word in (*SECRET.split(), json.dumps(SECRET)[1:-1]):
        assert word not in told


def test_what_it_is_called(make: Any) -> None:
    assert make().fingerprint == f"openai/m/{DIMENSION}"
    names = {make(**changes).fingerprint for changes in ({}, {"revision": "2"}, {"prefix": "query: "}, {"prefix": "q: "})}
    assert len(names) == 4


@pytest.mark.parametrize("lacking", ["url", "model", "dimension"])
def test_what_has_no_default_must_be_set(make: Any, lacking: str) -> None:
    params = replace(make()._params, **{lacking: None})
    with pytest.raises(UnknownSetting, match=f"embeddings_server.{lacking}"):
        OpenAiCompatibleEmbedder(params=params, max_characters=1, count=len, means=Path("means"))


def test_its_mean_is_fitted_once_and_kept_in_the_home(make: Any, server: Server, tmp_path: Path) -> None:
    mean = make().mean
    assert mean.shape == (DIMENSION,)
    asked = sum(len(texts) for texts in server.asked)
    assert asked == 300
    np.testing.assert_array_equal(make().mean, mean)
    assert sum(len(texts) for texts in server.asked) == asked
    assert len(list((tmp_path / "means").iterdir())) == 1
    server.always = lambda _: (500, {}, {})
    with pytest.raises(DependencyDown):
        _ = make(revision="2").mean


def test_without_the_client_it_is_down_and_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['openai'] = None\n"
        "from pathlib import Path; from dataclasses import replace\n"
        "from memory_lib.settings import Settings\n"
        "from memory_lib.adapters.embeddings.openai_compatible import OpenAiCompatibleEmbedder as E\n"
        "p = replace(Settings().embeddings_server, url='http://127.0.0.1:9/v1', model='m', dimension=4)\n"
        "try: E(params=p, max_characters=9, count=len, means=Path('x')).embed(['a'])\n"
        "except Exception as e: print(type(e).__name__, e)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("DependencyDown")
    assert "selfimprint[llm]" in done.stdout
