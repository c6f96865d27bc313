"""The parser of both languages: sentences by script, each to its own models, with plain tokens where models are missing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from memory_lib.adapters.nlp import english, plain, russian
from memory_lib.adapters.nlp.segmentation import Segment, printable, segments
from memory_lib.domain.syntax import Entity, Parse, Sentence
from memory_lib.reasoning.prose.reply_language import language_of

_RULES = "ud/1"


class BilingualParser:
    """Implements ``ports.parser.Parser``.

    Args:
        max_characters: how much of a text is read; the rest keeps its place in the message and makes no tree.
    """

    def __init__(self, *, max_characters: int) -> None:
        self._max_characters = max_characters
        self._russian = _Lazy(russian.RussianModels) if not russian.missing_packages() else None
        self._english = _Lazy(english.EnglishModels) if not english.missing_packages() else None

    @property
    def version(self) -> str:
        ru = plain.NAME if self._russian is None else russian.NAME
        en = plain.NAME if self._english is None else english.NAME
        return f"{_RULES};ru={ru};en={en};first={self._max_characters}"

    def parse(self, text: str) -> Parse:
        read = printable(text[: self._max_characters])
        found = list(segments(read))
        sentences: list[Sentence] = []
        entities: list[Entity] = []
        for models, language in ((self._russian, "ru"), (self._english, "en")):
            own = [segment for segment in found if segment.language == language]
            if not own:
                continue
            if models is None:
                sentences.extend(plain.plain_sentence(segment) for segment in own)
                continue
            parsed, names = models.parse(own)
            sentences.extend(parsed)
            entities.extend(names)
        sentences.sort(key=lambda sentence: sentence.start)
        entities.sort(key=lambda entity: (entity.start, entity.end))
        kept = tuple(sentence for sentence in sentences if sentence.tokens)
        return Parse(language_of(read), kept, tuple(entities))


class _Lazy:
    """Models loaded at first use, once, and used by one thread at a time (neither library promises more)."""

    def __init__(self, load: Callable[[], russian.RussianModels | english.EnglishModels]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._models: russian.RussianModels | english.EnglishModels | None = None

    def parse(self, own: Sequence[Segment]) -> tuple[list[Sentence], list[Entity]]:
        with self._lock:
            if self._models is None:
                self._models = self._load()
            return self._models.parse(own)
