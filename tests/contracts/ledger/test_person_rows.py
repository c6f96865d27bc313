"""A person's rows, opened, put into another ledger, and the same again."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from memory_lib.adapters.sql.people import new_user_id
from memory_lib.adapters.sql.person_store import PERSONAL
from memory_lib.domain.placement import Placement, Tier
from memory_lib.domain.time import to_us
from memory_lib.errors import IllegalValue, KeyMissing, SchemaMismatch, UnknownUser
from tests.contracts.ledger.said import NOW, said
from tests.contracts.ledger.whole_person import E5, everything, fill

LEFT_BEHIND = {"requests"}


@pytest.fixture
def person(ledger, keyring):
    return fill(ledger, keyring.id_key, "Аделаида")


def through_json(dump):
    return json.loads(json.dumps(dump))


def test_everything_comes_over_and_is_sealed_under_the_other_key(ledger, elsewhere, person):
    before = everything(ledger, person)
    dump = through_json(ledger.person_rows.dump(person.user))
    loaded = elsewhere.person_rows.load(person.user, dump)
    assert everything(elsewhere, person) == before
    assert everything(ledger, person) == before
    assert set(loaded) == {table.name for table in PERSONAL} - LEFT_BEHIND - {"leases", "placements"}
    assert loaded["messages"] == len(person.messages)
    assert elsewhere.person_store.outdated(person.user) == 0
    assert elsewhere.receipts.of(person.user) == ledger.receipts.of(person.user)
    assert elsewhere.people.find("Аделаида") == person.user
    assert elsewhere.people.person(person.user).messages == len(person.messages)


def test_a_dump_names_no_internal_id_but_in_keys_and_receipts(ledger, person):
    dump = ledger.person_rows.dump(person.user)
    assert all("user_id" not in row and "external_tag" not in row for rows in dump.values() for row in rows)
    assert set(dump) == {table.name for table in PERSONAL} - LEFT_BEHIND
    assert dump["people"][0]["external_sealed"] == "Аделаида"


def test_loading_twice_is_loading_once(ledger, elsewhere, person):
    dump = ledger.person_rows.dump(person.user)
    elsewhere.person_rows.load(person.user, dump)
    before, version = everything(elsewhere, person), elsewhere.people.person(person.user).log_version
    assert elsewhere.person_rows.load(person.user, dump) == {}
    assert everything(elsewhere, person) == before
    assert elsewhere.people.person(person.user).log_version == version


def test_a_copy_from_ledger_to_ledger_is_the_same(ledger, elsewhere, person):
    before = everything(ledger, person)
    elsewhere.person_rows.load(person.user, ledger.person_rows.dump(person.user))
    assert everything(elsewhere, person) == before


def test_a_person_may_come_over_under_another_internal_id(ledger, elsewhere, person):
    user = new_user_id()
    elsewhere.person_rows.load(user, ledger.person_rows.dump(person.user))
    assert elsewhere.people.find("Аделаида") == user
    assert elsewhere.people.everyone() == (user,)
    ids = [message.id for message in person.messages]
    assert elsewhere.messages.messages(user, ids) == ledger.messages.messages(person.user, ids)
    assert elsewhere.receipts.of(user) == (), "a receipt is signed with the id in it"


def test_what_is_there_already_stays_and_what_is_missing_comes_back(ledger, person, keyring):
    """A ledger's backup put into the living ledger: newer words are not overwritten."""
    dump = ledger.person_rows.dump(person.user)
    newer = said(keyring.id_key, 1, "новее", conversation="чат: Аделаида")
    late = said(keyring.id_key, 77, "позже")
    ledger.messages.append(person.user, [newer, late], now=NOW)
    ledger.residuals.replace(person.user, None, [])
    ledger.staging.discard(person.user, ["unit-1"])
    loaded = ledger.person_rows.load(person.user, dump)
    assert loaded == {"residuals": 1, "staging": 1}
    assert ledger.messages.messages(person.user, [newer.id, late.id]) == {newer.id: newer, late.id: late}
    assert ledger.people.person(person.user).messages == len(person.messages) + 1


def test_log_entries_of_a_backup_come_behind_those_logged_since(ledger, person):
    from memory_lib.domain.changes import Action

    dump = ledger.person_rows.dump(person.user)
    ledger.actions.append(person.user, [("since", 0, NOW, Action("create", "r", ()))])
    dump = {**dump, "actions": [*dump["actions"], {**dump["actions"][0], "write_key": "lost", "seq": 2}]}
    assert ledger.person_rows.load(person.user, dump)["actions"] == 1
    logged = [(entry.seq, entry.write_key) for entry in ledger.actions.entries(person.user)]
    assert [key for _, key in logged[3:]] == ["since", "lost"]
    assert [seq for seq, _ in logged] == [1, 2, 3, 4, 5]


def test_tokens_and_generations_given_before_are_not_given_again(ledger, elsewhere, person):
    token = 0
    for number in range(5):
        token = ledger.leases.acquire(person.user, "write", holder=f"h{number}", ttl_s=-1.0, now=NOW).token
        generation = ledger.placements.next_generation(person.user)
    elsewhere.person_rows.load(person.user, ledger.person_rows.dump(person.user))
    assert elsewhere.placements.of(person.user) is None
    assert elsewhere.leases.acquire(person.user, "write", holder="h", ttl_s=60.0, now=NOW).token > token
    assert elsewhere.placements.next_generation(person.user) > generation
    # and what is higher here is not set back
    for _ in range(5):
        generation = elsewhere.placements.next_generation(person.user)
    elsewhere.person_rows.load(person.user, ledger.person_rows.dump(person.user))
    assert elsewhere.placements.next_generation(person.user) == generation + 1


def test_who_is_silent_is_known_after_a_copy(ledger, elsewhere, person):
    elsewhere.person_rows.load(person.user, ledger.person_rows.dump(person.user))
    elsewhere.placements.assign(person.user, "main")
    last = max(message.at_us for message in person.messages if message.role.value == "user")
    assert elsewhere.placements.silent(tier=Tier.HOT, before_us=to_us(NOW)) == ((person.user, last),)
    assert elsewhere.placements.of(person.user) == Placement(Tier.HOT, "main")


def test_who_is_served_by_an_embedder_here_stays_with_it(ledger, elsewhere, person):
    elsewhere.person_rows.load(person.user, ledger.person_rows.dump(person.user))
    assert elsewhere.people.person(person.user).fingerprint == E5
    assert ledger.people.person(person.user).fingerprint == E5


def test_an_external_id_that_is_somebody_elses_is_refused(ledger, elsewhere, person):
    taken = elsewhere.people.ensure("Аделаида", now=NOW)
    with pytest.raises(IllegalValue):
        elsewhere.person_rows.load(person.user, ledger.person_rows.dump(person.user))
    assert elsewhere.people.everyone() == (taken,)


def test_unknown_and_erased_people_have_no_rows(ledger, person, keyring):
    with pytest.raises(UnknownUser):
        ledger.person_rows.dump(new_user_id())
    with pytest.raises(UnknownUser):
        ledger.person_rows.load(new_user_id(), {})
    keyring.destroy(person.user)
    with pytest.raises(KeyMissing):
        ledger.person_rows.dump(person.user)


ALTERED = (
    ("messages", "at_us", "завтра"),
    ("messages", "at_us", 2**63),
    ("messages", "at_offset", True),
    ("messages", "role", "r" * 17),
    ("messages", "role", None),
    ("messages", "conversation", "a\x00b"),
    ("messages", "conversation", "\ud83d"),
    ("rounds", "sealed_vector", "not base64!"),
    ("rounds", "sealed_vector", "AAA="),
    ("people", "external_sealed", 7),
)


def test_a_dump_that_was_altered_is_refused_whole(ledger, elsewhere, person):
    for table, column, value in ALTERED:
        dump = through_json(ledger.person_rows.dump(person.user))
        dump[table][0][column] = value
        with pytest.raises(IllegalValue):
            elsewhere.person_rows.load(person.user, dump)
        assert elsewhere.people.everyone() == (), (table, column)


@pytest.mark.parametrize("harm", [{"unknown": []}, {"messages": [{"surprise": 1}]}])
def test_a_dump_of_a_newer_version_is_refused(elsewhere, harm):
    with pytest.raises(SchemaMismatch):
        elsewhere.person_rows.load(new_user_id(), harm)


def test_a_dump_is_of_one_instant(ledger, person, keyring, monkeypatch):
    """A message said while the rows are read is in all tables or in none."""
    from memory_lib.adapters.sql import person_copy

    original, told = person_copy._opened, []

    def opened_while_somebody_speaks(table, row, opened):
        if not told:
            told.append(1)
            ledger.messages.append(person.user, [said(keyring.id_key, 900)], now=NOW + timedelta(days=1))
        return original(table, row, opened)

    monkeypatch.setattr(person_copy, "_opened", opened_while_somebody_speaks)
    dump = ledger.person_rows.dump(person.user)
    assert told
    assert {row["message_id"] for row in dump["messages"]} == {row["message_id"] for row in dump["message_versions"]}
    assert dump["people"][0]["messages"] == len(dump["messages"]) == len(person.messages)
