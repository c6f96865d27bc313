"""English as it is typed or spoken, spelt word by word as the parser knows it: "im", "its 3am", "ma wee brother", "cannae"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_SPELT: Mapping[str, tuple[str, ...]] = {
    word: tuple(spelt.split("_"))
    for word, spelt in (
        pair.split(":")
        for pair in """
        i:I noo:now aboot:about aff:off tae:to fae:from masel:myself oor:our oot:out hame:home aye:yes
        cannae:can_n't didnae:did_n't dinnae:do_n't isnae:is_n't wasnae:was_n't doesnae:does_n't couldnae:could_n't
        wouldnae:would_n't havenae:have_n't hasnae:has_n't arenae:are_n't werenae:were_n't shouldnae:should_n't
        """.split()
    )
}
_PARTS = {"m": "'m", "ve": "'ve", "re": "'re", "ll": "'ll", "s": "'s", "nt": "n't", "ta": "to"}
"""Second parts of words written without their apostrophe: "im", "thats", "dont", "gotta"."""
_AFTER_IT_IS = frozenset(
    """
    a an the not so been my his your our just only really too very ok okay fine gonna going because cause like all always
    still already getting about now such nearly almost raining snowing called good bad great hard been
    """.split()
)
"""Before these words "its" owns nothing."""
_AFTER_WOULD = frozenset("love like rather prefer be have say never probably hate go do want need".split())
_CLOCK = re.compile(r"\d{1,2}(?:[ap]m)?$")
_OWNED_BY_ME = frozenset({"", ".", "!", "?", ",", ";", "and", "but", "so"})
"""Before "ma" these leave it to be "my": "my ma" is a mother."""
_NOT_OWNED = frozenset("is was and has says said will can did does 's".split())

_ANSWERS = frozenset("no nah nope yes yeah aye oh ok okay sorry thanks thank cheers ta well sure".split())
_VOCATIVES = frozenset("love luv dear mate pal hun hen babe darling sweetheart honey bro dude man buddy sir duck pet".split())
_BEGINNING = frozenset("i im ive it its she he we they my that thats not there".split())
_LETS_GO = re.compile(r"lets go{3,}$", re.IGNORECASE)

_ANNOUNCING = frozenset("update news psa fyi".split())
_BEFORE_NEWS = _ANSWERS | frozenset("quick small little big another so".split())
_PRONOUNS = frozenset("it he she that this what who where there here how when why let one everyone everybody".split())
_TOLD = frozenset(
    "a an the not my our his her their always never still just only in on at through off out back really very so too".split()
)
_AFTER_AGE = frozenset({"", ".", ",", "!", "?", ";", "and", "but", "now", "today", "so", "in", "on", "next", "this"})

Part = tuple[str, int, int]
"""A word as it is to be parsed, and where what was written for it begins and ends."""


def _is_set_apart(words: Sequence[tuple[str, int]], number: int) -> bool:
    """As in "no love I'm not a nurse": one spoken to, between an answer and what is said, without a comma."""
    if number != 1 or len(words) < 4:
        return False
    if words[1][0].lower() in _ANNOUNCING:
        return words[0][0].lower() in _BEFORE_NEWS and words[2][0].lower() in _BEGINNING
    return words[1][0].lower() in _VOCATIVES and words[0][0].lower() in _ANSWERS and words[2][0].lower() in _BEGINNING


def _is_told(words: Sequence[tuple[str, int]], number: int) -> bool:
    """As in "My grandson's 9 and …", "the car's through its MOT": no owner, but what is said of it."""
    after = words[number + 1][0].lower() if number + 1 < len(words) else ""
    later = words[number + 2][0].lower() if number + 2 < len(words) else ""
    return after in _TOLD or (after.isdigit() and later in _AFTER_AGE)


def spelt_words(words: Sequence[tuple[str, int]]) -> list[Part] | None:
    """The words as a parser knows them, or None where all are spelt so already. ``words``: each with its place in the text."""
    found: list[Part] = []
    changed = False
    for number, (word, start) in enumerate(words):
        end = start + len(word)
        before = words[number - 1] if number else ("", -1)
        after = words[number + 1][0] if number + 1 < len(words) else ""
        parts = _SPELT.get(word.lower(), (word,)) if word != "I" else (word,)
        if word.lower() in _PARTS and before[0].isalpha() and before[1] + len(before[0]) == start:
            parts = (_PARTS[word.lower()],)
        elif word.lower() == "its" and (after.lower() in _AFTER_IT_IS or _CLOCK.match(after)):
            parts = (word[:2], "'s")
        elif word.lower() == "id" and after.lower() in _AFTER_WOULD:
            parts = ("I", "'d")
        elif word.lower() == "ma" and after[:1].islower() and after not in _NOT_OWNED and before[0].lower() in _OWNED_BY_ME:
            parts = (f"{word[0]}y",)
        if _is_set_apart(words, number):
            parts = (",",)
        elif _LETS_GO.match(f"{word} {after}") or _LETS_GO.match(f"{before[0]} {word}"):
            parts = ("!",)
        elif word in {"'s", "’s"} and before[0].lower() not in _PRONOUNS and _is_told(words, number):
            parts = ("is",)
        changed = changed or parts != (word,)
        if len(parts) == 1:
            found.append((parts[0], start, end))
        else:
            cut = start + len(parts[0])
            found.extend([(parts[0], start, cut), (parts[1], cut, end)])
    return found if changed else None
