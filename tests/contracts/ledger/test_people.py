from __future__ import annotations

import pytest

from memory_lib.adapters.sql.people import new_user_id
from memory_lib.domain.ids import UserId
from memory_lib.errors import KeyMissing, UnknownUser
from tests.contracts.ledger.said import MOSCOW, NOW


@pytest.mark.parametrize("name", ["анна", "Anna Smith", "a" * 5000, "", "x\x00y", "\ud83d", "\ud83d\ude00", "🙂"])
def test_an_external_id_comes_back_as_it_was(ledger, name):
    user = ledger.people.ensure(name, now=NOW)
    assert ledger.people.external(user) == name
    assert ledger.people.find(name) == user


def test_ensuring_twice_gives_the_same_person(ledger):
    assert ledger.people.ensure("анна", now=NOW) == ledger.people.ensure("анна", now=NOW)
    assert len(ledger.people.everyone()) == 1


def test_names_that_differ_in_one_letter_are_two_people(ledger):
    assert ledger.people.ensure("анна", now=NOW) != ledger.people.ensure("Анна", now=NOW)


def test_an_unknown_name_is_not_found(ledger):
    assert ledger.people.find("никто") is None


def test_an_unknown_id_says_so(ledger):
    for ask in (ledger.people.person, ledger.people.external):
        with pytest.raises(UnknownUser):
            ask(new_user_id())


def test_a_new_person_has_said_nothing(ledger):
    user = ledger.people.ensure("анна", now=NOW.astimezone(MOSCOW))
    person = ledger.people.person(user)
    assert (person.user, person.log_version, person.messages) == (user, 0, 0)
    assert person.last_message_us is None
    assert person.created_at == NOW
    assert person.created_at.utcoffset() == MOSCOW.utcoffset(None)


def test_a_new_person_has_a_data_key(ledger, keyring):
    assert keyring.open(ledger.people.ensure("анна", now=NOW)).user


def test_everyone_comes_in_order_a_page_at_a_time(ledger):
    made = sorted(ledger.people.ensure(f"user {n}", now=NOW) for n in range(7))
    pages, after = [], None
    while page := ledger.people.everyone(after=after, limit=3):
        assert len(page) <= 3
        pages.extend(page)
        after = page[-1]
    assert pages == made


def test_after_the_key_is_destroyed_the_name_cannot_be_read(ledger, keyring):
    user = ledger.people.ensure("анна", now=NOW)
    keyring.destroy(user)
    with pytest.raises(KeyMissing) as caught:
        ledger.people.external(UserId(user))
    assert "анна" not in str(caught.value)
