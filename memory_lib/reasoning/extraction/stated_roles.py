"""What the speaker says they are in passing, inside a question (pure): "as a nurse I need …", "мне, как сыроеду, …"."""

from __future__ import annotations

from dataclasses import replace

from memory_lib.domain.candidates import Modality, NodeType
from memory_lib.domain.clause import Clause
from memory_lib.reasoning.extraction.reading import Draft, Reading, Whom
from memory_lib.reasoning.people.human_nouns import is_human
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark
from memory_lib.reasoning.words.topic_words import topic_of

_AS = frozenset({"as", "как"})
_SELF = frozenset({"i", "me", "my", "we", "our", "я", "мне", "меня", "мой", "мы", "нам"})
_LONGEST = 8


def read_role(reading: Reading, clause: Clause, tree: SentenceTree) -> None:
    """Adds the role as a fact of its own; the question around it stays a question."""
    words = [k for k in clause.own if not is_mark(tree[k])]
    if not any(tree.lowered(k) in _SELF for k in words):
        return
    for place, index in enumerate(words[:-1]):
        if tree.lowered(index) not in _AS:
            continue
        if place > 0 and not is_mark(tree[index - 1]) and tree.lowered(index - 1) not in _SELF:
            continue  # "works as a nurse", "same as a nurse"
        noun = next(
            (k for k in words[place + 1 : place + 5] if is_human(tree, k) or tree.lowered(k) in {"someone", "somebody"}), None
        )
        article = tree.lowered(words[place + 1]) in {"a", "an", "someone", "somebody"}
        if noun is None or (clause.language == "en" and not article):
            continue
        last = noun
        while last + 1 in clause.own and last - index < _LONGEST and _goes_on(tree, noun, last + 1):
            last += 1
        whom = Whom(reading.self_about, sure=False)
        candidate = reading.candidate(
            clause, NodeType.FACT, "fact.role/1", whom, confidence=reading.params.confidence_implied,
            importance=reading.params.importance_plain, topic=topic_of([tree[k].lemma for k in range(index, last + 1)]),
            modality=(Modality.ASSERTED,),
        )  # fmt: skip
        start, end = tree[index].start, tree[last].end
        reading.drafts.append(
            Draft(replace(candidate, start=start, end=end, content=reading.text[start:end], polarity=True), None)
        )
        return


def _goes_on(tree: SentenceTree, noun: int, index: int) -> bool:
    """Whether that token belongs to the noun's own phrase ("a nurse on nights")."""
    return not is_mark(tree[index]) and noun in set(tree.ancestors(index))
