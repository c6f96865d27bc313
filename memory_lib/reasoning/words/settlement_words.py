"""Words by which something open is settled, or said to be open still, in both languages."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re

from memory_lib.domain.syntax import Language

DECIDING = frozenset(
    """
    decide choose pick settle opt commit plump chose решить решиться выбрать определиться остановиться условиться договориться постановить сойтись
    """.split()
)
DECIDED_ALONE: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(
        r"^(?:я |мы |все,? |в (?:общем|итоге) )*(?:решил(?:ся|ась|ись|а|и)?|определил(?:ся|ась|ись)|выбрал[аи]?|надумал[аи]?)\b"
    ),
    "en": re.compile(
        r"^(?:ok |okay |right |well )*(?:i|we)(?:'ve| have)? (?:finally |just |now )*(?:decided|chosen|picked|settled|made up (?:my|our) minds?)\b"
    ),
}
ARRIVING = frozenset(
    """
    arrive come reply answer respond deliver land receive get hear approve accept reject refuse confirm send return ready pass
    прийти приходить ответить отвечать прислать доставить привезти принести вернуть вернуться получить одобрить отказать утвердить подтвердить
    готовый дойти приехать перезвонить отозваться согласиться выслать оплатить заплатить перевести найтись
    """.split()
)
"""What others do that one waits for."""
RECEIVING = frozenset("receive get hear collect получить забрать услышать дождаться".split())
"""What one does oneself when it comes."""
DROPPED: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(
        r"\b(?:передумал[аи]?|(?:больше |уже )?не (?:нужн[аоы]?|нужен|надо|придется|понадобил\w+|требуется|актуально|будем|буду|пойду|пойдем|поеду|поедем)\b|отпал\w*|"
        r"отменил\w*|отменяется|отказал(?:ся|ась|ись)|раздумал[аи]?|забил[аи]? на|плюнул[аи]? на|махнул[аи]? рукой|неактуальн\w+|сорвал(?:ся|ась|ось)|вычеркива\w+|снимается)"
    ),
    "en": re.compile(
        r"\b(?:(?:no longer|don't|do not|doesn't|does not|won't|will not|needn't) (?:need|have|matter|bother|happening|going)\b\w*|no need|not (?:needed|necessary|happening|going ahead)|"
        r"changed (?:my|our) minds?|(?:called|calling) (?:it |\w+ )?off|cancell?ed|dropped (?:it|the|that)|gave up on|given up on|scrap(?:ped)? (?:it|the|that)|fell through|"
        r"decided against|backed out|off the table|forget about|ditched)\b"
    ),
}
STILL_OPEN: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(r"\b(?:еще не|пока не|все еще|до сих пор|по-прежнему|никак|почти|чуть не|наполовину|начал[аи]?)\b"),
    "en": re.compile(
        r"\b(?:not yet|yet to|still|almost|nearly|half|halfway|started|begun|began|nothing from|no (?:word|news|answer|reply))\b"
    ),
}
