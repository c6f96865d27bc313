"""From a parse to its clauses (pure): heads, own words, subject, tense, modality, and how clauses hang together."""

# ruff: noqa: C901, PLR0912, PLR0915 - rules of language are lists of cases
# ruff: noqa: PLR0913 - each part of a record is named at the call
from __future__ import annotations

import re
from collections.abc import Sequence

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause, Cue, Link, LinkKind, Mark, PredicateKind, Subject, Tense, Who
from memory_lib.domain.syntax import ROOT, Parse
from memory_lib.reasoning.clauses.clause_clefts import clefted_verb
from memory_lib.reasoning.clauses.clause_conditions import with_conditions
from memory_lib.reasoning.clauses.clause_cuts import cut_at_causal_words
from memory_lib.reasoning.clauses.clause_heads import clause_heads
from memory_lib.reasoning.clauses.clause_links import is_so_i, link_of, then_mark, with_modality
from memory_lib.reasoning.clauses.clause_predicates import (
    is_order,
    kind_of,
    negation_among,
    negation_of,
    predicate_of,
    tense_of,
)
from memory_lib.reasoning.clauses.clause_questions import asks_by_inversion, asks_without_mark, has_question_word
from memory_lib.reasoning.clauses.clause_reports import report_cue, with_reports
from memory_lib.reasoning.clauses.clause_splits import with_ages, with_strays, with_verbless_parts
from memory_lib.reasoning.clauses.clause_subjects import subject_of, who_of
from memory_lib.reasoning.clauses.clause_words import (
    main_run,
    place_in_sentence,
    text_of,
    trimmed_words,
    with_asides,
    with_closing_mark,
)
from memory_lib.reasoning.clauses.modality import denial, marks, modal_cues
from memory_lib.reasoning.clauses.passages import Passage, passages_of
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation
from memory_lib.reasoning.words.joining_words import opener_of

_HEDGE_VERBS = frozenset(
    """
    think guess suppose believe assume думать полагать казаться считать
    """.split()
)


_OF_THE_PREDICATE = frozenset({Modality.PLANNED, Modality.WISHED})


_CALL_ME = re.compile(r"(?:[Pp]lease |[Jj]ust )*[Cc]all me (?!Captain|Mrs?\b|Old\b|Crazy|Mad\b|Sir\b|Lucky)[A-Z][\w'’-]+")
"""How one is called; said as an order."""
_FREE_CUES = frozenset({"hopefully", "wait", "бы", "look", "dream"})


def clauses_of(parse: Parse, *, trees: Sequence[SentenceTree] | None = None) -> tuple[Clause, ...]:
    """Clauses of the whole text in text order; ``Link.parent`` is an index into the result."""
    found: list[Clause] = []
    read = [SentenceTree(sentence) for sentence in parse.sentences] if trees is None else trees
    passages = passages_of(read)
    for number, tree in enumerate(read):
        if tree.sentence.has_tree:
            quoted = [
                passage
                for passage in passages
                if passage.modality is Modality.QUOTED
                and passage.start < tree.sentence.end
                and tree.sentence.start < passage.end
            ]
            found.extend(_of_sentence(tree, number, len(found), quoted))
        else:
            whole = _plain_clause(tree, number, len(found))
            if whole is not None:
                found.append(whole)
    if not passages:
        return tuple(found)
    return tuple(_within(clause, read[clause.sentence], passages) for clause in found)


def _within(clause: Clause, tree: SentenceTree, passages: Sequence[Passage]) -> Clause:
    """That clause, meant as the passages mean it in which its predicate stands, or which it holds."""
    head = tree[clause.head].start
    for passage in passages:
        inside = passage.start <= head < passage.end
        holds = passage.modality is Modality.QUOTED and clause.start < passage.start and passage.end <= clause.end
        if not (inside or holds) or clause.has(passage.modality):
            continue
        if not passage.own and clause.subject.who in {Who.SELF, Who.GROUP}:
            continue
        clause = with_modality(clause, passage.modality, passage.cue)
    return clause


def _parted(tree: SentenceTree, drafts: list[tuple[int, list[int]]], quoted: Sequence[Passage]) -> list[tuple[int, list[int]]]:
    """Clauses cut where a quotation begins and ends: its words are said by its own clauses, if it has any."""
    for passage in quoted:
        inside = {k for k, token in enumerate(tree.tokens) if passage.start <= token.start and token.end <= passage.end}
        within = [head for head, _ in drafts if head in inside]
        if not within:
            continue
        taken = {k for head, own in drafts if head in inside for k in own}
        orphans = inside - taken
        parted: list[tuple[int, list[int]]] = []
        for head, own in drafts:
            if head not in inside:
                kept = [k for k in own if k not in inside]
            else:
                mine = {k for k in own if k in inside}
                mine |= {k for k in orphans if max((h for h in within if h <= k), default=within[0]) == head}
                kept = sorted(mine)
            if kept:
                parted.append((head, kept))
        drafts = parted
    return drafts


def _of_sentence(tree: SentenceTree, number: int, first: int, quoted: Sequence[Passage]) -> list[Clause]:
    heads = clause_heads(tree)
    drafts = [(head, tree.subtree(head, without=heads)) for head in heads]
    drafts = with_strays(tree, [(head, own) for head, own in drafts if own])
    drafts = with_ages(tree, sorted(drafts, key=lambda draft: draft[1][0]))
    drafts = with_verbless_parts(tree, [(head, main_run(tree, head, own)) for head, own in drafts if own])
    drafts = _parted(tree, cut_at_causal_words(tree, drafts), quoted)
    drafts.sort(key=lambda draft: draft[1][0])
    drafts, glued = with_asides(tree, drafts)
    positions = {head: first + place for place, (head, _) in enumerate(drafts)}
    positions |= {aside: positions[host] for aside, host in glued.items()}
    asked = tree.tokens[-1].text.startswith("?") or any(token.text in {"?", "??", "?!"} for token in tree.tokens[-2:])
    clauses: list[Clause] = []
    for place, (head, own) in enumerate(drafts):
        last = place == len(drafts) - 1
        previous = clauses[-1] if clauses else None
        clause = _clause(tree, number, first + place, head, own, positions, previous, asked=asked, last=last)
        if clause is not None:
            clauses.append(clause)
        else:
            # An empty clause keeps its number, so that links stay valid.
            clauses.append(_empty(tree, number, first + place, head))
    conditioned = with_conditions(tree, clauses, positions)
    return with_reports(tree, conditioned, glued, positions)


def _clause(
    tree: SentenceTree,
    number: int,
    place: int,
    head: int,
    own: list[int],
    positions: dict[int, int],
    previous: Clause | None,
    *,
    asked: bool,
    last: bool,
) -> Clause | None:
    opener = opener_of(tree, own)
    trimmed = trimmed_words(tree, own, opener, complement=relation(tree[head]) in {"ccomp", "advcl"})
    if not trimmed:
        return None
    trimmed = with_closing_mark(tree, trimmed)
    predicate = predicate_of(tree, head)
    naming = _CALL_ME.match(text_of(tree, trimmed)) is not None
    while naming and tree.lowered(trimmed[0]) != "call":
        trimmed = trimmed[1:]
    start, end = tree[trimmed[0]].start, tree[trimmed[-1]].end
    inner_text = text_of(tree, trimmed)
    folded = fold(inner_text)
    subject, experiencer = subject_of(tree, predicate, own, previous)
    cleft = clefted_verb(tree, predicate)
    outside = None if cleft is None else negation_of(tree, predicate)
    if outside is not None and outside.start > tree[predicate].start:
        outside = None  # "It was my brother who broke it, not me"
    if cleft is not None:
        subject = Subject(who_of(tree, predicate), predicate)
        predicate = head = cleft
    tense, perfect = tense_of(tree, predicate)
    inner = negation_of(tree, predicate)
    if cleft is not None and inner is not None and inner.start > tree[predicate].start:
        inner = None
    negation = outside or inner or negation_among(tree, trimmed, predicate) or denial(folded, start)
    found = {
        modality: cue
        for modality, cue in modal_cues(folded, start, tree.sentence.language)
        if modality not in _OF_THE_PREDICATE or _carries(tree, head, predicate, cue)
    }
    marked = tuple(marks(folded, start, tree.sentence.language))
    no_longer = next((cue for mark, cue in marked if mark is Mark.NO_LONGER), None)
    if negation is None and no_longer is not None and fold(text_of(tree, own)).find("no longer") >= 0:
        negation = no_longer
    if predicate != head and tree[head].lemma != "be":
        cue = Cue(tree[head].start, tree[head].end)
        found.setdefault(Modality.HEDGED if tree[head].lemma in _HEDGE_VERBS else Modality.WISHED, cue)
        outer = negation_of(tree, head)
        negation = negation or (outer if tree[head].lemma in _HEDGE_VERBS else None)
    else:
        reported = report_cue(tree, head, subject.who)
        if reported is not None:
            found.setdefault(Modality.REPORTED, reported)
    if tense is Tense.FUTURE and Modality.CONDITIONAL not in found and tree[predicate].pos in {"VERB", "AUX", "ADJ", "NOUN"}:
        found.setdefault(Modality.PLANNED, Cue(tree[predicate].start, tree[predicate].end))
    if naming:
        subject = Subject(Who.SELF)
    order = is_order(tree, head, subject) and not naming
    if order:
        found[Modality.ORDERED] = Cue(tree[head].start, tree[head].end)
    if not asked and last and place_in_sentence(tree, trimmed) == 0 and asks_without_mark(tree):
        asked = True
    inverted = asks_by_inversion(tree, own)
    if inverted or (asked and (last or has_question_word(tree, own))):
        mark = tree[len(tree.tokens) - 1]
        found[Modality.ASKED] = Cue(mark.start, mark.end)
    if negation is not None:
        found[Modality.NEGATED] = negation
    if not set(found) - {Modality.NEGATED}:
        found[Modality.ASSERTED] = Cue(start, end)
    order_of = list(Modality)
    link = link_of(tree, head, own, opener, positions, place)
    if opener is None and is_so_i(tree, own) and place > min(positions.values()):
        link = Link(LinkKind.THEREFORE, place - 1, Cue(tree[own[0]].start, tree[own[0]].end))
    return Clause(
        index=place,
        language=tree.sentence.language,
        sentence=number,
        start=start,
        end=end,
        head=predicate,
        own=tuple(trimmed),
        kind=kind_of(tree, predicate, subject),
        subject=subject,
        experiencer=experiencer,
        tense=tense,
        perfect=perfect,
        modality=tuple(sorted(found.items(), key=lambda item: order_of.index(item[0]))),
        negated=negation is not None,
        link=link,
        marks=marked + then_mark(tree, opener),
    )


def _carries(tree: SentenceTree, head: int, predicate: int, cue: Cue) -> bool:
    """Whether the cue touches the predicate itself: "I know it won't be easy" is no plan of mine."""
    family = {head, predicate}
    for member in (head, predicate):
        family.update(tree.children(member, "aux", "cop", "xcomp"))
    governor = tree[predicate].head
    if relation(tree[predicate]) == "xcomp" and governor != ROOT:
        family.add(governor)
    if any(tree[index].start < cue.end and cue.start < tree[index].end for index in family):
        return True
    words = [token.lemma for token in tree.tokens if cue.start <= token.start and token.end <= cue.end]
    return bool(set(words) & _FREE_CUES)


def _empty(tree: SentenceTree, number: int, place: int, head: int) -> Clause:
    token = tree[head]
    return Clause(
        index=place, language=tree.sentence.language, sentence=number, start=token.start, end=token.end, head=head, own=(head,),
        kind=PredicateKind.FRAGMENT, subject=Subject(Who.NONE), experiencer=None, tense=Tense.NONE, perfect=False,
        modality=((Modality.ASSERTED, Cue(token.start, token.end)),), negated=False, link=None, marks=(),
    )  # fmt: skip


def _plain_clause(tree: SentenceTree, number: int, place: int) -> Clause | None:
    """A sentence without a tree: one clause, its subject by the first pronoun."""
    own = [index for index, token in enumerate(tree.tokens) if not is_mark(token)]
    if not own:
        return None
    start, end = tree[own[0]].start, tree[own[-1]].end
    words = [tree[index].text.lower() for index in own]
    who = Who.NONE
    for word in words:
        if word in {"i", "i'm", "i've", "i'll", "i'd", "my", "me", "я", "мне", "меня", "мой", "моя", "моё", "мои"}:
            who = Who.SELF
            break
        if word in {"we", "our", "мы", "нас", "наш", "наша"}:
            who = Who.GROUP
            break
        if word in {"you", "your", "ты", "вы", "тебя", "вас"}:
            who = Who.ADDRESSEE
            break
    folded = fold(" ".join(words))
    found = {modality: Cue(start, end) for modality, _ in modal_cues(folded, start, tree.sentence.language)}
    if tree.tokens[-1].text.startswith("?"):
        found[Modality.ASKED] = Cue(start, end)
    negated = bool(
        set(words) & {"не", "нет", "not", "never", "don't", "didn't", "isn't", "can't", "won't", "doesn't", "никогда"}
    )
    if negated:
        found[Modality.NEGATED] = Cue(start, end)
    if not set(found) - {Modality.NEGATED}:
        found[Modality.ASSERTED] = Cue(start, end)
    return Clause(
        index=place, language=tree.sentence.language, sentence=number, start=start, end=end, head=own[0], own=tuple(own),
        kind=PredicateKind.FRAGMENT, subject=Subject(who), experiencer=None, tense=Tense.NONE, perfect=False,
        modality=tuple(found.items()), negated=negated, link=None, marks=(),
    )  # fmt: skip
