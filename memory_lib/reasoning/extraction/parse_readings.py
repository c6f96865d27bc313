"""What a parse says by itself: its trees, clauses, people and properties, read once however many units hold the message.

Units overlap by four messages, so every message is looked at five times. What is kept here only saves time: with or without it
the results are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause
from memory_lib.domain.syntax import Parse
from memory_lib.reasoning.clauses.clauses import clauses_of
from memory_lib.reasoning.clauses.passages import Game, game_of
from memory_lib.reasoning.people.person_mention import PersonMention
from memory_lib.reasoning.people.person_mentions import person_mentions
from memory_lib.reasoning.slots.slots import slots_of
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark
from memory_lib.reasoning.words.content_words import content_words


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause that is no question: its content words and properties."""

    words: frozenset[str]
    slots: Mapping[str, str]


class ParseReading:
    """One parse and what is read from it alone. Safe to share: whatever two threads compute twice is equal."""

    def __init__(self, parse: Parse) -> None:
        self.parse = parse
        self._mentions: dict[frozenset[str], tuple[PersonMention, ...]] = {}
        self._statements: tuple[Statement, ...] | None = None

    @cached_property
    def trees(self) -> Sequence[SentenceTree]:
        return tuple(SentenceTree(sentence) for sentence in self.parse.sentences)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        return clauses_of(self.parse, trees=self.trees)

    @cached_property
    def game(self) -> Game:
        return game_of(self.trees)

    def mentions(self, known: frozenset[str] = frozenset()) -> tuple[PersonMention, ...]:
        """The people it names. ``known``: names used of people before."""
        found = self._mentions.get(known)
        if found is None:
            found = self._mentions[known] = tuple(person_mentions(self.parse, known=known))
        return found

    def statements(self, text: str) -> tuple[Statement, ...]:
        """Its statements. ``text``: the text that was parsed."""
        if self._statements is None:
            self._statements = tuple(self._read_statements(text))
        return self._statements

    def _read_statements(self, text: str) -> Iterator[Statement]:
        for clause in self.clauses:
            if clause.has(Modality.ASKED):
                continue
            tree = self.trees[clause.sentence]
            words = content_words([tree[i].lemma for i in clause.own if not is_mark(tree[i])])
            if not words:
                continue
            slots: dict[str, str] = {}
            if tree.sentence.has_tree:
                slots = {slot.key: slot.value for slot in slots_of(clause, tree, text[clause.start : clause.end], dated=None)}
            yield Statement(words, slots)


class _Same:
    """A parse by its identity: comparing trees word by word would cost what is to be saved."""

    __slots__ = ("parse",)

    def __init__(self, parse: Parse) -> None:
        self.parse = parse

    def __hash__(self) -> int:
        return id(self.parse)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.parse is self.parse


class ParseReadings:
    """The readings of the parses seen last, at most ``kept`` of them. One may be shared by threads, as its cache may."""

    def __init__(self, *, kept: int) -> None:
        self._read = lru_cache(maxsize=kept)(_reading)

    def of(self, parse: Parse) -> ParseReading:
        """The reading of that very object; it is held here, so its identity is nobody else's meanwhile."""
        return self._read(_Same(parse))


def _reading(same: _Same) -> ParseReading:
    return ParseReading(same.parse)
