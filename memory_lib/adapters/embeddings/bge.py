"""bge-m3 through FlagEmbedding, from a folder on this machine (TRAPS, Models). Nothing is ever downloaded.

Importing it takes 10 s and more, so it is loaded when something is first embedded. A batch is padded to its longest text, which
moves a vector in its seventh digit: not a bit-for-bit promise, and far below what any threshold can see. One thread at a time
goes through the tokenizer, which is not safe between threads; the processor's work inside is bounded by ``threads``.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.embeddings.fitted_mean import FittedMean
from memory_lib.adapters.embeddings.params import BgeParams
from memory_lib.adapters.embeddings.prepared_text import prepared
from memory_lib.errors import DependencyDown, MissingExtra, UnknownSetting, UnusableVector

log = logging.getLogger("memory_lib")

PART = "embedder"
EXTRA = "bge"
SPARSE_WEIGHTS = "sparse_linear.pt"
_DIMENSION = 1024
_BROKEN_FROM = (5, 21)
"""FlagEmbedding cannot be imported with transformers of this version or newer."""
_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
_WEIGHTS = (".safetensors", ".bin", ".pt")
_ENDS = 1 << 16


class BgeEmbedder:
    """Implements ``Embedder``: dense vectors of the first token. ``sparse`` has the model's word weights.

    ``count``: counts a text's tokens (CONTRACTS: the default embedder's tokenizer whatever the embedder). ``means``: folder of
    the fitted mean.

    Raises:
        UnknownSetting: no folder is set.
    """

    def __init__(self, *, params: BgeParams, max_characters: int, count: Callable[[str], int], means: Path) -> None:
        if params.folder is None:
            raise UnknownSetting("embedder=bge needs bge.folder, a folder with the model's files")
        self._params = params
        self._folder = params.folder.expanduser()
        self._max_characters = max_characters
        self._count = count
        self._lock = threading.Lock()
        self._model: Any = None
        self._down: DependencyDown | None = None
        self._fingerprint = fingerprint_of(self._folder, name=params.name)
        self._dimension = int(_config(self._folder).get("hidden_size", _DIMENSION))
        self._mean = FittedMean(means, fingerprint=self._fingerprint, dimension=self._dimension)

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def mean(self) -> NDArray[np.float32]:
        return self._mean.get(self.embed)

    def count_tokens(self, text: str) -> int:
        return self._count(text)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the port.

        Raises:
            DependencyDown: the extra is missing, or the folder holds no model that can be loaded.
            UnusableVector: weights that give no numbers for a text.
        """
        if not texts:
            return np.zeros((0, self._dimension), np.float32)
        parts = [np.asarray(part["dense_vecs"], np.float32) for part in self._encoded(texts, dense=True)]
        rows: NDArray[np.float32] = np.concatenate(parts)
        if rows.shape[1] != self._dimension:
            raise self._fails(f"the model gives {rows.shape[1]} numbers, its config says {self._dimension}")
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        usable = np.isfinite(length) & (length > 1e-6)
        if not usable.all():
            raise UnusableVector(PART, f"the model has no usable vector for {int((~usable).sum())} of {len(texts)} texts")
        unit: NDArray[np.float32] = (rows / length).astype(np.float32)
        return unit

    def sparse(self, texts: Sequence[str]) -> list[Mapping[str, float]]:
        """Weights of each text's own word pieces, as the model was trained to weigh them.

        Raises:
            DependencyDown: as ``embed``; or the folder has no ``sparse_linear.pt``, without which it would weigh by chance.
        """
        if not (self._folder / SPARSE_WEIGHTS).is_file():
            raise DependencyDown(
                "sparse weights", f"the model's folder has no {SPARSE_WEIGHTS}; take it from where the model came"
            )
        found = [weights for part in self._encoded(texts, dense=False) for weights in part["lexical_weights"]]
        if not found:
            return []
        with self._lock:
            named = self._model.convert_id_to_token(found)
        return [{token: float(weight) for token, weight in each.items()} for each in named]

    def _encoded(self, texts: Sequence[str], *, dense: bool) -> Iterator[Mapping[str, Any]]:
        """What the model says of each batch; the lock is free between two, so that a question need not wait for an import."""
        if not texts:
            return
        model = self._loaded()
        for start in range(0, len(texts), self._params.batch):
            ready = [prepared(text, max_characters=self._max_characters) for text in texts[start : start + self._params.batch]]
            with self._lock:
                found: Mapping[str, Any] = model.encode(
                    ready,
                    batch_size=len(ready) + 1,  # below its own batch the model draws no progress bar
                    max_length=self._params.max_tokens,
                    return_dense=dense,
                    return_sparse=not dense,
                    return_colbert_vecs=False,
                )
            yield found

    # -- loading ------------------------------------------------------------------------

    def _loaded(self) -> Any:
        with self._lock:
            if self._down is not None:
                raise DependencyDown(self._down.part, self._down.reason)
            if self._model is None:
                self._model = self._load()
            return self._model

    def _load(self) -> Any:
        if not _config(self._folder):
            raise self._fails("bge.folder has no model (no config.json that can be read)")
        version = _version("transformers")
        if version is None or _version("FlagEmbedding") is None:
            raise self._fails(str(MissingExtra("FlagEmbedding", EXTRA)))
        if version >= _BROKEN_FROM:
            raise self._fails("FlagEmbedding needs transformers below 5.21; run: pip install 'selfimprint[bge]'")
        try:
            with _offline():
                import torch  # noqa: PLC0415 - an extra of gigabytes
                from FlagEmbedding import BGEM3FlagModel  # noqa: PLC0415 - as above
                from transformers.utils import logging as bars  # noqa: PLC0415 - as above

                torch.set_num_threads(self._params.threads)
                bars.disable_progress_bar()
                return BGEM3FlagModel(
                    str(self._folder),
                    use_fp16=self._params.fp16,
                    devices=self._params.devices,
                    batch_size=self._params.batch,
                    normalize_embeddings=True,
                )
        except Exception as error:  # noqa: BLE001 - whatever the three libraries raise over a folder
            raise self._fails(f"the model in bge.folder cannot be loaded ({type(error).__name__})") from None

    def _fails(self, reason: str) -> DependencyDown:
        """For good: what a folder holds does not change while we look."""
        self._down = DependencyDown(PART, reason)
        log.warning("embedder.down", extra={"part": PART})
        return self._down


def fingerprint_of(folder: Path, *, name: str) -> str:
    """``bge/<name>/<hash>/<dimension>/cls``. The hash is over config.json, and over each weight file's name, size and ends:
    some kilobytes are read, not gigabytes.
    """
    config = _config(folder)
    if not config:
        return f"bge/{name}/no model"
    digest = hashlib.sha256((folder / "config.json").read_bytes())
    for path in sorted(folder.iterdir()):
        if path.suffix in _WEIGHTS and path.is_file():
            digest.update(f"\0{path.name}\0{path.stat().st_size}\0".encode())
            digest.update(_ends(path))
    return f"bge/{name}/{digest.hexdigest()[:16]}/{config.get('hidden_size', _DIMENSION)}/cls"


def _ends(path: Path) -> bytes:
    with path.open("rb") as file:
        first = file.read(_ENDS)
        file.seek(max(0, path.stat().st_size - _ENDS))
        return first + file.read(_ENDS)


def _config(folder: Path) -> Mapping[str, Any]:
    """Empty where there is none."""
    try:
        found = json.loads((folder / "config.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _version(package: str) -> tuple[int, int] | None:
    try:
        major, minor = metadata.version(package).split(".")[:2]
    except metadata.PackageNotFoundError:
        return None
    return int(major), int(minor)


@contextmanager
def _offline() -> Iterator[None]:
    """For the length of the load; what was set before is set again."""
    before = {name: os.environ.get(name) for name in _OFFLINE}
    os.environ.update(_OFFLINE)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
