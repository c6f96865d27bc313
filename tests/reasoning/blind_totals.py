"""``make blind``: how the blind half fares, as totals by group only.

Never prints a case, so that nobody writes rules for one.
"""

# ruff: noqa: T201 - a command's output

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from memory_lib.bootstrap import open_memory
from tests.reasoning.formation_cases import GROUPS, HALVES, LANGUAGES, Case, Verdict, all_cases, judge


def totals(cases: list[Case]) -> list[Verdict]:
    """Judges the cases in a home that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="selfimprint-cases-") as folder, open_memory(Path(folder)) as memory:
        verdicts = []
        for number, case in enumerate(cases, 1):
            if sys.stderr.isatty():
                print(f"\r{number} of {len(cases)}", end="", file=sys.stderr)
            verdicts.append(judge(case, memory))
        return verdicts


def table(verdicts: list[Verdict]) -> str:
    """Right ones of all, a row a group and a column a language; then the sums and the false facts."""
    right = Counter((v.case.group, v.case.language) for v in verdicts if v.right)
    count = Counter((v.case.group, v.case.language) for v in verdicts)
    lines = [f"{'group':<22}" + "".join(f"{language:>9}" for language in LANGUAGES)]
    for group in GROUPS:
        cells = [f"{right[group, language]} / {count[group, language]}" for language in LANGUAGES]
        lines.append(f"{group:<22}" + "".join(f"{cell:>9}" for cell in cells))
    lines.append(
        f"whole: {sum(right.values())} of {len(verdicts)} ({sum(right.values()) / len(verdicts):.1%}); "
        f"a false fact about the person: {sum(v.false_fact for v in verdicts)} "
        f"({sum(v.false_fact for v in verdicts) / len(verdicts):.1%})"
    )
    kinds = Counter(kind for verdict in verdicts for kind in verdict.kinds)
    lines.append("what was wrong: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    for language in LANGUAGES:
        own = Counter((v.case.group, kind) for v in verdicts if v.case.language == language for kind in v.kinds)
        lines.append(f"{language}: " + ", ".join(f"{group}/{kind} {count}" for (group, kind), count in own.most_common(24)))
    return "\n".join(lines)


def main(halves: list[str]) -> None:
    for half in halves:
        print(f"== {half}")
        print(table(totals(list(all_cases(half)))))


if __name__ == "__main__":
    main(sys.argv[1:] or list(HALVES))
