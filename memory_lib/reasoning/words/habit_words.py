"""Words of habits: what one does again and again, how one stops, and nouns that say how much or when instead of what."""

from __future__ import annotations

DOINGS = frozenset(
    """
    drink eat smoke vape drive cycle bike run jog swim walk commute play watch read use study train practise practice cook bake
    knit paint draw sing dance garden volunteer climb hike ski surf skate box row fish cycle meditate blog gamble bet
    пить выпивать есть кушать курить парить ездить бегать плавать ходить гулять играть смотреть читать учить изучать
    заниматься тренироваться готовить печь вязать рисовать петь танцевать кататься пользоваться вышивать медитировать
    писать шить лазать рыбачить волонтёрить волонтерить
    """.split()
)
GERUNDS = {word.removesuffix("e") + "ing": word for word in DOINGS if word.isascii()} | {
    "running": "run", "jogging": "jog", "swimming": "swim", "gambling": "gamble", "betting": "bet",
}  # fmt: skip
"""English gerunds: the tagger takes some for nouns ("I've quit smoking")."""

STOPPING = frozenset("stop quit бросить бросать перестать прекратить завязать отвыкнуть".split())

MOMENTARY = frozenset("read watch cook bake eat drink читать смотреть готовить печь есть пить писать рисовать играть".split())
"""In Russian the same form says what one does this minute."""

MEASURES = frozenset(
    """
    cup glass bottle mug pack lot pint can litre liter ton bit plenty чашка стакан бутылка кружка пачка литр банка много
    """.split()
)
WHEN = frozenset(
    """
    day week month year time moment morning evening night afternoon weekend breakfast lunch dinner bed winter summer spring
    autumn monday tuesday wednesday thursday friday saturday sunday today now hour minute once twice
    день неделя месяц год время момент утро вечер ночь выходной завтрак обед ужин сон зима лето весна осень понедельник
    вторник среда четверг пятница суббота воскресенье раз час минута
    """.split()
)
