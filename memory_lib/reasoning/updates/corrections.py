"""What a message puts right: words that announce a correction, and "not X but Y", where the Y is what is said.

The contrast is taken out of the clause before any rule reads it: the denied words lose their place among its own words (so that
"not Monday" gives no date and no value), a denied end is cut off, and the clause is not held for negated.
"""

# ruff: noqa: E501 - patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause, Cue, PredicateKind, Subject, Tense, Who
from memory_lib.domain.syntax import Language
from memory_lib.reasoning.clauses.clause_predicates import kind_of, negation_of, tense_of
from memory_lib.reasoning.clauses.clause_subjects import subject_of, who_of
from memory_lib.reasoning.clauses.request_parts import without_request
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark
from memory_lib.reasoning.updates.bare_values import bare_value

_CUES: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:(?:^|[.!?…]\s+|\n\s*)(?:(?:oh|ah|oops|sorry|hm+|wait|well|um|er)[,.! ]+)*(?:no|nope|nah|wrong|wait|actually|correction|scratch that|strike that|sorry)(?=[,.:!—–-]| [a-z]))|"
        r"\b(?:i meant|i mean to say|i should have said|i misspoke|i misremembered|i misread|i miscounted|i mistyped|i mis(?!s(?:ed|es|ing)?\b)\w+|i was wrong|i was mistaken|i (?:got|had|have) (?:it|that|the \w+) wrong|i (?:mixed|got) (?:\w+ ){0,3}(?:up|confused|muddled)|"
        r"(?:i|i've) confused|my (?:mistake|bad|error)|typo|correction|scratch that|strike that|let me correct|to correct|put (?:that|it) right|"
        r"you(?:'ve| have)? (?:mixed|got|muddled|confused|misread|misunderstood|misheard)\b|you(?:'re| are) (?:wrong|confusing|mixing)|that(?:'s| is|s) (?:wrong|not (?:right|true|what|it|correct)|incorrect)|not what i said|"
        r"i (?:said|told you|never said|didn't say)|it turns out|turns out|what am i (?:saying|talking about|on about)|i(?:'ve| have)? got (?:that|it|this) (?:all )?wrong|double[- ]checked|i've (?:just )?(?:checked|looked))\b"
    ),
    "ru": re.compile(
        r"(?:(?:^|[.!?…]\s+|\n\s*)(?:(?:ой|ох|ах|тьфу|упс|стоп|блин|погоди|подожди|извини|прости|слушай|ну|да|а)[,.! ]+)*(?:нет|неа|не-а|не,|неправильно|неверно|мимо|отбой|стоп|поправка|поправлюсь|уточню|уточнение|ошибка|вернее|точнее|вообще-то|на самом деле)(?=[,.:!—–-]| [а-я]))|"
        r"\b(?:(?:я )?(?:ошиб(?:ся|лась|аюсь)|оговорил(?:ся|ась)|перепутал[а]?|спутал[а]?|напутал[а]?|обсчитал(?:ся|ась)|просчитал(?:ся|ась)|обозн\w+|описал(?:ся|ась)|опечатал(?:ся|ась)|наврал[а]?|соврал[а]?|вру|путаю|запутал(?:ся|ась)|промахнул(?:ся|ась))|"
        r"опечатк\w+|имел[а]? в виду|поправк\w+|поправлюсь|поправь|исправ(?:ь|ляюсь|лю)|я (?:же |ведь )?(?:сказал|говорил|писал|просил)[а]?|(?:этого|такого) (?:я )?не говорил[а]?|"
        r"ты (?:перепутал|спутал|напутал|ошиб|путаешь|неправильно|не так|неверно)\w*|вы (?:перепутали|спутали|ошиблись|путаете|неправильно|неверно)|не так понял[аи]?|какой еще|какая еще|какие еще|откуда ты|с чего ты|где ты взял|это неправда|это не так|"
        r"точнее|вернее|то есть(?= не)|вообще-то|на самом деле|оказывается|оказалось|тьфу|перепроверил[а]?|пересчитал[а]?|посмотрел[а]? внимательно)\b"
    ),
}  # fmt: skip
_X_EN = r"(?P<x>(?:(?:in|on|at|from|to|a|an|the|my|our|for|with|by|of|as)\s+){0,3}[\w'’.-]+(?:\s+[\w'’-]+){0,2}?)"
_X_RU = r"(?P<x>(?:(?:в|во|на|из|с|со|к|ко|от|до|за|по|у|о|об|для|под|над)\s+)?[\w'’.-]+(?:\s+[\w'’-]+){0,2}?)"
_AT_END: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(rf"(?:\s*[,;—–-]+\s*(?:and |but )?|\s+and |\s+instead of |\s+rather than (?=\w))(?:not |(?<=of )|(?<=than )){_X_EN}(?=$|\s*[,;])"),
    "ru": re.compile(rf"(?:\s*[,;—–-]*\s*\bа не |\s*[,;—–-]+\s*не |\s+вместо ){_X_RU}(?=$|\s*[,;])"),
}  # fmt: skip
_AT_START: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(rf"(?:\bnot|n't) {_X_EN}\s*,? but(?: rather)? (?=\w)"),
    "ru": re.compile(rf"\bне {_X_RU}\s*,? а (?!не\b)(?=\w)"),
}
_NEXT_SENTENCES = 2
"""How far an announced correction reaches: "I've looked again. The wedding is on 18 July." """
_LONGEST_CUE = 5
_NO_CONTENT = frozenset({"ADP", "DET", "PART", "CCONJ", "SCONJ", "PUNCT", "AUX"})


@dataclass(frozen=True, slots=True)
class Corrected:
    """A clause as it is meant. ``denied``: lemmas taken back; ``corrects``: in the reach of an announced correction; ``only_cue``:
    it says nothing else ("я ошиблась").
    """

    clause: Clause
    denied: tuple[str, ...]
    corrects: bool
    only_cue: bool


def corrected(clauses: Sequence[Clause], trees: Sequence[SentenceTree], text: str, *, language: Language) -> list[Corrected]:
    """All clauses of one message, contrasts taken out."""
    folded = fold(text)
    cues = [Cue(match.start(), match.end()) for match in _CUES[language].finditer(folded)]
    first = [_sentence_at(trees, cue.end) for cue in cues]
    found: list[Corrected] = []
    for clause in _with_what_follows(clauses, trees, cues):
        clause = _now_and_here(clause, trees[clause.sentence])  # noqa: PLW2901 - the clause as it is meant, step by step
        asked_apart = _what_turned_out(without_request(clause, trees[clause.sentence], text), trees[clause.sentence])
        meant, denied = _without_contrast(asked_apart, trees[clause.sentence], folded)
        announced = any(0 <= clause.sentence - sentence <= 1 for sentence in first)
        value = bare_value(meant, trees[clause.sentence], announced=announced, denied=bool(denied))
        if value is not None:
            found.append(Corrected(value, denied, corrects=True, only_cue=False))
            continue
        near = bool(denied) or any(0 <= clause.sentence - sentence <= _NEXT_SENTENCES for sentence in first)
        reached = near and not _restates(meant, trees[clause.sentence])
        found.append(Corrected(meant, denied, reached, _is_only_cue(meant, trees[clause.sentence], cues)))
    return found


def _with_what_follows(clauses: Sequence[Clause], trees: Sequence[SentenceTree], cues: Sequence[Cue]) -> list[Clause]:
    """As in "Ой, вру, эфир в четверг", "Scratch that, my flight is at six": the parser hangs what follows on the announcement.

    Where no clause holds what follows the words of correction, one is made of it, in the place of the announcement's own.
    """
    result = list(clauses)
    for cue in cues:
        number = _sentence_at(trees, cue.end)
        tree = trees[number]
        here = [clause for clause in result if clause.sentence == number]
        before = [t for t in tree.tokens if t.end <= cue.start and not is_mark(t) and t.pos != "INTJ"][_EXCLAIMED:]
        if not tree.sentence.has_tree or before or not here or any(c.has(Modality.ASKED) for c in here):
            continue
        rest = [i for i, token in enumerate(tree.tokens) if token.start >= cue.end]
        while rest and (is_mark(tree[rest[0]]) or tree[rest[0]].text.lower() in _JOINING):
            rest.pop(0)
        while rest and is_mark(tree[rest[-1]]):
            rest.pop()
        content = {i for i in rest if tree[i].pos in _TELLING}
        told = [clause for clause in here if clause.start >= cue.end and content & set(clause.own)]
        after = next((token for token in tree.tokens if token.start >= cue.end), None)
        if not content or told or after is None or not is_mark(after):
            continue
        old = max(here, key=lambda clause: len(content & set(clause.own)))
        result[old.index] = _made_of(old, tree, rest)
    return result


_EXCLAIMED = 1
"""Words that may stand before the announcement: "Стыдоба, перепутала, …"."""
_TELLING = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})
_JOINING = frozenset("а и но что that but and i".split()) - {"i"}


def _made_of(old: Clause, tree: SentenceTree, rest: Sequence[int]) -> Clause:
    inside = set(rest)
    tops = [i for i in rest if tree[i].head not in inside and tree[i].pos in _TELLING]
    head = max(tops, key=lambda i: len(inside & set(tree.subtree(i)))) if tops else rest[0]
    subject, experiencer = subject_of(tree, head, rest, None)
    if subject.token is not None and subject.token not in inside:
        named = next((child for child in tree.children(head, "nsubj") if child in inside), None)
        subject = Subject(Who.NONE) if named is None else Subject(who_of(tree, named), named)
    tense, perfect = tense_of(tree, head)
    negation = negation_of(tree, head)
    start, end = tree[rest[0]].start, tree[rest[-1]].end
    dropped = {Modality.ORDERED, Modality.NEGATED, Modality.ASSERTED}
    modality = [(found, cue) for found, cue in old.modality if found not in dropped] or [(Modality.ASSERTED, Cue(start, end))]
    if negation is not None:
        modality.append((Modality.NEGATED, negation))
    return replace(
        old, start=start, end=end, head=head, own=tuple(rest), kind=kind_of(tree, head, subject), subject=subject, experiencer=experiencer,
        tense=tense, perfect=perfect, modality=tuple(modality), negated=negation is not None,
    )  # fmt: skip


_TAKEN_FOR_FUTURE = frozenset(["выношу", "переношу", "перевариваю", "веган", "веганка"])


def _now_and_here(clause: Clause, tree: SentenceTree) -> Clause:
    """As in "я тоже не выношу", "я не веган": forms that the tagger takes for another verb's future."""
    if tree[clause.head].text.lower() not in _TAKEN_FOR_FUTURE or clause.language != "ru":
        return clause
    modality = tuple(pair for pair in clause.modality if pair[0] is not Modality.PLANNED)
    if not any(found is not Modality.NEGATED for found, _ in modality):
        modality = ((Modality.ASSERTED, Cue(clause.start, clause.end)), *modality)
    kind = PredicateKind.NOMINAL if tree[clause.head].text.lower().startswith("веган") else clause.kind
    return replace(clause, modality=modality, tense=Tense.PRESENT, kind=kind)


def _what_turned_out(clause: Clause, tree: SentenceTree) -> Clause:
    """As in "Turns out I love olives": what turned out is what is said."""
    head = tree[clause.head]
    turned = head.lemma == "turn" and any(tree[c].text.lower() == "out" for c in tree.children(clause.head))
    if not (turned or head.lemma in {"оказаться", "оказываться", "выясниться"}):
        return clause
    inner = tree.child(clause.head, "ccomp", "csubj")
    if inner is None or inner not in clause.own:
        return clause
    token = next(iter(tree.children(inner, "nsubj")), None)
    subject = clause.subject if token is None else Subject(who_of(tree, token), token)
    nominal = tree[inner].pos not in {"VERB", "AUX"}
    kind = PredicateKind.NOMINAL if nominal else PredicateKind.VERB
    return replace(clause, head=inner, subject=subject, kind=kind, tense=tense_of(tree, inner)[0])


_SAYING = frozenset("say tell write ask mention сказать говорить писать написать просить спросить упомянуть".split())


def _restates(clause: Clause, tree: SentenceTree) -> bool:
    """As in "I said Lisbon": what was said stands, and is not put right."""
    return tree[clause.head].lemma in _SAYING and clause.subject.who is Who.SELF


def _sentence_at(trees: Sequence[SentenceTree], place: int) -> int:
    return next((number for number, tree in enumerate(trees) if place <= tree.sentence.end), len(trees) - 1)


def _is_only_cue(clause: Clause, tree: SentenceTree, cues: Sequence[Cue]) -> bool:
    """As in "я ошиблась", "I misread it": nothing is named beside the announcement."""
    head = tree[clause.head]
    if not any(cue.start <= head.start and head.end <= cue.end for cue in cues):
        return False
    beside = [
        token
        for token in (tree[index] for index in clause.own)
        if token.pos in _NAMING and not any(cue.start <= token.start and token.end <= cue.end for cue in cues)
    ]
    return not beside or (len(clause.own) <= _LONGEST_CUE and head.lemma.startswith("mis"))


_NAMING = frozenset({"NOUN", "PROPN", "NUM", "ADJ"})


def _without_contrast(clause: Clause, tree: SentenceTree, folded: str) -> tuple[Clause, tuple[str, ...]]:
    if not tree.sentence.has_tree or clause.has(Modality.ASKED):
        return clause, ()
    words = folded[clause.start : clause.end]
    match = _AT_END[clause.language].search(words)
    if match is not None:
        lemmas = _content(clause, tree, match)
        begin, over = clause.start + match.start(), clause.start + match.end()
        kept = tuple(index for index in clause.own if tree[index].end <= begin or tree[index].start >= over)
        telling = [index for index in kept if tree[index].pos in _TELLING]
        if lemmas and telling:
            head = clause.head if clause.head in kept else telling[-1]
            return _asserted(replace(clause, own=kept, end=tree[kept[-1]].end, head=head), match, clause.start), lemmas
    match = _AT_START[clause.language].search(words)
    if match is not None:
        lemmas = _content(clause, tree, match)
        begin, over = clause.start + match.start(), clause.start + match.end("x")
        kept = tuple(i for i in clause.own if tree[i].end <= begin or tree[i].start >= over)
        if lemmas and kept:
            head = clause.head
            if head not in kept:
                head = next((i for i in kept if tree[i].start >= over and tree[i].pos not in _NO_CONTENT), kept[-1])
            return _asserted(replace(clause, own=kept, head=head), match, clause.start), lemmas
    return clause, ()


def _content(clause: Clause, tree: SentenceTree, match: re.Match[str]) -> tuple[str, ...]:
    """Lemmas of what is denied; nothing where it is an action ("не гуляю, а работаю" takes no earlier word back)."""
    start, end = clause.start + match.start("x"), clause.start + match.end("x")
    inside = [tree[index] for index in clause.own if start <= tree[index].start and tree[index].end <= end]
    if any(token.pos == "PRON" or (token.pos == "VERB" and token.features.get("VerbForm") != "Part") for token in inside):
        return ()
    words = (token.lemma or token.text.lower() for token in inside if token.pos not in _NO_CONTENT and not is_mark(token))
    return tuple(_WITH_ENDING.sub("", word) for word in words)


_WITH_ENDING = re.compile(r"(?<=\d)-?(?:[а-я]{1,3}|st|nd|rd|th)$")
"""As in "1974-м": the ending of a number."""


def _asserted(clause: Clause, match: re.Match[str], offset: int) -> Clause:
    """The same clause without the negation that only belongs to the denied words."""
    start, end = offset + match.start(), offset + match.end()
    modality = tuple(
        (found, cue)
        for found, cue in clause.modality
        if found is not Modality.NEGATED or not (start <= cue.start and cue.end <= end)
    )
    negated = any(found is Modality.NEGATED for found, _ in modality)
    if not any(found is not Modality.NEGATED for found, _ in modality):
        modality = ((Modality.ASSERTED, Cue(clause.start, clause.end)), *modality)
    return replace(clause, modality=modality, negated=negated)
