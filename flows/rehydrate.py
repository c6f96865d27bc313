"""The flow ``rehydrate`` (DESIGN §5): walks the plan of the same name."""

from __future__ import annotations

from typing import Annotated

from prefect import flow
from prefect.client.schemas import State
from pydantic import Field

from flows.walk import walk
from tasks.runtime import INTERNAL_ID


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="rehydrate", persist_result=False, validate_parameters=False)
async def rehydrate(
    users: list[Annotated[str, Field(pattern=INTERNAL_ID)]] | None = None,
) -> State[None]:
    """Who returned comes back from sealed files into a store.

    Args:
        users: Internal ids, 32 hex digits each; never names. None: everybody whose return was asked for.
    """
    return await walk("rehydrate", users)
