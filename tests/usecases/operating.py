"""Operations on an opened memory, as the command line asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_lib.bootstrap import Memory
from memory_lib.domain.receipt import Receipt
from memory_lib.operations import OPERATIONS
from memory_lib.operations.bench import Asked
from memory_lib.ports.requests import RequestState


def operated(
    memory: Memory,
    name: str,
    *,
    person: str = "p",
    apply: bool = True,
    said: Mapping[str, Any] | None = None,
    request: str | None = None,
    **options: str,
) -> Receipt:
    """Runs an operation; ``said`` is what its request holds."""
    user, bench = memory.user_id(person), memory.ops
    if said is not None:
        now = bench.work.clock.now()
        request = bench.requests.ask(user, name, now=now, state=RequestState.PLANNED, payload=said).id
    return OPERATIONS[name](bench, user, Asked(apply=apply, request=request, options=options), lambda _count: None)


def forgotten(memory: Memory, topic: str, *, person: str = "p") -> Receipt:
    """Listed, then applied by the id of the list."""
    listed = operated(memory, "forget", person=person, apply=False, said={"topic": topic})
    return operated(memory, "forget", person=person, request=listed.ids["request"][0])
