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

from memory_lib.domain.candidates import Candidate, Extraction, Span
from memory_lib.domain.ids import ConversationId, IdKey, MessageId, UserId
from memory_lib.domain.message import Message, MessageRef, Role, Unit, unit_id
from memory_lib.domain.syntax import Parse
from memory_lib.policies.covering import COVER
from memory_lib.policies.forgetting import Keyed, keyed_stems, matching_places
from memory_lib.policies.rounds.text import embedded_text, previous_turn, round_id, spoken
from memory_lib.policies.sessions import SessionParams, unit_refs
from memory_lib.policies.stems import Stemmer, StemParams
from memory_lib.ports.clock import Clock
from memory_lib.ports.embedder import Embedder, calibrated, embedded_or_none, mean_or_none
from memory_lib.ports.forgetting import ForgetRule, Forgetting
from memory_lib.ports.ledger import MessageLog, RoundStore, StagedUnit, Staging, StoredRound
from memory_lib.ports.parser import Parser
from memory_lib.ports.reasoner import Reasoner
from memory_lib.reasoning.prose.recalled_text import without_recalled

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
    still to be done. ``fresh``: the round's words are not kept yet (else only its vector is missing). ``former``: the message
    as it read before it was edited; what only that said becomes stale (ADR 0009).
    """

    refs: tuple[MessageRef, ...]
    unit: str
    round: str
    previous: MessageRef | None
    stage: bool
    embed: bool
    fresh: bool
    former: bool = False


def extract_conversation(
    user: UserId,
    conversation: ConversationId,
    *,
    log: MessageLog,
    staging: Staging,
    rounds: RoundStore,
    forgetting: Forgetting,
    parser: Parser,
    reasoner: Reasoner,
    embedder: Embedder,
    id_key: IdKey,
    clock: Clock,
    params: ExtractParams,
    progress: Progress = lambda _: None,
) -> Extracted:
    """Stages every unit of the conversation and keeps every round, new or changed.

    Raises:
        StoreBusy: the ledger stayed locked.
        FingerprintMismatch: the person is served by another embedder than ``embedder`` (a reembed ended meanwhile); read again
            who serves them.
    """
    total, known = NOTHING, 0
    stemmer = Stemmer(params.stems)
    rules = forgetting.rules(user)
    keyed = keyed_stems(id_key)
    parses: OrderedDict[tuple[MessageId, str], Parse] = OrderedDict()
    while True:
        refs = log.refs(user, conversation=conversation)
        units = [(unit_id(id_key, own), own) for own in unit_refs(refs, params=params.sessions)]
        edited = _former_units(units, log.former(user, conversation=conversation), id_key=id_key)
        among = [unit for unit, _ in (*units, *edited)]
        have = staging.have(user, reasoner=reasoner.name, version=reasoner.version, among=among)
        turns = _to_do(
            units,
            staged=have,
            kept=rounds.have(user, fingerprint=embedder.fingerprint, among=[ref.id for ref in refs]),
            id_key=id_key,
        )
        progress(max(0, len(refs) - len(turns) - known))
        turns += [
            _Turn(own, unit, "", None, stage=True, embed=False, fresh=False, former=True)
            for unit, own in edited
            if unit not in have
        ]
        known = len(refs)
        if rules and _forgotten_again(
            user, turns, rules, log=log, forgetting=forgetting, keyed=keyed, stemmer=stemmer, clock=clock
        ):
            continue
        for start in range(0, len(turns), params.chunk):
            chunk = turns[start : start + params.chunk]
            wanted = {ref.id for turn in chunk for ref in turn.refs} | {t.previous.id for t in chunk if t.previous is not None}
            messages = {ident: _own_words(message) for ident, message in log.messages(user, sorted(wanted)).items()}
            former = log.former_texts(user, [turn.refs[-1] for turn in chunk if turn.former])
            extractions = [
                _extraction(t, _as_it_read(t, messages, former), user=user, parser=parser, reasoner=reasoner, parses=parses)
                for t in chunk
                if t.stage
            ]
            texts = [c.content for e in extractions for c in e.candidates]
            round_texts = [_embedded_text(t, messages) for t in chunk if t.embed]
            vectors = embedded_or_none(embedder, texts + round_texts)
            mean = mean_or_none(embedder) if texts else None
            staged = _staged(extractions, vectors[: len(texts)], mean, embedder, asked=(reasoner.name, reasoner.version))
            staging.put(user, staged)
            kept = _kept_rounds([t for t in chunk if t.embed], messages, vectors[len(texts) :], stemmer)
            if kept:
                rounds.put(user, kept, fingerprint=embedder.fingerprint, dimension=embedder.dimension)
            without = sum(len(s.extraction.candidates) for s in staged if s.vectors is None) + sum(
                k.vector is None for k in kept
            )
            total += Extracted(0, len(extractions), len(texts), len(kept), without)
            progress(sum(not turn.former for turn in chunk))
        if not turns or log.refs(user, conversation=conversation) == refs:
            return replace(total, messages=len(refs))
        # another import brought messages into this conversation: rounds kept just now may have replaced its newer ones


def _forgotten_again(
    user: UserId,
    turns: Sequence[_Turn],
    rules: Sequence[ForgetRule],
    *,
    log: MessageLog,
    forgetting: Forgetting,
    keyed: Keyed,
    stemmer: Stemmer,
    clock: Clock,
) -> bool:
    """Words that were forgotten and come in once more, as other messages said before the rule: covered before they are read.
    Whether there were any.
    """
    spans: list[Span] = []
    ids = [turn.refs[-1].id for turn in turns]
    for message in log.messages(user, ids).values():
        statements = [each for rule in rules if message.time < rule.made_at for each in rule.statements]
        found = matching_places(message.text, statements, keyed=keyed, stemmer=stemmer) if statements else []
        spans += [Span(message.id, start, end) for start, end in found]
    return bool(spans and forgetting.redact(user, spans, now=clock.now()))


def _to_do(
    units: Sequence[tuple[str, tuple[MessageRef, ...]]],
    *,
    staged: frozenset[str],
    kept: Mapping[MessageId, tuple[str, bool]],
    id_key: IdKey,
) -> list[_Turn]:
    turns: list[_Turn] = []
    for unit, refs in units:
        own, previous = refs[-1], previous_turn(refs)
        texts = round_id(id_key, own, previous)
        known = kept.get(own.id)
        stage = unit not in staged
        embed = known != (texts, True)
        if stage or embed:
            turns.append(_Turn(refs, unit, texts, previous, stage, embed, fresh=known is None or known[0] != texts))
    return turns


def _former_units(
    units: Sequence[tuple[str, tuple[MessageRef, ...]]], former: Sequence[MessageRef], *, id_key: IdKey
) -> list[tuple[str, tuple[MessageRef, ...]]]:
    """Edited messages under their former texts, in the company they have now."""
    if not former:
        return []
    companies = {refs[-1].id: refs[:-1] for _, refs in units}
    own = [(*companies[ref.id], ref) for ref in former if ref.id in companies]
    return [(unit_id(id_key, refs), refs) for refs in own]


def _as_it_read(
    turn: _Turn, messages: Mapping[MessageId, Message], former: Mapping[tuple[MessageId, str], Message]
) -> Mapping[MessageId, Message]:
    own = turn.refs[-1]
    return {**messages, own.id: _own_words(former[(own.id, own.text_version)])} if turn.former else messages


def _own_words(message: Message) -> Message:
    """The message without what recall handed out (an echo is no evidence, and finds nothing; CONTRACTS) and without covers of
    what was forgotten. Places stay.
    """
    own = without_recalled(message.text).replace(COVER, " ")
    return message if own == message.text else replace(message, text=own)


def _extraction(
    turn: _Turn,
    messages: Mapping[MessageId, Message],
    *,
    user: UserId,
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
    return _checked(reasoner.extract(unit, trees, user=user), unit.message)


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
            place[r.source] if isinstance(r.source, int) else r.source,
            place[r.target] if isinstance(r.target, int) else r.target,
            r.type,
            r.confidence,
            r.start,
            r.end,
            r.rule,
        )
        for r in extraction.relations
        if r.end <= length and all(not isinstance(end, int) or end in place for end in (r.source, r.target))
    )
    return Extraction(
        extraction.unit_id,
        extraction.message,
        candidates,
        relations,
        extraction.reasoner,
        extraction.version,
        extraction.language,
        worth=extraction.worth,
    )


def _embedded_text(turn: _Turn, messages: Mapping[MessageId, Message]) -> str:
    return embedded_text(messages[turn.refs[-1].id], None if turn.previous is None else messages[turn.previous.id])


def _staged(
    extractions: Sequence[Extraction],
    vectors: Sequence[NDArray[np.float32] | None],
    mean: NDArray[np.float32] | None,
    embedder: Embedder,
    *,
    asked: tuple[str, str],
) -> Sequence[StagedUnit]:
    """A unit has the vectors of all its candidates or none."""
    staged: list[StagedUnit] = []
    start = 0
    for extraction in extractions:
        end = start + len(extraction.candidates)
        given = [vector for vector in vectors[start:end] if vector is not None]
        own = calibrated(np.stack(given), mean) if mean is not None and given and len(given) == end - start else None
        answered = (extraction.reasoner, extraction.version) == asked
        fingerprint = None if own is None else embedder.fingerprint
        staged.append(StagedUnit(extraction, own, fingerprint, asked=None if answered else asked))
        start = end
    return staged


def _kept_rounds(
    turns: Sequence[_Turn],
    messages: Mapping[MessageId, Message],
    vectors: Sequence[NDArray[np.float32] | None],
    stemmer: Stemmer,
) -> list[StoredRound]:
    """What is new: words that are not kept yet, or a vector that was missing."""
    kept: list[StoredRound] = []
    for turn, vector in zip(turns, vectors, strict=True):
        if vector is None and not turn.fresh:
            continue
        message = messages[turn.refs[-1].id]
        kept.append(
            StoredRound(
                message=message.id,
                round_id=turn.round,
                stems=tuple(stemmer.stems(spoken(message))),
                speaker=message.speaker,
                vector=vector,
            )
        )
    return kept
