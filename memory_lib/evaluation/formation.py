"""``eval formation``: each learnt or ruled part of formation, beside what the offline study reached and what is asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from memory_lib.evaluation.formation_causes import evaluate_causes
from memory_lib.evaluation.formation_changes import evaluate_changes
from memory_lib.evaluation.formation_dates import evaluate_dates
from memory_lib.evaluation.formation_discontent import evaluate_discontent
from memory_lib.evaluation.formation_figures import Figure
from memory_lib.evaluation.formation_tools import Tools
from memory_lib.evaluation.formation_valence import evaluate_valence
from memory_lib.evaluation.formation_worth import evaluate_worth

Evaluate = Callable[[Path, Tools], list[Figure]]

PARTS: Mapping[str, Evaluate] = {
    "dates": lambda data, _tools: evaluate_dates(data),
    "worth": evaluate_worth,
    "discontent": evaluate_discontent,
    "changes": evaluate_changes,
    "causes": evaluate_causes,
    "valence": evaluate_valence,
}
"""What can be measured, in the order it is."""


def evaluate_formation(
    data: Path,
    *,
    tools: Tools,
    parts: Collection[str] = (),
    config: Mapping[str, object],
    on_part: Callable[[str], None] | None = None,
) -> dict[str, object]:
    """``{"figures": {key: {measured, n, ci, offline, asked, at_most, holds, note}}, "seconds": {part: s}, "config"}``.

    Keys are only ever added. A part whose data the folder lacks gives no figures.

    Args:
        parts: names out of ``PARTS``; all where none is named.
    """
    figures: dict[str, object] = {}
    seconds: dict[str, float] = {}
    for name, evaluate in PARTS.items():
        if parts and name not in parts:
            continue
        if on_part is not None:
            on_part(name)
        started = time.perf_counter()
        for figure in evaluate(data, tools):
            figures[figure.key] = figure.wire()
        seconds[name] = round(time.perf_counter() - started, 1)
    return {"figures": figures, "seconds": seconds, "config": dict(config)}
