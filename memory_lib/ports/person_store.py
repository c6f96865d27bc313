"""What every place that keeps something of a person can do beside its work: be emptied of the person, and be sealed anew.

An erasure walks all of these by name, and so does a key rotation; a store that is not among them would be forgotten by both, so
``bootstrap`` makes the list where it makes the stores, and a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from memory_lib.domain.ids import UserId


class PersonStore(Protocol):
    """A place that keeps something of people."""

    def erase(self, user: UserId) -> Mapping[str, int]:
        """Take everything of the person away, pending and former versions included; how much of each kind went. Needs no key.
        Repeating is harmless. Raises Transient where the place does not answer.
        """
        ...

    def residue(self, user: UserId) -> Mapping[str, int]:
        """What is there of the person, by kind; kinds with none are left out. Empty after ``erase``."""
        ...


class Resealable(Protocol):
    """A place whose envelopes can be made anew under the person's present key and the present envelope version."""

    def outdated(self, user: UserId) -> int:
        """How many envelopes are of an older key generation or envelope version; opens none."""
        ...

    def reseal(self, user: UserId, *, limit: int) -> int:
        """Make up to about ``limit`` outdated envelopes anew; how many were. 0: none is left. Each call is whole or nothing, so
        a killed one is gone on with.

        Raises:
            SealBroken: one does not open; the rest is done first.
            StoreBusy, LeaseLost: somebody else writes the person; call again.
        """
        ...
