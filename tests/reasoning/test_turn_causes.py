"""Which earlier turn an emotional turn answers to."""

from __future__ import annotations

from memory_lib.reasoning.judging.turn_causes import SpokenTurn, turn_causes
from memory_lib.settings import Settings

TURN_CAUSES = Settings().detectors.causes


def said(text: str, colour: float = 0.0) -> SpokenTurn:
    return SpokenTurn(text=text, colour=colour)


SAD = said("Oh no, I'm so sorry to hear that.", -0.6)
NEWS = said("My grandmother fell on the stairs this morning.", -0.7)


def test_a_coloured_telling_just_before_is_surely_the_cause():
    (cause,) = turn_causes(SAD, [NEWS], opens=True, params=TURN_CAUSES)
    assert (cause.place, cause.sure, cause.confidence) == (0, True, TURN_CAUSES.sure)


def test_a_turn_of_the_opposite_colour_or_without_one_is_only_likely():
    for colour in (0.0, 0.9):
        (cause,) = turn_causes(SAD, [said(NEWS.text, colour)], opens=True, params=TURN_CAUSES)
        assert (cause.sure, cause.confidence) == (False, TURN_CAUSES.likely)


def test_a_short_question_just_before_causes_nothing():
    assert [cause.place for cause in turn_causes(SAD, [said("Hello."), said("Really?")], opens=False, params=TURN_CAUSES)] == []


def test_the_opener_counts_while_it_is_near_and_only_where_it_opened():
    filler = said("Mm.")
    assert [cause.place for cause in turn_causes(SAD, [NEWS, filler, filler], opens=True, params=TURN_CAUSES)] == [0, 2]
    assert [cause.place for cause in turn_causes(SAD, [NEWS, filler, filler], opens=False, params=TURN_CAUSES)] == [2]
    assert [cause.place for cause in turn_causes(SAD, [NEWS, filler, filler, filler], opens=True, params=TURN_CAUSES)] == [3]


def test_a_telling_two_turns_back_counts_in_the_same_colour():
    before = [said("Hello there."), said("My grandmother fell on the stairs this cold morning.", -0.7), said("Mm.")]
    assert [cause.place for cause in turn_causes(SAD, before, opens=False, params=TURN_CAUSES)] == [1, 2]
    assert [cause.place for cause in turn_causes(said("Hooray!", 0.8), before, opens=False, params=TURN_CAUSES)] == [2]


def test_nothing_before_nothing_found_and_confidence_is_bounded():
    assert turn_causes(SAD, [], opens=True, params=TURN_CAUSES) == ()
    assert all(cause.confidence <= 0.6 for cause in turn_causes(SAD, [NEWS] * 5, opens=True, params=TURN_CAUSES))
