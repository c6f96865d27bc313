"""How embedders run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EmbedderChoice(StrEnum):
    """Whether anything is embedded."""

    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderParams:
    """``embedder``: ``off`` is an ablation. ``threads``: texts embedded at once (a model uses one thread for each).
    ``max_characters``: a longer text is cut to this before embedding. ``shared_vectors``: vectors remembered by text.
    """

    embedder: EmbedderChoice
    threads: int
    max_characters: int
    shared_vectors: int
