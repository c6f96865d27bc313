"""The Russian date expressions, in the order in which they are tried."""

# ruff: noqa: E501 - patterns read best on long lines
from __future__ import annotations

import re
from datetime import datetime

from memory_lib.domain.candidates import Precision
from memory_lib.reasoning.dates import nested
from memory_lib.reasoning.dates import periods as p
from memory_lib.reasoning.dates.holidays import holiday
from memory_lib.reasoning.dates.mention import Direction
from memory_lib.reasoning.dates.pieces import Piece, Resolver, Rule, Scene
from memory_lib.reasoning.dates.reckoning import full_year
from memory_lib.reasoning.dates.words import HOLIDAYS, MOVEABLE, PARTS, RUSSIAN

_N = rf"(?P<n>{RUSSIAN.number})"
_U = rf"(?P<u>{RUSSIAN.unit})"
_WHICH = rf"(?P<which>{RUSSIAN.which})"
_M = rf"(?P<m>{RUSSIAN.month})\b\.?"
_Y = r"(?P<y>(?:19|20)\d\d)\b(?:-?(?:го|м|ом|ого)\b)?(?: года?\b| году\b| г\.?(?!\w))?"
_ORD = RUSSIAN.ordinal
_DAY = rf"(?P<d>\d{{1,2}}|{_ORD})"
_HOLIDAY = rf"(?P<h>{'|'.join((*(row[0] for row in MOVEABLE['ru']), *(row[0] for row in HOLIDAYS['ru'])))})\b"
_YEAR_COUNTS = {
    "двадцать": 20,
    "тридцать": 30,
    "сорок": 40,
    "пятьдесят": 50,
    "шестьдесят": 60,
    "семьдесят": 70,
    "восемьдесят": 80,
    "девяносто": 90,
}
_YEAR_TENS = {
    "соро?ков(?:ом|ого)": 40,
    "пятидесят(?:ом|ого)": 50,
    "шестидесят(?:ом|ого)": 60,
    "семидесят(?:ом|ого)": 70,
    "восьмидесят(?:ом|ого)": 80,
    "девяност(?:ом|ого)": 90,
}
_YEAR_ORD = rf"(?:(?:{'|'.join(_YEAR_COUNTS)}) )?{_ORD}|{'|'.join(_YEAR_TENS)}"
_PART = rf"(?P<part>{'|'.join(pattern for pattern, _, _ in PARTS['ru'])})"
_SOME = {
    "early": r"начал[еауо]м?|раннего|первых числах",
    "mid": r"середин[еыуа]|середину",
    "late": r"кон(?:ц[еау]|ец)|исход[еа]|последних числах",
}
_SOME_ANY = rf"(?P<p>{'|'.join(_SOME.values())})"
# Forms of a weekday that a preposition or "прошлую" can govern; "в среде коллег" is no Wednesday.
_DAYS_ACC = r"понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье"
_DAYS_GEN = r"понедельника|вторника|среды|четверга|пятницы|субботы|воскресенья"
_DAYS_DAT = r"понедельнику|вторнику|среде|четвергу|пятнице|субботе|воскресенью"

_TO = re.compile(r"(?:в|во|на|с|со|до|к|ко|по|после|начиная с|вплоть до|от|не позднее)")
_ON = re.compile(r"(?:в|на|с|до|к|по|после|перед)")
_NEVER = re.compile(r"(?!)")


def _year_in_words(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "в две тысячи восемнадцатом", "в девяносто восьмом году", "в 98-м"."""
    word = match["o"]
    digits = re.match(r"\d+", word)
    if digits:
        number = int(digits.group())
    else:
        ten, _, last = word.rpartition(" ")
        whole = next((value for stem, value in _YEAR_TENS.items() if re.fullmatch(stem, word)), None)
        number = whole if whole is not None else (_YEAR_COUNTS[ten] if ten else 0) + scene.words.ordinal_of(last)
    century = {"две тысячи": 2000, "тысяча девятьсот": 1900}.get(match["c"])
    year = full_year(number, scene.anchor) if century is None else century + number
    if century is None and year > scene.anchor.year and scene.direction is Direction.PAST:
        year -= 100
    return p.piece(match, datetime(year, 1, 1, tzinfo=scene.anchor.tzinfo), Precision.YEAR)


def _in(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "Через неделю": a count from now; "через час после обеда" counts from something else."""
    if scene.direction is Direction.PAST or re.match(r" (?:после|от|спустя|пути|езды|ходьбы)\b", scene.text[match.end() :]):
        return None  # "через два дня уволилась" counts from a moment of the story
    return p.ago_or_in(1)(match, scene)


def _period(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "На прошлой неделе", "этот месяц"."""
    unit = next(
        unit
        for stem, unit in (("нед", "week"), ("мес", "month"), ("кв", "quarter"), ("год", "year"))
        if match["u"].startswith(stem)
    )
    return p.period_of(match, scene, unit)


_ROWS: tuple[tuple[str, str, Resolver, re.Pattern[str] | None], ...] = (
    ("iso/1", r"(?P<y>(?:19|20)\d\d)-(?P<m>\d\d?)-(?P<d>\d\d?)\b(?:t(?=\d\d:))?", p.year_first, None),
    ("ru.nth_of/1", rf"(?:(?P<n>{_ORD}) )?(?P<last>последн\w+ )(?P<what>{RUSSIAN.weekday}|день|дня|недел[яиюе]|выходные|выходных)(?: в)? ", nested.nth_of, None),
    ("ru.nth_of/2", rf"(?P<n>{_ORD}) (?P<what>{RUSSIAN.weekday}|недел[яиюе]|выходные|выходных)(?: в)? ", nested.nth_of, None),
    ("ru.some_of_unit/1", rf"{_SOME_ANY} (?:эт(?:ого|ой) )?(?P<u>дня|недели|месяца|квартала|года)\b", nested.some_of(_SOME), re.compile(r"(?:в|к|до|с|ближе к|под|на|по)")),
    ("ru.some_of/1", rf"{_SOME_ANY} ", nested.some_of(_SOME), None),
    ("ru.rest_of/1", r"(?:до конца|остаток) (?P<u>недели|месяца|года)\b(?<!до конца недели)(?<!до конца месяца)(?<!до конца года)", nested.rest_of, None),
    ("ru.away_from/1", rf"(?:через )?{_N} {_U} (?P<side>после|до) ", nested.away_from, None),
    ("ru.away_from/2", rf"за (?:{_N} )?{_U} (?P<side>до) ", nested.away_from, None),
    ("ru.day_of_month/1", rf"{_DAY} (?:числа )?{_WHICH} месяца\b", p.day_only, None),
    ("ru.numeric_range/1", r"(?P<d>\d{1,2})\.(?:(?P<m1>\d\d)\.?)?(?: ?[-–—/] ?| по )(?P<d2>\d{1,2})\.(?P<m>0\d|1[0-2])(?:\.(?P<y>(?:20|19)?\d\d))?\b\.?(?!\d)", p.numeric_range, None),
    ("ru.numeric/1", r"(?P<a>\d{1,2})(?P<dot>[./])(?P<b>0\d|1[0-2])[./](?P<y>(?:19|20)?\d\d)\b(?![.:]?\d)", p.numeric, None),
    ("ru.numeric/2", r"(?P<a>[0-2]?\d|3[01])(?P<dot>[./])(?P<b>0\d|1[0-2])\b\.?(?![.:]?\d)(?! ?(?:утра|вечера|дня|ночи|%|км|руб|₽|кг|г\b|л\b|мл|м\b|см|градус|балл|тыс|млн|млрд|\$|€))", lambda m, s: None if re.search(r"(?:\bв|верси\w+|счет\w*|с счетом|стоит|цена|температур\w+|№|кабинет\w*|равно|за|курс\w*|пункт\w*|п\.|гл\.|глав[аеы]) $", s.text[: m.start()]) else p.numeric(m, s), None),
    ("ru.range/1", rf"{_DAY}(?: числа)?(?: по | до | ?[-–—] ?)(?P<d2>\d{{1,2}}(?:-?го|-?е)?|{_ORD}) {_M}(?: {_Y})?", p.day_and_month, None),
    ("ru.day_month/1", rf"{_DAY} {_M}(?: {_Y})?", p.day_and_month, None),
    ("ru.before_yesterday/1", r"позавчера(?:шн\w+)?\b", p.shifted(-2), None),
    ("ru.before_yesterday/2", r"(?:третьего дня|поза-?позавчера)\b", lambda m, s: p.shifted(-2 if m.group().startswith("трет") else -3)(m, s), None),
    ("ru.yesterday/1", r"(?:вчера|вечор)(?:шн\w+)?\b", p.shifted(-1), None),
    ("ru.today/1", r"сегодня(?:шн\w+)?\b", p.shifted(0), None),
    ("ru.this_part/1", r"(?:этим|нынешним) утром\b|сегодня под утро\b", p.shifted(0, (0, 12)), None),
    ("ru.this_part/2", r"(?:этим|нынешним) вечером\b", p.shifted(0, (18, 24)), None),
    ("ru.this_part/3", r"(?:этой|нынешней) ночью\b", p.shifted(0, (0, 6)), None),
    ("ru.that_part/1", r"прошлой ночью\b", p.shifted(-1, (18, 24)), None),
    ("ru.third_tomorrow/1", r"послепослезавтра\b", p.shifted(3), None),
    ("ru.after_tomorrow/1", r"послезавтра(?:шн\w+)?\b", p.shifted(2), None),
    ("ru.tomorrow/1", r"завтра(?:шн\w+)?\b", p.shifted(1), None),
    ("ru.now/1", r"(?:прямо )?сейчас\b", lambda m, s: p.piece(m, s.anchor.replace(second=0, microsecond=0), Precision.MINUTE), _NEVER),
    ("ru.holiday/1", rf"(?:{_WHICH} )?{_HOLIDAY}(?: {_Y}| (?P<of>{RUSSIAN.which}) года)?", holiday, re.compile(r"(?:на|в|во|к|до|с|под|после|перед|от|накануне)")),
    ("ru.half_ago/1", r"(?:примерно |где-то |около )?(?P<u>полгода|полчаса|полмесяца|полтора (?:года|часа|месяца)|полторы недели)(?: тому)? назад\b", p.part_of_unit(-1), None),
    ("ru.in_half/1", r"через (?:примерно )?(?P<u>полгода|полчаса|полмесяца|полтора (?:года|часа|месяца)|полторы недели)\b", p.part_of_unit(1), None),
    ("ru.ago/1", rf"(?:{_N} |(?=(?:минут|час|день|недел|месяц|год)[уюь]?\b)){_U}(?: (?P<half>с половиной))?(?: тому)? назад\b", p.ago_or_in(-1), None),
    ("ru.ago/2", rf"{_U} (?P<n>{RUSSIAN.number})(?: тому)? назад\b", p.ago_or_in(-1), None),
    ("ru.in/3", rf"{_U} через (?P<n>{RUSSIAN.number})\b", _in, None),
    ("ru.in/1", rf"через (?:какие-то |примерно |буквально )?(?:{_N} )?{_U}(?: (?P<half>с половиной))?\b", _in, None),
    ("ru.in/2", rf"через {_U} (?P<n>{RUSSIAN.number})\b", _in, None),
    ("ru.weekdays_away/1", rf"через (?P<d>{_DAYS_ACC})\b", p.after_next_weekday, None),
    ("ru.within/1", rf"в течение (?:{_N} )?{_U}\b", p.within, None),
    ("ru.lasting/1", rf"(?<!мне )(?<!ему )(?<!ей )(?<!нам )(?<!им )(?<!тебе )(?<!вам )(?<!маме )(?<!папе )(?<!сыну )(?<!дочке )(?<!дочери )(?<!брату )(?<!сестре )(?<!мужу )(?<!жене )(?<!бабушке )(?<!дедушке )(?<!отцу )(?<!матери )(?<!коту )(?<!собаке )(?:вот )?уже (?:почти |больше |более |около |лет )?(?:{_N} )?{_U}\b(?! назад)", p.lasting, None),
    ("ru.lasting/2", rf"{_N} {_U},? как\b(?! минимум| раз| максимум)", p.lasting, None),
    ("ru.lasting/3", r"(?:вот )?уже (?:почти |больше )?(?P<u>полгода|полтора года)\b(?! назад)", p.lasting, None),
    ("ru.units_near/1", rf"(?P<w>последн\w+|следующ\w+|ближайш\w+|прошл\w+|прошедш\w+) {_N} {_U}\b", lambda m, s: p.units_beside(m, s, s.words.number_of(m["n"]), back=m["w"].startswith(("последн", "прош"))), None),
    ("ru.weekday_of/1", rf"(?P<d>{RUSSIAN.weekday}) (?:на )?(?P<of>{RUSSIAN.which}) недел[еи]\b", p.weekday, None),
    ("ru.weekday_date/1", rf"(?P<w>{RUSSIAN.weekday})\b,? (?P<d>\d{{1,2}}-?(?:го|е|ое|ого)|{_ORD})(?: числа)?\b(?! (?:этаж|раз|класс|янв|фев|мар|апр|ма[йяе]|июн|июл|авг|сен|окт|ноя|дек))", p.day_only, None),
    ("ru.weekday/1", rf"{_WHICH} (?P<d>{RUSSIAN.weekday})\b", p.weekday, None),
    ("ru.weekday/2", rf"(?P<d>{_DAYS_ACC}|пн|вт|ср|чт|пт|сб|вс)\b", p.weekday, re.compile(r"(?:в|во|на|по)")),
    ("ru.weekday/3", rf"(?P<d>{_DAYS_GEN})\b", p.weekday, re.compile(r"(?:с|со|до|после|от|начиная с|вплоть до|не позднее|около)")),
    ("ru.weekday/4", rf"(?P<d>{_DAYS_DAT})\b", p.weekday, re.compile(r"(?:к|ко|ближе к)")),
    ("ru.weekday/5", rf"(?P<d>{RUSSIAN.weekday})\b", p.weekday, _NEVER),
    ("ru.weekend/1", rf"(?:{_WHICH} )?выходн(?:ые|ых|ым)\b", p.weekend, re.compile(r"(?:на|в|до|к|с|после|за)")),
    ("ru.weekend/2", rf"{_WHICH} (?:выходн(?:ые|ых|ым)|уикенд)\b", p.weekend, None),
    ("ru.season/1", rf"(?:{_WHICH} (?P<s>{RUSSIAN.season})|(?P<s2>летом|зимой|весной|осенью)(?: (?P<of>{RUSSIAN.which}) года)?(?: {_Y})?)\b", p.season, None),
    ("ru.month_year/1", rf"{_M} (?:{_Y}|(?P<of>{RUSSIAN.which}) года)", p.month, None),
    ("ru.period/1", rf"(?:начиная )?{_WHICH} (?P<u>недел[яеиюь]|месяц[еау]?|квартал[еау]?|год[ауе]?)\b", _period, None),
    ("ru.season/2", rf"(?P<s>{RUSSIAN.season})\b(?: {_Y})?", p.season, re.compile(r"(?:к|до|с|на|за|после|под)")),
    ("ru.quarter/1", rf"(?P<q>{_ORD}|[1-4]) квартал(?:е|а|у)?\b(?: {_Y})?", p.quarter, None),
    ("ru.whole/1", rf"(?:весь|целый) (?P<m>{RUSSIAN.month})\b", p.month, None),
    ("ru.whole/2", rf"(?:все|всю|целое|целую) (?P<s>{RUSSIAN.season})\b", p.season, None),
    ("ru.month/1", rf"{_WHICH} {_M}", p.month, None),
    ("ru.month/2", rf"{_M}", p.month, re.compile(r"(?:в|с|до|к|на|по|после|от|начиная с|вплоть до|за|между|ближе к)")),
    ("ru.day_range/1", rf"(?P<d>\d{{1,2}}-?го|{_ORD})(?: числа)? по (?P<d2>\d{{1,2}}-?(?:е|ое|го)?|{_ORD})(?: число)?\b(?! (?:этаж|класс|раз|курс|мест))", p.day_range, re.compile(r"(?:с|со)")),
    ("ru.day_only/1", rf"{_DAY} числа\b", p.day_only, None),
    ("ru.day_only/2", r"(?P<d>\d{1,2}-?(?:го|е|му))\b(?! (?:этаж|раз|класс|мест|дом|числ|авг|сен|[а-я]+(?:ой|ый|ого)\b))", p.day_only, re.compile(r"(?:до|к|с|по|на|после)")),
    ("ru.years/1", r"(?P<y>(?:19|20)\d\d)(?: год[ау])? ?(?:-|–|—|по|до) ?(?P<y2>(?:19|20)\d\d)\b(?:-?(?:й|м|го))?(?: год[ау]?)?", p.year, re.compile(r"(?:в|с|за)")),
    ("ru.year/1", rf"{_Y}(?![.,:]?\d)(?! ?(?:руб|₽|км|шаг|человек|тонн|долл|евро|кг|метр|слов))", p.year, re.compile(r"(?:в|с|до|к|по|после|начиная с|около|за)")),
    ("ru.year_words/1", rf"(?P<c>две тысячи|тысяча девятьсот) (?P<o>{_YEAR_ORD})(?: год[уа]?\b)?", _year_in_words, None),
    ("ru.year_words/2", rf"(?P<c>)(?P<o>{_YEAR_ORD}|\d\d(?:-?(?:м|го|ом|ого))?) год[уа]?\b", _year_in_words, re.compile(r"(?:в|с|до|к|по)")),
    ("ru.year_words/3", r"(?P<c>)(?P<o>\d\d)-(?:м|ом)\b(?! (?:году|этаж|квартал|классе|доме))", _year_in_words, re.compile(r"(?:в)")),
    ("ru.year_words/4", rf"(?P<c>)(?P<o>(?:сорок|пятьдесят|шестьдесят|семьдесят|восемьдесят|девяносто) {_ORD})\b(?! (?:дом|квартир|размер|этаж|кабинет|школ|класс|автобус|кадр|раз|километр))", _year_in_words, re.compile(r"(?:в|с|до|к|по)")),
    ("ru.day_only/3", rf"(?:(?<=до )|(?<=к )|(?<=с )|(?<=после ))(?P<d>{_ORD})(?=$|[.,;!?])", p.day_only, re.compile(r"(?:до|к|с|после)")),
    ("ru.year_told/1", r"(?P<y>(?:19|20)\d\d)(?:-?(?:й|го|м|му|ого|ом))? (?:год|года|году|г\.)(?!\w)", p.year, None),
    ("ru.part/1", rf"{_PART}\b", p.part_alone, _NEVER),
)  # fmt: skip

RULES: tuple[Rule, ...] = tuple(
    Rule(name, re.compile(r"(?<![\w-])(?<!\d[.:,/])" + pattern), resolve, leads) for name, pattern, resolve, leads in _ROWS
)
