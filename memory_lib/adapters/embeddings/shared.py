"""One vector a text: equal texts are embedded once, and several at a time."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Self

import numpy as np
from numpy.typing import NDArray

from memory_lib.errors import DependencyDown, UnusableVector
from memory_lib.ports.embedder import Embedder

_Wanted = tuple[bytes, str, "Future[NDArray[np.float32]]"]
"""(key, text, what whoever wants its vector waits for)."""


class SharedEmbedder:
    """Wraps an embedder with a bounded memory of vectors (least recently used goes first) and ``threads`` workers, each asking
    for ``batch`` texts at once. Where one text of a batch has no usable vector, the others are asked for alone.

    Two threads that ask for the same text wait for one computation. The memory holds hashes and vectors, no text; make one for
    each import or service, and ``close`` it (or leave its ``with`` block) to end its threads. An inner embedder that fails is
    not remembered: the next call tries again.
    """

    def __init__(self, inner: Embedder, *, threads: int, remembered: int, batch: int = 1) -> None:
        self._inner = inner
        self._batch = max(1, batch)
        self._threads = max(1, threads)
        self._remembered = max(1, remembered)
        self._lock = threading.Lock()
        self._vectors: OrderedDict[bytes, Future[NDArray[np.float32]]] = OrderedDict()
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def fingerprint(self) -> str:
        return self._inner.fingerprint

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    @property
    def mean(self) -> NDArray[np.float32]:
        return self._inner.mean

    def count_tokens(self, text: str) -> int:
        return self._inner.count_tokens(text)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the inner embedder. Raises what it raises, after the texts under way are done."""
        mine: dict[bytes, tuple[str, Future[NDArray[np.float32]]]] = {}
        wanted: list[Future[NDArray[np.float32]]] = []
        with self._lock:
            for text in texts:
                key = _key(text)
                future = self._vectors.get(key)
                if future is None:
                    future = Future()
                    self._vectors[key] = future
                    mine[key] = (text, future)
                else:
                    self._vectors.move_to_end(key)
                wanted.append(future)
        try:
            self._compute(mine)
            vectors = [future.result() for future in wanted]
        finally:
            self._abandon(mine)
            self._forget_oldest()
        return np.stack(vectors) if vectors else np.zeros((0, self.dimension), np.float32)

    def close(self) -> None:
        """Ends the worker threads; the vectors stay, and a later call starts new threads."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True)

    def _compute(self, mine: dict[bytes, tuple[str, Future[NDArray[np.float32]]]]) -> None:
        todo = [(key, text, future) for key, (text, future) in mine.items()]
        batches = [todo[start : start + self._batch] for start in range(0, len(todo), self._batch)]
        if len(batches) <= 1 or self._threads == 1:
            for batch in batches:
                self._compute_batch(batch)
            return
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="embed")
            pool = self._pool
        for running in [pool.submit(self._compute_batch, batch) for batch in batches]:
            running.result()

    def _compute_batch(self, batch: Sequence[_Wanted]) -> None:
        try:
            vectors = self._inner.embed([text for _, text, _ in batch])
        except UnusableVector as error:
            if len(batch) == 1:
                self._fail(batch[0][0], batch[0][2], error)
            else:
                for wanted in batch:
                    self._compute_batch([wanted])
        except Exception as error:  # noqa: BLE001 - handed to whoever waits for these texts
            for key, _, future in batch:
                self._fail(key, future, error)
        else:
            for (_, _, future), row in zip(batch, vectors, strict=True):
                vector = row if self._batch == 1 else row.copy()  # a row of a batch would keep the whole batch in memory
                vector.flags.writeable = False
                with self._lock:
                    if not future.done():
                        future.set_result(vector)

    def _abandon(self, mine: dict[bytes, tuple[str, Future[NDArray[np.float32]]]]) -> None:
        """Nobody may wait for ever: what an interrupt left undone fails for the other threads that wait for it."""
        for key, (_, future) in mine.items():
            if not future.done():
                self._fail(key, future, DependencyDown("embedder", "the thread that embedded this text was interrupted"))

    def _fail(self, key: bytes, future: Future[NDArray[np.float32]], error: Exception) -> None:
        with self._lock:
            if self._vectors.get(key) is future:
                del self._vectors[key]
            if not future.done():
                future.set_exception(error)

    def _forget_oldest(self) -> None:
        with self._lock:
            while len(self._vectors) > self._remembered:
                oldest = next(iter(self._vectors))
                if not self._vectors[oldest].done():
                    return
                del self._vectors[oldest]


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
