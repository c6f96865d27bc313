"""One operation on one person as a flow run: a task, and its receipt as an artifact (DESIGN §5, ops)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from prefect.artifacts import acreate_table_artifact
from prefect.client.schemas import State
from prefect.states import Completed, Failed
from pydantic import Field

from memory_lib.errors import SelfImprintError
from tasks import runtime
from tasks.operation_task import perform
from tasks.runtime import CODE, INTERNAL_ID, OPERATOR

Person = Annotated[str, Field(pattern=INTERNAL_ID, description="Internal id, 32 hex digits; never a name.")]
DryRun = Annotated[bool, Field(description="Only list what would change. Switch it off to do it.")]
Operator = Annotated[str, Field(pattern=OPERATOR, description="Who asks, by the name that this deployment gives operators.")]
RequestId = Annotated[
    str, Field(pattern=INTERNAL_ID, description="A request made on the command line; what it says is sealed there, never here.")
]
MaybeRequestId = Annotated[
    str, Field(pattern=rf"^$|{INTERNAL_ID}", description="A request made on the command line, or nothing.")
]
Code = Annotated[str, Field(pattern=CODE)]

SHOWN = 1000
"""Rows of an artifact at most."""


async def operate(
    operation: str,
    user: str,
    *,
    dry_run: bool,
    operator: str = "",
    request: str | None = None,
    options: Mapping[str, str] | None = None,
) -> State[None]:
    """The operation's task, its receipt as the artifact ``<operation>-receipt``, and the state that the run ends in."""
    try:
        # before the task, whose name Prefect keeps
        runtime.user_id(user)
        if not dry_run:
            runtime.known_operator(operator)
        receipt = await perform(
            operation, user, apply=not dry_run, operator=operator, request=request or None, options=dict(options or {})
        )
    except SelfImprintError as error:
        return Failed(message=f"{type(error).__name__}: {error}")
    await publish(operation, receipt)
    if receipt["refused"] is not None:
        return Failed(message=f"{operation} was refused: {receipt['refused']}; the receipt says more")
    if dry_run:
        return Completed(message=f"{operation}: a dry run, nothing has changed; the receipt lists what would")
    return Completed(message=f"{operation} is done; receipt {receipt['id'] or 'without a number'}")


async def publish(operation: str, receipt: Mapping[str, Any]) -> None:
    """The receipt as a table: a row a figure, then a row an id."""
    head = ("id", "operation", "applied", "at", "user", "batch", "refused", "signature", "key")
    rows: list[dict[str, str | int | float]] = [
        {"part": "receipt", "what": name, "value": str(receipt[name])} for name in head if receipt[name] not in (None, "")
    ]
    # a long note in the middle column would push every figure off the page
    rows += [{"part": "note", "what": "", "value": note} for note in receipt["notes"]]
    rows += [
        {"part": part, "what": what, "value": count}
        for part, counts in receipt["counts"].items()
        for what, count in counts.items()
    ]
    rows += [{"part": "seconds", "what": stage, "value": round(took, 3)} for stage, took in receipt["seconds"].items()]
    listed = [{"part": kind, "what": "id", "value": ident} for kind, ids in receipt["ids"].items() for ident in ids]
    told = "what was done" if receipt["applied"] else "a dry run: what would be done"
    left_out = f"; {len(listed) - SHOWN} more ids are not shown" if len(listed) > SHOWN else ""
    await acreate_table_artifact(
        key=f"{operation}-receipt",
        table=[*rows, *listed[:SHOWN]],
        description=f"{operation}: {told}, in ids and numbers{left_out}",
    )
