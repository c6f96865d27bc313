"""``selfimprint disclose``: a lawful request is answered with exactly what it asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memory_lib.errors import InvalidInput
from selfimprint.cli.new_files import write_new
from selfimprint.cli.options import HomeOption, JsonOption, UserOption, opened
from selfimprint.cli.output import Screen
from selfimprint.cli.peek import whole_id
from selfimprint.cli.receipts import REFUSED, ApplyOption, OperatorOption, known_operator, tell

if TYPE_CHECKING:
    from memory_lib.bootstrap import Memory
    from memory_lib.domain.ids import UserId
    from memory_lib.domain.receipt import Receipt
    from memory_lib.usecases.disclose import Order

BASES = "court_order|warrant|statute|subject_request|emergency"


def disclose(  # noqa: PLR0913 - each is an option of the command line
    context: typer.Context,
    *,
    user: UserOption,
    basis: Annotated[str | None, typer.Option("--basis", metavar=BASES, help="On what it rests.")] = None,
    reviewer: Annotated[
        str, typer.Option("--reviewer", metavar="NAME", help="Who looks at it and approves; another one than --operator.")
    ] = "",
    nodes: Annotated[
        list[str] | None, typer.Option("--node", metavar="ID", help="A memory to disclose; several times.")
    ] = None,
    messages: Annotated[
        list[str] | None, typer.Option("--message", metavar="ID", help="A message to disclose; several times.")
    ] = None,
    reference: Annotated[str, typer.Option("--reference", metavar="TEXT", help="Of the case; kept sealed.")] = "",
    not_telling: Annotated[
        str, typer.Option("--not-telling", metavar="TEXT", help="Why the person must not be told; kept sealed. Else they are.")
    ] = "",
    request: Annotated[
        str | None,
        typer.Option("--request", metavar="ID", help="What was asked for before; its reviewer approves with --apply."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the items there instead.")] = None,
    apply: ApplyOption = False,
    operator: OperatorOption = "",
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Disclose exactly named items, on a basis, reviewed by somebody else.

    Without --request it is asked for, listed, and kept for the reviewer, who approves with --request ID --operator THEM
    --apply. Where this deployment names no operators, one call with --apply does both. On record before anything is shown.
    """
    from memory_lib.operations.bench import Asked  # noqa: PLC0415 - half a second that --help does not need
    from memory_lib.operations.disclose import carried_out, planned  # noqa: PLC0415

    if (basis is None) is (request is None):
        raise InvalidInput(f"give either --basis ({BASES}) and what to disclose, or --request ID")
    if out is not None and out.exists():
        raise InvalidInput("the file to be written is there already; name another one with --out")
    screen = Screen(as_json)
    with opened(context, home, reading=True) as memory:
        known_operator(memory, operator)
        ident = memory.user_id(user)
        receipt: Receipt | None = None
        items: Mapping[str, Any] | None = None
        approver = operator
        if basis is not None:
            order = _order(memory, ident, basis, nodes, messages, operator, reviewer, (reference, not_telling))
            kept, receipt = planned(memory.ops, ident, order)
            request, approver = None if kept is None else kept.id, reviewer
            if request is not None and apply and memory.settings.operators:
                raise InvalidInput(f"the reviewer approves: selfimprint disclose --request {request} --operator NAME --apply")
        if receipt is None or (request is not None and apply):
            done = carried_out(memory.ops, ident, Asked(apply=apply, operator=approver, request=request))
            receipt, items = done.receipt, done.items
    if items is not None and out is not None:
        content = json.dumps(items, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
        write_new(out, content, todo="the items are on record as disclosed, name another file with --out")
        items = None
    _tell(receipt, user, request, items, screen)


def _tell(receipt: Receipt, user: str, request: str | None, items: Mapping[str, Any] | None, screen: Screen) -> None:
    if screen.as_json:
        screen.give({**receipt.record(), "request": request, **({} if items is None else {"items": items})})
        if receipt.refused is not None:
            raise typer.Exit(REFUSED)
        return
    if items is not None:
        screen.line(json.dumps(items, ensure_ascii=False, indent=2), wrap=False)
    for kind in ("nodes", "messages"):
        for each in receipt.ids.get(kind, ()):
            screen.line(f"{kind[:-1]} {each}", indent=2, wrap=False)
    approve = f"selfimprint disclose --user {user} --request {request} --operator NAME --apply"
    would = f"Nothing was disclosed; its reviewer approves: {approve}"
    tell(receipt, screen, done=f"Disclosed, audit row {', '.join(receipt.ids.get('audit', ()))}.", would=would)


def _order(
    memory: Memory,
    user: UserId,
    basis: str,
    nodes: list[str] | None,
    messages: list[str] | None,
    requester: str,
    reviewer: str,
    words: tuple[str, str],
) -> Order:
    from memory_lib.domain.ids import MessageId  # noqa: PLC0415
    from memory_lib.usecases.disclose import Basis, Order  # noqa: PLC0415

    if basis not in list(Basis):
        raise InvalidInput(f"a disclosure rests on one of {BASES}")
    reference, not_telling = words
    return Order(
        basis=Basis(basis),
        requester=requester,
        reviewer=reviewer,
        nodes=tuple(whole_id(memory, user, each) for each in nodes or ()),
        messages=tuple(MessageId(each.strip().lower()) for each in messages or ()),
        reference=reference,
        not_telling=not_telling,
    )
