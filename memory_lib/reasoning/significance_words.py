"""Life events that are significant when they happen: job, home, birth, death, wedding, parting, result, accident."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

from collections.abc import Iterable

_ALONE = frozenset(
    """
    уволить уволиться сократить сокращение увольнение собеседование оффер свадьба пожениться жениться обручиться развод
    развестись расстаться разойтись родиться родить роды беременный беременна умереть скончаться смерть похороны
    погибнуть авария поступить отчислить переезд переехать эмигрировать ипотека диплом усыновить ограбить обокрасть
    оффер помолвка помолвиться эмиграция ликвидация выселить выпускной зачислить отчисление магистратура
    resignation redundancy redundant evict engagement graduation offer
    resign interview wedding marry engaged divorce breakup born birth pregnant die death funeral accident graduate
    promotion promote hire layoff propose emigrate rob burgle widow miscarriage
    """.split()
)
_PAIRS: tuple[frozenset[str], ...] = tuple(
    frozenset(pair.split())
    for pair in (
        "написать заявление", "подать заявление", "взять работа", "брать работа", "принять работа", "сдать право", "разбить машина", "попасть авария",
        "сдать сессия", "продать квартира", "продать дом", "пригласить собеседование", "звать собеседование", "выйти пенсия", "hand notice", "give notice", "crash car",
        "get place", "offer place", "pass driving", "fail driving", "get position", "accept job", "take job", "sell house", "sell flat", "retire", "land position",
        "новый работа", "сменить работа", "найти работа", "потерять работа", "получить работа", "предложить работа", "выйти замуж", "сделать предложение",
        "сдать экзамен", "завалить экзамен", "провалить экзамен", "купить квартира", "купить дом", "защитить диплом", "окончить университет",
        "закончить университет", "устроиться работа", "повысить работа", "повысить должность", "получить повышение", "открыть бизнес", "выиграть",
        "попасть больница", "сделать операция", "бросить работа", "уйти работа",
        "new job", "lose job", "get job", "job offer", "quit job", "leave job", "start job", "land job", "accept offer", "pass exam", "fail exam",
        "pass test", "fail test", "buy house", "buy home", "buy apartment", "buy flat", "break up", "pass away", "get fired", "lay off", "have baby",
        "get married", "get engaged", "move city", "move country", "move abroad", "get promote", "own business", "have surgery", "get into university",
        "fire i", "lose father", "lose mother", "lose mom", "lose dad", "lose grandmother", "open business", "start business", "open studio",
    )
)  # fmt: skip


def is_significant(lemmas: Iterable[str]) -> bool:
    """Whether these words name such an event."""
    words = set(lemmas)
    return bool(words & _ALONE) or any(pair <= words for pair in _PAIRS)
