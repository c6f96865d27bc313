"""A model as the reasoner over messages, through the job *extract*; the offline rules answer where it cannot."""

from __future__ import annotations

from collections.abc import Sequence

from memory_lib.domain.candidates import Extraction
from memory_lib.domain.ids import UserId
from memory_lib.domain.message import Unit
from memory_lib.domain.syntax import Parse
from memory_lib.ports.reasoner import Reasoner
from memory_lib.ports.thinker import Thinker
from memory_lib.reasoning.extraction.extraction_params import ExtractionParams
from memory_lib.reasoning.jobs import extract_mentions
from memory_lib.reasoning.jobs.job import OFFLINE


class ModelReasoner:
    """Implements ``ports.reasoner.Reasoner``. ``offline``: who is named where the offline rules answered.

    ``name`` and ``version`` are the model's: a unit is read once under them, whoever answered (docs/adr/0007).
    """

    def __init__(self, thinker: Thinker, offline: Reasoner, *, params: ExtractionParams, characters: int) -> None:
        self._thinker = thinker
        self._offline = offline
        self._params = params
        self._characters = characters

    @property
    def name(self) -> str:
        return self._thinker.name

    @property
    def version(self) -> str:
        return extract_mentions.VERSION

    def extract(self, unit: Unit, parses: Sequence[Parse], *, user: UserId) -> Extraction:
        inputs = extract_mentions.Inputs(unit=unit, parses=parses, params=self._params, characters=self._characters)
        thought = self._thinker.think(extract_mentions.JOB, inputs, user=user)
        by_rules = thought.reasoner == OFFLINE
        return Extraction(
            unit.id,
            unit.message.id,
            thought.value.candidates,
            thought.value.relations,
            self._offline.name if by_rules else self.name,
            self._offline.version if by_rules else self.version,
            parses[-1].language,
        )
