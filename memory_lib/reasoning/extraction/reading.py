"""What the extraction rules share: one message being read, with its drafts, and the small questions they ask of it."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
# ruff: noqa: PLR0913 - each part of a record is named at the call
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from memory_lib.domain.candidates import (
    OTHERS,
    SELF,
    Candidate,
    EdgeType,
    Modality,
    NodeType,
    Precision,
    Relation,
    Slot,
    Topic,
    Update,
    Valence,
)
from memory_lib.domain.clause import Clause, Cue
from memory_lib.domain.ids import MessageId
from memory_lib.domain.message import Message, Role, Unit
from memory_lib.domain.syntax import Parse
from memory_lib.reasoning.clauses.clause_links import with_modality
from memory_lib.reasoning.dates import DateMention
from memory_lib.reasoning.dates import Role as DateRole
from memory_lib.reasoning.extraction.extraction_params import ExtractionParams
from memory_lib.reasoning.extraction.parse_readings import ParseReading, ParseReadings
from memory_lib.reasoning.feelings.feeling import Feeling
from memory_lib.reasoning.people.person_mention import PersonMention
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark
from memory_lib.reasoning.updates.corrections import corrected
from memory_lib.reasoning.updates.updates import update_of

EVENT_NOUNS = frozenset(
    """
    собеседование экзамен встреча свадьба день рождение операция переезд концерт поездка рейс поезд самолет самолёт
    защита прием приём дедлайн выступление соревнование забег марафон отпуск свидание совещание зачет зачёт похороны
    юбилей презентация вылет конференция визит interview exam meeting wedding birthday surgery move concert trip flight
    train appointment deadline performance race marathon vacation date funeral anniversary presentation conference party
    game match recital test visit class show tournament competition event call
    """.split()
)
BODY = frozenset(
    """
    голова спина живот горло нога рука зуб сердце шея колено плечо глаз
    """.split()
)
UNREAL = (Modality.CONDITIONAL, Modality.FICTIONAL, Modality.JOKING, Modality.QUOTED)


@dataclass(slots=True)
class Draft:
    """A candidate in the making, with the clause it came from."""

    candidate: Candidate
    clause: Clause | None
    feeling: Feeling | None = None
    mention: PersonMention | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """A candidate's valid time and due date, as ISO 8601."""

    valid_from: str | None = None
    ends: str | None = None
    due: str | None = None
    precision: Precision = Precision.DAY


@dataclass(frozen=True, slots=True)
class Whom:
    """Whom a clause is about, as a candidate's ``about``; ``sure`` False = the words leave it to be guessed."""

    about: str
    name: str | None = None
    sure: bool = True
    by: str | None = None
    """Whose claim it is, where it is not the speaker's own."""


@dataclass(frozen=True, slots=True)
class EarlierStatement:
    """What the same speaker said before in the unit: content words and properties of one clause."""

    message: MessageId
    words: frozenset[str]
    slots: Mapping[str, str]


@dataclass
class Reading:
    """One message while it is read: its parse and clauses, and the drafts and relations found so far.

    ``updates``: of each clause, what it says of earlier statements; ``cues``: clauses that only announce a correction;
    ``namesakes``: names that several people of this message bear. ``by_clause``: clause index → place in ``drafts``. Made by ``open_reading``; rules add to it in a fixed order.
    """

    unit: Unit
    parses: Sequence[Parse]
    params: ExtractionParams
    message: Message
    parse: Parse
    text: str
    trees: Sequence[SentenceTree]
    clauses: Sequence[Clause]
    updates: Sequence[Update]
    cues: frozenset[int]
    mentions: Sequence[PersonMention]
    earlier: Sequence[EarlierStatement]
    before: Sequence[ParseReading]
    self_about: str
    holder: str
    drafts: list[Draft] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    by_clause: dict[int, int] = field(default_factory=dict)
    namesakes: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        told: dict[str, set[str]] = {}
        for mention in self.mentions:
            if mention.name and mention.apart:
                told.setdefault(mention.name, set()).add(mention.apart)
        self.namesakes = frozenset(name for name, ways in told.items() if len(ways) > 1)

    def words(self, clause: Clause) -> str:
        """The clause's own words, at their own places relative to its start."""
        tree = self.trees[clause.sentence]
        letters = [" "] * (clause.end - clause.start)
        for index in clause.own:
            token = tree[index]
            letters[token.start - clause.start : token.end - clause.start] = token.text
        return "".join(letters)

    def corrects(self, clause: Clause) -> bool:
        """Whether the clause puts right what was said before."""
        return self.updates[clause.index].corrects

    def lemmas(self, clause: Clause) -> list[str]:
        """Lemmas of the clause's words; "to book" is no book."""
        tree = self.trees[clause.sentence]
        words = [tree[index] for index in clause.own if not is_mark(tree[index])]
        return ["booking" if word.lemma == "book" and word.pos == "VERB" else word.lemma for word in words]

    def key(self, mention: PersonMention) -> str:
        """Another speaker's relatives are not the user's: "mom" of Melanie is kept apart from the user's own."""
        if self.message.role is Role.OTHER and not mention.name and self.message.speaker:
            return f"{mention.words} ({self.message.speaker})"
        if mention.name not in self.namesakes:
            return mention.key
        near = [m for m in self.mentions if m.name == mention.name and m.start <= mention.start and m.apart]
        apart = near[-1].apart if near else ""
        return f"{mention.key} ({apart})" if apart else mention.key

    def candidate(
        self,
        clause: Clause,
        node_type: NodeType,
        rule: str,
        whom: Whom,
        *,
        confidence: float,
        importance: float,
        topic: Topic,
        valence: Valence = Valence.NEUTRAL,
        intensity: float = 0.0,
        slot: Slot | None = None,
        modality: tuple[Modality, ...] | None = None,
        times: Times | None = None,
    ) -> Candidate:
        holder = self.holder
        when = times or Times()
        if clause.has(Modality.REPORTED):
            holder = whom.by or (whom.about if whom.about.startswith("person:") else OTHERS)
        return Candidate(
            type=node_type,
            content=self.text[clause.start : clause.end],
            start=clause.start,
            end=clause.end,
            rule=rule,
            confidence=confidence,
            importance=importance,
            valence=valence,
            intensity=intensity,
            topic=topic,
            slot=slot,
            modality=modality if modality is not None else tuple(found for found, _ in clause.modality),
            holder=holder,
            about=whom.about,
            about_name=whom.name
            if whom.name is not None
            else (self.message.speaker if self.message.role is Role.OTHER else None),
            due=when.due,
            valid_from=when.valid_from,
            ends=when.ends,
            precision=when.precision,
            polarity=not clause.negated
            or node_type is NodeType.EMOTIONAL_NOTE
            or (slot is not None and slot.key in {"dislike", "relationship"}),
            update=self.updates[clause.index],
        )

    def add(self, clause: Clause, candidate: Candidate, *, feeling: Feeling | None = None) -> None:
        if clause.index in self.by_clause or not candidate.content.strip():
            return
        if any(
            draft.clause is not None and draft.candidate.start <= candidate.start and candidate.end <= draft.candidate.end
            for draft in self.drafts
        ):
            return  # already told, inside a longer clause
        self.by_clause[clause.index] = len(self.drafts)
        self.drafts.append(Draft(candidate, clause, feeling))

    def relate(
        self,
        source: int | MessageId,
        target: int | MessageId,
        kind: EdgeType,
        confidence: float,
        start: int,
        end: int,
        rule: str,
    ) -> None:
        if source != target and 0 <= start < end <= len(self.text):
            self.relations.append(Relation(source, target, kind, confidence, start, end, rule))

    def drop(self, number: int) -> None:
        del self.drafts[number]
        self.by_clause = {clause: place - (place > number) for clause, place in self.by_clause.items() if place != number}

    def person_index(self, key: str) -> int | None:
        for number, draft in enumerate(self.drafts):
            if draft.mention is not None and self.key(draft.mention) == key:
                return number
        return None

    def confidence(self, clause: Clause, whom: Whom) -> float:
        p = self.params
        value = p.confidence_stated if whom.sure else p.confidence_implied
        for modality, limit in (
            (Modality.PLANNED, p.confidence_planned), (Modality.WISHED, p.confidence_wished), (Modality.REPORTED, p.confidence_reported),
            (Modality.HEDGED, p.confidence_hedged), (Modality.ASKED, p.confidence_hedged), *((unreal, p.confidence_unreal) for unreal in UNREAL),
        ):  # fmt: skip
            if clause.has(modality):
                value = min(value, limit)
        return value


def open_reading(
    unit: Unit, parses: Sequence[Parse], params: ExtractionParams, *, readings: ParseReadings | None = None
) -> Reading:
    """The unit's own message, ready for the rules. ``readings``: what is kept of parses from one unit to the next."""
    kept = readings or ParseReadings(kept=len(parses))
    before = [kept.of(parse) for parse in parses[:-1]]
    own = kept.of(parses[-1])
    about, holder = speaker_of(unit.message)
    meant = corrected(_in_the_game(unit, before, own), own.trees, unit.message.text, language=own.parse.language)
    return Reading(
        unit=unit,
        parses=parses,
        params=params,
        message=unit.message,
        parse=own.parse,
        text=unit.message.text,
        trees=own.trees,
        clauses=[each.clause for each in meant],
        updates=[update_of(each, own.trees[each.clause.sentence]) for each in meant],
        cues=frozenset(place for place, each in enumerate(meant) if each.only_cue),
        mentions=own.mentions(known_names(before)),
        earlier=earlier_statements(unit, before),
        before=before,
        self_about=about,
        holder=holder,
    )


def _in_the_game(unit: Unit, before: Sequence[ParseReading], own: ParseReading) -> tuple[Clause, ...]:
    """The message's clauses; while a game of make-believe from an earlier message goes on, what is said is said in it."""
    playing = False
    for message, reading in zip(unit.before, before, strict=False):
        if same_speaker(message, unit.message):
            playing = reading.game.goes_on(before=playing)
    if not playing:
        return own.clauses
    over = own.game.over
    cue = Cue(own.parse.sentences[0].start, own.parse.sentences[-1].end)
    return tuple(
        with_modality(clause, Modality.FICTIONAL, cue) if over is None or clause.start < over else clause
        for clause in own.clauses
    )


def known_names(before: Sequence[ParseReading]) -> frozenset[str]:
    """Names that the unit's earlier messages use of people."""
    known: frozenset[str] = frozenset()
    for reading in before:
        known |= {mention.name for mention in reading.mentions(known) if mention.name}
    return known


def earlier_statements(unit: Unit, before: Sequence[ParseReading]) -> list[EarlierStatement]:
    """Earlier statements of the same speaker: message, content words, slots."""
    return [
        EarlierStatement(message.id, said.words, said.slots)
        for message, reading in zip(unit.before, before, strict=False)
        if same_speaker(message, unit.message)
        for said in reading.statements(message.text)
    ]


def speaker_of(message: Message) -> tuple[str, str]:
    """(about, holder) of what the speaker says of themselves."""
    if message.role is Role.USER:
        return SELF, SELF
    about = f"person:{message.speaker}" if message.speaker else OTHERS
    return about, about


def same_speaker(one: Message, other: Message) -> bool:
    """Whether both messages are one person's."""
    return one.role is other.role and one.speaker == other.speaker


def times_of(date: DateMention | None) -> Times:
    """A mention's times as a candidate carries them."""
    if date is None:
        return Times()
    ends = None if date.ends is None else date.ends.isoformat()
    if date.role is DateRole.UNTIL:
        return Times(ends=date.begin.isoformat(), precision=date.precision)
    return Times(valid_from=date.begin.isoformat(), ends=ends, precision=date.precision)


def end_of(date: DateMention) -> datetime:
    """When the mentioned period is over."""
    days = {
        Precision.MINUTE: 0,
        Precision.DAY: 1,
        Precision.WEEK: 7,
        Precision.MONTH: 28,
        Precision.SEASON: 90,
        Precision.YEAR: 365,
    }
    try:
        return date.ends or date.begin + timedelta(days=days[date.precision], minutes=1)
    except OverflowError:
        return date.begin


def midnight(message: Message) -> datetime:
    """When the message's own day began, on the person's wall."""
    return message.time.replace(hour=0, minute=0, second=0, microsecond=0)


def is_time(tree: SentenceTree, index: int) -> bool:
    """Whether that noun only names a stretch of time."""
    return tree[index].lemma in {
        "day",
        "week",
        "month",
        "year",
        "time",
        "moment",
        "день",
        "неделя",
        "месяц",
        "год",
        "время",
        "момент",
        "утро",
        "вечер",
    }
