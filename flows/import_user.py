"""The flow ``import_user`` (DESIGN §5, ops): a person's exported memory comes back."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas import State

from flows.operate import DryRun, Operator, Person, RequestId, operate


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="import_user", persist_result=False, validate_parameters=False)
async def import_user(
    user: Person,
    request: RequestId,
    dry_run: DryRun = True,  # noqa: FBT002 - a box in a form
    operator: Operator = "",
) -> State[None]:
    """Takes the ZIP that a request names, for somebody whom this home knows, as after an import that was cut short. Newcomers
    have no request yet: selfimprint import-user takes them in.

    Args:
        user: Whose; an internal id, 32 hex digits, never a name.
        request: The request that holds the file's name and key.
        dry_run: Only list what would change; switch it off to do it.
        operator: Who asks, by the name that this deployment gives operators.
    """
    return await operate("import-user", user, dry_run=dry_run, operator=operator, request=request)
