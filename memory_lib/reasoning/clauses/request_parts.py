"""A statement and a request in one breath ("I'm from Omsk, recommend me insoles"): the statement's part alone."""

from __future__ import annotations

from dataclasses import replace

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause, Who
from memory_lib.reasoning.clauses.requests import is_request
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark

_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})
_BREAKS = frozenset({",", ";", "—", "–", "-", "!"})


def without_request(clause: Clause, tree: SentenceTree, text: str) -> Clause:
    """The clause without those of its comma-separated parts that ask something; itself where nothing else is left.

    Only what the speaker says of themselves is worth the cut.
    """
    if not tree.sentence.has_tree or clause.has(Modality.ASKED) or clause.subject.who not in {Who.SELF, Who.GROUP}:
        return clause
    if not is_request(text[clause.start : clause.end], clause.language):
        return clause
    subject = clause.subject.token
    parts: list[list[int]] = [[]]
    for index in clause.own:
        if tree[index].text in _BREAKS:
            parts.append([])
        else:
            parts[-1].append(index)
    keep = [part for part in parts if part and not is_request(_said(tree, part), clause.language)]
    mine = next((part for part in keep if clause.head in part or (subject is not None and subject in part)), None)
    if mine is None or len(keep) == len([part for part in parts if part]):
        return clause
    content = [index for index in mine if tree[index].pos in _CONTENT and not is_mark(tree[index])]
    if not content:
        return clause
    head = clause.head if clause.head in mine else next((i for i in content if i != subject), content[0])
    return replace(clause, own=tuple(mine), start=tree[mine[0]].start, end=tree[mine[-1]].end, head=head)


def _said(tree: SentenceTree, part: list[int]) -> str:
    return " ".join(tree[index].text for index in part)
