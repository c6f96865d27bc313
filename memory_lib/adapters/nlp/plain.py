"""Tokens without a tree, for a machine on which the model packages are missing."""

from __future__ import annotations

import re

from memory_lib.adapters.nlp.segmentation import Segment
from memory_lib.domain.syntax import ROOT, Sentence, Token

_TOKEN = re.compile(r"\w+(?:[-'’]\w+)*|[^\w\s]", re.UNICODE)

NAME = "plain/1"


def plain_sentence(segment: Segment) -> Sentence:
    """Words and marks with their places; every token hangs on nothing and its lemma is its lower-case form."""
    tokens = tuple(
        Token(
            start=segment.start + match.start(),
            end=segment.start + match.end(),
            text=match.group(),
            lemma=match.group().lower(),
            pos="X" if match.group()[0].isalnum() else "PUNCT",
            head=ROOT,
            relation="dep",
        )
        for match in _TOKEN.finditer(segment.text)
    )
    return Sentence(segment.start, segment.start + len(segment.text), segment.language, tokens, has_tree=False)
