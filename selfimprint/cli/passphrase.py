"""``selfimprint passphrase``: the keys of a home are protected by a passphrase, by another one, or by none."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memory_lib.errors import InvalidInput
from selfimprint.cli.options import HomeOption, home_of
from selfimprint.cli.output import Screen

NewOption = Annotated[
    Path | None, typer.Option("--new-file", metavar="FILE", help="The new passphrase; else it is asked for, twice.")
]
RemoveOption = Annotated[bool, typer.Option("--remove", help="No passphrase any more: the rights of the files protect them.")]


def passphrase(
    context: typer.Context, *, new_file: NewOption = None, remove: RemoveOption = False, home: HomeOption = None
) -> None:
    """Protect the keys of a home by a passphrase, change it, or take it away.

    The present one comes from the settings (SELFIMPRINT_KEYRING_PASSPHRASE or _FILE), else it is asked for where there is one.
    Nothing else may have the home open meanwhile. Stopped half-way, the same call goes on.
    """
    from memory_lib.bootstrap import passphrases  # noqa: PLC0415 - --help does without
    from memory_lib.settings import Settings  # noqa: PLC0415

    if remove and new_file is not None:
        raise InvalidInput("--remove and --new-file contradict each other; give one of them")
    settings = Settings.load(home=home_of(context, home))
    old = typer.prompt("The present passphrase", hide_input=True, err=True) if passphrases.must_ask(settings) else None
    new = None
    if new_file is not None:
        new = passphrases.read_passphrase(new_file)
    elif not remove:
        new = typer.prompt("The new passphrase", hide_input=True, confirmation_prompt=True, err=True)
    passphrases.change(settings, old=old, new=new)
    told = "No passphrase protects the keys any more." if new is None else "The keys open by the new passphrase from now on."
    Screen().line(f"{told} Backups of the keys folder made before open as they did.")
