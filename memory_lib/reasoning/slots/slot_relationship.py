"""Relationship status, read off a clause: what it is, and what happened to it."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterator

from memory_lib.domain.candidates import Slot
from memory_lib.domain.clause import Clause, PredicateKind, Tense, Who
from memory_lib.reasoning.slots.slot_values import slot

_STATUS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("divorced", re.compile(
        r"\b(?:divorced|(?:got|getting|filed for|through|finalised|finalized) (?:a |our |my |the )?divorced?|(?:we|i)(?:'ve| have)? (?:have )?separated|"
        r"развед[её]н[аы]?|в разводе|развел(?:ся|ась|ись)|развожусь|разводимся|оформил[аи]? развод)\b")),
    ("widowed", re.compile(r"\b(?:widow(?:er|ed)?|вдов(?:а|ец)|овдовел[а]?)\b")),
    ("single", re.compile(
        r"\b(?:(?:i'?m|am|is|be|still|now|again|happily) single|(?:broke|break|broken|split|splitting|breaking)(?:[ -]up)(?! (?:the|a|with laughter)\b)|dumped|called off (?:the|our) (?:engagement|wedding)|"
        r"not (?:together|a couple) any ?more|no longer (?:together|engaged|married|dating)|"
        r"расстал(?:ся|ась|ись)|разошл(?:ась|ись)|разош[её]лся|разбежал(?:ся|ась|ись)|порвал[аи]? с|бросил[аи]? меня|холост(?:ой|як)?|не замужем|не женат|(?:теперь|снова|опять) (?:один|одна|свободн[а]?)|сейчас (?:один|одна)(?! (?:дома|в|на|с)\b)|ни с кем (?:\w+ )?не встречаюсь|"
        r"расторгл[аи] помолвку|больше не (?:вместе|пара|встречаемся))\b")),
    ("engaged", re.compile(r"\b(?:engaged|proposed to me|said yes to (?:him|her)|помолвлен[аы]?|обручен[аы]?|обручил(?:ся|ась|ись)|сделал мне предложение|мой жених|моя невеста)\b")),
    ("married", re.compile(r"\b(?:married|tied the knot|newlyweds?|eloped|замужем|женат|вышла замуж|женился|поженил(?:ись|ся)|расписал(?:ись|ся)|сыграли свадьбу)\b")),
    ("dating", re.compile(
        r"\b(?:dating|(?:i'?m|am|we're|i've been|have been|been) seeing (?:someone|somebody|a |[a-z]+$)|going out with|in a relationship|moved in with (?:my )?(?:boyfriend|girlfriend|partner)|"
        r"встречаюсь с|с (?!клиент|заказчик|коллег|врач|друзь|подруг|кем)\w+ встречаюсь|встречаемся|в отношениях|(?:мы )?начали встречаться|(?:у меня )?(?:появил(?:ся|ась)|есть) (?:парень|девушка)|живем вместе|жив[её]м вместе)\b")),
)  # fmt: skip
_COUPLE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("married", re.compile(r"\b(?:i'?m|i am) (?:his|her|\w+'s) (?:wife|husband|spouse)\b|\bя (?:его|ее|её) (?:жена|муж|супруга?)\b")),
    ("engaged", re.compile(r"\b(?:i'?m|i am) (?:his|her|\w+'s) fianc[eé]+\b|\bя (?:его|ее|её) (?:невеста|жених)\b")),
    ("dating", re.compile(
        r"\b(?:i'?m|i am) (?:his|her|their|\w+'s) (?:girlfriend|boyfriend|partner|other half)\b|"
        r"\b(?:been|'re|are) (?:back |still |finally )?together(?= (?:for|since|again|now|\w+ (?:years?|months?))\b|\W*$)|"
        r"\bя (?:его|ее|её) (?:девушка|парень|подруга|молодой человек)\b|"
        r"\bвместе (?:уже|снова|опять|с (?:\d|про|шк|инст|унив|осен|весн|лет|зим)|(?:\w+ )?(?:год|года|лет|месяц\w*)\b)|(?<=мы )вместе\W*$")),
)  # fmt: skip
"""Who is whose, and that two are together: of a state only, no doing ("we work together")."""
_OF_THINGS = re.compile(
    r"\bengaged (?:in|with)\b|\b(?:занят|встречаюсь с (?:клиент|заказчик|коллег|врач|друзь|подруг))|\bbroke up (?:the|a)\b|\bmarried (?:to (?:my|the) (?:job|work)|life)\b"
)
_INHERENT = re.compile(r"\b(?:не замужем|не женат|ни с кем|not together|not a couple|больше не)\b")
"""Being single is said with a negation here."""
_PAIR = frozenset({Who.SELF, Who.GROUP, Who.PERSON})


def relationship_slots(clause: Clause, folded: str) -> Iterator[Slot]:
    """One status a clause; of "we", it is the speaker's own."""
    if clause.subject.who not in _PAIR and not _said_of_me(clause, folded):
        return
    if clause.tense is Tense.FUTURE or _OF_THINGS.search(folded):
        return
    stating = clause.kind is not PredicateKind.VERB or clause.language == "en"
    for told, pattern in (*_STATUS, *(_COUPLE if stating else ())):
        status = told
        if pattern.search(folded):
            if clause.negated and status in {"married", "engaged", "dating"}:
                status = "single"
            elif clause.negated and status == "single" and not _INHERENT.search(folded):
                status = "taken"
            yield slot("relationship", status)
            return


def _said_of_me(clause: Clause, folded: str) -> bool:
    return clause.subject.who is Who.NONE and clause.language == "ru" and clause.tense is Tense.PAST and " мен" in f" {folded}"
