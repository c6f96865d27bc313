"""Russian: slovnet morphology, syntax and names over navec vectors, pymorphy3 lemmas.

The model files travel inside the ``natasha`` package; it is only located, never imported (it would bring pymorphy2 and
``pkg_resources``, 90 MB more).
"""

# ruff: noqa: C901, PLR0912 - rules of language are lists of cases
# ruff: noqa: PLC0415 - nothing loads before the first sentence
from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.nlp.blas_threads import OneThread
from memory_lib.adapters.nlp.segmentation import Segment, razdel
from memory_lib.adapters.nlp.tree_repair import bind_own_name, hang_likeness, lift_finite
from memory_lib.domain.syntax import ROOT, Entity, EntityKind, Sentence, Token
from memory_lib.errors import MissingExtra

NAME = "slovnet-news-1+pymorphy3"
_VECTORS = "emb/navec_news_v1_1B_250K_300d_100q.tar"
_MODELS = {name: f"model/slovnet_{name}_news_v1.tar" for name in ("morph", "syntax", "ner")}
_PACKAGES = ("razdel", "slovnet", "navec", "pymorphy3", "natasha")
_STOPS = {".", "!", "?", "…", "...", "?!", "!!!", "!?"}
_KINDS = {"PER": EntityKind.PERSON, "LOC": EntityKind.PLACE, "ORG": EntityKind.ORGANISATION}
_BATCH = 8
_LONGEST_REPAIRED = 80
"""Words of a sentence: the spanning tree's cost grows with their square, and what is longer is no sentence people write."""
_LEMMA_CACHE = 50_000

# Which dictionary word classes (OpenCorpora) can stand behind a universal tag.
_CLASSES: Mapping[str, frozenset[str]] = {
    "NOUN": frozenset({"NOUN"}),
    "PROPN": frozenset({"NOUN"}),
    "VERB": frozenset({"VERB", "INFN", "PRTF", "PRTS", "GRND"}),
    "AUX": frozenset({"VERB", "INFN", "PRTF", "PRTS", "GRND"}),
    "ADJ": frozenset({"ADJF", "ADJS", "COMP", "PRTF", "PRTS"}),
    "DET": frozenset({"ADJF", "NPRO"}),
    "ADV": frozenset({"ADVB", "PRED", "COMP", "GRND", "PRCL"}),
    "PRON": frozenset({"NPRO"}),
    "NUM": frozenset({"NUMR", "ADJF", "NOUN"}),
    "ADP": frozenset({"PREP"}),
    "CCONJ": frozenset({"CONJ"}),
    "SCONJ": frozenset({"CONJ", "NPRO"}),
    "PART": frozenset({"PRCL"}),
    "INTJ": frozenset({"INTJ"}),
}
_ADJECTIVE_ENDINGS = tuple("ый ий ой ая яя ое ее ого его ому ему ым им ом ем ей ую юю ые ие ых их ыми ими".split())
_FORMS = {"Fin": {"VERB"}, "Inf": {"INFN"}, "Part": {"PRTF", "PRTS"}, "Conv": {"GRND"}}
"""Which dictionary classes a universal verb form can be."""
_CASES = {"Nom": "nomn", "Gen": "gent", "Dat": "datv", "Acc": "accs", "Ins": "ablt", "Loc": "loct"}
_CASES_BACK = {value: key for key, value in _CASES.items()} | {"gen2": "Gen", "loc2": "Loc", "acc2": "Acc"}
_NUMBERS = {"Sing": "sing", "Plur": "plur"}
_GENDERS = {"Masc": "masc", "Fem": "femn", "Neut": "neut"}
_GENDERS_BACK = {value: key for key, value in _GENDERS.items()}


def missing_packages() -> list[str]:
    """Names of the packages that Russian trees need and this machine lacks."""
    return [name for name in _PACKAGES if importlib.util.find_spec(name) is None]


class RussianModels:
    """The loaded models. Not safe for threads: the caller holds a lock.

    Raises:
        MissingExtra: a package or a model file is not there.
    """

    def __init__(self) -> None:
        missing = missing_packages()
        if missing:
            raise MissingExtra(missing[0], "nlp")
        spec = importlib.util.find_spec("natasha")
        folder = Path((spec.submodule_search_locations or [""])[0]) / "data" if spec is not None else Path()
        if not (folder / _VECTORS).is_file():
            raise MissingExtra("natasha", "nlp")
        import pymorphy3
        from navec import Navec
        from slovnet import NER, Morph, Syntax

        vectors = Navec.load(folder / _VECTORS)
        self._morph = Morph.load(folder / _MODELS["morph"], batch_size=_BATCH).navec(vectors)
        self._syntax = Syntax.load(folder / _MODELS["syntax"], batch_size=_BATCH).navec(vectors)
        self._ner = NER.load(folder / _MODELS["ner"], batch_size=_BATCH).navec(vectors)
        self._dictionary = pymorphy3.MorphAnalyzer(lang="ru")
        self._one_thread = OneThread()
        self._readings = lru_cache(maxsize=_LEMMA_CACHE)(self._dictionary.parse)
        self._known = lru_cache(maxsize=_LEMMA_CACHE)(self._read_word)

    def parse(self, segments: Sequence[Segment]) -> tuple[list[Sentence], list[Entity]]:
        """Sentences and names of Russian segments, in order."""
        with self._one_thread.hold():
            return self._parse(segments)

    def _parse(self, segments: Sequence[Segment]) -> tuple[list[Sentence], list[Entity]]:
        split = razdel()
        places: list[list[tuple[int, int, str]]] = []
        for segment in segments:
            tokens = [] if split is None else list(split.tokenize(segment.text))
            places.append([(segment.start + token.start, segment.start + token.stop, token.text) for token in tokens])
        # The models were trained on finished sentences: a missing full stop costs whole arcs.
        words = [[text for _, _, text in row] for row in places]
        closed = [row if row and row[-1] in _STOPS else [*row, "."] for row in words]
        sentences: list[Sentence] = []
        entities: list[Entity] = []
        for begin in range(0, len(closed), _BATCH):
            batch = closed[begin : begin + _BATCH]
            morphs = list(self._morph.map(batch))
            trees = self._trees(batch)
            for offset, (morph, (heads, relations)) in enumerate(zip(morphs, trees, strict=True)):
                index = begin + offset
                row = places[index]
                if not row:
                    continue
                sentences.append(self._sentence(segments[index], row, morph, heads, relations))
            entities.extend(self._names(places[begin : begin + _BATCH], batch))
        return sentences, entities

    def _trees(self, batch: list[list[str]]) -> list[tuple[list[int], list[str]]]:
        infer = self._syntax.infer
        found: list[tuple[list[int], list[str]]] = []
        for given in infer.encoder(batch):
            model = infer.model
            encoded = model.encoder(model.emb(given.word_id, given.shape_id), given.pad_mask)
            scores = model.head(encoded)
            lengths = (~given.pad_mask).sum(-1)
            heads = np.zeros(given.word_id.shape, dtype=np.int_)
            for number, length in enumerate(lengths):
                heads[number, :length] = self._tree(scores[number, :length, : length + 1])
            relations = model.rel(encoded, heads).argmax(-1)
            for number, length in enumerate(lengths):
                names = [infer.decoder.rels_vocab.decode(relation) for relation in relations[number, :length]]
                found.append((heads[number, :length].tolist(), names))
        return found

    def _tree(self, scores: Any) -> list[int]:
        """Heads (0 = root, else 1-based) of one sentence; where the best heads make a cycle, the best spanning tree."""
        best: list[int] = scores.argmax(-1).tolist()
        if _is_tree(best) or len(best) > _LONGEST_REPAIRED:
            return best
        return spanning_heads(np.asarray(scores, np.float64))

    def _sentence(
        self, segment: Segment, row: list[tuple[int, int, str]], morph: Any, heads: list[int], relations: list[str]
    ) -> Sentence:
        count = len(row)
        root = next((i for i, head in enumerate(heads[:count]) if head == 0), 0)
        tokens: list[Token] = []
        for index, (start, end, text) in enumerate(row):
            pos, features = str(morph.tokens[index].pos), dict(morph.tokens[index].feats)
            head, relation = heads[index] - 1, relations[index]
            if head >= count:  # hangs on the full stop that we added
                head, relation = (ROOT, "root") if index == root else (root, "dep")
            if head == index:
                head, relation = ROOT, "root"
            pos, read, lemma = self._known(text, pos, tuple(features.items()), index == 0)
            tokens.append(
                Token(start, end, text, lemma, pos, dict(read), head, "root" if head == ROOT else relation),
            )
        return Sentence(
            segment.start,
            segment.start + len(segment.text),
            "ru",
            hang_likeness(bind_own_name(lift_finite(tokens))),
            has_tree=True,
        )

    def _read_word(
        self,
        text: str,
        pos: str,
        features: tuple[tuple[str, str], ...],
        first: bool,  # noqa: FBT001 - a cache's key
    ) -> tuple[str, tuple[tuple[str, str], ...], str]:
        pos, read, lemma = self._word(text, pos, dict(features), first=first)
        return pos, tuple(read.items()), lemma

    def _word(  # noqa: PLR0915 - a mistake of the tagger a line
        self, text: str, pos: str, features: dict[str, str], *, first: bool
    ) -> tuple[str, dict[str, str], str]:
        """The tagger's reading of a word, put right by the dictionary: word class, features, lemma."""
        if not any(letter.isalpha() for letter in text):
            return pos, features, text.lower()
        stem = text.lower().removesuffix("-то")
        readings = self._readings(text.lower())
        if stem in _PERSONAL and stem != text.lower():  # "у меня-то"
            found = self._readings(stem)[0]
            return "PRON", _pronoun_features(found.tag), str(found.normal_form)
        if pos in {"PUNCT", "SYM"}:
            pos = "X"
        classes = {str(reading.tag.POS) for reading in readings}
        known = self._dictionary.word_is_known(text.lower())
        # The tagger takes a capitalised first verb for a name, and some pronouns for adverbs: where the dictionary knows only
        # one word class, the dictionary is right.
        if known and classes <= {"VERB"} and pos not in {"VERB", "AUX"} and (first or pos != "PROPN"):
            pos, features = "VERB", _verb_features(readings[0].tag)
        elif known and classes == {"NPRO"} and pos not in {"PRON", "DET", "SCONJ"}:
            pos, features = "PRON", _pronoun_features(readings[0].tag)
        elif (
            known
            and classes == {"NOUN"}
            and (pos not in {"NOUN", "PROPN", "ADJ", "NUM"} or (pos == "ADJ" and not text.lower().endswith(_ADJECTIVE_ENDINGS)))
        ):
            pos, features = "NOUN", _noun_features(readings[0].tag)
        elif (
            known and pos == "VERB" and all(r.tag.mood == "impr" for r in readings if r.tag.POS == "VERB") and "VERB" in classes
        ):
            features = {**features, "Mood": "Imp", "Person": "2"}
            features.pop("Tense", None)
        if known and classes == {"ADJS"} and pos in {"VERB", "AUX"}:
            pos = "ADJ"  # "коротки"
            features = {**{k: v for k, v in features.items() if k in {"Gender", "Number"}}, "Variant": "Short"}
        if known and pos in {"VERB", "AUX"} and _FORMS.get(features.get("VerbForm", "Fin"), classes).isdisjoint(classes):
            finite = next((reading.tag for reading in readings if reading.tag.POS == "VERB"), None)
            features = features if finite is None else _verb_features(finite)  # "держу" is no converb, "кочует" no participle
        named = any({"Name", "Surn", "Geox", "Patr", "Orgn"} & set(reading.tag.grammemes) for reading in readings)
        if first and pos == "PROPN" and known and classes == {"NOUN"} and not named:
            pos = "NOUN"  # a capital at the beginning is no name
        if pos == "NOUN" or (pos == "PROPN" and (known or first)):
            features = _with_possible_case(features, [reading.tag for reading in readings if reading.tag.POS == "NOUN"])
        if known and pos == "VERB":
            features = _with_certain_tense(features, [reading.tag for reading in readings if reading.tag.POS == "VERB"])
        fitting = _CLASSES.get(pos)
        best, best_score = readings[0], -1.0
        for reading in readings:
            tag = reading.tag
            score = float(reading.score)
            if fitting is not None and str(tag.POS) in fitting:
                score += 4.0
            if _CASES.get(features.get("Case", "")) == str(tag.case):
                score += 1.0
            if _NUMBERS.get(features.get("Number", "")) == str(tag.number):
                score += 0.7
            if _GENDERS.get(features.get("Gender", "")) == str(tag.gender):
                score += 0.5
            if pos == "PROPN" and ({"Name", "Surn", "Geox", "Patr", "Orgn"} & set(tag.grammemes)):
                score += 1.5
            if score > best_score:
                best, best_score = reading, score
        if pos in {"NOUN", "PROPN"} and str(best.tag.animacy) in {"anim", "inan"}:
            features["Animacy"] = "Anim" if str(best.tag.animacy) == "anim" else "Inan"
        for grammeme, name in (("Name", "given"), ("Surn", "family"), ("Patr", "patronymic"), ("Geox", "place")):
            if grammeme in best.tag.grammemes:
                features["NameType"] = name
        return pos, features, str(best.normal_form)

    def _names(self, places: list[list[tuple[int, int, str]]], batch: list[list[str]]) -> list[Entity]:
        infer = self._ner.infer
        found: list[Entity] = []
        tags = infer.decoder(infer.process(infer.encoder(batch)))
        for row, labels in zip(places, tags, strict=True):
            open_at: int | None = None
            for index in range(len(row) + 1):
                label = str(labels[index]) if index < len(row) else "O"
                if open_at is not None and not label.startswith("I-"):
                    kind = _KINDS.get(str(labels[open_at])[2:])
                    if kind is not None:
                        found.append(Entity(row[open_at][0], row[index - 1][1], kind))
                    open_at = None
                if label.startswith("B-"):
                    open_at = index
        return found


_PERSONAL = frozenset(
    "я меня мне мной ты тебя тебе тобой он его ему им она её ее ей мы нас нам нами вы вас вам вами они их ними".split()
)


def _is_tree(heads: list[int]) -> bool:
    if heads.count(0) != 1:
        return False
    reached = [False] * (len(heads) + 1)
    reached[0] = True
    for index in range(1, len(heads) + 1):
        path: list[int] = []
        node = index
        while not reached[node]:
            path.append(node)
            reached[node] = True
            node = heads[node - 1]
            if node in path:
                return False
    return True


_LIKELY_HEADS = 4
"""Arcs kept for each word: the best trees of 223 chat sentences took none below a word's fourth best; a long sentence stays
cheap."""


def spanning_heads(scores: NDArray[np.float64]) -> list[int]:
    """The tree of highest total score (Chu and Liu 1965, Edmonds 1967). ``scores``: (words, words + 1), column 0 the root.

    Returns each word's head, 0 for the root, else 1-based.
    """
    arcs: nx.DiGraph[int] = nx.DiGraph()
    for word, row in enumerate(scores, start=1):
        for head in {0, *np.argsort(-row, kind="stable")[:_LIKELY_HEADS].tolist()}:
            if head != word:
                arcs.add_edge(head, word, weight=float(row[head]))
    heads = [0] * len(scores)
    for head, word in nx.maximum_spanning_arborescence(arcs).edges:
        heads[word - 1] = head
    return heads


def _verb_features(tag: Any) -> dict[str, str]:
    features = {"VerbForm": "Fin", "Mood": "Imp" if tag.mood == "impr" else "Ind"}
    if tag.tense is not None:
        features["Tense"] = {"past": "Past", "pres": "Pres", "futr": "Fut"}[str(tag.tense)]
    if tag.person is not None:
        features["Person"] = str(tag.person)[0]
    features["Aspect"] = "Perf" if tag.aspect == "perf" else "Imp"
    if tag.number is not None:
        features["Number"] = "Sing" if tag.number == "sing" else "Plur"
    if tag.gender is not None:
        features["Gender"] = _GENDERS_BACK[str(tag.gender)]
    return features


def _with_certain_tense(features: dict[str, str], tags: list[Any]) -> dict[str, str]:
    """Tense, aspect and person by the dictionary where its readings agree ("мечтаю" is present whatever it was taken for)."""
    if not tags or features.get("Mood") == "Imp" or features.get("VerbForm") not in {"Fin", None}:
        return features
    tenses = {(str(tag.tense), str(tag.aspect)) for tag in tags}
    if len(tenses) != 1 or any(tag.mood == "impr" for tag in tags) or tags[0].tense is None:
        return features
    certain = _verb_features(tags[0])
    sure: dict[str, str] = {name: certain[name] for name in ("Tense", "Aspect", "Person") if name in certain}
    if len({str(tag.person) for tag in tags}) > 1:
        sure.pop("Person", None)
    return {**features, **sure}


def _with_possible_case(features: dict[str, str], tags: list[Any]) -> dict[str, str]:
    """Case, number and gender by the dictionary where the tagger's case is none of the word's ("аварийку" is no nominative)."""
    cases = {_CASES_BACK.get(str(tag.case)) for tag in tags}
    if not tags or features.get("Case") is None or features["Case"] in cases or None in cases:
        return features
    return {**features, **_noun_features(tags[0])}


def _noun_features(tag: Any) -> dict[str, str]:
    features = {"Number": "Plur" if tag.number == "plur" else "Sing"}
    if tag.case is not None and str(tag.case) in _CASES_BACK:
        features["Case"] = _CASES_BACK[str(tag.case)]
    if tag.gender is not None:
        features["Gender"] = _GENDERS_BACK[str(tag.gender)]
    return features


def _pronoun_features(tag: Any) -> dict[str, str]:
    features: dict[str, str] = {}
    if tag.person is not None:
        features["Person"] = str(tag.person)[0]
    if tag.case is not None and str(tag.case) in _CASES_BACK:
        features["Case"] = _CASES_BACK[str(tag.case)]
    if tag.number is not None:
        features["Number"] = "Sing" if tag.number == "sing" else "Plur"
    if tag.gender is not None:
        features["Gender"] = _GENDERS_BACK[str(tag.gender)]
    return features
