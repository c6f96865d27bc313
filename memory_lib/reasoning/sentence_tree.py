"""Questions that rules ask a dependency tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memory_lib.domain.syntax import ROOT, Sentence, Token

NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
FIRST_PERSON = frozenset({"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "я", "мы", "мой", "наш"})
FIRST_SINGULAR = frozenset({"i", "me", "my", "mine", "myself", "я", "мой"})


class SentenceTree:
    """A sentence with its children by head. Relations are compared without their subtype."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.tokens = sentence.tokens
        self._children: list[list[int]] = [[] for _ in sentence.tokens]
        self.roots: list[int] = []
        for index, token in enumerate(sentence.tokens):
            if token.head == ROOT:
                self.roots.append(index)
            else:
                self._children[token.head].append(index)

    def __getitem__(self, index: int) -> Token:
        return self.tokens[index]

    def children(self, index: int, *relations: str) -> list[int]:
        """Children of that token, all of them or those in the given relations (``nsubj`` covers ``nsubj:pass``)."""
        if not relations:
            return self._children[index]
        return [child for child in self._children[index] if relation(self.tokens[child]) in relations]

    def child(self, index: int, *relations: str) -> int | None:
        """The first such child."""
        return next(iter(self.children(index, *relations)), None)

    def subtree(self, index: int, *, without: Iterable[int] = ()) -> list[int]:
        """The token and all below it, in text order; branches in ``without`` are left out. Safe on a cycle."""
        barred = set(without) - {index}
        seen = {index}
        waiting = [index]
        while waiting:
            for child in self._children[waiting.pop()]:
                if child not in seen and child not in barred:
                    seen.add(child)
                    waiting.append(child)
        return sorted(seen)

    def case(self, index: int) -> str:
        """The preposition of that noun in lower case, "" where it has none; several are joined by spaces."""
        return " ".join(self.tokens[child].text.lower() for child in self.children(index, "case"))

    def ancestors(self, index: int) -> Iterator[int]:
        seen = {index}
        head = self.tokens[index].head
        while head != ROOT and head not in seen:
            seen.add(head)
            yield head
            head = self.tokens[head].head


def relation(token: Token) -> str:
    """The relation without its subtype."""
    return token.relation.partition(":")[0]


def is_mark(token: Token) -> bool:
    """Punctuation, symbols, emoji."""
    return token.pos in {"PUNCT", "SYM", "SPACE"} or not any(letter.isalnum() for letter in token.text)
