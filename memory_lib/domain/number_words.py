"""Numbers written as words, Russian and English, as they stand in running text (every case form of the Russian ones)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def _table(rows: str) -> dict[str, int]:
    table: dict[str, int] = {}
    for row in rows.strip().splitlines():
        number, _, words = row.strip().partition(":")
        table.update(dict.fromkeys(words.split(), int(number)))
    return table


_ONES = _table(
    """
    1: one один одна одно одного одной одну одним
    2: two two два две двух двумя двое двоих двоими
    3: three три трех тремя трое троих
    4: four четыре четырех четырьмя четверо четверых
    5: five пять пяти пятью пятеро пятерых
    6: six шесть шести шестью шестеро шестерых
    7: seven семь семи семью семеро семерых
    8: eight восемь восьми восемью
    9: nine девять девяти девятью
    """
)
_TEENS = _table(
    """
    10: ten десять десяти десятью десятеро
    11: eleven одиннадцать одиннадцати
    12: twelve двенадцать двенадцати
    13: thirteen тринадцать тринадцати
    14: fourteen четырнадцать четырнадцати
    15: fifteen пятнадцать пятнадцати
    16: sixteen шестнадцать шестнадцати
    17: seventeen семнадцать семнадцати
    18: eighteen восемнадцать восемнадцати
    19: nineteen девятнадцать девятнадцати
    """
)
_TENS = _table(
    """
    20: twenty двадцать двадцати
    30: thirty тридцать тридцати
    40: forty сорок сорока
    50: fifty пятьдесят пятидесяти
    60: sixty шестьдесят шестидесяти
    70: seventy семьдесят семидесяти
    80: eighty восемьдесят восьмидесяти
    90: ninety девяносто девяноста
    """
)
_HUNDREDS = _table(
    """
    100: hundred сто ста
    200: двести двухсот
    300: триста трехсот
    400: четыреста
    500: пятьсот
    600: шестьсот
    700: семьсот
    800: восемьсот
    900: девятьсот
    """
)
_TIMES = _table(
    """
    1: once однажды
    2: twice дважды
    3: thrice трижды
    """
)
_ALONE: Mapping[str, int] = {**_ONES, **_TEENS, **_TENS, **_HUNDREDS}
_LONGEST_DIGITS = 9


def number_at(words: Sequence[str], place: int) -> tuple[int, int] | None:
    """The whole number that starts at ``place``, and how many words it takes; None where none does.

    ``words``: folded (lower case, ё as е), without hyphens. Ordinals are no numbers.
    """
    word = words[place]
    if word.isdigit() and word.isascii():
        return (int(word), 1) if len(word) <= _LONGEST_DIGITS else None
    total, taken = 0, 0
    for table, below in ((_HUNDREDS, _ALONE), (_TENS, _ONES)):
        at = place + taken
        if at < len(words) and words[at] in table:
            total += table[words[at]]
            taken += 1
            following = words[at + 1] if at + 1 < len(words) else ""
            if below is _ONES and following in _ONES:
                return total + _ONES[following], taken + 1
    if taken == 1 and total >= 100 and place + 1 < len(words):  # "сто двенадцать"
        rest = _TEENS.get(words[place + 1], _ONES.get(words[place + 1]))
        if rest is not None:
            return total + rest, 2
    if taken:
        return total, taken
    single = _ALONE.get(word)
    return None if single is None else (single, 1)


def times_in(word: str) -> int | None:
    """As in "twice", "трижды"."""
    return _TIMES.get(word)


def number_of(said: str | None) -> int | None:
    """The whole number that these words are; None where they are anything else or more than one number."""
    words = (said or "").casefold().replace("ё", "е").replace("-", " ").split()
    found = number_at(words, 0) if words else None
    return found[0] if found is not None and found[1] == len(words) else None
