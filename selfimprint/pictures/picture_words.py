"""The words on pictures, Russian and English side by side, and text made fit for XML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from xml.sax.saxutils import escape, quoteattr

from memory_lib.reasoning.prose import prose_dates
from memory_lib.reasoning.prose.quoting import HIDDEN, quote
from memory_lib.reasoning.prose.reply_language import language_of

Language = Literal["ru", "en"]

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_HIDDEN = re.compile(f"[{HIDDEN}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureWords:
    """One language's words on a picture and its page."""

    title: str
    user: str
    nodes: tuple[str, str, str]
    edges: tuple[str, str, str]
    left_out: str
    nothing: str
    node_types: Mapping[str, str]
    edge_types: Mapping[str, str]
    edge_labels: Mapping[str, str]
    topics: Mapping[str, str]
    states: Mapping[str, str]
    valences: Mapping[str, str]
    legend_marks: Mapping[str, str]
    sources: str
    page: Mapping[str, str]


WORDS: dict[Language, PictureWords] = {
    "ru": PictureWords(
        title="Карта памяти",
        user="человек",
        nodes=("воспоминание", "воспоминания", "воспоминаний"),
        edges=("связь", "связи", "связей"),
        left_out="на рисунке {shown} самых сильных, ещё {hidden} не показаны",
        nothing="Пока ничего не запомнено",
        node_types={
            "fact": "факт",
            "event": "событие",
            "emotional_note": "чувство",
            "person": "человек",
            "open_loop": "не решено",
            "hypothesis": "догадка",
        },
        edge_types={
            "caused_by": "из-за чего",
            "followed_by": "что потом",
            "reinforces": "подтверждает",
            "contradicts": "противоречит",
            "associated_with": "рядом",
        },
        edge_labels={"caused_by": "из-за", "contradicts": "≠"},
        topics={
            "work": "работа",
            "family": "семья",
            "relationships": "отношения",
            "home": "дом",
            "hobbies": "увлечения",
            "learning": "учёба",
            "travel": "поездки",
            "food": "еда",
            "money": "деньги",
            "pets": "питомцы",
            "other": "разное",
        },
        states={
            "stable": "",
            "weakened": "слабеет",
            "disputed": "под сомнением",
            "stale": "слова потом изменены",
            "archived": "в архиве",
        },
        valences={"positive": "приятное", "negative": "неприятное", "neutral": ""},
        legend_marks={
            "pinned": "закреплено",
            "closed": "уже не так или в архиве",
            "faded": "чем слабее, тем меньше и бледнее",
            "inferred": "выведено, не сказано",
        },
        sources="Из чего это известно",
        page={
            "search": "Найти",
            "search_hint": "слово из воспоминания",
            "types": "Показывать",
            "list": "Все воспоминания",
            "details": "Подробности",
            "choose": "Выберите воспоминание на рисунке или в списке.",
            "weight": "сила",
            "when": "сказано",
            "since": "с",
            "until": "до",
            "due": "срок",
            "about": "о ком",
            "links": "Связи",
            "not_drawn": "не на рисунке",
            "found": "найдено",
            "clear": "Сбросить",
            "pinned": "закреплено",
            "confidence": "уверенность",
            "inferred": "выведено",
            "picture": "Рисунок графа памяти",
            "skip": "К списку воспоминаний",
            "zoom_in": "Крупнее",
            "zoom_out": "Мельче",
            "fit": "Целиком",
            "guess": "догадка, не подтверждена",
        },
    ),
    "en": PictureWords(
        title="Memory map",
        user="person",
        nodes=("memory", "memories", "memories"),
        edges=("link", "links", "links"),
        left_out="the {shown} strongest are drawn, {hidden} more are not",
        nothing="Nothing is remembered yet",
        node_types={
            "fact": "fact",
            "event": "event",
            "emotional_note": "feeling",
            "person": "person",
            "open_loop": "open",
            "hypothesis": "guess",
        },
        edge_types={
            "caused_by": "because of",
            "followed_by": "then",
            "reinforces": "supports",
            "contradicts": "contradicts",
            "associated_with": "goes with",
        },
        edge_labels={"caused_by": "because", "contradicts": "≠"},
        topics={
            "work": "work",
            "family": "family",
            "relationships": "relationships",
            "home": "home",
            "hobbies": "hobbies",
            "learning": "learning",
            "travel": "travel",
            "food": "food",
            "money": "money",
            "pets": "pets",
            "other": "other",
        },
        states={
            "stable": "",
            "weakened": "fading",
            "disputed": "in doubt",
            "stale": "the words were later changed",
            "archived": "archived",
        },
        valences={"positive": "pleasant", "negative": "unpleasant", "neutral": ""},
        legend_marks={
            "pinned": "pinned",
            "closed": "no longer so, or archived",
            "faded": "the weaker, the smaller and paler",
            "inferred": "inferred, not said",
        },
        sources="What it rests on",
        page={
            "search": "Search",
            "search_hint": "a word of a memory",
            "types": "Show",
            "list": "All memories",
            "details": "Details",
            "choose": "Choose a memory in the picture or in the list.",
            "weight": "strength",
            "when": "said",
            "since": "since",
            "until": "until",
            "due": "due",
            "about": "about",
            "links": "Links",
            "not_drawn": "not in the picture",
            "found": "found",
            "clear": "Reset",
            "pinned": "pinned",
            "confidence": "confidence",
            "inferred": "inferred",
            "picture": "Picture of the memory graph",
            "skip": "To the list of memories",
            "zoom_in": "Larger",
            "zoom_out": "Smaller",
            "fit": "Fit",
            "guess": "a guess, not confirmed",
        },
    ),
}


def picture_language(show: Mapping[str, Any]) -> Language:
    """The language most of the contents are in; English where there are none."""
    return language_of(" ".join(str(node.get("content", ""))[:200] for node in show.get("nodes", ())))


def counted(number: int, forms: Sequence[str], *, language: Language) -> str:
    """«21 связь», «2 связи», «5 связей»; "1 link", "2 links"."""
    if language == "en":
        form = forms[0] if number == 1 else forms[1]
    elif number % 10 == 1 and number % 100 != 11:
        form = forms[0]
    elif 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14:
        form = forms[1]
    else:
        form = forms[2]
    return f"{number} {form}"


def date_words(instant: object, *, language: Language) -> str:
    """An ISO 8601 instant of a wire shape as a date, "" where there is none or it cannot be read."""
    if not isinstance(instant, str) or not instant:
        return ""
    try:
        return prose_dates.day(datetime.fromisoformat(instant), language=language)
    except ValueError:
        return ""


def source_words(node: Mapping[str, Any], *, language: Language, quote_chars: int = 240) -> list[str]:
    """Each source of a node as a dated quote: "12 May 2026: “…”".

    A source says its date itself (``time``), or else stands under the node's own.
    """
    lines = []
    for source in node.get("sources") or ():
        words = quote(str(source.get("quote") or ""), limit=quote_chars, language=language)
        said = date_words(source.get("time") or node.get("created_at"), language=language)
        lines.append(": ".join(filter(None, (said, words))))
    return lines


def clean(text: object) -> str:
    """What XML and a reader can take: no control, no lone surrogate, nothing invisible."""
    return _HIDDEN.sub("", _ILLEGAL.sub("\ufffd", str(text)))


def xml_text(text: object) -> str:
    """``text`` as the content of an element."""
    return escape(clean(text))


def xml_attribute(text: object) -> str:
    """The value with its quotation marks."""
    return quoteattr(clean(text))
