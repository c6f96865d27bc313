from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_lib.domain.ids import ConversationId, MessageId, SessionId
from memory_lib.domain.message import MessageRef, Role
from memory_lib.errors import IllegalValue
from memory_lib.policies.sessions import SessionParams, session_indices, unit_refs
from memory_lib.settings import Settings

PARAMS: SessionParams = Settings.model_fields["sessions"].default
HOUR_US = 3_600_000_000


def ref(hours: float, session: str | None = None, *, name: str | None = None, role: Role = Role.USER) -> MessageRef:
    return MessageRef(
        id=MessageId(name or f"m{hours:09.3f}"),
        conversation=ConversationId("c"),
        session=None if session is None else SessionId(session),
        role=role,
        at_us=round(hours * HOUR_US),
        offset=180,
        text_version="v",
    )


def indices(*refs: MessageRef) -> tuple[int, ...]:
    return session_indices(refs, params=PARAMS)


def names(units: list[tuple[MessageRef, ...]]) -> dict[str, tuple[str, ...]]:
    return {unit[-1].id: tuple(one.id for one in unit) for unit in units}


conversations = st.lists(
    st.tuples(st.integers(min_value=0, max_value=400), st.sampled_from([None, None, "s1", "s2"])), min_size=1, max_size=25
).map(
    lambda rows: sorted(
        (ref(at / 4, session, name=f"m{place}") for place, (at, session) in enumerate(rows)), key=lambda r: r.order
    )
)


def test_six_hours_of_silence_end_a_session():
    assert indices(ref(0), ref(5.99), ref(11.99), ref(12)) == (0, 0, 1, 1)


def test_anybody_who_speaks_keeps_the_session_open():
    assert indices(ref(0), ref(5, role=Role.ASSISTANT), ref(10)) == (0, 0, 0)


def test_a_given_session_is_one_wherever_its_messages_stand():
    assert indices(ref(0, "a"), ref(1, "b"), ref(2, "a"), ref(50, "b")) == (0, 1, 0, 1)


def test_a_message_without_a_session_goes_on_in_the_one_before_it():
    assert indices(ref(0, "a"), ref(1), ref(2, "b"), ref(3)) == (0, 0, 1, 1)


def test_after_a_silence_it_opens_a_session_of_its_own():
    assert indices(ref(0, "a"), ref(7), ref(8, "a"), ref(9)) == (0, 1, 0, 0)


def test_an_empty_conversation_has_no_sessions_and_no_units():
    assert indices() == ()
    assert unit_refs([], params=PARAMS) == []


def test_a_unit_is_a_message_with_up_to_four_before_it_in_its_session():
    units = names(unit_refs([ref(hour / 10, name=f"m{hour}") for hour in range(6)], params=PARAMS))
    assert units["m0"] == ("m0",)
    assert units["m3"] == ("m0", "m1", "m2", "m3")
    assert units["m5"] == ("m1", "m2", "m3", "m4", "m5")


def test_a_unit_does_not_look_over_the_border_of_its_session():
    units = names(unit_refs([ref(0, name="a"), ref(7, name="b"), ref(8, name="c")], params=PARAMS))
    assert units["c"] == ("b", "c")


def test_without_predecessors_a_unit_is_its_message():
    units = unit_refs([ref(0), ref(1)], params=replace(PARAMS, predecessors=0))
    assert [len(unit) for unit in units] == [1, 1]


def test_a_late_message_makes_new_units_of_the_four_after_it_and_of_no_other():
    refs = [ref(hour, name=f"m{hour:02}") for hour in range(12)]
    late = ref(5.5, name="late")
    before = names(unit_refs(refs, params=PARAMS))
    after = names(unit_refs(sorted([*refs, late], key=lambda r: r.order), params=PARAMS))
    assert after.pop("late") == ("m02", "m03", "m04", "m05", "late")
    assert {name for name in before if before[name] != after[name]} == {"m06", "m07", "m08", "m09"}


def test_a_late_message_that_bridges_a_silence_moves_the_border():
    refs = [ref(0, name="a"), ref(8, name="b"), ref(16, name="c")]
    bridged = names(unit_refs(sorted([*refs, ref(4, name="late")], key=lambda r: r.order), params=PARAMS))
    assert bridged["b"] == ("a", "late", "b")
    assert bridged["c"] == ("c",)


@given(conversations, st.integers(min_value=0, max_value=400), st.sampled_from([None, "s1", "s3"]))
def test_a_late_message_leaves_every_unit_outside_its_reach_as_it_was(refs, at, session):
    late = ref(at / 4, session, name="late")
    grown = sorted([*refs, late], key=lambda r: r.order)
    before, after = names(unit_refs(refs, params=PARAMS)), names(unit_refs(grown, params=PARAMS))
    place = grown.index(late)
    assert all(before[one.id] == after[one.id] for one in grown[:place])

    old, new = unit_sessions(refs), unit_sessions(grown)
    joined = [one for one in grown[place + 1 :] if new[one.id] == new["late"]]
    moved = {one.id for one in grown[place + 1 :] if old[one.id] != new[one.id] - {"late"}}
    reach = {one.id for one in joined[:4]} | moved
    assert {name for name in before if before[name] != after[name]} <= reach


def unit_sessions(refs: list[MessageRef]) -> dict[str, frozenset[str]]:
    """The messages that share a session with each one."""
    placed = session_indices(refs, params=PARAMS)
    return {
        one.id: frozenset(other.id for other, index in zip(refs, placed, strict=True) if index == own)
        for one, own in zip(refs, placed, strict=True)
    }


@given(conversations)
def test_sessions_are_numbered_by_first_appearance(refs):
    placed = session_indices(refs, params=PARAMS)
    assert list(dict.fromkeys(placed)) == list(range(max(placed) + 1))


def test_two_conversations_at_once_are_refused():
    other = replace(ref(1), conversation=ConversationId("d"))
    with pytest.raises(IllegalValue, match="two conversations"):
        indices(ref(0), other)


def test_messages_out_of_order_are_refused():
    with pytest.raises(IllegalValue, match="sort"):
        indices(ref(1), ref(0))


@pytest.mark.parametrize("change", [{"silence_hours": 0.0}, {"predecessors": -1}])
def test_numbers_that_make_no_sense_are_wrong_settings(change):
    with pytest.raises(IllegalValue):
        replace(PARAMS, **change)
