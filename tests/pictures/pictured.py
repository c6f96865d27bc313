"""A small person's graph in the wire shape of ``show``, for the tests of pictures."""

from __future__ import annotations

WORDS = {
    "ru": {
        "job": "Теперь работаю в архиве реставратором",
        "old": "Работаю в типографии наборщиком",
        "nerves": "перед каждой сдачей трясутся руки",
        "boss": "Зинаида Львовна",
        "exam": "в субботу экзамен по переплёту",
        "guess": "о сдаче часто говорит с тревогой",
        "birthday": "День рождения сестры 3 августа",
    },
    "en": {
        "job": "I work at the archive now, restoring books",
        "old": "I set type at a printing house",
        "nerves": "my hands shake before every deadline",
        "boss": "Mrs Whitlock",
        "exam": "bookbinding exam on Saturday",
        "guess": "often speaks of deadlines with worry",
        "birthday": "My sister's birthday is on 3 August",
    },
}


def node(name, content, kind="fact", **more):
    values = {
        "id": name,
        "type": kind,
        "content": content,
        "weight": 0.6,
        "state": "stable",
        "valence": "neutral",
        "topic": "work",
        "due": None,
        "is_pinned": False,
        "is_inference": False,
        "about_name": None,
        "valid_until": None,
        "retracted_at": None,
        "archived": None,
        "created_at": "2026-05-12T09:30:00+03:00",
        "sources": [{"message": "m1", "start": 0, "end": len(content), "quote": content}],
    }
    return values | more


def edge(source, kind, target, **more):
    values = {
        "id": f"{source}.{kind}.{target}",
        "from": source,
        "to": target,
        "type": kind,
        "confidence": 0.9,
        "is_inferred": False,
        "state": "stable",
        "valid_until": None,
        "retracted_at": None,
    }
    return values | more


def person(language):
    words = WORDS[language]
    nodes = [
        node("job", words["job"], weight=0.9),
        node("old", words["old"], valid_until="2026-05-12T00:00:00+03:00"),
        node("nerves", words["nerves"], "emotional_note", valence="negative"),
        node("boss", words["boss"], "person"),
        node("exam", words["exam"], "open_loop", due="2026-05-16T00:00:00+03:00", topic="learning"),
        node("guess", words["guess"], "hypothesis", is_inference=True, sources=[]),
        node("birthday", words["birthday"], is_pinned=True, topic="family", weight=1.0),
    ]
    edges = [
        edge("old", "contradicts", "job"),
        edge("nerves", "caused_by", "boss", is_inferred=True, confidence=0.5),
        edge("nerves", "caused_by", "exam"),
        edge("boss", "associated_with", "guess"),
        edge("job", "followed_by", "exam"),
    ]
    return {"user": "Vera", "nodes": nodes, "edges": edges}
