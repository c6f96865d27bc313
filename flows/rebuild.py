"""The flow ``rebuild`` (DESIGN §5): walks the plan of the same name."""

from __future__ import annotations

from typing import Annotated

from prefect import flow
from prefect.client.schemas import State
from pydantic import Field

from flows.walk import walk
from tasks.runtime import INTERNAL_ID


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="rebuild", persist_result=False, validate_parameters=False)
async def rebuild(
    users: list[Annotated[str, Field(pattern=INTERNAL_ID)]] | None = None,
) -> State[None]:
    """A graph is made again from the messages, what was read in them and the recorded acts, in a new epoch.

    Args:
        users: Internal ids, 32 hex digits each; never names. None: everybody.
    """
    return await walk("rebuild", users)
