"""Read one conversation: extractions to staging, rounds to the rounds arm (DESIGN §5, ingest).

Works through what is not staged yet, a chunk at a time; each chunk is on disk before the next begins, so a kill loses at most
one chunk of work and no word. Running twice, or in two processes at once, stages the same rows.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import Candidate, Extraction
from memory_lib.domain.ids import ConversationId, IdKey, MessageId, UserId
from memory_lib.domain.message import Message, MessageRef, Role, Unit, unit_id
from memory_lib.domain.syntax import Parse
from memory_lib.errors import DependencyDown
from memory_lib.policies.rounds.text import joins_previous, round_text, speaker_label, turn_text
from memory_lib.policies.sessions import SessionParams, unit_refs
from memory_lib.policies.stems import Stemmer, StemParams
from memory_lib.ports.embedder import Embedder, calibrated
from memory_lib.ports.ledger import MessageLog, RoundStore, StagedUnit, Staging, StoredRound
from memory_lib.ports.parser import Parser
from memory_lib.ports.reasoner import Reasoner

_PARSES_KEPT = 16
"""Units overlap by four messages: parses of the last few are worth keeping, more are not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractParams:
    """``chunk``: units a transaction, so that a kill costs at most this much work."""

    chunk: int
    sessions: SessionParams
    stems: StemParams


@dataclass(frozen=True, slots=True)
class Extracted:
    """Counts of one conversation; ``without_vectors`` counts what was staged or kept while the embedder was away."""

    messages: int
    units: int
    candidates: int
    rounds: int
    without_vectors: int

    def __add__(self, other: Extracted) -> Extracted:
        return Extracted(
            self.messages + other.messages,
            self.units + other.units,
            self.candidates + other.candidates,
            self.rounds + other.rounds,
            self.without_vectors + other.without_vectors,
        )


NOTHING = Extracted(0, 0, 0, 0, 0)

Progress = Callable[[int], None]
"""Called with the number of messages read since the last call."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """One message to read: its unit, its round (``previous``: the turn its vector stands for too), and which of the two are
    still to be done. ``fresh``: the round's words are not kept yet (else only its vector is missing).
    """

    refs: tuple[MessageRef, ...]
    unit: str
    round: str
    previous: MessageRef | None
    stage: bool
    embed: bool
    fresh: bool


def extract_conversation(
    user: UserId,
    conversation: ConversationId,
    *,
    log: MessageLog,
    staging: Staging,
    rounds: RoundStore,
    parser: Parser,
    reasoner: Reasoner,
    embedder: Embedder,
    id_key: IdKey,
    params: ExtractParams,
    progress: Progress = lambda _: None,
) -> Extracted:
    """Stages every unit of the conversation and keeps every round, new or changed. Raises StoreBusy."""
    total, known = NOTHING, 0
    stemmer = Stemmer(params.stems)
    parses: OrderedDict[tuple[MessageId, str], Parse] = OrderedDict()
    while True:
        refs = log.refs(user, conversation=conversation)
        units = [(unit_id(id_key, own), own) for own in unit_refs(refs, params=params.sessions)]
        turns = _to_do(
            units,
            staged=staging.have(user, reasoner=reasoner.name, version=reasoner.version, among=[unit for unit, _ in units]),
            kept=rounds.have(user, fingerprint=embedder.fingerprint, among=[ref.id for ref in refs]),
            id_key=id_key,
        )
        progress(max(0, len(refs) - len(turns) - known))
        known = len(refs)
        for start in range(0, len(turns), params.chunk):
            chunk = turns[start : start + params.chunk]
            wanted = {ref.id for turn in chunk for ref in turn.refs} | {t.previous.id for t in chunk if t.previous is not None}
            messages = log.messages(user, sorted(wanted))
            extractions = [_extraction(t, messages, parser=parser, reasoner=reasoner, parses=parses) for t in chunk if t.stage]
            texts = [c.content for e in extractions for c in e.candidates]
            round_texts = [_embedded_text(t, messages) for t in chunk if t.embed]
            vectors = _embedded(embedder, texts + round_texts)
            own, of_rounds = (None, None) if vectors is None else (vectors[: len(texts)], vectors[len(texts) :])
            staging.put(user, list(_staged(extractions, own, embedder)))
            changed = [t for t in chunk if t.embed and (t.fresh or of_rounds is not None)]
            kept = _kept_rounds(changed, messages, of_rounds, stemmer)
            if kept:
                fingerprint = None if of_rounds is None else embedder.fingerprint
                rounds.put(user, kept, fingerprint=fingerprint, dimension=None if of_rounds is None else embedder.dimension)
            total += Extracted(0, len(extractions), len(texts), len(kept), 0 if vectors is not None else len(texts) + len(kept))
            progress(len(chunk))
        if not turns or log.refs(user, conversation=conversation) == refs:
            return replace(total, messages=len(refs))
        # another import brought messages into this conversation: rounds kept just now may have replaced its newer ones


def _to_do(
    units: Sequence[tuple[str, tuple[MessageRef, ...]]],
    *,
    staged: frozenset[str],
    kept: Mapping[MessageId, tuple[str, bool]],
    id_key: IdKey,
) -> list[_Turn]:
    turns: list[_Turn] = []
    for unit, refs in units:
        own = refs[-1]
        before = refs[-2] if len(refs) > 1 else None
        previous = before if before is not None and joins_previous(own.role, before.role) else None
        round_id = _round_id(id_key, own, previous)
        known = kept.get(own.id)
        stage = unit not in staged
        embed = known != (round_id, True)
        if stage or embed:
            turns.append(_Turn(refs, unit, round_id, previous, stage, embed, fresh=known is None or known[0] != round_id))
    return turns


def _round_id(id_key: IdKey, own: MessageRef, previous: MessageRef | None) -> str:
    before = () if previous is None else (previous.id, previous.text_version)
    return id_key.hash("round", *before, own.id, own.text_version)


def _extraction(
    turn: _Turn,
    messages: Mapping[MessageId, Message],
    *,
    parser: Parser,
    reasoner: Reasoner,
    parses: OrderedDict[tuple[MessageId, str], Parse],
) -> Extraction:
    members = [messages[ref.id] for ref in turn.refs]
    unit = Unit(turn.unit, members[-1], tuple(members[:-1]))
    if unit.message.role not in (Role.USER, Role.OTHER):
        return Extraction(turn.unit, unit.message.id, (), (), reasoner.name, reasoner.version, "en")
    trees: list[Parse] = []
    for message in members:
        key = (message.id, message.text_version)
        tree = parses.get(key)
        if tree is None:
            tree = parses[key] = parser.parse(message.text)
            while len(parses) > _PARSES_KEPT:
                parses.popitem(last=False)
        trees.append(tree)
    return _checked(reasoner.extract(unit, trees), unit.message)


def _checked(extraction: Extraction, message: Message) -> Extraction:
    """Spans that do not lie in the message are a reasoner's slip: those candidates, and relations on them, do not enter."""
    length = len(message.text)
    keep = [i for i, c in enumerate(extraction.candidates) if c.end <= length and c.content.strip()]
    if len(keep) == len(extraction.candidates) and all(r.end <= length for r in extraction.relations):
        return extraction
    place = {old: new for new, old in enumerate(keep)}
    candidates: tuple[Candidate, ...] = tuple(extraction.candidates[i] for i in keep)
    relations = tuple(
        type(r)(
            place[r.source],
            place[r.target] if isinstance(r.target, int) else r.target,
            r.type,
            r.confidence,
            r.start,
            r.end,
            r.rule,
        )
        for r in extraction.relations
        if r.end <= length and r.source in place and (not isinstance(r.target, int) or r.target in place)
    )
    return Extraction(
        extraction.unit_id,
        extraction.message,
        candidates,
        relations,
        extraction.reasoner,
        extraction.version,
        extraction.language,
    )


def _turn_text(message: Message) -> str:
    speaker = speaker_label(message.speaker, message.role)
    return turn_text(message.text, speaker=speaker, caption=message.caption)


def _embedded_text(turn: _Turn, messages: Mapping[MessageId, Message]) -> str:
    previous = None if turn.previous is None else _turn_text(messages[turn.previous.id])
    return round_text(previous, _turn_text(messages[turn.refs[-1].id]))


def _embedded(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32] | None:
    """(len(texts), d) raw vectors, or None where the embedder is away: memory forms without it, recall says so."""
    try:
        return embedder.embed(texts) if texts else np.zeros((0, embedder.dimension), np.float32)
    except DependencyDown:
        return None


def _staged(extractions: Sequence[Extraction], vectors: NDArray[np.float32] | None, embedder: Embedder) -> Sequence[StagedUnit]:
    staged: list[StagedUnit] = []
    start = 0
    for extraction in extractions:
        end = start + len(extraction.candidates)
        own = None if vectors is None or start == end else calibrated(vectors[start:end], embedder.mean)
        staged.append(StagedUnit(extraction, own, None if own is None else embedder.fingerprint))
        start = end
    return staged


def _kept_rounds(
    turns: Sequence[_Turn], messages: Mapping[MessageId, Message], vectors: NDArray[np.float32] | None, stemmer: Stemmer
) -> list[StoredRound]:
    kept: list[StoredRound] = []
    for position, turn in enumerate(turns):
        message = messages[turn.refs[-1].id]
        kept.append(
            StoredRound(
                message=message.id,
                round_id=turn.round,
                stems=tuple(stemmer.stems(_turn_text(message))),
                speaker=message.speaker,
                vector=None if vectors is None else vectors[position],
            )
        )
    return kept
