from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from memory_lib.adapters.importers import Note, SkipReason, locomo_user
from memory_lib.domain.message import Role
from memory_lib.errors import UnknownUser, UnreadableFile


def turn(number: int, speaker: str = "Rosa", session: int = 1, **more):
    return {"speaker": speaker, "dia_id": f"D{session}:{number}", "text": f"line {number} about tomatoes", **more}


def sample(name: str = "s-1", **sessions):
    sessions = sessions or {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [turn(1), turn(2, "Milo", blip_caption="a photo of a red bicycle", query="red bike"), turn(3)],
    }
    return {
        "sample_id": name,
        "qa": [{"question": "?"}],
        "conversation": {"speaker_a": "Rosa", "speaker_b": "Milo", **sessions},
    }


def test_each_conversation_is_imported_once_for_either_person(take):
    taken = take([sample()])
    assert [(message.user, message.role, message.speaker) for message in taken.messages] == [
        ("s-1:Rosa", Role.USER, "Rosa"),
        ("s-1:Rosa", Role.OTHER, "Milo"),
        ("s-1:Rosa", Role.USER, "Rosa"),
        ("s-1:Milo", Role.OTHER, "Rosa"),
        ("s-1:Milo", Role.USER, "Milo"),
        ("s-1:Milo", Role.OTHER, "Rosa"),
    ]


def test_a_turn_keeps_its_names_caption_and_session(take):
    message = take([sample()]).messages[1]
    assert (message.conversation, message.id, message.session) == ("s-1", "D1:2", "session_1")
    assert message.caption == "a photo of a red bicycle"
    assert message.text == "line 2 about tomatoes"


@pytest.mark.parametrize(
    ("text", "hour", "minute"),
    [("1:56 pm on 8 May, 2023", 13, 56), ("12:09 am on 8 May, 2023", 0, 9), ("12:30 pm on 8 May 2023", 12, 30)],
)
def test_the_session_date_is_read_as_utc(take, text, hour, minute):
    first = take([sample(session_1_date_time=text, session_1=[turn(1)])]).messages[0]
    assert first.time == datetime(2023, 5, 8, hour, minute, tzinfo=UTC)


def test_turns_are_twenty_seconds_apart(take):
    times = [message.time for message in take([sample()], first_person_only=True).messages]
    assert [later - earlier for earlier, later in pairwise(times)] == [timedelta(seconds=20)] * 2


def test_a_session_ends_before_the_next_begins_however_close_it_is(take):
    crowded = sample(
        session_10_date_time="2:01 pm on 8 May, 2023",
        session_10=[turn(1, session=10)],
        session_2_date_time="2:00 pm on 8 May, 2023",
        session_2=[turn(number, session=2) for number in range(1, 41)],
    )
    messages = take([crowded], first_person_only=True).messages
    assert [message.session for message in messages] == ["session_2"] * 40 + ["session_10"]
    times = [message.time for message in messages]
    assert times == sorted(set(times))


def test_user_keeps_one_person(take):
    taken = take([sample("s-1"), sample("s-2")], user=locomo_user("s-2", "Milo"))
    assert {message.user for message in taken.messages} == {"s-2:Milo"}
    assert taken.report.skipped[SkipReason.OTHER_PERSON] == 9


def test_first_person_only_keeps_each_first_speaker(take):
    taken = take([sample("s-1"), sample("s-2")], first_person_only=True)
    assert {message.user for message in taken.messages} == {"s-1:Rosa", "s-2:Rosa"}


def test_a_user_who_is_not_there_is_refused(take):
    with pytest.raises(UnknownUser, match="sample_id"):
        take([sample()], user="s-1:Nobody")


def test_a_date_without_turns_is_no_error(take):
    taken = take([sample(session_1_date_time="1:00 pm on 8 May, 2023", session_1=[turn(1)], session_9_date_time="x")])
    assert not taken.bad


@pytest.mark.parametrize(
    ("bad", "place", "reason"),
    [
        ({"speaker": "Rosa", "text": "no id"}, "samples[0].session_1[1]", "field 'dia_id' is missing"),
        (turn(2, "Stranger"), "samples[0].session_1[1]", "field 'speaker' must be"),
        ({**turn(2), "text": 5}, "samples[0].session_1[1]", "field 'text' must be a string"),
        ("words", "samples[0].session_1[1]", "the record must be a JSON object"),
    ],
)
def test_a_bad_turn_is_named_once_and_the_rest_goes_in(take, bad, place, reason):
    taken = take([sample(session_1_date_time="1:00 pm on 8 May, 2023", session_1=[turn(1), bad, turn(3)])])
    assert [message.id for message in taken.messages] == ["D1:1", "D1:3"] * 2
    assert [record.place for record in taken.bad] == [place]
    assert taken.bad[0].reason.startswith(reason)
    assert json.loads(taken.bad[0].raw) == bad


@pytest.mark.parametrize(
    "date", ["8 May 2023", "13:00 pm on 8 May, 2023", "1:00 pm on 31 February, 2023", "1:00 pm on 8 Mai, 2023", None]
)
def test_a_session_without_a_readable_date_is_named(take, date):
    broken = sample(
        session_1_date_time=date,
        session_1=[turn(1)],
        session_2_date_time="1:00 pm on 9 May, 2023",
        session_2=[turn(1, session=2)],
    )
    taken = take([broken], first_person_only=True)
    assert [message.id for message in taken.messages] == ["D2:1"]
    assert taken.bad[0].place == "samples[0].session_1"
    assert "session_1_date_time" in taken.bad[0].reason


def test_a_bad_sample_is_named_and_the_next_goes_in(take):
    headless = sample("s-1")
    del headless["conversation"]["speaker_b"]
    taken = take([sample("s-0"), headless, 5, sample("s-2")], first_person_only=True)
    assert {message.conversation for message in taken.messages} == {"s-0", "s-2"}
    assert [bad.place for bad in taken.bad] == ["samples[1]", "samples[2]"]
    assert taken.bad[0].reason == "field 'speaker_b' is missing"


def test_a_late_cut_keeps_what_was_whole(take):
    raw = json.dumps([sample("s-1"), sample("s-2")]).encode()
    taken = take(raw[:-40])
    assert {message.conversation for message in taken.messages} == {"s-1"}
    assert taken.bad[-1].place == "samples[1]"
    assert "ends inside" in taken.bad[-1].reason
    assert taken.report.notes[Note.BROKEN_OFF] == 1


def test_an_early_cut_is_refused(take):
    raw = json.dumps([sample("s-1"), sample("s-2")]).encode()
    with pytest.raises(UnreadableFile, match="before its first whole record"):
        take(raw[: len(raw) // 3])


def test_rubbish_after_the_end_is_named(take):
    taken = take(json.dumps([sample()]).encode() + b" and more")
    assert len(taken.messages) == 6
    assert taken.bad[0].place == "top level of the file"
