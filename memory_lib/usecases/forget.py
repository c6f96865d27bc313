"""Forget a topic: list what it names, then take exactly that out of messages, staging and rules (CONTRACTS, Writing).

``plan_forgetting`` reads and lists. ``forget_words`` does the ledger's part: the rule first, then what was read in the messages
under their new names, then the words themselves; killed anywhere, calling it again does the rest. The graph's part is
``form_person.Former.forget``: formed anew from what is left, so that no later pass or rebuild finds anything else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

from memory_lib.domain.candidates import Candidate, Extraction, Relation, Span
from memory_lib.domain.ids import EdgeId, IdKey, MessageId, NodeId, UserId
from memory_lib.domain.message import Message, MessageRef, Role, unit_id
from memory_lib.domain.node import Edge
from memory_lib.domain.time import to_us
from memory_lib.policies.covering import covered
from memory_lib.policies.forgetting import (
    AskedTopic,
    Chosen,
    ForgetParams,
    Keyed,
    Passage,
    Talk,
    asked_topic,
    choose,
    keyed_stems,
    matching_places,
    names_of_people,
    passage_key,
    passages,
    rule_statements,
    spans_to_cover,
)
from memory_lib.policies.sessions import SessionParams, unit_refs
from memory_lib.policies.stems import Stemmer
from memory_lib.ports.embedder import Embedder, calibrated, embedded_or_none, mean_or_none
from memory_lib.ports.forgetting import ForgetRule, Forgetting
from memory_lib.ports.graph import GraphReader, StoredGraph
from memory_lib.ports.ledger import MessageLog, StagedUnit, Staging
from memory_lib.ports.reasoner import Reasoner


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPorts:
    """What is read and written. ``embedder``: whose vectors the person's graph holds."""

    log: MessageLog
    staging: Staging
    reader: GraphReader
    forgetting: Forgetting
    reasoner: Reasoner
    embedder: Embedder
    id_key: IdKey


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPlan:
    """The exact list. ``nodes``: id → why (a code). ``edges``: those that touch them. ``spans``: words to be covered.
    ``whole``: messages whose captions and former texts go. ``statements``: for the rule, keyed hashes. ``ended``: nodes that a
    message with forgotten words had ended → since when; they stay ended.
    """

    nodes: Mapping[NodeId, str]
    edges: tuple[EdgeId, ...]
    spans: tuple[Span, ...]
    whole: tuple[MessageId, ...] = ()
    statements: tuple[frozenset[str], ...] = ()
    ended: Mapping[NodeId, str] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """As JSON values; no word of a person."""
        return {
            "nodes": dict(self.nodes),
            "edges": list(self.edges),
            "spans": [[span.message, span.start, span.end] for span in self.spans],
            "whole": list(self.whole),
            "statements": [sorted(each) for each in self.statements],
            "ended": dict(self.ended),
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> ForgetPlan:
        """What ``record`` gave."""
        return cls(
            nodes={NodeId(ident): str(why) for ident, why in record["nodes"].items()},
            edges=tuple(EdgeId(edge) for edge in record["edges"]),
            spans=tuple(Span(MessageId(message), start, end) for message, start, end in record["spans"]),
            whole=tuple(MessageId(message) for message in record["whole"]),
            statements=tuple(frozenset(each) for each in record["statements"]),
            ended={NodeId(ident): str(since) for ident, since in record["ended"].items()},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What the ledger lost. ``gone``: the nodes as they are called now, for the graph's part."""

    gone: frozenset[NodeId]
    messages: int
    units: int
    counts: Mapping[str, int] = field(default_factory=dict)


def plan_forgetting(user: UserId, topic: str, *, ports: ForgetPorts, params: ForgetParams) -> ForgetPlan:
    """What forgetting this topic takes. Reads only; an embedder that is away leaves words and entities to find it by."""
    stored = ports.reader.load(user)
    stemmer = Stemmer(params.stems)
    messages = ports.log.messages(user, [ref.id for ref in ports.log.refs(user)])
    said = [p for message in messages.values() for p in passages(message.id, message.text, stemmer=stemmer)]
    texts = {message.id: message.text for message in messages.values()}
    talks = _talks(ports.log.refs(user), messages)
    people = names_of_people(stored.nodes.values(), stemmer=stemmer)
    asked = asked_topic(topic, said, stemmer=stemmer, params=params, people=people)
    meaning = _Meaning(topic, asked, said, stored, messages, embedder=ports.embedder, limit=params.embedded)
    chosen = choose(
        asked,
        nodes=stored.nodes,
        edges=stored.edges.values(),
        said=said,
        meaning=meaning.of,
        stemmer=stemmer,
        params=params,
        talk=Talk(
            texts,
            _replies(talks),
            [[message.id for message in talk if message.role is not Role.ASSISTANT] for talk in talks],
        ),
    )
    keyed = keyed_stems(ports.id_key)
    spans = spans_to_cover(chosen.passages, stored.nodes, chosen.nodes.keys(), texts)
    statements = rule_statements(asked, chosen.passages, spans, texts, keyed=keyed, stemmer=stemmer)
    return ForgetPlan(
        nodes=dict(sorted(chosen.nodes.items())),
        edges=tuple(sorted(e.id for e in stored.edges.values() if e.source in chosen.nodes or e.target in chosen.nodes)),
        spans=tuple(spans),
        whole=_whole(user, asked, chosen, messages, ports=ports, stemmer=stemmer, params=params),
        statements=statements,
        ended=_ended(stored, chosen, spans),
    )


def forget_words(
    user: UserId,
    plan: ForgetPlan,
    *,
    rule: str,
    ports: ForgetPorts,
    params: ForgetParams,
    sessions: SessionParams,
    now: datetime,
) -> Forgotten:
    """The ledger's part of forgetting what was listed, under the rule of this id; to be repeated until it returns."""
    stored = ports.reader.load(user)
    gone = frozenset(ident for node in plan.nodes if (ident := stored.renames.get(node, node)) in stored.nodes)
    names = sorted({*plan.nodes, *gone, *(old for old, new in stored.renames.items() if new in gone)})
    ports.forgetting.keep(user, ForgetRule(id=rule, made_at=now, nodes=tuple(names), statements=plan.statements))
    kept = next(each for each in ports.forgetting.rules(user) if each.id == rule)
    refs = ports.log.refs(user)
    messages = ports.log.messages(user, [ref.id for ref in refs])
    stemmer, keyed = Stemmer(params.stems), keyed_stems(ports.id_key)
    spans = _all_spans(plan, kept, gone, stored, messages, keyed=keyed, stemmer=stemmer)
    becomes = _new_versions(spans, messages, id_key=ports.id_key)
    units = _affected(refs, {*becomes, *plan.whole}, sessions=sessions)
    carried = _carried(
        user,
        units,
        becomes,
        spans,
        rule=kept,
        banned=_relations_of(stored.edges.values(), gone),
        ports=ports,
        keyed=keyed,
        stemmer=stemmer,
    )
    ports.staging.put(user, carried)
    redacted = ports.forgetting.redact(user, spans, now=now, whole=plan.whole)
    after = _affected(ports.log.refs(user), {*becomes, *plan.whole}, sessions=sessions)
    keeping = [unit_id(ports.id_key, unit) for unit in after]
    counts = ports.forgetting.discard_units(user, [unit[-1].id for unit in after], keeping=keeping)
    return Forgotten(gone=gone, messages=len(redacted), units=len(carried), counts=counts)


# -- listing ------------------------------------------------------------------------------------------------------------


class _Meaning:
    """Cosines of the topic with nodes and passages, made when first asked for."""

    def __init__(
        self,
        topic: str,
        asked: AskedTopic,
        said: Sequence[Passage],
        stored: StoredGraph,
        messages: Mapping[MessageId, Message],
        *,
        embedder: Embedder,
        limit: int,
    ) -> None:
        self._cosines: dict[str, float] = {}
        mean = mean_or_none(embedder)
        own = embedded_or_none(embedder, [topic])[0] if mean is not None and topic.strip() else None
        if own is None or mean is None:
            return
        query = calibrated(own, mean)
        for ident, vector in stored.vectors.items():
            if len(vector) == len(query):
                self._cosines[ident] = float(vector @ query)
        # a model costs tens of milliseconds a long sentence, and assistants talk most: the person's own words first
        telling = sorted(
            said, key=lambda p: (-asked.share(p.stems), messages[p.message].role is not Role.USER, p.message, p.start)
        )[:limit]
        vectors = embedded_or_none(embedder, [messages[p.message].text[p.start : p.end] for p in telling])
        for passage, raw in zip(telling, vectors, strict=True):
            if raw is not None:
                self._cosines[passage_key(passage)] = float(calibrated(raw, mean) @ query)

    def of(self, ident: str) -> float:
        return self._cosines.get(ident, 0.0)


def _talks(refs: Sequence[MessageRef], messages: Mapping[MessageId, Message]) -> list[list[Message]]:
    """Each conversation in order."""
    told: dict[str, list[Message]] = defaultdict(list)
    for ref in refs:
        if ref.id in messages:
            told[ref.conversation].append(messages[ref.id])
    return list(told.values())


def _replies(talks: Iterable[Sequence[Message]]) -> dict[MessageId, MessageId]:
    """What an assistant said right after each message of somebody else."""
    return {
        one.id: other.id
        for theirs in talks
        for one, other in pairwise(theirs)
        if one.role is not Role.ASSISTANT and other.role is Role.ASSISTANT
    }


def _whole(
    user: UserId,
    asked: AskedTopic,
    chosen: Chosen,
    messages: Mapping[MessageId, Message],
    *,
    ports: ForgetPorts,
    stemmer: Stemmer,
    params: ForgetParams,
) -> tuple[MessageId, ...]:
    """Messages whose caption or a former text says it, and those of which a former text was read into a chosen node."""
    found = {
        message.id
        for message in messages.values()
        if message.caption and asked.share(frozenset(stemmer.stems(message.caption))) >= params.word_share
    }
    for message in ports.log.former_texts(user, ports.log.former(user)).values():
        if any(asked.share(p.stems) >= params.word_share for p in passages(message.id, message.text, stemmer=stemmer)):
            found.add(message.id)
    del chosen
    return tuple(sorted(found))


def _ended(stored: StoredGraph, chosen: Chosen, spans: Iterable[Span]) -> dict[NodeId, str]:
    touched = {span.message for span in spans}
    return {
        node.id: node.closure.valid_until
        for node in sorted(stored.nodes.values(), key=lambda n: n.id)
        if node.id not in chosen.nodes and node.closure is not None and node.closure.by_message in touched
    }


# -- taking out ---------------------------------------------------------------------------------------------------------


def _all_spans(
    plan: ForgetPlan,
    rule: ForgetRule,
    gone: frozenset[NodeId],
    stored: StoredGraph,
    messages: Mapping[MessageId, Message],
    *,
    keyed: Keyed,
    stemmer: Stemmer,
) -> list[Span]:
    """The listed words, the sentences around whatever the listed nodes rest on by now, and what the rule keeps out."""
    spans = {span for span in plan.spans if span.message in messages}
    around: dict[Passage, None] = {}
    for ident in gone:
        for proof in stored.nodes[ident].surviving:
            message = messages.get(proof.span.message)
            if message is None or _touches(message.id, (proof.span.start, proof.span.end), plan.spans):
                continue
            for passage in passages(message.id, message.text, stemmer=stemmer):
                if passage.overlaps(proof.span.start, proof.span.end):
                    around[passage] = None
    texts = {message.id: message.text for message in messages.values()}
    spans |= set(spans_to_cover(around, stored.nodes, gone, texts))
    made_us = to_us(rule.made_at)
    for message in messages.values():
        if message.at_us < made_us:
            found = matching_places(message.text, rule.statements, keyed=keyed, stemmer=stemmer)
            # a sentence of which some words were left standing on purpose stays as it was listed
            spans |= {Span(message.id, *place) for place in found if not _touches(message.id, place, spans)}
    return sorted(spans, key=lambda s: (s.message, s.start, s.end))


def _touches(message: MessageId, place: tuple[int, int], spans: Iterable[Span]) -> bool:
    return any(other.message == message and other.start < place[1] and place[0] < other.end for other in spans)


def _new_versions(spans: Iterable[Span], messages: Mapping[MessageId, Message], *, id_key: IdKey) -> dict[MessageId, str]:
    """The text version that each message will have, where it changes."""
    by_message: dict[MessageId, list[tuple[int, int]]] = defaultdict(list)
    for span in spans:
        by_message[span.message].append((span.start, span.end))
    return {
        message: id_key.text_version(text)
        for message, places in by_message.items()
        if (text := covered(messages[message].text, places)) != messages[message].text
    }


def _affected(
    refs: Sequence[MessageRef], touched: Iterable[MessageId], *, sessions: SessionParams
) -> list[tuple[MessageRef, ...]]:
    """The units that one of these messages is part of."""
    marked = set(touched)
    by_conversation: dict[str, list[MessageRef]] = defaultdict(list)
    for ref in refs:
        by_conversation[ref.conversation].append(ref)
    return [
        unit
        for theirs in by_conversation.values()
        for unit in unit_refs(theirs, params=sessions)
        if any(ref.id in marked for ref in unit)
    ]


def _relations_of(edges: Iterable[Edge], gone: frozenset[NodeId]) -> frozenset[tuple[MessageId, int, int, str]]:
    """The words that link a forgotten node to another: read again, they would link its neighbour."""
    return frozenset(
        (proof.span.message, proof.span.start, proof.span.end, edge.type.value)
        for edge in edges
        if edge.source in gone or edge.target in gone
        for proof in edge.proofs
    )


def _carried(
    user: UserId,
    units: Sequence[tuple[MessageRef, ...]],
    becomes: Mapping[MessageId, str],
    spans: Sequence[Span],
    *,
    rule: ForgetRule,
    banned: frozenset[tuple[MessageId, int, int, str]],
    ports: ForgetPorts,
    keyed: Keyed,
    stemmer: Stemmer,
) -> list[StagedUnit]:
    """What was read in these units under their new ids, without what was read in covered words."""
    renamed: dict[str, str] = {}
    for unit in units:
        after = [replace(ref, text_version=becomes.get(ref.id, ref.text_version)) for ref in unit]
        old, new = unit_id(ports.id_key, unit), unit_id(ports.id_key, after)
        if old != new:
            renamed[old] = new
    places: dict[MessageId, list[tuple[int, int]]] = defaultdict(list)
    for span in spans:
        places[span.message].append((span.start, span.end))
    made_before = {unit[-1].id for unit in units if unit[-1].at_us < to_us(rule.made_at)}
    reasoner = ports.reasoner
    carried: list[StagedUnit] = []
    for staged in ports.staging.units(user, list(renamed), reasoner=reasoner.name, version=reasoner.version):
        extraction = staged.extraction
        hidden = places[extraction.message]

        def stays(
            candidate: Candidate, *, hidden: Sequence[tuple[int, int]] = hidden, own: MessageId = extraction.message
        ) -> bool:
            if any(candidate.start < end and start < candidate.end for start, end in hidden):
                return False
            said = {keyed(stem) for stem in stemmer.stems(candidate.content)}
            return own not in made_before or not any(statement <= said for statement in rule.statements)

        keep = [place for place, candidate in enumerate(extraction.candidates) if stays(candidate)]
        without = _without(extraction, renamed[extraction.unit_id], keep, hidden, banned)
        vectors = None if staged.vectors is None else staged.vectors[keep]
        carried.append(replace(staged, extraction=without, vectors=vectors))
    return carried


def _without(
    extraction: Extraction,
    unit: str,
    keep: Sequence[int],
    hidden: Sequence[tuple[int, int]],
    banned: frozenset[tuple[MessageId, int, int, str]],
) -> Extraction:
    place = {old: new for new, old in enumerate(keep)}

    def stays(relation: Relation) -> bool:
        if (extraction.message, relation.start, relation.end, relation.type.value) in banned:
            return False
        if any(relation.start < end and start < relation.end for start, end in hidden):
            return False
        return all(not isinstance(end, int) or end in place for end in (relation.source, relation.target))

    return replace(
        extraction,
        unit_id=unit,
        candidates=tuple(extraction.candidates[old] for old in keep),
        relations=tuple(
            replace(
                relation,
                source=place[relation.source] if isinstance(relation.source, int) else relation.source,
                target=place[relation.target] if isinstance(relation.target, int) else relation.target,
            )
            for relation in extraction.relations
            if stays(relation)
        ),
    )
