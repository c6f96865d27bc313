"""What a new statement settles of what was left open: a task done, an answer come, a matter decided or dropped.

The statement says how it settles and by which words (``Update.settles``, ``Update.settled``); the open loops of the same
subject and audience that hold these words are looked for by stem. A loop is closed by two shared words; by one where the loop
was waiting for just that to arrive, where it is given up, or where hardly more words are in it. Of several the best one is
closed, and what fits as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memory_lib.domain.candidates import Candidate, EdgeType, Settling
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Node
from memory_lib.policies.formation.draft import Draft
from memory_lib.policies.formation.pointing import points
from memory_lib.policies.statement_words import akin

_US = 1_000_000
_WAITING = "open_loop.waiting"
_UNDECIDED = ("open_loop.undecided", "open_loop.deliberation")
_FEW = 2
"""Words of a loop of which one is enough ("call mum")."""


def settle_loops(draft: Draft, node: NodeId, candidate: Candidate, *, about: str) -> None:
    """Closes what the new ``node`` settles, and links it: the loop is over because of it."""
    how = candidate.update.settles
    if how is None:
        return
    fitting = list(_fitting(draft, candidate, how, about=about))
    if not fitting and how is Settling.DECIDED:
        fitting = list(_just_left_open(draft, about=about))
    best = max((score for score, _ in fitting), default=0)
    for score, loop in fitting:
        if score == best:
            rule = f"loop.{how.value}/1"
            draft.close(loop, node, valid_until=candidate.valid_from or draft.at.isoformat(), reason=f"settled_{how.value}")
            draft.link(
                node,
                loop,
                EdgeType.ASSOCIATED_WITH,
                candidate.confidence,
                candidate.start,
                candidate.end,
                rule,
            )


def _fitting(draft: Draft, candidate: Candidate, how: Settling, *, about: str) -> Iterator[tuple[int, NodeId]]:
    index = draft.graph.statements
    stems = index.stems(candidate.update.settled)
    graph = draft.graph
    held = {loop for stem in stems for loop in index.holding(stem, kin=True) & graph.loops.keys()}
    for loop, base in _open(draft, sorted(held | graph.pointing.keys(), key=lambda n: (graph.known[n].proofs[0].order, n))):
        what = index.words(base).stems - index.tasking
        words = what | _pointed_at(draft, loop, base)
        shared = sum(any(akin(word, stem) for stem in stems) for word in words)
        waiting = base.rule.startswith(_WAITING) and how in {Settling.ARRIVED, Settling.DONE}
        if base.about != about and not waiting:
            continue
        undecided = base.rule.startswith(_UNDECIDED) and how is Settling.DECIDED
        enough = 1 if waiting or undecided or how is Settling.DROPPED or len(what) <= _FEW else 2
        if shared >= enough:
            yield shared, loop


def _pointed_at(draft: Draft, loop: NodeId, base: Node) -> frozenset[str]:
    """As in "Тренер просит справку. Надо её добыть": what the loop's pronoun stands for was said right before it."""
    if not points(base.content):
        return frozenset()
    proof = draft.graph.known[loop].proofs[0]
    found: list[tuple[int, NodeId]] = []
    for other in draft.graph.by_message.get(proof.span.message, ()):
        span = draft.graph.known[other].proofs[0].span
        if span.message == proof.span.message and span.end <= proof.span.start:
            found.append((span.end, other))
    return draft.graph.statements.words(draft.base(max(found)[1])).stems if found else frozenset()


def _just_left_open(draft: Draft, *, about: str) -> Iterator[tuple[int, NodeId]]:
    """As in "I've decided": the matter left undecided last, while it is still fresh."""
    near = draft.unit.message.at_us - int(draft.graph.params.closing.near_s * _US)
    for loop, base in reversed(list(_open(draft, draft.graph.loops))):
        fresh = draft.graph.known[loop].proofs[-1].at_us >= near
        if fresh and base.about == about and base.rule.startswith(_UNDECIDED):
            yield 1, loop
            return


def _open(draft: Draft, loops: Iterable[NodeId]) -> Iterator[tuple[NodeId, Node]]:
    """Of these, what stands open for this audience and was not said by this very message."""
    for loop in loops:
        base = draft.base(loop)
        earlier = draft.graph.known[loop].proofs[0].span.message != draft.unit.message.id
        if base.closure is None and base.audience == draft.unit.audience and earlier:
            yield loop, base
