"""Which of the two languages a text is in, by its script."""

from __future__ import annotations

import re
from typing import Literal

_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")

CYRILLIC_SHARE = 0.3
"""Names of firms and places stay Latin inside Russian sentences ("Работаю в Microsoft"), so less than half is enough."""


def cyrillic_share(text: str) -> float | None:
    """Cyrillic letters among the Cyrillic and Latin ones; None where there are neither."""
    cyrillic, latin = len(_CYRILLIC.findall(text)), len(_LATIN.findall(text))
    return None if cyrillic + latin == 0 else cyrillic / (cyrillic + latin)


def language_of(text: str, *, otherwise: Literal["ru", "en"] = "en") -> Literal["ru", "en"]:
    """``ru`` from ``CYRILLIC_SHARE`` of Cyrillic letters on, else ``en``; ``otherwise`` where no letter tells."""
    share = cyrillic_share(text)
    if share is None:
        return otherwise
    return "ru" if share >= CYRILLIC_SHARE else "en"
