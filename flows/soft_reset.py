"""The flow ``soft_reset`` (DESIGN §5, ops): all but pinned facts and the last month is put aside."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas import State

from flows.operate import DryRun, Operator, Person, operate


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="soft_reset", persist_result=False, validate_parameters=False)
async def soft_reset(
    user: Person,
    dry_run: DryRun = True,  # noqa: FBT002 - a box in a form
    operator: Operator = "",
) -> State[None]:
    """Pinned facts and the last 30 days stay, the rest is archived; `undo` takes it back for 30 days.

    Args:
        user: Whose; an internal id, 32 hex digits, never a name.
        dry_run: Only list what would change; switch it off to do it.
        operator: Who asks, by the name that this deployment gives operators.
    """
    return await operate("reset", user, dry_run=dry_run, operator=operator)
