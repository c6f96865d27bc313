"""The flow ``move_shard`` (DESIGN §5, ops): a person's graph moves to another store or tier."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas import State

from flows.operate import Code, DryRun, Operator, Person, operate


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="move_shard", persist_result=False, validate_parameters=False)
async def move_shard(
    user: Person,
    to: Code,
    dry_run: DryRun = True,  # noqa: FBT002 - a box in a form
    operator: Operator = "",
) -> State[None]:
    """Copied, compared, switched, then taken away where it was.

    Args:
        user: Whose; an internal id, 32 hex digits, never a name.
        to: hot, warm, cold, or shard:NAME.
        dry_run: Only list what would change; switch it off to do it.
        operator: Who asks, by the name that this deployment gives operators.
    """
    return await operate("move", user, dry_run=dry_run, operator=operator, options={"to": to})
