"""Extractions waiting for formation, sealed: what a reasoner found in a unit is asked once (CONTRACTS, Time and weight)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import bindparam, delete, select

from memory_lib.adapters.sql import extraction_codec
from memory_lib.adapters.sql.engine import Database, chunks
from memory_lib.adapters.sql.payload import check_vector, pack, pack_floats, unpack, unpack_floats
from memory_lib.adapters.sql.people import lock_person
from memory_lib.adapters.sql.tables import staging
from memory_lib.domain.ids import UserId
from memory_lib.errors import IllegalValue
from memory_lib.ports.keys import Sealer
from memory_lib.ports.ledger import StagedUnit

KIND = "staged_unit"
VECTORS_KIND = "staged_vectors"

BY_REASONER = (
    staging.c.user_id == bindparam("user"),
    staging.c.reasoner == bindparam("reasoner"),
    staging.c.version == bindparam("version"),
)
HAVE = select(staging.c.unit_id).where(*BY_REASONER)
HAVE_AMONG = HAVE.where(staging.c.unit_id.in_(bindparam("units", expanding=True)))
UNITS = select(staging.c.unit_id, staging.c.fingerprint, staging.c.dimension, staging.c.sealed, staging.c.sealed_vectors).where(
    *BY_REASONER, staging.c.unit_id.in_(bindparam("units", expanding=True))
)
DISCARD = delete(staging).where(
    staging.c.user_id == bindparam("user"), staging.c.unit_id.in_(bindparam("units", expanding=True))
)


class SqlStaging:
    """Implements ``ports.ledger.Staging``."""

    def __init__(self, database: Database, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer
        self._insert = database.insert(staging).on_conflict_do_nothing()

    def put(self, user: UserId, units: Sequence[StagedUnit]) -> None:
        """Raises IllegalValue for vectors that do not fit the candidates or have no fingerprint, UnknownUser."""
        if not units:
            return
        seal = self._sealer.sealing(user)
        rows: list[dict[str, Any]] = []
        for unit in units:
            extraction = unit.extraction
            reasoner, version = unit.staged_for
            record = record_of(extraction.unit_id, reasoner, version)
            row: dict[str, Any] = {
                "user_id": user,
                "unit_id": extraction.unit_id,
                "reasoner": reasoner,
                "version": version,
                "candidates": len(extraction.candidates),
                "fingerprint": unit.fingerprint,
                "dimension": None,
                "sealed": seal(KIND, record, pack(extraction_codec.encode(extraction))),
                "sealed_vectors": None,
            }
            if unit.vectors is not None:
                if unit.vectors.ndim != 2:
                    raise IllegalValue(f"vectors of a unit must be (candidates, dimension), got shape {unit.vectors.shape}")
                dimension = unit.vectors.shape[1]
                check_vector(unit.vectors, (len(extraction.candidates), dimension), unit.fingerprint)
                row["dimension"] = dimension
                row["sealed_vectors"] = seal(VECTORS_KIND, f"{record}/{unit.fingerprint}", pack_floats(unit.vectors))
            rows.append(row)
        with self._database.write() as connection:
            lock_person(connection, user)
            connection.execute(self._insert, rows)

    def have(self, user: UserId, *, reasoner: str, version: str, among: Sequence[str] | None = None) -> frozenset[str]:
        values = {"user": user, "reasoner": reasoner, "version": version}
        with self._database.read() as connection:
            if among is None:
                return frozenset(connection.execute(HAVE, values).scalars())
            found: set[str] = set()
            for part in chunks(among, self._database.params.chunk):
                found.update(connection.execute(HAVE_AMONG, {**values, "units": part}).scalars())
            return frozenset(found)

    def units(self, user: UserId, unit_ids: Sequence[str], *, reasoner: str, version: str) -> Iterator[StagedUnit]:
        """Opened a chunk at a time, each as it is stored when its turn comes."""
        for part in chunks(unit_ids, self._database.params.chunk):
            with self._database.read() as connection:
                values = {"user": user, "reasoner": reasoner, "version": version, "units": part}
                rows = {row.unit_id: row for row in connection.execute(UNITS, values)}
            if not rows:
                continue
            opened = self._sealer.opener(user)
            for unit_id in part:
                row = rows.get(unit_id)
                if row is None:
                    continue
                record = record_of(unit_id, reasoner, version)
                extraction = extraction_codec.decode(unpack(opened(KIND, record, row.sealed)))
                vectors = None
                if row.sealed_vectors is not None:
                    flat = unpack_floats(opened(VECTORS_KIND, f"{record}/{row.fingerprint}", row.sealed_vectors))
                    vectors = flat.reshape(len(extraction.candidates), row.dimension)
                answered = (extraction.reasoner, extraction.version) == (reasoner, version)
                asked = None if answered else (reasoner, version)
                yield StagedUnit(extraction=extraction, vectors=vectors, fingerprint=row.fingerprint, asked=asked)

    def discard(self, user: UserId, unit_ids: Sequence[str]) -> None:
        if not unit_ids:
            return
        with self._database.write() as connection:
            for part in chunks(unit_ids, self._database.params.chunk):
                connection.execute(DISCARD, {"user": user, "units": part})


def record_of(unit_id: str, reasoner: str, version: str) -> str:
    """What a unit's envelopes are sealed under."""
    return f"{unit_id}/{reasoner}/{version}"
