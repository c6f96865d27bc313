"""Equal texts are embedded once, by as many threads as allowed, and nobody waits for ever."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from memory_lib.adapters.embeddings.absent import AbsentEmbedder
from memory_lib.adapters.embeddings.shared import SharedEmbedder
from memory_lib.errors import DependencyDown


class Counting:
    """Lengths as vectors; counts what it is asked, and how many at once."""

    fingerprint = "counting/2"
    dimension = 2

    def __init__(self, *, seconds: float = 0.0, down: bool = False) -> None:
        self.asked: list[str] = []
        self.down = down
        self.most_at_once = 0
        self._seconds = seconds
        self._now = 0
        self._lock = threading.Lock()

    @property
    def mean(self) -> NDArray[np.float32]:
        return np.array([0.5, 0.0], np.float32)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        with self._lock:
            self.asked += texts
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        time.sleep(self._seconds)
        with self._lock:
            self._now -= 1
        if self.down:
            raise DependencyDown("embedder", "broken for a test")
        return np.array([[len(text), 1.0] for text in texts], np.float32)

    def count_tokens(self, text: str) -> int:
        return len(text.split())


def test_vectors_come_in_the_order_of_the_texts() -> None:
    with SharedEmbedder(Counting(), threads=3, remembered=10) as embedder:
        assert embedder.embed(["a", "bbb", "a", "cc"])[:, 0].tolist() == [1, 3, 1, 2]
        assert embedder.embed([]).shape == (0, 2)
        assert embedder.embed(["a"]).dtype == np.float32


def test_equal_texts_are_embedded_once() -> None:
    inner = Counting()
    with SharedEmbedder(inner, threads=2, remembered=10) as embedder:
        embedder.embed(["кот", "cat", "кот"])
        embedder.embed(["cat", "dog"])
    assert sorted(inner.asked) == ["cat", "dog", "кот"]


def test_what_is_remembered_is_bounded_and_the_oldest_goes_first() -> None:
    inner = Counting()
    embedder = SharedEmbedder(inner, threads=1, remembered=2)
    for text in ("one", "two", "one", "three", "one", "two"):
        embedder.embed([text])
    assert inner.asked == ["one", "two", "three", "two"]


def test_more_texts_than_are_remembered_still_get_their_vectors() -> None:
    with SharedEmbedder(Counting(), threads=2, remembered=1) as embedder:
        assert embedder.embed([f"{n:0{n + 1}}" for n in range(20)])[:, 0].tolist() == list(range(1, 21))


def test_the_same_text_asked_by_many_threads_at_once_is_computed_once() -> None:
    inner = Counting(seconds=0.05)
    with SharedEmbedder(inner, threads=2, remembered=10) as embedder:
        found: list[float] = []
        threads = [threading.Thread(target=lambda: found.append(float(embedder.embed(["same"])[0, 0]))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert inner.asked == ["same"]
    assert found == [4.0] * 6


@pytest.mark.parametrize("threads", [1, 2])
def test_no_more_texts_at_once_than_threads(threads: int) -> None:
    inner = Counting(seconds=0.01)
    with SharedEmbedder(inner, threads=threads, remembered=10) as embedder:
        embedder.embed([str(n) for n in range(8)])
    assert inner.most_at_once == threads


def test_a_failure_reaches_everybody_who_waits_and_is_not_remembered() -> None:
    inner = Counting(seconds=0.03, down=True)
    with SharedEmbedder(inner, threads=2, remembered=10) as embedder:
        failures: list[str] = []

        def asking() -> None:
            try:
                embedder.embed(["one", "two"])
            except DependencyDown as down:
                failures.append(down.part)

        threads = [threading.Thread(target=asking) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(5)
        assert failures == ["embedder"] * 3
        inner.down = False
        assert embedder.embed(["one"])[0, 0] == 3.0


def test_an_interrupt_leaves_nobody_waiting() -> None:
    class Interrupted(Counting):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            del texts
            raise KeyboardInterrupt

    embedder = SharedEmbedder(Interrupted(), threads=1, remembered=10)
    with pytest.raises(KeyboardInterrupt):
        embedder.embed(["one", "two"])
    assert not embedder._vectors


def test_it_works_on_after_being_closed() -> None:
    embedder = SharedEmbedder(Counting(), threads=2, remembered=10)
    embedder.embed(["a", "b"])
    embedder.close()
    assert embedder.embed(["a", "b", "c", "d"]).shape == (4, 2)
    embedder.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("embed")]


def test_it_speaks_for_the_embedder_inside() -> None:
    inner = Counting()
    embedder = SharedEmbedder(inner, threads=2, remembered=10)
    assert (embedder.fingerprint, embedder.dimension, embedder.count_tokens("two words")) == ("counting/2", 2, 2)
    assert embedder.mean.tolist() == [0.5, 0.0]


def test_an_absent_embedder_says_why_at_use_and_keeps_its_place() -> None:
    absent = AbsentEmbedder("switched off by a setting", in_place_of=Counting())
    assert (absent.fingerprint, absent.dimension, absent.count_tokens("two words")) == ("counting/2", 2, 2)
    with pytest.raises(DependencyDown, match="switched off by a setting"):
        absent.embed(["any"])
    with pytest.raises(DependencyDown):
        _ = absent.mean


def test_an_absent_embedder_in_nobodys_place_counts_characters() -> None:
    absent = AbsentEmbedder("not installed")
    assert (absent.fingerprint, absent.dimension) == ("absent", 0)
    assert [absent.count_tokens(text) for text in ("", "  ", "привет", "a b c")] == [0, 0, 3, 3]
