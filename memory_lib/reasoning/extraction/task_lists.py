"""Tasks told in a row: "To do: get the clock valued, write to the widow, fix the gate". Each becomes an open loop of its own.

Two shapes, found by structure: what follows a heading that ends in a colon, cut at commas; and verbs of one tasking coordinated
in the tree ("I need to call the bank and book the dentist").
"""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from memory_lib.domain.candidates import Candidate, Modality, NodeType
from memory_lib.domain.clause import Clause
from memory_lib.domain.syntax import Language
from memory_lib.reasoning.extraction.reading import Draft, Reading, Whom
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation
from memory_lib.reasoning.words.topic_words import topic_of

RULE = "open_loop.list/1"
_HEADING: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:to[- ]?do|to[- ]?dos?(?: list)?|things? (?:left )?to do|left to do|still to do|(?:my|our|the) (?:\w+ )?list|errands|jobs|chores)\b"),
    "ru": re.compile(
        r"\b(?:надо|нужно|осталось|предстоит|дела|дел|хвост\w*|список(?: дел)?|в списке|задач\w*|планы|сделать|успеть|не забыть|на очереди)\b"
    ),
}  # fmt: skip
_SPLIT = re.compile(r"\s*(?:[,;\n]|(?<=\s)(?:and|и|а также|then|потом)(?=\s))+\s*")
_SHORTEST = 2
_FEWEST = 2


def read_task_lists(reading: Reading) -> None:
    """Adds the items of lists, and cuts coordinated tasks apart."""
    for number, tree in enumerate(reading.trees):
        room = len(reading.drafts) < reading.params.max_candidates
        if room and tree.sentence.has_tree and tree.sentence.tokens and not _heading_list(reading, number, tree):
            _bare_list(reading, number, tree)
    for place, draft in enumerate(tuple(reading.drafts)):
        clause = draft.clause
        if (
            draft.candidate.type is NodeType.OPEN_LOOP
            and draft.candidate.rule.startswith("open_loop.task")
            and clause is not None
        ):
            _cut_apart(reading, place, draft, reading.trees[clause.sentence], clause)


def _heading_list(reading: Reading, number: int, tree: SentenceTree) -> bool:
    text = reading.text[tree.sentence.start : tree.sentence.end]
    colon = text.find(":")
    if colon < 0 or not _HEADING[tree.sentence.language].search(fold(text[:colon])):
        return False
    return _items(reading, number, tree, colon + 1, len(text))


def _bare_list(reading: Reading, number: int, tree: SentenceTree) -> bool:
    """Russian: a sentence of nothing but infinitives ("Продлить допуск, вернуть перфоратор, найти покупателя")."""
    if tree.sentence.language != "ru" or reading.text[tree.sentence.start : tree.sentence.end].rstrip().endswith("?"):
        return False
    verbs = [token for token in tree.tokens if token.pos == "VERB"]
    tops = [i for i, token in enumerate(tree.tokens) if token.pos == "VERB" and (i in tree.roots or relation(token) == "conj")]
    infinitives = [token for token in verbs if token.features.get("VerbForm") == "Inf"]
    if len(tops) < _FEWEST or len(infinitives) < len(tops) or any(t.features.get("VerbForm") != "Inf" for t in verbs):
        return False
    if tree.tokens[0].features.get("VerbForm") != "Inf":
        return False
    return _items(reading, number, tree, 0, tree.sentence.end - tree.sentence.start)


def _items(reading: Reading, number: int, tree: SentenceTree, begin: int, end: int) -> bool:
    """Items between these places of the sentence, if each begins with a verb; whatever else was made of them goes."""
    base = tree.sentence.start
    text = reading.text[base : base + end]
    cuts = [(m.start(), m.end()) for m in _SPLIT.finditer(text, begin)]
    starts = [begin, *[after for _, after in cuts]]
    ends = [*[before for before, _ in cuts], len(text)]
    verbs = {token.start - base for token in tree.tokens if token.pos in {"VERB", "AUX"} and _bare(tree, token.features)}
    spans: list[list[int]] = []
    for start, stop in zip(starts, ends, strict=True):
        left = start + len(text[start:stop]) - len(text[start:stop].lstrip())
        right = start + len(text[start:stop].rstrip(" .!…"))
        if right <= left:
            continue
        if left in verbs or not spans:
            spans.append([left, right])
        else:
            spans[-1][1] = right
    spans = [span for span in spans if span[0] in verbs]
    if len(spans) < _FEWEST:
        return False
    clause = next((c for c in reading.clauses if c.sentence == number), None)
    if clause is None:
        return False
    first, last = base + spans[0][0], base + spans[-1][1]
    for place in reversed(range(len(reading.drafts))):
        candidate = reading.drafts[place].candidate
        inside = candidate.start < last and first < candidate.end
        if inside and candidate.type is not NodeType.PERSON:
            reading.drop(place)
    for left, right in spans:
        reading.drafts.append(Draft(_loop(reading, clause, tree, base + left, base + right), None))
    return True


def _bare(tree: SentenceTree, features: Mapping[str, str]) -> bool:
    form = features.get("VerbForm")
    return form == "Inf" if tree.sentence.language == "ru" else form in {"Inf", "Fin", None}


def _loop(reading: Reading, clause: Clause, tree: SentenceTree, start: int, end: int) -> Candidate:
    lemmas = [token.lemma for token in tree.tokens if start <= token.start < end and not is_mark(token)]
    candidate = reading.candidate(
        clause, NodeType.OPEN_LOOP, RULE, Whom(reading.self_about), confidence=reading.params.confidence_planned,
        importance=reading.params.importance_dated, topic=topic_of(lemmas), modality=(Modality.ASSERTED,),
    )  # fmt: skip
    return replace(candidate, start=start, end=end, content=reading.text[start:end], polarity=True)


def _cut_apart(reading: Reading, place: int, draft: Draft, tree: SentenceTree, clause: Clause) -> None:
    """As in "I need to call the bank and book the dentist": the second task on its own words."""
    own = set(clause.own)
    heads = [i for i in clause.own if tree[i].pos == "VERB" and relation(tree[i]) in {"xcomp", "csubj", "ccomp", "root"}]
    for head in heads:
        seconds = [
            child
            for child in tree.children(head, "conj")
            if child in own and tree[child].pos == "VERB" and tree.children(child, "obj", "obl", "xcomp", "iobj")
        ]
        if not seconds:
            continue
        pieces = [[i for i in tree.subtree(child, without=seconds) if i in own and not is_mark(tree[i])] for child in seconds]
        pieces = [[i for i in piece if relation(tree[i]) != "cc" and tree[i].pos != "CCONJ"] for piece in pieces]
        pieces = [piece for piece in pieces if len(piece) >= _SHORTEST]
        if not pieces:
            continue
        first = min(tree[piece[0]].start for piece in pieces)
        candidate = draft.candidate
        before = [i for i in clause.own if tree[i].start < first and not is_mark(tree[i]) and tree[i].pos != "CCONJ"]
        if not before or tree[before[-1]].end <= candidate.start:
            continue
        stop = tree[before[-1]].end
        shorter = replace(candidate, end=stop, content=reading.text[candidate.start : stop])
        reading.drafts[place].candidate = shorter
        for piece in pieces:
            left, right = tree[piece[0]].start, tree[piece[-1]].end
            item = replace(candidate, start=left, end=right, content=reading.text[left:right], rule=RULE)
            reading.drafts.append(Draft(item, None))
        return
