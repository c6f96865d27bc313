from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_lib.adapters.importers.jsonl import record_from
from memory_lib.domain.message import Role, SourceMessage
from memory_lib.errors import InvalidInput, UnreadableFile

GOOD = {
    "user": "ira",
    "conversation": "c1",
    "id": "m1",
    "role": "user",
    "text": "Купила новый чайник",
    "time": "2026-05-04T09:00:00+03:00",
}

NAIVE = datetime.fromisoformat("2026-05-04T09:00:00")


def line(**changes) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


def lines(*raw: bytes) -> bytes:
    return b"\n".join(raw) + b"\n"


def test_every_field_arrives_as_given(take):
    optional = {
        "speaker": "Ира",
        "agent": "a",
        "channel": "web",
        "session": "s",
        "parent": "m0",
        "zone": "Europe/Moscow",
        "caption": "кот",
    }
    taken = take(line(**optional), name="x.jsonl")
    assert taken.messages == [
        SourceMessage(
            user="ira",
            conversation="c1",
            id="m1",
            role=Role.USER,
            text="Купила новый чайник",
            time=datetime(2026, 5, 4, 9, tzinfo=timezone(timedelta(hours=3))),
            **optional,
        )
    ]


@pytest.mark.parametrize("role", list(Role))
def test_every_role_is_known(take, role):
    assert take(line(role=str(role))).messages[0].role is role


def test_several_users_share_a_file(take):
    taken = take(lines(line(), line(user="ben", id="m2", text="I planted beans")))
    assert [message.user for message in taken.messages] == ["ira", "ben"]


def test_user_option_fills_in_and_never_overrides(take):
    nameless = {key: value for key, value in GOOD.items() if key != "user"}
    taken = take(lines(json.dumps(nameless).encode(), line(id="m2"), line(id="m3", user=None)), user="zoe")
    assert [message.user for message in taken.messages] == ["zoe", "ira", "zoe"]


def test_records_without_a_user_are_refused_at_once_when_none_is_given(take):
    nameless = {key: value for key, value in GOOD.items() if key != "user"}
    with pytest.raises(UnreadableFile, match="--user"):
        take(nameless)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"role": "narrator"}, "field 'role' must be one of user, assistant, system, tool, other"),
        ({"time": "2026-05-04T09:00:00"}, "field 'time' must be ISO 8601 with an offset"),
        ({"time": "yesterday"}, "field 'time' must be ISO 8601"),
        ({"time": 1_777_000_000}, "field 'time' must be ISO 8601"),
        ({"time": "0001-01-01T00:00:00+03:00"}, "field 'time' must be ISO 8601"),
        ({"id": 7}, "field 'id' must be a string"),
        ({"id": ""}, "field 'id' must not be empty"),
        ({"user": ""}, "field 'user' must not be empty"),
        ({"text": None}, "field 'text' must be a string"),
        ({"zone": "Moon/Crater"}, "field 'zone' must be an IANA time zone"),
        ({"zone": "../../etc/localtime"}, "field 'zone' must be an IANA time zone"),
        ({"zone": "Europe"}, "field 'zone' must be an IANA time zone"),
        ({"zone": ""}, "field 'zone' must be an IANA time zone"),
        ({"mood": "grand"}, "has a field the format does not know"),
        ({"\ud83d": 1}, "has a field the format does not know"),
    ],
)
def test_a_wrong_field_is_named_and_the_rest_goes_in(take, changes, reason):
    taken = take(lines(line(), line(**changes), line(id="m3")))
    assert [message.id for message in taken.messages] == ["m1", "m3"]
    assert taken.bad[0].place == "line 2"
    assert taken.bad[0].reason.startswith(reason)
    assert taken.bad[0].raw == line(**changes)


@pytest.mark.parametrize("field", ["conversation", "id", "role", "text", "time"])
def test_a_missing_field_is_named(take, field):
    record = {key: value for key, value in GOOD.items() if key != field}
    taken = take(lines(line(), json.dumps(record).encode()))
    assert taken.bad[0].reason == f"field '{field}' is missing"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b'{"user": "ira", ', "not valid JSON"),
        (b"[1, 2]", "the record must be a JSON object"),
        (b"just words", "not valid JSON"),
        (line().replace(b'"c1"', b"NaN"), "holds a number that JSON does not allow"),
        (line()[:-1] + b', "id": "m9"}', "names a field twice"),
        (line().replace(b'"m1"', b'"m\xff1"'), "invalid UTF-8"),
        (line().replace(b'"m1"', b'"\xed\xa0\xbd"'), "invalid UTF-8"),
        (b'{"user":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"user":' + b"9" * 5_000 + b"}", "holds a number"),
    ],
)
def test_a_line_that_is_no_record_is_kept_aside(take, raw, reason):
    taken = take(lines(line(), raw, line(id="m3")))
    assert [message.id for message in taken.messages] == ["m1", "m3"]
    assert taken.bad[0].place == "line 2"
    assert taken.bad[0].reason.startswith(reason)
    assert taken.bad[0].raw == raw


def test_no_word_of_a_bad_record_is_in_its_reason_or_repr(take):
    taken = take(lines(line(), line(text=3, speaker="canary"), line(role="canary"), line(canary=1), b'{"canary'))
    assert len(taken.bad) == 4
    assert not any("canary" in bad.reason or "canary" in repr(bad) for bad in taken.bad)


def test_a_cut_last_line_is_named_with_its_place(take):
    taken = take(lines(line(), line(id="m2")) + line(id="m3")[:40])
    assert [message.id for message in taken.messages] == ["m1", "m2"]
    assert taken.bad[0].place == "line 3"


def test_byte_order_mark_crlf_and_blank_lines_change_nothing(take):
    plain = take(lines(line(), line(id="m2")))
    dressed = take(b"\xef\xbb\xbf" + line() + b"\r\n\r\n   \r\n" + line(id="m2") + b"\r\n")
    assert dressed.messages == plain.messages
    assert not dressed.bad


def test_blank_lines_still_count_for_places(take):
    assert take(line() + b"\n\n\nwrong\n").bad[0].place == "line 4"


def test_line_separators_inside_text_do_not_split_a_line(take):
    raw = json.dumps({**GOOD, "text": "one\u2028two\u0085three"}, ensure_ascii=False).encode()
    assert take(raw).texts == ["one\u2028two\u0085three"]


def test_a_megabyte_message_is_kept_whole(take):
    text = "длинно " * 150_000
    assert take(line(text=text)).texts == [text]


def test_a_line_above_the_limit_is_set_aside_in_part_and_reading_goes_on(take):
    huge = line(text="x" * (17 << 20))
    taken = take(lines(line(), huge, line(id="m3")))
    assert [message.id for message in taken.messages] == ["m1", "m3"]
    assert taken.bad[0].place == "line 2"
    assert huge.startswith(taken.bad[0].raw)
    assert len(taken.bad[0].raw) == 1 << 16


def test_z_is_an_offset(take):
    assert take(line(time="2026-05-04T09:00:00Z")).messages[0].time == datetime(2026, 5, 4, 9, tzinfo=UTC)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(
    texts=st.lists(st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=60), min_size=1, max_size=4),
    ascii_only=st.booleans(),
)
def test_any_text_comes_back_exactly(take, texts, ascii_only):
    records = [{**GOOD, "id": f"m{number}", "text": text, "speaker": text} for number, text in enumerate(texts)]
    surrogates = any("\ud800" <= letter <= "\udfff" for text in texts for letter in text)
    raw = "\n".join(json.dumps(record, ensure_ascii=ascii_only or surrogates) for record in records)
    taken = take(raw.encode())
    # JSON writes a high and a low surrogate side by side exactly as it writes the one letter they stand for
    expected = [text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") for text in texts]
    assert taken.texts == expected
    assert [message.speaker for message in taken.messages] == expected


@pytest.mark.parametrize(
    "text", ["\ud83d", "a\udc00b", "\ud83d\ud83d\U0001f600", "nul\0inside", "", "\u202eעברית", "\x7f\x1f\t"]
)
def test_odd_texts_survive(take, text):
    assert take(line(text=text)).texts == [text]


def test_a_mapping_handed_in_from_python_is_one_message(take):
    from_file = take(line()).messages[0]
    nameless = {key: value for key, value in GOOD.items() if key != "user"}
    assert record_from(nameless, user="ira") == from_file
    assert record_from({**GOOD, "time": from_file.time, "role": Role.USER}, user="ira") == from_file


@pytest.mark.parametrize("changes", [{"time": "noon"}, {"canary": 1}, {"text": 5}, {"user": "ben"}, {"time": NAIVE}])
def test_a_wrong_mapping_is_refused_without_its_words(changes):
    with pytest.raises(InvalidInput) as caught:
        record_from({**GOOD, **changes}, user="ira")
    assert "canary" not in str(caught.value)
