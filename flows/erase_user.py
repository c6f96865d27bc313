"""The flow ``erase_user`` (DESIGN §5, ops): everything of a person goes, and a signed receipt says so.

What is not a dry run pauses until somebody types the beginning of the person's internal id; where the deployment names its
operators, that somebody is another one than who asked.
"""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas import State
from prefect.flow_runs import apause_flow_run
from prefect.input import RunInput
from prefect.states import Failed
from pydantic import Field

from flows.operate import DryRun, Operator, Person, operate
from memory_lib.errors import SelfImprintError
from tasks import runtime

DIGITS = 8
"""Of the internal id, to be typed."""
WAIT_S = 24 * 3600


class Confirmation(RunInput):
    """What is asked before anything goes."""

    first_digits: str = Field(pattern=rf"^[0-9a-f]{{{DIGITS}}}$", description="The first 8 digits of the person's internal id.")
    operator: Operator = ""


# A wrong value is refused inside, by a sentence that does not repeat it; Prefect's own check would store it.
@flow(name="erase_user", persist_result=False, validate_parameters=False)
async def erase_user(
    user: Person,
    dry_run: DryRun = True,  # noqa: FBT002 - a box in a form
    operator: Operator = "",
) -> State[None]:
    """The key is destroyed, every store emptied and searched, a signed receipt kept. There is no way back.

    Args:
        user: Whose; an internal id, 32 hex digits, never a name.
        dry_run: Only count what would go; switch it off to do it.
        operator: Who asks, by the name that this deployment gives operators.
    """
    try:
        runtime.user_id(user)
        if not dry_run:
            runtime.known_operator(operator)
            given = await apause_flow_run(wait_for_input=Confirmation, timeout=WAIT_S, poll_interval=2)
            if given.first_digits != user[:DIGITS]:
                return Failed(message="not confirmed: the digits are not those of this person; nothing has changed")
            runtime.other_operator(operator, given.operator)
    except SelfImprintError as error:
        return Failed(message=f"{type(error).__name__}: {error}")
    return await operate("erase", user, dry_run=dry_run, operator=operator)
