"""Words that join a clause to the one before it, and what they say of the two (pure)."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

from collections.abc import Sequence

from memory_lib.domain.clause import LinkKind
from memory_lib.domain.syntax import ROOT, Language
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation

_MARK_KINDS: dict[str, LinkKind] = {
    "потому что": LinkKind.BECAUSE, "потому": LinkKind.BECAUSE, "так как": LinkKind.BECAUSE, "поскольку": LinkKind.BECAUSE,
    "ведь": LinkKind.BECAUSE, "раз": LinkKind.BECAUSE, "ибо": LinkKind.BECAUSE, "из-за того что": LinkKind.BECAUSE,
    "оттого что": LinkKind.BECAUSE, "из-за того, что": LinkKind.BECAUSE, "благодаря тому что": LinkKind.BECAUSE,
    "because": LinkKind.BECAUSE, "cause": LinkKind.BECAUSE, "cuz": LinkKind.BECAUSE, "since": LinkKind.BECAUSE, "as": LinkKind.BECAUSE,
    "поэтому": LinkKind.THEREFORE, "так что": LinkKind.THEREFORE, "вот и": LinkKind.THEREFORE, "оттого": LinkKind.THEREFORE,
    "вследствие чего": LinkKind.THEREFORE, "and now": LinkKind.THEREFORE, "пришлось": LinkKind.THEREFORE, "из-за чего": LinkKind.THEREFORE, "из-за этого": LinkKind.THEREFORE, "и теперь": LinkKind.THEREFORE,
    "so": LinkKind.THEREFORE, "therefore": LinkKind.THEREFORE, "that's why": LinkKind.THEREFORE, "which is why": LinkKind.THEREFORE,
    "that is why": LinkKind.THEREFORE, "because of that": LinkKind.THEREFORE, "as a result": LinkKind.THEREFORE, "hence": LinkKind.THEREFORE,
    "раз уж": LinkKind.BECAUSE, "благо": LinkKind.BECAUSE, "а то": LinkKind.BECAUSE, "тем более что": LinkKind.BECAUSE, "в связи с тем что": LinkKind.BECAUSE,
    "в связи с тем, что": LinkKind.BECAUSE, "ввиду того, что": LinkKind.BECAUSE, "оттого, что": LinkKind.BECAUSE, "потому, что": LinkKind.BECAUSE,
    "благодаря тому, что": LinkKind.BECAUSE, "за то, что": LinkKind.BECAUSE, "по причине того, что": LinkKind.BECAUSE,
    "вот почему": LinkKind.THEREFORE, "вот отчего": LinkKind.THEREFORE, "вот поэтому": LinkKind.THEREFORE, "вот потому": LinkKind.THEREFORE,
    "потому и": LinkKind.THEREFORE, "оттого и": LinkKind.THEREFORE, "отсюда": LinkKind.THEREFORE, "отсюда и": LinkKind.THEREFORE, "отчего": LinkKind.THEREFORE,
    "в результате": LinkKind.THEREFORE, "в итоге": LinkKind.THEREFORE, "вследствие этого": LinkKind.THEREFORE, "по этой причине": LinkKind.THEREFORE,
    "в связи с этим": LinkKind.THEREFORE, "в связи с чем": LinkKind.THEREFORE, "благодаря этому": LinkKind.THEREFORE, "благодаря чему": LinkKind.THEREFORE,
    "как следствие": LinkKind.THEREFORE, "следовательно": LinkKind.THEREFORE, "вот мы и": LinkKind.THEREFORE, "вот я и": LinkKind.THEREFORE,
    "cos": LinkKind.BECAUSE, "coz": LinkKind.BECAUSE, "'cause": LinkKind.BECAUSE, "seeing as": LinkKind.BECAUSE, "seeing that": LinkKind.BECAUSE,
    "given that": LinkKind.BECAUSE, "now that": LinkKind.BECAUSE, "due to the fact that": LinkKind.BECAUSE, "just because": LinkKind.BECAUSE,
    "only because": LinkKind.BECAUSE, "mainly because": LinkKind.BECAUSE, "mostly because": LinkKind.BECAUSE, "partly because": LinkKind.BECAUSE,
    "probably because": LinkKind.BECAUSE, "simply because": LinkKind.BECAUSE, "purely because": LinkKind.BECAUSE, "especially since": LinkKind.BECAUSE,
    "so that's why": LinkKind.THEREFORE, "that's the reason": LinkKind.THEREFORE, "which is the reason": LinkKind.THEREFORE, "thus": LinkKind.THEREFORE,
    "consequently": LinkKind.THEREFORE, "because of this": LinkKind.THEREFORE, "because of it": LinkKind.THEREFORE, "thanks to that": LinkKind.THEREFORE,
    "thanks to this": LinkKind.THEREFORE, "as a consequence": LinkKind.THEREFORE, "for that reason": LinkKind.THEREFORE, "for this reason": LinkKind.THEREFORE,
    "that's how come": LinkKind.THEREFORE, "due to that": LinkKind.THEREFORE, "due to this": LinkKind.THEREFORE, "because of which": LinkKind.THEREFORE,
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


_Openers = dict[str, list[tuple[tuple[str, ...], LinkKind]]]


def _by_first_word() -> dict[Language, _Openers]:
    """Openers of each language by their first word, the longest first: "потому что" before "потому"."""
    found: dict[Language, _Openers] = {"ru": {}, "en": {}}
    for joined, kind in sorted(_MARK_KINDS.items(), key=lambda item: -len(item[0].split())):
        words = tuple(joined.replace(",", " ,").replace("'s", " 's").split())
        language: Language = "ru" if any("а" <= letter <= "я" for letter in joined) else "en"
        found[language].setdefault(words[0], []).append((words, kind))
    return found


_OPENERS = _by_first_word()
_BEFORE_OPENERS = frozenset({"and", "but", "и", "а", "ну", "well", "но"})
JOINERS = frozenset(
    """
    and but or so и а но или да то then
    """.split()
)


PREPOSED = frozenset({LinkKind.BECAUSE, LinkKind.CONDITION, LinkKind.WHEN, LinkKind.AFTER, LinkKind.BEFORE})


def joining_kind(tree: SentenceTree, index: int) -> LinkKind | None:
    """The joining word of the clause under that head, if any stands at its beginning."""
    opener = opener_of(tree, tree.subtree(index))
    return None if opener is None else opener[0]


def opener_of(tree: SentenceTree, own: Sequence[int]) -> tuple[LinkKind, int, int] | None:
    """(kind, first token, last token) of the joining words at the beginning of these tokens."""
    skipped = 0
    while skipped < len(own) and is_mark(tree[own[skipped]]):
        skipped += 1
    openers = _OPENERS[tree.sentence.language]
    for _ in range(2):
        if skipped >= len(own):
            return None
        first = tree.lowered(own[skipped])
        if first == "что":
            split = _because_before(tree, own[skipped])
            if split is not None:
                return LinkKind.BECAUSE, split, own[skipped]
        for words, kind in openers.get(first, ()):
            chunk = own[skipped : skipped + len(words)]
            if (
                len(chunk) == len(words)
                and all(tree.lowered(index) == word for index, word in zip(chunk, words, strict=True))
                and _joins(tree, own, skipped, words)
            ):
                return kind, chunk[0], chunk[-1]
        if first not in _BEFORE_OPENERS:
            return None
        skipped += 1
    return None


def _because_before(tree: SentenceTree, index: int) -> int | None:
    """As in "потому, что", "из-за того, что": the first half of a joining word that a comma has split off."""
    before = index - 1
    while before >= 0 and is_mark(tree[before]):
        before -= 1
    if before < 0:
        return None
    if tree.lowered(before) in {"потому", "оттого"}:
        return before
    if tree.lowered(before) in {"того", "тому", "то"} and before > 0:
        opener = tree.lowered(before - 1)
        if opener in {"из-за", "благодаря", "ввиду", "вследствие"} or (opener == "за" and tree.lowered(before) == "то"):
            return before - 1
    return None


def _joins(tree: SentenceTree, own: Sequence[int], place: int, words: tuple[str, ...]) -> bool:
    """Whether these words join here: "after the breakup" is no clause, "so tired" no consequence."""
    token = tree[own[place]]
    if len(words) == 1 and relation(token) == "case":
        return False
    if words == ("раз",):
        return token.pos in {"SCONJ", "ADV", "PART"}
    if words == ("as",) and len(own) > place + 1 and tree.lowered(own[place + 1]) in {"if", "though"}:
        return False
    if words in {("as",), ("since",)}:
        return _causal_english(tree, own)
    if words == ("so",) and token.head != ROOT and tree[token.head].pos in {"ADJ", "ADV"}:
        return not (len(own) > place + 1 and own[place + 1] == token.head)
    return True


def _causal_english(tree: SentenceTree, own: Sequence[int]) -> bool:
    """As in "since" and "as" give a reason only with a subject, and "since" not under a perfect ("since I moved, I have …")."""
    words = [tree[index].text.lower() for index in own]
    if not any(relation(tree[index]) == "nsubj" for index in own):
        return False
    if words and words[0] == "since":
        outside = {token.text.lower() for token in tree.tokens}
        return not outside & {"have", "has", "'ve", "been"}
    return words[:1] != ["as"] or (len(words) > 2 and _gives_reason(tree, own))


def _gives_reason(tree: SentenceTree, own: Sequence[int]) -> bool:
    """As in "As the lift was broken, …": what merely is so gives a reason; "as I opened it" tells the time."""
    if tree.tokens[own[0]].pos == "ADP" or tree.lowered(own[1]) in {"if", "though", "well", "soon", "long", "for", "far", "to"}:
        return False
    inside = set(own)
    top = next((k for k in own if tree[k].head not in inside), own[0])
    helpers = {tree[child].lemma for child in tree.children(top, "cop", "aux")}
    progressive = tree[top].features.get("Aspect") == "Prog"
    return (
        bool(tree.children(top, "cop"))
        or "not" in {tree[c].lemma for c in tree.children(top)}
        or (tree[top].lemma in {"have", "need", "want", "know", "live"} or ("be" in helpers and not progressive))
    )
