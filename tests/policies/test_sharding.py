from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from memory_lib.errors import IllegalValue
from memory_lib.policies.sharding import ShardingParams, shard_for

EVEN = ShardingParams(shares={})
PEOPLE = [hashlib.blake2b(str(n).encode(), digest_size=16).hexdigest() for n in range(4000)]


def test_people_are_spread_evenly():
    found = Counter(shard_for(user, ("a", "b", "c", "d"), params=EVEN) for user in PEOPLE)
    assert all(900 < count < 1100 for count in found.values())
    assert len(found) == 4


def test_the_answer_depends_on_nobody_else_and_on_no_order():
    assert [shard_for(user, ("b", "a"), params=EVEN) for user in PEOPLE[:50]] == [
        shard_for(user, ("a", "b"), params=EVEN) for user in PEOPLE[:50]
    ]


def test_a_new_store_only_takes_people_and_moves_nobody_between_the_others():
    before = {user: shard_for(user, ("a", "b"), params=EVEN) for user in PEOPLE}
    after = {user: shard_for(user, ("a", "b", "c"), params=EVEN) for user in PEOPLE}
    moved = {user for user in PEOPLE if before[user] != after[user]}
    assert {after[user] for user in moved} == {"c"}
    assert 1150 < len(moved) < 1500


def test_a_larger_share_takes_more_and_none_takes_nobody():
    params = ShardingParams(shares={"big": 3.0, "emptied": 0.0})
    found = Counter(shard_for(user, ("big", "small", "emptied"), params=params) for user in PEOPLE)
    assert found["emptied"] == 0
    assert 2.6 < found["big"] / found["small"] < 3.5


@pytest.mark.parametrize("shares", [{"a": -1.0}, {"a": float("nan")}, {"a": float("inf")}])
def test_a_share_that_is_no_share_is_refused(shares: dict[str, float]):
    with pytest.raises(IllegalValue):
        ShardingParams(shares=shares)


def test_where_nobody_takes_people_it_says_so():
    with pytest.raises(IllegalValue, match=r"sharding\.shares"):
        shard_for(PEOPLE[0], ("a",), params=ShardingParams(shares={"a": 0.0}))
    with pytest.raises(IllegalValue):
        shard_for(PEOPLE[0], (), params=EVEN)
