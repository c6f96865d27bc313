"""What was forgotten on purpose: covered words, and the rules that keep them out, sealed (CONTRACTS, Writing: Archived)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select, update

from memory_lib.adapters.sql import extraction_codec, message_log, next_vectors, staging
from memory_lib.adapters.sql.engine import Database, chunks
from memory_lib.adapters.sql.payload import pack, unpack
from memory_lib.adapters.sql.people import BUMP, lock_person
from memory_lib.adapters.sql.tables import forget_rules, message_versions, messages, residuals, rounds
from memory_lib.adapters.sql.tables import next_vectors as ahead
from memory_lib.adapters.sql.tables import staging as staged
from memory_lib.domain.candidates import Span
from memory_lib.domain.ids import IdKey, MessageId, UserId
from memory_lib.domain.time import from_us, to_us
from memory_lib.policies.covering import covered
from memory_lib.ports.forgetting import ForgetRule, Redacted
from memory_lib.ports.keys import Sealer

KIND = "forget_rule"

RULES = (
    select(forget_rules.c.rule_id, forget_rules.c.made_us, forget_rules.c.sealed)
    .where(forget_rules.c.user_id == bindparam("user"))
    .order_by(forget_rules.c.made_us, forget_rules.c.rule_id)
)
VERSIONS = select(message_versions.c.text_version, message_versions.c.forgotten).where(
    message_versions.c.user_id == bindparam("user"), message_versions.c.message_id == bindparam("message")
)
FORGET_VERSION = (
    update(message_versions)
    .where(
        message_versions.c.user_id == bindparam("user"),
        message_versions.c.message_id == bindparam("message"),
        message_versions.c.text_version == bindparam("version"),
    )
    .values(sealed=bindparam("nothing"), forgotten=1)
)
READS_AS = (
    update(messages)
    .where(messages.c.user_id == bindparam("user"), messages.c.message_id == bindparam("message"))
    .values(text_version=bindparam("version"))
)
DROP_ROUND = delete(rounds).where(rounds.c.user_id == bindparam("user"), rounds.c.message_id == bindparam("message"))
DROP_ROUND_AHEAD = delete(ahead).where(
    ahead.c.user_id == bindparam("user"),
    ahead.c.kind == next_vectors.ROUND,
    ahead.c.record.startswith(bindparam("message")),
)
STAGED = select(staged.c.unit_id, staged.c.reasoner, staged.c.version, staged.c.sealed).where(
    staged.c.user_id == bindparam("user")
)
DROP_STAGED = delete(staged).where(
    staged.c.user_id == bindparam("user"),
    staged.c.unit_id == bindparam("unit"),
    staged.c.reasoner == bindparam("of_reasoner"),
    staged.c.version == bindparam("of_version"),
)
DROP_UNIT_AHEAD = delete(ahead).where(
    ahead.c.user_id == bindparam("user"), ahead.c.kind == next_vectors.UNIT, ahead.c.record == bindparam("made_for")
)
DROP_RESIDUALS = delete(residuals).where(
    residuals.c.user_id == bindparam("user"), residuals.c.message_id.in_(bindparam("ids", expanding=True))
)


class SqlForgetting:
    """Implements ``ports.forgetting.Forgetting``."""

    def __init__(self, database: Database, sealer: Sealer, id_key: IdKey) -> None:
        self._database = database
        self._sealer = sealer
        self._id_key = id_key
        self._insert = database.insert(forget_rules).on_conflict_do_nothing()

    def keep(self, user: UserId, rule: ForgetRule) -> None:
        """Raises UnknownUser."""
        inside = {"nodes": list(rule.nodes), "statements": [sorted(words) for words in rule.statements]}
        row = {
            "user_id": user,
            "rule_id": rule.id,
            "made_us": to_us(rule.made_at),
            "sealed": self._sealer.seal(user, KIND, rule.id, pack(inside)),
        }
        with self._database.write() as connection:
            lock_person(connection, user)
            connection.execute(self._insert, row)

    def rules(self, user: UserId) -> tuple[ForgetRule, ...]:
        with self._database.read() as connection:
            rows = connection.execute(RULES, {"user": user}).all()
        if not rows:
            return ()
        opened = self._sealer.opener(user)
        found: list[ForgetRule] = []
        for rule, made_us, sealed in rows:
            inside = unpack(opened(KIND, rule, sealed))
            statements = tuple(frozenset(words) for words in inside["statements"])
            found.append(ForgetRule(id=rule, made_at=from_us(made_us), nodes=tuple(inside["nodes"]), statements=statements))
        return tuple(found)

    def redact(
        self, user: UserId, spans: Sequence[Span], *, now: datetime, whole: Collection[MessageId] = ()
    ) -> tuple[Redacted, ...]:
        """Raises UnknownUser."""
        by_message: dict[MessageId, list[tuple[int, int]]] = defaultdict(list)
        for span in spans:
            by_message[span.message].append((span.start, span.end))
        touched = sorted({*by_message, *whole})
        redacted: list[Redacted] = []
        with self._database.write() as connection:
            lock_person(connection, user)
            for part in chunks(touched, self._database.params.chunk):
                for row in connection.execute(message_log.CURRENT, {"user": user, "ids": part}).all():
                    words = by_message.get(row.message_id, [])
                    done = self._covered(connection, user, row, words, whole=row.message_id in whole, now=now)
                    redacted += [] if done is None else [done]
            if redacted:
                connection.execute(BUMP, {"user": user})
        return tuple(redacted)

    def _covered(
        self,
        connection: Connection,
        user: UserId,
        row: Any,
        spans: Sequence[tuple[int, int]],
        *,
        whole: bool,
        now: datetime,
    ) -> Redacted | None:
        message, before = MessageId(row.message_id), str(row.text_version)
        words = unpack(self._sealer.open(user, message_log.KIND, f"{message}/{before}", row.sealed))
        text = covered(words["text"], spans)
        of_message = {"user": user, "message": message}
        former = [version for version, gone in connection.execute(VERSIONS, of_message) if version != before and not gone]
        if text == words["text"] and not (whole and ("caption" in words or former)):
            return None
        after = self._id_key.text_version(text)
        words = {name: value for name, value in words.items() if name != "caption" or not whole} | {"text": text}
        for version in [before, *former]:
            nothing = self._sealer.seal(user, message_log.KIND, f"{message}/{version}", pack({}))
            connection.execute(FORGET_VERSION, {**of_message, "version": version, "nothing": nothing})
        present = {
            "user_id": user,
            "message_id": message,
            "text_version": after,
            "recorded_us": to_us(now),
            "sealed": self._sealer.seal(user, message_log.KIND, f"{message}/{after}", pack(words)),
            "forgotten": None,
        }
        put = self._database.insert(message_versions)
        connection.execute(
            put.on_conflict_do_update(
                index_elements=[message_versions.c.user_id, message_versions.c.message_id, message_versions.c.text_version],
                set_={"sealed": put.excluded.sealed, "forgotten": None},
            ),
            present,
        )
        connection.execute(READS_AS, {**of_message, "version": after})
        connection.execute(DROP_ROUND, of_message)
        connection.execute(DROP_ROUND_AHEAD, of_message)
        return Redacted(message, before, after)

    def discard_units(
        self, user: UserId, messages_: Sequence[MessageId], *, keeping: Collection[str] = ()
    ) -> Mapping[str, int]:
        """Raises UnknownUser."""
        of_messages, kept = set(messages_), set(keeping)
        counts = dict.fromkeys(("staged", "residuals", "ahead"), 0)
        with self._database.write() as connection:
            lock_person(connection, user)
            for unit, reasoner, version, sealed in connection.execute(STAGED, {"user": user}).all():
                record = staging.record_of(unit, reasoner, version)
                if unit in kept:
                    continue
                extraction = extraction_codec.decode(unpack(self._sealer.open(user, staging.KIND, record, sealed)))
                if extraction.message not in of_messages:
                    continue
                row = {"user": user, "unit": unit, "of_reasoner": reasoner, "of_version": version}
                counts["staged"] += connection.execute(DROP_STAGED, row).rowcount
                counts["ahead"] += connection.execute(DROP_UNIT_AHEAD, {"user": user, "made_for": record}).rowcount
            for part in chunks(sorted(of_messages), self._database.params.chunk):
                counts["residuals"] += connection.execute(DROP_RESIDUALS, {"user": user, "ids": part}).rowcount
        return counts


__all__ = ["KIND", "SqlForgetting"]
