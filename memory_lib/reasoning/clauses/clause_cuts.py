"""Clauses cut where an unmistakable causal word stands inside them: "Минус сорок, поэтому занятия отменили" (pure).

The parser opens no clause for a side without a verb, or hangs the joining word elsewhere; the word says where one begins.
"""

# ruff: noqa: E501 - word lists read best on long lines
from __future__ import annotations

from collections.abc import Sequence

from memory_lib.domain.syntax import ROOT
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation

_WORDS = tuple(
    tuple(words.split())
    for words in (
        "потому что", "потому , что", "так как", "поскольку", "ибо", "из-за того что", "из-за того , что", "так что", "поэтому", "вот и",
        "вот почему", "вот отчего", "вот поэтому", "отсюда и", "оттого и", "потому и", "в результате", "вследствие чего", "из-за чего",
        "because", "therefore", "that's why", "which is why", "hence", "that 's why", "as a result", "so i", "so we", "so now", "so my", "so the",
    )
)  # fmt: skip
_FIRST = frozenset(words[0] for words in _WORDS)
_BEFORE = frozenset({",", "-", "–", "—", ";", "(", "..."})


def cut_at_causal_words(tree: SentenceTree, drafts: Sequence[tuple[int, list[int]]]) -> list[tuple[int, list[int]]]:
    """The drafts (head, own tokens), those cut in two that hold such a word in their middle."""
    found: list[tuple[int, list[int]]] = []
    for head, own in drafts:
        place = _place(tree, own)
        if place is None:
            found.append((head, own))
            continue
        left, right = own[:place], own[place:]
        other = right if head in left else left
        top = _top(tree, other)
        if top is None:
            found.append((head, own))
            continue
        mine = left if head in left else right
        found.extend(sorted([(head, mine), (top, other)], key=lambda draft: draft[1][0]))
    return found


def _place(tree: SentenceTree, own: Sequence[int]) -> int | None:
    """Where in ``own`` the joining word begins, with words enough on either side."""
    for place in range(1, len(own)):
        if tree.lowered(own[place]) not in _FIRST:
            continue
        marked = is_mark(tree[own[place] - 1]) and tree[own[place] - 1].text in _BEFORE
        if not marked and tree.lowered(own[place]) not in {"because", "потому"}:
            continue
        if sum(1 for k in own[:place] if not is_mark(tree[k])) < 2:
            continue
        for words in _WORDS:
            chunk = own[place : place + len(words)]
            if len(chunk) == len(words) and all(tree.lowered(k) == word for k, word in zip(chunk, words, strict=True)):
                after = own[place + len(words) :]
                enough = sum(1 for k in after if not is_mark(tree[k])) >= (1 if words[0] == "so" or words[-1] == "и" else 2)
                of_noun = bool(after) and words == ("because",) and tree.lowered(after[0]) == "of"
                if enough and not of_noun and relation(tree[chunk[0]]) != "case":
                    return place
    return None


def _top(tree: SentenceTree, part: Sequence[int]) -> int | None:
    """The word of that part that carries it: hung outside of the part, a verb rather than a noun, no joining word."""
    inside = set(part)
    tops = [
        k
        for k in part
        if (tree[k].head == ROOT or tree[k].head not in inside) and tree[k].pos in {"VERB", "AUX", "NOUN", "ADJ", "ADV", "PROPN", "NUM", "PRON"}
        and tree.lowered(k) not in _FIRST
    ]  # fmt: skip
    if not tops:
        tops = [k for k in part if tree[k].pos in {"VERB", "NOUN", "ADJ", "NUM"}]
    order = {"VERB": 0, "AUX": 0, "ADJ": 1, "NOUN": 2, "PROPN": 2, "NUM": 3, "ADV": 4, "PRON": 5}
    return min(tops, key=lambda k: (order[tree[k].pos], k), default=None)
