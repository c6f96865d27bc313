"""The clause: the one record that all offline rules read. Made from a parse, never from raw text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memory_lib.domain.candidates import Modality
from memory_lib.domain.syntax import Language


class PredicateKind(StrEnum):
    """What carries the clause: a verb, a noun, a state, a must, or nothing (a fragment)."""

    VERB = "verb"
    NOMINAL = "nominal"
    ADJECTIVAL = "adjectival"
    MODAL = "modal"
    FRAGMENT = "fragment"


class Who(StrEnum):
    """Whom a clause is said of, before persons are resolved."""

    SELF = "self"
    GROUP = "group"
    """We: the speaker among others."""
    ADDRESSEE = "addressee"
    PERSON = "person"
    """A named person, a relation word, or a third-person pronoun."""
    THING = "thing"
    OTHERS = "others"
    """Nobody named: "they fired him", "уволили"."""
    NONE = "none"


class Tense(StrEnum):
    """The predicate's time, from its own form and its auxiliaries."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"
    NONE = "none"


class LinkKind(StrEnum):
    """How a clause hangs on its parent. ``BECAUSE``: it is the parent's cause; ``THEREFORE``: it is the parent's effect."""

    BECAUSE = "because"
    THEREFORE = "therefore"
    FEELING = "feeling"
    """The content of a feeling ("glad that …"): a cause too."""
    COLON = "colon"
    CONDITION = "condition"
    WHEN = "when"
    AFTER = "after"
    """It comes before the parent in time ("after we moved, …")."""
    BEFORE = "before"
    THEN = "then"
    """It comes after the parent in time ("…, then we moved")."""
    CONTRAST = "contrast"
    AND = "and"


class Mark(StrEnum):
    """Words by which a clause speaks of what was said or true before."""

    ADDITION = "addition"
    NOW = "now"
    NO_LONGER = "no_longer"
    AGAIN = "again"
    ACTUALLY = "actually"
    THEN = "then"


@dataclass(frozen=True, slots=True)
class Cue:
    """Words in the message that carry a reading. Code points of the message."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Subject:
    """``token``: index in the sentence, None where the verb alone tells. ``inherited``: taken over from the clause before."""

    who: Who
    token: int | None = None
    inherited: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """``parent``: index of the clause it hangs on, in the same list; ``cue``: the words that say so."""

    kind: LinkKind
    parent: int
    cue: Cue


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One predicate with its own words, negation and hedge.

    ``sentence``: index in the parse; ``start``/``end``: code points of the message, trimmed of joining words and marks;
    ``head``: the predicate's token; ``own``: its tokens, in order; ``modality``: each reading with the words that carry it;
    ``negated``: the predicate's own negation; ``experiencer``: token of "мне", "у меня", or None; ``opener``: the span of a
    joining word at its start, if any.
    """

    index: int
    language: Language
    sentence: int
    start: int
    end: int
    head: int
    own: tuple[int, ...]
    kind: PredicateKind
    subject: Subject
    experiencer: int | None
    tense: Tense
    perfect: bool
    modality: tuple[tuple[Modality, Cue], ...]
    negated: bool
    link: Link | None
    marks: tuple[tuple[Mark, Cue], ...]

    def has(self, modality: Modality) -> bool:
        return any(found is modality for found, _ in self.modality)

    def mark(self, mark: Mark) -> Cue | None:
        """The words of that mark, or None."""
        return next((cue for found, cue in self.marks if found is mark), None)
