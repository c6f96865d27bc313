"""Mends of trees that both parsers need: a sentence whose subject was taken for the whole of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_lib.domain.syntax import ROOT, Token

_RELATIVE = frozenset({"who", "which", "that", "whom", "whose", "where", "который", "чей", "кто", "что", "где"})


def lift_finite(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """As in "Кирилл, наш выпускающий, сдвинул срок", "My hairdresser Cleo moved": the parser hung the only finite verb on its
    own subject as a relative clause without a relative word. The verb becomes the root, the noun its subject.
    """
    result = tuple(tokens)
    root = next((place for place, token in enumerate(result) if token.head == ROOT), None)
    if root is None or result[root].pos not in {"NOUN", "PROPN"} or result[root].features.get("Case") not in {None, "Nom"}:
        return result
    verb = next((place for place in range(root + 1, len(result)) if _hangs_as_relative(result, place, root)), None)
    if verb is None or any(token.lemma in _RELATIVE for token in result[root:verb]):
        return result
    if any(token.head == root and token.relation in {"cop", "nsubj"} for token in result):
        return result
    mended = list(result)
    mended[verb] = replace(result[verb], head=ROOT, relation="root")
    mended[root] = replace(result[root], head=verb, relation="nsubj")
    for place, token in enumerate(result):
        if place != verb and token.head == verb and token.relation == "nsubj":
            if place != root + 1 or token.pos != "PROPN":
                return result
            mended[place] = replace(token, head=root, relation="appos")
        elif token.head == root and place > verb:
            mended[place] = replace(token, head=verb)
    return tuple(mended)


def bind_own_name(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """As in "Я Аня, живу в Твери, работаю …": the name beside "я" is its apposition, whatever verb the parser hung it on."""
    result = list(tokens)
    for place in range(1, len(result) - 1):
        before, token = result[place - 1], result[place]
        if (
            before.lemma == "я"
            and token.features.get("NameType") == "given"
            and result[place + 1].text in {",", ".", "!", "—", "-"}
        ):
            if before.head == place or token.head == place - 1:
                continue
            result[place] = replace(token, head=place - 1, relation="appos")
    return tuple(result)


def hang_likeness(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """As in "Я ушла так, словно ничего не было": what follows "словно", "будто" hangs on the sentence before it."""
    roots = [place for place, token in enumerate(tokens) if token.head == ROOT]
    if len(roots) < 2:
        return tuple(tokens)
    result = list(tokens)
    for root in roots[1:]:
        if any(
            token.head == root and token.lemma in {"словно", "будто"} and place < root for place, token in enumerate(tokens)
        ):
            result[root] = replace(tokens[root], head=roots[0], relation="advcl")
    return tuple(result)


def _hangs_as_relative(tokens: Sequence[Token], place: int, root: int) -> bool:
    token = tokens[place]
    finite = token.features.get("VerbForm") == "Fin" or (
        token.features.get("Tense") == "Past" and token.features.get("VerbForm") != "Part"
    )
    return token.pos == "VERB" and token.head == root and token.relation in {"acl", "acl:relcl"} and finite
