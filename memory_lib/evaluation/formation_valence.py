"""Valence of a turn: macro-F1 over three classes on own Russian sentences, real Russian chat, and DailyDialog.

None of the three trained the shipped head. DailyDialog's emotions as classes: happiness is positive; anger, disgust, fear and
sadness are negative; surprise, which is either, is left out. One dialogue of ``Tools.every`` is measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from memory_lib.evaluation.formation_causes import daily_dialogues
from memory_lib.evaluation.formation_figures import Figure, macro_f1_figure
from memory_lib.evaluation.formation_tools import Tools, labelled_chat, rows
from memory_lib.reasoning.judging.turn_valence import valence_by_head, valence_by_words

_EMOTIONS: Mapping[str, str] = {
    "neutral": "neutral", "happiness": "positive", "happy": "positive", "excited": "positive", "anger": "negative",
    "angry": "negative", "disgust": "negative", "fear": "negative", "sadness": "negative", "sad": "negative",
}  # fmt: skip


def evaluate_valence(data: Path, tools: Tools) -> list[Figure]:
    """Figures of the sets that are there; the word lists beside the head, as what serves without an embedder."""
    figures: list[Figure] = []
    own_path = data / "own_sentences" / "valence.jsonl"
    if own_path.is_file():
        own = [(row["text"], row["valence"]) for row in rows(own_path)]
        figures += _figures("valence.own_ru", own, tools, offline=0.79, asked=0.79, offline_words=0.72)
    chat = [(turn.text, turn.valence) for turn in labelled_chat(data)]
    if chat:
        figures += _figures("valence.chat_ru", chat, tools, offline=0.65, asked=0.65, offline_words=0.61)
    daily = list(_daily_dialogue(data, tools.every))
    if daily:
        figures.append(_by_head("valence.daily_dialogue", daily, tools, offline=0.571, asked=0.57))
    return figures


def _figures(
    key: str, labelled: Sequence[tuple[str, str]], tools: Tools, *, offline: float, asked: float, offline_words: float
) -> list[Figure]:
    found = [
        valence_by_words(text, parse=tools.parser.parse(text), params=tools.detectors.valence).valence.value
        for text, _ in labelled
    ]
    by_words = macro_f1_figure(
        f"{key}.words_only",
        [kind for _, kind in labelled],
        found,
        offline=offline_words,
        note="no embedder: own word lists, written with the own sentences in view",
    )
    return [_by_head(key, labelled, tools, offline=offline, asked=asked), by_words]


def _by_head(key: str, labelled: Sequence[tuple[str, str]], tools: Tools, *, offline: float, asked: float) -> Figure:
    vectors = tools.vectors([text for text, _ in labelled])
    found = [valence_by_head(vector, head=tools.heads.valence).valence.value for vector in vectors]
    return macro_f1_figure(
        key, [kind for _, kind in labelled], found, offline=offline, asked=asked, note="macro-F1; not trained on"
    )


def _daily_dialogue(data: Path, every: int) -> Iterator[tuple[str, str]]:
    for dialogue in daily_dialogues(data, every=every):
        for turn in dialogue:
            kind = _EMOTIONS.get(turn["emotion"])
            if kind is not None:
                yield turn["utterance"], kind
