from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_lib.adapters.sql.people import new_user_id
from memory_lib.domain.ids import MessageId
from memory_lib.domain.message import Role
from memory_lib.errors import SealBroken, UnknownUser
from memory_lib.ports.ledger import Appended
from tests.contracts.ledger.said import NOW, said

ANY_TEXT = st.text(alphabet=st.characters(codec=None), max_size=40)
NUMBERS = itertools.count()
SHARED = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@SHARED
@given(text=ANY_TEXT, name=ANY_TEXT, channel=st.none() | ANY_TEXT, minutes=st.integers(-14 * 60, 14 * 60))
def test_whatever_was_said_comes_back_exactly(ledger, user, keyring, text, name, channel, minutes):
    at = datetime(2026, 1, 1, 3, 4, 5, 678901, tzinfo=timezone(timedelta(minutes=minutes)))
    names = dict.fromkeys(("conversation", "speaker", "agent", "session", "parent", "zone", "caption"), name)
    message = said(keyring.id_key, next(NUMBERS), text, at=at, channel=channel, **names)
    ledger.messages.append(user, [message], now=NOW)
    back = ledger.messages.messages(user, [message.id])[message.id]
    assert back == message
    assert back.time.utcoffset() == message.time.utcoffset()


@pytest.mark.parametrize("text", ["", "\x00", "\ud83d\ude00", "\udc00", "שלום", "я" * 1_000_000])
def test_odd_texts_come_back_exactly(ledger, user, keyring, text):
    message = said(keyring.id_key, 1, text)
    ledger.messages.append(user, [message], now=NOW)
    assert ledger.messages.messages(user, [message.id])[message.id].text == text


@pytest.mark.parametrize("role", Role)
def test_every_role_is_kept(ledger, user, keyring, role):
    message = said(keyring.id_key, 1, role=role)
    ledger.messages.append(user, [message], now=NOW)
    assert ledger.messages.refs(user)[0].role is role


@pytest.mark.parametrize("year", [1, 1969, 9999])
def test_times_far_away_are_kept(ledger, user, keyring, year):
    message = said(keyring.id_key, 1, at=datetime(year, 6, 1, tzinfo=UTC))
    ledger.messages.append(user, [message], now=NOW)
    assert ledger.messages.messages(user, [message.id])[message.id].time == message.time


def test_appending_says_what_was_new_edited_and_known(ledger, user, keyring):
    first = [said(keyring.id_key, n) for n in range(3)]
    assert ledger.messages.append(user, first, now=NOW) == Appended(new=3, edited=0, same=0)
    again = [first[0], said(keyring.id_key, 1, "другое"), said(keyring.id_key, 3)]
    assert ledger.messages.append(user, again, now=NOW) == Appended(new=1, edited=1, same=1)


def test_an_edit_shows_the_new_text_and_place(ledger, user, keyring):
    ledger.messages.append(user, [said(keyring.id_key, 1, "was")], now=NOW)
    edited = said(keyring.id_key, 1, "is", at=NOW, role=Role.OTHER)
    ledger.messages.append(user, [edited], now=NOW)
    assert ledger.messages.messages(user, [edited.id]) == {edited.id: edited}
    (ref,) = ledger.messages.refs(user)
    assert (ref.text_version, ref.role, ref.at_us) == (edited.text_version, Role.OTHER, edited.at_us)


def test_a_former_text_seen_again_is_nothing_new(ledger, user, keyring):
    former, later = said(keyring.id_key, 1, "was"), said(keyring.id_key, 1, "is")
    ledger.messages.append(user, [former], now=NOW)
    ledger.messages.append(user, [later], now=NOW)
    assert ledger.messages.append(user, [former], now=NOW) == Appended(new=0, edited=0, same=1)
    assert ledger.messages.messages(user, [later.id])[later.id].text == "is"


def test_one_batch_may_hold_a_message_several_times(ledger, user, keyring):
    batch = [said(keyring.id_key, 1, text) for text in ("a", "b", "a", "c")]
    assert ledger.messages.append(user, batch, now=NOW) == Appended(new=1, edited=2, same=1)
    assert ledger.messages.messages(user, [batch[0].id])[batch[0].id].text == "c"
    assert ledger.people.person(user).messages == 1


def test_the_log_version_rises_once_for_each_append_that_changed_something(ledger, user, keyring):
    versions = [ledger.people.person(user).log_version]
    for batch in (
        [said(keyring.id_key, n) for n in range(3)],
        [said(keyring.id_key, 0, "иначе")],
        [said(keyring.id_key, 1)],
        [],
    ):
        ledger.messages.append(user, batch, now=NOW)
        versions.append(ledger.people.person(user).log_version)
    assert versions == [0, 1, 2, 2, 2]


def test_the_person_row_keeps_count_and_the_newest_message(ledger, user, keyring):
    late, early = said(keyring.id_key, 9), said(keyring.id_key, 1)
    ledger.messages.append(user, [late], now=NOW)
    ledger.messages.append(user, [early], now=NOW)
    person = ledger.people.person(user)
    assert (person.messages, person.last_message_us, person.last_message_offset) == (2, late.at_us, 180)


def test_an_edit_that_moves_the_newest_message_back_is_seen(ledger, user, keyring):
    newest = said(keyring.id_key, 9)
    ledger.messages.append(user, [newest, said(keyring.id_key, 5)], now=NOW)
    ledger.messages.append(user, [said(keyring.id_key, 9, "раньше", at=newest.time - timedelta(days=1))], now=NOW)
    assert ledger.people.person(user).last_message_us == said(keyring.id_key, 5).at_us


def test_places_come_in_the_order_of_events(ledger, user, keyring):
    same_time = datetime(2026, 4, 2, tzinfo=UTC)
    batch = [said(keyring.id_key, n) for n in (5, 2, 8)] + [said(keyring.id_key, n, at=same_time) for n in range(20, 30)]
    ledger.messages.append(user, batch, now=NOW)
    refs = ledger.messages.refs(user)
    assert [ref.order for ref in refs] == sorted(message.order for message in batch)
    assert {ref.id: (ref.conversation, ref.session, ref.offset, ref.text_version) for ref in refs} == {
        m.id: (m.conversation, m.session, m.offset, m.text_version) for m in batch
    }


def test_places_of_one_conversation(ledger, user, keyring):
    work = [said(keyring.id_key, n, conversation="работа") for n in range(3)]
    home = [said(keyring.id_key, n, conversation="home") for n in range(2)]
    ledger.messages.append(user, work + home, now=NOW)
    assert [ref.id for ref in ledger.messages.refs(user, conversation=work[0].conversation)] == [m.id for m in work]
    assert ledger.messages.conversations(user) == tuple(sorted({work[0].conversation, home[0].conversation}))


def test_unknown_messages_are_left_out(ledger, user, keyring):
    known = said(keyring.id_key, 1)
    ledger.messages.append(user, [known], now=NOW)
    assert ledger.messages.messages(user, [MessageId("0" * 32), known.id, known.id]).keys() == {known.id}
    assert ledger.messages.messages(user, []) == {}


def test_more_messages_than_one_statement_takes(ledger, user, keyring):
    batch = [said(keyring.id_key, n) for n in range(230)]
    ledger.messages.append(user, batch[:120], now=NOW)
    assert ledger.messages.append(user, batch, now=NOW) == Appended(new=110, edited=0, same=120)
    assert ledger.messages.messages(user, (m.id for m in batch)) == {m.id: m for m in batch}


def test_the_active_clock_counts_only_the_persons_own_messages(ledger, user, keyring):
    own = [said(keyring.id_key, n) for n in (7, 3)]
    others = [said(keyring.id_key, 20 + n, role=role) for n, role in enumerate(Role) if role is not Role.USER]
    ledger.messages.append(user, own + others, now=NOW)
    times = ledger.messages.user_times(user)
    assert times.dtype == np.int64
    assert times.tolist() == sorted(message.at_us for message in own)


def test_people_do_not_see_each_other(ledger, user, keyring):
    other = ledger.people.ensure("bob", now=NOW)
    message = said(keyring.id_key, 1)
    ledger.messages.append(user, [message], now=NOW)
    assert ledger.messages.refs(other) == ()
    assert ledger.messages.messages(other, [message.id]) == {}
    assert ledger.messages.append(other, [replace(message)], now=NOW) == Appended(new=1, edited=0, same=0)


def test_nothing_is_kept_for_an_unknown_person(ledger, keyring):
    with pytest.raises(UnknownUser):
        ledger.messages.append(new_user_id(), [said(keyring.id_key, 1)], now=NOW)
    assert ledger.messages.refs(new_user_id()) == ()
    assert ledger.messages.user_times(new_user_id()).tolist() == []


def test_a_failed_append_leaves_nothing(ledger, user, keyring, sealer, monkeypatch):
    ledger.messages.append(user, [said(keyring.id_key, 0)], now=NOW)
    seal = sealer.sealing(user)

    def breaks_at_the_third(_user):
        done = []

        def sealing(kind, record, payload):
            done.append(record)
            if len(done) == 3:
                raise SealBroken("planted")
            return seal(kind, record, payload)

        return sealing

    monkeypatch.setattr(sealer, "sealing", breaks_at_the_third)
    before = ledger.people.person(user)
    with pytest.raises(SealBroken):
        ledger.messages.append(user, [said(keyring.id_key, n) for n in range(1, 6)], now=NOW)
    assert ledger.people.person(user) == before
    assert len(ledger.messages.refs(user)) == 1
