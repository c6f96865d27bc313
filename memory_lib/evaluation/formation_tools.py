"""What the evaluation of formation measures with: vectors made once a run, the shipped heads, the parser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.heads.shipped import shipped_heads, shipped_worth_model
from memory_lib.domain.candidates import Extraction
from memory_lib.domain.message import Unit
from memory_lib.domain.syntax import Parse
from memory_lib.ports.embedder import Embedder, calibrated
from memory_lib.ports.parser import Parser
from memory_lib.reasoning.extraction.extraction_params import ExtractionParams
from memory_lib.reasoning.extraction.offline_reasoner import OfflineReasoner
from memory_lib.reasoning.judging.detector_params import DetectorParams
from memory_lib.reasoning.judging.heads import Heads, WorthModel


@dataclass(slots=True, kw_only=True)
class Tools:
    """``extract``: the product's offline extraction of one unit, given its parses."""

    embedder: Embedder
    parser: Parser
    extract: Callable[[Unit, Sequence[Parse]], Extraction]
    heads: Heads
    worth: WorthModel
    detectors: DetectorParams
    every: int
    """One DailyDialog dialogue of so many is measured: to embed all of them takes longer than everything else together."""
    slots: dict[str, Mapping[str, str]] = field(default_factory=dict)
    """What was found in a sentence, kept for the run."""
    _vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Calibrated vectors, (n, d); each text is embedded once a run."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        for start in range(0, len(missing), _CHUNK):
            chunk = missing[start : start + _CHUNK]
            made = calibrated(self.embedder.embed(chunk), self.embedder.mean)
            self._vectors.update(zip(chunk, made, strict=True))
        if not texts:
            return np.zeros((0, self.embedder.dimension), np.float32)
        return np.stack([self._vectors[text] for text in texts])


def formation_tools(
    *, embedder: Embedder, parser: Parser, mentions: ExtractionParams, detectors: DetectorParams, every: int
) -> Tools:
    """The tools with what is shipped.

    Raises:
        FingerprintMismatch: the shipped heads belong to another embedder.
        DependencyDown: the embedder is off, or a shipped file is missing.
    """
    heads = shipped_heads(fingerprint=embedder.fingerprint)
    reasoner = OfflineReasoner(params=mentions, parser_version=parser.version)
    return Tools(
        embedder=embedder,
        parser=parser,
        extract=reasoner.extract,
        heads=heads,
        worth=shipped_worth_model(),
        detectors=detectors,
        every=every,
    )


def rows(path: Path) -> list[Mapping[str, Any]]:
    """The records of a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """A user's turn of the Russian chat, what was said before, and its labels."""

    text: str
    before: str
    worth: bool
    valence: str
    displeased: bool


def labelled_chat(data: Path) -> list[LabelledTurn]:
    """The labelled user turns of ``gigamemory_ru``, in their file's order; none where the folder lacks them."""
    folder = data / "gigamemory_ru"
    if not (folder / "labels_150.jsonl").is_file():
        return []
    dialogues = {
        str(record["id"]): {str(session["id"]): session["messages"] for session in record["sessions"]}
        for record in rows(folder / "dialogues_dev.jsonl")
    }
    found = []
    for label in rows(folder / "labels_150.jsonl"):
        messages = dialogues[str(label["dialogue"])][str(label["session"])]
        place = int(label["message"])
        found.append(
            LabelledTurn(
                text=messages[place]["content"],
                before=messages[place - 1]["content"] if place else "",
                worth=label["worth"],
                valence=label["valence"],
                displeased=label["displeasure"],
            )
        )
    return found


def chat_sessions(data: Path) -> Iterator[list[str]]:
    """The user turns of each session of ``gigamemory_ru``, in order."""
    path = data / "gigamemory_ru" / "dialogues_dev.jsonl"
    if path.is_file():
        for record in rows(path):
            for session in record["sessions"]:
                yield [message["content"] for message in session["messages"] if message["role"] == "user"]


_CHUNK = 256
