"""All rows of a person: erased to the last byte, and sealed anew, in whatever table they lie."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import LargeBinary, select

from memory_lib.adapters.sql.people import new_user_id
from memory_lib.adapters.sql.person_store import PERSONAL
from memory_lib.adapters.sql.sealed_columns import SEALED_COLUMNS
from memory_lib.adapters.sql.tables import metadata
from memory_lib.adapters.sql.traces import WAL_SEGMENTS
from memory_lib.errors import KeyMissing, SealBroken, StoreBusy, UnknownUser
from tests.contracts.ledger.said import NOW, said
from tests.contracts.ledger.whole_person import everything, fill

IDS = ("message_id", "request_id", "text_version", "external_tag", "conversation", "session")


@pytest.fixture
def person(ledger, keyring):
    return fill(ledger, keyring.id_key, "Аделаида")


@pytest.fixture
def control(ledger, keyring):
    return fill(ledger, keyring.id_key, "Борис")


def envelopes(ledger, user):
    """Every sealed value of the person, by place."""
    found = []
    with ledger._database.read() as connection:
        for sealed in SEALED_COLUMNS:
            owner = user if sealed.owner == "user_id" else ledger.person_store._pseudonyms.of(user)
            rows = connection.execute(select(sealed.column).where(sealed.table.c[sealed.owner] == owner)).scalars()
            found += [(sealed.place, bytes(value)) for value in rows if value]
    return found


def ids_of(ledger, user):
    """Every id of the person that stands in clear."""
    found = {user}
    with ledger._database.read() as connection:
        for table in PERSONAL:
            names = [column.name for column in table.c if column.name in IDS]
            for row in connection.execute(select(table).where(table.c.user_id == user)).mappings():
                found |= {row[name] for name in names if row[name]}
    return {value.encode() for value in found}


def test_the_filled_person_is_in_every_table_that_names_people(ledger, person):
    assert set(ledger.person_store.residue(person.user)) == {table.name for table in PERSONAL} | {"audit_reasons"}


def test_every_table_either_names_people_or_is_known_not_to():
    nameless = {table.name for table in metadata.sorted_tables} - {table.name for table in PERSONAL}
    assert nameless == {"deployment", "audit"}, "a new table: give it user_id, or say here why it holds nothing of anybody"


def test_every_column_of_bytes_says_how_it_is_sealed():
    columns = {f"{t.name}.{c.name}" for t in metadata.sorted_tables for c in t.c if isinstance(c.type, LargeBinary)}
    assert columns == {sealed.place for sealed in SEALED_COLUMNS}


def test_every_envelope_opens_as_it_is_described(ledger, person, sealer):
    seen = set()
    with ledger._database.read() as connection:
        for sealed in SEALED_COLUMNS:
            for row in connection.execute(select(sealed.table)).mappings():
                sealer.open(person.user, sealed.kind(row), sealed.record(row), row[sealed.name])
                seen.add(sealed.place)
    assert seen == {sealed.place for sealed in SEALED_COLUMNS}


def test_an_erasure_says_what_went_and_leaves_nothing(ledger, backend, person, control, keyring):
    before, there = everything(ledger, control), ledger.person_store.residue(person.user)
    gone = dict(ledger.person_store.erase(person.user))
    assert bool(gone.pop(WAL_SEGMENTS, 0)) is (backend.name == "postgres")
    assert gone == there
    assert ledger.person_store.residue(person.user) == {}
    with pytest.raises(UnknownUser):
        ledger.people.person(person.user)
    assert everything(ledger, control) == before
    assert ledger.people.everyone() == (control.user,)


def test_erasing_needs_no_key_and_may_be_repeated(ledger, person, keyring):
    keyring.destroy(person.user)
    assert ledger.person_store.erase(person.user)["people"] == 1
    again = ledger.person_store.erase(person.user)
    assert set(again) <= {WAL_SEGMENTS}
    assert set(ledger.person_store.erase(new_user_id())) <= {WAL_SEGMENTS}


def test_after_an_erasure_the_person_starts_from_nothing(ledger, person, keyring):
    ledger.person_store.erase(person.user)
    keyring.destroy(person.user)
    again = fill(ledger, keyring.id_key, "Аделаида")
    assert again.user != person.user
    assert ledger.placements.next_generation(again.user) == 2


def test_no_byte_of_an_envelope_and_no_id_stays_in_the_store(backend, root, ledger, person, control):
    blobs, ids = envelopes(ledger, person.user), ids_of(ledger, person.user) - ids_of(ledger, control.user)
    kept = envelopes(ledger, control.user)
    assert {place for place, _ in blobs} == {sealed.place for sealed in SEALED_COLUMNS}
    before = b"\0".join(backend.stored(root))
    assert all(blob[5:37] in before for _, blob in blobs), "the search must find what is there"
    assert all(ident in before for ident in ids)
    ledger.person_store.erase(person.user)
    after = b"\0".join(backend.stored(root))
    assert [place for place, blob in blobs if blob[5:37] in after] == []
    assert [ident for ident in ids if ident in after] == []
    assert all(blob[5:37] in after for _, blob in kept)


def test_who_writes_meanwhile_finds_nobody(ledger, keyring):
    """An erasure and writers of the same person end with nothing of the person."""
    for attempt in range(3):
        person = fill(ledger, keyring.id_key, f"кто-то {attempt}")

        def write(number, user=person.user):
            try:
                ledger.messages.append(user, [said(keyring.id_key, 100 + number)], now=NOW)
                ledger.leases.acquire(user, f"kind {number}", holder="h", ttl_s=60.0, now=NOW)
            except UnknownUser:
                return "unknown"
            return "written"

        with ThreadPoolExecutor(5) as pool:
            writers = [pool.submit(write, n) for n in range(4)]
            erased = pool.submit(ledger.person_store.erase, person.user)
            assert {writer.result() for writer in writers} <= {"unknown", "written"}
            erased.result()
        assert ledger.person_store.residue(person.user) == {}


# -- sealed anew --------------------------------------------------------------------------


def reseal_all(ledger, user, limit=7):
    done = []
    while count := ledger.person_store.reseal(user, limit=limit):
        done.append(count)
    return done


def test_after_a_rotation_every_envelope_is_outdated_and_is_made_anew_in_batches(ledger, person, control, keyring):
    before, others = everything(ledger, person), envelopes(ledger, control.user)
    count = len(envelopes(ledger, person.user))
    assert ledger.person_store.outdated(person.user) == 0
    assert ledger.person_store.reseal(person.user, limit=7) == 0
    keyring.begin(person.user)
    assert ledger.person_store.outdated(person.user) == count
    done = reseal_all(ledger, person.user)
    assert sum(done) == count
    assert max(done) <= 7
    assert ledger.person_store.outdated(person.user) == 0
    keyring.finish(person.user)
    assert everything(ledger, person) == before
    assert ledger.requests.payload(person.user, person.request) == {"topic": "Аделаида"}
    assert ledger.audit.rows(user=person.user)[0].reason == "Аделаида"
    assert envelopes(ledger, control.user) == others


def test_a_rotation_that_was_cut_short_is_gone_on_with(ledger, person, keyring):
    keyring.begin(person.user)
    first = ledger.person_store.reseal(person.user, limit=5)
    left = ledger.person_store.outdated(person.user)
    assert first == 5
    assert left == len(envelopes(ledger, person.user)) - 5
    assert sum(reseal_all(ledger, person.user, limit=1000)) == left


def test_an_envelope_that_does_not_open_is_named_when_the_rest_is_done(ledger, person, keyring):
    from memory_lib.adapters.sql.tables import decisions

    keyring.begin(person.user)
    with ledger._database.write() as connection:
        sealed = bytearray(connection.execute(select(decisions.c.sealed)).scalar_one())
        sealed[-1] ^= 1
        connection.execute(decisions.update().values(sealed=bytes(sealed)))
    count = ledger.person_store.outdated(person.user)
    with pytest.raises(SealBroken):
        reseal_all(ledger, person.user, limit=3)
    assert count > 1
    assert ledger.person_store.outdated(person.user) == 1


def test_what_somebody_replaced_meanwhile_stays_theirs(ledger, person, keyring, monkeypatch):
    """A round put between reading and writing is not overwritten by what it replaced."""
    keyring.begin(person.user)
    store = ledger.person_store
    original = store._read

    def read_then_somebody_writes(user, limit):
        batch = original(user, limit)
        ledger.rounds.put(user, [turn_of(person, "новые слова")], fingerprint="e5/8", dimension=8)
        return batch

    monkeypatch.setattr(store, "_read", read_then_somebody_writes)
    store.reseal(person.user, limit=1000)
    monkeypatch.undo()
    turns = {turn.message: turn.stems for turn in ledger.rounds.load(person.user, fingerprint="e5/8")}
    assert turns[person.messages[0].id] == ("новые слова",)
    reseal_all(ledger, person.user)
    assert store.outdated(person.user) == 0


def test_when_all_of_a_batch_was_replaced_the_caller_is_told_to_come_again(ledger, person, keyring, monkeypatch):
    keyring.begin(person.user)
    store = ledger.person_store
    original = store._read

    def read_then_all_is_done_by_another(user, limit):
        batch = original(user, limit)
        monkeypatch.undo()
        reseal_all(ledger, user, limit=1000)
        return batch

    monkeypatch.setattr(store, "_read", read_then_all_is_done_by_another)
    with pytest.raises(StoreBusy):
        store.reseal(person.user, limit=5)
    assert store.reseal(person.user, limit=5) == 0


def test_two_resealers_and_a_writer_at_once_lose_nothing(ledger, person, keyring):
    keyring.begin(person.user)

    def work(number):
        if number == 2:
            for n in range(20):
                ledger.messages.append(person.user, [said(keyring.id_key, 200 + n)], now=NOW)
            return
        for _ in range(60):
            try:
                if not ledger.person_store.reseal(person.user, limit=3):
                    return
            except StoreBusy:
                continue

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, range(3)))
    reseal_all(ledger, person.user)
    assert ledger.person_store.outdated(person.user) == 0
    keyring.finish(person.user)
    assert len(ledger.messages.messages(person.user, [ref.id for ref in ledger.messages.refs(person.user)])) == 26


def test_an_erased_person_cannot_be_sealed_anew(ledger, person, keyring):
    keyring.destroy(person.user)
    for ask in (ledger.person_store.outdated, lambda user: ledger.person_store.reseal(user, limit=3)):
        with pytest.raises(KeyMissing):
            ask(person.user)


def turn_of(person, stem):
    from memory_lib.ports.ledger import StoredRound
    from tests.contracts.ledger.whole_person import vector

    message = person.messages[0]
    return StoredRound(message.id, f"round-{message.id}", (stem,), None, vector("другое", 8))
