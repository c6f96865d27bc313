from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_lib.domain.candidates import NodeType
from memory_lib.policies.audience import (
    EVERYBODY,
    PSYCHOLOGICAL,
    AgentsParams,
    audience_of,
    in_scope,
    readable,
    same_audience,
    strictest,
)
from memory_lib.settings import Settings

PRIVATE = AgentsParams(private=("тренер", "coach"))

audiences = st.lists(st.sampled_from(["anna", "борис", "coach"]), max_size=3, unique=True).map(
    lambda names: tuple(sorted(names)) if names else EVERYBODY
)


def test_what_is_said_to_an_ordinary_agent_is_for_everybody():
    assert audience_of("calendar", params=PRIVATE) == EVERYBODY
    assert audience_of(None, params=PRIVATE) == EVERYBODY
    assert audience_of("coach", params=Settings.model_fields["agents"].default) == EVERYBODY


@pytest.mark.parametrize("agent", ["тренер", "coach"])
def test_what_is_said_to_a_private_agent_stays_with_it(agent):
    audience = audience_of(agent, params=PRIVATE)
    assert audience == (agent,)
    assert readable(audience, agent)
    assert not readable(audience, "calendar")


def test_a_nameless_agent_reads_only_what_everybody_may():
    assert readable(EVERYBODY, None)
    assert not readable(("coach",), None)


def test_an_agent_called_star_is_nobody_special():
    assert not readable(("coach",), "*")


def test_something_derived_is_for_those_who_may_read_every_source():
    assert strictest([EVERYBODY, EVERYBODY]) == EVERYBODY
    assert strictest([EVERYBODY, ("coach",)]) == ("coach",)
    assert strictest([("anna", "coach"), ("coach", "борис")]) == ("coach",)
    assert strictest([("coach",), ("тренер",)]) == ()
    assert strictest([]) == EVERYBODY


@given(st.lists(audiences, max_size=4), st.sampled_from(["anna", "борис", "coach", "calendar", None]))
def test_the_strictest_audience_reads_exactly_what_it_may_read_of_each_source(sources, agent):
    assert readable(strictest(sources), agent) == all(readable(source, agent) for source in sources)


def test_attach_and_merge_do_not_cross_audiences():
    assert same_audience(("a", "b"), ("b", "a"))
    assert not same_audience(EVERYBODY, ("a",))


@pytest.mark.parametrize("node_type", list(NodeType))
def test_only_emotional_notes_need_the_psychological_scope(node_type):
    assert in_scope(node_type, [PSYCHOLOGICAL])
    assert in_scope(node_type, []) == (node_type is not NodeType.EMOTIONAL_NOTE)
