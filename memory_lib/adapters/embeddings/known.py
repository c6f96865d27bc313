"""Which embedder made which vectors: the configured one, and the others that these settings can still open."""

from __future__ import annotations

from collections.abc import Sequence

from memory_lib.adapters.embeddings.absent import AbsentEmbedder
from memory_lib.ports.embedder import Embedder


class KnownEmbedders:
    """Implements ``Embedders``. ``off``: why none of them may be asked (an ablation), None normally."""

    def __init__(self, current: Embedder, others: Sequence[Embedder] = (), *, off: str | None = None) -> None:
        self._current = current
        self._others = tuple(others)
        self._off = off

    @property
    def current(self) -> Embedder:
        return self._current

    def of(self, fingerprint: str | None) -> Embedder:
        if fingerprint is None or fingerprint == self._current.fingerprint:
            return self._current
        for other in self._others:
            if other.fingerprint == fingerprint:
                return other
        reason = (
            self._off or "the vectors kept are of another embedder, which these settings cannot open; run selfimprint reembed"
        )
        return AbsentEmbedder(reason, fingerprint=fingerprint)
