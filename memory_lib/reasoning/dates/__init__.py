"""Dates and clock times in Russian and English, resolved against the message's own time and offset.

Conventions (those of facebook/duckling's time corpora where it has one):
a count from now is resolved one unit finer than its unit ("two weeks ago" = that day, "two years ago" = that month);
"last Friday" = the latest one before today, "next Friday" = the one of the next calendar week (Monday first);
an unqualified weekday, day or month lies on the side that the clause's tense points to, the future where tense says nothing;
a part of the day narrows no date, it is only the mention's ``stretch``; a time of the day gives precision ``minute``;
a quarter is a ``season`` that begins with its first month.

===============  =========================================================================
``mention``      what a date in a text is
``words``        the closed classes of time words in both languages
``reckoning``    calendar arithmetic
``periods``      how matched words become dates
``nested``       periods that hold another one
``holidays``     the holidays that people mention
``english``      the English expressions
``russian``      the Russian expressions
``clock_times``  times of the day
``pieces``       what the rules hand each other
``joining``      how pieces beside each other make one date
``finding``      the search, and the roles of dates
``recurrence``   what happens again and again
===============  =========================================================================
"""

from __future__ import annotations

from memory_lib.reasoning.dates.finding import find_dates
from memory_lib.reasoning.dates.mention import DateMention, Direction, Role

__all__ = ["DateMention", "Direction", "Role", "find_dates"]
