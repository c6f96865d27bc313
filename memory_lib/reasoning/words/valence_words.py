"""Coloured words beside those of ``feeling_words``: forms that lemmas miss, happenings, judgements of things. Own lists.

Used only where nothing can be embedded. Values: sign = valence, size = intensity 0..1; words folded.
"""

# ruff: noqa: E501 - word lists read best on long lines
from __future__ import annotations

from collections.abc import Mapping


def _table(*rows: tuple[float, str]) -> Mapping[str, float]:
    return {word: value for value, words in rows for word in words.split()}


COLOURED: Mapping[str, float] = _table(
    (0.8, "рада рады горжусь счастлива счастливы обожаю обожать ура восторге восторг влюблен влюблена влюбиться победа победить выиграть мечта сбыться"),
    (0.6, "люблю любить нравиться нравится полюбить удача удаться повезло везет поздравлять праздник отдохнуть выспаться выспался повысить повысили премия получиться получилось наслаждаться уютно тепло красиво вкусно интересно классный любимый"),
    (0.4, "спасибо благодарю молодец улыбаться улыбка смеяться хороший лучше легкий надежда надеяться прикольно"),
    (-0.8, "ненавижу умереть смерть погибнуть похороны рак развод развестись избить предать предательство катастрофа"),
    (-0.6, "уволить уволили заболеть болеть болит боюсь ссора поссориться поругаться потерять украсть сломать сломаться провалить завалить расстаться бросить одинокий невыносимый отвратительно мерзкий тошнить злюсь надоесть надоело достать достало замучить"),
    (-0.4, "проблема жаль жалко увы трудно сложно опоздать ошибка проиграть холодно шум грязный скандал долг штраф пробка скучный"),
    (0.8, "adore yay hooray won victory"),
    (0.6, "love loved loving enjoy enjoyed enjoying promoted promotion celebrate celebrated delicious beautiful fantastic laugh congratulations lucky"),
    (0.4, "thanks thank like smile smiling better hope favourite favorite cool"),
    (-0.8, "died death funeral cancer divorce betrayed disaster"),
    (-0.6, "fired sick ill pain fight argued lost stolen broke broken failed fail ruined cried crying hates sucks ugly"),
    (-0.4, "problem unfortunately sorry late mistake noisy cold dirty debt fine boring"),
)  # fmt: skip
DENIALS = frozenset("не нет ни никогда без not no never without cannot neither nor hardly".split())
STRONGER = frozenset("очень так сильно ужасно безумно жутко невероятно very so really extremely super incredibly too".split())
