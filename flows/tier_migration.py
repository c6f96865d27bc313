"""The flow ``tier_migration`` (DESIGN §5): walks the plan of the same name."""

from __future__ import annotations

from typing import Annotated

from prefect import flow
from prefect.client.schemas import State
from pydantic import Field

from flows.walk import walk
from tasks import runtime
from tasks.runtime import INTERNAL_ID


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="tier_migration", persist_result=False, validate_parameters=False)
async def tier_migration(
    users: list[Annotated[str, Field(pattern=INTERNAL_ID)]] | None = None,
) -> State[None]:
    """Each person goes to the tier that their silence asks for: hot, warm or cold; yields to whoever writes.

    What killed writers of files left is taken away at the end.

    Args:
        users: Internal ids, 32 hex digits each; never names. None: everybody who is silent or back.
    """
    state = await walk("tier_migration", users)
    if users is None:
        await runtime.guarded(runtime.handle().memory.reap)
    return state
