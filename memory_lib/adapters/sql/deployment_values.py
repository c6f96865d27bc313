"""Short texts of the whole deployment, by name: what it was made with, and what was last done to all of it."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.tables import deployment

VALUE = select(deployment.c.value).where(deployment.c.name == bindparam("of"))


class SqlDeploymentValues:
    """Implements ``usecases.reapply_tombstones.DeploymentValues``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        insert = database.insert(deployment)
        self._set = insert.on_conflict_do_update(index_elements=[deployment.c.name], set_={"value": insert.excluded.value})

    def value(self, name: str) -> str | None:
        with self._database.read() as connection:
            found = connection.execute(VALUE, {"of": name}).scalar_one_or_none()
        return None if found is None else str(found)

    def set(self, name: str, value: str) -> None:
        with self._database.write() as connection:
            connection.execute(self._set, {"name": name, "value": value})
