"""Which words of a sentence are a clause's own (pure): without joining words, interjections and stray pieces."""

# ruff: noqa: C901 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

from collections.abc import Sequence

from memory_lib.domain.clause import LinkKind
from memory_lib.reasoning.clauses.clause_heads import PARENTHETIC
from memory_lib.reasoning.clauses.clause_predicates import predicate_of
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation
from memory_lib.reasoning.words.joining_words import JOINERS

_INTERJECTIONS = frozenset(
    """
    anyway anyways incidentally
    thanks yeah yes yep yup oh well wow hey hi hello btw ok okay sure aww haha lol no nope honestly ой ну да нет ага
    ладно привет спасибо слушай не блин ого ох эх кстати короче окей ок здравствуйте
    """.split()
)


_CLOSING = {"«": "»", "“": "”", "„": "“", "(": ")", "[": "]", "``": "''", "‘": "’"}


_HEDGES = frozenset(
    "наверно наверное кажется возможно может видимо вероятно пожалуй вроде maybe perhaps probably possibly".split()
)
"""Not mere exclamations: they say how sure the speaker is."""


def with_asides(tree: SentenceTree, drafts: list[tuple[int, list[int]]]) -> tuple[list[tuple[int, list[int]]], dict[int, int]]:
    """As in "Кажется, …", "…, I think": an aside of one or two words belongs to the clause beside it, never a clause of its own."""
    kept: list[tuple[int, list[int]]] = []
    waiting: list[tuple[int, list[int]]] = []
    glued: dict[int, int] = {}
    for head, own in drafts:
        words = [index for index in own if not is_mark(tree[index])]
        parenthetic = tree[head].lemma in PARENTHETIC or tree.lowered(head) in _HEDGES
        if len(words) <= 2 and parenthetic and len(drafts) > 1:
            if kept and own[0] == kept[-1][1][-1] + 1:
                kept[-1] = (kept[-1][0], sorted({*kept[-1][1], *own}))
                glued[head] = kept[-1][0]
            else:
                waiting.append((head, own))
            continue
        waited: list[int] = []
        for aside, words_of_aside in waiting:
            glued[aside] = head
            waited.extend(words_of_aside)
        waiting = []
        kept.append((head, sorted({*waited, *own})))
    return [*kept, *waiting], glued


def main_run(tree: SentenceTree, head: int, own: list[int]) -> list[int]:
    """Own words without stray ones on the far side of another clause: the run that holds the predicate and its subject."""
    runs: list[list[int]] = [[]]
    mine = set(own)
    for index in range(own[0], own[-1] + 1):
        if index in mine:
            runs[-1].append(index)
        elif not is_mark(tree[index]) and runs[-1]:
            runs.append([])
    runs = [run for run in runs if any(not is_mark(tree[index]) for index in run)]
    if len(runs) <= 1:
        return own
    needed = {
        head,
        predicate_of(tree, head),
        *tree.children(head, "nsubj", "cop", "aux"),
        *tree.children(predicate_of(tree, head), "nsubj", "obj", "cop"),
    }
    first = next((place for place, run in enumerate(runs) if needed & set(run)), 0)
    last = next((place for place in range(len(runs) - 1, -1, -1) if needed & set(runs[place])), len(runs) - 1)
    return [index for run in runs[first : last + 1] for index in run]


def trimmed_words(
    tree: SentenceTree, own: list[int], opener: tuple[LinkKind, int, int] | None, *, complement: bool
) -> list[int]:
    """The same words without joining words, interjections and marks at either end."""
    left, right = _after_interjections(tree, own), len(own)
    if complement and opener is None:
        while left < right and is_mark(tree[own[left]]):
            left += 1
        if left < right and tree[own[left]].text.lower() in {"что", "that"} and relation(tree[own[left]]) in {"mark", "advmod"}:
            left += 1
    keep_opener = opener is not None and opener[0] is LinkKind.CONDITION
    while left < right:
        token = tree[own[left]]
        inside = opener is not None and not keep_opener and own[left] <= opener[2]
        if (
            inside
            or is_mark(token)
            or (token.text.lower() in JOINERS and relation(token) in {"cc", "advmod", "mark", "discourse"})
        ):
            left += 1
        else:
            break
    if left < right - 1 and tree[own[left]].text.lower() in {"что", "that"} and tree[own[left]].pos == "SCONJ":
        left += 1
    while right > left and (is_mark(tree[own[right - 1]]) or relation(tree[own[right - 1]]) == "cc"):
        right -= 1
    # A preposed clause ends before a stray joining word of the next one; a gap inside stays.
    return own[left:right]


def with_closing_mark(tree: SentenceTree, own: Sequence[int]) -> list[int]:
    """The same tokens, with the mark that closes a quotation or bracket opened inside them ("берут в «Полином»")."""
    if not own or own[-1] + 1 >= len(tree.tokens):
        return list(own)
    after = tree[own[-1] + 1].text
    inside = [tree[index].text for index in range(own[0], own[-1] + 1)]
    if after == '"':
        return [*own, own[-1] + 1] if inside.count('"') % 2 else list(own)
    opened = sum(inside.count(mark) for mark, closing in _CLOSING.items() if closing == after)
    return [*own, own[-1] + 1] if opened > inside.count(after) else list(own)


def _after_interjections(tree: SentenceTree, own: Sequence[int]) -> int:
    """Where the clause begins after "Thanks, …", "Yeah, …", "Ой, …"."""
    left = 0
    if [tree[index].text.lower() for index in own[:3]] == ["by", "the", "way"]:
        left = 3
        while left < len(own) and is_mark(tree[own[left]]):
            left += 1
    while left + 1 < len(own):
        token, after = tree[own[left]], tree[own[left + 1]]
        word = token.text.lower()
        if word in _HEDGES:
            break
        if (token.pos == "INTJ" or word in _INTERJECTIONS) and (
            after.text in {",", "!", "-", "—"} or tree[own[left + 1]].pos == "INTJ" or after.text.lower() in _INTERJECTIONS
        ):
            left += 1
            while left < len(own) and is_mark(tree[own[left]]):
                left += 1
        elif (
            word in {"hi", "hey", "hello"}
            and after.text.lower() in {"there", "all", "everyone", "again"}
            and left + 2 < len(own)
        ):
            left += 2
            while left < len(own) and is_mark(tree[own[left]]):
                left += 1
        elif (
            left > 0
            and token.pos == "PROPN"
            and after.text == ","
            and left + 2 < len(own)
            and tree[own[left + 2]].lemma in {"i", "we", "my"}
        ):
            left += 2  # "Wow, Gina, I'm thrilled"
        elif token.pos == "INTJ" and after.pos == "PROPN" and left + 2 < len(own) and tree[own[left + 2]].text in {",", "!"}:
            left += 3  # "Hey Maria, …"
        else:
            break
    return left


def text_of(tree: SentenceTree, own: Sequence[int]) -> str:
    """The clause's own words at their own distances (what lies between belongs to another clause and becomes spaces)."""
    start = tree[own[0]].start
    letters = [" "] * (tree[own[-1]].end - start)
    for index in own:
        token = tree[index]
        letters[token.start - start : token.end - start] = token.text
    return "".join(letters)


def place_in_sentence(tree: SentenceTree, own: Sequence[int]) -> int:
    """How many words stand before the clause in its sentence."""
    return sum(1 for token in tree.tokens[: own[0]] if not is_mark(token) and token.text.lower() not in JOINERS)
