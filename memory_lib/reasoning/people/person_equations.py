"""Two names said to be one person's: "Peggy, that is my sister", "Lisl is Elisabeth, same person", "все зовут её Мака" (pure).

Patterns over the text: the words between two names are a closed class, and the names themselves decide nothing.
"""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re

from memory_lib.reasoning.words.name_forms import is_given_name

_NAME = r"[A-ZА-ЯЁ][\w’'-]+(?: [A-ZА-ЯЁ][\w’'-]+){0,2}"
_KIN = r"(?:my|our|мо[йяюе]\w*|наш\w*) (?:\w+ )?(?P<b>[\w-]+)"
_BETWEEN = re.compile(
    rf"\b(?P<a>{_NAME}),? (?:or|aka|a\.k\.a\.|also known as|known as|known to \w+(?: \w+)? as|short for|alias|nicknamed|better known as|i\.e\.|meaning|is short for|is really|"
    rf"то есть|т\. ?е\.|она же|он же|или просто|или по-домашнему|по-домашнему|в смысле|короче|для своих|по паспорту|полное имя|если полностью|уменьшительно|это сокращение от|сокращённо|сокращенно|— это|- это|это)"
    rf",? (?P<b>{_NAME})\b"
)
_SAME = re.compile(
    rf"\b(?P<a>{_NAME}) (?:is|and|и|—|-|это) (?P<b>{_NAME}),? (?:the |are |is |это )?(?:same person|one person|one and the same|один (?:и тот же )?человек|одно лицо|одна и та же)"
)
_MEANT = re.compile(
    rf"\b(?P<a>{_NAME})[^.!?]*[.!?,] (?P<b>{_NAME}),? (?:I mean|i mean|that is|I should say|то есть|в смысле)\b"
)
_TIED = re.compile(rf"\b(?P<a>{_NAME}),? (?:that is|that's|i\.e\.|meaning|то есть|это|— это|- это) {_KIN}\b")
_TIED_BACK = re.compile(rf"\b(?P<a>{_NAME}), (?P<b>[\w-]+) (?:то есть|в смысле)\b")
_CALLED = re.compile(
    rf"(?:\b(?:calls?|called|calling|know|nicknamed) (?:him|her)|goes by|(?:she|he)(?:'s| is) (?:also |usually |mostly )?called|\b(?:зовут|зовем|зовём|кличут|называют|называем|звали|звать|дразнят|величают) (?:её|ее|его)|"
    rf"\b(?:её|ее|его) (?:все |дома |мы |друзья |обычно |просто )*(?:зовут|зовем|зовём|кличут|называют|называем|звали|звать|дразнят|величают)) (?P<b>{_NAME})\b"
)
_CALLED_BACK = re.compile(rf"\b(?P<b>{_NAME}) (?:её|ее|его) (?:зовут|звать|кличут|величают)\b")
_AMONG_US = re.compile(
    rf"\b(?:[Оо]на|[Оо]н) (?:у нас|у меня|для нас|для своих|дома|в семье) (?P<b>{_NAME})|"
    rf"\b(?:[Ss]he|[Hh]e)(?:'s|’s| is| was) (?P<c>{_NAME}) to (?:us|me|everyone|everybody|the family|friends)\b"
)

_TO_THE_FAMILY = re.compile(
    rf"\b(?P<a>{_NAME}), (?:or )?(?P<b>{_NAME}),? (?:to|tae) (?:us|me|everyone|everybody|(?:the|his|her|my|our) (?:family|friends|mates|pals|mum|dad|kids|grandkids|colleagues|neighbours))\b"
)
_CALLED_SMALL = re.compile(
    r"\b(?:everyone|everybody|we(?: all)?|people|(?:her|his|my|our) (?:mates|friends|family|mum|dad|brothers?|sisters?)) (?:just |always |all )?calls? (?:her|him) (?P<b>[a-z]{2,})\b"
)
"""By somebody who writes without capitals: a name of the tables only."""


def equations(text: str) -> tuple[tuple[str | None, str], ...]:
    """Pairs of a name and another name or relation word of the same person, as said; None = the person spoken of last before."""
    found: list[tuple[int, str | None, str]] = []
    for pattern in (_BETWEEN, _SAME, _MEANT, _TIED, _TIED_BACK, _TO_THE_FAMILY):
        found += [(match.start(), match["a"], match["b"]) for match in pattern.finditer(text)]
    for pattern in (_CALLED, _CALLED_BACK):
        found += [(match.start(), None, match["b"]) for match in pattern.finditer(text)]
    found += [(m.start(), None, m["b"]) for m in _CALLED_SMALL.finditer(text) if is_given_name(m["b"])]
    found += [(match.start(), None, match["b"] or match["c"]) for match in _AMONG_US.finditer(text)]
    return tuple((one, other) for _, one, other in sorted(found, key=lambda pair: pair[0]))
