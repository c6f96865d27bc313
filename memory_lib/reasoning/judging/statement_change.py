"""What a newer sentence does to an older one of the same person: closes it, may close it, or nothing (pure).

Strict: both said of oneself, near in meaning, and one quantity of one unit or one single-valued property with another value; that
closes by itself. Wide: a word of change, the learnt "announces a change", or a quantity further off; that is only proposed
(OFFLINE, Updates: wide rules fire on two of five pairs of one topic that are no update).
"""

# ruff: noqa: E501 - patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from memory_lib.reasoning.judging.quantities import Quantity, quantities
from memory_lib.reasoning.trees.folding import fold


class ChangeVerdict(StrEnum):
    """What may be done with the older sentence."""

    CLOSES = "closes"
    PROPOSES = "proposes"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeParams:
    """``closes``, ``proposes``: calibrated cosines from which a pair may do so. ``near``: from which a change announced by a word
    or by the head is proposed. ``announces``: the head's share of "change" that counts. Confidences of the two verdicts.
    """

    closes: float
    proposes: float
    near: float
    announces: float
    confidence_closes: float
    confidence_proposes: float


STATEMENT_CHANGE = ChangeParams(
    closes=0.55,  # ours: OFFLINE §5 has .6 for a rule without the vetoes
    proposes=0.5,  # OFFLINE §5
    near=0.6,  # ours: at .5 another seventh of the pairs that are no update is proposed
    announces=0.6,
    confidence_closes=0.8,
    confidence_proposes=0.5,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One sentence. ``slots``: its single-valued properties (key → value, as the slot rules give them), if any."""

    text: str
    slots: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementChange:
    """``rule``: which one spoke."""

    verdict: ChangeVerdict
    confidence: float
    rule: str


_NOTHING = StatementChange(verdict=ChangeVerdict.NOTHING, confidence=0.0, rule="nothing")


def statement_change(
    older: Said, newer: Said, *, cosine: float, change: float | None = None, params: ChangeParams = STATEMENT_CHANGE
) -> StatementChange:
    """The verdict over a pair of sentences said by one person of themselves, the newer one later in time.

    Args:
        cosine: calibrated, of the two sentences.
        change: the head's share of "change" for the newer one; None without an embedder.
    """
    old, new = fold(older.text), fold(newer.text)
    if not _OWN.search(old) or not _OWN.search(new) or _FORMER.search(new) or new.rstrip().endswith("?"):
        return _NOTHING
    if any(key in newer.slots and fold(newer.slots[key]) != fold(value) for key, value in older.slots.items()):
        closes = cosine >= params.proposes
        return _said(ChangeVerdict.CLOSES if closes else ChangeVerdict.PROPOSES, "change.slot/1", params)
    if cosine >= params.proposes and quantities_conflict(quantities(older.text), quantities(newer.text)):
        paid = _PRICE_PAID.search(old) or _PRICE_PAID.search(new)
        closes = cosine >= params.closes and not paid and not _names_differ(older.text, newer.text)
        return _said(ChangeVerdict.CLOSES if closes else ChangeVerdict.PROPOSES, "change.quantity/1", params)
    announced = _CHANGED.search(new) is not None or (change is not None and change >= params.announces)
    if cosine >= params.near and announced:
        return _said(ChangeVerdict.PROPOSES, "change.announced/1", params)
    return _NOTHING


def _said(verdict: ChangeVerdict, rule: str, params: ChangeParams) -> StatementChange:
    confidence = params.confidence_closes if verdict is ChangeVerdict.CLOSES else params.confidence_proposes
    return StatementChange(verdict=verdict, confidence=confidence, rule=rule)


def quantities_conflict(older: tuple[Quantity, ...], newer: tuple[Quantity, ...]) -> bool:
    """Whether both tell a quantity of one unit and no value of that unit is common to both."""
    for one in older:
        same = [other for other in newer if one.unit & other.unit]
        if same and all(other.value != one.value for other in same):
            return True
    return False


_OWN = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|my|mine|me|we|we're|we've|our|us|я|мне|меня|мной|мой|моя|мое|мои|моего|моей|мою|моих|мы|нас|нам|наш|наша|наши|нашей)\b"
)


def _names_differ(one: str, other: str) -> bool:
    """Whether both name something, and hardly the same: two courses, two books, two shops."""
    left, right = _names(one), _names(other)
    return bool(left) and bool(right) and len(left & right) < _SHARED_NAMES * min(len(left), len(right))


def _names(text: str) -> set[str]:
    return {name for groups in _NAME.findall(text) for name in groups if name and name not in _NO_NAMES}


_NAME = re.compile(r"(?<=[\w,;:\"'(«“] )[\"'(«“]?([A-ZА-ЯЁ][\w&]+)|(?<=[\"«“])([A-ZА-ЯЁ]\w+)|\b([a-z]+[A-Z]\w*)")
_NO_NAMES = frozenset(
    """
    The A An I'm I've I'd I'll By And But In On At Of Oh AM PM Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays
    Wednesdays Thursdays Fridays Saturdays Sundays January February March April May June July August September October November
    December
    """.split()
)
_SHARED_NAMES = 0.5
_PRICE_PAID = re.compile(
    r"\b(?:costs?|cost me|for (?:only |just )?\$|for \d+ (?:dollars|руб)|paid|стоил\w*|заплатил\w*|за \d+ руб)\b"
)
_FORMER = re.compile(r"\b(?:used to|back when|years ago|as a (?:kid|child)|раньше|когда-то|в детстве)\b")
_CHANGED = re.compile(
    r"\b(?:now|currently|no longer|not any ?more|anymore|these days|nowadays|lately|recently|just|finally|already|actually|instead|switched|switching|changed|moved|quit|left|stopped|started|became|become|got|upgraded|"
    r"replaced|increased|decreased|reached|finished|completed|new|again|so far|broke up|sold|bought|turned|up to|down to|"
    r"теперь|сейчас|больше не|уже|недавно|только что|наконец|вместо|перешел|перешла|сменил\w*|поменял\w*|переехал\w*|уволил\w*|ушел|ушла|бросил\w*|перестал\w*|начал\w*|стал[аи]?|купил\w*|продал\w*|"
    r"исполнилось|перенесли|отменили|снова|опять|расстал\w+|женил\w+|вышла замуж|развел\w+|новый|новая|новое|новую)\b"
)
