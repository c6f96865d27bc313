"""Clefts (pure): "It's Reuben who has asthma", "it wasn't Tom that rang": what is said, and of whom it is said."""

from __future__ import annotations

from memory_lib.reasoning.trees.sentence_tree import SentenceTree

_RELATIVES = frozenset({"who", "that", "which"})


def clefted_verb(tree: SentenceTree, head: int) -> int | None:
    """The verb said of that noun, where the noun is what "it is … who" puts first; else None."""
    if tree.sentence.language != "en" or tree[head].pos not in {"PROPN", "NOUN", "PRON"} or not tree.children(head, "cop"):
        return None
    if not any(tree.lowered(child) == "it" for child in tree.children(head, "nsubj", "expl")):
        return None
    for child in tree.children(head, "acl", "ccomp", "advcl"):
        relative = [k for k in tree.children(child, "nsubj") if tree.lowered(k) in _RELATIVES]
        if child > head and relative and relative[0] > head and tree[child].pos in {"VERB", "AUX", "ADJ", "NOUN"}:
            return child
    return None
