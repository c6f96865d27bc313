"""Words for statements and for what binds them: quotes, dates, reservations, connectives (CONTRACTS, Language)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_lib.domain.candidates import EdgeType, NodeType
from memory_lib.domain.node import NodeState
from memory_lib.reasoning.prose import prose_dates
from memory_lib.reasoning.prose.composable import ComposeParams
from memory_lib.reasoning.prose.prose_templates import RELATION_WORDS, Prose, Told
from memory_lib.reasoning.prose.quoting import Language, is_readable, name_or_quote, quote
from memory_lib.reasoning.prose.statements import Statement, denies


@dataclass(frozen=True, slots=True)
class Hop:
    """One "because": the cause that the chain goes on with, and further causes told beside it."""

    main: Statement
    confidence: float
    beside: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Teller:
    """Words for units: pure functions of items under one language, one instant and one set of parameters."""

    prose: Prose
    language: Language
    now: datetime
    params: ComposeParams

    def day(self, at: datetime) -> str:
        return prose_dates.day(at, language=self.language, this_year=self.now.year)

    def name_of(self, item: Statement) -> str:
        name = item.node.attributes.get("name", "")
        return name if is_readable(name) else item.node.content

    def about(self, item: Statement) -> str:
        """The name of the other person a statement is about, ready to be told; "" where there is none."""
        name = item.node.about_name
        return self.named(name) if name is not None and is_readable(name) else ""

    def said(self, item: Statement, limit: int) -> str:
        return quote(item.node.content, limit=limit, language=self.language)

    def named(self, name: str) -> str:
        return name_or_quote(name, language=self.language)

    def relation(self, item: Statement) -> str:
        """Who a person is to the one remembered ("colleague"), or "" where that is not known."""
        said = item.node.attributes.get("relation", "")
        if not said.strip() or said.strip().casefold() == self.name_of(item).strip().casefold():
            return ""  # a person without a name is called by the relation
        known = RELATION_WORDS[self.language].get(said.strip().casefold())
        return known or quote(said, limit=self.params.short_quote_chars, language=self.language)

    def head(self, item: Statement) -> tuple[str, Told]:
        """The words that open a sentence about an item, and what they already express."""
        if item.pinned:
            told = Told.PINNED
        elif item.told in {Told.HYPOTHESIS, Told.NOTICED}:
            told = item.told
        elif item.closed:
            told = Told.CLOSED
        elif about := self.about(item):
            return self.prose.about.format(name=about), Told.ELSE
        elif item.node.about_name is not None or not item.node.about_self:
            told = Told.ELSE
        else:
            told = item.told
        return self.prose.heads[told], told

    def notes(self, item: Statement, *, head: Told, date: bool = True, disputed: bool = True) -> list[str]:
        """What must be said beside the quote: its date, reservations that ``head`` does not express, other times.

        ``disputed`` False: the sentence itself says that it is.
        """
        node, prose = item.node, self.prose
        notes = [self.day(node.created_at)] if date else []
        if head is not Told.PINNED and item.pinned:
            notes.append(prose.marks[Told.PINNED])
        if item.told is not head and item.told in prose.marks:
            notes.append(prose.marks[item.told])
        if head is not Told.ELSE:
            if about := self.about(item):
                notes.append(prose.about_mark.format(name=about))
            elif node.about_name is not None or not node.about_self:
                notes.append(prose.marks[Told.ELSE])
        notes += self.times(item)
        if not node.polarity and node.own_words and not denies(node.content):
            notes.append(prose.denied)
        if node.state is NodeState.DISPUTED and disputed:
            notes.append(prose.disputed)
        elif node.state is NodeState.STALE:
            notes.append(prose.stale)
        if node.confidence < self.params.unsure_below and item.told is not Told.HYPOTHESIS:
            notes.append(prose.unsure)
        return notes

    def times(self, item: Statement) -> list[str]:
        """When it is due, when it was or will be true, until when it was true."""
        node, prose = item.node, self.prose
        told: list[str] = []
        due = next((member.due for member in item.members if member.due is not None), None)
        start = node.valid_from
        if due is not None:
            when = prose_dates.moment(due, language=self.language, this_year=self.now.year)
            past = due < self.now
            if item.told is Told.OPEN:
                told.append((prose.was_due if past else prose.due).format(when=when))
            else:
                told.append((prose.was_scheduled if past else prose.scheduled).format(when=when))
        elif start is not None and start.date() != node.created_at.date():
            if node.type is NodeType.FACT:
                ahead = start > self.now
                told.append(
                    prose_dates.since(start, node.precision, language=self.language, this_year=self.now.year, ahead=ahead)
                )
            else:
                when = prose_dates.period(start, node.precision, language=self.language, this_year=self.now.year)
                told.append(prose.when.format(when=when))
        if node.valid_until is not None:
            told.append(prose.until.format(when=self.day(node.valid_until)))
        return told

    def noted(self, item: Statement, limit: int, *, head: Told, date: bool = True, disputed: bool = True) -> str:
        """The quote (or the person's name) with its notes in brackets."""
        if item.node.type is NodeType.PERSON:
            words = ", ".join(filter(None, (self.named(self.name_of(item)), self.relation(item))))
            return f"{words} ({self.day(item.node.created_at)})" if date else words
        notes = self.notes(item, head=head, date=date, disputed=disputed)
        quoted = self.said(item, limit)
        return f"{quoted} ({'; '.join(notes)})" if notes else quoted

    def opened(self, item: Statement, limit: int, *, date: bool) -> str:
        """A sentence's beginning: head, colon, the first quote."""
        if item.node.type is NodeType.PERSON:
            return self.noted(item, limit, head=Told.PEOPLE, date=date)
        head, told = self.head(item)
        return f"{head}: {self.noted(item, limit, head=told, date=date)}"

    def chain(self, start: Statement, hops: Sequence[Hop], limit: int) -> str:
        """Tell an effect and its causes in one sentence; a date is repeated only where it changes."""
        text = self.opened(start, limit, date=True)
        said_on = self.day(start.node.created_at)
        for place, hop in enumerate(hops):
            sure = hop.confidence >= self.params.sure_from
            ways = self.prose.because if sure else self.prose.perhaps_because
            connective = ways[min(place, len(ways) - 1)]
            if hop.main.node.type is NodeType.PERSON:
                connective = self.prose.because_of_person if sure else self.prose.perhaps_because_of_person
            told: list[str] = []
            for item in (*hop.beside, hop.main):
                on = self.day(item.node.created_at)
                told.append(self.noted(item, limit, head=Told.SAID, date=on != said_on))
                said_on = on
            text += connective + self.prose.also_because.join(told)
        return text + "."

    def update(self, current: Statement, former: Sequence[Statement], limit: int) -> str:
        """The present value with its date, then those it replaced, the last of them first."""
        ended = [self.prose.until.format(when=self.day(item.node.valid_until)) for item in former if item.node.valid_until]
        earlier = [f"{self.said(item, limit)} ({until})" for item, until in zip(former, ended, strict=True)]
        notes = "; ".join(self.notes(current, head=Told.SAID))
        return self.prose.update.format(now=self.said(current, limit), notes=notes, before="; ".join(earlier))

    def contradiction(self, items: Sequence[Statement], limit: int) -> str:
        told = [self.noted(item, limit, head=Told.SAID, disputed=False) for item in items]
        return self.prose.contradiction.format(first=told[0], others=self.prose.contradiction_joint.join(told[1:]))

    def person(self, person: Statement, linked: Sequence[Statement], limit: int) -> str:
        """The person, their relation, and what is associated with them (or else the words that mention them)."""
        name = self.name_of(person)
        template = self.prose.person_links if linked else self.prose.person_said
        told = [self.noted(item, limit, head=Told.ELSE if item.node.about_name == name else Told.SAID) for item in linked] or [
            f"{self.said(person, limit)} ({self.day(person.node.created_at)})"
        ]
        relation = self.relation(person)
        return template.format(name=self.named(name), relation=f" ({relation})" if relation else "", links="; ".join(told))

    def pair(self, pair: Sequence[Statement], kind: EdgeType, limit: int) -> str:
        first, second = pair
        opened = self.opened(first, limit, date=True)
        same_day = first.node.created_at.date() == second.node.created_at.date()
        return opened + self.prose.then[kind] + self.noted(second, limit, head=Told.SAID, date=not same_day) + "."
