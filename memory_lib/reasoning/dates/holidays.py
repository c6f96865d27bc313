"""Holidays that people mention: fixed ones, and those that move with the year."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from memory_lib.reasoning.dates.mention import Direction
from memory_lib.reasoning.dates.periods import group, piece
from memory_lib.reasoning.dates.pieces import Piece, Scene
from memory_lib.reasoning.dates.reckoning import day_from, day_of_month, easter, full_year, midnight_of, nth_weekday, step_of
from memory_lib.reasoning.dates.words import HOLIDAYS, MOVEABLE


def holiday(match: re.Match[str], scene: Scene) -> Piece | None:
    """A holiday that people mention: fixed or moveable, in a year told or the one that tense means."""
    word = match["h"]
    which = scene.words.which_of(group(match, "which"))
    told = _year_told(match, scene)
    for pattern, number, day in HOLIDAYS[scene.words.language]:
        if re.fullmatch(pattern, word):
            near = Direction.FUTURE if scene.direction is Direction.NONE else scene.direction
            if which in {"last", "next", "coming"}:
                near = Direction.PAST if which == "last" else Direction.FUTURE
            if told is not None:
                return piece(match, datetime(told, number, day, tzinfo=scene.anchor.tzinfo))
            if which == "this":
                return piece(match, datetime(scene.anchor.year, number, day, tzinfo=scene.anchor.tzinfo))
            return piece(match, day_of_month(scene.anchor, day, number, None, near))
    for pattern, name in MOVEABLE[scene.words.language]:
        if re.fullmatch(pattern, word):
            if told is not None:
                return piece(match, midnight_of(_moveable(name, told), scene.anchor))
            days = [midnight_of(_moveable(name, scene.anchor.year + step), scene.anchor) for step in (-1, 0, 1)]
            past = which == "last" or (not which and scene.direction is Direction.PAST)
            today = day_from(scene.anchor)
            return piece(match, [d for d in days if d < today][-1] if past else next(d for d in days if d >= today))
    return None


def _year_told(match: re.Match[str], scene: Scene) -> int | None:
    if group(match, "y"):
        return full_year(int(match["y"]), scene.anchor)
    of = group(match, "of")
    if of:
        return scene.anchor.year + step_of(scene.words.which_of(of))
    if group(match, "n2"):
        return scene.anchor.year - (scene.words.number_of(match["n2"]) if scene.words.unit_of(match["u2"]) == "year" else 0)
    if group(match, "n"):
        return scene.anchor.year + (scene.words.number_of(match["n"]) if scene.words.unit_of(match["u"]) == "year" else 0)
    return None


def _moveable(name: str, year_: int) -> date:
    if name in {"easter", "orthodox_easter"}:
        return easter(year_, orthodox=name == "orthodox_easter")
    thanksgiving = nth_weekday(year_, 11, 3, 4)
    return {
        "thanksgiving": thanksgiving,
        "black_friday": thanksgiving + timedelta(days=1),
        "mothers_day": nth_weekday(year_, 5, 6, 2),
        "fathers_day": nth_weekday(year_, 6, 6, 3),
        "labor_day": nth_weekday(year_, 9, 0, 1),
        "memorial_day": nth_weekday(year_, 5, 0, -1),
    }[name]
