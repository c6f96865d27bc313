from __future__ import annotations

import pytest

from memory_lib.adapters.neo4j import schema
from memory_lib.errors import SchemaMismatch, StoreBusy


class Recorded:
    """A server that notes what it is told, and answers as one of some version with some schema."""

    def __init__(self, server: str, *, version: int, indexed: bool = True) -> None:
        self.told: list[str] = []
        self.answers = {
            schema.COMPONENTS: [(server, "community")],
            schema.READ_VERSION: [(version,)] if version else [],
            schema.VECTOR_INDEXES: [("ONLINE", ["embedding", "user_id", "visible"])] if indexed else [],
        }

    def alone(self, statement, parameters=None):
        if statement in self.answers:
            return self.answers[statement]
        self.told.append(statement)
        return []


@pytest.mark.parametrize(
    ("version", "filtered"),
    [
        ("2026.07.1", True),
        ("2026.02.0", True),
        ("2026.01.4", False),
        ("5.26.0", False),
        ("2025.12.0", False),
        ("2027.01-rc1", True),
    ],
)
def test_what_a_server_can_do_goes_by_its_version(version, filtered):
    assert schema.abilities(Recorded(version, version=0)) == schema.ServerAbilities(version, "community", filtered)


def test_what_somebody_else_makes_at_the_same_time_is_looked_at_again():
    class Raced(Recorded):
        met = 0

        def alone(self, statement, parameters=None):
            if statement in schema.STEPS[1] and self.met < 3:
                self.met += 1
                raise StoreBusy("somebody else made it just now")
            return super().alone(statement, parameters)

    server = Raced("2026.07.1", version=0)
    schema.ensure(server)
    assert server.told[: len(schema.STEPS[1])] == list(schema.STEPS[1])

    class Hopeless(Recorded):
        def alone(self, statement, parameters=None):
            if statement in schema.STEPS[1]:
                raise StoreBusy("the schema is locked")
            return super().alone(statement, parameters)

    with pytest.raises(StoreBusy):
        schema.ensure(Hopeless("2026.07.1", version=0))


def test_a_database_of_a_newer_version_is_refused_untouched():
    server = Recorded("2026.07.1", version=schema.VERSION + 1)
    with pytest.raises(SchemaMismatch):
        schema.ensure(server)
    assert server.told == []


def test_a_database_of_this_version_is_left_alone():
    server = Recorded("2026.07.1", version=schema.VERSION)
    assert schema.ensure(server).filtered_search
    assert server.told == []


def test_an_empty_database_gets_everything_and_then_says_so():
    server = Recorded("2026.07.1", version=0, indexed=False)
    schema.ensure(server)
    assert server.told == [*schema.STEPS[1], schema.MAKE_VECTOR_INDEX, schema.AWAIT, schema.WRITE_VERSION]


def test_a_server_that_cannot_search_one_persons_part_gets_no_vector_index():
    server = Recorded("5.26.0", version=0, indexed=False)
    schema.ensure(server)
    assert schema.MAKE_VECTOR_INDEX not in server.told
    assert server.told[-1] == schema.WRITE_VERSION


def test_a_server_that_has_learned_to_search_gets_its_index():
    server = Recorded("2026.07.1", version=schema.VERSION, indexed=False)
    schema.ensure(server)
    assert schema.MAKE_VECTOR_INDEX in server.told
    assert not set(schema.STEPS[1]) & set(server.told)


def test_each_step_may_be_carried_out_again():
    assert all("IF NOT EXISTS" in statement for step in schema.STEPS.values() for statement in step)
    assert "IF NOT EXISTS" in schema.MAKE_VECTOR_INDEX


def test_steps_are_numbered_without_a_gap():
    assert list(schema.STEPS) == list(range(1, schema.VERSION + 1))
