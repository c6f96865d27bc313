"""How a clause hangs on another one (pure)."""

# ruff: noqa: PLR0911 - rules of language are lists of cases

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause, Cue, Link, LinkKind, Mark
from memory_lib.reasoning.clauses.clause_heads import is_feeling
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation
from memory_lib.reasoning.words.joining_words import PREPOSED


def link_of(
    tree: SentenceTree,
    head: int,
    own: Sequence[int],
    opener: tuple[LinkKind, int, int] | None,
    positions: dict[int, int],
    place: int,
) -> Link | None:
    """How the clause hangs on another. ``positions``: clause heads and their numbers; ``place``: its own number."""
    governor = next((above for above in tree.ancestors(head) if above in positions), None)
    parent = positions.get(governor) if governor is not None else None
    if opener is not None:
        kind, first, last = opener
        target = parent
        if kind in {LinkKind.THEREFORE, LinkKind.THEN, LinkKind.CONTRAST} or target is None:
            # Across a full stop too: "So I quit."
            target = place - 1 if kind not in PREPOSED or place - 1 in positions.values() else None
        if (target is None or target < 0) and kind in PREPOSED and place + 1 in positions.values():
            target = place + 1  # "Раз ты занят, пойду одна": the parser took the reason for the root
        if target is None or target < 0 or target == place:
            return None
        return Link(kind, target, Cue(tree[first].start, tree[last].end))
    # A causal word may sit at the end of the clause before: slovnet hangs it there.
    if parent is None or governor is None:
        return None
    if relation(tree[head]) in {"ccomp", "advcl"} and is_feeling(tree, governor):
        mark = tree.child(head, "mark", "advmod")
        word = tree[mark] if mark is not None else tree[governor]
        return Link(LinkKind.FEELING, parent, Cue(word.start, word.end))
    colon = next((index for index in range(own[0] - 1, max(own[0] - 3, -1), -1) if tree[index].text == ":"), None)
    if colon is None and own and tree[own[0]].text == ":":
        colon = own[0]
    if colon is not None and parent < place:
        return Link(LinkKind.COLON, parent, Cue(tree[colon].start, tree[colon].end))
    joiner = tree.child(head, "cc")
    if joiner is not None:
        return Link(LinkKind.AND, parent, Cue(tree[joiner].start, tree[joiner].end))
    return None


def is_so_i(tree: SentenceTree, own: Sequence[int]) -> bool:
    """As in "…, вот я и не приехала"."""
    words = [tree[index].text.lower() for index in own if not is_mark(tree[index])]
    return len(words) > 3 and words[0] == "вот" and "и" in words[1:3]


def then_mark(tree: SentenceTree, opener: tuple[LinkKind, int, int] | None) -> tuple[tuple[Mark, Cue], ...]:
    """The mark of a clause that "then" opens."""
    if opener is None or opener[0] is not LinkKind.THEN:
        return ()
    return ((Mark.THEN, Cue(tree[opener[1]].start, tree[opener[2]].end)),)


def with_modality(clause: Clause, modality: Modality, cue: Cue) -> Clause:
    """That clause, meant in one more way; what is meant in any way is not plainly asserted."""
    kept = tuple((found, place) for found, place in clause.modality if found is not Modality.ASSERTED)
    order = list(Modality)
    return replace(clause, modality=tuple(sorted((*kept, (modality, cue)), key=lambda item: order.index(item[0]))))
