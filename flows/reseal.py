"""The flow ``reseal`` (DESIGN §5, ops): a person's records are brought to the present envelope."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas import State

from flows.operate import DryRun, Operator, Person, operate


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="reseal", persist_result=False, validate_parameters=False)
async def reseal(
    user: Person,
    dry_run: DryRun = True,  # noqa: FBT002 - a box in a form
    operator: Operator = "",
) -> State[None]:
    """Envelopes of an older version or key are made anew; the key stays.

    Args:
        user: Whose; an internal id, 32 hex digits, never a name.
        dry_run: Only list what would change; switch it off to do it.
        operator: Who asks, by the name that this deployment gives operators.
    """
    return await operate("reseal", user, dry_run=dry_run, operator=operator)
