"""Whether a sentence asks (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark

_QUESTION_WORDS = frozenset(
    """
    who what where when why how which whose кто что где куда когда почему зачем как какой сколько откуда чей каков ли
    """.split()
)


def asks_without_mark(tree: SentenceTree) -> bool:
    """As in "Какая мне от них польза": a question word first and no exclamation."""
    words = [
        token for token in tree.tokens if not is_mark(token) and token.text.lower() not in {"а", "и", "ну", "and", "so", "но"}
    ]
    if not words or tree.tokens[-1].text.startswith("!"):
        return False
    if len(words) > 1 and (words[0].text.lower(), words[1].text.lower()) in {
        ("как", "только"),
        ("как", "раз"),
        ("что", "касается"),
        ("what", "'s"),
    }:
        return False
    return words[0].lemma in {
        "как",
        "какой",
        "почему",
        "зачем",
        "сколько",
        "кто",
        "чем",
        "откуда",
        "what",
        "how",
        "why",
        "who",
        "which",
    } and (words[0].text.lower() not in {"how", "what"} or (len(words) > 1 and words[1].pos in {"AUX", "VERB"}))


_ASKING_EN = frozenset("what how where which why when who whats".split())
_BEFORE_QUESTION = frozenset("so and but or ok okay also well anyway then now please hey oh".split())
_ASKED_OF = frozenset("i you we it he she they there this that".split())
_BE_SHORT = frozenset({"is", "are", "s", "'s", "was", "were"})


def asks_by_inversion(tree: SentenceTree, own: Sequence[int]) -> bool:
    """As in "im breastfeeding so what can i take", "do you think i could": the verb stands before its subject."""
    if tree.sentence.language != "en":
        return False
    words = [index for index in own if not is_mark(tree[index])]
    while words and tree.lowered(words[0]) in _BEFORE_QUESTION:
        words.pop(0)
    if len(words) < 3 or any(after - before > 1 for before, after in pairwise(words[:3])):
        return False
    first, second, third = (tree.lowered(index) for index in words[:3])
    if (
        (first, second, third) == ("what", "am", "i")
        and len(words) > 3
        and tree[words[3]].lemma in {"say", "talk", "like", "on"}
    ):
        return False  # an outcry at one's own slip
    if first in _ASKING_EN:
        if tree[words[1]].pos == "AUX" and third in _ASKED_OF and second not in _BE_SHORT:
            return True
        whats = first == "what" and second in {"s", "is", "are"} and third in {"the", "a", "your", "my"}
        return whats and tree[words[1]].head == words[0] and not tree.children(words[0], "csubj", "ccomp")
    opens = words[0] == next(index for index, token in enumerate(tree.tokens) if not is_mark(token))
    return opens and first in _INVERTED and tree[words[0]].pos == "AUX" and second in _ASKED_OF | _OWNERS and second != "there"


_OWNERS = frozenset("my your our his her the any a".split())
_INVERTED = frozenset("do does did can could would should will is are am".split())


def has_question_word(tree: SentenceTree, own: Sequence[int]) -> bool:
    """Whether one of these words asks."""
    return any(tree[index].lemma in _QUESTION_WORDS for index in own)
