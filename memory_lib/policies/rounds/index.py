"""The rounds of one person as arrays: what is computed once, when the person is opened.

A round is a turn with the turn before it in its session, one vector a turn (DESIGN §4, Recall). The store's own mean vector is
subtracted here and the rest renormalised (CONTRACTS, Sealing and keys): raw cosines of the embedder sit in a narrow band, and
inside the whole formula the own mean is worth four points (RETRIEVAL §3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.ids import MessageId
from memory_lib.domain.message import Role
from memory_lib.errors import IllegalValue
from memory_lib.policies.rounds.bm25 import Bm25
from memory_lib.policies.rounds.params import Profile, ProfileParams, RoundParams


@dataclass(frozen=True, slots=True, eq=False)
class RoundEntry:
    """One turn. ``session``: any number that its session shares; ``position``: its place there (only the order counts).

    ``day``: the date on the person's wall. ``stems``: of speaker, text and caption (``turn_text``). ``vector``: of the round,
    raw, float32 (d,), or None where it is not embedded yet.
    """

    message: MessageId
    session: int
    position: int
    at_us: int
    day: date
    speaker: str | None
    role: Role
    stems: tuple[str, ...]
    vector: NDArray[np.float32] | None


@dataclass(frozen=True, slots=True, eq=False)
class RoundIndex:
    """n turns in (session, position) order. Arrays share that order; ``messages[i]`` is turn i.

    ``vectors`` float32 (n, d), centred unit rows, zero where ``embedded`` is False; ``mean`` float32 (d,) was subtracted.
    ``first``: bool (n,), the turn opens its session. ``session``: int (n,), 0..sessions-1, ascending. ``opens``: int
    (sessions,), the first turn of each. ``day``: proleptic ordinals. ``words``: BM25 over turns; ``round_words``: over turns
    with their predecessors.
    """

    messages: tuple[MessageId, ...]
    position: dict[MessageId, int]
    at_us: NDArray[np.int64]
    day: NDArray[np.int64]
    session: NDArray[np.int64]
    opens: NDArray[np.int64]
    first: NDArray[np.bool_]
    speakers: tuple[str, ...]
    speaker: NDArray[np.int64]
    user: NDArray[np.bool_]
    vectors: NDArray[np.float32]
    embedded: NDArray[np.bool_]
    mean: NDArray[np.float32]
    vocabulary: dict[str, int]
    words: Bm25
    round_words: Bm25
    profile: Profile

    def __len__(self) -> int:
        return len(self.messages)

    def before(self, turn: int) -> int | None:
        """The turn before it in its session."""
        return None if self.first[turn] else turn - 1

    def centred(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """A question's raw vector, moved as the rounds were."""
        moved: NDArray[np.float32] = _centred(vector[None, :].astype(np.float32), self.mean)[0]
        return moved


def profile_of(roles: Sequence[Role], *, params: RoundParams) -> Profile:
    """The profile the settings name, or for ``auto`` the one that the share of assistant turns decides (CONTRACTS)."""
    if params.profile is not Profile.AUTO:
        return params.profile
    spoken = sum(role in (Role.USER, Role.ASSISTANT, Role.OTHER) for role in roles)
    assistant = sum(role is Role.ASSISTANT for role in roles)
    return Profile.ASSISTANT if spoken and assistant >= params.assistant_share * spoken else Profile.PEOPLE


def weights_of(profile: Profile, *, params: RoundParams) -> ProfileParams:
    """The weights of one profile; of a profile still ``auto``, those of ``people``."""
    return params.assistant if profile is Profile.ASSISTANT else params.people


def build_round_index(
    entries: Sequence[RoundEntry], *, params: RoundParams, prior_mean: NDArray[np.float32] | None = None
) -> RoundIndex:
    """An index over ``entries`` in any order. 5,000 rounds take about 0.15 s.

    ``prior_mean``: the embedder's fixed mean; it counts as ``prior_weight`` rounds, so that a store of three rounds is not
    centred on itself.

    Raises:
        IllegalValue: vectors of different dimensions.
    """
    ordered = sorted(entries, key=lambda entry: (entry.session, entry.position, entry.at_us, entry.message))
    count = len(ordered)
    _, session = np.unique(np.fromiter((entry.session for entry in ordered), np.int64, count), return_inverse=True)
    session = session.astype(np.int64)
    first = np.ones(count, np.bool_)
    first[1:] = session[1:] != session[:-1]
    opens = np.flatnonzero(first)
    speakers = tuple(dict.fromkeys(entry.speaker for entry in ordered if entry.speaker))
    number = {name: place for place, name in enumerate(speakers)}
    vectors, embedded, mean = _vectors(ordered, prior_mean=prior_mean, prior_weight=params.prior_weight)
    profile = profile_of([entry.role for entry in ordered], params=params)
    weights = weights_of(profile, params=params)
    vocabulary, words, round_words = _word_indexes(ordered, first=first, weights=weights)
    return RoundIndex(
        messages=tuple(entry.message for entry in ordered),
        position={entry.message: turn for turn, entry in enumerate(ordered)},
        at_us=np.fromiter((entry.at_us for entry in ordered), np.int64, count),
        day=np.fromiter((entry.day.toordinal() for entry in ordered), np.int64, count),
        session=session,
        opens=opens,
        first=first,
        speakers=speakers,
        speaker=np.fromiter((number.get(entry.speaker or "", -1) for entry in ordered), np.int64, count),
        user=np.fromiter((entry.role is Role.USER for entry in ordered), np.bool_, count),
        vectors=vectors,
        embedded=embedded,
        mean=mean,
        vocabulary=vocabulary,
        words=words,
        round_words=round_words,
        profile=profile,
    )


def _vectors(
    entries: Sequence[RoundEntry], *, prior_mean: NDArray[np.float32] | None, prior_weight: float
) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.float32]]:
    given = [entry.vector for entry in entries if entry.vector is not None]
    dimensions = {len(vector) for vector in given}
    if len(dimensions) > 1:
        raise IllegalValue(f"round vectors of different dimensions {sorted(dimensions)}; run reembed for this person")
    dimension = dimensions.pop() if dimensions else 0
    embedded = np.fromiter((entry.vector is not None for entry in entries), np.bool_, len(entries))
    if not given:
        return np.zeros((len(entries), dimension), np.float32), embedded, np.zeros(dimension, np.float32)
    raw = np.stack(given).astype(np.float32, copy=False)
    mean = raw.mean(axis=0, dtype=np.float64)
    if prior_mean is not None and len(prior_mean) == dimension:
        mean = (mean * len(raw) + prior_mean.astype(np.float64) * prior_weight) / (len(raw) + prior_weight)
    mean = mean.astype(np.float32)
    raw = _centred(raw, mean)
    if len(raw) == len(entries):
        return raw, embedded, mean
    vectors = np.zeros((len(entries), dimension), np.float32)
    vectors[embedded] = raw
    return vectors, embedded, mean


def _word_indexes(
    entries: Sequence[RoundEntry], *, first: NDArray[np.bool_], weights: ProfileParams
) -> tuple[dict[str, int], Bm25, Bm25]:
    vocabulary: dict[str, int] = {}
    terms = np.array([vocabulary.setdefault(stem, len(vocabulary)) for entry in entries for stem in entry.stems], np.int64)
    lengths = np.fromiter((len(entry.stems) for entry in entries), np.int64, len(entries))
    turns = np.repeat(np.arange(len(entries), dtype=np.int64), lengths)
    size = {"count": len(entries), "vocabulary": len(vocabulary)}
    words = Bm25.build(terms, turns, **size, k1=weights.k1, b=weights.b)
    followed = np.zeros(len(entries), np.bool_)
    followed[:-1] = ~first[1:]
    passed_on = followed[turns] if len(entries) else np.zeros(0, np.bool_)
    round_terms = np.concatenate((terms, terms[passed_on]))
    round_turns = np.concatenate((turns, turns[passed_on] + 1))
    return vocabulary, words, Bm25.build(round_terms, round_turns, **size, k1=weights.k1, b=weights.b)


def _centred(vectors: NDArray[np.float32], mean: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows minus ``mean``, of length 1; a row of (nearly) nothing becomes nothing."""
    moved: NDArray[np.float32] = vectors - mean
    length = np.sqrt(np.einsum("ij,ij->i", moved, moved))
    moved *= np.where(length > 1e-6, 1.0 / np.maximum(length, 1e-6), 0.0).astype(np.float32)[:, None]
    return moved
