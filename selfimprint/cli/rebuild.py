"""``selfimprint rebuild``: a person's graph made again from what was said and done, and compared."""

from __future__ import annotations

import typer

from selfimprint.cli.options import HomeOption, JsonOption, UserOption, opened
from selfimprint.cli.output import Screen, counted

PLAN = "rebuild"


def rebuild(
    context: typer.Context,
    *,
    user: UserOption,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a person's graph again and compare.

    From the messages, what was read in them, and what the person did; both graph hashes are printed. Corrections stay.
    """
    screen = Screen(as_json)
    with opened(context, home, reading=True) as memory:
        ident = memory.user_id(user)
        before = memory.graph_hash(user)
        with screen.working() as work:
            run = memory.run(PLAN, [ident], progress=lambda step, count: work.advance(step, count, unit="pieces", total=None))
        after = memory.graph_hash(user)
        revision = memory.bench.reader.head(ident).revision
    (done,) = (piece.counts for piece in run.done if piece.step == PLAN)
    same = before == after
    if as_json:
        shape = {"before": before, "after": after, "same": same, "revision": [revision.epoch, revision.n]}
        screen.give({**shape, "nodes": done["nodes"], "edges": done["edges"], "faults": done["faults"]})
        return
    screen.line(f"before  {before}")
    screen.line(f"after   {after}")
    told = f"{counted(done['nodes'], 'memory', 'memories')}, {counted(done['edges'], 'link')}"
    screen.line(f"{'The same' if same else 'Different'}: {told}.", "" if same else "yellow")
    if done["faults"]:
        screen.line(f"{counted(done['faults'], 'part')} of it does not rest on anything said.", "red")
