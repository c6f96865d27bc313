"""Which mentions weigh, and what one adds (DESIGN §4; CONTRACTS, Time and weight; seed §3.3 and §6, hostile users).

A mention adds a fixed step, never a reset to 1, so repeating a phrase cannot pump a node up. Which proofs weigh is a function
of all proofs of the node in event order, so a message that arrives late takes its place and those after it move down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from memory_lib.domain.ids import MessageId
from memory_lib.domain.node import Proof, ProofKind
from memory_lib.domain.time import local_date
from memory_lib.errors import IllegalValue


@dataclass(frozen=True, slots=True, kw_only=True)
class ReinforcementParams:
    """What a mention is worth.

    ``step``: added by a mention. ``daily_limit``: mentions of one node that weigh within one local date. ``repeat_seconds``:
    near-identical text within this time counts once; ``near_identical``: calibrated cosine from which text is
    near-identical; ``near_words``: share of words in common from which it is.
    """

    step: float
    daily_limit: int
    repeat_seconds: float
    near_identical: float
    near_words: float

    def __post_init__(self) -> None:
        if not (0.0 <= self.step <= 1.0 and self.daily_limit >= 0 and self.repeat_seconds >= 0.0):
            raise IllegalValue(
                "reinforcement: step must lie in 0..1, daily_limit and repeat_seconds be 0 or more; correct the setting"
            )


@dataclass(frozen=True, slots=True)
class Weighing:
    """A node's proofs in event order, ``weighed`` set on each; ``over_limit``: some local day saw more than may weigh."""

    proofs: tuple[Proof, ...]
    over_limit: bool


@dataclass(frozen=True, slots=True)
class Said:
    """What one message says, for comparison only: its event time and its words, folded in case and without punctuation."""

    at_us: int
    words: str


def reinforced(weight: float, *, params: ReinforcementParams) -> float:
    """The weight after one more mention: ``min(weight + step, 1)``."""
    return min(weight + params.step, 1.0)


def weigh(proofs: Iterable[Proof], *, params: ReinforcementParams) -> Weighing:
    """Decides for each proof of one node whether it weighs. The order given does not matter; applying it twice changes nothing.

    Does not weigh: the creating proof (the first one of kind ``CREATED``); a proof handed in with ``weighed`` False (an echo
    of recall, a repeat within a minute, not the person's words: only formation can tell); a second proof of the same message,
    the creating message included; the mentions of a local date beyond the daily limit. The date is that of the message's own
    offset. A later ``CREATED`` proof (two nodes made one) is a mention: had they been seen as one at once, it would have been
    attached.

    A day over the limit is flagged by any further mention on it, weighed or not.
    """
    ordered = sorted(proofs, key=_place)
    creator = next((proof for proof in ordered if proof.kind is ProofKind.CREATED), None)
    counted: set[MessageId] = set() if creator is None else {creator.span.message}
    mentions_a_day: Counter[date] = Counter()
    over_limit = False
    decided: list[Proof] = []
    for proof in ordered:
        weighs = False
        if proof.span.message not in counted:
            day = local_date(proof.at_us, proof.offset)
            within_limit = mentions_a_day[day] < params.daily_limit
            over_limit = over_limit or not within_limit
            weighs = proof.weighed and within_limit
            if weighs:
                counted.add(proof.span.message)
                mentions_a_day[day] += 1
        decided.append(proof if proof.weighed is weighs else replace(proof, weighed=weighs))
    return Weighing(tuple(decided), over_limit)


def _place(proof: Proof) -> tuple[int, str, int, int, bool, bool, str, str]:
    """Event order, made total, so that equal events fall the same way whatever order they came in."""
    return (*proof.order, proof.kind is not ProofKind.CREATED, not proof.weighed, proof.reasoner, proof.version)


def is_repeat(said: Said, earlier: Said, *, similarity: float | None, params: ReinforcementParams) -> bool:
    """Whether ``said`` only says again what ``earlier`` said, at most ``repeat_seconds`` before.

    Same words, nearly all of them, or a calibrated cosine of at least ``near_identical``; ``similarity`` None where there is
    none. Neither sees a negation: use it for what weighs, never for what is true.
    """
    gap_us = said.at_us - earlier.at_us
    if not 0 <= gap_us <= params.repeat_seconds * 1_000_000:
        return False
    if said.words == earlier.words or (similarity is not None and similarity >= params.near_identical):
        return True
    return _in_common(said.words, earlier.words) >= params.near_words


def _in_common(one: str, other: str) -> float:
    """Share of words that both have (Dice over words with their counts), 0..1."""
    words, others = Counter(one.split()), Counter(other.split())
    total = words.total() + others.total()
    return 2.0 * (words & others).total() / total if total else 0.0


def repeated(messages: Sequence[Said], *, params: ReinforcementParams) -> tuple[bool, ...]:
    """For each of the person's messages, in event order, whether it repeats word for word what was just said.

    Just: at most ``repeat_seconds`` before. What was said may itself be a repeat, so a phrase sent every few seconds for an
    hour counts once.
    """
    last_said: dict[str, int] = {}
    answers: list[bool] = []
    for said in messages:
        since_us = said.at_us - last_said.get(said.words, said.at_us + 1)
        answers.append(0 <= since_us <= params.repeat_seconds * 1_000_000)
        last_said[said.words] = said.at_us
    return tuple(answers)
