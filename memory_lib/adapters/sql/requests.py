"""Long work that was asked for. What was asked is sealed; kind, state and holder are in clear.

On PostgreSQL claimers step over each other's rows (SKIP LOCKED); on SQLite there is one writer at a time anyhow.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, bindparam, or_, select, update

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.payload import pack, unpack
from memory_lib.adapters.sql.people import lock_person
from memory_lib.adapters.sql.tables import requests
from memory_lib.domain.ids import ID_BYTES, UserId
from memory_lib.domain.time import from_us, offset_minutes, to_us
from memory_lib.errors import IllegalValue, UnknownSetting
from memory_lib.ports.keys import Sealer
from memory_lib.ports.requests import Request, RequestState

KIND = "request"
NOBODY = ""
ENDED = (RequestState.DONE, RequestState.FAILED)
OPEN = tuple(state.value for state in RequestState if state not in ENDED)

_C = requests.c
_ONE = and_(_C.user_id == bindparam("user"), _C.request_id == bindparam("request"))
_ORDER = (_C.created_us, _C.request_id)
_COLUMNS = (
    _C.request_id,
    _C.user_id,
    _C.kind,
    _C.state,
    _C.created_us,
    _C.created_offset,
    _C.attempts,
    _C.operator,
)

ONE = select(*_COLUMNS).where(_ONE)
SEALED = select(_C.sealed).where(_ONE)
OPENED = select(*_COLUMNS).where(_C.state.in_(OPEN)).order_by(*_ORDER).limit(bindparam("limit"))
LOOK = (
    select(*_COLUMNS)
    .where(
        _C.kind == bindparam("of_kind"),
        or_(
            _C.state == RequestState.WAITING.value,
            and_(_C.state == RequestState.RUNNING.value, _C.expires_us <= bindparam("now_us")),
        ),
    )
    .order_by(*_ORDER)
    .limit(bindparam("limit"))
)
CLAIMABLE = LOOK.with_for_update(skip_locked=True)
CLAIM = (
    update(requests)
    .where(_ONE)
    .values(
        state=RequestState.RUNNING.value,
        holder=bindparam("for_holder"),
        expires_us=bindparam("until_us"),
        moved_us=bindparam("now_us"),
        attempts=_C.attempts + 1,
    )
)
CLEAR = update(requests).where(_ONE).values(sealed=None)
MOVE = (
    update(requests)
    .where(_ONE, or_(_C.state != RequestState.DONE.value, bindparam("to_state") == RequestState.DONE.value))
    .values(state=bindparam("to_state"), holder=NOBODY, expires_us=0, moved_us=bindparam("now_us"))
)


class SqlRequests:
    """Implements ``ports.requests.Requests``."""

    def __init__(self, database: Database, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer

    def ask(
        self,
        user: UserId,
        kind: str,
        *,
        now: datetime,
        state: RequestState = RequestState.WAITING,
        payload: Mapping[str, Any] | None = None,
        operator: str = "",
    ) -> Request:
        """Raises UnknownUser."""
        request = secrets.token_hex(ID_BYTES)
        sealed = None if payload is None else self._sealer.seal(user, KIND, request, pack(dict(payload)))
        row = {
            "user_id": user,
            "request_id": request,
            "kind": kind,
            "state": state.value,
            "created_us": to_us(now),
            "created_offset": offset_minutes(now),
            "attempts": 0,
            "operator": operator,
            "holder": NOBODY,
            "expires_us": 0,
            "moved_us": to_us(now),
            "sealed": sealed,
        }
        with self._database.write() as connection:
            lock_person(connection, user)
            if payload is None:
                same = OPENED.where(_C.user_id == user, _C.kind == kind)
                found = connection.execute(same, {"limit": 1}).first()
                if found is not None:
                    return _request(found)
            connection.execute(requests.insert(), row)
        return Request(id=request, user=user, kind=kind, state=state, created_at=now, operator=operator)

    def one(self, user: UserId, request: str) -> Request:
        with self._database.read() as connection:
            found = connection.execute(ONE, {"user": user, "request": request}).first()
        if found is None:
            raise _unknown(request)
        return _request(found)

    def payload(self, user: UserId, request: str) -> Mapping[str, Any]:
        """Raises UnknownSetting where this person has no such request."""
        with self._database.read() as connection:
            found = connection.execute(SEALED, {"user": user, "request": request}).first()
        if found is None:
            raise _unknown(request)
        if found.sealed is None:
            return {}
        asked: dict[str, Any] = unpack(self._sealer.open(user, KIND, request, found.sealed))
        return asked

    def claim(self, kind: str, *, holder: str, limit: int, ttl_s: float, now: datetime) -> tuple[Request, ...]:
        now_us = to_us(now)
        until_us = to_us(now + timedelta(seconds=ttl_s))
        look = {"of_kind": kind, "now_us": now_us, "limit": limit}
        with self._database.read() as connection:
            # most looks find nothing, and cost no writing
            if connection.execute(LOOK, {**look, "limit": 1}).first() is None:
                return ()
        with self._database.write() as connection:
            found = [_request(row) for row in connection.execute(CLAIMABLE, look)]
            mine = {"for_holder": holder, "until_us": until_us, "now_us": now_us}
            if found:
                connection.execute(CLAIM, [{"user": each.user, "request": each.id, **mine} for each in found])
        return tuple(
            Request(
                id=each.id,
                user=each.user,
                kind=each.kind,
                state=RequestState.RUNNING,
                created_at=each.created_at,
                attempts=each.attempts + 1,
                operator=each.operator,
            )
            for each in found
        )

    def move(self, user: UserId, request: str, state: RequestState, *, now: datetime) -> None:
        """Raises UnknownSetting where this person has no such request, IllegalValue for one that is done."""
        values = {"user": user, "request": request, "to_state": state.value, "now_us": to_us(now)}
        with self._database.write() as connection:
            if connection.execute(MOVE, values).rowcount:
                return
            known = connection.execute(ONE, {"user": user, "request": request}).first()
        if known is None:
            raise _unknown(request)
        raise IllegalValue(f"request {request} is done and cannot become {state.value}; ask anew")

    def clear(self, user: UserId, request: str) -> None:
        with self._database.write() as connection:
            connection.execute(CLEAR, {"user": user, "request": request})

    def open(self, *, kind: str | None = None, user: UserId | None = None, limit: int = 1000) -> tuple[Request, ...]:
        statement = OPENED
        if kind is not None:
            statement = statement.where(_C.kind == kind)
        if user is not None:
            statement = statement.where(_C.user_id == user)
        with self._database.read() as connection:
            return tuple(_request(row) for row in connection.execute(statement, {"limit": limit}))


def _request(row: Any) -> Request:
    request, user, kind, state, created_us, created_offset, attempts, operator = row
    return Request(
        id=request,
        user=UserId(user),
        kind=kind,
        state=RequestState(state),
        created_at=from_us(created_us, created_offset),
        attempts=attempts,
        operator=operator,
    )


def _unknown(request: str) -> UnknownSetting:
    return UnknownSetting(
        f"this person has no request {request[:40]!r}; its id is on the last line of what asked for it, else ask anew"
    )
