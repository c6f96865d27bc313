from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

from memory_lib.adapters.keys.signing import Ed25519Signer, verified
from memory_lib.domain.receipt import Receipt


def signed(signer):
    receipt = Receipt(
        operation="erase",
        applied=True,
        at=datetime(2026, 6, 1, tzinfo=UTC),
        user=None,
        counts={"граф": {"nodes": 3}},
        seconds={"all": 0.25},
        notes=("key_backups_7_days",),
        id="ab" * 16,
        key=signer.public_key.hex(),
    )
    return replace(receipt, signature=signer.sign(receipt.signed_bytes()).hex())


def test_a_receipt_is_verified_by_the_public_key_alone_also_after_a_trip_through_json(keyring, reopen, tmp_path):
    receipt = signed(Ed25519Signer(keyring))
    public = Ed25519Signer(reopen(tmp_path)).public_key
    assert verified(receipt.record(), public)
    assert verified(json.loads(json.dumps(receipt.record(), ensure_ascii=False, indent=2)), public)


def test_a_changed_receipt_or_another_key_is_not_verified(keyring, reopen, tmp_path):
    signer, stranger = Ed25519Signer(keyring), Ed25519Signer(reopen(tmp_path / "other"))
    record = signed(signer).record()
    changes = (
        {"applied": False},
        {"counts": {"граф": {"nodes": 4}}},
        {"notes": []},
        {"at": "2026-06-02T00:00:00+00:00"},
        {"signature": ""},
        {"signature": record["signature"][:-1] + ("1" if record["signature"].endswith("0") else "0")},
        {"signature": None},
        {"key": stranger.public_key.hex()},
    )
    for change in changes:
        assert not verified({**record, **change}, signer.public_key), change
    assert not verified(record, stranger.public_key)
    assert not verified(signed(stranger).record(), signer.public_key)
    assert not verified({}, signer.public_key)
    assert not verified(record, b"short")


def test_the_public_key_is_handed_out_in_the_form_that_others_read(keyring):
    signer = Ed25519Signer(keyring)
    key = load_pem_public_key(signer.public_key_pem.encode())
    assert key.public_bytes(Encoding.Raw, PublicFormat.Raw) == signer.public_key
