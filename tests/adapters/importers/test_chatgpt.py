from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from memory_lib.adapters.importers import Note, SkipReason
from memory_lib.domain.message import Role
from memory_lib.errors import UnreadableFile

T0 = 1_777_900_000.0


def node(key, parent, text="words", *, role="user", at=T0, kind="text", parts=None, **message):
    content = {"content_type": kind, "parts": [text] if parts is None else parts}
    body = {"id": key, "author": {"role": role}, "create_time": at, "content": content, **message}
    return key, {"id": key, "parent": parent, "message": body, "children": []}


def conversation(*nodes, name="conv-1", current=None, **fields):
    mapping = {"root": {"id": "root", "message": None, "parent": None, "children": []}, **dict(nodes)}
    return {
        "title": "Same title",
        "create_time": T0 - 5,
        "update_time": T0 + 500,
        "mapping": mapping,
        "current_node": current or nodes[-1][0],
        "conversation_id": name,
        "id": name,
        **fields,
    }


DIALOGUE = (
    node("a", "root", "Как пересадить фикус?", at=T0),
    node("b", "a", "Возьмите горшок побольше.", role="assistant", at=T0 + 10),
    node("c", "b", "Спасибо, завтра попробую", at=T0 + 60),
)


def test_a_thread_comes_in_order_with_times_roles_and_parents(take):
    taken = take([conversation(*DIALOGUE)])
    assert [(message.id, message.role, message.parent) for message in taken.messages] == [
        ("a", Role.USER, None),
        ("b", Role.ASSISTANT, "a"),
        ("c", Role.USER, "b"),
    ]
    assert taken.messages[1].time == datetime.fromtimestamp(T0 + 10, UTC)
    assert {(message.user, message.conversation, message.agent) for message in taken.messages} == {("me", "conv-1", "chatgpt")}


def test_user_names_the_person(take):
    assert {message.user for message in take([conversation(*DIALOGUE)], user="kim").messages} == {"kim"}


def test_only_the_current_branch_is_imported(take):
    branched = (*DIALOGUE[:2], node("old", "b", "abandoned"), DIALOGUE[2])
    taken = take([conversation(*branched)])
    assert [message.id for message in taken.messages] == ["a", "b", "c"]
    assert taken.report.skipped[SkipReason.ABANDONED_BRANCH] == 1


@pytest.mark.parametrize("current", ["nowhere", None])
def test_without_a_current_node_the_newest_leaf_counts(take, current):
    branched = conversation(*DIALOGUE, node("late", "b", "newest", at=T0 + 99), node("early", "b", "old", at=T0 + 20))
    branched["current_node"] = current
    assert [message.id for message in take([branched]).messages] == ["a", "b", "late"]


def test_a_missing_time_is_the_one_before_it_and_order_is_kept(take):
    nodes = (
        node("a", "root", at=None),
        node("b", "a", role="assistant", at=None),
        node("c", "b", at=T0 + 50),
        node("d", "c", at=None),
    )
    taken = take([conversation(*nodes)])
    start = datetime.fromtimestamp(T0 - 5, UTC)
    step = timedelta(milliseconds=1)
    later = datetime.fromtimestamp(T0 + 50, UTC)
    assert [message.time for message in taken.messages] == [start, start + step, later, later + step]
    assert taken.report.notes[Note.TIME_FILLED] == 3


def test_times_that_go_back_are_moved_behind_the_message_before(take):
    times = [message.time for message in take([conversation(node("a", "root", at=T0 + 9), node("b", "a", at=T0))]).messages]
    assert times[1] - times[0] == timedelta(milliseconds=1)


def test_no_time_anywhere_is_a_bad_record(take):
    timeless = conversation(node("a", "root", at=None), create_time=None, update_time=None)
    taken = take([conversation(*DIALOGUE, name="conv-0"), timeless])
    assert len(taken.messages) == 3
    assert taken.bad[0].place == "conversations[1]"
    assert "create_time" in taken.bad[0].reason


def test_what_is_no_conversation_is_left_out_and_counted(take):
    nodes = (
        node("s", "root", "You are helpful", role="system"),
        node("ctx", "s", "about me", kind="user_editable_context"),
        node("a", "ctx", "real question"),
        node("hid", "a", "hidden", weight=0.0),
        node("vis", "hid", "hidden too", metadata={"is_visually_hidden_from_conversation": True}),
        node("think", "vis", "hmm", role="assistant", kind="thoughts"),
        node("call", "think", "search()", role="assistant", recipient="browser"),
        node("tool", "call", "result", role="tool"),
        node("empty", "tool", "", role="assistant"),
        node("none", "empty", parts=[]),
        node("z", "none", "real answer", role="assistant", recipient="all", weight=1.0),
    )
    taken = take([conversation(*nodes)])
    assert [(message.id, message.parent) for message in taken.messages] == [("a", None), ("z", "a")]
    assert taken.report.skipped == {
        SkipReason.SYSTEM_OR_TOOL: 2,
        SkipReason.NOT_TEXT: 2,
        SkipReason.HIDDEN: 2,
        SkipReason.FOR_A_TOOL: 1,
        SkipReason.NO_TEXT: 2,
    }


def test_parts_that_are_no_text_are_dropped_and_spoken_ones_kept(take):
    parts = [
        {"content_type": "image_asset_pointer", "asset_pointer": "file://1"},
        "what plant is this?",
        {"content_type": "audio_transcription", "text": "and is it poisonous"},
    ]
    taken = take([conversation(node("a", "root", kind="multimodal_text", parts=parts))])
    assert taken.texts == ["what plant is this?\nand is it poisonous"]
    assert taken.report.notes[Note.PART_DROPPED] == 1


def test_citation_markers_go_and_a_wrapped_name_stays(take):
    cited = "\ue200cite\ue202turn0search1\ue202turn0search2\ue201"
    wrapped = '\ue200entity\ue202["person","Ada Green","x"]\ue201'
    text = f"Figs like light{cited} says {wrapped}.\ue202"
    taken = take([conversation(node("a", "root", text, role="assistant"))])
    assert taken.texts == ["Figs like light says Ada Green."]
    assert taken.report.notes[Note.MARKERS_REMOVED] == 1


@pytest.mark.parametrize(
    "text", ["half \ud83d emoji", "low \udc00", "nul \0 here", "  spaces kept \n", "\ud83d\ud83d\U0001f600"]
)
def test_text_is_kept_exactly(take, text):
    assert take([conversation(node("a", "root", text))]).texts == [text]


def test_conversations_marked_do_not_remember_stay_out_with_their_faults(take):
    broken = {"parent": "root", "message": 7}
    forgotten = conversation(*DIALOGUE, ("x", broken), current="c", name="conv-2", is_do_not_remember=True)
    taken = take([conversation(*DIALOGUE), forgotten])
    assert {message.conversation for message in taken.messages} == {"conv-1"}
    assert not taken.bad
    assert taken.report.skipped[SkipReason.DO_NOT_REMEMBER] == 1


def test_equal_titles_do_not_mix_conversations(take):
    taken = take([conversation(*DIALOGUE), conversation(*DIALOGUE, name="conv-2")])
    assert [message.conversation for message in taken.messages] == ["conv-1"] * 3 + ["conv-2"] * 3


def test_a_later_overlapping_export_gives_the_same_messages_first(take):
    early = take([conversation(*DIALOGUE)])
    grown = conversation(*DIALOGUE, node("d", "c", "more", at=T0 + 70), title="New title", update_time=T0 + 999)
    late = take([conversation(node("x", "root", "other"), name="conv-9"), grown])
    assert late.messages[1:4] == early.messages


def test_a_bad_node_is_named_and_the_thread_above_it_survives(take):
    raw = json.dumps([conversation(*DIALOGUE)]).encode().replace(b'"id": "b", "author"', b'"id": "\xff", "author"')
    taken = take(raw)
    assert [message.id for message in taken.messages] == ["a", "c"]
    assert taken.bad[0].place == "conversations[0].mapping[2]"
    assert "invalid UTF-8" in taken.bad[0].reason
    assert b"\xff" in taken.bad[0].raw


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"author": {}, "content": {"content_type": "text"}}, "field 'message.author.role' is missing"),
        ({"author": {"role": "user"}}, "field 'message.content' is missing"),
        (
            {"author": {"role": "user"}, "content": {"content_type": "text", "parts": "x"}},
            "field 'message.content.parts' must be a JSON array",
        ),
    ],
)
def test_a_field_of_the_wrong_shape_is_named(take, message, reason):
    taken = take([conversation(*DIALOGUE, ("bad", {"parent": "c", "message": message}))])
    assert len(taken.messages) == 3
    assert (taken.bad[0].place, taken.bad[0].reason) == ("conversations[0].mapping[4]", reason)


def test_a_circle_of_parents_ends(take):
    taken = take([conversation(node("a", "b"), node("b", "a"))])
    assert {message.id for message in taken.messages} == {"a", "b"}


@pytest.mark.parametrize("odd", [5, None, [], "text"])
def test_a_conversation_that_is_no_object_is_named(take, odd):
    taken = take([conversation(*DIALOGUE), odd])
    assert len(taken.messages) == 3
    assert taken.bad[0].place == "conversations[1]"


@pytest.mark.parametrize("mapping", [None, 4, "x"])
def test_a_mapping_that_is_no_object_is_named(take, mapping):
    taken = take([conversation(*DIALOGUE), {**conversation(*DIALOGUE), "mapping": mapping}])
    assert [bad.reason for bad in taken.bad] == ["field 'mapping' must be a JSON object"]


def test_a_late_cut_drops_only_the_conversation_it_falls_into(take):
    raw = json.dumps([conversation(*DIALOGUE), conversation(*DIALOGUE, name="conv-2")]).encode()
    taken = take(raw[:-120])
    assert {message.conversation for message in taken.messages} == {"conv-1"}
    assert taken.bad[0].place == "conversations[1]"


def test_an_early_cut_is_refused(take):
    with pytest.raises(UnreadableFile):
        take(json.dumps([conversation(*DIALOGUE)]).encode()[:-60])


def test_an_unpacked_export_folder_stands_for_its_conversations(take, tmp_path):
    (tmp_path / "export").mkdir()
    (tmp_path / "export" / "user.json").write_text("{}")
    (tmp_path / "export" / "conversations.json").write_text(json.dumps([conversation(*DIALOGUE)]))
    from memory_lib.adapters.importers import read_export

    assert len(list(read_export(tmp_path / "export"))) == 3
