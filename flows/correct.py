"""The flow ``correct`` (DESIGN §5, ops): a memory is pinned, unpinned, marked wrong or corrected."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas import State

from flows.operate import Code, DryRun, MaybeRequestId, Operator, Person, operate


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="correct", persist_result=False, validate_parameters=False)
async def correct(
    user: Person,
    node: Code,
    kind: Code,
    request: MaybeRequestId = "",
    dry_run: DryRun = True,  # noqa: FBT002 - a box in a form
    operator: Operator = "",
) -> State[None]:
    """The former value is closed, never overwritten. New words come through a request made on the command line.

    Args:
        user: Whose; an internal id, 32 hex digits, never a name.
        node: The memory's id.
        kind: pin, unpin, wrong or set.
        request: For set: the request that holds field and value.
        dry_run: Only list what would change; switch it off to do it.
        operator: Who asks, by the name that this deployment gives operators.
    """
    return await operate(
        "correct", user, dry_run=dry_run, operator=operator, request=request, options={"node": node, "kind": kind}
    )
