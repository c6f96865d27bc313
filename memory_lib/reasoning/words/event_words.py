"""Nouns that name something that happened or goes on: only these become a node of their own out of "because of …", "after …"."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re

HAPPENINGS = frozenset(
    """
    собеседование экзамен встреча свадьба операция переезд концерт поездка защита выступление соревнование забег марафон
    отпуск свидание совещание зачёт зачет похороны юбилей презентация конференция визит развод разлука расставание ссора
    скандал конфликт разговор увольнение сокращение повышение авария пожар потоп затоп кража гроза буря дождь снегопад
    метель жара мороз холод погода наводнение землетрясение ремонт пробка забастовка карантин пандемия война кризис стресс
    дедлайн аврал проверка сессия экзаменационный роды рождение смерть болезнь травма перелом предательство измена обман
    отказ провал проигрыш победа успех критика крик шум долг кредит ипотека задержка опоздание отмена поломка ошибка
    падение драка спор суд переработка бессонница одиночество усталость усилие помощь поддержка забота терапия тренировка
    interview exam meeting wedding surgery move concert trip performance race marathon vacation date funeral anniversary
    presentation conference party visit divorce breakup break-up separation argument fight row quarrel conflict talk
    conversation layoff dismissal promotion accident crash fire flood theft burglary storm rain snow snowstorm heat
    heatwave cold weather earthquake renovation traffic strike lockdown quarantine pandemic war crisis stress deadline
    inspection birth death loss illness injury fall betrayal affair lie refusal rejection failure defeat win victory
    success criticism noise debt loan mortgage delay cancellation breakdown mistake pressure workload overtime insomnia
    loneliness exhaustion help support kindness care therapy training audition graduation retirement appointment game
    match recital test tournament competition event call outage hurricane miscarriage robbery drought
    """.split()
)
_MADE_OF_A_VERB = re.compile(r"(?:ование|ирование|ание|ение|ция)$|(?:ation|cation|ution|ction)$")
_THINGS = frozenset(
    """
    здание растение задание печенье варенье животное питание название издание образование положение настроение отделение
    расстояние помещение упражнение предложение приложение сообщение стихотворение произведение лекция станция организация
    station location section medication vacation collection nation
    """.split()
)


def names_happening(lemma: str) -> bool:
    """Whether that noun names an event or a situation, by itself or as made from a verb."""
    return lemma in HAPPENINGS or (_MADE_OF_A_VERB.search(lemma) is not None and lemma not in _THINGS)
