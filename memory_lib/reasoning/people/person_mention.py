"""One mention of a person in a text."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PersonMention:
    """``name``: as a nominative, "" where only a relation word was said; ``tie``: the canonical relation ("sister"), "" if none;
    ``words``: the relation word as said (lemma); ``sentence``/``token``: where the head word stands; ``tokens``: all its words.
    """

    start: int
    end: int
    name: str
    tie: str
    words: str
    gender: str
    sentence: int
    token: int
    tokens: tuple[int, ...]
    full_name: str = ""
    qualifier: str = ""

    @property
    def key(self) -> str:
        """What the person is called in ``about``: the name, else the relation word."""
        return self.name or self.words

    @property
    def apart(self) -> str:
        """What keeps this one apart from a namesake, in words; "" if nothing does."""
        return self.words if self.tie else self.qualifier
