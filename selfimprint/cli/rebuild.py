"""``selfimprint rebuild``: a person's graph made again from what was said and done, and compared."""

from __future__ import annotations

import typer

from selfimprint.cli.options import HomeOption, JsonOption, UserOption, opened
from selfimprint.cli.output import Screen, counted
from selfimprint.cli.receipts import ApplyOption


def rebuild(
    context: typer.Context,
    *,
    user: UserOption,
    apply: ApplyOption = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a person's graph again and compare.

    From the messages, what was read in them, and what the person did; both graph hashes are printed. Corrections stay. Applied,
    what waits is formed first.
    """
    from memory_lib.operations.bench import Asked  # noqa: PLC0415 - half a second that --help does not need
    from memory_lib.operations.rebuild import rebuild as operation  # noqa: PLC0415

    screen = Screen(as_json)
    with opened(context, home, reading=True) as memory:
        ident = memory.user_id(user)
        with screen.working() as work:
            receipt = operation(
                memory.ops, ident, Asked(apply=apply), lambda count: work.advance("rebuild", count, unit="pieces", total=None)
            )
        revision = memory.bench.reader.head(ident).revision
    done = receipt.counts["graph"]
    hashes = dict(note.split(":") for note in receipt.notes if ":" in note)
    same = hashes["before"] == hashes["after"]
    if as_json:
        shape = {**hashes, "same": same, "applied": apply, "revision": [revision.epoch, revision.n]}
        screen.give({**shape, "nodes": done["nodes"], "edges": done["edges"], "faults": done["faults"]})
        return
    screen.line(f"before  {hashes['before']}")
    screen.line(f"after   {hashes['after']}")
    told = f"{counted(done['nodes'], 'memory', 'memories')}, {counted(done['edges'], 'link')}"
    screen.line(f"{'The same' if same else 'Different'}: {told}.", "" if same else "yellow")
    if done["faults"]:
        screen.line(f"{counted(done['faults'], 'part')} of it does not rest on anything said.", "red")
    if not apply:
        screen.line("Nothing has changed; --apply puts it in place of the stored graph.")
