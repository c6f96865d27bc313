"""The flow ``rotate_keys`` (DESIGN §5, ops): a person's records are sealed under a new key."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas import State

from flows.operate import DryRun, Operator, Person, operate


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="rotate_keys", persist_result=False, validate_parameters=False)
async def rotate_keys(
    user: Person,
    dry_run: DryRun = True,  # noqa: FBT002 - a box in a form
    operator: Operator = "",
) -> State[None]:
    """Everything is sealed anew, the old key is destroyed last. Goes on where it was stopped.

    Args:
        user: Whose; an internal id, 32 hex digits, never a name.
        dry_run: Only list what would change; switch it off to do it.
        operator: Who asks, by the name that this deployment gives operators.
    """
    return await operate("rotate-keys", user, dry_run=dry_run, operator=operator)
