"""The flow ``export_user`` (DESIGN §5, ops): a person's memory as one file for them."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas import State

from flows.operate import DryRun, Operator, Person, operate


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="export_user", persist_result=False, validate_parameters=False)
async def export_user(
    user: Person,
    dry_run: DryRun = True,  # noqa: FBT002 - a box in a form
    operator: Operator = "",
) -> State[None]:
    """Writes a ZIP into the home's exports folder; its key is handed out on the command line only.

    Args:
        user: Whose; an internal id, 32 hex digits, never a name.
        dry_run: Only list what would change; switch it off to do it.
        operator: Who asks, by the name that this deployment gives operators.
    """
    return await operate("export", user, dry_run=dry_run, operator=operator)
