"""Text to word stems, Russian and English as equals (RETRIEVAL §2, lexical term; DESIGN §4, Recall).

Snowball stems; the script of a token decides its language, so a mixed sentence is stemmed word by word. Stop words and question
words of both languages are dropped: they carry no evidence, and dropping them is worth four to six points of recall
(RETRIEVAL §4). Numbers are kept, a possessive ``'s`` goes, case is folded, ``ё`` is read as ``е``.

Stems are stored with each message and must mean the same next year: the stemmers are named here in their pure Python form, so
that an installed C variant of another Snowball version never changes them. ``VERSION`` rises with any change of the output.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from snowballstemmer.english_stemmer import EnglishStemmer
from snowballstemmer.russian_stemmer import RussianStemmer

from memory_lib.policies.stems.words import IRREGULAR, QUESTION_ENGLISH, QUESTION_RUSSIAN, STOP_ENGLISH, STOP_RUSSIAN

VERSION = "stems-1"

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_APOSTROPHES = re.compile("[’ʼ]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LATIN = re.compile(r"[a-z\u00e0-\u024f]")
_MARKS = re.compile(r"[\u0300-\u036f]")

_BEGINNING = 3
"""Letters that a word shares with its stem: suffix stemmers change what comes later."""

_SAYS_NOTHING = STOP_ENGLISH | STOP_RUSSIAN | QUESTION_ENGLISH | QUESTION_RUSSIAN
_CLITICS = frozenset({"s", "m", "re", "ve", "ll", "d"})
"""English endings after an apostrophe that are words of their own or a possessive; all of them say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StemParams:
    """Bounds that keep a message of any size cheap. Characters are cut first, then words counted.

    ``cached_words``: stems a stemmer remembers. ``window_characters``: of a long text, where its best passage is looked for.
    """

    max_characters: int
    max_words: int
    max_word_characters: int
    cached_words: int
    window_characters: int


class Stemmer:
    """Stems texts, remembering the stems of words already met (``cached_words`` of them, then it forgets all).

    Make one for each import or opened person, so that no person's words stay in a process after them. Threads may share it: a
    Snowball stemmer keeps state while it works, so each new word gets a fresh one (0.7 µs).
    """

    __slots__ = ("_cache", "_params")

    def __init__(self, params: StemParams) -> None:
        self._params = params
        self._cache: dict[str, str] = {}

    def stems(self, text: str) -> list[str]:
        """The stems of ``text`` in order, stop and question words dropped; repeated words are repeated."""
        return [self._stem(word) for word, said in self._words(text) if not _says_nothing(word, said)]

    def name_stems(self, name: str) -> list[str]:
        """The stems of a name, nothing dropped: a person may be called Will, May or Вера."""
        return [self._stem(word) for word, _ in self._words(name)]

    def places(self, text: str, wanted: frozenset[str]) -> list[tuple[int, str]]:
        """Where ``wanted`` stems stand: (offset in ``text``, stem), in order, over the first ``window_characters``.

        Only words that begin like a wanted stem are stemmed, so that a long turn costs little; irregular forms are missed.
        """
        if not wanted:
            return []
        beginnings = "|".join(sorted({_beginning(stem) for stem in wanted}))
        alike = re.compile(rf"(?<![^\W_])(?:{beginnings})[^\W_]*(?:['’ʼ][^\W_]+)*", re.IGNORECASE)
        words = alike.finditer(text[: self._params.window_characters])
        return [(match.start(), stem) for match in words for stem in self.stems(match.group()) if stem in wanted]

    def _words(self, text: str) -> Iterator[tuple[str, str]]:
        """Pairs (folded word, the same word before its clitic was taken off)."""
        params = self._params
        folded = folded_text(text[: params.max_characters])
        for count, match in enumerate(_WORD.finditer(folded)):
            if count >= params.max_words:
                return
            said = match.group()
            yield _without_clitic(said)[: params.max_word_characters], said

    def _stem(self, word: str) -> str:
        known = self._cache.get(word)
        if known is not None:
            return known
        regular = IRREGULAR.get(word, word)
        if _CYRILLIC.search(regular):
            stem = str(RussianStemmer().stemWord(regular))
        elif _LATIN.search(regular):
            stem = str(EnglishStemmer().stemWord(regular))
        else:
            stem = regular
        if len(self._cache) >= self._params.cached_words:
            self._cache.clear()
        self._cache[word] = stem
        return stem


def folded_text(text: str) -> str:
    """Compatibility forms unified, case folded, ``ё`` read as ``е``, one apostrophe, no stress marks."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")
    return _MARKS.sub("", _APOSTROPHES.sub("'", folded))


def named_speaker(text: str, speakers: Collection[str], *, stemmer: Stemmer) -> str | None:
    """The one of ``speakers`` that ``text`` names, or None when it names none or several (RETRIEVAL §2, term P).

    A full name counts when any of its words is there. Compared by stems, so that Russian cases match ("Кате" names "Катя"). A
    name that is also a stop word ("Will") counts only where the text writes it with a capital.
    """
    if not speakers:
        return None
    said = set(stemmer.stems(text))
    said.update(stemmer.name_stems(" ".join(word for word in _LETTERS.findall(text) if word[0].isupper())))
    named = [speaker for speaker in speakers if said.intersection(stemmer.name_stems(speaker))]
    return named[0] if len(named) == 1 else None


def _beginning(stem: str) -> str:
    """A pattern for how the words of a stem begin: ``ё`` and ``y`` are stemmed to ``е`` and ``i``."""
    return re.escape(stem[:_BEGINNING]).replace("е", "[её]").replace("i", "[iy]")


def _without_clitic(word: str) -> str:
    """``melanie's`` → ``melanie``, ``don't`` → ``don``, ``o'brien`` → ``obrien``."""
    head, *tails = word.split("'")
    if not tails:
        return word
    kept = [tail for tail in tails if tail not in _CLITICS and tail != "t"]
    return "".join((head, *kept))


def _says_nothing(word: str, said: str) -> bool:
    return word in _SAYS_NOTHING or said.endswith("'t")


def passage_around(wanted: frozenset[str], *, stemmer: Stemmer) -> Callable[[str, int], tuple[int, int]]:
    """A function (text, width) → (start, end): where ``width`` characters of a long text hold the most ``wanted`` stems.

    The earliest of equal places; it starts at a word. Used to cut a long turn around what was asked for.
    """

    def window(text: str, width: int) -> tuple[int, int]:
        if len(text) <= width or not wanted:
            return 0, min(width, len(text))
        lead = width // 4
        start = max(0, min(_densest(stemmer.places(text, wanted), width - lead) - lead, len(text) - width))
        if start:
            space = text.find(" ", start, start + lead)
            start = space + 1 if space >= 0 else start
        return start, min(len(text), start + width)

    return window


def _densest(places: Sequence[tuple[int, str]], width: int) -> int:
    """The first place from which ``width`` characters hold the most different stems; 0 where there are none."""
    best, start, end = 0, 0, 0
    inside: Counter[str] = Counter()
    for begin, stem in places:
        while end < len(places) and places[end][0] < begin + width:
            inside[places[end][1]] += 1
            end += 1
        if len(inside) > best:
            best, start = len(inside), begin
        inside[stem] -= 1
        if not inside[stem]:
            del inside[stem]
    return start
