"""The words of a statement that say what it is about (pure)."""

from __future__ import annotations

from collections.abc import Sequence

EMPTY_LEMMAS = frozenset(
    """
    be have do will would can could should may might must i you he she it we they my your his her our their this that
    not no the a an and or but so if to of in on at for with about from as by again still now really actually also too
    very just more any much get go быть я ты он она оно мы вы они мой твой свой наш ваш этот тот не нет и а но или да
    что как в на с у к по из за о об от до для же ли бы снова опять теперь сейчас уже еще ещё больше самый дело очень
    просто это весь тоже также правда
    """.split()
)


def content_words(lemmas: Sequence[str]) -> frozenset[str]:
    """Lemmas that say what a statement is about."""
    return frozenset(lemma for lemma in lemmas if lemma not in EMPTY_LEMMAS and len(lemma) > 2)
