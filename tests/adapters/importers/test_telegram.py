from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory_lib.adapters.importers import Note, SkipReason
from memory_lib.domain.message import Role
from memory_lib.errors import AmbiguousOwner, UnreadableFile

MINE, THEIRS = "user7", "user5"
NAMES = {MINE: "Лена", THEIRS: "Паша", "user6": "Гена"}
START = datetime(2026, 5, 4, 10, 30, tzinfo=timezone(timedelta(hours=3)))


def message(number, author=MINE, text="привет", *, seconds=0, **more):
    at = START + timedelta(seconds=seconds)
    return {
        "id": number,
        "type": "message",
        "date": at.replace(tzinfo=None).isoformat(),
        "date_unixtime": str(int(at.timestamp())),
        "from": NAMES.get(author),
        "from_id": author,
        "text": text,
        **more,
    }


def chat(*messages, kind="personal_chat", name="Паша", number=5):
    return {"name": name, "type": kind, "id": number, "messages": list(messages)}


def account(*chats, user_id=7, left=()):
    information = {"user_id": user_id, "first_name": "Лена"} if user_id is not None else {"first_name": "Лена"}
    return {
        "about": "made by the test",
        "personal_information": information,
        "contacts": {"list": [{"first_name": "Паша"}]},
        "chats": {"about": "x", "list": list(chats)},
        "left_chats": {"about": "y", "list": list(left)},
    }


TALK = (message(1, text="Купила билеты в Казань"), message(2, THEIRS, "Здорово!", seconds=60, reply_to_message_id=1))


def test_in_a_personal_chat_the_partner_is_known_by_its_id(take):
    taken = take(chat(*TALK))
    assert [(item.role, item.speaker, item.parent) for item in taken.messages] == [
        (Role.USER, "Лена", None),
        (Role.OTHER, "Паша", "1"),
    ]
    assert {(item.user, item.conversation) for item in taken.messages} == {("me", "telegram:user5")}
    assert taken.messages[0].time == START
    assert taken.messages[0].time.utcoffset() == timedelta(hours=3)


def test_in_a_personal_chat_the_partner_is_known_by_name_where_the_id_differs(take):
    assert take(chat(*TALK, number=99)).messages[0].role is Role.USER


def test_a_chat_in_which_only_the_partner_wrote_has_no_words_of_the_user(take):
    assert [item.role for item in take(chat(TALK[1])).messages] == [Role.OTHER]


def test_a_chat_in_which_only_the_user_wrote_is_the_users(take):
    assert [item.role for item in take(chat(TALK[0])).messages] == [Role.USER]


@pytest.mark.parametrize("me", ["Лена", "user7", "7"])
def test_me_is_a_name_or_an_id(take, me):
    group = chat(*TALK, kind="private_supergroup", name="Поход", number=900)
    taken = take(group, me=me, user="lena")
    assert [item.role for item in taken.messages] == [Role.USER, Role.OTHER]
    assert {(item.user, item.conversation) for item in taken.messages} == {("lena", "telegram:channel900")}


def test_a_group_without_me_is_refused_with_ids_and_no_names(take):
    with pytest.raises(AmbiguousOwner, match="--me") as caught:
        take(chat(*TALK, kind="private_group"))
    assert "user7 (1 messages)" in str(caught.value)
    assert not any(name in str(caught.value) for name in NAMES.values())


def test_a_me_who_is_not_there_is_refused_and_not_repeated(take):
    with pytest.raises(AmbiguousOwner, match="no author") as caught:
        take(chat(*TALK), me="Тихон")
    assert "Тихон" not in str(caught.value)


def test_a_name_two_authors_share_is_refused(take):
    twins = chat(message(1), {**message(2, "user8"), "from": "Лена"}, message(3, THEIRS), kind="private_group")
    with pytest.raises(AmbiguousOwner, match="several") as caught:
        take(twins, me="Лена")
    assert "user5" not in str(caught.value)


def test_an_account_says_who_the_user_is_and_holds_several_chats(take):
    export = account(
        chat(*TALK),
        chat(message(1, "user6", "Кто идёт в горы?"), message(2), kind="private_group", name="Поход", number=5),
        left=[chat(message(4), kind="public_supergroup", number=12)],
    )
    taken = take(export)
    assert [(item.conversation, item.id, item.role) for item in taken.messages] == [
        ("telegram:user5", "1", Role.USER),
        ("telegram:user5", "2", Role.OTHER),
        ("telegram:chat5", "1", Role.OTHER),
        ("telegram:chat5", "2", Role.USER),
        ("telegram:channel12", "4", Role.USER),
    ]


def test_an_account_without_its_id_is_deduced_from_its_personal_chats(take):
    export = account(chat(*TALK), chat(message(3, "user6"), kind="private_group", number=31), user_id=None)
    assert [item.role for item in take(export).messages] == [Role.USER, Role.OTHER, Role.OTHER]


def test_me_overrules_the_account(take):
    assert [item.role for item in take(account(chat(*TALK)), me="user5").messages] == [Role.OTHER, Role.USER]


def test_a_single_chat_and_a_full_export_give_the_same_messages(take):
    assert take(chat(*TALK)).messages == take(account(chat(*TALK))).messages


def test_a_later_export_with_an_edit_and_a_new_title_keeps_ids(take):
    edited = message(1, text="Купила билеты в Пермь", edited="2026-05-05T00:00:00", edited_unixtime="1777928400")
    early, late = take(chat(*TALK)), take(chat(edited, TALK[1], message(3, seconds=90), name="Павел"))
    keys = [(item.conversation, item.id, item.time) for item in early.messages]
    assert [(item.conversation, item.id, item.time) for item in late.messages[:2]] == keys
    assert late.texts[0] == "Купила билеты в Пермь"


def test_text_in_pieces_is_joined(take):
    pieces = ["Смотри: ", {"type": "bold", "text": "важно"}, {"type": "link", "text": " https://example.org"}, "\ud83d"]
    assert take(chat(message(1, text=pieces))).texts == ["Смотри: важно https://example.org\ud83d"]


def test_entities_stand_in_for_missing_text(take):
    spoken = message(1, text_entities=[{"type": "plain", "text": "только так"}])
    del spoken["text"]
    assert take(chat(spoken)).texts == ["только так"]


def test_service_lines_and_media_without_words_are_counted(take):
    service = {"id": 9, "type": "service", "date": "2026-05-04T10:30:00", "actor": "Лена", "action": "phone_call", "text": ""}
    taken = take(
        chat(*TALK, service, message(10, text="", media_type="sticker", sticker_emoji="😀"), message(11, text=[], photo="p"))
    )
    assert len(taken.messages) == 2
    assert taken.report.skipped == {SkipReason.SERVICE_LINE: 1, SkipReason.NO_TEXT: 2}


def test_forwarded_words_are_another_persons(take):
    taken = take(
        chat(message(1), message(2, text="Скидки!", forwarded_from="Магазин"), message(3, text="?", forwarded_from=None))
    )
    assert [(item.role, item.speaker) for item in taken.messages] == [
        (Role.USER, "Лена"),
        (Role.OTHER, "Магазин"),
        (Role.OTHER, None),
    ]
    assert taken.report.notes[Note.FORWARDED] == 2


def test_own_words_forwarded_stay_ones_own(take):
    by_id = message(2, forwarded_from="Лена", forwarded_from_id=MINE)
    by_name = message(3, forwarded_from="Лена")
    assert [item.role for item in take(chat(message(1), by_id, by_name)).messages] == [Role.USER] * 3


def test_a_bot_in_its_own_chat_is_an_assistant(take):
    assert [item.role for item in take(chat(*TALK, kind="bot_chat")).messages] == [Role.USER, Role.ASSISTANT]


def test_saved_messages_are_the_users(take):
    saved = chat(message(1, text="не забыть паспорт"), kind="saved_messages", name=None, number=7)
    assert [(item.role, item.conversation) for item in take(saved).messages] == [(Role.USER, "telegram:user7")]


def test_replies_to_a_forum_topic_or_another_chat_have_no_parent(take):
    topic = {"id": 2, "type": "service", "action": "topic_created", "title": "Еда", "date": "2026-05-04T10:00:00"}
    replies = (
        message(3, reply_to_message_id=2),
        message(4, reply_to_message_id=3),
        message(5, reply_to_message_id=3, reply_to_peer_id="x"),
    )
    taken = take(chat(topic, *replies, kind="private_supergroup"), me=MINE)
    assert [item.parent for item in taken.messages] == [None, "3", None]


def test_messages_of_one_second_keep_their_order(take):
    taken = take(chat(message(1), message(2, THEIRS), message(3), message(4, seconds=1)))
    assert [item.time - START for item in taken.messages] == [timedelta(microseconds=n) for n in (0, 1, 2, 1_000_000)]


def test_a_missing_unix_time_is_read_as_utc_and_noted(take):
    old = message(1)
    del old["date_unixtime"]
    taken = take(chat(old))
    assert taken.messages[0].time == datetime(2026, 5, 4, 10, 30, tzinfo=UTC)
    assert taken.report.notes[Note.OFFSET_UNKNOWN] == 1


def test_an_impossible_offset_gives_way_to_the_unix_time(take):
    taken = take(chat(message(1, date="2026-05-04T10:31:07")))
    assert taken.messages[0].time == START
    assert taken.messages[0].time.utcoffset() == timedelta(0)


def test_old_numeric_author_ids_are_understood(take):
    assert [item.role for item in take(chat({**TALK[0], "from_id": 7}, {**TALK[1], "from_id": 5})).messages] == [
        Role.USER,
        Role.OTHER,
    ]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"id": None}, "field 'id' must be a whole number"),
        ({"date": "in May"}, "field 'date' must be a time"),
        ({"date": None, "date_unixtime": None}, "field 'date' is missing"),
        ({"date_unixtime": "99999999999999"}, "field 'date' must be a time"),
        ({"text": 5}, "field 'text' must be a string or an array"),
        ({"text": ["a", 5]}, "field 'text' must be a string or an array"),
        ({"from": 5}, "field 'from' must be a string"),
    ],
)
def test_a_bad_message_is_named_and_the_rest_goes_in(take, changes, reason):
    taken = take(account(chat(message(1), {**message(2), **changes}, message(3))))
    assert [item.id for item in taken.messages] == ["1", "3"]
    assert taken.bad[0].place == "chats.list[0].messages[1]"
    assert taken.bad[0].reason.startswith(reason)


def test_invalid_utf8_spoils_one_message(take):
    raw = json.dumps(chat(message(1), message(2, text="XXXX"), message(3))).encode().replace(b"XXXX", b"\xff\xfe")
    taken = take(raw)
    assert [item.id for item in taken.messages] == ["1", "3"]
    assert taken.bad[0].place == "messages[1]"


def test_a_chat_without_an_id_is_named_once_among_several_and_refused_alone(take):
    taken = take(account(chat(*TALK, number=None), chat(*TALK)))
    assert [bad.place for bad in taken.bad] == ["chats.list[0]"]
    assert len(taken.messages) == 2
    with pytest.raises(UnreadableFile, match="'id'"):
        take(chat(*TALK, number=None))


def test_a_late_cut_keeps_what_was_whole(take):
    taken = take(json.dumps(chat(*TALK)).encode()[:-30])
    assert [item.id for item in taken.messages] == ["1"]
    assert taken.bad[0].place == "messages[1]"


def test_fields_after_the_messages_are_found(take):
    turned = dict(reversed(chat(*TALK).items()))
    assert take(turned).messages == take(chat(*TALK)).messages
