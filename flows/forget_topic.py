"""The flow ``forget_topic`` (DESIGN §5, ops): what the person wants forgotten goes, and stays away."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas import State

from flows.operate import DryRun, Operator, Person, RequestId, operate


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="forget_topic", persist_result=False, validate_parameters=False)
async def forget_topic(
    user: Person,
    request: RequestId,
    dry_run: DryRun = True,  # noqa: FBT002 - a box in a form
    operator: Operator = "",
) -> State[None]:
    """Takes away exactly what the dry run of `selfimprint forget` listed; the topic itself is sealed in that request.

    Args:
        user: Whose; an internal id, 32 hex digits, never a name.
        request: The dry run's request.
        dry_run: Only list what would change; switch it off to do it.
        operator: Who asks, by the name that this deployment gives operators.
    """
    return await operate("forget", user, dry_run=dry_run, operator=operator, request=request)
