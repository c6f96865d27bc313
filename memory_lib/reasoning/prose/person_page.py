"""What is remembered of a person as a page for them, in their language (CONTRACTS, Language): our words are templates, theirs
stay as they said them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

Language = Literal["ru", "en"]

_WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "title": "What is remembered of {user}",
        "period": "{messages} messages from {first} to {last}. Written {at}.",
        "no_messages": "No messages. Written {at}.",
        "files": "`messages.jsonl` holds every message as it was said, `memory.json` everything below with all its details. "
        "The folder `sealed` is for another installation; it opens with the key that was handed out with this file.",
        "nothing": "Nothing is remembered.",
        "fact": "Facts",
        "event": "Events",
        "person": "People",
        "emotional_note": "Feelings",
        "open_loop": "Still open",
        "hypothesis": "Guesses",
        "over": "No longer so",
        "since": "since {date}",
        "until": "until {date}",
        "due": "due {date}",
        "pinned": "pinned",
        "guess": "a guess, never said",
        "wrong": "marked wrong",
        "archived": "put away",
        "disputed": "in doubt",
        "weakened": "weaker by now",
        "stale": "its words were changed",
        "said": "Said {date}: “{quote}”",
    },
    "ru": {
        "title": "Что запомнено о пользователе {user}",
        "period": "Сообщений: {messages}, с {first} по {last}. Составлено {at}.",
        "no_messages": "Сообщений нет. Составлено {at}.",
        "files": "В `messages.jsonl` лежит каждое сообщение, как оно было сказано, в `memory.json` — всё, что ниже, со всеми "
        "подробностями. Папка `sealed` — для другой установки; её открывает ключ, выданный вместе с этим файлом.",
        "nothing": "Ничего не запомнено.",
        "fact": "Факты",
        "event": "События",
        "person": "Люди",
        "emotional_note": "Чувства",
        "open_loop": "Ещё не закончено",
        "hypothesis": "Догадки",
        "over": "Больше не так",
        "since": "с {date}",
        "until": "до {date}",
        "due": "срок {date}",
        "pinned": "закреплено",
        "guess": "догадка, этого никто не говорил",
        "wrong": "отмечено как неверное",
        "archived": "убрано",
        "disputed": "под сомнением",
        "weakened": "уже слабее",
        "stale": "слова были изменены",
        "said": "Сказано {date}: «{quote}»",
    },
}
_ORDER: Final = ("fact", "event", "person", "emotional_note", "open_loop", "hypothesis")
_SPECIAL: Final = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_{}[]<>#|"})


def person_page(
    memory: Mapping[str, Any], *, messages: int, first: str | None, last: str | None, at: str, language: Language
) -> str:
    """Markdown. ``memory``: as ``show`` gives it (CONTRACTS, Shapes); dates as ISO 8601, of which the day is told."""
    words = _WORDS[language]
    told = (
        words["no_messages"].format(at=at[:10])
        if first is None or last is None
        else words["period"].format(messages=messages, first=first[:10], last=last[:10], at=at[:10])
    )
    lines = [f"# {words['title'].format(user=_safe(memory['user']))}", "", told, "", words["files"], ""]
    nodes: Sequence[Mapping[str, Any]] = sorted(
        memory["nodes"], key=lambda node: (-node["weight"], node["created_at"], node["id"])
    )
    holding = [node for node in nodes if not _is_over(node)]
    for kind in _ORDER:
        lines += _section(words, words[kind], [node for node in holding if node["type"] == kind])
    lines += _section(words, words["over"], [node for node in nodes if _is_over(node)])
    if not nodes:
        lines += [words["nothing"], ""]
    return "\n".join(lines)


def _section(words: Mapping[str, str], title: str, nodes: Sequence[Mapping[str, Any]]) -> list[str]:
    if not nodes:
        return []
    lines = [f"## {title}", ""]
    for node in nodes:
        marks = ", ".join(_marks(words, node))
        lines.append(f"- {_safe(node['content'])}" + (f" ({marks})" if marks else ""))
        lines += [
            "  - " + words["said"].format(date=source["time"][:10], quote=_safe(source["quote"]))
            for source in node["sources"]
            if not _says_the_same(node, source)
        ]
    return [*lines, ""]


def _marks(words: Mapping[str, str], node: Mapping[str, Any]) -> list[str]:
    marks = [words["since"].format(date=node["created_at"][:10])]
    if node["due"]:
        marks.append(words["due"].format(date=node["due"][:10]))
    if node["valid_until"]:
        marks.append(words["until"].format(date=node["valid_until"][:10]))
    if node["is_pinned"]:
        marks.append(words["pinned"])
    if node["is_inference"]:
        marks.append(words["guess"])
    if node["retracted_at"]:
        marks.append(words["wrong"])
    if node["state"] != "stable":
        marks.append(words[node["state"]])
    return marks


def _says_the_same(node: Mapping[str, Any], source: Mapping[str, Any]) -> bool:
    """Whether a quote would only repeat its memory, words and day."""
    same_day = str(source["time"])[:10] == str(node["created_at"])[:10]
    return same_day and _safe(source["quote"]) == _safe(node["content"])


def _is_over(node: Mapping[str, Any]) -> bool:
    return bool(node["valid_until"] or node["retracted_at"] or node["archived"])


def _safe(text: str) -> str:
    """On one line, and read as text and not as Markdown."""
    return " ".join(text.split()).translate(_SPECIAL)
