"""Feelings that a clause implies without naming them: what the body does, what people do when they are moved (pure)."""

# ruff: noqa: E501 - patterns read best on long lines
from __future__ import annotations

import re

from memory_lib.domain.candidates import Valence
from memory_lib.domain.clause import Clause, Who
from memory_lib.reasoning.feelings.feeling import Feeling, experiences, said
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, relation
from memory_lib.reasoning.words.feeling_signs import BODY_SIGNS, BODY_WORDS, DOINGS, OF_ANGER, OF_JOY

DENY = re.compile(
    r"(?:\b(?:not|never|не|ни|without|без|hardly|barely|anything but|far from|isn't|wasn't|don't|didn't)|n't)(?: (?:\w+|be|been|даже|особо|очень|very|so|too|exactly|really|quite|all that))? ?$"
)
"""What right before a sign or set phrase denies it."""
_SLEEPLESS = re.compile(
    r"\b(?:sleep\w*|slept|awake|toss\w*|eat\w*|appetite|спать|уснуть|заснуть|спится|сплю|спала?|ворочал\w*|ворочаюсь|бессон\w*|есть|аппетит\w*|сон)\b"
)


def doing(clause: Clause, tree: SentenceTree, *, tears_only: bool = False) -> Feeling | None:
    """As in "I cried all evening", "не могу уснуть третью ночь": what people do when they are moved. Of others, only tears tell."""
    words = said(clause, tree)
    for pattern, value in DOINGS:
        if tears_only and value > _OF_TEARS:
            continue
        match = pattern.search(words)
        if match is None:
            continue
        denied = DENY.search(words[: match.start()]) is not None and _UNABLE_TO_STOP.search(words[: match.start()]) is None
        if _ONION.search(fold(" ".join(token.text for token in tree.tokens))) is not None:
            return None
        if denied or _DOING_OF_A_THING.search(words) is not None:
            return None
        sleepless = _SLEEPLESS.search(match.group()) is not None
        return _sign(clause, words, value, sleepless=sleepless)
    return None


_ONION = re.compile(r"\b(?:onions?|лук(?:а|ом)?|hay fever|pollen|пыльц\w+)\b")
_OF_TEARS = -0.65
_UNABLE_TO_STOP = re.compile(
    r"\b(?:stop|quit|help|keep from|stopped|перестать|удержаться от|остановиться|остановить)(?: \w+)? $"
)
_DOING_OF_A_THING = re.compile(
    r"\b(?:onions?|лук(?:а|ом)?|jump(?:ed|ing)? rope|скакалк\w+|trampoline|батут\w*|dance class|choir|хор[еа]?|photo|фото\w*|camera|rehears\w+|репетици\w+|"
    r"cry out for|crying out for|cried wolf|lesson|урок\w*|concert|концерт\w*|club|клуб\w*|wedding dance|cat|dog|baby|кот|кошка|собака)\b"
)


def _sign(clause: Clause, words: str, value: float, *, sleepless: bool = False) -> Feeling:
    if OF_JOY.search(words) is not None:
        value = abs(value)
    elif OF_ANGER.search(words) is not None:
        value = -abs(value)
    return Feeling(
        Valence.POSITIVE if value > 0 else Valence.NEGATIVE,
        round(abs(value), 2),
        clause.head,
        named=True,
        idiom=True,
        stated=False,
        sleepless=sleepless,
    )


def body_sign(clause: Clause, tree: SentenceTree) -> Feeling | None:
    """As in "My hands were shaking", "у меня тряслись руки": the speaker's own body tells; another's or a denied one does not."""
    parts = [index for index in clause.own if tree[index].lemma in BODY_WORDS or tree[index].text.lower() in BODY_WORDS]
    if not parts:
        return None
    words = said(clause, tree)
    for part in parts:
        if not _is_mine(clause, tree, part):
            return None
    for pattern, value in BODY_SIGNS:
        match = pattern.match(words)
        if match is None:
            continue
        if clause.negated and re.search(r"\b(?:не слуша|can't|couldn't|won't|wouldn't|не хвата)", words) is None:
            return None
        return _sign(clause, words, value)
    return None


def _is_mine(clause: Clause, tree: SentenceTree, part: int) -> bool:
    owners = {tree[child].text.lower() for child in tree.children(part, "det", "nmod", "amod")}
    if clause.subject.who is Who.PERSON:
        return False
    if tree.sentence.language == "en":
        if owners & {"his", "her", "their", "your", "its"}:
            return False
        return any(tree[i].text.lower() in {"my", "i", "me"} for i in clause.own) or (
            not tree.children(part, "det", "nmod") and clause.subject.token in {None, part}
        )
    owned = any(
        relation(tree[child]) == "nmod" and tree[child].pos in {"NOUN", "PROPN", "PRON"} and tree.case(child) == ""
        for child in tree.children(part)
    )
    other = clause.experiencer is not None and not experiences(clause, tree)
    return not (other or owners & {"его", "ее", "её", "их", "твои", "твоя", "ваши"} or owned)
