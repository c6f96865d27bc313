"""The English date expressions, in the order in which they are tried."""

# ruff: noqa: E501 - patterns read best on long lines
from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from memory_lib.domain.candidates import Precision
from memory_lib.reasoning.dates import nested
from memory_lib.reasoning.dates import periods as p
from memory_lib.reasoning.dates.holidays import holiday
from memory_lib.reasoning.dates.mention import Direction
from memory_lib.reasoning.dates.pieces import Piece, Resolver, Rule, Scene
from memory_lib.reasoning.dates.reckoning import full_year, season_near, unit_start, weekday_counted
from memory_lib.reasoning.dates.words import ENGLISH, HOLIDAYS, MOVEABLE, PARTS

_N = rf"(?P<n>{ENGLISH.number})"
_U = rf"(?P<u>{ENGLISH.unit})"
_W = rf"(?P<d>{ENGLISH.weekday})\b\.?"
_WHICH = rf"(?P<which>{ENGLISH.which})"
_OF_WHICH = rf"(?P<of>{ENGLISH.which})"
_M = rf"(?P<m>{ENGLISH.month})\b\.?"
_Y = r"(?P<y>(?:19|20)\d\d)\b"
_ORD = ENGLISH.ordinal
_DAY = rf"(?P<d>{_ORD}|\d{{1,2}})"
_DAY2 = rf"(?P<d2>{_ORD}|\d{{1,2}})"
_TO = r"(?: to | ?[-–—] ?| thru | through | until | till )(?:the )?"
_FULL_DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_PART = rf"(?P<part>{'|'.join(pattern for pattern, _, _ in PARTS['en'])})"
_HOLIDAY = rf"(?P<h>{'|'.join((*(row[0] for row in MOVEABLE['en']), *(row[0] for row in HOLIDAYS['en'])))})\b"
_SOME = {"early": "beginning|start|early", "mid": "mid|middle", "late": "end|late|close"}
_SOME_ANY = rf"(?P<p>{'|'.join(_SOME.values())})"

# Prepositions that make a date of a word which is also another word, or a plain number.
_ON = re.compile(r"(?:on|by|until|till|since|before|after|from|due|for)(?: the)?")
_IN = re.compile(r"(?:in|since|until|till|by|during|before|after|from|through|for|around|over)(?: the)?")
_OVER = re.compile(r"(?:at|on|for|over|by|until|till|before|after|since|during|around)")
_NEVER = re.compile(r"(?!)")


def _short_unit(match: re.Match[str], scene: Scene) -> Piece | None:
    minutes = int(match["n"]) * (60 if match["u"].startswith("h") else 1)
    begin = (scene.anchor + timedelta(minutes=minutes)).replace(second=0, microsecond=0)
    return p.piece(match, begin, Precision.MINUTE)


def _short_end(match: re.Match[str], scene: Scene) -> Piece | None:
    """EOM, BOY and their kin."""
    unit = {"d": "day", "m": "month", "y": "year"}[match["u"]]
    return nested.some_of_unit(match, scene, unit, "early" if match["p"] == "b" else "late")


def _units_near(match: re.Match[str], scene: Scene) -> Piece | None:
    number = scene.words.number_of(match["n"] or match["n2"])
    which = scene.words.which_of(match["which"] or match["which2"])
    if which in {"this", "after_next"}:
        return None
    found = p.units_beside(match, scene, number, back=which == "last")
    bare = not scene.text[: match.start()].strip() and not match.group().startswith("the ")
    if found is not None and bare and "coming" in match.group() and found.ends is not None:
        return replace(found, begin=found.ends, ends=None)  # duckling: "upcoming two weeks" alone names the second one
    return found


def _before_last(match: re.Match[str], scene: Scene) -> Piece | None:
    if match["s"]:
        begin = season_near(scene.anchor, scene.words.season_of(match["s"]), "before_last", None, scene.direction)
        return p.piece(match, begin, Precision.SEASON)
    if match["u"] in {"week", "month", "year"}:
        begin, precision = unit_start(match["u"], -2, scene.anchor)
        return p.piece(match, begin, precision)
    if match["u"]:
        return None
    return p.piece(match, weekday_counted(scene.anchor, scene.words.weekday_of(match["d"]), -2))


def _seasons_ago(match: re.Match[str], scene: Scene) -> Piece | None:
    last = season_near(scene.anchor, scene.words.season_of(match["s"]), "last", None, scene.direction)
    return p.piece(match, last.replace(year=last.year - scene.words.number_of(match["n"]) + 1), Precision.SEASON)


def _all_of(match: re.Match[str], scene: Scene) -> Piece | None:
    begin, precision = unit_start(match["u"], 0, scene.anchor)
    return p.piece(match, begin, precision)


def _short_year(match: re.Match[str], scene: Scene) -> Piece | None:
    return p.piece(match, datetime(full_year(int(match["y"]), scene.anchor), 1, 1, tzinfo=scene.anchor.tzinfo), Precision.YEAR)


def _from_now(match: re.Match[str], scene: Scene) -> Piece | None:
    return p.ago_or_in(1)(match, replace(scene, direction=Direction.FUTURE))


def _month_in_years(match: re.Match[str], scene: Scene) -> Piece | None:
    year = scene.anchor.year + scene.words.number_of(match["n"])
    return p.piece(
        match,
        scene.anchor.replace(
            year=year, month=scene.words.month_of(match["m"]), day=1, hour=0, minute=0, second=0, microsecond=0
        ),
        Precision.MONTH,
    )


_ROWS: tuple[tuple[str, str, Resolver, re.Pattern[str] | None], ...] = (
    ("iso/1", r"(?P<y>(?:19|20)\d\d)-(?P<m>\d\d?)-(?P<d>\d\d?)\b(?:t(?=\d\d:))?", p.year_first, None),
    ("en.year_month/1", r"(?P<y>(?:19|20)\d\d)[/-](?P<m>0?[1-9]|1[0-2])\b(?![/-])", p.year_first, _IN),
    ("en.nth_of/1", rf"(?:the )?(?:(?P<n>{_ORD}) )?(?P<last>last )(?P<what>{ENGLISH.weekday}|day|week[ -]?end|wknd|week) (?:of|in) (?:the )?(?:month of )?", nested.nth_of, None),
    ("en.nth_of/2", rf"(?:the )?(?P<n>{_ORD}) (?P<what>{ENGLISH.weekday}|day|week[ -]?end|wknd|week) (?:of|in|(?P<after>after)) (?:the )?(?:month of )?", nested.nth_of, None),
    ("en.some_of_unit/1", rf"(?!mid day)(?:the )?{_SOME_ANY} (?:of )?(?:the )?(?P<u>day|week|month|quarter|year)\b", nested.some_of(_SOME), re.compile(r"(?:at|in|by|until|till|before|since|around|from|towards?)(?: the)?")),
    ("en.some_of/1", rf"(?:the )?{_SOME_ANY}(?: of|-| in)?(?: around)? ?(?:the )?(?<=[ -])", nested.some_of(_SOME), None),
    ("en.some_short/1", r"(?:the )?(?P<p>b|e)o(?P<u>d|m|y)\b", _short_end, None),
    ("en.rest_of/1", r"(?:the )?rest of (?:the |this )?(?P<u>week|month|year)\b", nested.rest_of, None),
    ("en.week_of/1", r"(?:the )?week of (?:the )?", nested.week_of, None),
    ("en.day_beside/1", r"(?:the )?(?P<n>)(?P<u>day|week) (?P<side>before|after) (?:the )?(?!yesterday|tomorrow)", nested.away_from, None),
    ("en.away_from/1", rf"{_N} {_U} (?P<side>before|after) (?:the )?", nested.away_from, None),
    ("en.part_of/1", r"(?:the )?(?P<part>morning|afternoon|evening|night) of (?:the )?", nested.part_of, None),
    ("en.day_of_month/1", rf"(?:the )?{_DAY} (?:of )?(?:the )?{_WHICH} month\b", p.day_only, None),
    ("en.weekdays_away/1", rf"{_N} (?P<d>{ENGLISH.weekday}s?) (?P<side>from now|ago|back|hence)\b", p.weekdays_away, None),
    ("en.weekday_of/1", rf"{_W},? (?:of |from )?{_OF_WHICH} week\b", p.weekday, None),
    ("en.weekday_of/2", rf"{_OF_WHICH} week'?s {_W}", p.weekday, None),
    ("en.weekday_week/1", rf"{_W} (?P<of>next)\b(?! (?:to|door|year|month|time|summer|spring|winter|fall))", p.weekday, None),
    ("en.weekday_after_next/1", rf"(?:the )?{_W} (?P<which>after next)\b", p.after_next_weekday, None),
    ("en.range/1", rf"{_M} (?:the )?{_DAY}{_TO}{_DAY2}\b(?![:.]?\d)(?:,? {_Y})?", p.day_and_month, None),
    ("en.range_of/1", rf"{_DAY}{_TO}{_DAY2} (?:of )?{_M}(?:,? {_Y})?", p.day_and_month, None),
    ("en.month_day/1", rf"(?P<m>{ENGLISH.month})(?:\b\.?,? ?(?:the )?|(?=\d)){_DAY}\b(?![:.]\d|,\d| ?%)(?! ?(?:am|pm|people|times|years|days|hours|miles|km|dollars|bucks)\b)(?:,? (?:of )?{_Y})?", p.day_and_month, None),
    ("en.day_month/1", rf"(?:the )?{_DAY}(?: of |[ /-]|(?<=\d)(?=[a-z]))(?:the )?{_M}(?:,? (?:of )?{_Y}|[-/](?P<y2>(?:19|20)?\d\d)\b)?", p.day_and_month, None),
    ("en.month_year/2", r"(?P<m>0?[1-9]|1[0-2])/(?P<y>(?:19|20)\d\d)\b(?!/)", p.year_first, _IN),
    ("en.dashed/1", r"(?P<a>[0-2]?\d|3[01])-(?P<b>[0-2]?\d|3[01])-(?P<y>(?:20|19)?\d\d)\b(?!-)", p.numeric, re.compile(r"(?:on|by|until|till|since|before|after|from|due)(?: the)?")),
    ("en.slashed/1", r"(?P<a>[0-2]?\d|3[01])/(?P<b>[0-2]?\d|3[01])/(?P<y>(?:20|19)?\d\d)\b(?!/)", p.numeric, None),
    ("en.dotted/1", r"(?P<a>[0-2]?\d|3[01])(?P<dot>\.)(?P<b>[0-2]?\d|3[01])\.(?P<y>(?:20|19)\d\d)\b", p.numeric, None),
    ("en.slashed_short/1", r"(?P<a>[0-2]?\d|3[01])(?: / |/| - )(?P<b>[0-2]?\d|3[01])\b(?![/\d])(?! ?(?:am|pm|of|cups?|an?|hours?|miles?|stars?)\b)", p.numeric, re.compile(r"(?:on|by|until|till|since|before|after|from|due)(?: the)?")),
    ("en.from_now/1", rf"{_N} {_U} (?:from (?:right )?(?:now|today)|hence)\b", _from_now, None),
    ("en.before_yesterday/1", r"(?:the )?day before yesterday\b", p.shifted(-2), None),
    ("en.after_tomorrow/1", r"(?:the )?day after tomorrow\b", p.shifted(2), None),
    ("en.yesterday/1", r"yesterday\b", p.shifted(-1), None),
    ("en.late_last_night/1", r"late last night\b", p.shifted(-1, (21, 24)), None),
    ("en.last_night/1", r"last night\b", p.shifted(-1, (18, 24)), None),
    ("en.last_evening/1", r"last evening\b", p.shifted(-1, (18, 24)), None),
    ("en.tonight/1", r"(?:late )tonight\b", p.shifted(0, (21, 24)), None),
    ("en.tonight/2", r"(?:tonight|this evening|today evening)\b", p.shifted(0, (18, 24)), None),
    ("en.today/1", r"this morning\b", p.shifted(0, (0, 12)), None),
    ("en.today/2", r"this afternoon\b", p.shifted(0, (12, 19)), None),
    ("en.today/3", r"(?:today|at this time)\b", p.shifted(0), None),
    ("en.tomorrow/1", r"(?:tomorrow|tmrw|tomorow)\b", p.shifted(1), None),
    ("en.holiday_away/1", rf"{_HOLIDAY} (?:in {_N} {_U}|(?P<n2>{ENGLISH.number}) (?P<u2>{ENGLISH.unit}) (?P<ago>ago))\b", holiday, _OVER),
    ("en.holiday/1", rf"(?:{_WHICH} )?{_HOLIDAY}(?: (?:in |of )?{_Y}| (?:of )?{_OF_WHICH} year)?(?! (?:tree|present|gift|card|party|dinner|song|cake))", holiday, _OVER),
    ("en.month_away/2", rf"(?P<m>{ENGLISH.month})\b in (?P<n>{ENGLISH.number}) years?\b", _month_in_years, None),
    ("en.ago_half/1", r"(?P<u>half an hour|half a year|(?:a|an|one) (?:hour|year|week|month) and a half) (?:ago|back)\b", p.part_of_unit(-1), None),
    ("en.in_half/1", r"in (?:about )?(?P<u>half an hour|half a year|(?:a )?quarter of an hour|three[ -]quarters of an hour|1/2 ?h(?:our)?|1/4 ?h(?:our)?|3/4 ?h(?:our)?|(?:a|an|one) (?:hour|year|week|month) and a half)\b", p.part_of_unit(1), None),
    ("en.ago/1", rf"(?:about |around |almost |nearly |over |like |exactly )?{_N} (?:or so |full |whole |long |short )?{_U}(?P<half> and a half)? (?:ago|back|earlier)\b", p.ago_or_in(-1), None),
    ("en.in/2", rf"in {_N} (?:more )?(?:and an? (?P<half>half) )?{_U}(?:' time)?\b(?! of\b)", p.ago_or_in(1), None),
    ("en.in/1", rf"in (?:about |around |another |just |exactly |almost )?{_N} (?:or so |more |full |short )?{_U}(?P<half> and a half)?(?:'s?)?(?: time)?\b(?! of\b)", p.ago_or_in(1), None),
    ("en.in_short/1", r"in (?P<n>\d+) ?(?:(?P<u>h|hr|m|min|')(?!\w))", _short_unit, None),
    ("en.within/1", rf"within (?:the next |about )?{_N} {_U}\b", p.within, None),
    ("en.lasting/1", rf"for (?:the (?:past|last) |over |about |almost |nearly |around |more than |at least |like |some |going on )?{_N} (?:full |whole |long |good |straight )?{_U}\b(?: now)?(?! (?:of|in|on|at|past|to|after) )", p.lasting, None),
    ("en.lasting/3", r"for (?:the (?:past|last) |about |almost |nearly |over )?(?P<u>half a year|a year and a half|six months)\b", p.lasting, None),
    ("en.lasting/2", rf"(?:(?:it has been|it's been) (?:about |almost |nearly |over )?){_N} {_U} since\b", p.lasting, None),
    ("en.units_near/1", rf"(?:the )?(?:{_WHICH} {_N}|(?P<n2>{ENGLISH.number}) (?P<which2>upcoming|coming)) {_U}\b", _units_near, None),
    ("en.before_last/1", rf"(?:the )?(?P<d>{ENGLISH.weekday}|(?P<s>{ENGLISH.season})|(?P<u>week|month|year|week[ -]?end)) before last\b", _before_last, None),
    ("en.seasons_ago/1", rf"(?P<n>{ENGLISH.number}) (?P<s>{ENGLISH.season})s? ago\b", _seasons_ago, None),
    ("en.all/1", r"(?:all|the whole) (?P<u>week|month|year)\b(?! round| long)", _all_of, None),
    ("en.weekday_date/1", rf"(?P<w>{ENGLISH.weekday})\b\.?,? (?:the )?(?P<d>{_ORD})\b(?! (?:of|floor|street|time))", p.day_only, None),
    ("en.weekday/1", rf"(?:{_WHICH} )?(?P<d>{_FULL_DAY})\b(?!s|'s? (?!morning|afternoon|evening|night))(?! (?:of|after) (?!next))", p.weekday, None),
    ("en.weekday_short/1", rf"{_WHICH} {_W}(?!s)", p.weekday, None),
    ("en.weekday_short/2", rf"{_W}(?!')", p.weekday, re.compile(r"(?:on|by|until|till|since|due)")),
    ("en.period/1", rf"(?:the )?{_WHICH} (?P<u>weeks?|wk|month|qtr|quarter|year|yr)\b(?!s|'s| (?:of|old))", p.period, None),
    ("en.weekend/1", rf"(?:{_WHICH} (?:week[ -]?end|wknd)\b|(?P<plain>(?:over|on|at|this|by|until|till|before|for|during) the (?:week[ -]?end|wknd)\b))(?!s)", p.weekend, None),
    ("en.season/1", rf"(?:{_WHICH} (?P<s>{ENGLISH.season})|(?P<s2>{ENGLISH.season})(?: of)? {_Y})\b(?!s)", p.season, None),
    ("en.season/2", rf"(?P<s>{ENGLISH.season})\b(?: of {_OF_WHICH} year)?(?!s| (?:break|semester|term|camp|job|school|house|clothes|coat|asleep|down|apart|off|over|in love))", p.season, re.compile(r"(?:in|over|during|since|until|till|by|before|after|through)(?: the)?")),
    ("en.quarter/1", rf"(?:the )?(?P<q>{_ORD}) (?:quarter|qtr)\b(?: (?:of )?{_Y})?", p.quarter, re.compile(r"(?:in|by|until|since|during|before|after|for)(?: the)?")),
    ("en.quarter/2", r"(?:(?P<y>(?:19|20)\d\d) ?)?q(?P<q>[1-4])\b(?! (?:figures?|numbers?|results?|reports?|budgets?|reviews?|sales|targets?|plans?|forecasts?|accounts?|invoices?|earnings|goals?|deck|slides|revenues?|returns?|statements?|presentation|summary)\b)(?:(?: of)? (?P<y2>(?:19|20)\d\d)\b)?", p.quarter, None),
    ("en.month_away/1", rf"(?P<m>{ENGLISH.month})\b (?P<which>after next|before last)\b", p.month, None),
    ("en.whole/1", rf"(?:all|the whole|the entire)(?: of)? (?P<m>{ENGLISH.month})\b(?! of)", p.month, None),
    ("en.whole/2", rf"(?:all|the whole|the entire)(?: of)? (?P<s>{ENGLISH.season})\b", p.season, None),
    ("en.year_short/1", r"'(?P<y>\d\d)\b", _short_year, re.compile(r"(?:in|since|until|till|by|from|before|after|of|around)")),
    ("en.month_year/1", rf"{_M},? (?:of )?(?:{_Y}|{_OF_WHICH} year\b)", p.month, None),
    ("en.month/1", rf"{_WHICH} {_M}(?! \d)", p.month, None),
    ("en.month/2", rf"(?:month of )?{_M}(?!'|-)", p.month, _IN),
    ("en.day_only/1", rf"(?:the )?(?P<d>{_ORD})\b(?! (?:of|floor|street|time|birthday|anniversary|grade|place|child|class|year|day|one|half|date|person|attempt|try|edition|century|avenue|row|week|month|round|season|quarter|line|thing|kid|trimester|shift|opinion|hand|thought|chapter|part)s?\b)(?=$|[\s,.;!?)])", p.day_only, re.compile(r"(?:on|by|until|till|since|before|due)(?: the)?")),
    ("en.day_only/2", r"the (?P<d>\d{1,2})\b", p.day_only, _NEVER),
    ("en.years/1", r"(?P<y>(?:19|20)\d\d) ?(?:-|–|—|to|until|till) ?(?P<y2>(?:19|20)\d\d)\b", p.year, re.compile(r"(?:in|from|between|of|during)")),
    ("en.year/1", rf"{_Y}(?: a\.?d\b\.?)?(?! ?(?:%|dollars|people|steps|miles|calories|km|bucks|words|points))(?![.,:]\d)", p.year, re.compile(r"(?:in|since|until|till|by|from|before|after|through|during|of|around|late|early|mid)")),
    ("en.now/1", r"(?:right now|just now|now)\b", lambda m, s: p.piece(m, s.anchor.replace(second=0, microsecond=0), Precision.MINUTE), _NEVER),
    ("en.part/1", rf"(?:in the |at |during |the )?{_PART}\b", p.part_alone, _NEVER),
)  # fmt: skip

RULES: tuple[Rule, ...] = tuple(
    Rule(name, re.compile(r"(?<!\w)(?<!\d[.:,/-])" + pattern), resolve, leads) for name, pattern, resolve, leads in _ROWS
)
