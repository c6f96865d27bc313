"""What a topic names, and what goes with it: by words, by meaning, by entity, and along the lineage (CONTRACTS, Writing).

A topic is read as *terms*: its content words, each with the words of its family. Words that only say of what kind somebody is
("my dog", "работа в") weigh little, words that the person hardly uses weigh much. What is chosen here is listed in a dry run;
only what was listed is forgotten.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from memory_lib.domain.candidates import EdgeType, NodeType, Span
from memory_lib.domain.ids import IdKey, MessageId, NodeId
from memory_lib.domain.node import Edge, Node, ProofKind
from memory_lib.policies.covering import COVER
from memory_lib.policies.person_names import person_names
from memory_lib.policies.statement_words import akin
from memory_lib.policies.stems import Stemmer, StemParams
from memory_lib.policies.word_families import KINDS, begins, family_of

_SENTENCE = re.compile(r"[^.!?…\n\r]*[.!?…]+[\"»”')]*(?=\s|$)|[^\n\r]+?(?=[.!?…]+[\"»”')]*\s|[\n\r]|$)|[^\n\r]+")
_PIECE = re.compile(r"[^,;:()—–]+")
_LETTER = re.compile(r"[^\W_]")
_NAME = re.compile(r"[A-ZА-ЯЁ][^\W_]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetParams:
    """``word_share``: share of a topic's weight that words must hold to decide alone; ``some_words`` and
    ``meaning_with_words``: share and calibrated cosine that decide together; ``meaning``: cosine that decides alone, for what
    has ``meaning_stems`` content words or more. ``person_share``: share of a topic's own words (kinds apart) that a person's
    names must hold, so that everything about them goes. ``kind_weight``: of a word that only says of what kind something is.
    ``embedded``: passages that are compared by meaning at most.
    """

    word_share: float
    some_words: float
    meaning_with_words: float
    meaning: float
    meaning_stems: int
    person_share: float
    kind_weight: float
    embedded: int
    stems: StemParams


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a message: its place and content stems."""

    message: MessageId
    start: int
    end: int
    stems: frozenset[str]

    def overlaps(self, start: int, end: int) -> bool:
        return self.start < end and start < self.end


def sentences(text: str) -> list[tuple[int, int]]:
    """Places of sentences without the space around them; what is covered already is none."""
    found: list[tuple[int, int]] = []
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if _LETTER.search(text[start:end].replace(COVER, "")):
            found.append((start, end))
    return found


def passages(message: MessageId, text: str, *, stemmer: Stemmer) -> list[Passage]:
    """The sentences of a message with their stems, names that are stop words included ("Will", "Вера")."""
    return [Passage(message, start, end, frozenset(stemmer.stems(text[start:end]))) for start, end in sentences(text)]


# -- the topic ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Term:
    """One content word of a topic with the words of its family. ``named``: written with a capital, so that a stemmer that knows
    no names may cut its cases at different places ("Люмене", "Люмена").
    """

    stem: str
    family: frozenset[str]
    named: bool = False

    def among(self, stems: Iterable[str]) -> bool:
        """Whether one of these says it."""
        return any(
            akin(self.stem, stem)
            or (self.named and _case_of(self.stem, stem))
            or any(begins(stem, known) for known in self.family)
            for stem in stems
        )

    @property
    def kind(self) -> bool:
        return self.stem in KINDS


_SHORTEST_NAME = 3
_LONGEST_ENDING = 2


def _case_of(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _SHORTEST_NAME and long.startswith(short) and len(long) - len(short) <= _LONGEST_ENDING


@dataclass(frozen=True, slots=True)
class AskedTopic:
    """``weights``: of each term that the person's own words know; of all terms where they know none of them."""

    weights: Mapping[Term, float]

    def share(self, stems: Collection[str]) -> float:
        """How much of the topic these words say, 0..1."""
        total = sum(self.weights.values())
        return sum(w for term, w in self.weights.items() if term.among(stems)) / total if total else 0.0

    def share_of_name(self, stems: Collection[str]) -> float:
        """The same over the words that are not mere kinds, where there are any."""
        own = {term: w for term, w in self.weights.items() if not term.kind} or dict(self.weights)
        total = sum(own.values())
        return sum(w for term, w in own.items() if term.among(stems)) / total if total else 0.0

    def main(self) -> tuple[Term, ...]:
        """The terms that are not mere kinds."""
        return tuple(term for term in self.weights if not term.kind)


def asked_topic(topic: str, said: Sequence[Passage], *, stemmer: Stemmer, params: ForgetParams) -> AskedTopic:
    """Reads a topic against what the person's history says. Without a content word it names nothing."""
    terms: dict[frozenset[str] | str, Term] = {}
    named = {stem for word in _NAME.findall(topic) for stem in stemmer.name_stems(word)}
    for stem in stemmer.stems(topic):
        family = family_of(stem)
        terms.setdefault(family or stem, Term(stem, family, stem in named))
    counts = {term: sum(term.among(passage.stems) for passage in said) for term in terms.values()}
    known = {term: count for term, count in counts.items() if count} or dict.fromkeys(counts, 1)
    return AskedTopic(
        {
            term: math.log1p(max(len(said), 1) / count) * (params.kind_weight if term.kind else 1.0)
            for term, count in known.items()
        }
    )


# -- choosing -----------------------------------------------------------------------------------------------------------

Meaning = Callable[[str], float]
"""Calibrated cosine of the topic with a node (by id) or a passage (by ``passage_key``); 0 where one is missing."""


def passage_key(passage: Passage) -> str:
    """What a passage is called where meanings are looked up."""
    return f"{passage.message}/{passage.start}"


@dataclass(frozen=True, slots=True)
class Chosen:
    """``nodes``: id → why (a code). ``passages``: those whose words are to go, in order."""

    nodes: Mapping[NodeId, str]
    passages: tuple[Passage, ...]


def node_stems(node: Node, *, stemmer: Stemmer) -> frozenset[str]:
    """The stems of all that a node says: content, slot, attributes, whom it is about."""
    words = [node.content, node.about_name or "", *([] if node.slot is None else [node.slot.value])]
    stems = {stem for text in words for stem in stemmer.stems(text)}
    if node.type is NodeType.PERSON:
        stems |= _names(node, stemmer)
    return frozenset(stems)


def _names(node: Node, stemmer: Stemmer) -> frozenset[str]:
    who = person_names(node.attributes, node.content)
    words = [word for name in who.names for word in name] + sorted(who.fulls)
    return frozenset(stem for word in words for stem in stemmer.name_stems(word))


def choose(
    asked: AskedTopic,
    *,
    nodes: Mapping[NodeId, Node],
    edges: Iterable[Edge],
    said: Sequence[Passage],
    meaning: Meaning,
    stemmer: Stemmer,
    params: ForgetParams,
) -> Chosen:
    """Everything that the topic names, and what rests on it or on its words."""
    linked = list(edges)
    stems = {ident: node_stems(node, stemmer=stemmer) for ident, node in nodes.items()}
    chosen: dict[NodeId, str] = {}
    for ident, node in nodes.items():
        reason = _named(asked, node, stems[ident], meaning(ident), stemmer=stemmer, params=params)
        if reason is not None:
            chosen[ident] = reason
    picked = {
        passage: None
        for passage in said
        if _says(asked.share(passage.stems), meaning(passage_key(passage)), len(passage.stems), params)
    }
    by_message: dict[MessageId, list[Passage]] = defaultdict(list)
    for passage in said:
        by_message[passage.message].append(passage)
    while True:
        before = (len(chosen), len(picked))
        _entities(chosen, nodes)
        for ident in list(chosen):
            for passage in _passages_of(nodes[ident], by_message):
                if nodes[ident].type is not NodeType.PERSON or asked.share_of_name(passage.stems) >= params.person_share:
                    picked[passage] = None
        _same_words(chosen, picked, nodes, stems, linked)
        _lineage(chosen, nodes, linked)
        _orphans(chosen, picked, nodes, linked, by_message)
        if before == (len(chosen), len(picked)):
            break
    return Chosen(chosen, tuple(sorted(picked, key=lambda p: (p.message, p.start))))


def _named(
    asked: AskedTopic, node: Node, stems: frozenset[str], meaning: float, *, stemmer: Stemmer, params: ForgetParams
) -> str | None:
    if node.type is NodeType.PERSON:
        names = _names(node, stemmer) | frozenset(stemmer.stems(node.content))
        return "entity" if asked.weights and asked.share_of_name(names) >= params.person_share else None
    share = asked.share(stems)
    if share >= params.word_share:
        return "words"
    return "meaning" if _says(share, meaning, len(stems), params) else None


def _says(share: float, meaning: float, stems: int, params: ForgetParams) -> bool:
    if share >= params.word_share:
        return True
    if share >= params.some_words and meaning >= params.meaning_with_words:
        return True
    return stems >= params.meaning_stems and meaning >= params.meaning


def _entities(chosen: dict[NodeId, str], nodes: Mapping[NodeId, Node]) -> None:
    """Everything about a chosen person, and what they are said to hold."""
    people = {ident for ident in chosen if nodes[ident].type is NodeType.PERSON and chosen[ident] == "entity"}
    for ident, node in nodes.items():
        if ident not in chosen and (node.about in people or node.holder in people):
            chosen[ident] = "entity"


def _passages_of(node: Node, by_message: Mapping[MessageId, Sequence[Passage]]) -> list[Passage]:
    return [
        passage
        for proof in node.proofs
        if proof.kind is not ProofKind.STALE
        for passage in by_message.get(proof.span.message, ())
        if passage.overlaps(proof.span.start, proof.span.end)
    ]


def _same_words(  # noqa: C901 - three ways to hang on the same words
    chosen: dict[NodeId, str],
    picked: Mapping[Passage, None],
    nodes: Mapping[NodeId, Node],
    stems: Mapping[NodeId, frozenset[str]],
    edges: Sequence[Edge],
) -> None:
    """Who says the same words (they cannot go and stay), who is linked to a chosen one within its sentence, and fragments that
    say little without their sentence.
    """
    places: dict[MessageId, list[Span]] = defaultdict(list)
    for ident in chosen:
        if nodes[ident].type is not NodeType.PERSON:
            for proof in nodes[ident].proofs:
                places[proof.span.message].append(proof.span)
    sentences_of: dict[MessageId, list[Passage]] = defaultdict(list)
    for passage in picked:
        sentences_of[passage.message].append(passage)
    partners: dict[NodeId, set[NodeId]] = defaultdict(set)
    for edge in edges:
        if edge.type is not EdgeType.ASSOCIATED_WITH:
            partners[edge.source].add(edge.target)
            partners[edge.target].add(edge.source)
    for ident, node in nodes.items():
        if ident in chosen or node.type is NodeType.PERSON or not node.surviving:
            continue
        spans = [proof.span for proof in node.surviving]
        if all(_half_covered(span, places[span.message]) for span in spans):
            chosen[ident] = "same_words"
            continue
        within = [[p for p in sentences_of[s.message] if p.overlaps(s.start, s.end)] for s in spans]
        if not all(within):
            continue
        near = {other for other in partners[ident] if other in chosen}
        beside = any(
            p.overlaps(proof.span.start, proof.span.end) and p.message == proof.span.message
            for other in near
            for proof in nodes[other].proofs
            for found in within
            for p in found
        )
        if beside or (len(stems[ident]) <= 1 and all(stems[ident] <= p.stems for found in within for p in found)):
            chosen[ident] = "same_sentence"


def _half_covered(span: Span, places: Sequence[Span]) -> bool:
    """Whether most of these words go, or words inside them: what is left would not say it any more."""
    length = span.end - span.start
    return any(
        2 * (min(span.end, other.end) - max(span.start, other.start)) > length
        or (span.start <= other.start and other.end <= span.end)
        for other in places
    )


def _lineage(chosen: dict[NodeId, str], nodes: Mapping[NodeId, Node], edges: Sequence[Edge]) -> None:
    """What was derived from a chosen one: a derived node points to what it rests on."""
    for edge in edges:
        source = nodes.get(edge.source)
        if source is not None and source.is_inference and edge.target in chosen and edge.source not in chosen:
            chosen[edge.source] = "lineage"


def _orphans(
    chosen: dict[NodeId, str],
    picked: Mapping[Passage, None],
    nodes: Mapping[NodeId, Node],
    edges: Sequence[Edge],
    by_message: Mapping[MessageId, Sequence[Passage]],
) -> None:
    """People who are known from chosen sentences alone, and about whom nothing is left."""
    spoken_of = {who for ident, node in nodes.items() if ident not in chosen for who in (node.about, node.holder)}
    spoken_of |= {
        end for edge in edges if edge.source not in chosen and edge.target not in chosen for end in (edge.source, edge.target)
    }
    for ident, node in nodes.items():
        if node.type is not NodeType.PERSON or ident in chosen or ident in spoken_of or not node.surviving:
            continue
        spans = [proof.span for proof in node.surviving]
        if all(any(p in picked for p in by_message.get(s.message, ()) if p.overlaps(s.start, s.end)) for s in spans):
            chosen[ident] = "orphan"


# -- covering -----------------------------------------------------------------------------------------------------------


def spans_to_cover(
    picked: Iterable[Passage], nodes: Mapping[NodeId, Node], gone: AbstractSet[NodeId], texts: Mapping[MessageId, str]
) -> list[Span]:
    """The words of these sentences, but for those that a remaining node rests on."""
    going: dict[MessageId, list[tuple[int, int]]] = defaultdict(list)
    kept: dict[MessageId, list[tuple[int, int]]] = defaultdict(list)
    for ident, node in nodes.items():
        if node.type is NodeType.PERSON and ident in gone:
            continue
        for proof in node.surviving:
            (going if ident in gone else kept)[proof.span.message].append((proof.span.start, proof.span.end))
    for message, places in kept.items():
        # a name inside what goes stays; what goes inside something longer goes
        kept[message] = [
            piece
            for start, end in places
            for piece in _minus((start, end), (g for g in going[message] if not (g[0] <= start and end <= g[1])))
        ]
    spans: list[Span] = []
    for passage in picked:
        for start, end in _minus((passage.start, passage.end), kept[passage.message]):
            words = texts[passage.message][start:end]
            letters = [match.start() for match in _LETTER.finditer(words)]
            if letters:
                # the mark that ends the sentence stays: the next one must not grow into what is left of this one
                spans.append(Span(passage.message, start, start + letters[-1] + 1))
    return sorted(set(spans), key=lambda s: (s.message, s.start, s.end))


def _minus(whole: tuple[int, int], taken: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    left = [whole]
    for start, end in taken:
        left = [
            piece for one, other in left for piece in ((one, min(other, start)), (max(one, end), other)) if piece[0] < piece[1]
        ]
    return list(dict.fromkeys(left))


# -- the rule -----------------------------------------------------------------------------------------------------------

Keyed = Callable[[str], str]
"""A stem as its keyed hash."""


def keyed_stems(id_key: IdKey) -> Keyed:
    """Stems as rules hold them, the same in every home that shares the id key. It remembers: make one for a piece of work."""
    known: dict[str, str] = {}

    def keyed(stem: str) -> str:
        if stem not in known:
            known[stem] = id_key.hash("forgotten", stem)
        return known[stem]

    return keyed


def rule_statements(
    asked: AskedTopic,
    picked: Iterable[Passage],
    spans: Sequence[Span],
    texts: Mapping[MessageId, str],
    *,
    keyed: Keyed,
    stemmer: Stemmer,
) -> tuple[frozenset[str], ...]:
    """What keeps these sentences out: the stems of each as hashes, without those of the words that stay. One stem alone counts
    only where the topic names it.
    """
    main = asked.main()
    found: dict[frozenset[str], None] = {}
    for passage in picked:
        hidden = [(s.start, s.end) for s in spans if s.message == passage.message and passage.overlaps(s.start, s.end)]
        left = [texts[passage.message][start:end] for start, end in _minus((passage.start, passage.end), hidden)]
        stems = passage.stems - {stem for words in left for stem in stemmer.stems(words)}
        if hidden and (len(stems) > 1 or any(term.among(stems) for term in main)):
            found[frozenset(keyed(stem) for stem in stems)] = None
    return tuple(sorted((each for each in found if each), key=sorted))


def matching_places(
    text: str, statements: Sequence[AbstractSet[str]], *, keyed: Keyed, stemmer: Stemmer
) -> list[tuple[int, int]]:
    """The parts of ``text`` that say one of these statements: of each sentence that does, the fewest neighbouring pieces
    between its commas that say it.
    """
    found: list[tuple[int, int]] = []
    for start, end in sentences(text):
        said = {keyed(stem) for stem in stemmer.stems(text[start:end])}
        hits = [statement for statement in statements if statement <= said]
        if not hits:
            continue
        pieces = [(start + m.start(), start + m.end()) for m in _PIECE.finditer(text[start:end])]
        stems = [{keyed(stem) for stem in stemmer.stems(text[a:b])} for a, b in pieces]
        found.extend(_fewest(pieces, stems, statement) or (start, end) for statement in hits)
    return sorted(set(found))


def _fewest(
    pieces: Sequence[tuple[int, int]], stems: Sequence[AbstractSet[str]], statement: AbstractSet[str]
) -> tuple[int, int] | None:
    for width in range(1, len(pieces) + 1):
        for first in range(len(pieces) - width + 1):
            if statement <= set().union(*stems[first : first + width]):
                return pieces[first][0], pieces[first + width - 1][1]
    return None
