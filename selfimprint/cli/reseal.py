"""``selfimprint reseal``: a person's records in the present envelope, under the present key."""

from __future__ import annotations

import typer

from selfimprint.cli.options import HomeOption, JsonOption, SetOption, UserOption, opened
from selfimprint.cli.output import Screen
from selfimprint.cli.receipts import ApplyOption, OperatorOption, known_operator, tell


def reseal(
    context: typer.Context,
    *,
    user: UserOption,
    apply: ApplyOption = False,
    operator: OperatorOption = "",
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring a person's records to the present envelope version and key, after an upgrade.

    No key comes or goes. Stopped at any moment, it goes on from there when it is started again.
    """
    from memory_lib.operations.bench import Asked  # noqa: PLC0415 - half a second that --help does not need
    from memory_lib.operations.reseal import reseal as resealed  # noqa: PLC0415

    screen = Screen(as_json)
    with opened(context, home, settings=settings, reading=True) as memory:
        if apply:
            known_operator(memory, operator)
        asked = Asked(apply=apply, operator=operator)
        with screen.working() as work:
            receipt = resealed(
                memory.ops,
                memory.user_id(user),
                asked,
                lambda count: work.advance("sealing", count, unit="envelopes", total=None),
            )
    done = f"Every envelope is of the present version and key. Receipt {receipt.id}."
    tell(receipt, screen, done=done, would="Nothing has changed; --apply seals what is outdated anew.")
