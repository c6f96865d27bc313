"""Words of feeling of both languages with their valence and intensity, by how they join the one who feels.

``FEELINGS``: all words that name a state of somebody. ``EVALUATIONS``: words that judge a day, a mood, a stretch of life.
Values: sign = valence, size = intensity 0..1. Lemmas as the parsers give them, ``ё`` as ``е``.
"""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

from collections.abc import Mapping

from memory_lib.reasoning.words import feeling_words_en as en
from memory_lib.reasoning.words import feeling_words_ru as ru


def _table(*rows: tuple[float, str]) -> Mapping[str, float]:
    return {word: value for value, words in rows for word in words.split()}


STATES: Mapping[str, float] = {**en.STATES, **ru.STATES}
OWN_VERBS: Mapping[str, float] = {**en.OWN_VERBS, **ru.OWN_VERBS}
DONE_VERBS: Mapping[str, float] = {**en.DONE_VERBS, **ru.DONE_VERBS}
NOUNS: Mapping[str, float] = {**en.NOUNS, **ru.NOUNS}
FEELINGS: Mapping[str, float] = {**NOUNS, **DONE_VERBS, **OWN_VERBS, **STATES}

EVALUATIONS: Mapping[str, float] = _table(
    (0.8, "прекрасный замечательный чудесный великолепный потрясающий отличный шикарный лучший супер волшебный незабываемый сказочный счастливый"),
    (0.5, "хороший приятный классный удачный неплохой прекрасно замечательно отлично классно здорово чудесно добрый радостный"),
    (-0.5, "плохой тяжелый трудный неудачный скверный грустный нервный сложный хреново тоскливый паршиво дурацкий поганый безумный сумасшедший непростой мрачный"),
    (-0.8, "ужасный отвратительный кошмарный жуткий худший паршивый адский чудовищный ужасно кошмарно отвратительно жутко адово"),
    (0.8, "wonderful amazing fantastic awesome incredible perfect best great lovely brilliant magical unforgettable glorious"),
    (0.5, "good nice fun pleasant decent"),
    (-0.5, "bad hard rough tough difficult stressful sad draining exhausting lousy grim rotten gloomy crappy long bleak rocky"),
    (-0.8, "awful terrible horrible worst dreadful nightmare miserable hellish appalling"),
)  # fmt: skip

# What an evaluation must be said of to be the speaker's state rather than a review.
LIFE_NOUNS = frozenset(
    """
    день неделя вечер утро настроение жизнь период месяц год выходные выходной ночь самочувствие состояние полоса day week
    evening morning mood life night month year weekend afternoon
    """.split()
)
FEEL_VERBS = frozenset(
    """
    feel чувствовать ощущать почувствовать испытывать испытать ощутить
    """.split()
)
BODILY_REASONS = frozenset(
    """
    noise noisy loud neighbour neighbor barking bark alarm siren snore snoring coffee caffeine espresso heat hot mosquito jet lag jetlag
    tooth toothache cough fever itch mattress builder drill traffic party music baby newborn shift light tea medication cold flu
    шум шуметь шумный сосед лай лаять сигнализация храп храпеть кофе эспрессо жара жарко духота душно комар джетлаг зуб кашель кашлять температура
    чесаться матрас стройка дрель музыка младенец новорожденный смена свет чай таблетка простуда насморк ремонт перфоратор орать гулянка
    """.split()
)
"""What keeps people awake or from eating without any feeling."""
UNSURE_FEELINGS = frozenset(
    """
    бояться опасаться побаиваться беспокоиться волноваться переживать тревожиться сомневаться страшно тревожно боязно страшиться надежда страх
    worried worry afraid scared fear anxious nervous hope hopeful confident unsure dread terrified frightened paranoid panic petrified
    """.split()
)
"""What they are about may never come true: "боюсь, что уволят" tells no dismissal."""
