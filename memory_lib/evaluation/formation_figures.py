"""One measured figure of formation, beside what was reached before and what is asked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LEVEL = 0.95
_NORMAL = 1.959964  # the quantile of LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """``key``: stable, dotted. ``measured``: None where there was nothing to measure. ``n``: items it rests on.

    ``interval``: 95 %.
    ``offline``: what the study of the offline reasoner reached. ``asked``: the bar; ``at_most`` True: it is an upper one.
    ``note``: how it was measured, where that is not plain.
    """

    key: str
    measured: float | None
    n: int
    interval: tuple[float, float] | None = None
    offline: float | None = None
    asked: float | None = None
    at_most: bool = False
    note: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the bar is kept; None where there is no bar or no measurement."""
        if self.asked is None or self.measured is None:
            return None
        return self.measured <= self.asked if self.at_most else self.measured >= self.asked

    def wire(self) -> dict[str, object]:
        """The figure as JSON; keys are only ever added."""
        return {
            "measured": None if self.measured is None else round(self.measured, 4),
            "n": self.n,
            "ci": None if self.interval is None else [round(end, 4) for end in self.interval],
            "offline": self.offline,
            "asked": self.asked,
            "at_most": self.at_most,
            "holds": self.holds,
            "note": self.note,
        }


def wilson_interval(hits: int, n: int) -> tuple[float, float] | None:
    """The 95 % score interval of a share (Wilson 1927); None of nothing."""
    if n == 0:
        return None
    share, z2 = hits / n, _NORMAL * _NORMAL
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _NORMAL * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return (max(0.0, middle - half), min(1.0, middle + half))


def share_figure(
    key: str,
    hits: int,
    n: int,
    *,
    offline: float | None = None,
    asked: float | None = None,
    at_most: bool = False,
    note: str = "",
) -> Figure:
    """``hits`` of ``n`` as a figure."""
    return Figure(
        key=key,
        measured=hits / n if n else None,
        n=n,
        interval=wilson_interval(hits, n),
        offline=offline,
        asked=asked,
        at_most=at_most,
        note=note,
    )


def macro_f1(gold: Sequence[str], found: Sequence[str]) -> float:
    """The mean F1 over the classes of ``gold``; a class never found counts 0."""
    return float(np.mean([_f1(gold, found, kind) for kind in sorted(set(gold))]))


def macro_f1_figure(
    key: str,
    gold: Sequence[str],
    found: Sequence[str],
    *,
    offline: float | None = None,
    asked: float | None = None,
    note: str = "",
    resamples: int = 500,
    seed: int = 20_260_504,
) -> Figure:
    """Macro-F1 with a bootstrap interval over items (Efron 1979)."""
    if not gold:
        return Figure(key=key, measured=None, n=0, offline=offline, asked=asked, note=note)
    classes = {kind: number for number, kind in enumerate(sorted(set(gold)))}
    true = np.array([classes[kind] for kind in gold])
    said = np.array([classes.get(kind, len(classes)) for kind in found])
    chance = np.random.default_rng(seed)
    scores = []
    for _ in range(resamples):
        drawn = chance.integers(0, len(true), len(true))
        a, b = true[drawn], said[drawn]
        each = []
        for number in classes.values():
            both, ours, theirs = int(((a == number) & (b == number)).sum()), int((b == number).sum()), int((a == number).sum())
            if theirs:
                each.append(2 * both / (ours + theirs))
        scores.append(float(np.mean(each)))
    low, high = np.quantile(scores, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return Figure(
        key=key,
        measured=macro_f1(gold, found),
        n=len(gold),
        interval=(float(low), float(high)),
        offline=offline,
        asked=asked,
        note=note,
    )


def f1(*, both: int, found: int, gold: int) -> float:
    """The harmonic mean of precision and recall from counts; 0 of nothing."""
    return 2 * both / (found + gold) if found + gold else 0.0


def _f1(gold: Sequence[str], found: Sequence[str], kind: str) -> float:
    return f1(
        both=sum(a == kind == b for a, b in zip(gold, found, strict=True)),
        found=sum(b == kind for b in found),
        gold=sum(a == kind for a in gold),
    )
