"""What models were asked and what it cost: ids, names of jobs and numbers, in clear; never a word."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import bindparam, case, func, select

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.tables import model_calls
from memory_lib.domain.ids import ID_BYTES, UserId
from memory_lib.domain.time import to_us
from memory_lib.policies.model_budget import Spent
from memory_lib.ports.ledger import JobFigures, ModelCall

_C = model_calls.c
_SECOND = 1_000_000
SPENT = select(func.coalesce(func.sum(_C.requests), 0), func.coalesce(func.sum(_C.prompt_tokens + _C.answer_tokens), 0)).where(
    _C.at_us >= bindparam("since")
)
SPENT_BY = SPENT.where(_C.user_id == bindparam("user"))
FIGURES = (
    select(
        _C.job,
        func.count(),
        func.sum(case((_C.outcome == "model", 1), else_=0)),
        func.sum(_C.first_try),
        func.sum(_C.requests),
        func.sum(_C.malformed),
        func.sum(_C.rejected),
        func.sum(_C.prompt_tokens),
        func.sum(_C.answer_tokens),
        func.sum(_C.took_us),
    )
    .where(_C.at_us >= bindparam("since"))
    .group_by(_C.job)
    .order_by(_C.job)
)


class SqlModelBook:
    """Implements ``ports.ledger.ModelBook``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, user: UserId, call: ModelCall) -> None:
        row = {
            "user_id": user,
            "call_id": secrets.token_hex(ID_BYTES),
            "job": call.job,
            "job_version": call.job_version,
            "model": call.model,
            "at_us": to_us(call.at),
            "outcome": call.outcome,
            "requests": call.requests,
            "malformed": call.malformed,
            "rejected": call.rejected,
            "left_out": call.left_out,
            "prompt_tokens": call.prompt_tokens,
            "answer_tokens": call.answer_tokens,
            "took_us": round(call.seconds * _SECOND),
            "first_try": int(call.first_try),
        }
        with self._database.write() as connection:
            connection.execute(model_calls.insert(), row)

    def spent(self, *, since: datetime, user: UserId | None = None) -> Spent:
        statement, values = (SPENT, {}) if user is None else (SPENT_BY, {"user": user})
        with self._database.read() as connection:
            requests, tokens = connection.execute(statement, {"since": to_us(since), **values}).one()
        return Spent(int(requests), int(tokens))

    def figures(self, *, since: datetime) -> Mapping[str, JobFigures]:
        with self._database.read() as connection:
            rows = connection.execute(FIGURES, {"since": to_us(since)}).all()
        return {
            job: JobFigures(
                calls=int(calls),
                by_model=int(by_model),
                first_try=int(first_try),
                requests=int(requests),
                malformed=int(malformed),
                rejected=int(rejected),
                prompt_tokens=int(prompt_tokens),
                answer_tokens=int(answer_tokens),
                seconds=float(took_us) / _SECOND,
            )
            for job, calls, by_model, first_try, requests, malformed, rejected, prompt_tokens, answer_tokens, took_us in rows
        }
