"""Whether recall brings back the turns that hold the answer (CONTRACTS, Shapes: ``eval … --json``).

The product is asked through a callable, so that the command line, a service or an ablation is measured by the same code. The
budget is always k turns: rounds only change how a turn is ranked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memory_lib.evaluation.baselines import BaselineParams, Bm25Baseline
from memory_lib.evaluation.datasets import Question, RetrievalData
from memory_lib.evaluation.metrics import bootstrap_interval, recall
from memory_lib.policies.stems import Stemmer


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalParams:
    """``k``: turns counted. ``resamples``, ``seed``, ``level``: of the bootstrap intervals. ``baseline``: BM25 beside it."""

    k: int
    resamples: int
    seed: int
    level: float
    baseline: BaselineParams


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """``ranked``: turns best first, at least k of them where there are. ``handed_over``: turns whose words the assistant was
    given, in whole or in part. Both are source ids of the question's conversation. ``ms``: what asking took.
    """

    ranked: Sequence[str]
    handed_over: Collection[str]
    ms: float


Ask = Callable[[Question], Answered]


@dataclass(frozen=True, slots=True)
class _Result:
    category: str
    found: float
    handed: float
    baseline: float


def evaluate_retrieval(
    data: RetrievalData,
    ask: Ask,
    *,
    stemmer: Stemmer,
    params: RetrievalParams,
    config: Mapping[str, object],
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, object]:
    """Asks every question and reports, ready for JSON.

    ``{"recall@K", "all@K", "by_category", "ci", "handed_over", "bm25", "ms", "config"}``: ``recall@K`` is the mean share of a
    question's evidence among the first k turns, ``all@K`` the share of questions with all of it, ``ci`` the interval of the
    former. ``by_category``: the same and ``questions`` for each. ``bm25``: recall, all and ``ci`` of the baseline, and its
    recall ``by_category``. ``ms``: p50 and p99. ``config``: what was given, and what this run counted.
    """
    users = {question.user for question in data.questions}
    baselines = {
        user: Bm25Baseline(data.turns.get(user, ()), stemmer=stemmer, params=params.baseline) for user in sorted(users)
    }
    results: list[_Result] = []
    times: list[float] = []
    for done, question in enumerate(data.questions, start=1):
        answered = ask(question)
        times.append(answered.ms)
        results.append(
            _Result(
                category=question.category,
                found=recall(set(answered.ranked[: params.k]), question.evidence),
                handed=recall(answered.handed_over, question.evidence),
                baseline=recall(set(baselines[question.user].ranked(question.text, limit=params.k)), question.evidence),
            )
        )
        if on_progress is not None:
            on_progress(done, len(data.questions))
    categories = sorted({result.category for result in results})
    by_category = {name: [result for result in results if result.category == name] for name in categories}
    counted = {
        "dataset": str(data.dataset),
        "k": params.k,
        "questions": len(results),
        "unresolved": data.unresolved,
        "stores": len(users),
        "turns": sum(len(data.turns.get(user, ())) for user in users),
        "bm25": {"k1": params.baseline.k1, "b": params.baseline.b},
        "bootstrap": {"resamples": params.resamples, "seed": params.seed, "level": params.level},
    }
    return {
        **_shares([result.found for result in results], params=params),
        "by_category": {name: _category(theirs, params=params) for name, theirs in by_category.items()},
        "handed_over": _mean([result.handed for result in results]),
        "bm25": {
            **_shares([result.baseline for result in results], params=params),
            "by_category": {name: _mean([each.baseline for each in theirs]) for name, theirs in by_category.items()},
        },
        "ms": {"p50": _quantile(times, 0.5), "p99": _quantile(times, 0.99)},
        "config": {**config, **counted},
    }


def _shares(found: Sequence[float], *, params: RetrievalParams) -> dict[str, object]:
    low, high = bootstrap_interval(found, resamples=params.resamples, seed=params.seed, level=params.level)
    return {
        f"recall@{params.k}": _mean(found),
        f"all@{params.k}": _mean([float(share == 1.0) for share in found]),
        "ci": [round(low, 4), round(high, 4)] if found else None,
    }


def _category(results: Sequence[_Result], *, params: RetrievalParams) -> dict[str, object]:
    return {
        "questions": len(results),
        **_shares([result.found for result in results], params=params),
        "handed_over": _mean([result.handed for result in results]),
        "bm25": _mean([result.baseline for result in results]),
    }


def _mean(values: Sequence[float]) -> float | None:
    return round(float(np.mean(values)), 4) if values else None


def _quantile(values: Sequence[float], share: float) -> float | None:
    return round(float(np.quantile(values, share)), 3) if values else None
