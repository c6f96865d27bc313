"""``selfimprint forget``: a topic taken out of everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from selfimprint.cli.options import HomeOption, JsonOption, SetOption, UserOption, opened
from selfimprint.cli.output import Screen, counted, one_line
from selfimprint.cli.receipts import ApplyOption, OperatorOption, known_operator, tell

BREATH = 2
"""Messages before and after one, of which a list also tells what it leaves."""
BESIDE_SHOWN = 20

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory_lib.bootstrap import Memory
    from memory_lib.domain.ids import UserId
    from memory_lib.domain.receipt import Receipt


def forget(  # noqa: PLR0913 - each is an option of the command line
    context: typer.Context,
    *,
    user: UserOption,
    topic: Annotated[str | None, typer.Argument(metavar="TOPIC", help="What to forget, in words of either language.")] = None,
    request: Annotated[
        str | None, typer.Option("--request", metavar="ID", help="Take exactly what a former dry run listed.")
    ] = None,
    apply: ApplyOption = False,
    operator: OperatorOption = "",
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Forget a topic: its memories, and the words of the messages that said it.

    A dry run lists exactly what would go; --apply --request takes that list. There is no way back. What was said before stays
    forgotten if it is imported again; what is said from now on is heard.
    """
    from memory_lib.errors import InvalidInput  # noqa: PLC0415 - half a second that --help does not need
    from memory_lib.operations.bench import Asked  # noqa: PLC0415
    from memory_lib.operations.forget import OPERATION, TOPIC  # noqa: PLC0415
    from memory_lib.operations.forget import forget as operation  # noqa: PLC0415
    from memory_lib.ports.requests import RequestState  # noqa: PLC0415

    if (topic is None) == (request is None):
        raise InvalidInput('say what to forget, either "TOPIC" or --request ID of a dry run')
    screen = Screen(as_json)
    with opened(context, home, settings=settings, reading=True) as memory:
        if apply:
            known_operator(memory, operator)
        ident, bench = memory.user_id(user), memory.ops
        if request is None:
            now = bench.work.clock.now()
            said = {TOPIC: topic}
            asked = bench.requests.ask(ident, OPERATION, now=now, state=RequestState.PLANNED, payload=said, operator=operator)
            request = asked.id
        with screen.working() as work:
            receipt = operation(
                bench,
                ident,
                Asked(apply=apply, operator=operator, request=request),
                lambda count: work.advance("forget", count, unit="pieces", total=None),
            )
        listed = {} if receipt.applied else _listed(memory, ident, receipt)
    if as_json and receipt.refused is None:
        screen.give({**receipt.record(), "list": listed})
        return
    for node in listed.get("nodes", ()):
        screen.line(f"{node['type'].replace('_', ' ')}  {one_line(node['content'])}", indent=2)
    if listed.get("quotes"):
        screen.line(f"and these words of {counted(len(receipt.ids['messages']), 'message')}:")
    for quote in listed.get("quotes", ()):
        screen.line(one_line(quote["quote"]), indent=2)
    if listed.get("beside"):
        screen.line("Said beside it, and not taken; where it belongs to the topic, list it in other words:", "dim")
    for node in listed.get("beside", ())[:BESIDE_SHOWN]:
        screen.line(f"{node['type'].replace('_', ' ')}  {one_line(node['content'])}", "dim", indent=2)
    named = receipt.ids["request"][0]
    tell(
        receipt,
        screen,
        done="Forgotten.",
        would=f"Nothing has changed; this takes exactly that: selfimprint forget --user {user} --request {named} --apply",
    )


def _listed(memory: Memory, user: UserId, receipt: Receipt) -> dict[str, Any]:
    """The list with its words, opened for whoever reads the screen."""
    from memory_lib.domain.candidates import NodeType  # noqa: PLC0415 - half a second that --help does not need

    stored = memory.bench.reader.load(user)
    messages = memory.bench.log.messages(user, receipt.ids["messages"])  # type: ignore[arg-type]

    def shown(kind: str) -> list[dict[str, str]]:
        found = [stored.nodes[ident] for ident in receipt.ids[kind] if ident in stored.nodes]  # type: ignore[index]
        return [{"id": node.id, "type": node.type.value, "content": node.content} for node in found]

    quotes = []
    for span in receipt.ids["spans"]:
        message, _, place = span.partition(":")
        start, end = (int(number) for number in place.split("-"))
        quotes.append({"message": message, "start": start, "end": end, "quote": messages[message].text[start:end]})  # type: ignore[index]
    taken = {*receipt.ids["nodes"], *receipt.ids["ended"]}
    beside = _beside(memory, user, receipt.ids["messages"])
    left = [
        node
        for node in stored.nodes.values()
        if node.id not in taken
        and node.type is not NodeType.PERSON
        and any(proof.span.message in beside for proof in node.proofs)
    ]
    left.sort(key=lambda node: (node.proofs[0].at_us, node.id))
    told = [{"id": node.id, "type": node.type.value, "content": node.content} for node in left]
    return {"nodes": shown("nodes"), "ended": shown("ended"), "quotes": quotes, "beside": told}


def _beside(memory: Memory, user: UserId, messages: Sequence[str]) -> frozenset[str]:
    """These messages, and those within two of them in the same session: what was said in one breath with a topic."""
    refs, wanted = memory.bench.log.refs(user), set(messages)
    sessions: dict[tuple[str, str | None], list[str]] = {}
    for ref in refs:
        sessions.setdefault((ref.conversation, ref.session), []).append(ref.id)
    return frozenset(
        other
        for said in sessions.values()
        for place, message in enumerate(said)
        if message in wanted
        for other in said[max(0, place - BREATH) : place + BREATH + 1]
    )
