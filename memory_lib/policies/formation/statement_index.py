"""Statements by the words they hold, so that what a new one takes back is found without going through all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from memory_lib.domain.candidates import NodeType
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Node
from memory_lib.policies.statement_words import AKIN_FROM, StatementWords, akin, statement_words, stems_of
from memory_lib.policies.stems import Stemmer, StemParams

TASKING = """
    promise promised owe agree agreed need must have got still remember forget wait waiting awaiting hear decide know told said
    ask tomorrow today tonight week weekend month soon friday monday tuesday wednesday thursday saturday sunday
    обещать пообещать обещала обещал обещали надо нужно должен должна ждать жду ждем помнить забыть решить решила знать сказать
    сказала сказал завтра сегодня неделя неделе месяц скоро понедельник вторник среда среду четверг пятница пятницу суббота
    субботу воскресенье еще
"""
"""Words by which something is left open, and when it is due: they do not say what."""
_SAID = frozenset({NodeType.FACT, NodeType.EVENT, NodeType.OPEN_LOOP})


class StatementIndex:
    """Facts, events and open loops by stem. Answers hold what was ever filed: callers look whether it still stands."""

    def __init__(self, params: StemParams) -> None:
        self._stemmer = Stemmer(params)
        self._words: dict[str, StatementWords] = {}
        self._cached = params.cached_words
        self.tasking = frozenset(stem for word in TASKING.split() for stem in self._stemmer.stems(word))
        self._by_stem: dict[str, set[NodeId]] = defaultdict(set)
        self._by_beginning: dict[str, set[str]] = defaultdict(set)

    def add(self, node: Node) -> None:
        if node.type in _SAID:
            for stem in self.words(node).stems:
                self._by_stem[stem].add(node.id)
                self._by_beginning[stem[:AKIN_FROM]].add(stem)

    def words(self, node: Node) -> StatementWords:
        """The node's words, with those of its slot's value (a short answer's value is its property's)."""
        value = "" if node.slot is None else f" {node.slot.value}"
        return self.of_text(node.content + value if value and value.strip() not in node.content else node.content)

    def of_text(self, text: str) -> StatementWords:
        """Remembers what it has read, up to the stemmer's own number of words."""
        known = self._words.get(text)
        if known is None:
            if len(self._words) >= self._cached:
                self._words.clear()
            known = self._words[text] = statement_words(text, stemmer=self._stemmer)
        return known

    def stems(self, words: Iterable[str]) -> tuple[str, ...]:
        return stems_of(words, stemmer=self._stemmer)

    def holding(self, stem: str, *, kin: bool = False) -> set[NodeId]:
        """Statements with that stem; ``kin``: or with one that begins alike."""
        found = set(self._by_stem.get(stem, ()))
        if kin:
            for other in self._by_beginning.get(stem[:AKIN_FROM], ()):
                if other != stem and akin(other, stem):
                    found |= self._by_stem[other]
        return found

    def with_all(self, stems: Iterable[str]) -> set[NodeId]:
        """Statements with every one of the stems; none for no stems."""
        filed = sorted((self._by_stem.get(stem, set()) for stem in stems), key=len)
        return set.intersection(*filed) if filed else set()

    def sharing(self, stems: Iterable[str]) -> set[NodeId]:
        """Statements with at least one of the stems."""
        return {node for stem in stems for node in self._by_stem.get(stem, ())}
