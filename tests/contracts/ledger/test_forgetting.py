"""Words taken out of messages stay out, the rule that keeps them out comes back as it was, and nothing else is touched."""

from __future__ import annotations

import numpy as np

from memory_lib.domain.candidates import Candidate, Extraction, NodeType, Span
from memory_lib.domain.ids import NodeId
from memory_lib.policies.covering import COVER
from memory_lib.ports.forgetting import ForgetRule
from memory_lib.ports.ledger import StagedUnit, StoredRound
from tests.contracts.ledger.said import NOW, said

TEXT = "Мы развелись. Дети со мной."
HIDDEN = COVER * 12 + ". Дети со мной."
WHO = {"reasoner": "rules", "version": "1"}


def put(ledger, user, key, *messages):
    ledger.messages.append(user, messages, now=NOW)
    rounds = [StoredRound(m.id, "1" * 32, ("слово",), None, np.ones(4, np.float32)) for m in messages]
    ledger.rounds.put(user, rounds, fingerprint="e5", dimension=4)


def staged(name, message):
    candidate = Candidate(type=NodeType.FACT, content="развелись", start=0, end=5, rule="r", confidence=0.9)
    extraction = Extraction(name, message, (candidate,), (), "rules", "1", "ru")
    return StagedUnit(extraction=extraction, vectors=np.ones((1, 4), np.float32), fingerprint="e5")


def test_a_rule_comes_back_as_it_was_and_the_first_one_counts(ledger, user):
    rule = ForgetRule(id="r1", made_at=NOW, nodes=(NodeId("a" * 32),), statements=(frozenset({"x", "y"}), frozenset({"z"})))
    assert ledger.forgetting.rules(user) == ()
    ledger.forgetting.keep(user, rule)
    ledger.forgetting.keep(user, ForgetRule(id="r1", made_at=NOW, nodes=(), statements=()))
    assert ledger.forgetting.rules(user) == (rule,)


def test_covered_words_and_former_texts_are_gone_and_known_texts_stay_known(ledger, user, keyring):
    key = keyring.id_key
    first, other = said(key, 1, TEXT), said(key, 2, "Я живу в Туле.")
    put(ledger, user, key, said(key, 1, "Мы развелись вчера."), other)
    put(ledger, user, key, first)
    version = ledger.people.person(user).log_version
    done = ledger.forgetting.redact(user, [Span(first.id, 0, 12)], now=NOW)
    assert [(each.message, each.before, each.after) for each in done] == [
        (first.id, first.text_version, key.text_version(HIDDEN))
    ]
    assert ledger.messages.messages(user, [first.id])[first.id].text == HIDDEN
    assert ledger.messages.former(user) == ()
    assert ledger.people.person(user).log_version > version
    for text in (TEXT, "Мы развелись вчера."):
        assert ledger.messages.append(user, [said(key, 1, text)], now=NOW).same == 1
    assert ledger.messages.messages(user, [first.id])[first.id].text == HIDDEN
    assert [each.message for each in ledger.rounds.load(user, fingerprint="e5")] == [other.id]
    assert ledger.forgetting.redact(user, [Span(first.id, 0, 12)], now=NOW) == ()


def test_captions_and_former_texts_go_where_the_present_text_says_nothing(ledger, user, keyring):
    key = keyring.id_key
    put(ledger, user, key, said(key, 1, TEXT))
    put(ledger, user, key, said(key, 1, "Всё хорошо.", caption="свадьба"))
    (message,) = {m.id for m in ledger.messages.refs(user)}
    assert len(ledger.forgetting.redact(user, [], now=NOW, whole=[message])) == 1
    after = ledger.messages.messages(user, [message])[message]
    assert (after.text, after.caption, ledger.messages.former(user)) == ("Всё хорошо.", None, ())
    assert ledger.forgetting.redact(user, [], now=NOW, whole=[message]) == ()


def test_what_was_read_in_a_message_goes_but_for_units_that_are_kept(ledger, user, keyring):
    key = keyring.id_key
    one, two = said(key, 1), said(key, 2)
    ledger.messages.append(user, [one, two], now=NOW)
    ledger.staging.put(user, [staged("old", one.id), staged("new", one.id), staged("other", two.id)])
    counts = ledger.forgetting.discard_units(user, [one.id], keeping=["new"])
    assert (counts["staged"], counts["residuals"]) == (1, 0)
    assert ledger.staging.have(user, **WHO) == {"new", "other"}
    assert ledger.forgetting.discard_units(user, [one.id], keeping=["new"])["staged"] == 0


def test_a_text_that_was_covered_can_be_told_again_in_other_words(ledger, user, keyring):
    key = keyring.id_key
    put(ledger, user, key, said(key, 1, TEXT))
    (ref,) = ledger.messages.refs(user)
    ledger.forgetting.redact(user, [Span(ref.id, 0, 12)], now=NOW)
    assert ledger.messages.append(user, [said(key, 1, "Мы снова вместе.")], now=NOW).edited == 1
    assert ledger.messages.messages(user, [ref.id])[ref.id].text == "Мы снова вместе."
    assert [former.text_version for former in ledger.messages.former(user)] == [key.text_version(HIDDEN)]
