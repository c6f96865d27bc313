"""``selfimprint rotate-keys``: a person's records under a new key, the old one destroyed."""

from __future__ import annotations

import typer

from selfimprint.cli.options import HomeOption, JsonOption, SetOption, UserOption, opened
from selfimprint.cli.output import Screen
from selfimprint.cli.receipts import ApplyOption, OperatorOption, known_operator, tell


def rotate_keys(
    context: typer.Context,
    *,
    user: UserOption,
    apply: ApplyOption = False,
    operator: OperatorOption = "",
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Seal everything of a person under a new key, then destroy the old one.

    Reading and writing go on meanwhile. Stopped at any moment, it goes on from there when it is started again.
    """
    from memory_lib.operations.bench import Asked  # noqa: PLC0415 - half a second that --help does not need
    from memory_lib.operations.rotate_keys import rotate_keys as rotated  # noqa: PLC0415

    screen = Screen(as_json)
    with opened(context, home, settings=settings, reading=True) as memory:
        if apply:
            known_operator(memory, operator)
        asked = Asked(apply=apply, operator=operator)
        with screen.working() as work:
            receipt = rotated(
                memory.ops,
                memory.user_id(user),
                asked,
                lambda count: work.advance("sealing", count, unit="envelopes", total=None),
            )
    keys = receipt.counts["keys"]
    done = f"Everything is sealed under key {keys['generation']}, the old key is destroyed. Receipt {receipt.id}."
    would = f"Key {keys['generation']} is in use; nothing has changed. --apply seals everything under a new one."
    if "rotation_under_way" in receipt.notes:
        would = f"Key {keys['generation']} is in use; nothing has changed. --apply seals what is left under it."
    tell(receipt, screen, done=done, would=would)
