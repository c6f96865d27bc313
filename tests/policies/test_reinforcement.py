from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_lib.domain.candidates import Span
from memory_lib.domain.ids import MessageId
from memory_lib.domain.node import Proof, ProofKind
from memory_lib.domain.time import offset_minutes, to_us
from memory_lib.errors import IllegalValue
from memory_lib.policies.reinforcement import ReinforcementParams, Said, is_repeat, reinforced, repeated, weigh
from memory_lib.settings import Settings

PARAMS: ReinforcementParams = Settings.model_fields["reinforcement"].default


def proof(at: str, message: str, *, kind: ProofKind = ProofKind.MENTION, weighed: bool = True, start: int = 0) -> Proof:
    instant = datetime.fromisoformat(at)
    return Proof(
        Span(MessageId(message), start, start + 3), to_us(instant), offset_minutes(instant), kind, weighed, "rules", "1"
    )


def mentions(day: str, count: int, *, prefix: str = "m", offset: str = "+03:00") -> list[Proof]:
    return [proof(f"{day}T12:{minute:02}:00{offset}", f"{prefix}{minute:02}") for minute in range(count)]


CREATED = proof("2026-05-01T09:00:00+03:00", "made", kind=ProofKind.CREATED, weighed=False)


def weighing(*proofs: Proof) -> dict[str, bool]:
    return {one.span.message: one.weighed for one in weigh(proofs, params=PARAMS).proofs}


def test_a_mention_adds_a_step_and_never_passes_one():
    assert reinforced(0.5, params=PARAMS) == 0.65
    assert reinforced(0.9, params=PARAMS) == 1.0


def test_the_creating_proof_is_no_mention():
    assert weighing(CREATED, proof("2026-05-02T09:00:00+03:00", "later")) == {"made": False, "later": True}


def test_a_message_weighs_once_however_often_it_mentions_the_node():
    twice = [proof("2026-05-02T09:00:00+03:00", "m", start=start) for start in (0, 10)]
    assert [one.weighed for one in weigh([CREATED, *twice], params=PARAMS).proofs] == [False, True, False]


def test_the_creating_message_does_not_mention_what_it_creates():
    again = replace(CREATED, span=Span(CREATED.span.message, 40, 50), kind=ProofKind.MENTION, weighed=True)
    assert [one.weighed for one in weigh([CREATED, again], params=PARAMS).proofs] == [False, False]


def test_a_second_creation_is_a_mention():
    other = proof("2026-05-02T09:00:00+03:00", "other", kind=ProofKind.CREATED)
    assert weighing(CREATED, other) == {"made": False, "other": True}


def test_what_formation_found_to_be_an_echo_or_a_repeat_never_weighs():
    assert weighing(CREATED, proof("2026-05-02T09:00:00+03:00", "echo", weighed=False)) == {"made": False, "echo": False}


def test_ten_mentions_a_day_weigh_and_the_eleventh_is_kept_and_flagged():
    ten = weigh([CREATED, *mentions("2026-05-02", 10)], params=PARAMS)
    assert sum(one.weighed for one in ten.proofs) == 10
    assert not ten.over_limit

    eleven = weigh([CREATED, *mentions("2026-05-02", 11)], params=PARAMS)
    assert [one.weighed for one in eleven.proofs] == [False, *[True] * 10, False]
    assert eleven.over_limit


def test_the_next_local_day_weighs_again():
    both = weigh([CREATED, *mentions("2026-05-02", 11), *mentions("2026-05-03", 2, prefix="n")], params=PARAMS)
    assert sum(one.weighed for one in both.proofs) == 12
    assert both.over_limit


def test_a_day_is_the_date_on_the_wall_of_the_person():
    # 23:50 and 00:10 in Vladivostok: one date in UTC, two on the wall
    late = [replace(one, at_us=one.at_us + minute) for minute, one in enumerate([proof("2026-05-02T23:50:00+10:00", "x")] * 10)]
    late = [replace(one, span=Span(MessageId(f"x{place}"), 0, 3)) for place, one in enumerate(late)]
    after_midnight = proof("2026-05-03T00:10:00+10:00", "y")
    same_instant_in_utc = replace(after_midnight, offset=0)
    assert weigh([*late, after_midnight], params=PARAMS).proofs[-1].weighed
    assert not weigh([*[replace(one, offset=0) for one in late], same_instant_in_utc], params=PARAMS).proofs[-1].weighed


def test_the_hour_that_summer_time_repeats_belongs_to_one_day():
    # 2026-10-25 in Berlin: 02:30 comes twice, at +02:00 and at +01:00
    first = [proof(f"2026-10-25T02:3{minute}:00+02:00", f"a{minute}") for minute in range(6)]
    second = [proof(f"2026-10-25T02:3{minute}:00+01:00", f"b{minute}") for minute in range(6)]
    decided = weigh([*second, *first], params=PARAMS)
    assert [one.weighed for one in decided.proofs] == [True] * 10 + [False] * 2
    assert decided.over_limit


def test_a_late_message_takes_its_place_and_the_last_one_loses_its_weight():
    stored = weigh([CREATED, *mentions("2026-05-02", 10)], params=PARAMS).proofs
    late = proof("2026-05-02T11:00:00+03:00", "late")
    assert weighing(*stored, late)["late"]
    assert not weighing(*stored, late)["m09"]


moments = st.tuples(
    st.integers(min_value=0, max_value=30), st.sampled_from("abcdefghijklmnop"), st.integers(0, 3), st.booleans()
)
histories = st.lists(moments, max_size=40).map(
    lambda rows: [
        CREATED,
        *(
            replace(
                proof("2026-05-02T18:00:00+00:00", f"{name}{hour}", weighed=weighed, start=5 * start),
                at_us=to_us(datetime.fromisoformat("2026-05-02T18:00:00+00:00")) + hour * 1_200_000_000,
            )
            for hour, name, start, weighed in rows
        ),
    ]
)


@given(histories, st.randoms(use_true_random=False))
def test_the_order_given_does_not_matter_and_deciding_twice_is_deciding_once(proofs, chance):
    decided = weigh(proofs, params=PARAMS)
    shuffled = list(proofs)
    chance.shuffle(shuffled)
    assert weigh(shuffled, params=PARAMS) == decided
    assert weigh(decided.proofs, params=PARAMS) == decided


@given(histories)
def test_no_day_and_no_message_weighs_more_than_it_may(proofs):
    counted = [one for one in weigh(proofs, params=PARAMS).proofs if one.weighed]
    assert len({one.span.message for one in counted}) == len(counted)
    days = [one.at_us // 86_400_000_000 for one in counted]
    assert all(days.count(day) <= PARAMS.daily_limit for day in days)


SECOND = 1_000_000


@pytest.mark.parametrize("words", ["я опять устал", "tired again"])
def test_the_same_words_within_a_minute_are_a_repeat(words):
    first = Said(0, words)
    assert is_repeat(Said(60 * SECOND, words), first, similarity=None, params=PARAMS)
    assert not is_repeat(Said(60 * SECOND + 1, words), first, similarity=None, params=PARAMS)
    assert not is_repeat(first, Said(SECOND, words), similarity=None, params=PARAMS)


def test_nearly_the_same_words_are_a_repeat_where_the_embedder_says_so():
    first, second = Said(0, "я так устал"), Said(SECOND, "я ужасно устал")
    assert is_repeat(second, first, similarity=0.95, params=PARAMS)
    assert not is_repeat(second, first, similarity=0.9, params=PARAMS)
    assert not is_repeat(second, first, similarity=None, params=PARAMS)


def test_a_phrase_sent_every_half_minute_counts_once():
    sent = [Said(place * 30 * SECOND, "купи слона") for place in range(20)]
    assert repeated(sent, params=PARAMS) == (False, *[True] * 19)


def test_other_words_and_a_longer_pause_are_no_repeat():
    sent = [Said(0, "привет"), Said(SECOND, "hello"), Said(2 * SECOND, "привет"), Said(90 * SECOND, "привет")]
    assert repeated(sent, params=PARAMS) == (False, False, True, False)


@pytest.mark.parametrize("change", [{"step": 1.5}, {"step": float("nan")}, {"daily_limit": -1}, {"repeat_seconds": -1.0}])
def test_numbers_that_make_no_sense_are_wrong_settings(change):
    with pytest.raises(IllegalValue):
        replace(PARAMS, **change)
