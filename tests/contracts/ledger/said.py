"""Messages to put into a ledger."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from memory_lib.domain.ids import IdKey
from memory_lib.domain.message import Message, Role, SourceMessage

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)
MOSCOW = timezone(timedelta(hours=3))


def said(
    key: IdKey,
    number: int,
    text: str | None = None,
    *,
    at: datetime | None = None,
    role: Role = Role.USER,
    conversation: str = "чат",
    **names: str | None,
) -> Message:
    return SourceMessage(
        user="анна",
        conversation=conversation,
        id=f"m{number}",
        role=role,
        text=f"слово {number}" if text is None else text,
        time=at or datetime(2026, 4, 1, 12, tzinfo=MOSCOW) + timedelta(minutes=number),
        **names,
    ).identified(key)
