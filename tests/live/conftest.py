from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.adapters.llm import small_model


@pytest.fixture(scope="session")
def address(require: Callable[[str], None]) -> Iterator[str]:
    """Where the small model listens; it stops with the session."""
    require("small_model")
    server = small_model.start()
    yield server.listening_address
    del server
