from __future__ import annotations

import numpy as np
import pytest

from memory_lib.domain.candidates import Candidate, EdgeType, Extraction, NodeType, Relation
from memory_lib.domain.ids import MessageId
from memory_lib.errors import IllegalValue
from memory_lib.ports.ledger import StagedUnit

WHO = {"reasoner": "rules", "version": "1"}


def unit(name, *, count=2, vectors=True, content="уволилась", reasoner="rules", version="1"):
    candidates = tuple(
        Candidate(type=NodeType.FACT, content=f"{content} {n}", start=n, end=n + 3, rule="r", confidence=0.9)
        for n in range(count)
    )
    relations = (
        (Relation(source=0, target=MessageId("1" * 32), type=EdgeType.CAUSED_BY, confidence=0.5, start=0, end=2, rule="r"),)
        if count
        else ()
    )
    extraction = Extraction(
        unit_id=name,
        message=MessageId("2" * 32),
        candidates=candidates,
        relations=relations,
        reasoner=reasoner,
        version=version,
        language="ru",
    )
    matrix = np.arange(count * 4, dtype=np.float32).reshape(count, 4)
    return StagedUnit(extraction=extraction, vectors=matrix if vectors else None, fingerprint="e5" if vectors else None)


def same(one, other):
    assert one.extraction == other.extraction
    assert one.fingerprint == other.fingerprint
    if other.vectors is None:
        assert one.vectors is None
    else:
        assert one.vectors.shape == other.vectors.shape
        assert np.array_equal(one.vectors, other.vectors)


def test_units_come_back_in_the_order_asked_for(ledger, user):
    staged = {name: unit(name, count=n % 4, vectors=bool(n % 2)) for n, name in enumerate(f"u{i}" for i in range(120))}
    ledger.staging.put(user, list(staged.values()))
    asked = sorted(staged, reverse=True)
    back = list(ledger.staging.units(user, ["unknown", *asked], **WHO))
    assert [item.extraction.unit_id for item in back] == asked
    for item in back:
        same(item, staged[item.extraction.unit_id])


def test_no_candidates_with_vectors_keep_their_shape(ledger, user):
    ledger.staging.put(user, [unit("u", count=0)])
    (back,) = ledger.staging.units(user, ["u"], **WHO)
    assert back.vectors.shape == (0, 4)


def test_a_unit_staged_before_by_the_same_reasoner_is_kept(ledger, user):
    ledger.staging.put(user, [unit("u", content="first")])
    ledger.staging.put(user, [unit("u", content="second"), unit("v")])
    (back,) = ledger.staging.units(user, ["u"], **WHO)
    same(back, unit("u", content="first"))


def test_another_reasoner_or_version_stages_beside(ledger, user):
    ledger.staging.put(user, [unit("u"), unit("u", version="2", content="later"), unit("w", reasoner="model")])
    assert ledger.staging.have(user, reasoner="rules", version="1") == {"u"}
    assert ledger.staging.have(user, reasoner="rules", version="1", among=["u", "w", "unknown"]) == {"u"}
    assert ledger.staging.have(user, reasoner="rules", version="1", among=["w"]) == frozenset()
    assert ledger.staging.have(user, reasoner="rules", version="1", among=[]) == frozenset()
    assert ledger.staging.have(user, reasoner="rules", version="2") == {"u"}
    assert ledger.staging.have(user, reasoner="model", version="1") == {"w"}
    (back,) = ledger.staging.units(user, ["u"], reasoner="rules", version="2")
    same(back, unit("u", version="2", content="later"))


def test_discarded_units_are_gone(ledger, user):
    ledger.staging.put(user, [unit("u"), unit("v")])
    ledger.staging.discard(user, ["u", "unknown"])
    ledger.staging.discard(user, [])
    assert ledger.staging.have(user, **WHO) == {"v"}
    assert list(ledger.staging.units(user, ["u"], **WHO)) == []


def test_people_do_not_share_staging(ledger, user):
    other = ledger.people.ensure("bob", now=ledger.people.person(user).created_at)
    ledger.staging.put(user, [unit("u")])
    assert ledger.staging.have(other, **WHO) == frozenset()
    ledger.staging.discard(other, ["u"])
    assert ledger.staging.have(user, **WHO) == {"u"}


@pytest.mark.parametrize("shape", [(1, 4), (3, 4), (8,)])
def test_vectors_that_do_not_fit_the_candidates_are_refused(ledger, user, shape):
    wrong = StagedUnit(extraction=unit("u").extraction, vectors=np.zeros(shape, np.float32), fingerprint="e5")
    with pytest.raises(IllegalValue):
        ledger.staging.put(user, [wrong])
    assert ledger.staging.have(user, **WHO) == frozenset()


def test_a_unit_is_found_under_who_was_asked_and_names_who_answered(ledger, user):
    fell_back = StagedUnit(
        *(getattr(unit("u"), name) for name in ("extraction", "vectors", "fingerprint")), asked=("model", "7")
    )
    ledger.staging.put(user, [fell_back, unit("u", content="by the rules")])
    assert ledger.staging.have(user, reasoner="model", version="7") == {"u"}
    (back,) = ledger.staging.units(user, ["u"], reasoner="model", version="7")
    same(back, fell_back)
    assert (back.extraction.reasoner, back.extraction.version) == ("rules", "1")
    assert back.asked == back.staged_for == ("model", "7")
    (own,) = ledger.staging.units(user, ["u"], **WHO)
    assert own.extraction.candidates[0].content == "by the rules 0"
    assert own.asked is None
    assert own.staged_for == ("rules", "1")
