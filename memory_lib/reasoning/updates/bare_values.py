"""A correction that is nothing but its value (pure): "39 actually, …", "1967-го он, я перепутала", "oops, meant the 12th".

What is put right is not named again, and what stands beside the value is an apology. The value becomes a clause of its own; which
earlier statement it puts right is looked for in formation.
"""

# ruff: noqa: E501 - word lists read best on long lines
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause, Cue, PredicateKind, Subject, Tense, Who
from memory_lib.domain.number_words import number_of
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark

_DISMAY = frozenset(
    """
    oops whoops ah oh no nope nah sorry wait argh ugh correction scratch that doh er erm um hang on my bad hold
    ой ах ох упс тьфу блин чёрт черт нет неа стоп пардон сорри поправка погоди погодите подожди то есть извини извините прости простите
    """.split()
)
_SELF_PUT_RIGHT = frozenset("actually meant вообще-то точнее вернее в_смысле".split())
_BESIDE = frozenset(
    """
    it it's its is was 's be it'd should meant actually the a of in on at from to by for about only just already now yes i mean
    он она оно они это этот уже вообще-то точнее вернее в во на с со к ко из от до за по у ему ей мне нам там же а и ведь лет год года году г даже вообще всё-таки все-таки даже
    hello o'clock pm am years old th
    """.split()
)
_TIMES = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october
    november december понедельник вторник среда четверг пятница суббота воскресенье январь февраль март апрель май июнь июль
    август сентябрь октябрь ноябрь декабрь tomorrow завтра послезавтра
    """.split()
)
_MISTAKING = frozenset(
    """
    ошибиться перепутать спутать напутать оговориться описаться обсчитаться просчитаться вру соврать врать наврать путать
    забыть имел mistake misremember misread miscount mistype misspoke misspeak confuse mix
    """.split()
)
_CHECKING = frozenset(
    """
    перемерить пересчитать перепроверить уточнить переспросить свериться recheck remeasure recount double-check ошибиться перепутать
    спутать напутать оговориться описаться обсчитаться misremember misread miscount mistype
    """.split()
)
"""Having looked again, or having been wrong, announces what is put right, wherever it stands."""
_BREAKS = frozenset({",", ";", "—", "–", "-", ".", "!", "…", ":", "(", ")"})
_NUMBER = re.compile(r"\d[\d.,:]*(?:-?[а-яa-z]{1,3})?")
_LONGEST = 6
"""Words that such a correction has at most."""


def bare_value(clause: Clause, tree: SentenceTree, *, announced: bool, denied: bool) -> Clause | None:
    """The clause cut down to its bare value, None where it says more. ``announced``: words near it announce a correction."""
    if not tree.sentence.has_tree or clause.has(Modality.ASKED) or clause.has(Modality.ORDERED):
        return None
    dismayed = announced or denied or any(token.lemma in _CHECKING for token in tree.tokens)
    own = set(clause.own)
    whole = denied and not any(tree[k].text in _BREAKS for k in clause.own)
    segments = [list(clause.own)] if whole else _segments(tree)
    for segment in segments:
        words = [k for k in segment if not is_mark(tree[k])]
        if words and all(tree.lowered(k) in _DISMAY for k in words):
            dismayed = True
            continue
        while words and tree.lowered(words[0]) in _DISMAY:
            words.pop(0)
            dismayed = True
        values = _values(tree, words, denied=denied)
        if not values:
            if _denies(tree, words) or any(tree[k].lemma in _MISTAKING for k in words):
                dismayed = True
                continue
            return None  # something else is told first
        put_right = any(
            tree.lowered(k) in _SELF_PUT_RIGHT for k in (*words, *range(words[-1] + 1, min(words[-1] + 3, len(tree.tokens))))
        )
        if not (dismayed or put_right) or not own & set(values):
            return None
        return _made(clause, tree, words, values[-1])
    return None


def _denies(tree: SentenceTree, words: Sequence[int]) -> bool:
    """As in "не 1974-м": what it is not."""
    return bool(words) and tree.lowered(words[0]) in {"не", "not"} and bool(_values(tree, words[1:], denied=True))


def _segments(tree: SentenceTree) -> list[list[int]]:
    found: list[list[int]] = [[]]
    for index, token in enumerate(tree.tokens):
        if token.text in _BREAKS:
            found.append([])
        else:
            found[-1].append(index)
    return [segment for segment in found if segment]


def _values(tree: SentenceTree, words: Sequence[int], *, denied: bool) -> list[int]:
    """The value's tokens; none where any other content word stands beside them."""
    if not words or len(words) > _LONGEST:
        return []
    found: list[int] = []
    for k in words:
        token, lowered = tree[k], tree.lowered(k)
        named = token.text[:1].isupper() and len(token.text) > 1 and (token.pos in {"PROPN", "X"} or denied)
        if _NUMBER.fullmatch(lowered) or number_of(lowered) is not None or token.lemma in _TIMES or named:
            found.append(k)
        elif lowered not in _BESIDE:
            return []
    return found


def _made(clause: Clause, tree: SentenceTree, words: Sequence[int], head: int) -> Clause:
    start, end = tree[words[0]].start, tree[words[-1]].end
    return replace(
        clause, start=start, end=end, head=head, own=tuple(words), kind=PredicateKind.FRAGMENT, subject=Subject(Who.NONE),
        experiencer=None, tense=Tense.NONE, perfect=False, modality=((Modality.ASSERTED, Cue(start, end)),), negated=False, link=None,
    )  # fmt: skip
