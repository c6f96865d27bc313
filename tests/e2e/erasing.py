"""A home with two people of whom something lies in every place, what would give one of them away, and the search for it."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.adapters.sql.sealed_columns import SEALED_COLUMNS, SealedColumn
from memory_lib.adapters.sql.tables import metadata
from memory_lib.bootstrap import FixedClock, Memory, open_memory
from memory_lib.domain.acts import ActKind
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Tier
from memory_lib.errors import KeyMissing, SealBroken
from memory_lib.operations.bench import Asked
from memory_lib.operations.export_user import export_user
from memory_lib.ports.sealed_graphs import SealedGraphs
from memory_lib.settings import Settings
from tests.e2e.tasks import ID_KEY, PARSER
from tests.e2e.word_vectors import WordVectors
from tests.usecases.ops_bench import Opened, Stores, opened_ops, stores_of

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
GONE, STAYS = "пользователь-Ольховская", "user-Quillfeather"
CANARIES = {
    "name": GONE,
    "company": "Вымпелстрой",
    "person": "Евстигней",
    "pinned": "маракуйю",
    "corrected": "исправлено-Лазуритово",
    "bad record": "испорченное-Гелиотроп",
    "conversation": "беседа-Снегопадная",
    "reason": "причина-Аметистова",
    "wish": "пожелание-Бирюзово",
    "file": "выгрузка-Карамельная",
    "second name": STAYS,
    "second company": "Brackenridge",
    "second pinned": "pomegranate",
}
WINDOW = 32


def said(user: str, number: int, text: str) -> dict[str, str]:
    return {
        "user": user,
        "conversation": CANARIES["conversation"],
        "id": f"{user}-{number}",
        "role": "user",
        "text": text,
        "time": f"2026-05-{number + 1:02d}T10:00:00+03:00",
    }


RECORDS = [
    said(GONE, 1, f"Я работаю в {CANARIES['company']} аналитиком."),
    said(GONE, 2, f"Коллега {CANARIES['person']} накричал на меня, и я очень расстроился из-за этого."),
    said(GONE, 3, f"Запомни: у меня аллергия на {CANARIES['pinned']}."),
    said(GONE, 4, "28 мая у меня собеседование в Твери."),
    said(STAYS, 1, f"I work at {CANARIES['second company']} as an accountant."),
    said(STAYS, 2, "I was late because the bus broke down."),
    said(STAYS, 3, f"Remember that I am allergic to {CANARIES['second pinned']}."),
]


Configure = Callable[[Settings], Settings]


def as_it_is(settings: Settings) -> Settings:
    """Everything on this machine."""
    return settings


@contextmanager
def opened(
    home: Path, *, now: datetime = NOW, configure: Configure = as_it_is, **overrides: str
) -> Iterator[tuple[Memory, Opened]]:
    settings = configure(Settings.load(home=home, overrides={"id_key": ID_KEY, **overrides}))
    with (
        open_memory(settings=settings, parser=PARSER, embedder=WordVectors(), clock=FixedClock(now)) as memory,
        opened_ops(memory) as ops,
    ):
        yield memory, ops


def fill(home: Path, folder: Path, *, configure: Configure = as_it_is) -> UserId:
    """Both people, and of each something in every place; the first one's internal id."""
    file = folder / f"{CANARIES['file']}.jsonl"
    bad = [json.dumps({"text": CANARIES["bad record"], "user": GONE}, ensure_ascii=False), f"{{{CANARIES['bad record']}"]
    file.write_text("\n".join([*bad, *(json.dumps(each, ensure_ascii=False) for each in RECORDS)]) + "\n", encoding="utf-8")
    with opened(home, configure=configure) as (memory, ops):
        people = memory.import_export(file).people
        memory.run("ingest", people)
        for name in (GONE, STAYS):
            user = memory.user_id(name)
            node = memory.show(name)["nodes"][0]["id"]
            if name == GONE:
                memory.correct(name, node, ActKind.SET, field="content", value=CANARIES["corrected"])
            bench = ops.bench
            bench.placements.assign(user, "main")
            for tier in (Tier.WARM, Tier.COLD):
                generation = bench.placements.next_generation(user)
                bench.files[tier].write(user, ops.graph.take(user), (), generation=generation)
            bench.requests.ask(user, "forget", now=NOW, payload={"topic": CANARIES["wish"]})
            bench.audit.append(user, "peek", operator="olga", now=NOW, details={"node": node}, reason=CANARIES["reason"])
            export_user(bench, user, Asked(apply=True), lambda _count: None)
        return memory.user_id(GONE)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What names the person or is a piece of a sealed byte string of theirs: (where from, bytes)."""

    traces: tuple[tuple[str, bytes], ...]

    def found_under(self, home: Path) -> dict[str, list[str]]:
        """File → what is in it, for files and their names; none where the person is gone."""
        told: dict[str, list[str]] = {}
        for path in sorted(home.rglob("*")):
            name = str(path.relative_to(home))
            content = name.encode() + b"\0" + (path.read_bytes() if path.is_file() else b"")
            if found := sorted({where for where, trace in self.traces if trace in content}):
                told[name] = found
        return told


def evidence_of(home: Path, user: UserId) -> Evidence:
    """32 bytes from the middle of each sealed blob in every table, each row's own ids, each sealed file, the wrapped key."""
    traces = [("internal id", user.encode()), ("internal id, raw", bytes.fromhex(user))]
    with stores_of(home, id_key=ID_KEY) as stores:
        traces += in_ledger(stores.ledger, user)
    traces += _in_graph(home / "graphs" / user[:2] / f"{user}.db")
    return Evidence(tuple(dict.fromkeys([*traces, *in_folders(home, user)])))


def in_folders(home: Path, user: UserId) -> Iterator[tuple[str, bytes]]:
    """Of the sealed files, exports, keys and quarantine of a home."""
    for folder in ("files", "exports"):
        yield from [
            (f"sealed file of {folder}", middle(path.read_bytes()))
            for path in sorted((home / folder).rglob("*"))
            if path.is_file() and user in str(path)
        ]
    for path in sorted((home / "keys" / "people").rglob(f"*{user}*")):
        if path.is_file():
            yield "wrapped key", path.read_bytes()[24:56]
    for path in sorted((home / "quarantine").glob("*.sealed")):
        content = path.read_bytes()
        yield "quarantine", content[len(content) // 4 :][:WINDOW]


def in_ledger(ledger: Ledger, user: UserId) -> Iterator[tuple[str, bytes]]:
    """Ids of the person's rows, and of each sealed value a piece."""
    with ledger._database.read() as connection:
        yield from _ids_in_ledger(connection, user)
        for sealed in SEALED_COLUMNS:
            owner = user if sealed.owner == "user_id" else ledger.audit._pseudonyms.of(user)
            theirs = select(sealed.column).where(sealed.table.c[sealed.owner] == owner, sealed.column.is_not(None))
            yield from [(sealed.place, middle(blob)) for (blob,) in connection.execute(theirs)]


def _ids_in_ledger(connection: Connection, user: UserId) -> Iterator[tuple[str, bytes]]:
    for table in metadata.sorted_tables:
        if "user_id" in table.c:
            for row in connection.execute(select(table).where(table.c.user_id == user)).mappings():
                for name, value in row.items():
                    # times, roles and versions of rules are anybody's
                    if name.endswith("_id") and isinstance(value, str) and len(value) >= WINDOW:
                        yield f"{table.name}.{name}", value.encode()


def _in_graph(file: Path) -> Iterator[tuple[str, bytes]]:
    with closing(sqlite3.connect(file)) as graph:
        for (table,) in graph.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in graph.execute(f"SELECT * FROM {table}"):
                for value in row:
                    if isinstance(value, bytes) and len(value) >= WINDOW:
                        yield f"graph {table}", middle(value)
                    elif isinstance(value, str) and len(value) == WINDOW:
                        yield f"graph {table} id", value.encode()


@dataclass(frozen=True, slots=True)
class Filled:
    """A home with both people; nobody writes to it, copies of it are worked on. ``user``: the first one's internal id."""

    home: Path
    user: UserId
    evidence: Evidence


def middle(blob: bytes) -> bytes:
    start = max(0, len(blob) // 2 - WINDOW // 2)
    return bytes(blob[start : start + WINDOW])


def readable(data: bytes) -> Mapping[str, bytes]:
    """What an export shows to people, by file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.startswith("sealed/")}


def records_that_open(home: Path, user: UserId) -> int:
    """How many sealed values of the ledger, nodes of the graph and nodes in files of this home open under its keys."""
    opening: list[Callable[[], int]] = []
    with stores_of(home, id_key=ID_KEY) as stores:
        with stores.ledger._database.read() as connection:
            for sealed in SEALED_COLUMNS:
                if sealed.owner == "user_id":
                    rows = connection.execute(select(sealed.table).where(sealed.table.c.user_id == user)).mappings().all()
                    opening += [
                        partial(_opened, stores, user, sealed, dict(row)) for row in rows if row[sealed.name] is not None
                    ]
        opening += [lambda: len(stores.graph.load(user).nodes), lambda: len(stores.graph.take(user).nodes)]
        for files in stores.files.values():
            opening += [partial(_read, files, user, generation) for generation in files.generations(user)]
        assert opening
        return sum(map(_counted, opening))


def _opened(stores: Stores, user: UserId, sealed: SealedColumn, row: dict[str, Any]) -> int:
    stores.sealer.open(user, sealed.kind(row), sealed.record(row), row[sealed.name])
    return 1


def _read(files: SealedGraphs, user: UserId, generation: int) -> int:
    return len(files.read(user, generation=generation).nodes)


def _counted(opening: Callable[[], int]) -> int:
    try:
        return opening()
    except (KeyMissing, SealBroken):
        return 0


def later(minutes: int) -> datetime:
    return NOW + timedelta(minutes=minutes)
