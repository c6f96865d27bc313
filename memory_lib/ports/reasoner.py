"""The reasoner: who reads a unit and proposes what was said in it. Rules offline, a model behind a server in production."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from memory_lib.domain.candidates import Extraction
from memory_lib.domain.ids import UserId
from memory_lib.domain.message import Unit
from memory_lib.domain.syntax import Parse


class Reasoner(Protocol):
    """``name`` and ``version`` are written on everything it proposes; a new version reads every unit again."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def extract(self, unit: Unit, parses: Sequence[Parse], *, user: UserId) -> Extraction:
        """``parses``: of the unit's messages, oldest first, its own last. Raises nothing for any text.

        The extraction names who thought: where a model was asked and the offline rule answered, that is the offline rule.
        """
        ...
