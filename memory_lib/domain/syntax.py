"""A parsed text: sentences, tokens and trees in Universal Dependencies, named entities. One label set over Russian and English.

All places are code points of the text that was parsed, so ``text[token.start:token.end]`` are the token's own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from memory_lib.errors import IllegalValue

Language = Literal["ru", "en"]
ROOT = -1
"""Head index of a token that hangs on nothing."""


class EntityKind(StrEnum):
    """What a name names."""

    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"


@dataclass(frozen=True, slots=True)
class Token:
    """One word or mark. ``pos``: universal tag (``VERB``, ``PROPN``, …); ``features``: universal features (``Case`` → ``Gen``);
    ``head``: index of the governing token within its sentence, or ``ROOT``; ``relation``: universal relation to it.
    """

    start: int
    end: int
    text: str
    lemma: str
    pos: str
    features: Mapping[str, str] = field(default_factory=dict)
    head: int = ROOT
    relation: str = "root"


@dataclass(frozen=True, slots=True)
class Sentence:
    """``has_tree`` False: heads and relations say nothing (a parser without models). A sentence may have several roots."""

    start: int
    end: int
    language: Language
    tokens: tuple[Token, ...]
    has_tree: bool

    def __post_init__(self) -> None:
        count = len(self.tokens)
        for token in self.tokens:
            if not self.start <= token.start < token.end <= self.end:
                raise IllegalValue(f"a token at {token.start}..{token.end} lies outside its sentence {self.start}..{self.end}")
            if not ROOT <= token.head < count:
                raise IllegalValue(f"a token names head {token.head} of {count} tokens")


@dataclass(frozen=True, slots=True)
class Entity:
    """A name in the text."""

    start: int
    end: int
    kind: EntityKind


@dataclass(frozen=True, slots=True)
class Parse:
    """``language`` is the whole text's; each sentence carries its own. Sentences in neither language are left out."""

    language: Language
    sentences: tuple[Sentence, ...]
    entities: tuple[Entity, ...] = ()
