"""``selfimprint erase``: everything of a person goes, for good."""

from __future__ import annotations

import typer

from selfimprint.cli.options import HomeOption, JsonOption, SetOption, UserOption, opened
from selfimprint.cli.output import Screen
from selfimprint.cli.receipts import ApplyOption, OperatorOption, known_operator, person, tell


def erase(
    context: typer.Context,
    *,
    user: UserOption,
    apply: ApplyOption = False,
    operator: OperatorOption = "",
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Erase a person: key, messages, memories, files, everything.

    There is no way back. The signed receipt names nobody. Stopped at any moment, it goes on from there when it is started
    again; who is no longer known by name is named by their internal id.
    """
    from memory_lib.operations.bench import Asked  # noqa: PLC0415 - half a second that --help does not need
    from memory_lib.operations.erase import erase as erased  # noqa: PLC0415

    screen = Screen(as_json)
    with opened(context, home, settings=settings, reading=True) as memory:
        if apply:
            known_operator(memory, operator)
        receipt = erased(memory.ops, person(memory, user), Asked(apply=apply, operator=operator), lambda _count: None)
    done = f"Erased. Receipt {receipt.id}."
    would = "Nothing has changed; --apply erases all of this for good."
    if not any(count for kinds in receipt.counts.values() for count in kinds.values()):
        would = "Nothing of this person is here."
    tell(receipt, screen, done=done, would=would)
