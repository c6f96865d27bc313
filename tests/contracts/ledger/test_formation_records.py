"""Residuals and decisions: kept sealed, once, and gone with what they come from; former texts of edited messages."""

from __future__ import annotations

from dataclasses import replace

from memory_lib.domain.candidates import Candidate, NodeType
from memory_lib.domain.ids import MessageId
from memory_lib.ports.ledger import Residual
from tests.contracts.ledger.said import NOW, said

CANDIDATE = Candidate(type=NodeType.FACT, content="мечтает \ud83d о маяке", start=2, end=9, rule="r", confidence=0.2)


def residual(unit, place=0, message="1", reason="too_unsure"):
    return Residual(unit, place, MessageId(message * 32), CANDIDATE, reason)


def test_residuals_come_back_as_they_were_and_replace_those_of_their_messages(ledger, user):
    first, second = residual("u1"), residual("u1", 2)
    other = residual("u2", message="2")
    one, two = MessageId("1" * 32), MessageId("2" * 32)
    ledger.residuals.replace(user, [one, two], [second, other, first])
    assert ledger.residuals.of(user) == (first, second, other)
    assert ledger.residuals.of(user, messages=[MessageId("2" * 32)]) == (other,)
    again = replace(first, reason="no_words")
    ledger.residuals.replace(user, [one, MessageId("3" * 32)], [again])
    assert ledger.residuals.of(user) == (again, other)
    ledger.residuals.replace(user, None, [second])
    assert ledger.residuals.of(user) == (second,)
    ledger.residuals.replace(user, None, [])
    assert ledger.residuals.of(user) == ()


def test_residuals_go_with_their_message_and_are_nobody_elses(ledger, user):
    other = ledger.people.ensure("boris", now=NOW)
    ledger.residuals.replace(user, [], [residual("u1"), residual("u1", 1, "2")])
    ledger.residuals.replace(other, [], [residual("u1")])
    assert ledger.residuals.forget(user, [MessageId("1" * 32)]) == 1
    assert [r.message for r in ledger.residuals.of(user)] == ["2" * 32]
    assert len(ledger.residuals.of(other)) == 1


def test_the_first_answer_stays(ledger, user):
    key = "a" * 32
    assert ledger.decisions.known(user, key) is None
    answer = {"verdict": "attach", "reason": "same", "place": 0}
    assert ledger.decisions.keep(user, key, answer, judge="model/1") == answer
    assert ledger.decisions.keep(user, key, {"verdict": None}, judge="model/1") == answer
    assert ledger.decisions.known(user, key) == answer
    assert ledger.decisions.known(ledger.people.ensure("boris", now=NOW), key) is None


def test_former_texts_of_edited_messages_are_found_and_opened(ledger, user, keyring):
    first, second, third = (said(keyring.id_key, 1, text) for text in ("раз", "два", "три"))
    plain = said(keyring.id_key, 2, "прочее")
    ledger.messages.append(user, [first, plain], now=NOW)
    assert ledger.messages.former(user) == ()
    ledger.messages.append(user, [second], now=NOW)
    ledger.messages.append(user, [third], now=NOW)
    former = ledger.messages.former(user)
    assert {ref.text_version for ref in former} == {first.text_version, second.text_version}
    assert {ref.id for ref in former} == {first.id}
    assert ledger.messages.former(user, conversation=first.conversation) == former
    assert ledger.messages.former(user, conversation=keyring.id_key.conversation("another")) == ()
    texts = ledger.messages.former_texts(user, former)
    assert {message.text for message in texts.values()} == {"раз", "два"}
    assert list(ledger.messages.former_texts(user, former[:1])) == [(former[0].id, former[0].text_version)]
    assert ledger.messages.former_texts(user, []) == {}


def test_an_action_keeps_what_stood_before_and_after(ledger, user):
    from memory_lib.domain.changes import Action

    action = Action("rename", "new_first_proof", ("a", "b"), {"n": 1.0}, ("a",), ("b",), "offline", "formation/2")
    plain = Action("create", "r", ("a",))
    ledger.actions.append(user, [("k", 0, NOW, action), ("k", 1, NOW, plain)])
    assert [entry.action for entry in ledger.actions.entries(user)] == [action, plain]
