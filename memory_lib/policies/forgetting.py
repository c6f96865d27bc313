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
from itertools import pairwise

from memory_lib.domain.candidates import EdgeType, NodeType, Span
from memory_lib.domain.ids import IdKey, MessageId, NodeId
from memory_lib.domain.node import Edge, Node, ProofKind
from memory_lib.policies.covering import COVER
from memory_lib.policies.person_names import person_names
from memory_lib.policies.statement_words import akin
from memory_lib.policies.stems import Stemmer, StemParams
from memory_lib.policies.word_families import FEMALE, KINDS, begins, family_of, of_one_root

_SENTENCE = re.compile(r"[^.!?…\n\r]*[.!?…]+[\"»”')]*(?=\s|$)|[^\n\r]+?(?=[.!?…]+[\"»”')]*\s|[\n\r]|$)|[^\n\r]+")
_PIECE = re.compile(r"[^,;:()—–]+")
_LETTER = re.compile(r"[^\W_]")
_NAMES = re.compile(r"[A-ZА-ЯЁ][^\W_]*(?:[ -][A-ZА-ЯЁ][^\W_]*)*")
_NAME = re.compile(r"[A-ZА-ЯЁ][^\W_]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetParams:
    """``word_share``: share of a topic's weight that words must hold to decide alone; ``some_words`` and
    ``meaning_with_words``: share and calibrated cosine that decide together; ``meaning``: cosine that decides alone, for what
    has ``meaning_stems`` content words or more. ``person_share``: share of a topic's own words (kinds apart) that a person's
    names must hold, so that everything about them goes. ``kind_weight``: of a word that only says of what kind something is.
    ``embedded``: passages that are compared by meaning at most. ``turns_meant``: for how many further turns of people a pronoun
    still means who was named.
    """

    word_share: float
    some_words: float
    meaning_with_words: float
    meaning: float
    meaning_stems: int
    person_share: float
    kind_weight: float
    embedded: int
    turns_meant: int
    stems: StemParams


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a message: its place and content stems. ``pronoun``: "it" where it begins with a word that means what was
    said before, "he" or "she" where it speaks of somebody without a name. ``asks``: a question.
    """

    message: MessageId
    start: int
    end: int
    stems: frozenset[str]
    pronoun: str = ""
    asks: bool = False

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
    found: list[Passage] = []
    for start, end in sentences(text):
        words = text[start:end]
        folded = words.casefold()
        pronoun = "it" if _IT.match(folded) else "he" if _HE.search(folded) else "she" if _SHE.search(folded) else ""
        stems = frozenset(said_stems(words, stemmer=stemmer))
        found.append(Passage(message, start, end, stems, pronoun, words.endswith("?")))
    return found


_IT = re.compile(
    r"\W*(?:(?:and|but|so|well|а|и|но|ну|да|вот)\W+)?"
    r"(?:it|this|that|these|those|it's|that's|это|этот|эта|эти|этого|этому|такой|такая|такое|такие)\b"
)
_HE = re.compile(r"\b(?:he|him|his|он|него|нему|ним|нем|нём)\b")
_SHE = re.compile(r"\b(?:she|her|hers|она|нее|неё|ней)\b")
_PARTICLE = re.compile(r"\bмол\b", re.IGNORECASE)


def said_stems(words: str, *, stemmer: Stemmer) -> list[str]:
    """Content stems, without the particle that has the stem of "молиться"."""
    return stemmer.stems(_PARTICLE.sub(" ", words))


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
        ) or of_one_root(self.stem, stems)

    @property
    def kind(self) -> bool:
        return self.stem in KINDS


_SHORTEST_NAME = 3
_CASE = re.compile(r"(?:[аеиоуыэюяьй][а-я]?|e?s|e|i|y)?")


def _case_of(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _SHORTEST_NAME and long.startswith(short) and _CASE.fullmatch(long[len(short) :]) is not None


@dataclass(frozen=True, slots=True)
class AskedTopic:
    """``weights``: of each term that the person's own words know; of all terms where they know mere kinds. ``parts``: the
    same for each of several things that are named side by side ("church and prayers"), and for names of what is no person.
    """

    weights: Mapping[Term, float]
    parts: tuple[Mapping[Term, float], ...] = ()

    def share(self, stems: Collection[str]) -> float:
        """How much of the topic, or of one of its parts, these words say, 0..1."""
        said = {term for term in self.weights if term.among(stems)}
        if not said:
            return 0.0
        return max(
            sum(w for term, w in part.items() if term in said) / total if (total := sum(part.values())) else 0.0
            for part in (self.weights, *self.parts)
        )

    def share_of_name(self, stems: Collection[str]) -> float:
        """The same over the words that are not mere kinds, where there are any."""
        own = {term: w for term, w in self.weights.items() if not term.kind} or dict(self.weights)
        total = sum(own.values())
        return sum(w for term, w in own.items() if term.among(stems)) / total if total else 0.0

    def main(self) -> tuple[Term, ...]:
        """The terms that are not mere kinds."""
        return tuple(term for term in self.weights if not term.kind)


_BESIDE = re.compile(r"[,;/]|\b(?:and|or|и|или)\b(?!\s+(?:his|her|their|its|его|ее|её|их)\b)", re.IGNORECASE)


def asked_topic(
    topic: str, said: Sequence[Passage], *, stemmer: Stemmer, params: ForgetParams, people: Collection[str] = ()
) -> AskedTopic:
    """Reads a topic against what the person's history says. Without a content word it names nothing. ``people``: stems of the
    names of people: what else is written with a capital names the matter alone.
    """
    terms: dict[frozenset[str] | str, Term] = {}
    named = {stem for word in _NAME.findall(topic) for stem in stemmer.name_stems(word)}
    for stem in stemmer.stems(topic):
        family = family_of(stem)
        terms.setdefault(family or stem, Term(stem, family, stem in named))
    counts = {term: sum(term.among(passage.stems) for passage in said) for term in terms.values()}
    known = {term: count for term, count in counts.items() if count}
    if all(term.kind for term in known):
        # "the trip to Lisbon" of somebody who never said Lisbon is not every trip
        known = {term: count or 1 for term, count in counts.items()}
    weights = {
        term: math.log1p(max(len(said), 1) / count) * (params.kind_weight if term.kind else 1.0)
        for term, count in known.items()
    }
    parts: list[Mapping[Term, float]] = []
    beside = _BESIDE.split(topic)
    for piece in beside if len(beside) > 1 else ():
        stems = set(stemmer.stems(piece))
        part = {term: weight for term, weight in weights.items() if term.stem in stems}
        if any(not term.kind for term in part):
            parts.append(part)
    first = next(iter(stemmer.name_stems(topic)), "")
    for name in _NAMES.findall(topic):
        stems = set(stemmer.name_stems(name)) - {first}
        part = {term: weight for term, weight in weights.items() if term.stem in stems and not term.kind}
        if part and not any(_case_of(term.stem, known) for term in part for known in people):
            parts.append(part)
    return AskedTopic(weights, tuple(parts))


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
    stems = {stem for text in words for stem in said_stems(text, stemmer=stemmer)}
    if node.type is NodeType.PERSON:
        stems |= _names(node, stemmer)
    return frozenset(stems)


def names_of_people(nodes: Iterable[Node], *, stemmer: Stemmer) -> frozenset[str]:
    """The stems of all names of people and pets, as the graph knows them."""
    return frozenset(
        stem
        for node in nodes
        if node.type is NodeType.PERSON
        for stem in (*_names(node, stemmer), *stemmer.name_stems(node.content))
    )


def _names(node: Node, stemmer: Stemmer) -> frozenset[str]:
    who = person_names(node.attributes, node.content)
    words = [word for name in who.names for word in name] + sorted(who.fulls)
    return frozenset(stem for word in words for stem in stemmer.name_stems(word))


@dataclass(frozen=True, slots=True)
class Talk:
    """How the sentences follow one another. ``texts``: of the messages, for what nodes rest on. ``replies``: of a person's
    message → what the assistant answered. ``turns``: of each conversation what people said, in order.
    """

    texts: Mapping[MessageId, str]
    replies: Mapping[MessageId, MessageId]
    turns: Sequence[Sequence[MessageId]]


NO_TALK = Talk({}, {}, ())


def choose(
    asked: AskedTopic,
    *,
    nodes: Mapping[NodeId, Node],
    edges: Iterable[Edge],
    said: Sequence[Passage],
    meaning: Meaning,
    stemmer: Stemmer,
    params: ForgetParams,
    talk: Talk = NO_TALK,
) -> Chosen:
    """Everything that the topic names, and what rests on it or on its words."""
    linked = list(edges)
    stems = {ident: node_stems(node, stemmer=stemmer) for ident, node in nodes.items()}
    chosen: dict[NodeId, str] = {}
    for ident, node in nodes.items():
        reason = _named(asked, node, stems[ident], meaning(ident), stemmer=stemmer, params=params)
        if reason is None and _rests_on_topic(asked, node, talk.texts, stemmer=stemmer, params=params):
            reason = "words"
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
    _answers(picked, by_message, talk.replies)
    meant = _follow(asked, picked, by_message, talk.turns, nodes, stemmer=stemmer, params=params)
    chosen.update(dict.fromkeys((ident for ident in _within(meant, nodes) if ident not in chosen), "same_words"))
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


def _rests_on_topic(
    asked: AskedTopic, node: Node, texts: Mapping[MessageId, str], *, stemmer: Stemmer, params: ForgetParams
) -> bool:
    """Whether words that a node rests on name the topic, though its content does not."""
    return node.type is not NodeType.PERSON and any(
        asked.share(said_stems(texts.get(proof.span.message, "")[proof.span.start : proof.span.end], stemmer=stemmer))
        >= params.word_share
        for proof in node.surviving
    )


def _answers(
    picked: dict[Passage, None], by_message: Mapping[MessageId, Sequence[Passage]], replies: Mapping[MessageId, MessageId]
) -> None:
    """All of an answer, where all that was asked is the topic and the answer speaks of it."""
    for asked, reply in replies.items():
        question, answer = by_message.get(asked, ()), by_message.get(reply, ())
        told = [p for p in question if p.stems]
        if any(p.asks for p in told) and all(p in picked for p in told) and any(p in picked for p in answer):
            picked.update(dict.fromkeys(p for p in answer if any(not stem.isdigit() for stem in p.stems)))


def _within(meant: Iterable[Passage], nodes: Mapping[NodeId, Node]) -> list[NodeId]:
    """Memories that rest on these sentences alone."""
    places: dict[MessageId, list[Passage]] = defaultdict(list)
    for passage in meant:
        places[passage.message].append(passage)
    return [
        ident
        for ident, node in nodes.items()
        if node.type is not NodeType.PERSON
        and node.surviving
        and all(any(p.overlaps(at.span.start, at.span.end) for p in places[at.span.message]) for at in node.surviving)
    ]


def _follow(
    asked: AskedTopic,
    picked: dict[Passage, None],
    by_message: Mapping[MessageId, Sequence[Passage]],
    turns: Sequence[Sequence[MessageId]],
    nodes: Mapping[NodeId, Node],
    *,
    stemmer: Stemmer,
    params: ForgetParams,
) -> dict[Passage, None]:
    """Picks sentences that mean the one before them ("It was humiliating"); where the topic is somebody, also those of the same
    and the next thing said that speak of them without a name. Gives those picked.
    """
    meant: dict[Passage, None] = {}
    for told in by_message.values():
        for before, after in pairwise(told):
            if before in picked and after not in picked and after.pronoun == "it":
                picked[after] = meant[after] = None
    people = names_of_people(nodes.values(), stemmer=stemmer)
    if not asked.weights or not all(term.kind or any(_case_of(term.stem, name) for name in people) for term in asked.weights):
        return meant
    kinds = [term.stem for term in asked.weights if term.kind]
    pronouns = {"he", "she"} if not kinds else {"she"} if any(stem in FEMALE for stem in kinds) else {"he"}
    others = {name for name in people if not any(term.among((name,)) for term in asked.weights)}
    for spoken in turns:
        since = params.turns_meant
        for message in spoken:
            for passage in by_message.get(message, ()):
                named = passage in picked
                if not named and (
                    since >= params.turns_meant or passage.pronoun not in pronouns or not passage.stems.isdisjoint(others)
                ):
                    continue
                if not named:
                    picked[passage] = meant[passage] = None
                since = -1
            since += 1
    return meant


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
