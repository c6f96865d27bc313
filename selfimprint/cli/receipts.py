"""Receipts of operations, told to people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from selfimprint.cli.output import Screen

if TYPE_CHECKING:
    from memory_lib.bootstrap import Memory
    from memory_lib.domain.ids import UserId
    from memory_lib.domain.receipt import Receipt

ApplyOption = Annotated[bool, typer.Option("--apply", help="Do it. Without: list what would change, and change nothing.")]
OperatorOption = Annotated[
    str, typer.Option("--operator", metavar="NAME", help="Who asks, by the name that this deployment gives operators.")
]
REFUSED = 2

NOTES = {
    "key_backups_7_days": "Backups of the key store may open copies of these records for 7 days at most.",
    "backups_buried_on_open": "Other backups do not open any more, and are emptied of this person when one is put back.",
    "logs_stated": "Logs of the stores may hold sealed bytes until they are recycled; the counts named log_ say how much.",
    "rotation_under_way": "A rotation of the key was stopped half-way; selfimprint rotate-keys --apply goes on with it.",
    "already_here": "Exactly this person is here already; nothing was done.",
    "continued": "An import that was cut short was gone on with.",
    "graph_placed": "The memories come from the backup.",
    "graph_kept": "The memories that are here are as new as the backup's, and stay.",
    "graph_to_rebuild": "The memories are formed again from the messages.",
    "graph_rebuilt": "The memories were formed again from the messages.",
    "graph_copy_unreadable": "A copy of the memories does not open and was passed by.",
    "person_is_told": "The person is told.",
    "person_is_not_told": "The person is not told, for the reason on record.",
}
REFUSALS = {
    "nothing_named": "the topic names nothing in this person's memory; try other words",
    "erased": "this person was erased; nobody brings them back",
    "key_missing": "their data key is not here; put the key store back first",
    "not_in_backup": "the backup holds nothing of this person",
    "other_id_key": "this home makes other ids than the one the export came from; share the id key, or import messages.jsonl",
    "another_person_by_this_name": "somebody else goes by that name here; give another one with --as",
    "not_reviewed": "name who asks (--operator) and who reviews (--reviewer)",
    "reviewed_by_requester": "the reviewer must be another one than who asks",
    "other_reviewer": "only the reviewer that the request names can approve it",
}


def known_operator(memory: Memory, name: str) -> None:
    """Raises IllegalValue where this deployment names its operators and ``name`` is none of them."""
    from memory_lib.errors import IllegalValue  # noqa: PLC0415 - the library loads when a command runs

    named = memory.settings.operators
    if named and name not in named:
        raise IllegalValue("who asks is not among the operators that this deployment names (setting operators)")


def person(memory: Memory, given: str) -> UserId:
    """By their name, or (of somebody whom the ledger does not know any more) by their internal id. Raises UnknownUser."""
    from memory_lib.domain.ids import ID_BYTES, UserId  # noqa: PLC0415
    from memory_lib.errors import UnknownUser  # noqa: PLC0415

    try:
        return memory.user_id(given)
    except UnknownUser:
        digits = given.strip().lower()
        if len(digits) == 2 * ID_BYTES and set(digits) <= set("0123456789abcdef"):
            return UserId(digits)
        raise


def tell(receipt: Receipt, screen: Screen, *, done: str, would: str) -> None:
    """What it counts, and what the reader should know; ``done`` or ``would`` begins the last line. Raises Exit where it was
    refused.
    """
    if screen.as_json:
        screen.give(receipt.record())
    else:
        _tell_counts(receipt, screen)
        if receipt.refused is None:
            screen.line(done if receipt.applied else would, "green" if receipt.applied else "yellow")
    if receipt.refused is not None:
        if not screen.as_json:
            screen.line(f"Refused: {REFUSALS.get(receipt.refused, receipt.refused)}.", "red")
        raise typer.Exit(REFUSED)


def _tell_counts(receipt: Receipt, screen: Screen) -> None:
    for part, kinds in receipt.counts.items():
        told = ", ".join(f"{kind.replace('_', ' ')} {count:,}" for kind, count in kinds.items() if count)
        if told:
            screen.line(f"{part}: {told}", indent=2, hang=2)
    for note in receipt.notes:
        if note in NOTES:
            screen.line(NOTES[note], "dim")
    if receipt.user is not None and not receipt.applied and receipt.refused is None:
        screen.line(f"Internal id, which forms in the Prefect UI take: {receipt.user}", "dim")
