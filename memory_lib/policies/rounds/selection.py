"""Which rounds are handed to the assistant (DESIGN §4, Recall: at most 4 rounds and 3,000 characters).

From the best turn downwards each turn enters with the turn before it in its session, as long as the whole stays inside both
limits; where it does not, the turn is tried alone, then passed over for the next. Turns that overlap or touch make one round. A
turn too long is cut around what was asked for and the round says so: here only, nothing is ever cut where it is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from memory_lib.domain.ids import MessageId
from memory_lib.policies.rounds.index import RoundIndex
from memory_lib.policies.rounds.params import SelectionParams
from memory_lib.policies.rounds.scoring import RoundScores

Window = Callable[[str, int], tuple[int, int]]
"""(text, width) → (start, end) of the part worth keeping, at most ``width`` long."""

ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class SelectedRound:
    """Neighbouring turns of one session, oldest first; ``shown`` are the words of each to hand over.

    ``turns``: their places in the index. ``at_us``: of the first. ``score``, ``parts``: of the best turn. ``cut``: a turn is
    shown in part, with an ellipsis where words are missing.
    """

    messages: tuple[MessageId, ...]
    shown: tuple[str, ...]
    turns: tuple[int, ...]
    at_us: int
    score: float
    parts: Mapping[str, float]
    cut: bool


def turns_considered(index: RoundIndex, scores: RoundScores, *, params: SelectionParams) -> tuple[MessageId, ...]:
    """The messages that ``select_rounds`` may show: those whose text must be opened for it."""
    wanted: dict[int, None] = {}
    for turn in _asked_for(scores, params=params):
        wanted[turn] = None
        before = index.before(turn)
        if before is not None:
            wanted[before] = None
    return tuple(index.messages[turn] for turn in wanted)


def select_rounds(
    index: RoundIndex,
    scores: RoundScores,
    texts: Mapping[MessageId, str],
    *,
    params: SelectionParams,
    window: Window | None = None,
) -> tuple[SelectedRound, ...]:
    """The rounds to hand over, best first; none where nothing scores above zero.

    ``texts``: the words to show by message id, of at least ``turns_considered``; a message without any is passed over (redacted
    since). ``window`` chooses what remains of a long turn; None keeps its beginning. Words and overheads together are at most
    ``params.characters``.
    """
    ranked = [turn for turn in _asked_for(scores, params=params) if texts.get(index.messages[turn])]
    chosen = _Chosen(index, texts, params)
    for turn in ranked:
        before = index.before(turn)
        if before is None or not texts.get(index.messages[before]) or not chosen.add(before, turn):
            chosen.add(turn)
    widths = chosen.widths(ranked)
    rounds = [_shown(index, scores, group, texts, widths, window=window or _head) for group in _groups(chosen.turns, index)]
    return tuple(sorted(rounds, key=lambda each: -each.score))


def _asked_for(scores: RoundScores, *, params: SelectionParams) -> list[int]:
    return [turn for turn in scores.ranked(params.considered) if scores.total[turn] > 0.0]


def _groups(chosen: set[int], index: RoundIndex) -> list[list[int]]:
    """Runs of neighbouring turns of one session."""
    groups: list[list[int]] = []
    for turn in sorted(chosen):
        if groups and groups[-1][-1] == turn - 1 and not index.first[turn]:
            groups[-1].append(turn)
        else:
            groups.append([turn])
    return groups


class _Chosen:
    """The turns taken so far, how many rounds they make, and what they cost."""

    def __init__(self, index: RoundIndex, texts: Mapping[MessageId, str], params: SelectionParams) -> None:
        self.turns: set[int] = set()
        self._index = index
        self._texts = texts
        self._params = params
        self._rounds = 0
        self._cost = 0

    def add(self, *more: int) -> bool:
        """Takes all of ``more`` or none."""
        wider, rounds, cost = set(self.turns), self._rounds, self._cost
        for turn in more:
            if turn not in wider:
                rounds += 1 - self._touches(turn, turn - 1, wider) - self._touches(turn + 1, turn + 1, wider)
                wider.add(turn)
                cost += self._params.turn_overhead + self._width(turn)
                cost += 2 * len(ELLIPSIS) if self._width(turn) < self._length(turn) else 0
        fits = rounds <= self._params.rounds and cost + rounds * self._params.round_overhead <= self._params.characters
        if fits:
            self.turns, self._rounds, self._cost = wider, rounds, cost
        return fits

    def widths(self, ranked: Sequence[int]) -> dict[int, int]:
        """Characters each turn gets: the short ones all of theirs, then what is left goes to the best ones first."""
        widths = {turn: self._width(turn) for turn in self.turns}
        left = self._params.characters - self._cost - self._rounds * self._params.round_overhead
        for turn in ranked:
            if turn in widths:
                more = min(left, self._length(turn) - widths[turn])
                widths[turn] += more
                left -= more
        return widths

    def _touches(self, later: int, other: int, chosen: set[int]) -> bool:
        """Whether ``other`` is chosen and no session opens at ``later`` between the two."""
        return other in chosen and not self._index.first[later]

    def _length(self, turn: int) -> int:
        return len(self._texts[self._index.messages[turn]])

    def _width(self, turn: int) -> int:
        return min(self._length(turn), self._params.turn_characters)


def _head(text: str, width: int) -> tuple[int, int]:
    return 0, min(width, len(text))


def _shown(
    index: RoundIndex,
    scores: RoundScores,
    group: Sequence[int],
    texts: Mapping[MessageId, str],
    widths: Mapping[int, int],
    *,
    window: Window,
) -> SelectedRound:
    shown: list[str] = []
    cut = False
    for turn in group:
        text = texts[index.messages[turn]]
        if widths[turn] < len(text):
            cut = True
            start, end = window(text, widths[turn])
            words = text[start:end].strip()
            text = f"{ELLIPSIS if start else ''}{words}{ELLIPSIS if end < len(text) else ''}"
        shown.append(text)
    best = max(group, key=lambda turn: float(scores.total[turn]))
    return SelectedRound(
        messages=tuple(index.messages[turn] for turn in group),
        shown=tuple(shown),
        turns=tuple(group),
        at_us=int(index.at_us[group[0]]),
        score=float(scores.total[best]),
        parts=MappingProxyType(scores.explained(best)),
        cut=cut,
    )
