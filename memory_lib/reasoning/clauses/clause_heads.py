"""Which tokens of a sentence carry a clause of their own (pure)."""

# ruff: noqa: PLR0911 - rules of language are lists of cases
from __future__ import annotations

from collections.abc import Iterator

from memory_lib.domain.clause import LinkKind
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation
from memory_lib.reasoning.words.feeling_words import FEELINGS, STATES, UNSURE_FEELINGS
from memory_lib.reasoning.words.joining_words import joining_kind

PARENTHETIC = frozenset(
    """
    кажется казаться думать знать понимать говорить видеть признаться think guess know mean suppose believe see say
    """.split()
)


def clause_heads(tree: SentenceTree) -> list[int]:
    """Tokens that carry a clause each: the roots first, then what is joined to them."""
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
    heads.extend(index for index in _questions_after(tree) if index not in seen)
    seen.update(heads)
    for index, token in enumerate(tree.tokens):  # ", which is why we moved" hangs on any noun before it
        late = index not in seen and relation(token) in {"acl", "advcl", "ccomp", "xcomp"} and is_predicate(tree, index)
        if late and joining_kind(tree, index) in {LinkKind.THEREFORE, LinkKind.BECAUSE}:
            seen.add(index)
            heads.append(index)
    return heads


_ASKING = frozenset(
    "куда где как что сколько какой почему зачем когда кто чем откуда стоит можно what how where which why when who".split()
)
_TELLS_WHAT = frozenset(
    """
    знать решить решать понять понимать думать сказать подсказать посоветовать помнить узнать спросить интересовать объяснить
    напомнить know decide understand wonder tell ask remember say explain advise
    """.split()
)


def _questions_after(tree: SentenceTree) -> Iterator[int]:
    """As in "Живу в Перми, куда сходить с детьми?": what is told first is no question."""
    if not tree.tokens or not tree.tokens[-1].text.startswith("?"):
        return
    for index, token in enumerate(tree.tokens):
        if relation(token) not in {"conj", "parataxis", "advcl", "acl"} or token.pos not in {"VERB", "ADV", "ADJ"}:
            continue
        below = tree.subtree(index)
        words = [k for k in below if not is_mark(tree[k])]
        first = words[0] if words else index
        if first > 1 and tree[first].lemma in _ASKING and tree[first - 1].text in {",", "—", "-", "–"}:
            governor = token.head
            if (
                governor >= 0
                and tree[governor].lemma not in _TELLS_WHAT
                and below[-1] >= len(tree.tokens) - 2
                and first > governor
            ):
                yield index
                return


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
    kind = joining_kind(tree, index)
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
        return size >= 2 and not (token.lemma in PARENTHETIC and size <= 3)
    if name == "advcl" and kind is None and _stands_alone(tree, index):
        return True
    if name == "advcl":
        return kind in {
            LinkKind.BECAUSE,
            LinkKind.THEREFORE,
            LinkKind.CONDITION,
            LinkKind.WHEN,
            LinkKind.AFTER,
            LinkKind.BEFORE,
            LinkKind.CONTRAST,
        }
    if name in {"ccomp", "csubj", "acl"}:
        if kind is LinkKind.BECAUSE or kind is LinkKind.THEREFORE:
            return True
        if name == "acl":
            return False
        return is_feeling(tree, token.head) and _has_that(tree, index)
    return False


def _stands_alone(tree: SentenceTree, index: int) -> bool:
    """As in "Обещал Лёве помочь, он переезжает": a finite verb with its own subject, after a comma and no joining word."""
    token = tree[index]
    finite = token.features.get("VerbForm") == "Fin" or token.features.get("Tense") == "Past"
    subjects = [c for c in tree.children(index, "nsubj") if c < index and tree[c].features.get("Case") in {None, "Nom"}]
    first = tree.subtree(index)[0]
    while first < index and is_mark(tree[first]):
        first += 1
    marked = tree.children(index, "mark") or tree[first].pos in {"SCONJ", "ADV", "CCONJ"}
    return bool(
        finite and subjects and not marked and first > 0 and is_mark(tree[first - 1]) and first in tree.subtree(subjects[0])
    )


def is_feeling(tree: SentenceTree, index: int) -> bool:
    """Whether that word names a feeling whose content is true: "рад, что …", but not "боюсь, что …"."""
    word = tree[index]
    lemma = word.lemma.replace("ё", "е")
    return lemma not in UNSURE_FEELINGS and (lemma in FEELINGS or word.text.lower().replace("ё", "е") in STATES)


def _has_that(tree: SentenceTree, index: int) -> bool:
    words = {tree[child].text.lower() for child in tree.children(index, "mark", "advmod")}
    return bool(words & {"что", "that", "when", "когда"}) or not words
