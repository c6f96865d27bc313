"""The offline reasoner: the offline rules of every job behind the ``Reasoner`` port. Needs nothing but the parses it is
given.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_lib.domain.candidates import Extraction
from memory_lib.domain.ids import UserId
from memory_lib.domain.message import Unit
from memory_lib.domain.syntax import Parse
from memory_lib.reasoning.extraction import extract_mentions
from memory_lib.reasoning.extraction.extract_mentions import ExtractionParams
from memory_lib.reasoning.extraction.parse_readings import ParseReadings
from memory_lib.reasoning.judging.heads import WorthModel
from memory_lib.reasoning.judging.worth import VERSION as WORTH_VERSION
from memory_lib.reasoning.judging.worth import is_worth_keeping

NAME = "offline"
_READINGS_KEPT = 64
"""Some units of several people's messages at once; a reading is a few kilobytes."""


class OfflineReasoner:
    """Implements ``ports.reasoner.Reasoner``. ``parser_version``: trees decide what is found, so it is part of the version.

    ``worth``: the judge of worth; None: everything is worth remembering.
    """

    def __init__(self, *, params: ExtractionParams, parser_version: str, worth: WorthModel | None = None) -> None:
        self._params = params
        self._readings = ParseReadings(kept=_READINGS_KEPT)
        self._worth = worth
        judge = "" if worth is None else f";{WORTH_VERSION}"
        self._version = f"{extract_mentions.VERSION}{judge};{parser_version}"

    @property
    def name(self) -> str:
        return NAME

    @property
    def version(self) -> str:
        return self._version

    def extract(self, unit: Unit, parses: Sequence[Parse], *, user: UserId | None = None) -> Extraction:  # noqa: ARG002 - the port's
        found = extract_mentions.offline(unit, parses, params=self._params, readings=self._readings)
        return Extraction(
            found.unit_id,
            found.message,
            found.candidates,
            found.relations,
            self.name,
            self.version,
            found.language,
            worth=self._is_worth(unit),
        )

    def _is_worth(self, unit: Unit) -> bool:
        before = unit.before[-1].text if unit.before else ""
        return self._worth is None or is_worth_keeping(unit.message.text, before=before, model=self._worth)
