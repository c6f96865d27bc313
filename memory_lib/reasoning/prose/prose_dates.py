"""Dates as prose in Russian and English. The year is left out when it is the current one.

A date is read on the clock of the message it comes from: the offset an instant carries is the person's own.
"""

from __future__ import annotations

from datetime import datetime

from memory_lib.domain.candidates import Precision
from memory_lib.reasoning.prose.quoting import Language

_MONTHS: dict[Language, tuple[str, ...]] = {
    "ru": ("январь", "февраль", "март", "апрель", "май", "июнь", "июль", "август", "сентябрь", "октябрь", "ноябрь", "декабрь"),
    "en": (
        "January", "February", "March", "April", "May", "June",
        "July", "August", "September", "October", "November", "December",
    ),
}  # fmt: skip
_MONTHS_OF = (
    "января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября", "декабря",
)  # fmt: skip
_SEASONS: dict[Language, tuple[str, ...]] = {
    "ru": ("зима", "весна", "лето", "осень"),
    "en": ("winter", "spring", "summer", "autumn"),
}
_SEASONS_OF = ("зимы", "весны", "лета", "осени")


def day(at: datetime, *, language: Language, this_year: int | None = None) -> str:
    """«12 мая», "12 May"; with its year unless it is ``this_year``."""
    month = _MONTHS_OF[at.month - 1] if language == "ru" else _MONTHS["en"][at.month - 1]
    return f"{at.day} {month}" if at.year == this_year else f"{at.day} {month} {at.year}"


def moment(at: datetime, *, language: Language, this_year: int | None = None) -> str:
    """The day, and the time of day when it is not midnight: «12 мая, 14:30»."""
    said = day(at, language=language, this_year=this_year)
    return said if at.hour == at.minute == 0 else f"{said}, {at.hour}:{at.minute:02d}"


def period(at: datetime, precision: Precision, *, language: Language, this_year: int | None = None) -> str:
    """The period that starts at ``at``, as exactly as it is known: «весна 2026», "the week of 25 May"."""
    russian = language == "ru"
    match precision:
        case Precision.MINUTE:
            return moment(at, language=language, this_year=this_year)
        case Precision.DAY:
            return day(at, language=language, this_year=this_year)
        case Precision.WEEK:
            start = day(at, language=language, this_year=this_year)
            return f"неделя с {start}" if russian else f"the week of {start}"
        case Precision.MONTH:
            name = _MONTHS[language][at.month - 1]
            return name if at.year == this_year else f"{name} {at.year}"
        case Precision.SEASON:
            return f"{_SEASONS[language][at.month % 12 // 3]} {_season_year(at)}"
        case Precision.YEAR:
            return f"{at.year} год" if russian else str(at.year)


def since(at: datetime, precision: Precision, *, language: Language, this_year: int | None = None, ahead: bool = False) -> str:
    """From when something holds: «с мая 2019», «с весны 2026», "since 2019", and "from 1 June" when that is still ahead."""
    if language == "en":
        word = "from" if ahead else "since"
        return f"{word} {period(at, precision, language='en', this_year=this_year)}"
    match precision:
        case Precision.MONTH:
            name = _MONTHS_OF[at.month - 1]
            return f"с {name}" if at.year == this_year else f"с {name} {at.year}"
        case Precision.SEASON:
            return f"с {_SEASONS_OF[at.month % 12 // 3]} {_season_year(at)}"
        case Precision.YEAR:
            return f"с {at.year} года"
        case _:
            start = day(at, language="ru", this_year=this_year)
            return f"со {start}" if at.day == 2 else f"с {start}"


def _season_year(at: datetime) -> str:
    """Winter spans two years: "2025/26" whether it is named by its December or its January."""
    if at.month % 12 >= 3:
        return str(at.year)
    first = at.year if at.month == 12 else at.year - 1
    return f"{first}/{(first + 1) % 100:02d}"
