"""The flow ``disclose`` (DESIGN §5, ops): a lawful request is answered with exactly what it asks for."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas import State

from flows.operate import DryRun, Operator, Person, RequestId, operate


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="disclose", persist_result=False, validate_parameters=False)
async def disclose(
    user: Person,
    request: RequestId,
    dry_run: DryRun = True,  # noqa: FBT002 - a box in a form
    operator: Operator = "",
) -> State[None]:
    """Shows exactly the items of the request, which names its basis and a reviewer other than the requester.

    Args:
        user: Whose; an internal id, 32 hex digits, never a name.
        request: The disclosure's request.
        dry_run: Only list what would change; switch it off to do it.
        operator: Who asks, by the name that this deployment gives operators.
    """
    return await operate("disclose", user, dry_run=dry_run, operator=operator, request=request)
