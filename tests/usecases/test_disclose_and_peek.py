"""Looking at somebody's words, and handing some of them out: always for a reason, on record first, and no word more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory_lib.bootstrap import Memory
from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.errors import InvalidInput, UnknownMessage, UnknownNode, UnknownUser
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.operations.disclose import carried_out, disclose, planned
from memory_lib.operations.peek import peek
from memory_lib.ports.requests import RequestState
from memory_lib.usecases.disclose import Basis, Order
from tests.e2e.erasing import opened

WHO = "Вера"
REASON = "жалоба-Сиреневцев"


def nothing(_count: int) -> None:
    """No progress."""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Memory, OpsBench]]:
    with opened(tmp_path_factory.mktemp("disclose") / "home") as (memory, ops):
        memory.add(
            WHO,
            [
                {"id": "1", "role": "user", "text": "Я живу в Омске.", "time": "2026-05-01T10:00:00+06:00"},
                {"id": "2", "role": "user", "text": "У меня аллергия на орехи.", "time": "2026-05-02T10:00:00+06:00"},
                {"id": "3", "role": "user", "text": "Сосед Глеб опять шумит.", "time": "2026-05-03T10:00:00+06:00"},
            ],
        )
        yield memory, ops.bench


@pytest.fixture
def person(bench: tuple[Memory, OpsBench]) -> tuple[UserId, NodeId, MessageId, MessageId]:
    """Internal id, a node, the message that it rests on, another message."""
    memory, ops = bench
    user = memory.user_id(WHO)
    node = next(node for node in memory.show(WHO)["nodes"] if "Омск" in node["sources"][0]["quote"])
    message = node["sources"][0]["message"]
    other = next(ref.id for ref in ops.work.log.refs(user) if ref.id != message)
    return user, node["id"], message, other


def rows(ops: OpsBench, user: UserId) -> list[Any]:
    return list(ops.audit.rows(user=user))


def test_each_look_is_on_record_before_it_shows_something(bench, person) -> None:
    _, ops = bench
    user, node, message, _ = person
    before = len(rows(ops, user))
    shown = peek(ops, user, node=node, message=None, reason=REASON, operator="olga")
    assert shown.shown is not None
    assert shown.shown["id"] == node
    assert shown.shown["content"]
    said = peek(ops, user, node=None, message=message, reason=REASON, operator="olga")
    assert said.shown is not None
    assert said.shown["text"] == "Я живу в Омске."
    assert said.shown["user"] == WHO
    looks = rows(ops, user)[before:]
    assert [(row.act, row.operator, dict(row.details), row.reason) for row in looks] == [
        ("peek", "olga", {"node": node}, REASON),
        ("peek", "olga", {"message": message}, REASON),
    ]
    assert user not in looks[0].subject
    assert all(WHO not in json.dumps(each.receipt.record(), ensure_ascii=False) for each in (shown, said))


def test_a_look_that_cannot_be_put_on_record_shows_nothing(bench, person) -> None:
    _, ops = bench
    user, node, *_ = person

    class Full:
        def append(self, *_arguments: object, **_options: object) -> None:
            raise OSError("no space left")

    class Watched:
        def nodes(self, *_arguments: object) -> dict[str, object]:
            raise AssertionError("something was opened")

    deaf = replace(ops, audit=Full(), work=replace(ops.work, reader=Watched()))
    with pytest.raises(OSError, match="no space"):
        peek(deaf, user, node=node, message=None, reason=REASON, operator="olga")


def test_looking_for_what_is_not_there_leaves_a_row_too(bench, person) -> None:
    _, ops = bench
    user, *_ = person
    before = len(rows(ops, user))
    with pytest.raises(UnknownNode):
        peek(ops, user, node=NodeId("0" * 32), message=None, reason=REASON, operator="olga")
    with pytest.raises(UnknownMessage):
        peek(ops, user, node=None, message=MessageId("0" * 32), reason=REASON, operator="olga")
    assert len(rows(ops, user)) == before + 2


def test_a_look_needs_a_reason_one_thing_and_a_known_person(bench, person) -> None:
    _, ops = bench
    user, node, message, _ = person
    before = len(rows(ops, user))
    for wrong in ({"reason": " "}, {"message": message}, {"node": None}):
        given = {"node": node, "message": None, "reason": REASON, "operator": "olga", **wrong}
        with pytest.raises(InvalidInput):
            peek(ops, user, **given)
    with pytest.raises(UnknownUser):
        peek(ops, UserId("0" * 32), node=node, message=None, reason=REASON, operator="olga")
    assert len(rows(ops, user)) == before


def order(person: Any, **other: Any) -> Order:
    _, node, message, _ = person
    given: dict[str, Any] = {
        "basis": Basis.COURT_ORDER,
        "requester": "olga",
        "reviewer": "pavel",
        "nodes": (node,),
        "messages": (message,),
        "reference": REASON,
        **other,
    }
    return Order(**given)


def approve(ops: OpsBench, user: UserId, request: str, operator: str = "pavel", *, apply: bool = True) -> Any:
    return carried_out(ops, user, Asked(apply=apply, operator=operator, request=request))


def test_exactly_the_ordered_items_are_shown_and_the_person_is_told(bench, person) -> None:
    _, ops = bench
    user, node, message, other = person
    request, dry = planned(ops, user, order(person))
    assert request is not None
    assert (dry.applied, dry.refused) == (False, None)
    assert dry.ids == {"nodes": (node,), "messages": (message,)}
    assert ops.requests.one(user, request.id).state is RequestState.PLANNED
    before = len(rows(ops, user))
    assert approve(ops, user, request.id, apply=False).items is None
    assert len(rows(ops, user)) == before
    done = approve(ops, user, request.id)
    assert done.items is not None
    assert [each["id"] for each in done.items["nodes"]] == [node]
    assert [each["message"] for each in done.items["messages"]] == [message]
    (row,) = rows(ops, user)[before:]
    assert (row.act, row.operator, row.reason) == ("disclose", "olga", REASON)
    assert (row.details["basis"], row.details["reviewer"], row.details["nodes"]) == ("court_order", "pavel", node)
    (notice,) = done.receipt.ids["notice"]
    told = ops.requests.payload(user, notice)
    assert (told["what"], told["nodes"], told["messages"]) == ("disclose", [node], [message])
    assert ops.requests.one(user, notice).state is RequestState.WAITING
    assert ops.requests.one(user, request.id).state is RequestState.DONE
    assert other not in json.dumps(done.items)


def test_a_node_quotes_no_message_that_was_not_ordered(bench, person) -> None:
    _, ops = bench
    user, *_ = person
    request, _ = planned(ops, user, order(person, messages=()))
    assert request is not None
    items = approve(ops, user, request.id).items
    assert items is not None
    assert items["messages"] == []
    assert items["nodes"][0]["sources"] == []


@pytest.mark.parametrize(
    ("other", "refused"),
    [
        ({"reviewer": "olga"}, "reviewed_by_requester"),
        ({"reviewer": ""}, "not_reviewed"),
        ({"requester": ""}, "not_reviewed"),
    ],
)
def test_who_asks_cannot_review(bench, person, other: dict[str, str], refused: str) -> None:
    _, ops = bench
    user, *_ = person
    before = len(rows(ops, user))
    request, receipt = planned(ops, user, order(person, **other))
    assert request is None
    assert receipt.refused == refused
    assert len(rows(ops, user)) == before


def test_only_the_named_reviewer_approves(bench, person) -> None:
    _, ops = bench
    user, *_ = person
    request, _ = planned(ops, user, order(person))
    assert request is not None
    before = len(rows(ops, user))
    for operator in ("olga", "vadim", ""):
        done = approve(ops, user, request.id, operator)
        assert (done.receipt.refused, done.items) == ("other_reviewer", None)
    assert len(rows(ops, user)) == before
    receipt = disclose(ops, user, Asked(apply=True, operator="pavel", request=request.id), nothing)
    assert receipt.applied


def test_the_person_is_not_told_where_a_recorded_reason_forbids(bench, person) -> None:
    _, ops = bench
    user, *_ = person
    request, _ = planned(ops, user, order(person, not_telling="запрет суда"))
    assert request is not None
    notices = len(ops.requests.open(kind="notice", user=user))
    done = approve(ops, user, request.id)
    assert "person_is_not_told" in done.receipt.notes
    assert "notice" not in done.receipt.ids
    assert len(ops.requests.open(kind="notice", user=user)) == notices
    assert "запрет суда" in rows(ops, user)[-1].reason


def test_items_that_are_not_there_or_none_at_all_are_refused(bench, person) -> None:
    _, ops = bench
    user, *_ = person
    before = len(rows(ops, user))
    with pytest.raises(UnknownNode):
        planned(ops, user, order(person, nodes=(NodeId("0" * 32),)))
    with pytest.raises(UnknownMessage):
        planned(ops, user, order(person, messages=(MessageId("0" * 32),)))
    with pytest.raises(InvalidInput):
        planned(ops, user, order(person, nodes=(), messages=()))
    with pytest.raises(InvalidInput):
        carried_out(ops, user, Asked(apply=True, operator="pavel"))
    assert len(rows(ops, user)) == before


def test_what_was_ordered_lies_sealed(bench, tmp_path: Path) -> None:
    memory, _ = bench
    found = [path for path in memory.settings.home.rglob("*") if path.is_file() and REASON.encode() in path.read_bytes()]
    assert found == []
