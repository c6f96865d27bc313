"""Words that an answer says it quotes, found in the text they are quoted from."""

from __future__ import annotations

import re

from memory_lib.reasoning.trees.folding import fold

_WORD = re.compile(r"\w+", re.UNICODE)
_ENDING = 3
"""Case and number change at most so many letters at the end of a Russian word; English ones fewer."""
_SHORTEST = 2
_LINKS = frozenset("a an and de der la of the van von в г город и из на с".split())


def find_quote(quote: str, text: str, *, after: int = 0) -> tuple[int, int] | None:
    """Code points of ``quote`` in ``text``, verbatim but for white space round it; the first at or behind ``after``, else the
    first. None where it is not there.
    """
    words = quote.strip()
    if not words:
        return None
    start = text.find(words, after)
    if start < 0:
        start = text.find(words)
    return None if start < 0 else (start, start + len(words))


def is_said(words: str, text: str) -> bool:
    """Whether each content word of ``words`` stands in ``text``, in whatever form of the word: "Аня" in "с Аней"."""
    asked = [word for word in _WORD.findall(fold(words)) if word not in _LINKS]
    said = _WORD.findall(fold(text))
    return bool(asked) and all(any(_same_stem(word, other) for other in said) for word in asked)


def _same_stem(one: str, other: str) -> bool:
    if one == other:
        return True
    if one.isdigit() or other.isdigit():
        return False
    kept = max(_SHORTEST, min(len(one), len(other)) - _ENDING)
    return abs(len(one) - len(other)) <= _ENDING and one[:kept] == other[:kept]
