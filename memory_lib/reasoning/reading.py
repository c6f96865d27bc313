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
    Valence,
)
from memory_lib.domain.clause import Clause
from memory_lib.domain.ids import MessageId
from memory_lib.domain.message import Message, Role, Unit
from memory_lib.domain.syntax import Parse
from memory_lib.reasoning.clauses import clauses_of
from memory_lib.reasoning.dates import DateMention
from memory_lib.reasoning.dates import Role as DateRole
from memory_lib.reasoning.extraction_params import ExtractionParams
from memory_lib.reasoning.feelings import Feeling
from memory_lib.reasoning.person_mentions import PersonMention, person_mentions
from memory_lib.reasoning.sentence_tree import SentenceTree, is_mark
from memory_lib.reasoning.slots import slots_of

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
EMPTY_LEMMAS = frozenset(
    """
    be have do will would can could should may might must i you he she it we they my your his her our their this that
    not no the a an and or but so if to of in on at for with about from as by again still now really actually also too
    very just more any much get go быть я ты он она оно мы вы они мой твой свой наш ваш этот тот не нет и а но или да
    что как в на с у к по из за о об от до для же ли бы снова опять теперь сейчас уже еще ещё больше самый дело очень
    просто это весь тоже также правда
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


@dataclass(frozen=True, slots=True)
class EarlierStatement:
    """What the same speaker said before in the unit: content words and properties of one clause."""

    message: MessageId
    words: frozenset[str]
    slots: Mapping[str, str]


@dataclass
class Reading:
    """One message while it is read: its parse and clauses, and the drafts and relations found so far.

    ``by_clause``: clause index → place in ``drafts``. Made by ``open_reading``; rules add to it in a fixed order.
    """

    unit: Unit
    parses: Sequence[Parse]
    params: ExtractionParams
    message: Message
    parse: Parse
    text: str
    trees: Sequence[SentenceTree]
    clauses: Sequence[Clause]
    mentions: Sequence[PersonMention]
    earlier: Sequence[EarlierStatement]
    self_about: str
    holder: str
    drafts: list[Draft] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    by_clause: dict[int, int] = field(default_factory=dict)

    def words(self, clause: Clause) -> str:
        """The clause's own words, at their own places relative to its start."""
        tree = self.trees[clause.sentence]
        letters = [" "] * (clause.end - clause.start)
        for index in clause.own:
            token = tree[index]
            letters[token.start - clause.start : token.end - clause.start] = token.text
        return "".join(letters)

    def lemmas(self, clause: Clause) -> list[str]:
        """Lemmas of the clause's words; "to book" is no book."""
        tree = self.trees[clause.sentence]
        words = [tree[index] for index in clause.own if not is_mark(tree[index])]
        return ["booking" if word.lemma == "book" and word.pos == "VERB" else word.lemma for word in words]

    def key(self, mention: PersonMention) -> str:
        """Another speaker's relatives are not the user's: "mom" of Melanie is kept apart from the user's own."""
        if self.message.role is Role.OTHER and not mention.name and self.message.speaker:
            return f"{mention.words} ({self.message.speaker})"
        return mention.key

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
            holder = whom.about if whom.about.startswith("person:") else OTHERS
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
            polarity=not clause.negated or node_type is NodeType.EMOTIONAL_NOTE or (slot is not None and slot.key == "dislike"),
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
        self, source: int, target: int | MessageId, kind: EdgeType, confidence: float, start: int, end: int, rule: str
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


def open_reading(unit: Unit, parses: Sequence[Parse], params: ExtractionParams) -> Reading:
    """The unit's own message, ready for the rules."""
    parse = parses[-1]
    about, holder = speaker_of(unit.message)
    return Reading(
        unit=unit,
        parses=parses,
        params=params,
        message=unit.message,
        parse=parse,
        text=unit.message.text,
        trees=[SentenceTree(sentence) for sentence in parse.sentences],
        clauses=clauses_of(parse),
        mentions=person_mentions(parse, known=known_names(unit, parses)),
        earlier=earlier_statements(unit, parses),
        self_about=about,
        holder=holder,
    )


def known_names(unit: Unit, parses: Sequence[Parse]) -> frozenset[str]:
    """Names that the unit's earlier messages use of people."""
    known: frozenset[str] = frozenset()
    for _, parse in zip(unit.before, parses, strict=False):
        known |= {mention.name for mention in person_mentions(parse, known=known) if mention.name}
    return known


def earlier_statements(unit: Unit, parses: Sequence[Parse]) -> list[EarlierStatement]:
    """Earlier statements of the same speaker: message, content words, slots."""
    found: list[EarlierStatement] = []
    for message, parse in zip(unit.before, parses, strict=False):
        if not same_speaker(message, unit.message):
            continue
        for clause in clauses_of(parse):
            if clause.has(Modality.ASKED):
                continue
            tree = SentenceTree(parse.sentences[clause.sentence])
            words = content_words([tree[i].lemma for i in clause.own if not is_mark(tree[i])])
            slots: dict[str, str] = {}
            if tree.sentence.has_tree:
                said = message.text[clause.start : clause.end]
                slots = {slot.key: slot.value for slot in slots_of(clause, tree, said, dated=None)}
            if words:
                found.append(EarlierStatement(message.id, words, slots))
    return found


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


def content_words(lemmas: Sequence[str]) -> frozenset[str]:
    """Lemmas that say what a statement is about."""
    return frozenset(lemma for lemma in lemmas if lemma not in EMPTY_LEMMAS and len(lemma) > 2)


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
