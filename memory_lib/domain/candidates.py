"""What a reasoner proposes from one unit, before anybody decides whether it is new (CONTRACTS, Ids; DESIGN §2).

A candidate says what was said, by which words (a span in code points of the message's stored text), and how sure the reasoner
is. It names no node: whether it creates one or attaches to one is decided later, in event order, by a policy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from memory_lib.domain.ids import MessageId
from memory_lib.errors import IllegalValue


class NodeType(StrEnum):
    """The six kinds of node (seed §3.2). ``hypothesis`` comes from sleep only."""

    FACT = "fact"
    EVENT = "event"
    EMOTIONAL_NOTE = "emotional_note"
    PERSON = "person"
    OPEN_LOOP = "open_loop"
    HYPOTHESIS = "hypothesis"


class EdgeType(StrEnum):
    """The five typed relations (seed §3.2). ``caused_by`` points from effect to cause."""

    CAUSED_BY = "caused_by"
    FOLLOWED_BY = "followed_by"
    REINFORCES = "reinforces"
    CONTRADICTS = "contradicts"
    ASSOCIATED_WITH = "associated_with"


class Valence(StrEnum):
    """The colour of an emotional note."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
    NEUTRAL = "neutral"


class Topic(StrEnum):
    """The closed list of topics; health remarks are ``other`` (never a label of their own)."""

    WORK = "work"
    FAMILY = "family"
    RELATIONSHIPS = "relationships"
    HOME = "home"
    HOBBIES = "hobbies"
    LEARNING = "learning"
    TRAVEL = "travel"
    FOOD = "food"
    MONEY = "money"
    PETS = "pets"
    OTHER = "other"


class Modality(StrEnum):
    """How a clause is meant; a set, because "I think I might not" is hedged and negated."""

    ASSERTED = "asserted"
    NEGATED = "negated"
    HEDGED = "hedged"
    PLANNED = "planned"
    WISHED = "wished"
    ORDERED = "ordered"
    ASKED = "asked"
    CONDITIONAL = "conditional"
    REPORTED = "reported"
    QUOTED = "quoted"
    FICTIONAL = "fictional"
    JOKING = "joking"


class Precision(StrEnum):
    """How exactly a time was given; what is not stated is the start of the period."""

    MINUTE = "minute"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"


SELF = "self"
OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Span:
    """Code points ``start`` (included) to ``end`` (excluded) of one message's stored text."""

    message: MessageId
    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise IllegalValue(f"a span must run forward over at least one character, got {self.start}..{self.end}")


@dataclass(frozen=True, slots=True)
class Slot:
    """A named property with one value, like ``employer=Siemens``. ``single``: a new value closes the old one."""

    key: str
    value: str
    single: bool = True


class Settling(StrEnum):
    """How a statement settles an open loop: done by the person, come from elsewhere, decided, or not to be done any more."""

    DONE = "done"
    ARRIVED = "arrived"
    DECIDED = "decided"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What a statement says of earlier ones, beside its own slot. Words are lemmas in lower case, none of them kept on a node.

    ``slots``: keys of properties that are over without a new value ("I quit": job, employer); ``ended``: words of what is no
    longer so ("sold the car": car), each alone; ``denied``: words taken back ("not Monday"), all together; ``corrects``: said
    to put right what was said before; ``adds``: said as one more ("also", "another"), it ends no value; ``changes``: said as
    new ("now"); ``settles``: how it may settle what was left open (None: in no way), by the lemmas in ``settled``.
    """

    slots: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    corrects: bool = False
    adds: bool = False
    changes: bool = False
    settles: Settling | None = None
    settled: tuple[str, ...] = ()


NO_UPDATE = Update()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing said. All spans lie in the unit's own message.

    ``about`` / ``holder``: ``"self"``, ``"others"``, or ``"person:<name>"`` (a person candidate's ``name`` attribute; formation
    turns it into the person's node id). ``valid_from``, ``ends``, ``due``: full local date-times in the message's own offset
    (``2026-05-01T00:00:00+03:00``) or None. ``polarity`` False = the statement is denied. ``attributes``: short strings.
    """

    type: NodeType
    content: str
    start: int
    end: int
    rule: str
    confidence: float
    importance: float = 0.5
    valence: Valence = Valence.NEUTRAL
    intensity: float = 0.0
    stated: bool = True
    topic: Topic = Topic.OTHER
    slot: Slot | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    modality: tuple[Modality, ...] = (Modality.ASSERTED,)
    holder: str = SELF
    about: str = SELF
    about_name: str | None = None
    due: str | None = None
    valid_from: str | None = None
    precision: Precision = Precision.DAY
    ends: str | None = None
    polarity: bool = True
    pinned: bool = False
    update: Update = NO_UPDATE

    def __post_init__(self) -> None:
        if self.type is NodeType.HYPOTHESIS:
            raise IllegalValue("a reasoner over messages may not propose a hypothesis; those come from sleep")
        if not 0 <= self.start < self.end:
            raise IllegalValue(f"candidate span {self.start}..{self.end} does not run forward")
        for name, value in (("confidence", self.confidence), ("importance", self.importance), ("intensity", self.intensity)):
            if not 0.0 <= value <= 1.0:
                raise IllegalValue(f"candidate {name} {value} is outside 0..1")


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed relation the text states, from candidate ``source`` to candidate ``target`` (indices in this extraction).

    Either one, never both, may instead be the id of an earlier message of the unit: then it means the candidate of that message
    which is closest in kind (formation resolves it). An answer to "why?" names an earlier message as ``source``: the effect was
    told there. ``start``/``end``: the words in the unit's own message that carry the relation.
    """

    source: int | MessageId
    target: int | MessageId
    type: EdgeType
    confidence: float
    start: int
    end: int
    rule: str

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise IllegalValue(f"relation span {self.start}..{self.end} does not run forward")
        if not 0.0 <= self.confidence <= 1.0:
            raise IllegalValue(f"relation confidence {self.confidence} is outside 0..1")
        if not isinstance(self.source, int) and not isinstance(self.target, int):
            raise IllegalValue("a relation must have one end in the message it was read from, got two earlier messages")


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that a reasoner found in one unit. ``reasoner`` and ``version`` say who thought; ``language`` is ``ru`` or ``en``.

    ``worth`` False: nothing of it is worth remembering, as far as the judge of worth can tell; what is plain stays a residual.
    """

    unit_id: str
    message: MessageId
    candidates: tuple[Candidate, ...]
    relations: tuple[Relation, ...]
    reasoner: str
    version: str
    language: str
    worth: bool = True

    def __post_init__(self) -> None:
        count = len(self.candidates)
        for relation in self.relations:
            for place in (relation.source, relation.target):
                if isinstance(place, int) and not 0 <= place < count:
                    raise IllegalValue(f"relation names candidate {place} of {count}")
