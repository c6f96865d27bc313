"""A person's graph is sealed anew in place: taken whole and put back under the present key (CONTRACTS, Sealing and keys).

The write lease is held and renewed meanwhile, so that nothing is written between the two; the epoch is a new one, so that who
keeps the graph in memory reads it again. Vectors that a store turns by the person's key are turned anew by this too.
"""

from __future__ import annotations

from memory_lib.domain.ids import UserId
from memory_lib.ports.graph import GraphStore
from memory_lib.ports.keys import KeyRotation
from memory_lib.ports.write_turn import WriteTurn

NOT_SEALED = frozenset({"head", "fence"})


class GraphReseal:
    """Implements ``ports.person_store.Resealable`` for one graph store; nothing to do where the person does not live there."""

    def __init__(self, store: GraphStore, *, rotation: KeyRotation, write_turn: WriteTurn) -> None:
        self._store = store
        self._rotation = rotation
        self._write_turn = write_turn

    def outdated(self, user: UserId) -> int:
        """All rows of the person, where the graph is of another generation of the key than the newest. Raises KeyMissing."""
        if self._store.head(user).key_generation == self._rotation.generation(user):
            return 0
        return sum(count for kind, count in self._store.residue(user).items() if kind not in NOT_SEALED)

    def reseal(self, user: UserId, *, limit: int) -> int:  # noqa: ARG002 - a graph is placed whole
        """Raises StoreBusy, LeaseLost, SealBroken; the graph is as it was then."""
        with self._write_turn.hold(user, renewing=True) as turn:
            rows = self.outdated(user)
            if rows:
                generation = self._rotation.generation(user)
                self._store.place(user, self._store.take(user), token=turn.token, key_generation=generation)
            return rows
