"""Whether a sentence asks (pure)."""

from __future__ import annotations

from collections.abc import Sequence

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


def has_question_word(tree: SentenceTree, own: Sequence[int]) -> bool:
    """Whether one of these words asks."""
    return any(tree[index].lemma in _QUESTION_WORDS for index in own)
