"""The flow ``restore`` (DESIGN §5, ops): a person comes back from sealed files or a backup."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas import State

from flows.operate import DryRun, Operator, Person, RequestId, operate


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="restore", persist_result=False, validate_parameters=False)
async def restore(
    user: Person,
    request: RequestId,
    dry_run: DryRun = True,  # noqa: FBT002 - a box in a form
    operator: Operator = "",
) -> State[None]:
    """Adds what is missing and overwrites nothing newer. Somebody who was erased is never restored.

    Args:
        user: Whose; an internal id, 32 hex digits, never a name.
        request: The request that names the backup.
        dry_run: Only list what would change; switch it off to do it.
        operator: Who asks, by the name that this deployment gives operators.
    """
    return await operate("restore", user, dry_run=dry_run, operator=operator, request=request)
