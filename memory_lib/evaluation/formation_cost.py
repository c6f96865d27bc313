"""What forming memories costs: CPU a turn by part, growth with the history, the second run, memory with both languages loaded.

CPU time is taken, not wall time, and ratios within one run: the machine is shared. A turn is a message of either side; figures
that end in ``_a_user_turn`` count the person's own messages only, so that reading the assistant's falls on them.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_lib import plans
from memory_lib.adapters.embeddings.absent import AbsentEmbedder
from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.bootstrap import FixedClock, Memory, open_memory
from memory_lib.domain.candidates import Extraction
from memory_lib.domain.ids import UserId
from memory_lib.domain.message import Unit
from memory_lib.domain.syntax import Parse
from memory_lib.evaluation.made_up_history import made_up_history
from memory_lib.policies.formation import FormationState
from memory_lib.ports.embedder import Embedder
from memory_lib.ports.parser import Parser
from memory_lib.ports.reasoner import Reasoner
from memory_lib.reasoning.extraction.offline_reasoner import OfflineReasoner
from memory_lib.settings import Settings
from memory_lib.usecases.form_person.reading import UnitReader

NOW = datetime(2026, 6, 1, tzinfo=UTC)
WINDOW = 500
"""Units that a step's cost is averaged over."""
_PERSON = "person"
_SEED = 5


class TimedParser:
    """A parser, and the CPU seconds spent in it."""

    def __init__(self, inner: Parser) -> None:
        self._inner = inner
        self.seconds = 0.0

    @property
    def version(self) -> str:
        return self._inner.version

    def parse(self, text: str) -> Parse:
        began = time.thread_time()
        try:
            return self._inner.parse(text)
        finally:
            self.seconds += time.thread_time() - began


class TimedReasoner:
    """A reasoner, and the CPU seconds spent in it."""

    def __init__(self, inner: Reasoner) -> None:
        self._inner = inner
        self.seconds = 0.0

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def version(self) -> str:
        return self._inner.version

    def extract(self, unit: Unit, parses: Sequence[Parse], *, user: UserId) -> Extraction:
        began = time.thread_time()
        try:
            return self._inner.extract(unit, parses, user=user)
        finally:
            self.seconds += time.thread_time() - began


class TimedEmbedder:
    """An embedder, and the CPU seconds spent in it by all its threads (so one import at a time)."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.seconds = 0.0

    @property
    def fingerprint(self) -> str:
        return self._inner.fingerprint

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    @property
    def mean(self) -> NDArray[np.float32]:
        return self._inner.mean

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        began = time.process_time()
        try:
            return self._inner.embed(texts)
        finally:
            self.seconds += time.process_time() - began

    def count_tokens(self, text: str) -> int:
        return self._inner.count_tokens(text)


def formation_cost(home: Path, *, messages: int, embedder: Embedder | None = None) -> dict[str, Any]:
    """A made-up history taken in, formed, and taken in again, in a new ``home``. ``embedder``: None = without embedding."""
    settings = Settings.load(home=home).model_copy(update={"workers": 1})
    parser = TimedParser(BilingualParser(max_characters=settings.parsed_characters))
    reasoner = TimedReasoner(OfflineReasoner(params=settings.mentions, parser_version=parser.version))
    timed = TimedEmbedder(AbsentEmbedder("switched off") if embedder is None else embedder)
    extracting, *forming = plans.PLANS["ingest"]
    with open_memory(settings=settings, clock=FixedClock(NOW), parser=parser, reasoner=reasoner, embedder=timed) as memory:
        parser.parse("Я дома. Где ты?")
        parser.parse("I am home.")
        if embedder is not None:
            embedder.embed(["warm"])
        parser.seconds = 0.0
        before = resident_mb()
        taking = _cpu(lambda: memory.take_in(made_up_history(_PERSON, messages=messages, seed=_SEED), source="benchmark"))
        user = memory.user_id(_PERSON)
        reading = _cpu(lambda: plans.run((extracting,), memory.bench, [user], workers=1))
        read = resident_mb()
        writing = _cpu(lambda: plans.run(forming, memory.bench, [user], workers=1))
        first = taking + reading + writing
        spent = parser.seconds, reasoner.seconds, timed.seconds
        formed = resident_mb()
        again = _cpu(lambda: memory.take_in(made_up_history(_PERSON, messages=messages, seed=_SEED), source="benchmark"))
        again += _cpu(lambda: memory.run("ingest", [user]))
        steps = fold_seconds(memory, user)
        stored = memory.bench.reader.load(user)
    parse, rules, embed = spent
    fold = sum(steps)
    parts = {
        "take_in": taking,
        "parse": parse,
        "rules": rules,
        "stage": reading - parse - rules - embed,
        "fold": fold,
        "apply": writing - fold,
    }
    own = sum(parts.values())
    figures: dict[str, Any] = {
        "messages": messages,
        "nodes": len(stored.nodes),
        "edges": len(stored.edges),
        "ms_a_turn": {name: round(seconds / messages * 1000, 3) for name, seconds in parts.items()}
        | {"all": round(own / messages * 1000, 3)},
        "ms_a_user_turn": round(own / ((messages + 1) // 2) * 1000, 3),
        "step_ms_by_units": step_growth(steps),
        "second_run": {"cpu_s": round(again, 2), "of_the_first": round(again / first, 4)},
        "resident_mb": {"loaded": before, "read": read, "formed": formed},
    }
    if embedder is not None:
        figures["to_the_embedders_own_time"] = round(first / embed, 3)
    return figures


def fold_seconds(memory: Memory, user: UserId) -> list[float]:
    """CPU seconds of each step of the fold over what is staged, formed anew in memory and written nowhere."""
    bench = memory.bench
    reading = UnitReader(
        user,
        people=bench.people,
        log=bench.log,
        staging=bench.staging,
        reasoner=bench.reasoner,
        id_key=bench.id_key,
        params=bench.form,
    )
    reading.replan()
    reading.restage()
    state = FormationState(key=bench.id_key, params=bench.form.formation)
    seconds: list[float] = []
    for start in range(0, len(reading.ready), WINDOW):
        for _, unit in reading.units(reading.ready[start : start + WINDOW], fingerprint=bench.embedder.fingerprint):
            began = time.thread_time()
            state.step(unit, now=NOW)
            seconds.append(time.thread_time() - began)
    return seconds


def step_growth(seconds: Sequence[float]) -> dict[str, float]:
    """Mean milliseconds of the ``WINDOW`` steps that end at 500, 1,000, 2,000, 5,000 and 10,000 units."""
    ends = [end for end in (500, 1000, 2000, 5000, 10_000) if end <= len(seconds)]
    return {str(end): round(statistics.fmean(seconds[end - WINDOW : end]) * 1000, 3) for end in ends}


def both_languages_mb() -> dict[str, float]:
    """Resident MB of a fresh process: with the program alone, after a sentence of one language, after one of the other."""
    code = "import json\nfrom memory_lib.evaluation.formation_cost import load_languages\nprint(json.dumps(load_languages()))\n"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603 - our own code
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def load_languages() -> dict[str, float]:
    """``both_languages_mb`` in this process."""
    parser = BilingualParser(max_characters=Settings().parsed_characters)
    figures = {"program": resident_mb()}
    parser.parse("Вчера Оксана уехала в Пермь. Я скучаю.")
    figures["russian"] = resident_mb()
    parser.parse("Olive left for Leeds yesterday. I miss her.")
    figures["both"] = resident_mb()
    return figures


def resident_mb() -> float:
    """Of this process now; NaN where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return float("nan")
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
