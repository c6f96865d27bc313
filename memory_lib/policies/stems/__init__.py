"""Text to word stems, for the lexical side of search (RETRIEVAL §2)."""

from __future__ import annotations

from memory_lib.policies.stems.stemmer import VERSION, Stemmer, StemParams, folded_text, named_speaker, passage_around

__all__ = ["VERSION", "StemParams", "Stemmer", "folded_text", "named_speaker", "passage_around"]
