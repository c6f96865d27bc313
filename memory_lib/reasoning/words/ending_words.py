"""Verbs by which something ends, and the nouns that tell what part of a life ended."""

from __future__ import annotations

LEAVING_WORK = frozenset(["resign", "retire", "уволиться", "увольняться"])
LAYING_OFF = frozenset(["fire", "sack", "dismiss", "уволить", "сократить", "выгнать", "вытурить"])
LEAVING = frozenset(["leave", "quit", "уйти", "уходить", "бросить", "покинуть", "свалить"])
PARTING = frozenset(
    """
    sell lose ditch scrap donate return cancel drop stop quit abandon dump trash wreck total discontinue surrender swap
    trade продать продавать отдать подарить выбросить выкинуть потерять бросить забросить завязать отказаться избавиться
    лишиться утопить разбить отменить отписаться закрыть сдать пожертвовать вернуть списать сломать прекратить перестать
    разлюбить
    """.split()
)
EXCHANGING = frozenset(
    """
    swap trade exchange replace ditch change substitute сменить поменять променять обменять заменить сменять менять
    """.split()
)
"""Verbs whose object goes, for something else."""
CHANGING = EXCHANGING | frozenset(
    """
    switch move go convert migrate upgrade downgrade graduate turn transfer перейти переходить пересесть переключиться
    перебраться переехать перевестись переквалифицироваться перекинуться
    """.split()
)
"""Verbs by which one goes over from one thing to another."""
PARTICLES = frozenset(
    {
        ("give", "up"),
        ("give", "away"),
        ("throw", "out"),
        ("throw", "away"),
        ("get", "rid"),
        ("pack", "in"),
        ("cut", "out"),
        ("trade", "in"),
        ("go", "off"),
        ("pack", "up"),
        ("put", "down"),
    }
)
DYING = frozenset(["die", "умереть", "погибнуть", "сдохнуть", "издохнуть", "околеть"])
WORK_NOUNS = frozenset(
    """
    job work position post role company firm employer office career работа должность пост место компания фирма служба завод
    контора профессия карьера ставка
    """.split()
)
GROUPS = frozenset(
    """
    band choir team club gym church society orchestra crew league class course group squad ensemble party union committee
    board troupe guild chess yoga pilates subscription membership группа хор команда клуб секция зал кружок оркестр ансамбль
    школа курс партия церковь община бассейн йога пилатес абонемент подписка
    """.split()
)
LOVED = frozenset(
    "wife husband boyfriend girlfriend partner fiance fiancee жена муж парень девушка жених невеста супруг супруга".split()
)
FOR_GOOD = frozenset("here abroad overseas permanently сюда насовсем навсегда туда".split())
