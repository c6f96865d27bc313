from __future__ import annotations

import base64
from functools import partial

import numpy as np
import pytest

from memory_lib.domain.candidates import Candidate, Extraction, NodeType, Slot
from memory_lib.domain.changes import Action
from memory_lib.ports.ledger import Residual, StagedUnit, StoredRound
from tests.contracts.ledger.said import NOW, said

CANARIES = {
    "external id": "Аделаида-Zamoyska",
    "text": "тайное озеро Kvarnsjön",
    "former text": "прежние слова Ovanlig",
    "speaker": "Серафима Quill",
    "conversation": "кухонный чат Nordwind",
    "source id": "исходник-7731-Xyl",
    "agent": "помощник Brisby",
    "caption": "подпись к снимку Tjörn",
    "stem": "неизгладим",
    "candidate": "мечтает о маяке Fyrtorn",
    "slot": "значение Lykt",
    "reason": "reason-Heliotrope",
    "residual": "остаток Viksand",
    "answer": "ответ Rödsten",
}
ROUND_VECTOR = np.random.default_rng(1).normal(size=384).astype(np.float32)
STAGED_VECTORS = np.random.default_rng(2).normal(size=(1, 384)).astype(np.float32)


def encodings(word):
    """The bytes that would give a word away, by name."""
    plain = word.encode()
    yield "utf-8", plain
    yield "utf-16", word.encode("utf-16-le")
    yield "json", "".join(f"\\u{ord(c):04x}" if ord(c) > 127 else c for c in word).encode()
    yield "hex", plain.hex().encode()
    for shift in range(3):
        # the whole groups of three, wherever the word starts within one
        coded = base64.b64encode(b"\0" * shift + plain)
        yield "base64", coded[4 if shift else 0 : -4]


def given_away(stored):
    """Which canaries some of these bytes give away."""
    wanted = [(name, coded) for name, word in CANARIES.items() for _, coded in encodings(word)]
    wanted += [("round vector", ROUND_VECTOR.tobytes()[:16]), ("staged vectors", STAGED_VECTORS.tobytes()[:16])]
    everything = b"\n".join(stored)
    return {name for name, coded in wanted if coded in everything}


def readable(backend, root):
    """What the store and every file of the home give away."""
    files = (path.read_bytes() for path in root.rglob("*") if path.is_file())
    return given_away([*files, *backend.stored(root)])


def fill(ledger, keyring):
    user = ledger.people.ensure(CANARIES["external id"], now=NOW)
    names = {"speaker": CANARIES["speaker"], "agent": CANARIES["agent"], "caption": CANARIES["caption"]}
    former, message = (
        said(keyring.id_key, 1, CANARIES[text], conversation=CANARIES["conversation"], session=CANARIES["source id"], **names)
        for text in ("former text", "text")
    )
    ledger.messages.append(user, [former], now=NOW)
    ledger.messages.append(user, [message], now=NOW)
    turn = StoredRound(message.id, "r1", (CANARIES["stem"], "x"), CANARIES["speaker"], ROUND_VECTOR)
    ledger.rounds.put(user, [turn], fingerprint="e5", dimension=384)
    candidate = Candidate(
        type=NodeType.FACT,
        content=CANARIES["candidate"],
        start=0,
        end=5,
        rule="r",
        confidence=0.9,
        slot=Slot(key="k", value=CANARIES["slot"]),
    )
    extraction = Extraction("u1", message.id, (candidate,), (), "rules", "1", "ru")
    ledger.staging.put(user, [StagedUnit(extraction, STAGED_VECTORS, "e5")])
    ledger.actions.append(user, [("k", 0, NOW, Action("create", CANARIES["reason"], ("a" * 32,)))])
    left = Candidate(type=NodeType.FACT, content=CANARIES["residual"], start=0, end=5, rule="r", confidence=0.2)
    ledger.residuals.replace(user, [message.id], [Residual("u1", 0, message.id, left, "too_unsure")])
    ledger.decisions.keep(user, "d" * 32, {"verdict": CANARIES["answer"]}, judge="j/1")
    ledger.staging.discard(user, ["u1"])
    return user, message


class PassThrough:
    """A sealer that seals nothing."""

    def seal(self, _user, _kind, _record, payload):
        return payload

    open = seal

    def sealing(self, user):
        return partial(self.seal, user)

    opener = sealing


def test_no_byte_gives_away_what_was_said(backend, root, keyring, sealer):
    with backend.open(root, sealer, keyring) as ledger:
        user, message = fill(ledger, keyring)
        assert ledger.messages.messages(user, [message.id])[message.id].text == CANARIES["text"]
        assert not backend.kept_in_home or list(root.glob("ledger.db-wal")), "the log must be among the files looked at"
        assert readable(backend, root) == set()
    assert readable(backend, root) == set()


def test_the_search_finds_everything_where_nothing_is_sealed(backend, root, keyring):
    with backend.open(root, PassThrough(), keyring) as ledger:
        fill(ledger, keyring)
        assert readable(backend, root) == {*CANARIES, "round vector", "staged vectors"}


def test_each_encoding_of_a_canary_would_be_found():
    for name, coded in encodings(CANARIES["text"]):
        assert given_away([b"other", b"\xff\x00" + coded + b"\x01"]) == {"text"}, name


def test_a_row_moved_to_another_place_does_not_open(ledger, keyring, sealer):
    from memory_lib.errors import SealBroken

    user, message = fill(ledger, keyring)
    envelope = sealer.seal(user, "message", f"{message.id}/{message.text_version}", b"{}")
    for kind, record in (("round", f"{message.id}/{message.text_version}"), ("message", message.id)):
        with pytest.raises(SealBroken):
            sealer.open(user, kind, record, envelope)
