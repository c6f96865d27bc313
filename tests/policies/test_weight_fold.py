from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import NodeType, Span, Valence
from memory_lib.domain.ids import MessageId, NodeId
from memory_lib.domain.node import Archived, Flag, Proof, ProofKind, Weight
from memory_lib.domain.time import DAY_US, from_us, to_us
from memory_lib.errors import IllegalValue
from memory_lib.policies.active_clock import ActiveClock
from memory_lib.policies.decay import DecayMode, DecayParams
from memory_lib.policies.reinforcement import ReinforcementParams, reinforced
from memory_lib.policies.weight_fold import Folded, faded_out_us, fold_weight, weight_at
from memory_lib.settings import Settings

DECAY: DecayParams = Settings.model_fields["decay"].default
REINFORCEMENT: ReinforcementParams = Settings.model_fields["reinforcement"].default
PAUSE = Settings.model_fields["clock"].default.pause_us
START = to_us(datetime(2026, 5, 1, 9, tzinfo=UTC))
RECORDED = datetime(2026, 6, 1, tzinfo=UTC)


def at(day: float) -> int:
    return START + round(day * DAY_US)


def mention(day: float, message: str | None = None, *, kind: ProofKind = ProofKind.MENTION) -> Proof:
    return Proof(Span(MessageId(message or f"m{day}"), 0, 3), at(day), 0, kind, kind is not ProofKind.CREATED, "rules", "1")


def act(kind: ActKind, day: float, ident: str | None = None, **detail: str) -> Act:
    return Act(
        id=ident or f"{kind}{day}{''.join(detail.values())}",
        node=NodeId("n"),
        kind=kind,
        at=from_us(at(day)),
        recorded_at=RECORDED,
        detail=detail,
    )


CREATED = mention(0, "made", kind=ProofKind.CREATED)
DAILY = ActiveClock([at(day) for day in range(400)], PAUSE)


def fold(*events: Proof | Act, clock: ActiveClock = DAILY, decay: DecayParams = DECAY, **given_values) -> Folded:
    node = {"node_type": NodeType.FACT, "valence": Valence.NEUTRAL, "importance": 0.5, "creation_weight": 1.0} | given_values
    return fold_weight(
        proofs=[event for event in events if isinstance(event, Proof)],
        acts=[event for event in events if isinstance(event, Act)],
        clock=clock,
        decay=decay,
        reinforcement=REINFORCEMENT,
        **node,
    )


def read(folded: Folded, day: float, clock: ActiveClock = DAILY) -> float:
    return weight_at(folded.weight, decay=folded.decay, clock=clock, now_us=at(day))


# -- mentions ------------------------------------------------------------------------------------------------------------------


def test_a_new_node_has_its_creation_weight_and_fades_from_there():
    folded = fold(CREATED)
    assert folded.weight == Weight(1.0, START)
    assert folded.last_reinforced_us == START
    assert read(folded, 10) == pytest.approx(0.92**10)


def test_a_mention_adds_to_what_is_left():
    folded = fold(CREATED, mention(10))
    assert folded.weight.value == pytest.approx(0.92**10 + 0.15)
    assert folded.weight.at_us == at(10)
    assert folded.last_reinforced_us == at(10)


def test_a_mention_of_a_fresh_node_does_not_pass_one():
    assert fold(CREATED, mention(0.5)).weight.value == 1.0


def test_repeating_a_phrase_all_day_adds_ten_steps_and_a_flag():
    said = [mention(30 + minute / 1440, f"m{minute:02}") for minute in range(14)]
    hypothesis = {"node_type": NodeType.HYPOTHESIS, "creation_weight": 0.5}
    folded = fold(mention(0, "made", kind=ProofKind.CREATED), *said, **hypothesis)
    ten = fold(mention(0, "made", kind=ProofKind.CREATED), *said[:10], **hypothesis)
    assert folded.flags == (Flag.OVER_LIMIT,)
    assert ten.flags == ()
    assert folded.weight == ten.weight
    assert folded.last_reinforced_us == at(30 + 9 / 1440)
    assert [one.weighed for one in folded.proofs] == [False, *[True] * 10, *[False] * 4]


def test_a_derived_node_starts_when_it_was_made():
    folded = fold(node_type=NodeType.HYPOTHESIS, creation_weight=0.5, created_us=at(3))
    assert folded.weight == Weight(0.5, at(3))
    assert folded.decay == 0.95


def test_a_node_without_a_start_cannot_be_folded():
    with pytest.raises(IllegalValue, match="created_us"):
        fold(mention(1))


def test_the_creating_proof_outweighs_a_given_start():
    assert fold(CREATED, created_us=at(-5)).weight.at_us == START


def test_what_is_dated_before_the_creation_counts_at_the_creation():
    folded = fold(CREATED, act(ActKind.PIN, -3), created_us=None)
    assert folded.pinned
    assert folded.weight == Weight(1.0, START)


# -- acts ----------------------------------------------------------------------------------------------------------------------


def test_a_pin_sets_the_weight_to_one_and_stops_the_fading():
    folded = fold(CREATED, act(ActKind.PIN, 20))
    assert folded.pinned
    assert folded.decay == 1.0
    assert read(folded, 399) == 1.0


def test_unpinned_a_node_falls_again_from_where_it_stands():
    folded = fold(CREATED, act(ActKind.PIN, 20), act(ActKind.UNPIN, 50))
    assert not folded.pinned
    assert folded.decay == 0.92
    assert read(folded, 60) == pytest.approx(0.92**10)


def test_undoing_a_pin_leaves_the_node_as_if_never_pinned():
    undone = fold(CREATED, act(ActKind.PIN, 20, "p"), act(ActKind.UNDO, 50, undoes="p"))
    assert undone == fold(CREATED)


def test_undoing_an_undo_brings_the_act_back():
    pin, undo = act(ActKind.PIN, 20, "p"), act(ActKind.UNDO, 21, "u", undoes="p")
    assert fold(CREATED, pin, undo, act(ActKind.UNDO, 22, undoes="u")) == fold(CREATED, pin)


def test_an_undo_of_the_same_instant_comes_after_its_act_whatever_the_ids():
    for pin, undo in (("a", "z"), ("z", "a")):
        assert not fold(CREATED, act(ActKind.PIN, 20, pin), act(ActKind.UNDO, 20, undo, undoes=pin)).pinned


def test_an_undo_takes_back_nothing_that_comes_after_it():
    assert fold(CREATED, act(ActKind.UNDO, 10, undoes="p"), act(ActKind.PIN, 20, "p")).pinned


def test_undoing_a_batch_takes_back_all_its_acts():
    batch = [act(ActKind.DAMP, 5, factor="0.5", batch="b"), act(ActKind.ARCHIVE, 6, batch="b", reason="reset")]
    assert fold(CREATED, *batch).archived == Archived(from_us(at(6)), "reset", "b")
    assert fold(CREATED, *batch, act(ActKind.UNDO, 9, undoes="b")) == fold(CREATED)


def test_a_boost_adds_and_a_damp_multiplies():
    assert fold(CREATED, act(ActKind.BOOST, 10, add="0.05")).weight.value == pytest.approx(0.92**10 + 0.05)
    assert fold(CREATED, act(ActKind.BOOST, 0, add="0.05")).weight.value == 1.0
    assert fold(CREATED, act(ActKind.DAMP, 10, factor="0.8")).weight.value == pytest.approx(0.92**10 * 0.8)


def test_a_boost_is_no_mention():
    assert fold(CREATED, act(ActKind.BOOST, 10, add="0.05")).last_reinforced_us == START


def test_a_pin_keeps_the_weight_from_being_damped():
    assert fold(CREATED, act(ActKind.PIN, 1), act(ActKind.DAMP, 10, factor="0.8")).weight.value == 1.0


@pytest.mark.parametrize("kind", [ActKind.WRONG, ActKind.SET])
def test_marking_wrong_and_correcting_a_field_leave_the_weight_alone(kind):
    assert fold(CREATED, act(kind, 10, field="topic", value="work")) == fold(CREATED)


@pytest.mark.parametrize(
    "broken",
    [
        act(ActKind.BOOST, 1),
        act(ActKind.BOOST, 1, add="much"),
        act(ActKind.BOOST, 1, add="-0.1"),
        act(ActKind.DAMP, 1, factor="1.2"),
        act(ActKind.DAMP, 1, factor="nan"),
        act(ActKind.UNDO, 1),
    ],
)
def test_an_act_without_its_number_is_named(broken):
    with pytest.raises(IllegalValue, match=broken.id):
        fold(CREATED, broken)


def test_an_act_given_twice_counts_once_as_first_recorded():
    first = act(ActKind.DAMP, 10, "d", factor="0.5")
    again = replace(first, recorded_at=RECORDED + timedelta(days=1), detail={"factor": "0.9"})
    assert fold(CREATED, again, first, first) == fold(CREATED, first)


# -- archive -------------------------------------------------------------------------------------------------------------------


def test_an_archived_node_goes_on_fading_and_a_mention_revives_it_at_what_is_left():
    archived = fold(CREATED, act(ActKind.ARCHIVE, 40, reason="isolated", batch="b"))
    assert archived.archived == Archived(from_us(at(40)), "isolated", "b")
    revived = fold(CREATED, act(ActKind.ARCHIVE, 40, reason="isolated"), mention(50))
    assert revived.archived is None
    assert revived.weight.value == pytest.approx(0.92**50 + 0.15)


def test_an_act_without_batch_or_reason_is_its_own_batch():
    assert fold(CREATED, act(ActKind.ARCHIVE, 40, "a")).archived == Archived(from_us(at(40)), "archived", "a")


def test_an_echo_does_not_revive():
    echo = replace(mention(50), weighed=False)
    assert fold(CREATED, act(ActKind.ARCHIVE, 40), echo).archived is not None


def test_a_pin_revives_and_a_boost_does_not():
    archive = act(ActKind.ARCHIVE, 40)
    assert fold(CREATED, archive, act(ActKind.PIN, 41)).archived is None
    assert fold(CREATED, archive, act(ActKind.BOOST, 41, add="0.5")).archived is not None


def test_an_archive_by_fading_holds_only_if_the_node_had_faded():
    faded = act(ActKind.ARCHIVE, 37, reason="faded")
    assert fold(CREATED, faded).archived is not None
    assert fold(CREATED, mention(30), faded).archived is None  # a message that came in late
    assert fold(CREATED, act(ActKind.PIN, 1), faded).archived is None
    slowly = replace(DECAY, pinned=0.5)
    assert fold(CREATED, act(ActKind.PIN, 1), faded, decay=slowly).archived is None


def test_the_instant_of_fading_is_the_same_whoever_notices_and_when():
    folded = fold(CREATED, mention(10))
    instant = faded_out_us(folded.weight, decay=folded.decay, clock=DAILY, params=DECAY)
    assert instant is not None
    day = (instant - START) / DAY_US
    assert read(folded, day) < DECAY.removed_below <= read(folded, day - 1e-6)
    archive = replace(act(ActKind.ARCHIVE, 0, reason="faded"), at=from_us(instant))
    assert fold(CREATED, mention(10), archive).archived is not None


def test_what_has_not_faded_within_the_known_messages_has_no_instant_of_fading():
    paused = ActiveClock([START], PAUSE)
    assert faded_out_us(Weight(1.0, START), decay=0.92, clock=paused, params=DECAY) is None
    assert faded_out_us(Weight(1.0, START), decay=1.0, clock=DAILY, params=DECAY) is None
    assert faded_out_us(Weight(0.01, START), decay=0.92, clock=paused, params=DECAY) == START


# -- the clock of the machine, zones, ablations --------------------------------------------------------------------------------


def test_a_clock_set_back_reads_the_stored_weight():
    folded = fold(CREATED, mention(10))
    assert read(folded, 3) == folded.weight.value


@pytest.mark.parametrize("now", ["2027-05-20T00:00:00+00:00", "2100-01-01T00:00:00+00:00"])
def test_a_clock_set_far_forward_costs_no_more_than_the_week_before_the_pause(now):
    clock = ActiveClock([at(day) for day in range(11)], PAUSE)
    folded = fold(CREATED, mention(10), clock=clock)
    far = weight_at(folded.weight, decay=folded.decay, clock=clock, now_us=to_us(datetime.fromisoformat(now)))
    assert far == pytest.approx(folded.weight.value * 0.92**7)
    assert read(folded, 10, clock) == folded.weight.value


def test_two_months_away_cost_a_week():
    clock = ActiveClock([at(0), at(60)], PAUSE)
    assert fold(CREATED, mention(60), clock=clock).weight.value == pytest.approx(0.92**7 + 0.15)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Vladivostok", "America/St_Johns", "Pacific/Kiritimati", "Europe/Moscow"])
def test_every_zone_gives_the_same_weights(zone):
    def on_the_wall(one: Proof) -> Proof:
        offset = from_us(one.at_us).astimezone(ZoneInfo(zone)).utcoffset()
        assert offset is not None
        return replace(one, offset=int(offset.total_seconds() // 60))

    events = [CREATED, mention(3), mention(20), mention(21.5)]
    expected = fold(*events)
    folded = fold(*map(on_the_wall, events))
    assert (folded.weight, folded.decay, folded.last_reinforced_us) == (
        expected.weight,
        expected.decay,
        expected.last_reinforced_us,
    )


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25"])
def test_summer_time_begins_and_ends_without_a_trace(day):
    berlin = ZoneInfo("Europe/Berlin")
    noon = datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=berlin)
    before, after = (noon - timedelta(days=1)), (noon + timedelta(days=1))  # the same hour on the wall
    hours = (after.astimezone(UTC) - before.astimezone(UTC)).total_seconds() / 3600
    clock = ActiveClock([to_us(before), to_us(after)], PAUSE)
    read_at = weight_at(Weight(1.0, to_us(before)), decay=0.92, clock=clock, now_us=to_us(after))
    assert read_at == pytest.approx(0.92 ** (hours / 24))
    fixed = after.astimezone(timezone(timedelta(hours=-9)))
    assert weight_at(Weight(1.0, to_us(before)), decay=0.92, clock=clock, now_us=to_us(fixed)) == read_at


def test_without_forgetting_only_mentions_and_acts_move_a_weight():
    off = replace(DECAY, mode=DecayMode.OFF)
    assert fold(CREATED, act(ActKind.DAMP, 5, factor="0.5"), mention(100), decay=off).weight.value == 0.65


def test_with_uniform_forgetting_every_kind_fades_alike():
    uniform = replace(DECAY, mode=DecayMode.UNIFORM)
    assert {fold(CREATED, decay=uniform, node_type=kind).decay for kind in NodeType} == {DECAY.uniform}


# -- properties ----------------------------------------------------------------------------------------------------------------

quarter_days = st.integers(min_value=0, max_value=240).map(lambda quarter: quarter / 4)
mentions = st.builds(lambda day, name: mention(day, f"{name}{day}"), quarter_days, st.sampled_from("abc"))
acts = st.one_of(
    st.builds(act, st.sampled_from([ActKind.PIN, ActKind.UNPIN, ActKind.WRONG, ActKind.SET]), quarter_days),
    st.builds(lambda day, add: act(ActKind.BOOST, day, add=str(add)), quarter_days, st.floats(0, 1)),
    st.builds(lambda day, factor: act(ActKind.DAMP, day, factor=str(factor)), quarter_days, st.floats(0, 1)),
    st.builds(lambda day, reason: act(ActKind.ARCHIVE, day, reason=reason), quarter_days, st.sampled_from(["faded", "reset"])),
    st.builds(lambda day, other: act(ActKind.UNDO, day, undoes=f"pin{other}"), quarter_days, quarter_days),
)
events = st.lists(st.one_of(mentions, acts), max_size=14)
clocks = st.lists(quarter_days, max_size=10).map(lambda written: ActiveClock([at(day) for day in written], PAUSE))
kinds = st.sampled_from(list(NodeType))


@given(events, clocks, kinds, st.randoms(use_true_random=False))
def test_the_order_in_which_history_came_in_does_not_matter(history, clock, kind, chance):
    shuffled = [CREATED, *history]
    chance.shuffle(shuffled)
    assert fold(*shuffled, clock=clock, node_type=kind) == fold(CREATED, *history, clock=clock, node_type=kind)


@given(events, clocks, kinds)
def test_folding_what_was_folded_changes_nothing(history, clock, kind):
    folded = fold(CREATED, *history, clock=clock, node_type=kind)
    acts_only = [event for event in history if isinstance(event, Act)]
    assert fold(*folded.proofs, *acts_only, clock=clock, node_type=kind) == folded


@given(events, clocks, kinds, st.floats(min_value=-10, max_value=40_000))
def test_weights_stay_between_0_and_1_and_only_fall_between_events(history, clock, kind, later):
    folded = fold(CREATED, *history, clock=clock, node_type=kind)
    assert 0.0 <= read(folded, later, clock) <= folded.weight.value <= 1.0


RAISING = (ActKind.PIN, ActKind.UNDO, ActKind.BOOST)


@given(events, clocks, kinds)
def test_a_weight_never_rises_without_a_recorded_cause(history, clock, kind):
    """From event to event, as of each: where the weight rose, a weighed mention, pin, undo or boost lies between."""
    instants = {one.at_us if isinstance(one, Proof) else to_us(one.at) for one in history}
    days = [0.0, *sorted((instant - START) / DAY_US for instant in instants), 61.0]

    def up_to(day: float) -> tuple[float, Folded]:
        known = [one for one in history if (one.at_us if isinstance(one, Proof) else to_us(one.at)) <= at(day)]
        folded = fold(CREATED, *known, clock=clock, node_type=kind)
        return read(folded, day, clock), folded

    before, _ = up_to(days[0])
    for one, other in pairwise(days):
        weight, folded = up_to(other)
        if weight > before + 1e-12:
            mentioned = any(proof.weighed and at(one) < proof.at_us <= at(other) for proof in folded.proofs)
            acted = any(
                isinstance(event, Act) and event.kind in RAISING and at(one) < to_us(event.at) <= at(other) for event in history
            )
            assert mentioned or acted
        before = weight


@given(st.lists(quarter_days, unique=True, min_size=1, max_size=10).map(sorted), kinds)
def test_carrying_the_stored_weight_forward_equals_the_full_fold(said, kind):
    history = [mention(day, f"m{day}") for day in said if day > 0]
    full = fold(CREATED, *history, node_type=kind)
    weight = Weight(1.0, START)
    for one in history:
        left = weight_at(weight, decay=full.decay, clock=DAILY, now_us=one.at_us)
        weight = Weight(reinforced(left, params=REINFORCEMENT), one.at_us)
    assert weight.at_us == full.weight.at_us
    assert weight.value == pytest.approx(full.weight.value, abs=1e-12)


def test_equal_instants_fold_by_id():
    left = 0.92**10
    assert fold(CREATED, act(ActKind.DAMP, 10, "a", factor="0.5"), mention(10, "m")).weight.value == pytest.approx(
        left / 2 + 0.15
    )
    assert fold(CREATED, act(ActKind.DAMP, 10, "z", factor="0.5"), mention(10, "m")).weight.value == pytest.approx(
        (left + 0.15) / 2
    )


@given(events, kinds, st.permutations(range(3)))
def test_equal_instants_fold_the_same_way_in_any_order(history, kind, order):
    together = [mention(7, "x"), act(ActKind.DAMP, 7, "y", factor="0.5"), act(ActKind.PIN, 7, "z")]
    assert fold(CREATED, *history, *[together[place] for place in order], node_type=kind) == fold(
        CREATED, *history, *together, node_type=kind
    )
