"""What a clause tells of a feeling, and the small questions that all rules of feeling ask of a clause (pure)."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lib.domain.candidates import Valence
from memory_lib.domain.clause import Clause
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree


@dataclass(frozen=True, slots=True)
class Feeling:
    """A feeling and the token that tells it."""

    valence: Valence
    intensity: float
    token: int
    named: bool
    """Whether a feeling was told; False = a day, mood or stretch of life was judged."""
    idiom: bool = False
    undergone: bool = False
    """Whether somebody or something else brings it about ("Marcus stresses me out"): the speaker is not the subject."""
    stated: bool = True
    """False = implied by what the body does or the person does."""
    sleepless: bool = False
    """Implied by bad sleep or appetite only: noise or heat in the same message explains it without a feeling."""
    of_other: bool = False
    """Whether the clause's subject feels it, somebody other than the speaker."""


def said(clause: Clause, tree: SentenceTree) -> str:
    """The clause's words, folded, with contractions put together again ("can't")."""
    words = [tree[index].text for index in clause.own]
    said = fold(" ".join(words)).replace(" - ", "-").replace(" n't", "n't").replace(" '", "'").replace("ca n't", "can't")
    return said.replace(" ,", ",").replace("can not", "cannot")


def experiences(clause: Clause, tree: SentenceTree) -> bool:
    """Whether the speaker is the one it is so for: "мне грустно", "у меня тревога"."""
    return clause.experiencer is not None and tree[clause.experiencer].lemma in {"я", "мы"}


def lemma_of(tree: SentenceTree, index: int) -> str:
    """The lemma as the lists have it, ``ё`` as ``е``."""
    return tree[index].lemma.replace("ё", "е")
