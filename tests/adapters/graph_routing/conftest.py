"""A household over a ledger whose tables were made once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_lib.domain.ids import UserId
from tests.adapters.graph_routing.household import Household
from tests.contracts.ledger_backends import BACKENDS, keys_of


@pytest.fixture(scope="session")
def fresh_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("fresh")
    keyring, sealer = keys_of(place)
    BACKENDS["sqlite"].open(place, sealer, keyring).close()
    return place


@pytest.fixture
def home(fresh_ledger: Path, tmp_path: Path) -> Path:
    place = tmp_path / "home"
    shutil.copytree(fresh_ledger, place)
    return place


@pytest.fixture
def open_household(home: Path) -> Iterator[Callable[..., Household]]:
    """Another one over the same people, as another process would open it; closed at the end."""
    opened: list[Household] = []

    def another(**options: Any) -> Household:
        opened.append(Household(home, **options))
        return opened[-1]

    yield another
    for each in opened:
        each.close()


@pytest.fixture
def household(open_household: Callable[..., Household]) -> Household:
    return open_household()


@pytest.fixture
def anna(household: Household) -> UserId:
    """Who said something, and is remembered in the first store."""
    user = household.person()
    household.says(user, "Я живу в Туле.", "I run a small bakery.")
    household.ledger.placements.assign(user, "main")
    household.remembers(user, "a", "b", "c")
    return user
