"""Words of feeling with their valence and intensity; own lists, small on purpose (word lists transfer poorly, trees do).

``FEELINGS``: words that name a state of the speaker (predicates, nouns after "feel").
``EVALUATIONS``: words that judge a day, a
mood, a stretch of life. Values: sign = valence, size = intensity 0..1. Lemmas as the parsers give them, ``ё`` as ``е``.
"""

# ruff: noqa: E501, ISC004 - word lists and patterns read best on long lines
from __future__ import annotations

from collections.abc import Mapping


def _table(*rows: tuple[float, str]) -> Mapping[str, float]:
    return {word: value for value, words in rows for word in words.split()}


FEELINGS: Mapping[str, float] = _table(
    (0.9, "счастливый счастлив счастливо ликовать восторг эйфория"),
    (0.7, "рад радостно радоваться радость обрадоваться гордиться горд воодушевить вдохновить восхищать восхищаться счастье"),
    (0.5, "весело спокойно легко приятно благодарный благодарен облегчение доволен довольный успокоиться полегчать радовать порадовать хорошо"),
    (-0.5, "скучно грустный соскучиться устать уставать вымотаться скучать волноваться неловко стыдно лень тоскливо расстраивать неуютно обижаться тяжело"),
    (-0.6, "грустно грустить переживать нервничать обидно обида тревожно тревога одиноко одиночество печально тоска расстроиться расстроен "
           "расстроить злой злиться зол разозлить раздражать разочарован разочароваться страшно бояться испугаться выгорать выгореть плохо"),
    (-0.8, "бесить взбесить ненавидеть ужасно паника паниковать плакать рыдать реветь отчаяние отчаяться депрессия подавлен подавить раздавить "
           "опустошить больно горе кошмар невыносимо ужас гнев ярость стресс"),
    (0.9, "thrilled ecstatic overjoyed elated euphoric"),
    (0.7, "happy excited delighted proud joyful stoked pumped grateful thankful blessed joy rejoice"),
    (0.5, "glad relieved hopeful calm content pleased cheerful optimistic comfortable peaceful motivated inspired relaxed confident"),
    (-0.5, "tired bored nervous uneasy homesick embarrassed confused awkward miss unmotivated drained restless insecure"),
    (-0.6, "sad upset angry mad annoyed irritated frustrated anxious worried worry scared afraid fear stressed lonely disappointed hurt "
           "ashamed guilty jealous unhappy exhausted overwhelmed discouraged disheartened stress anxiety sadness bummed"),
    (-0.8, "furious terrified devastated heartbroken depressed miserable hopeless crushed desperate panicking hate cry sob panic dread "
           "heartbreak grief despair"),
)  # fmt: skip

EVALUATIONS: Mapping[str, float] = _table(
    (0.8, "прекрасный замечательный чудесный великолепный потрясающий отличный шикарный лучший супер"),
    (0.5, "хороший приятный классный удачный неплохой прекрасно замечательно отлично классно здорово"),
    (-0.5, "плохой тяжелый трудный неудачный скверный грустный нервный сложный хреново"),
    (-0.8, "ужасный отвратительный кошмарный жуткий худший паршивый"),
    (0.8, "wonderful amazing fantastic awesome incredible perfect best great lovely brilliant"),
    (0.5, "good nice fun pleasant"),
    (-0.5, "bad hard rough tough difficult stressful sad draining exhausting"),
    (-0.8, "awful terrible horrible worst dreadful nightmare miserable"),
)  # fmt: skip

# What an evaluation must be said of to be the speaker's state rather than a review.
LIFE_NOUNS = frozenset(
    """
    день неделя вечер утро настроение жизнь период месяц год выходные выходной ночь самочувствие состояние day week
    evening morning mood life night month year weekend
    """.split()
)
FEEL_VERBS = frozenset(
    """
    feel чувствовать ощущать почувствовать испытывать
    """.split()
)
FEAR_OF_HABIT = frozenset(
    """
    мочь can
    """.split()
)
NOT_ABOUT_SELF = frozenset({"скучать"})
