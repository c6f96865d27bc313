"""Words with which a clause opens on other people without naming them (pure): quantities, collectives, and kin left out."""

# ruff: noqa: E501 - word lists read best on long lines
from __future__ import annotations

ANYBODY = frozenset(
    """
    everyone everybody nobody someone somebody anyone anybody people folk folks others
    кто-то кое-кто никто некто многие некоторые немногие остальные прочие другие большинство всякий
    """.split()
)
"""Alone they mean others: lemmas or words as written."""

QUANTITIES = frozenset(
    """
    lot lots plenty couple number majority bunch load loads handful dozen dozens half most many some all both none few several each
    every another any hundreds thousands third thirds quarter quarters percent fifth rest one two three four five six seven eight nine ten eleven twelve
    половина большинство часть треть четверть пара куча толпа ряд остаток меньшинство двое трое четверо пятеро шестеро семеро
    один одна несколько много мало немало полно большинство весь все каждый каждая любой никто кто-то некоторый многие некоторые другие
    """.split()
)
"""Before "of my friends", "моих коллег"."""

COLLECTIVES = frozenset(
    """
    class family team office group crew household department generation village town club company course street staff crowd
    band choir squad congregation parish neighbourhood neighborhood building block school ward shift cohort intake
    класс семья команда офис группа отдел посёлок поселок деревня село дом подъезд двор коллектив поток курс район бригада город
    родня кафедра школа смена бухгалтерия редакция этаж улица компания тусовка
    """.split()
)
"""Many people under one noun; they count only after a quantity ("half my class", "пол-офиса")."""

LEFT_OUT = frozenset(
    """
    eldest oldest youngest elder younger middle older
    старший младший средний мелкий мелкая малой благоверный благоверная ненаглядный ненаглядная суженый суженая родной
    бывший бывшая бывшенький
    """.split()
)
"""Adjectives that stand for a child, a sibling or a spouse when no noun follows."""

STAND_FOR_KIN = frozenset(
    """
    missus mrs nibs half halves lot hubby wifey hubs bub bubs sprog sprogs ankle-biter ankle-biters babe folks bloke
    половина половинка
    """.split()
)
"""After "my", "the", "моя": the people one lives with."""

INDIVIDUALS = frozenset("тип чел кадр перец экземпляр персонаж чувак товарищ гражданин дядька бабка".split())
"""Masculine words for somebody unnamed, which dictionaries hold for things too."""

SMALL = frozenset("little big small middle older younger".split())
"""Before "one": a child ("my little one")."""

WHEREABOUTS = frozenset(
    """
    next from at in on down up over across upstairs downstairs opposite behind round around who that with off two
    """.split()
)
"""After a first name they tell which one: "Ron next door", "Sue at work"."""
