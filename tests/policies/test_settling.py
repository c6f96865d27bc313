"""What closes an open loop, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from memory_lib.domain.candidates import Candidate, EdgeType, NodeType, Settling, Update

from .formed import formed, said, unit


def loop(content: str, *, rule: str = "open_loop.task/1", **more: Any) -> Candidate:
    return said(content, type=NodeType.OPEN_LOOP, rule=rule, **more)


def told(content: str, how: Settling | None, *lemmas: str, **more: Any) -> Candidate:
    return said(content, type=NodeType.EVENT, rule="event.clause/1", update=Update(settles=how, settled=lemmas), **more)


def _closed(*units: Any) -> bool:
    state, _ = formed(*units)
    left = next(n for n in state.node_ids if state.base(n).type is NodeType.OPEN_LOOP)
    return state.base(left).closure is not None


@pytest.mark.parametrize(
    ("open_words", "rule", "words", "how", "lemmas"),
    [
        ("I still have to renew my licence", "task", "renewed the licence today", Settling.DONE, ("renew", "licence")),
        ("Надо вернуть перфоратор Лёне", "task", "Перфоратор Лёне вернул", Settling.DONE, ("перфоратор", "лёня", "вернуть")),
        ("Жду посылку из Риги", "waiting", "Посылка пришла", Settling.ARRIVED, ("посылка", "прийти")),
        ("Nora promised to send the pattern", "waiting", "She sent the pattern", Settling.ARRIVED, ("send", "pattern")),
        ("I can't decide whether to sell the mule", "undecided", "I'm keeping the mule", Settling.DECIDED, ("keep", "mule")),
        ("Надо добыть справку", "task", "Справка не нужна", Settling.DROPPED, ("справка", "нужный")),
        ("I need to call mum", "task", "called mum", Settling.DONE, ("call", "mum")),
    ],
)
def test_a_loop_is_closed_by_what_settles_it(
    open_words: str, rule: str, words: str, how: Settling, lemmas: tuple[str, ...]
) -> None:
    assert _closed(unit(1, loop(open_words, rule=f"open_loop.{rule}/1")), unit(2, told(words, how, *lemmas)))


@pytest.mark.parametrize(
    ("words", "how", "lemmas"),
    [
        ("renewed my library card", Settling.DONE, ("renew", "library", "card")),
        ("the licence is still missing", None, ()),
        ("Nora arrived", Settling.ARRIVED, ("nora", "arrive")),
    ],
)
def test_a_loop_stays_open_after_what_only_comes_near(words: str, how: Settling | None, lemmas: tuple[str, ...]) -> None:
    assert not _closed(unit(1, loop("I still have to renew my fishing licence")), unit(2, told(words, how, *lemmas)))


def test_a_matter_left_undecided_just_now_is_settled_by_a_bare_decision_and_an_old_one_is_not() -> None:
    undecided = loop("I can't decide about Oslo", rule="open_loop.undecided/1")
    bare = told("I've decided", Settling.DECIDED)
    assert _closed(unit(1, undecided, minutes=0), unit(2, bare, minutes=20))
    assert not _closed(unit(1, undecided, minutes=0), unit(2, bare, minutes=60 * 24 * 9))


def test_the_loop_is_linked_to_what_closed_it_and_the_log_says_why() -> None:
    state, outcomes = formed(
        unit(1, loop("I have to pay the fine")), unit(2, told("I paid the fine", Settling.DONE, "pay", "fine"))
    )
    task, done = state.node_ids
    (edge,) = [state.edge(e) for e in state.edge_ids]
    assert (edge.source, edge.target, edge.type) == (done, task, EdgeType.ASSOCIATED_WITH)
    assert ("close", "settled_done") in {(action.action, action.reason) for o in outcomes for action in o.actions}


def test_of_several_the_best_fitting_is_closed() -> None:
    state, _ = formed(
        unit(1, loop("I must write to the bank about the card")),
        unit(2, loop("I must write to the widow of the clockmaker")),
        unit(3, told("I wrote to the widow", Settling.DONE, "write", "widow")),
    )
    bank, widow, _ = state.node_ids
    assert state.base(bank).closure is None
    assert state.base(widow).closure is not None


def test_how_it_was_left_open_and_when_it_is_due_are_not_what_is_to_be_done() -> None:
    promise = loop("I promised her a scarf by Friday", rule="open_loop.promise/1")
    assert _closed(unit(1, promise), unit(2, told("Finished the scarf", Settling.DONE, "finish", "scarf")))
    assert not _closed(
        unit(1, promise), unit(2, told("I promised Bob a lift on Friday", Settling.DONE, "promise", "bob", "friday"))
    )
