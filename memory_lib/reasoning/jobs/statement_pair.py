"""What two statements have in common and what sets them apart: the features that no cosine sees (TRAPS, Models)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_lib.domain.candidates import NodeType
from memory_lib.reasoning.trees.folding import fold

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_STEM = 4
"""Letters that a Russian or English word keeps in all its forms; shorter words are compared whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One side of a comparison. ``about``: "self" or who else; ``polarity`` False = denied; ``date``: ISO, or empty."""

    text: str
    type: NodeType
    about: str = "self"
    polarity: bool = True
    slot_key: str | None = None
    slot_value: str | None = None
    slot_single: bool = False
    date: str = ""


def words(text: str) -> str:
    """The words alone, as one listens to them."""
    return " ".join(_WORD.findall(fold(text)))


def stems(text: str) -> frozenset[str]:
    """Content words, cut to what stays the same in every form of them."""
    return frozenset(word[:_STEM] for word in _WORD.findall(fold(text)) if len(word) >= _STEM - 1 and word not in _EMPTY)


def numbers(text: str) -> frozenset[str]:
    """Numbers as written."""
    return frozenset(_NUMBER.findall(text))


def swapped(one: str, other: str) -> bool:
    """Whether the two differ by a number or by a content word on each side, so that near is not the same."""
    if numbers(one) != numbers(other):
        return True
    left, right = stems(one), stems(other)
    return bool(left - right) and bool(right - left) and bool(left & right)


def same_value(one: str, other: str) -> bool:
    """Whether two values of a slot are one value in two forms ("в Казани", "Казань")."""
    return words(one) == words(other) or (bool(stems(one)) and stems(one) == stems(other) and numbers(one) == numbers(other))


_EMPTY = frozenset(
    """
    это этот эта эти был была было были быть есть что как так там тут уже еще очень тоже мой моя мое мои наш меня мне она они
    его для при про под над или если чтобы когда потом
    the and for are was were have has had that this with from into about just also very been being will would could should
    mine our you your his her they them their its than then when
    """.split()
)
