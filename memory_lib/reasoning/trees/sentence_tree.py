"""Questions that rules ask a dependency tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memory_lib.domain.syntax import ROOT, Sentence, Token

_MARKS = frozenset({"PUNCT", "SYM", "SPACE"})
NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
FIRST_PERSON = frozenset({"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "я", "мы", "мой", "наш"})
FIRST_SINGULAR = frozenset({"i", "me", "my", "mine", "myself", "я", "мой"})


class SentenceTree:
    """A sentence with its children by head. Relations are compared without their subtype."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.tokens = sentence.tokens
        self._relations = [relation(token) for token in sentence.tokens]
        self._lowered = [token.text.lower().replace("’", "'") for token in sentence.tokens]
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
        return [child for child in self._children[index] if self._relations[child] in relations]

    def lowered(self, index: int) -> str:
        """That word in lower case, with a straight apostrophe."""
        return self._lowered[index]

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
    if token.pos in _MARKS:
        return True
    return not token.text[0].isalnum() and not any(letter.isalnum() for letter in token.text)
