"""Whether a turn asks again, in other words, what one of the last turns asked (pure; OFFLINE, Displeasure).

Meaning is near and wording is not: a cosine says the former. What it cannot see is a next question on the same topic: one word
in the other's place ("tea in the morning", "tea in the evening"), the same opening with another rest ("how do I keep it", "how
do I brew it"), a turn that goes on ("and …", "а …"), or a long turn that tells something new.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory_lib.reasoning.trees.folding import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class RephrasedParams:
    """``cosine``: calibrated, from which a turn may repeat. ``turns``: of the person, looked back. ``words``: of a turn that
    may only ask again. ``same_letters``: at which two words count as one (endings follow). ``another_rest``: content words on
    each side up to which, under the same opening, another thing is asked.
    """

    cosine: float
    turns: int
    words: int
    same_letters: int
    another_rest: int


REPHRASED = RephrasedParams(
    cosine=0.65,  # OFFLINE §4 has .62 under another mean; under the shipped one .62 fires on 4.8 % of Russian pairs
    turns=3,  # OFFLINE §4
    words=25,  # ours
    same_letters=4,  # ours: "книга", "книгу"; "recipe", "recipes"
    another_rest=3,  # ours
)


def repeated_turn(
    text: str, *, earlier: Sequence[str], cosines: Sequence[float], params: RephrasedParams = REPHRASED
) -> int | None:
    """The place in ``earlier`` (newest first) of the turn that ``text`` repeats in other words, or None.

    Args:
        cosines: calibrated, of ``text`` with each earlier turn.
    """
    for place, (turn, cosine) in enumerate(list(zip(earlier, cosines, strict=True))[: params.turns]):
        if cosine >= params.cosine and not asks_something_else(text, turn, params=params):
            return place
    return None


def asks_something_else(text: str, other: str, *, params: RephrasedParams = REPHRASED) -> bool:
    """Whether the words of ``text`` show that it is no repeat of ``other``, however near the two are."""
    folded, before = fold(text), fold(other)
    if len(_WORD.findall(folded)) > params.words or _GOING_ON.search(folded):
        return True
    numbers = set(_NUMBER.findall(folded)), set(_NUMBER.findall(before))
    if all(numbers) and numbers[0] != numbers[1]:
        return True
    opening = _opening(folded)
    if opening is None or opening != _opening(before):
        return False
    left, right = _content(folded, params), _content(before, params)
    only_left, only_right = left - right, right - left
    if not only_left or not only_right or not left & right:
        return False
    return max(len(only_left), len(only_right)) <= params.another_rest


_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_GOING_ON = re.compile(r"^\W*(?:а|и|или|окей|ок|тогда|так если|and|or|also|what about|how about)\b")
_OPENING = re.compile(
    r"\b(как\w{0,3}|что|чем|кто|где|куда|откуда|когда|почему|зачем|сколько|можно|стоит ли|нужно|бывает|"
    r"what|which|who|how (?:much|many|long|often)|how|where|when|why|can|could|is|are|do|does|did|will|should)\b"
)
_ASKING_WORDS = frozenset(
    """
    как какой какая какое какие каков какую что чем кто где куда откуда когда почему зачем сколько можно нужно нужен надо мне
    меня вы для без при про под или это этот эта есть ли бы же не на по из за от до во со об еще раз скажи подскажи расскажи
    посоветуй объясни напиши найди дай составь покажи помоги можешь пожалуйста лучше хочу знать узнать рецепт
    what which who how when where why can could should would do does did is are was the and for with without from into about any
    some need want please tell give show find explain write recommend suggest help know me my you your there that this again
    best good way recipe
    """.split()
)
"""Words that only ask: to change one asks the same."""


def _opening(folded: str) -> str | None:
    match = _OPENING.search(folded)
    if match is None:
        return None
    return "какой" if re.fullmatch(r"как\w{2,3}", match[1]) else match[1]


def _content(folded: str, params: RephrasedParams) -> set[str]:
    found = (word for word in _WORD.findall(folded) if word not in _ASKING_WORDS and len(word) > 2)
    return {word[: params.same_letters] for word in found}
