"""A person of whom every table of the ledger keeps something."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta

import numpy as np

from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.domain.candidates import Candidate, Extraction, NodeType, Slot
from memory_lib.domain.changes import Action
from memory_lib.domain.ids import IdKey, NodeId, UserId
from memory_lib.domain.message import Message, Role
from memory_lib.domain.receipt import Receipt
from memory_lib.ports.forgetting import ForgetRule
from memory_lib.ports.ledger import ModelCall, Residual, StagedUnit, StoredRound
from tests.contracts.ledger.said import MOSCOW, NOW, said

E5, BGE = "e5/8", "bge/16"


@dataclass(frozen=True, slots=True)
class WholePerson:
    """``messages``: as they stand, in order of time."""

    user: UserId
    messages: tuple[Message, ...]
    request: str


def vector(of: str, size: int) -> np.ndarray:
    """The same for the same words."""
    seed = int.from_bytes(hashlib.blake2b(of.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).normal(size=size).astype(np.float32)


def fill(ledger: Ledger, key: IdKey, name: str, *, count: int = 6) -> WholePerson:
    """Everything about somebody called ``name``; their words have the name in them."""
    user = ledger.people.ensure(name, now=NOW.astimezone(MOSCOW))
    ledger.messages.append(user, [said(key, 0, f"{name}: прежде \ud83d", conversation=f"чат: {name}")], now=NOW)
    messages = [said(key, 0, f"{name}: теперь", conversation=f"чат: {name}")]
    messages += [
        said(key, n, f"{name}: слово {n}", conversation=f"чат: {name}", role=Role.USER if n % 2 else Role.ASSISTANT)
        for n in range(1, count)
    ]
    ledger.messages.append(user, messages, now=NOW)
    turns = [StoredRound(m.id, f"round-{m.id}", (name, "стем"), m.speaker, vector(m.id, 8)) for m in messages]
    ledger.rounds.put(user, turns, fingerprint=E5, dimension=8)
    candidate = Candidate(
        type=NodeType.FACT,
        content=f"{name} мечтает",
        start=0,
        end=5,
        rule="r",
        confidence=0.9,
        slot=Slot(key="k", value=name),
    )
    unit = Extraction("unit-1", messages[0].id, (candidate,), (), "rules", "1", "ru")
    ledger.staging.put(user, [StagedUnit(unit, vector(name, 8).reshape(1, 8), E5)])
    ahead = {messages[0].id: (turns[0].round_id, vector(name + "ahead", 16))}
    ledger.next_vectors.put_rounds(user, ahead, fingerprint=BGE, dimension=16)
    units = {"unit-1": vector(name + "unit", 16).reshape(1, 16)}
    ledger.next_vectors.put_units(user, units, reasoner="rules", version="1", fingerprint=BGE, dimension=16)
    ledger.residuals.replace(user, [messages[1].id], [Residual("unit-2", 0, messages[1].id, candidate, "too_unsure")])
    ledger.decisions.keep(user, "d" * 32, {"verdict": name}, judge="judge/1")
    ledger.actions.append(user, [(f"{user}/k", n, NOW, Action("create", name, ("a" * 32,))) for n in range(3)])
    ledger.model_book.record(user, call())
    ledger.placements.assign(user, "main")
    ledger.placements.next_generation(user)
    ledger.leases.release(ledger.leases.acquire(user, "write", holder="h", ttl_s=60.0, now=NOW))
    request = ledger.requests.ask(user, "forget", now=NOW, payload={"topic": name}, operator="ops")
    ledger.audit.append(user, "peek", operator="ops", now=NOW, details={"message": messages[0].id}, reason=name)
    ledger.receipts.keep(Receipt(operation="forget", applied=True, at=NOW, user=user, id=f"receipt of {user}"))
    statement = frozenset({hashlib.sha256(name.encode()).hexdigest()})
    rule = ForgetRule(id="rule-1", made_at=NOW + timedelta(hours=1), nodes=(NodeId("b" * 32),), statements=(statement,))
    ledger.forgetting.keep(user, rule)
    return WholePerson(user, tuple(messages), request.id)


def call() -> ModelCall:
    return ModelCall(
        job="j",
        job_version="1",
        model="m",
        at=NOW,
        outcome="model",
        requests=1,
        malformed=0,
        rejected=0,
        left_out=0,
        first_try=True,
        prompt_tokens=10,
        answer_tokens=5,
        seconds=0.25,
    )


def everything(ledger: Ledger, person: WholePerson) -> dict[str, object]:
    """What the ports say of the person, as values that can be compared."""
    user = person.user
    ids = [ref.id for ref in ledger.messages.refs(user)]
    former = ledger.messages.former(user)
    (unit,) = ledger.staging.units(user, ["unit-1"], reasoner="rules", version="1")
    return {
        "external": ledger.people.external(user),
        "messages": ledger.messages.messages(user, ids),
        "refs": ledger.messages.refs(user),
        "former": ledger.messages.former_texts(user, former),
        "times": ledger.messages.user_times(user).tolist(),
        "rounds": {
            (turn.message, turn.round_id, turn.stems, turn.speaker, turn.vector.tobytes())
            for turn in ledger.rounds.load(user, fingerprint=E5)
        },
        "unit": (unit.extraction, unit.vectors.tobytes(), unit.fingerprint),
        "ahead": ledger.next_vectors.wanting(user, fingerprint=BGE, reasoner="rules", version="1"),
        "residuals": ledger.residuals.of(user),
        "decision": ledger.decisions.known(user, "d" * 32),
        "actions": ledger.actions.entries(user),
        "rules": ledger.forgetting.rules(user),
        "spent": ledger.model_book.spent(since=NOW - timedelta(days=1), user=user),
    }
