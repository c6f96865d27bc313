"""Whether a copy of a person's graph is the original: what is looked at before the original goes."""

from __future__ import annotations

import numpy as np

from memory_lib.ports.graph import WholeGraph


def differing(original: WholeGraph, copy: WholeGraph, *, vectors_within: float) -> tuple[str, ...]:
    """The names of the parts that differ; () where the copy holds the same.

    Everything is compared to the last field (equal nodes and edges have an equal graph hash), except what a store gives anew:
    the epoch and the numbers of outbox entries, whose order counts. Vectors may be off by ``vectors_within`` in a component, as
    half precision in files and the turning of vectors make them.
    """
    found = [
        name
        for name in ("fingerprint", "dimension", "nodes", "edges", "acts", "renames", "write_keys")
        if _plain(original, name) != _plain(copy, name)
    ]
    if original.revision.n != copy.revision.n:
        found.append("revision")
    if _outbox(original) != _outbox(copy):
        found.append("outbox")
    if not _same_vectors(original, copy, vectors_within):
        found.append("vectors")
    return tuple(found)


def _plain(whole: WholeGraph, name: str) -> object:
    value = getattr(whole, name)
    if name == "acts":
        return sorted(value, key=lambda act: act.id)
    if name == "write_keys":
        return sorted(value, key=lambda applied: applied.key)
    return dict(value) if name in ("nodes", "edges", "renames") else value


def _outbox(whole: WholeGraph) -> list[object]:
    ordered = sorted(whole.outbox, key=lambda entry: entry.seq)
    return [(entry.write_key, entry.position, entry.recorded_at, entry.action) for entry in ordered]


def _same_vectors(original: WholeGraph, copy: WholeGraph, within: float) -> bool:
    if original.vectors.keys() != copy.vectors.keys():
        return False
    if not original.vectors:
        return True
    names = sorted(original.vectors)
    ours = np.stack([original.vectors[name] for name in names])
    theirs = np.stack([copy.vectors[name] for name in names])
    return ours.shape == theirs.shape and bool(np.abs(ours - theirs).max(initial=0.0) <= within)
