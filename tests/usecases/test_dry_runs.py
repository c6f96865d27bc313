"""A dry run changes nothing, not even where a person's graph rests."""

from __future__ import annotations

import pytest

from memory_lib.domain.acts import ActKind
from memory_lib.domain.placement import Tier
from memory_lib.ports.person_mover import Destination
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import ENGLISH
from tests.usecases.operating import operated


@pytest.mark.parametrize("name", ["forget", "reset", "undo", "correct", "rebuild"])
def test_who_rests_in_files_goes_on_resting(open_home: OpenHome, name: str) -> None:
    memory = open_home()
    memory.add("p", ENGLISH)
    user = memory.user_id("p")
    first, node = (each["id"] for each in memory.show("p")["nodes"][:2])
    batch = memory.correct("p", first, ActKind.PIN).batch
    assert batch is not None
    options = {"undo": {"batch": batch}, "correct": {"node": node, "kind": "pin"}}.get(name, {})
    tiers = memory.bench.tiers
    assert tiers is not None
    tiers.mover.move(user, Destination(Tier.WARM))
    receipt = operated(memory, name, apply=False, said={"topic": "peanuts"} if name == "forget" else None, **options)
    assert not receipt.applied
    assert tiers.mover.where(user).tier is Tier.WARM
