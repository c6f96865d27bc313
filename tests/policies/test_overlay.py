"""What people did lies over what was formed, and can be lifted off again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import Slot, Topic
from memory_lib.domain.node import Node, NodeState
from memory_lib.errors import UnknownSetting
from memory_lib.policies.active_clock import ActiveClock
from memory_lib.policies.overlay import CORRECTABLE, field_text, finished, stripped, with_field
from memory_lib.settings import Settings
from tests.policies.formed import START, formed, said, unit

SETTINGS = Settings()
CLOCK = ActiveClock([int(START.timestamp()) * 1_000_000], pause_us=SETTINGS.clock.pause_us)


def node(*units: int) -> Node:
    state, _ = formed(*(unit(number, said("I like tea")) for number in units or (1,)))
    return state.base(state.node_ids[0])


def act(kind: ActKind, days: float = 10.0, ident: str | None = None, **detail: str) -> Act:
    at = START + timedelta(days=days)
    return Act(
        id=ident or f"{kind}-{days}",
        node=node().id,
        kind=kind,
        at=at,
        recorded_at=datetime(2026, 6, 1, tzinfo=UTC),
        detail=detail,
    )


def done(base: Node, *acts: Act) -> Node:
    return finished(base, acts, clock=CLOCK, params=SETTINGS.weight_params())


def test_a_set_field_is_shown_and_taken_back_for_formation() -> None:
    acts = [act(ActKind.SET, field="content", value="I love tea", was="I like tea")]
    after = done(node(), *acts)
    assert after.content == "I love tea"
    assert stripped(after, acts).content == "I like tea"


def test_corrections_of_one_field_come_off_in_order() -> None:
    acts = [
        act(ActKind.SET, 10, field="topic", value="food", was="other"),
        act(ActKind.SET, 11, field="topic", value="home", was="food"),
    ]
    after = done(node(), *acts)
    assert after.topic is Topic.HOME
    assert stripped(after, acts).topic is Topic.OTHER


def test_an_undone_correction_is_gone() -> None:
    fix = act(ActKind.SET, 10, "fix", field="content", value="I love tea", was="I like tea")
    undo = act(ActKind.UNDO, 11, undoes="fix")
    assert done(node(), fix, undo).content == "I like tea"


def test_wrong_retracts_until_it_is_said_again() -> None:
    wrong = act(ActKind.WRONG, 5)
    assert done(node(1, 2), wrong).retracted_at is not None
    assert not done(node(1, 2), wrong).live
    assert done(node(1, 2, 9), wrong).retracted_at is None


def test_pin_and_archive_come_from_acts() -> None:
    assert done(node(), act(ActKind.PIN)).is_pinned
    archived = done(node(), act(ActKind.ARCHIVE, reason="reset", batch="b1"))
    assert archived.state is NodeState.ARCHIVED
    assert archived.archived is not None
    assert archived.archived.batch == "b1"
    assert stripped(archived, []).archived is None


def test_finishing_twice_is_finishing_once() -> None:
    acts = [act(ActKind.PIN), act(ActKind.SET, 11, field="topic", value="food", was="other")]
    once = done(node(1, 2), *acts)
    again = done(stripped(once, acts), *acts)
    assert again == once


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("topic", "astrology"),
        ("valence", "blue"),
        ("importance", "2"),
        ("importance", "much"),
        ("due", "tomorrow"),
        ("due", "2026-05-01T09:00:00"),
        ("valid_from", ""),
        ("content", "  "),
        ("weight", "1"),
        ("id", "x"),
    ],
)
def test_a_field_or_value_that_is_not_allowed_is_refused_with_what_is(field: str, value: str) -> None:
    with pytest.raises(UnknownSetting, match=r"allowed: |fields: "):
        with_field(node(), field, value)


def test_every_correctable_field_reads_and_sets() -> None:
    values = {
        "content": "x",
        "topic": "work",
        "valence": "positive",
        "importance": "0.7",
        "due": "2026-05-01T09:00:00+00:00",
        "valid_from": "2026-05-01T09:00:00+00:00",
        "ends": "2026-05-01T09:00:00+00:00",
        "about_name": "Ann",
        "about": "others",
        "modality": "hedged,planned",
        "slot": "baker",
        "intensity": "0.4",
        "valid_until": "2026-05-01T09:00:00+00:00",
    }
    assert set(values) == set(CORRECTABLE)
    for field, value in values.items():
        stating = replace(node(), slot=Slot("job", "cook"))
        assert field_text(with_field(stating, field, value), field) == value


def test_a_replaced_node_keeps_its_proofs() -> None:
    base = node(1, 2)
    assert done(replace(base)).proofs == done(base).proofs
