"""From a parse to its clauses (pure): heads, own words, subject, tense, modality, and how clauses hang together."""

# ruff: noqa: C901, PLR0911, PLR0912 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
# ruff: noqa: PLR0913 - each part of a record is named at the call
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause, Cue, Link, LinkKind, Mark, PredicateKind, Subject, Tense, Who
from memory_lib.domain.syntax import ROOT, Language, Parse
from memory_lib.reasoning.feeling_words import FEELINGS
from memory_lib.reasoning.folding import fold
from memory_lib.reasoning.kinship_words import RELATIONS
from memory_lib.reasoning.modality import marks, modal_cues
from memory_lib.reasoning.person_mentions import names_pet
from memory_lib.reasoning.role_words import INSTITUTIONS, ROLES
from memory_lib.reasoning.sentence_tree import SentenceTree, is_mark, relation

# Verbs of opinion whose complement is what is really said ("I think I'll move").
_OPINION = frozenset(
    """
    think guess suppose believe assume hope wish думать надеяться полагать казаться считать верить
    """.split()
)
_HEDGE_VERBS = frozenset(
    """
    think guess suppose believe assume думать полагать казаться считать
    """.split()
)
_REPORTING = frozenset(
    """
    say tell mention claim report write text announce сказать говорить рассказать рассказывать сообщить написать обещать
    утверждать promise
    """.split()
)
_MARK_KINDS: dict[str, LinkKind] = {
    "потому что": LinkKind.BECAUSE, "потому": LinkKind.BECAUSE, "так как": LinkKind.BECAUSE, "поскольку": LinkKind.BECAUSE,
    "ведь": LinkKind.BECAUSE, "раз": LinkKind.BECAUSE, "ибо": LinkKind.BECAUSE, "из-за того что": LinkKind.BECAUSE,
    "оттого что": LinkKind.BECAUSE, "из-за того, что": LinkKind.BECAUSE, "благодаря тому что": LinkKind.BECAUSE,
    "because": LinkKind.BECAUSE, "cause": LinkKind.BECAUSE, "cuz": LinkKind.BECAUSE, "since": LinkKind.BECAUSE, "as": LinkKind.BECAUSE,
    "поэтому": LinkKind.THEREFORE, "так что": LinkKind.THEREFORE, "вот и": LinkKind.THEREFORE, "оттого": LinkKind.THEREFORE,
    "вследствие чего": LinkKind.THEREFORE, "and now": LinkKind.THEREFORE, "пришлось": LinkKind.THEREFORE, "из-за чего": LinkKind.THEREFORE, "из-за этого": LinkKind.THEREFORE, "и теперь": LinkKind.THEREFORE,
    "so": LinkKind.THEREFORE, "therefore": LinkKind.THEREFORE, "that's why": LinkKind.THEREFORE, "which is why": LinkKind.THEREFORE,
    "that is why": LinkKind.THEREFORE, "because of that": LinkKind.THEREFORE, "as a result": LinkKind.THEREFORE, "hence": LinkKind.THEREFORE,
    "если": LinkKind.CONDITION, "if": LinkKind.CONDITION, "unless": LinkKind.CONDITION,
    "когда": LinkKind.WHEN, "пока": LinkKind.WHEN, "when": LinkKind.WHEN, "while": LinkKind.WHEN,
    "после того как": LinkKind.AFTER, "после того": LinkKind.AFTER, "как только": LinkKind.AFTER, "after": LinkKind.AFTER,
    "once": LinkKind.AFTER, "перед тем как": LinkKind.BEFORE, "прежде чем": LinkKind.BEFORE, "до того как": LinkKind.BEFORE, "before": LinkKind.BEFORE,
    "а потом": LinkKind.THEN, "и потом": LinkKind.THEN, "потом": LinkKind.THEN, "затем": LinkKind.THEN, "после этого": LinkKind.THEN,
    "после чего": LinkKind.THEN, "then": LinkKind.THEN, "and then": LinkKind.THEN, "after that": LinkKind.THEN, "afterwards": LinkKind.THEN,
    "afterward": LinkKind.THEN, "after which": LinkKind.THEN,
    "но": LinkKind.CONTRAST, "but": LinkKind.CONTRAST, "хотя": LinkKind.CONTRAST, "although": LinkKind.CONTRAST, "though": LinkKind.CONTRAST,
    "однако": LinkKind.CONTRAST, "however": LinkKind.CONTRAST, "зато": LinkKind.CONTRAST,
}  # fmt: skip
# Longest first: "потому что" before "потому".
_OPENERS: dict[Language, tuple[tuple[tuple[str, ...], LinkKind], ...]] = {
    "ru": (), "en": (),
}  # fmt: skip
for _words, _meaning in sorted(_MARK_KINDS.items(), key=lambda item: -len(item[0].split())):
    _language: Language = "ru" if any("а" <= letter <= "я" for letter in _words) else "en"
    _OPENERS[_language] += ((tuple(_words.replace(",", " ,").replace("'s", " 's").split()), _meaning),)
_CAPITAL = re.compile(r"[A-ZА-ЯЁ][a-zа-яё'’-]+$")
_JOINERS = frozenset(
    """
    and but or so и а но или да то then
    """.split()
)
_QUESTION_WORDS = frozenset(
    """
    who what where when why how which whose кто что где куда когда почему зачем как какой сколько откуда чей каков ли
    """.split()
)
_PREPOSED = frozenset({LinkKind.BECAUSE, LinkKind.CONDITION, LinkKind.WHEN, LinkKind.AFTER, LinkKind.BEFORE})
_OF_THE_PREDICATE = frozenset({Modality.PLANNED, Modality.WISHED})
_FREE_CUES = frozenset({"hopefully", "wait", "бы", "look", "dream"})
_INTERJECTIONS = frozenset(
    """
    anyway anyways incidentally
    thanks yeah yes yep yup oh well wow hey hi hello btw ok okay sure aww haha lol no nope honestly ой ну да нет ага
    ладно привет спасибо слушай не блин ого ох эх кстати короче окей ок здравствуйте
    """.split()
)
_PARENTHETIC = frozenset(
    """
    кажется казаться думать знать понимать говорить видеть признаться think guess know mean suppose believe see say
    """.split()
)
# Said in the plural without a subject these are what "we" did; "уволили", "сказали" are what others did.
_DONE_TOGETHER = frozenset(
    """
    ездить ехать поехать съездить ходить сходить пойти вернуться гулять погулять приехать переехать слетать полететь купаться отдыхать
    отдохнуть кататься встретиться поссориться помириться расстаться пожениться познакомиться переезжать сидеть посидеть праздновать
    отпраздновать
    """.split()
)


def clauses_of(parse: Parse) -> tuple[Clause, ...]:
    """Clauses of the whole text in text order; ``Link.parent`` is an index into the result."""
    found: list[Clause] = []
    for number, sentence in enumerate(parse.sentences):
        tree = SentenceTree(sentence)
        if sentence.has_tree:
            found.extend(_of_sentence(tree, number, len(found)))
        else:
            whole = _plain_clause(tree, number, len(found))
            if whole is not None:
                found.append(whole)
    return tuple(_with_jokes(found))


def _of_sentence(tree: SentenceTree, number: int, first: int) -> list[Clause]:
    heads = _clause_heads(tree)
    drafts = [(head, tree.subtree(head, without=heads)) for head in heads]
    drafts = [(head, _main_run(tree, head, own)) for head, own in drafts if own]
    drafts.sort(key=lambda draft: draft[1][0])
    drafts, glued = _with_asides(tree, drafts)
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
    return [_with_parent_condition(clause, clauses) for clause in clauses]


def _with_asides(tree: SentenceTree, drafts: list[tuple[int, list[int]]]) -> tuple[list[tuple[int, list[int]]], dict[int, int]]:
    """As in "Кажется, …", "…, I think": an aside of one or two words belongs to the clause beside it, never a clause of its own."""
    kept: list[tuple[int, list[int]]] = []
    waiting: list[tuple[int, list[int]]] = []
    glued: dict[int, int] = {}
    for head, own in drafts:
        words = [index for index in own if not is_mark(tree[index])]
        if len(words) <= 2 and tree[head].lemma in _PARENTHETIC and len(drafts) > 1:
            if kept and own[0] == kept[-1][1][-1] + 1:
                kept[-1] = (kept[-1][0], sorted({*kept[-1][1], *own}))
                glued[head] = kept[-1][0]
            else:
                waiting.append((head, own))
            continue
        waited: list[int] = []
        for aside, words_of_aside in waiting:
            glued[aside] = head
            waited.extend(words_of_aside)
        waiting = []
        kept.append((head, sorted({*waited, *own})))
    return [*kept, *waiting], glued


def _main_run(tree: SentenceTree, head: int, own: list[int]) -> list[int]:
    """Own words without stray ones on the far side of another clause: the run that holds the predicate and its subject."""
    runs: list[list[int]] = [[]]
    mine = set(own)
    for index in range(own[0], own[-1] + 1):
        if index in mine:
            runs[-1].append(index)
        elif not is_mark(tree[index]) and runs[-1]:
            runs.append([])
    runs = [run for run in runs if any(not is_mark(tree[index]) for index in run)]
    if len(runs) <= 1:
        return own
    needed = {
        head,
        _predicate(tree, head),
        *tree.children(head, "nsubj", "cop", "aux"),
        *tree.children(_predicate(tree, head), "nsubj", "obj", "cop"),
    }
    first = next((place for place, run in enumerate(runs) if needed & set(run)), 0)
    last = next((place for place in range(len(runs) - 1, -1, -1) if needed & set(runs[place])), len(runs) - 1)
    return [index for run in runs[first : last + 1] for index in run]


# -- heads ------------------------------------------------------------------------------------------------------------------


def _clause_heads(tree: SentenceTree) -> list[int]:
    heads = list(tree.roots)
    waiting = list(tree.roots)
    seen = set(heads)
    while waiting:
        governor = waiting.pop()
        for child in _reachable(tree, governor):
            if child in seen:
                continue
            if _opens_clause(tree, child):
                seen.add(child)
                heads.append(child)
                waiting.append(child)
    for index, token in enumerate(tree.tokens):  # ", which is why we moved" hangs on any noun before it
        late = index not in seen and relation(token) in {"acl", "advcl", "ccomp", "xcomp"} and is_predicate(tree, index)
        if late and _mark_kind(tree, index) in {LinkKind.THEREFORE, LinkKind.BECAUSE}:
            seen.add(index)
            heads.append(index)
    return heads


def _reachable(tree: SentenceTree, governor: int) -> Iterator[int]:
    """Candidates for clause heads under a clause head: its own joined clauses, and those of its opinion complement."""
    for child in tree.children(governor):
        name = relation(tree[child])
        if name in {"conj", "parataxis", "advcl", "ccomp", "discourse", "dep", "csubj", "acl"}:
            yield child
        if name in {"ccomp", "xcomp"}:
            yield from (below for below in tree.children(child, "conj", "advcl", "parataxis", "ccomp"))
        if name in {"nsubj", "obj", "obl"}:
            yield from (below for below in tree.children(child, "parataxis", "advcl"))


def is_predicate(tree: SentenceTree, index: int) -> bool:
    """A finite verb, a copular or nominal predicate with a subject, a predicative."""
    token = tree[index]
    if tree.children(index, "cop"):
        return True
    has_subject = bool(tree.children(index, "nsubj", "csubj"))
    if has_subject and relation(token) != "nsubj":
        return True
    if token.pos in {"VERB", "AUX"}:
        form = token.features.get("VerbForm")
        if form == "Fin" or (token.features.get("Tense") == "Past" and form != "Part"):
            return True
        return bool(tree.children(index, "aux"))
    if token.pos == "ADJ" and token.features.get("Variant") == "Short":
        return True
    return token.pos == "ADV" and any(
        tree[child].features.get("Case") == "Dat" for child in tree.children(index, "iobj", "obl")
    )


def _opens_clause(tree: SentenceTree, index: int) -> bool:
    token = tree[index]
    name = relation(token)
    if not is_predicate(tree, index):
        return False
    kind = _mark_kind(tree, index)
    if any(
        tree[child].text.lower() in {"чтобы", "чтоб", "будто", "словно"}
        for child in tree.children(index, "mark", "advmod", "cc")
    ):
        return False  # a purpose belongs to what is done for it
    if name == "conj":
        governor = tree[token.head]
        return not (
            relation(governor) in {"acl", "nmod", "obl", "obj", "nsubj", "xcomp", "advcl"} and not tree.children(index, "nsubj")
        )
    if name in {"parataxis", "discourse", "dep"}:
        size = len([i for i in tree.subtree(index) if not is_mark(tree[i])])
        return size >= 2 and not (token.lemma in _PARENTHETIC and size <= 3)
    if name == "advcl":
        return kind in {
            LinkKind.BECAUSE, LinkKind.THEREFORE, LinkKind.CONDITION, LinkKind.WHEN, LinkKind.AFTER, LinkKind.BEFORE, LinkKind.CONTRAST,
        }  # fmt: skip
    if name in {"ccomp", "csubj", "acl"}:
        if kind is LinkKind.BECAUSE or kind is LinkKind.THEREFORE:
            return True
        if name == "acl":
            return False
        return _is_feeling(tree, token.head) and _has_that(tree, index)
    return False


def _is_feeling(tree: SentenceTree, index: int) -> bool:
    return tree[index].lemma.replace("ё", "е") in FEELINGS


def _has_that(tree: SentenceTree, index: int) -> bool:
    words = {tree[child].text.lower() for child in tree.children(index, "mark", "advmod")}
    return bool(words & {"что", "that", "when", "когда"}) or not words


def _mark_kind(tree: SentenceTree, index: int) -> LinkKind | None:
    """The joining word of the clause under that head, if any stands at its beginning."""
    opener = _opener(tree, tree.subtree(index))
    return None if opener is None else opener[0]


def _opener(tree: SentenceTree, own: Sequence[int]) -> tuple[LinkKind, int, int] | None:
    """(kind, first token, last token) of the joining words at the beginning of these tokens."""
    start = 0
    while start < len(own) and is_mark(tree[own[start]]):
        start += 1
    skipped = start
    for _ in range(2):
        for words, kind in _OPENERS[tree.sentence.language]:
            chunk = own[skipped : skipped + len(words)]
            if len(chunk) == len(words) and tuple(tree[index].text.lower().replace("’", "'") for index in chunk) == words:
                if relation(tree[chunk[0]]) == "case":
                    continue  # "after the breakup": a preposition, no clause
                if words == ("раз",) and tree[chunk[0]].pos not in {"SCONJ", "ADV", "PART"}:
                    continue
                if words in {("as",), ("since",)} and not _causal_english(tree, own):
                    continue
                if (
                    words == ("so",)
                    and tree[chunk[0]].head != ROOT
                    and tree[tree[chunk[0]].head].pos in {"ADJ", "ADV"}
                    and (len(own) > skipped + 1 and own[skipped + 1] == tree[chunk[0]].head)
                ):
                    continue
                return kind, chunk[0], chunk[-1]
        if skipped < len(own) and tree[own[skipped]].text.lower() in {"and", "but", "и", "а", "ну", "well", "но"}:
            skipped += 1
            continue
        break
    return None


def _causal_english(tree: SentenceTree, own: Sequence[int]) -> bool:
    """As in "since" and "as" give a reason only with a subject, and "since" not under a perfect ("since I moved, I have …")."""
    words = [tree[index].text.lower() for index in own]
    if not any(relation(tree[index]) == "nsubj" for index in own):
        return False
    if words and words[0] == "since":
        outside = {token.text.lower() for token in tree.tokens}
        return not outside & {"have", "has", "'ve", "been"}
    return False if "as" in words[:1] and len(words) < 3 else words[:1] != ["as"]


# -- one clause -------------------------------------------------------------------------------------------------------------


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
    opener = _opener(tree, own)
    trimmed = _trimmed(tree, own, opener, complement=relation(tree[head]) in {"ccomp", "advcl"})
    if not trimmed:
        return None
    trimmed = with_closing_mark(tree, trimmed)
    predicate = _predicate(tree, head)
    start, end = tree[trimmed[0]].start, tree[trimmed[-1]].end
    inner_text = _text(tree, trimmed)
    folded = fold(inner_text)
    subject, experiencer = _subject(tree, predicate, own, previous)
    tense, perfect = _tense(tree, predicate)
    negation = _negation(tree, predicate)
    found = {
        modality: cue
        for modality, cue in modal_cues(folded, start, tree.sentence.language)
        if modality not in _OF_THE_PREDICATE or _carries(tree, head, predicate, cue)
    }
    no_longer = next((cue for mark, cue in marks(folded, start, tree.sentence.language) if mark is Mark.NO_LONGER), None)
    if negation is None and no_longer is not None and fold(_text(tree, own)).find("no longer") >= 0:
        negation = no_longer
    if predicate != head and tree[head].lemma != "be":
        cue = Cue(tree[head].start, tree[head].end)
        found.setdefault(Modality.HEDGED if tree[head].lemma in _HEDGE_VERBS else Modality.WISHED, cue)
        outer = _negation(tree, head)
        negation = negation or (outer if tree[head].lemma in _HEDGE_VERBS else None)
    elif tree[head].lemma in _REPORTING and tree.children(head, "ccomp") and subject.who is not Who.SELF:
        found.setdefault(Modality.REPORTED, Cue(tree[head].start, tree[head].end))
    if tense is Tense.FUTURE and Modality.CONDITIONAL not in found and tree[predicate].pos in {"VERB", "AUX", "ADJ", "NOUN"}:
        found.setdefault(Modality.PLANNED, Cue(tree[predicate].start, tree[predicate].end))
    order = _is_order(tree, head, subject)
    if order:
        found[Modality.ORDERED] = Cue(tree[head].start, tree[head].end)
    if not asked and last and place_in_sentence(tree, trimmed) == 0 and _asks_without_mark(tree):
        asked = True
    if asked and (last or _has_question_word(tree, own)):
        mark = tree[len(tree.tokens) - 1]
        found[Modality.ASKED] = Cue(mark.start, mark.end)
    if _is_quoted(tree, trimmed):
        found[Modality.QUOTED] = Cue(start, end)
    if negation is not None:
        found[Modality.NEGATED] = negation
    if not set(found) - {Modality.NEGATED}:
        found[Modality.ASSERTED] = Cue(start, end)
    order_of = list(Modality)
    link = _link(tree, head, own, opener, positions, place)
    if opener is None and _is_so_i(tree, own) and place > min(positions.values()):
        link = Link(LinkKind.THEREFORE, place - 1, Cue(tree[own[0]].start, tree[own[0]].end))
    return Clause(
        index=place,
        language=tree.sentence.language,
        sentence=number,
        start=start,
        end=end,
        head=predicate,
        own=tuple(trimmed),
        kind=_kind(tree, predicate),
        subject=subject,
        experiencer=experiencer,
        tense=tense,
        perfect=perfect,
        modality=tuple(sorted(found.items(), key=lambda item: order_of.index(item[0]))),
        negated=negation is not None,
        link=link,
        marks=tuple(marks(folded, start, tree.sentence.language)) + _then_mark(tree, opener),
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


def _is_so_i(tree: SentenceTree, own: Sequence[int]) -> bool:
    """As in "…, вот я и не приехала"."""
    words = [tree[index].text.lower() for index in own if not is_mark(tree[index])]
    return len(words) > 3 and words[0] == "вот" and "и" in words[1:3]


def _then_mark(tree: SentenceTree, opener: tuple[LinkKind, int, int] | None) -> tuple[tuple[Mark, Cue], ...]:
    if opener is None or opener[0] is not LinkKind.THEN:
        return ()
    return ((Mark.THEN, Cue(tree[opener[1]].start, tree[opener[2]].end)),)


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


def _trimmed(tree: SentenceTree, own: list[int], opener: tuple[LinkKind, int, int] | None, *, complement: bool) -> list[int]:
    left, right = _after_interjections(tree, own), len(own)
    if complement and opener is None:
        while left < right and is_mark(tree[own[left]]):
            left += 1
        if left < right and tree[own[left]].text.lower() in {"что", "that"} and relation(tree[own[left]]) in {"mark", "advmod"}:
            left += 1
    keep_opener = opener is not None and opener[0] is LinkKind.CONDITION
    while left < right:
        token = tree[own[left]]
        inside = opener is not None and not keep_opener and own[left] <= opener[2]
        if (
            inside
            or is_mark(token)
            or (token.text.lower() in _JOINERS and relation(token) in {"cc", "advmod", "mark", "discourse"})
        ):
            left += 1
        else:
            break
    if left < right - 1 and tree[own[left]].text.lower() in {"что", "that"} and tree[own[left]].pos == "SCONJ":
        left += 1
    while right > left and (is_mark(tree[own[right - 1]]) or relation(tree[own[right - 1]]) == "cc"):
        right -= 1
    # A preposed clause ends before a stray joining word of the next one; a gap inside stays.
    return own[left:right]


_CLOSING = {"«": "»", "“": "”", "„": "“", "(": ")", "[": "]", "``": "''", "‘": "’"}


def with_closing_mark(tree: SentenceTree, own: Sequence[int]) -> list[int]:
    """The same tokens, with the mark that closes a quotation or bracket opened inside them ("берут в «Полином»")."""
    if not own or own[-1] + 1 >= len(tree.tokens):
        return list(own)
    after = tree[own[-1] + 1].text
    inside = [tree[index].text for index in range(own[0], own[-1] + 1)]
    if after == '"':
        return [*own, own[-1] + 1] if inside.count('"') % 2 else list(own)
    opened = sum(inside.count(mark) for mark, closing in _CLOSING.items() if closing == after)
    return [*own, own[-1] + 1] if opened > inside.count(after) else list(own)


def _after_interjections(tree: SentenceTree, own: Sequence[int]) -> int:
    """Where the clause begins after "Thanks, …", "Yeah, …", "Ой, …"."""
    left = 0
    if [tree[index].text.lower() for index in own[:3]] == ["by", "the", "way"]:
        left = 3
        while left < len(own) and is_mark(tree[own[left]]):
            left += 1
    while left + 1 < len(own):
        token, after = tree[own[left]], tree[own[left + 1]]
        word = token.text.lower()
        if (token.pos == "INTJ" or word in _INTERJECTIONS) and (
            after.text in {",", "!", "-", "—"} or tree[own[left + 1]].pos == "INTJ" or after.text.lower() in _INTERJECTIONS
        ):
            left += 1
            while left < len(own) and is_mark(tree[own[left]]):
                left += 1
        elif (
            word in {"hi", "hey", "hello"}
            and after.text.lower() in {"there", "all", "everyone", "again"}
            and left + 2 < len(own)
        ):
            left += 2
            while left < len(own) and is_mark(tree[own[left]]):
                left += 1
        elif (
            left > 0
            and token.pos == "PROPN"
            and after.text == ","
            and left + 2 < len(own)
            and tree[own[left + 2]].lemma in {"i", "we", "my"}
        ):
            left += 2  # "Wow, Gina, I'm thrilled"
        elif token.pos == "INTJ" and after.pos == "PROPN" and left + 2 < len(own) and tree[own[left + 2]].text in {",", "!"}:
            left += 3  # "Hey Maria, …"
        else:
            break
    return left


def _text(tree: SentenceTree, own: Sequence[int]) -> str:
    """The clause's own words at their own distances (what lies between belongs to another clause and becomes spaces)."""
    start = tree[own[0]].start
    letters = [" "] * (tree[own[-1]].end - start)
    for index in own:
        token = tree[index]
        letters[token.start - start : token.end - start] = token.text
    return "".join(letters)


def _predicate(tree: SentenceTree, head: int) -> int:
    """The real predicate: under a first-person verb of opinion, its complement."""
    token = tree[head]
    if token.lemma in _OPINION and token.features.get("Tense") != "Past":
        first = any(tree[child].lemma in {"i", "we", "я", "мы"} for child in tree.children(head, "nsubj"))
        if first or token.features.get("Person") == "1" or token.lemma == "казаться":
            complement = tree.child(head, "ccomp")
            if complement is not None:
                return complement
    if token.lemma == "be" and any(tree[child].text.lower() in {"which", "that"} for child in tree.children(head, "nsubj")):
        for child in tree.children(head, "ccomp", "advcl"):  # "which is why we moved"
            if any(tree[inner].text.lower() == "why" for inner in tree.children(child, "advmod", "mark")):
                return child
    return head


def _kind(tree: SentenceTree, index: int) -> PredicateKind:
    token = tree[index]
    if token.pos in {"VERB", "AUX"}:
        return PredicateKind.VERB
    if token.lemma in {"надо", "нужно", "можно", "нельзя", "пора", "необходимо", "должен", "нужен"}:
        return PredicateKind.MODAL
    predicative = bool(tree.children(index, "cop", "nsubj", "csubj"))
    if token.pos in {"ADJ", "ADV", "DET"}:
        short = token.features.get("Variant") == "Short"
        dative = any(tree[child].features.get("Case") == "Dat" for child in tree.children(index, "iobj", "obl"))
        return PredicateKind.ADJECTIVAL if predicative or short or dative else PredicateKind.FRAGMENT
    if predicative or (token.pos == "NUM" and tree.children(index, "iobj")):
        return PredicateKind.NOMINAL
    return PredicateKind.FRAGMENT


def _subject(tree: SentenceTree, predicate: int, own: Sequence[int], previous: Clause | None) -> tuple[Subject, int | None]:
    experiencer = _experiencer(tree, predicate)
    subjects = tree.children(predicate, "nsubj", "csubj")
    if (
        tree.sentence.language == "ru"
        and tree[predicate].features.get("Person") == "1"
        and not any(tree[s].pos == "PRON" for s in subjects)
    ):
        who = Who.GROUP if tree[predicate].features.get("Number") == "Plur" else Who.SELF
        return Subject(who), experiencer  # "пойду одна"
    for subject in subjects:
        if relation(tree[subject]) == "csubj":
            if tree.sentence.language == "ru":
                continue  # "надо решить": the infinitive is no one of whom it is said
            return Subject(Who.THING, subject), experiencer
        if is_depictive(tree, predicate, subject) or _disagrees(tree, predicate, subject):
            continue
        return Subject(who_of(tree, subject), subject), experiencer
    token = tree[predicate]
    features = token.features
    copulas = tree.children(predicate, "cop", "aux")
    person = features.get("Person") or next(
        (tree[c].features["Person"] for c in copulas if tree[c].features.get("Person")), None
    )
    plural = features.get("Number") == "Plur"
    if tree.sentence.language == "ru":
        if person == "1":
            return Subject(Who.GROUP if plural else Who.SELF), experiencer
        if person == "2":
            return Subject(Who.ADDRESSEE), experiencer
        if experiencer is not None and (
            features.get("Gender") in {None, "Neut"} or token.pos == "ADV" or features.get("VerbForm") == "Inf"
        ):
            return Subject(who_of(tree, experiencer), experiencer), experiencer
        inherited = _inherited(tree, predicate, previous)
        own_duty = token.lemma in {"должен", "должный"} and inherited is not None and inherited.who is Who.PERSON
        if inherited is not None and not (own_duty and _opener(tree, own) is not None):
            return inherited, experiencer
        if token.pos in {"VERB", "AUX"} and features.get("Tense") == "Past":
            if features.get("Gender") in {"Masc", "Fem"}:
                return Subject(Who.SELF), experiencer
            if plural:
                together = any(
                    tree.case(child) in {"с", "со"} and tree[child].features.get("Case") == "Ins"
                    for child in tree.children(predicate, "obl", "nmod")
                )
                ours = together or (token.lemma in _DONE_TOGETHER and not tree.children(predicate, "obj"))
                return Subject(Who.GROUP if ours else Who.OTHERS), experiencer
        if token.pos == "ADJ" and features.get("Variant") == "Short" and features.get("Gender") in {"Masc", "Fem"}:
            return Subject(Who.SELF), experiencer
        return Subject(Who.NONE), experiencer
    inherited = _inherited(tree, predicate, previous)
    if inherited is not None:
        return inherited, experiencer
    finite = features.get("VerbForm") == "Fin" and (features.get("Tense") == "Past" or features.get("Person") != "3")
    if token.pos == "VERB" and finite and token.head == ROOT and features.get("Tense") == "Past":
        return Subject(Who.SELF), experiencer
    first = next(
        (index for index in own if not is_mark(tree[index]) and tree[index].pos not in {"INTJ", "ADV", "CCONJ"}), predicate
    )
    if (
        token.pos == "VERB"
        and features.get("VerbForm") == "Part"
        and token.head == ROOT
        and features.get("Aspect") == "Prog"
        and first == predicate
    ):
        return Subject(Who.SELF), experiencer
    return Subject(Who.NONE), experiencer


def is_depictive(tree: SentenceTree, verb: int, index: int) -> bool:
    """As in "сидела злая", "пришёл уставший": an adjective after the verb is the speaker's state, not its subject."""
    token = tree[index]
    return (
        tree.sentence.language == "ru"
        and index > verb
        and tree[verb].pos == "VERB"
        and token.lemma.endswith(("ый", "ий", "ой"))
        and token.text.lower().endswith(("ая", "яя", "ый", "ий", "ой", "ые", "ие"))
        and not tree.children(index)
    )


def _disagrees(tree: SentenceTree, verb: int, index: int) -> bool:
    """As in "написала два письма": a thing that does not agree with its past verb is the object."""
    token, over = tree[index], tree[verb]
    if tree.sentence.language != "ru" or over.features.get("Tense") != "Past" or over.features.get("Number") != "Sing":
        return False
    if token.pos != "NOUN" or token.features.get("Animacy") != "Inan" or index < verb:
        return False
    gender = over.features.get("Gender")
    return gender in {"Masc", "Fem"} and (
        token.features.get("Number") == "Plur" or token.features.get("Gender") not in {gender, None}
    )


def _inherited(tree: SentenceTree, predicate: int, previous: Clause | None) -> Subject | None:
    """Through a joined clause; not for neuter or impersonal predicates."""
    token = tree[predicate]
    if previous is None or (
        relation(token) not in {"conj", "parataxis", "ccomp", "advcl"}
        and tree[token.head if token.head != ROOT else predicate].head == ROOT
    ):
        return None
    if token.features.get("Gender") == "Neut" or token.pos == "ADV":
        return None
    if tree.sentence.language == "ru" and token.features.get("Tense") == "Past":
        other = tree[previous.head].features if previous.head < len(tree.tokens) else {}
        if other.get("Number") and token.features.get("Number") and other.get("Number") != token.features.get("Number"):
            return None
    if previous.subject.who is Who.NONE:
        return None
    return Subject(previous.subject.who, previous.subject.token, inherited=True)


def _experiencer(tree: SentenceTree, predicate: int) -> int | None:
    """As in "мне", "у меня" under a Russian predicate."""
    if tree.sentence.language != "ru":
        return None
    if tree[predicate].pos == "PRON" and tree.case(predicate) == "у":
        return predicate  # "у меня праздник"
    for child in tree.children(predicate, "iobj", "obl", "nmod"):
        token = tree[child]
        if token.pos not in {"PRON", "NOUN", "PROPN"}:
            continue
        dative = token.features.get("Case") == "Dat" and not tree.children(child, "case")
        if dative or (tree.case(child) == "у" and token.pos in {"PRON", "PROPN", "NOUN"}):
            return child
    return None


def who_of(tree: SentenceTree, index: int) -> Who:
    """Whom that noun phrase means."""
    token = tree[index]
    lemma = token.lemma
    if lemma in {"i", "я"}:
        return Who.GROUP if any(tree[c].pos in {"PROPN", "PRON", "NOUN"} for c in tree.children(index, "conj")) else Who.SELF
    if lemma == "me":
        return Who.SELF
    if lemma in {"we", "мы", "us"}:
        return Who.GROUP
    if lemma in {"you", "ты", "вы"}:
        return Who.ADDRESSEE
    if lemma in {"he", "she", "он", "она", "him", "her"}:
        return Who.PERSON
    if lemma in {"they", "они", "everyone", "people", "кто", "somebody", "someone", "кто-то", "все", "люди"}:
        return Who.OTHERS
    if any(tree[c].lemma in {"i", "я"} for c in tree.children(index, "conj")):
        return Who.GROUP
    if names_pet(tree, index):
        return Who.THING
    if lemma in RELATIONS and token.features.get("Number") == "Plur" and RELATIONS[lemma][0] != "parents":
        return Who.OTHERS
    if lemma in RELATIONS:
        return Who.PERSON
    if token.pos == "PROPN":
        return Who.THING if _is_house(tree, index) else Who.PERSON
    if any(_CAPITAL.match(tree[c].text) and tree[c].pos == "PROPN" for c in tree.children(index, "appos", "flat")):
        role = {lemma.rsplit("-", 1)[-1], token.text.lower().rsplit("-", 1)[-1]} & ROLES
        return Who.PERSON if role or token.features.get("Animacy") == "Anim" else Who.THING
    return Who.THING


def _is_house(tree: SentenceTree, index: int) -> bool:
    """As in "Fernhill Bakery", "школа «Росток»": a firm or house, nobody."""
    before = tree[index - 1].text if index > 0 else ""
    return (tree[index].lemma in INSTITUTIONS or tree[index].text.lower() in INSTITUTIONS) or before in {"«", "“", '"'}


def _tense(tree: SentenceTree, predicate: int) -> tuple[Tense, bool]:
    token = tree[predicate]
    helpers = [tree[child] for child in tree.children(predicate, "aux", "cop")]
    words = {helper.text.lower() for helper in helpers}
    lemmas = {helper.lemma for helper in helpers}
    if tree.sentence.language == "en":
        if words & {"will", "'ll", "wo", "shall"} or (
            token.lemma == "go" and token.text.lower() in {"going", "gon"} and tree.children(predicate, "xcomp")
        ):
            return Tense.FUTURE, False
        perfect = "have" in lemmas or words & {"'ve"} != set()
        if perfect and token.lemma == "get" and token.text.lower() == "got":
            return Tense.PRESENT, False
        if perfect and ("had" in words or token.features.get("VerbForm") == "Part"):
            # "I've lived here for years" lasts; "I've moved" is over: the verb's own aspect tells.
            return (Tense.PRESENT if token.features.get("Aspect") == "Prog" else Tense.PAST), True
        if any(helper.features.get("Tense") == "Past" for helper in helpers):
            return Tense.PAST, False
        if not helpers and token.features.get("Tense") == "Past":
            return Tense.PAST, False
        if words & {"would", "could", "should", "might", "may", "must", "can"}:
            return Tense.NONE, False
        if helpers or token.features.get("Tense") == "Pres":
            return Tense.PRESENT, False
        if token.features.get("VerbForm") == "Inf" and tree.children(predicate, "nsubj"):
            return Tense.PRESENT, False  # "I no longer eat meat": the tagger took the bare form for an infinitive
        return Tense.NONE, False
    for helper in helpers:
        if helper.features.get("Tense") == "Past":
            return Tense.PAST, False
        if helper.features.get("Tense") == "Fut" or helper.text.lower().startswith("буд"):
            return Tense.FUTURE, False
    tense = token.features.get("Tense")
    if tense == "Pres" and token.features.get("Aspect") == "Perf":
        return Tense.FUTURE, False
    if tense is not None and token.features.get("VerbForm") != "Part":
        return {"Past": Tense.PAST, "Pres": Tense.PRESENT, "Fut": Tense.FUTURE}.get(tense, Tense.NONE), False
    if token.pos == "VERB" and token.features.get("VerbForm") == "Part" and token.features.get("Tense") == "Past":
        return Tense.PAST, False
    if token.pos not in {"VERB", "AUX"}:
        return Tense.PRESENT, False
    return Tense.NONE, False


def _negation(tree: SentenceTree, predicate: int) -> Cue | None:
    """The predicate's own "not", and "нет", "no …" as the object of having."""
    token = tree[predicate]
    if token.lemma in {"нет", "нету"} or token.text.lower() in {"нет", "нету"}:
        return Cue(token.start, token.end)
    family = [predicate, *tree.children(predicate, "aux", "cop", "xcomp")]
    for member in family:
        for child in tree.children(member):
            word = tree[child]
            text = word.text.lower()
            if relation(word) == "punct":
                continue
            if text in {"не", "not", "n't", "nt", "never", "никогда"} and (
                word.start < tree[member].start or text in {"n't", "nt", "not"}
            ):
                return Cue(word.start, word.end)
            if word.lemma in {"нет", "нету"}:
                return Cue(word.start, word.end)
            if relation(word) in {"obj", "nsubj"}:
                for determiner in tree.children(child, "det", "advmod"):
                    if tree[determiner].text.lower() in {"no", "никакой", "никаких"}:
                        return Cue(tree[determiner].start, tree[determiner].end)
    # slovnet hangs "не" on a neighbour now and then: the word right before the predicate is its negation.
    if predicate > 0 and tree[predicate - 1].text.lower() == "не":
        return Cue(tree[predicate - 1].start, tree[predicate - 1].end)
    return None


def _is_order(tree: SentenceTree, head: int, subject: Subject) -> bool:
    token = tree[head]
    if tree.sentence.language == "ru":
        if token.features.get("Mood") == "Imp" and token.text.lower() not in {"давай", "представь", "прикинь"}:
            return not tree.children(head, "nsubj") or subject.who is Who.ADDRESSEE
        return False
    if token.pos not in {"VERB", "AUX"} or tree.children(head, "nsubj", "csubj", "expl") or subject.inherited:
        return False
    base = token.features.get("VerbForm") in {"Inf", None} or (
        token.features.get("VerbForm") == "Fin" and token.features.get("Tense") == "Pres" and token.text.lower() == token.lemma
    )
    helpers = {tree[child].text.lower() for child in tree.children(head, "aux")}
    return base and not (helpers - {"do", "n't", "not"}) and relation(token) in {"root", "conj", "parataxis", "ccomp"}


def place_in_sentence(tree: SentenceTree, own: Sequence[int]) -> int:
    """How many words stand before the clause in its sentence."""
    return sum(1 for token in tree.tokens[: own[0]] if not is_mark(token) and token.text.lower() not in _JOINERS)


def _asks_without_mark(tree: SentenceTree) -> bool:
    """As in "Какая мне от них польза": a question word first and no exclamation."""
    words = [
        token for token in tree.tokens if not is_mark(token) and token.text.lower() not in {"а", "и", "ну", "and", "so", "но"}
    ]
    if not words or tree.tokens[-1].text.startswith("!"):
        return False
    if len(words) > 1 and (words[0].text.lower(), words[1].text.lower()) in {
        ("как", "только"),
        ("как", "раз"),
        ("что", "касается"),
        ("what", "'s"),
    }:
        return False
    return words[0].lemma in {
        "как",
        "какой",
        "почему",
        "зачем",
        "сколько",
        "кто",
        "чем",
        "откуда",
        "what",
        "how",
        "why",
        "who",
        "which",
    } and (words[0].text.lower() not in {"how", "what"} or (len(words) > 1 and words[1].pos in {"AUX", "VERB"}))


def _has_question_word(tree: SentenceTree, own: Sequence[int]) -> bool:
    return any(tree[index].lemma in _QUESTION_WORDS for index in own)


def _is_quoted(tree: SentenceTree, own: Sequence[int]) -> bool:
    before = tree[own[0] - 1].text if own[0] > 0 else ""
    return (
        before in {'"', "«", "“", "``"}
        and own[-1] + 1 < len(tree.tokens)
        and any(tree[index].text in {'"', "»", "”", "''"} for index in range(own[-1] + 1, min(own[-1] + 3, len(tree.tokens))))
    )


def _link(
    tree: SentenceTree,
    head: int,
    own: Sequence[int],
    opener: tuple[LinkKind, int, int] | None,
    positions: dict[int, int],
    place: int,
) -> Link | None:
    governor = next((above for above in tree.ancestors(head) if above in positions), None)
    parent = positions.get(governor) if governor is not None else None
    if opener is not None:
        kind, first, last = opener
        target = parent
        if kind in {LinkKind.THEREFORE, LinkKind.THEN, LinkKind.CONTRAST} or target is None:
            # Across a full stop too: "So I quit."
            target = place - 1 if kind not in _PREPOSED or place - 1 in positions.values() else None
        if (target is None or target < 0) and kind in _PREPOSED and place + 1 in positions.values():
            target = place + 1  # "Раз ты занят, пойду одна": the parser took the reason for the root
        if target is None or target < 0 or target == place:
            return None
        return Link(kind, target, Cue(tree[first].start, tree[last].end))
    # A causal word may sit at the end of the clause before: slovnet hangs it there.
    if parent is None or governor is None:
        return None
    if relation(tree[head]) in {"ccomp", "advcl"} and _is_feeling(tree, governor):
        mark = tree.child(head, "mark", "advmod")
        word = tree[mark] if mark is not None else tree[governor]
        return Link(LinkKind.FEELING, parent, Cue(word.start, word.end))
    colon = next((index for index in range(own[0] - 1, max(own[0] - 3, -1), -1) if tree[index].text == ":"), None)
    if colon is None and own and tree[own[0]].text == ":":
        colon = own[0]
    if colon is not None and parent < place:
        return Link(LinkKind.COLON, parent, Cue(tree[colon].start, tree[colon].end))
    joiner = tree.child(head, "cc")
    if joiner is not None:
        return Link(LinkKind.AND, parent, Cue(tree[joiner].start, tree[joiner].end))
    return None


def _with_parent_condition(clause: Clause, clauses: Sequence[Clause]) -> Clause:
    """The consequence of an "if" holds only under it."""
    if clause.has(Modality.CONDITIONAL):
        return clause
    for other in clauses:
        link = other.link
        if link is not None and link.kind is LinkKind.CONDITION and link.parent == clause.index:
            return _with_modality(clause, Modality.CONDITIONAL, link.cue)
    return clause


def _with_jokes(clauses: list[Clause]) -> list[Clause]:
    """As in "Just kidding" covers the sentence before it."""
    result = list(clauses)
    for place, clause in enumerate(clauses):
        if clause.has(Modality.JOKING) and place > 0 and clause.end - clause.start <= 24:
            before = clauses[place - 1].sentence
            cue = next(cue for found, cue in clause.modality if found is Modality.JOKING)
            for number, other in enumerate(clauses[:place]):
                if other.sentence == before:
                    result[number] = _with_modality(other, Modality.JOKING, cue)
    return result


def _with_modality(clause: Clause, modality: Modality, cue: Cue) -> Clause:
    kept = tuple((found, place) for found, place in clause.modality if found is not Modality.ASSERTED)
    order = list(Modality)
    return replace(clause, modality=tuple(sorted((*kept, (modality, cue)), key=lambda item: order.index(item[0]))))
