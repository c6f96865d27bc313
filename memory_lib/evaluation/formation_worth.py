"""The judge of worth on rounds: what is kept of what is asked for later, and what is dropped of the rest.

A round is a turn with the one before, one for each turn (RETRIEVAL §2). Neither set trained the judge; its margin was looked at
on both (``training/train_heads.py``). In LoCoMo both speakers' turns count and evidence is any turn a question cites; in blocks
of two turns, a stricter reading, a block is kept when one of its rounds is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memory_lib.evaluation.datasets import locomo_evidence
from memory_lib.evaluation.formation_figures import Figure, share_figure
from memory_lib.evaluation.formation_tools import Tools, labelled_chat
from memory_lib.reasoning.judging.worth import is_worth_keeping

_SESSION = re.compile(r"session_(\d+)")


@dataclass(frozen=True, slots=True)
class _Judged:
    kept: bool
    wanted: bool


def evaluate_worth(data: Path, tools: Tools) -> list[Figure]:
    """Kept and dropped shares of LoCoMo and of the Russian chat, where they are there."""
    figures: list[Figure] = []
    path = data / "locomo" / "locomo_dev5.json"
    if path.is_file():
        sessions = [[_judged(turn, tools) for turn in session] for session in _locomo(path)]
        turns = [turn for session in sessions for turn in session]
        figures += _figures("worth.locomo", turns, (0.975, 0.13), (0.97, 0.13), "a round for each turn")
        blocks = [session[start : start + 2] for session in sessions for start in range(0, len(session), 2)]
        joined = [_Judged(any(turn.kept for turn in block), any(turn.wanted for turn in block)) for block in blocks]
        figures += _figures("worth.locomo_blocks", joined, (None, None), (None, None), "blocks of two turns, kept as a whole")
    chat = labelled_chat(data)
    if chat:
        judged = [_Judged(is_worth_keeping(turn.text, before=turn.before, model=tools.worth), turn.worth) for turn in chat]
        figures += _figures("worth.chat_ru", judged, (0.952, 0.63), (0.95, 0.60), "one labeller")
    return figures


def _figures(
    key: str,
    judged: list[_Judged],
    offline: tuple[float | None, float | None],
    asked: tuple[float | None, float | None],
    note: str,
) -> list[Figure]:
    wanted, others = [one for one in judged if one.wanted], [one for one in judged if not one.wanted]
    return [
        share_figure(
            f"{key}.kept", sum(one.kept for one in wanted), len(wanted), offline=offline[0], asked=asked[0], note=note
        ),
        share_figure(
            f"{key}.dropped", sum(not one.kept for one in others), len(others), offline=offline[1], asked=asked[1], note=note
        ),
    ]


@dataclass(frozen=True, slots=True)
class _Turn:
    text: str
    before: str
    wanted: bool


def _judged(turn: _Turn, tools: Tools) -> _Judged:
    return _Judged(is_worth_keeping(turn.text, before=turn.before, model=tools.worth), turn.wanted)


def _locomo(path: Path) -> Iterator[list[_Turn]]:
    for sample in json.loads(path.read_text(encoding="utf-8")):
        wanted = {turn for asked in sample["qa"] for turn in locomo_evidence(asked.get("evidence", ()))}
        for name, turns in sample["conversation"].items():
            if _SESSION.fullmatch(name) is None or not turns:
                continue
            session: list[_Turn] = []
            for turn in turns:
                text = " ".join(part for part in (turn.get("text", ""), turn.get("blip_caption", "")) if part)
                number = locomo_evidence([turn["dia_id"]])
                session.append(_Turn(text, session[-1].text if session else "", bool(wanted.intersection(number))))
            yield session
