from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from memory_lib.adapters.importers import SkipReason, longmemeval_turn_id, read_export
from memory_lib.domain.message import Role
from memory_lib.errors import UnreadableFile

ASKED = {"role": "user", "content": "Which soil do succulents like?"}
TOLD = {"role": "assistant", "content": "A gritty one that drains fast."}
BOUGHT = {"role": "user", "content": "I bought three aloes on Sunday."}

EVIDENCE = {
    "question_id": "q1",
    "question": "How many aloes?",
    "evidence_sessions": [
        {"date": "2023/05/21 (Sun) 18:00", "turns": [BOUGHT]},
        {"date": "2023/05/22 (Mon) 08:05", "turns": [{"role": "user", "content": "One aloe died."}]},
    ],
}
HAYSTACK = {
    "question_id": "q2",
    "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 18:00"],
    "haystack_session_ids": ["h1", "h2"],
    "haystack_sessions": [[ASKED, {**TOLD, "has_answer": True}], [BOUGHT, TOLD]],
}


def jsonl(*records) -> bytes:
    return "\n".join(json.dumps(record) for record in records).encode()


def test_a_haystack_keeps_sessions_roles_and_dates(take):
    taken = take([HAYSTACK])
    assert [(message.session, message.role) for message in taken.messages] == [
        ("h1", Role.USER),
        ("h1", Role.ASSISTANT),
        ("h2", Role.USER),
    ]
    assert taken.messages[0].time == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
    assert taken.messages[1].time == datetime(2023, 5, 20, 2, 21, 20, tzinfo=UTC)
    assert {(message.user, message.conversation) for message in taken.messages} == {("longmemeval", "longmemeval")}


def test_equal_turns_are_one_and_counted(take):
    taken = take([HAYSTACK])
    assert [message.text for message in taken.messages].count(TOLD["content"]) == 1
    assert taken.report.skipped[SkipReason.DUPLICATE_TURN] == 1


def test_each_evidence_session_is_a_session_of_its_own(take):
    taken = take(jsonl(EVIDENCE, {**EVIDENCE, "question_id": "q3", "evidence_sessions": []}), name="e.jsonl")
    assert [message.session for message in taken.messages] == ["q1#1", "q1#2"]


def test_source_ids_are_those_an_evaluation_makes_from_role_and_content(take):
    for message, turn in zip(take([HAYSTACK]).messages, [ASKED, TOLD, BOUGHT], strict=True):
        assert message.id == longmemeval_turn_id(turn["role"], turn["content"])


def test_the_same_words_of_two_roles_are_two_turns():
    assert longmemeval_turn_id("user", "Yes.") != longmemeval_turn_id("assistant", "Yes.")


def test_a_folder_is_one_pool_of_one_person(tmp_path):
    (tmp_path / "a_evidence.jsonl").write_bytes(jsonl(EVIDENCE))
    (tmp_path / "b_haystack.json").write_text(json.dumps([HAYSTACK]))
    (tmp_path / "NOTE.md").write_text("about the data")
    (tmp_path / "other.json").write_text('[{"sample": 1}]')
    messages = list(read_export(tmp_path, user="pool"))
    assert len(messages) == 4
    assert {message.user for message in messages} == {"pool"}
    # the haystack knows a turn's neighbours, so its session wins
    assert next(message.session for message in messages if message.text == BOUGHT["content"]) == "h2"


def test_places_in_a_folder_name_the_file_by_number(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(jsonl(EVIDENCE, {"question_id": "q9", "evidence_sessions": 4}))
    (tmp_path / "b.json").write_text(json.dumps([HAYSTACK]))
    bad = [item for item in read_export(tmp_path) if not hasattr(item, "text")]
    assert [(item.place, item.reason) for item in bad] == [("file 2, line 2", "field 'evidence_sessions' must be a JSON array")]


def test_a_folder_without_any_such_file_is_refused(tmp_path):
    (tmp_path / "a.json").write_text("[1]")
    (tmp_path / "b.json").write_text("[2]")
    with pytest.raises(UnreadableFile, match="LongMemEval"):
        read_export(tmp_path)


def test_bad_turns_and_dates_are_named(take):
    wrong = {
        "question_id": "q4",
        "evidence_sessions": [
            {"date": "May 2023", "turns": [ASKED]},
            {"date": "2023/05/21 (Sun) 18:00", "turns": [ASKED, {"role": "narrator", "content": "x"}, TOLD]},
            7,
        ],
    }
    taken = take(jsonl(wrong), name="e.jsonl")
    assert taken.texts == [ASKED["content"], TOLD["content"]]
    assert [bad.place for bad in taken.bad] == [
        "line 1.evidence_sessions[0]",
        "line 1.evidence_sessions[1][1]",
        "line 1.evidence_sessions[2]",
    ]


def test_unequal_lists_of_a_haystack_are_named(take):
    taken = take([HAYSTACK, {**HAYSTACK, "haystack_dates": []}])
    assert taken.bad[0].place == "records[1]"
    assert "equally long" in taken.bad[0].reason


def test_a_cut_array_keeps_what_was_whole(take):
    taken = take(json.dumps([HAYSTACK, HAYSTACK]).encode()[:-30])
    assert len(taken.messages) == 3
    assert taken.bad[-1].place == "records[1]"
