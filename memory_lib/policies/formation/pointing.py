"""Statements that name what they speak of by a pronoun ("Надо её добыть", "I need to call them")."""

from __future__ import annotations

import re

_POINTING = re.compile(r"\b(?:it|them|him|her|one|его|её|ее|их|ему|ей|им|это|этим|этого)\b")


def points(content: str) -> bool:
    """Whether its own words leave open what it is of."""
    return _POINTING.search(content.casefold()) is not None
