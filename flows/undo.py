"""The flow ``undo`` (DESIGN §5, ops): a batch is taken back."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas import State

from flows.operate import Code, DryRun, Operator, Person, operate


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="undo", persist_result=False, validate_parameters=False)
async def undo(
    user: Person,
    batch: Code,
    dry_run: DryRun = True,  # noqa: FBT002 - a box in a form
    operator: Operator = "",
) -> State[None]:
    """Takes back what one batch did: a reset, a correction, a merge.

    Args:
        user: Whose; an internal id, 32 hex digits, never a name.
        batch: The batch, as its receipt names it.
        dry_run: Only list what would change; switch it off to do it.
        operator: Who asks, by the name that this deployment gives operators.
    """
    return await operate("undo", user, dry_run=dry_run, operator=operator, options={"batch": batch})
