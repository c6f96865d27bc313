"""spaCy's English relations turned into Universal Dependencies, so that one rule set reads both languages.

Changed: a preposition becomes ``case`` of its noun; "be" + attribute or adjective becomes ``cop`` of it; a comma-spliced
complement without a mark becomes ``parataxis``; the rest is renamed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_lib.domain.syntax import ROOT, Token

_RENAMED = {
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "dobj": "obj",
    "dative": "iobj",
    "auxpass": "aux:pass",
    "neg": "advmod",
    "poss": "nmod:poss",
    "npadvmod": "obl:tmod",
    "relcl": "acl:relcl",
    "prt": "compound:prt",
    "intj": "discourse",
    "oprd": "xcomp",
    "quantmod": "advmod",
    "predet": "det:predet",
    "preconj": "cc:preconj",
    "meta": "dep",
    "attr": "xcomp",
    "acomp": "xcomp",
}
_NOMINAL = {"NOUN", "PROPN", "PRON", "NUM"}


class _Tree:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.heads = [token.head for token in tokens]
        self.relations = [token.relation for token in tokens]

    def children(self, index: int) -> list[int]:
        return [child for child, head in enumerate(self.heads) if head == index]


def to_universal(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The same tokens with universal heads and relations. Cycles cannot arise: each step lifts a dependant above its head."""
    tree = _Tree(tokens)
    _lift_predicates(tree)
    _lower_prepositions(tree)
    _splice_to_parataxis(tree)
    _hang_conjunctions(tree)
    result: list[Token] = []
    for index, token in enumerate(tokens):
        relation = tree.relations[index]
        features = token.features
        if relation == "neg" or (token.lemma in {"not", "never"} and token.pos in {"PART", "ADV"}):
            features = {**features, "Polarity": "Neg"}
        head = tree.heads[index]
        name = "root" if head == ROOT else _RENAMED.get(relation, relation)
        result.append(replace(token, head=head, relation=name, features=features))
    return tuple(result)


def _lift_predicates(tree: _Tree) -> None:
    for index, token in enumerate(tree.tokens):
        if token.lemma != "be" or token.pos not in {"AUX", "VERB"}:
            continue
        children = tree.children(index)
        relations = {tree.relations[child] for child in children}
        predicates = [child for child in children if tree.relations[child] in {"attr", "acomp"}]
        if not predicates:
            continue
        if "expl" in relations:
            for child in predicates:
                tree.relations[child] = "nsubj"
            continue
        predicate = predicates[-1]
        if tree.tokens[predicate].pos == "PRON" and not relations & {"nsubj", "csubj"}:
            continue
        tree.heads[predicate], tree.relations[predicate] = tree.heads[index], tree.relations[index]
        for child in children:
            if child != predicate:
                tree.heads[child] = predicate
                if tree.relations[child] in {"attr", "acomp"}:
                    tree.relations[child] = "nsubj"
        tree.heads[index], tree.relations[index] = predicate, "cop"


def _lower_prepositions(tree: _Tree) -> None:
    for index in range(len(tree.tokens)):
        relation = tree.relations[index]
        if relation not in {"prep", "agent"} and not (relation == "dative" and tree.tokens[index].pos == "ADP"):
            continue
        children = tree.children(index)
        inner = next((c for name in ("pobj", "prep", "pcomp") for c in children if tree.relations[c] == name), None)
        if inner is None:
            tree.relations[index] = "advmod"
            continue
        governor = tree.heads[index]
        if tree.relations[inner] == "prep" or (tree.relations[inner] == "pcomp" and tree.tokens[inner].pos == "ADP"):
            tree.relations[inner] = "prep"
            # "out of the house", "because of it": the outer preposition becomes an adverb of the inner one's noun.
            tree.heads[inner] = governor
            tree.heads[index], tree.relations[index] = inner, "advmod"
            continue
        clausal = tree.relations[inner] == "pcomp"
        nominal_governor = governor != ROOT and tree.tokens[governor].pos in _NOMINAL and not _is_predicate(tree, governor)
        if clausal:
            name = "acl" if nominal_governor else "advcl"
        elif relation == "agent":
            name = "obl:agent"
        else:
            name = "nmod" if nominal_governor else "obl"
        tree.heads[inner], tree.relations[inner] = governor, name
        tree.heads[index], tree.relations[index] = inner, "mark" if clausal else "case"
        for child in children:
            if child != inner:
                tree.heads[child] = inner
                if tree.relations[child] == "pcomp" and tree.tokens[child].pos == "ADP":
                    tree.relations[child] = "case"  # "because of it" has two prepositions and one noun


def _hang_conjunctions(tree: _Tree) -> None:
    """A coordinator belongs to the conjunct after it."""
    for index, name in enumerate(tree.relations):
        if name != "cc" or tree.heads[index] == ROOT:
            continue
        following = [c for c in tree.children(tree.heads[index]) if c > index and tree.relations[c] in {"conj", "parataxis"}]
        if following:
            tree.heads[index] = following[0]


def _is_predicate(tree: _Tree, index: int) -> bool:
    return any(tree.relations[child] in {"cop", "nsubj"} for child in tree.children(index))


def _splice_to_parataxis(tree: _Tree) -> None:
    for index, relation in enumerate(tree.relations):
        head = tree.heads[index]
        if relation not in {"ccomp", "advcl"} or head == ROOT or index > head:
            continue
        children = tree.children(index)
        if any(
            tree.relations[child] in {"mark", "advmod"}
            and tree.tokens[child].pos in {"SCONJ", "ADV"}
            and child < index
            and tree.tokens[child].lemma in {"when", "if", "because", "since", "while", "where", "after", "before", "as"}
            for child in children
        ) or any(tree.relations[child] == "mark" for child in children):
            continue
        if not any(tree.relations[child] in {"nsubj", "nsubjpass"} for child in children):
            continue
        if any(tree.tokens[place].text in {",", ";", "-", "—", "–", ":"} for place in range(index, head)):
            tree.relations[index] = "parataxis"
