"""What every embedder promises, as functions: the suites of those that are here run them (``tests/contracts/embedders``), and
those that need an environment of their own do too (``tests/bge``)."""

from __future__ import annotations

import threading

import numpy as np

from memory_lib.ports.embedder import Embedder, calibrated, embedded_apart

TEXTS = ["I keep bees in the garden.", "Я держу пчёл в саду.", "My sister plays the cello.", "Сестра играет на виолончели."]
ODD = ["", " ", "a\0b", "a\ud800b", "🙂", "\u202eabc", "е\u0301" * 50, "слово " * 3_000, "ﷺ" * 500]


def check_shape(embedder: Embedder) -> None:
    """Unit rows, float32, as many as texts; the dimension and its name agree."""
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)
    empty = embedder.embed([])
    assert empty.shape == (0, embedder.dimension)
    assert empty.dtype == np.float32
    assert str(embedder.dimension) in embedder.fingerprint
    assert 0 < len(embedder.fingerprint) <= 200


def check_neighbours(embedder: Embedder) -> None:
    """A text's vector is its own, whatever it is embedded with, in whatever order, in whatever thread."""
    together = embedder.embed(TEXTS)
    np.testing.assert_allclose(embedder.embed(TEXTS[::-1])[::-1], together, atol=2e-5)
    for text, vector in zip(TEXTS, together, strict=True):
        np.testing.assert_allclose(embedder.embed([text])[0], vector, atol=2e-5)
    found: list[bool] = []
    threads = [
        threading.Thread(target=lambda: found.append(np.allclose(embedder.embed(TEXTS), together, atol=2e-5))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 3


def check_odd_texts(embedder: Embedder) -> None:
    """Whatever a person types has a vector, and a count."""
    vectors = embedder.embed(ODD)
    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)
    assert all(embedder.count_tokens(text) >= 0 for text in ODD)
    assert embedder.count_tokens("") == 0
    assert all(vector is not None for vector in embedded_apart(embedder, ODD))


def check_mean(embedder: Embedder) -> None:
    """One mean, the same each time, that cannot be changed, and what is left without it are unit rows."""
    mean = embedder.mean
    assert mean.shape == (embedder.dimension,)
    assert mean.dtype == np.float32
    assert np.isfinite(mean).all()
    assert not mean.flags.writeable
    np.testing.assert_array_equal(embedder.mean, mean)
    np.testing.assert_allclose(np.linalg.norm(calibrated(embedder.embed(TEXTS), mean), axis=1), 1.0, atol=1e-4)


PROMISES = (check_shape, check_neighbours, check_odd_texts, check_mean)
