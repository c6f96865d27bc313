"""A small home made once by the command line itself, and a way to call commands as a user does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from selfimprint.cli.main import app

DIALOGUE = [
    ("vera", "v1", "user", "Привет! Я живу в Омске и работаю аптекарем.", "2026-03-02T09:00:00+06:00"),
    ("vera", "v2", "assistant", "Рад знакомству!", "2026-03-02T09:01:00+06:00"),
    ("vera", "v3", "user", "Запомни: у меня аллергия на орехи.", "2026-03-03T09:00:00+06:00"),
    ("vera", "v4", "user", "Я не выспалась, потому что сосед Глеб всю ночь сверлил стену.", "2026-03-04T08:00:00+06:00"),
    ("vera", "v5", "user", "Никак не решу, ехать ли летом на Байкал.", "2026-03-05T20:00:00+06:00"),
    ("vera", "v6", "user", "Теперь я работаю в лаборатории.", "2026-03-09T19:00:00+06:00"),
    ("sam", "s1", "user", "Hi, I live in Cork and I play the cello.", "2026-03-02T09:00:00+00:00"),
    ("sam", "s2", "user", "I was late because the bus broke down.", "2026-03-04T09:00:00+00:00"),
    ("sam", "s3", "user", "My sister Nora \ud83d visits on 14 March.", "2026-03-06T09:00:00+00:00"),
]


def jsonl(rows: Sequence[tuple[str, ...]] = tuple(DIALOGUE)) -> str:
    return "".join(
        json.dumps({"user": user, "conversation": "talk", "id": ident, "role": role, "text": text, "time": time}) + "\n"
        for user, ident, role, text, time in rows
    )


@dataclass(frozen=True)
class Ran:
    """What one command did. ``error``: its standard error."""

    code: int
    out: str
    error: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Call = Callable[..., Ran]


def call(*arguments: object, typed: str | bytes | None = None, **environment: str | None) -> Ran:
    runner = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb", "SELFIMPRINT_EMBEDDER": "off", **environment})
    done = runner.invoke(app, [str(each) for each in arguments], input=typed)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return Ran(done.exit_code, done.stdout, done.stderr)


@pytest.fixture(name="call")
def calling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Commands called in an empty working folder, without an embedder (it has tests of its own)."""
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return call


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with both people; nobody writes to it."""
    place = tmp_path_factory.mktemp("made")
    (place / "dialogue.jsonl").write_text(jsonl() + "not a record\n", encoding="utf-8")
    done = call("import", place / "dialogue.jsonl", "--no-flow", "--home", place / "home", "--json")
    assert done.code == 0, done.error
    return place / "home"


@pytest.fixture
def own(made: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(made, tmp_path / "own", copy_function=shutil.copy2))


@pytest.fixture
def error_of() -> Callable[[Ran], str]:
    """The one sentence of a command that failed."""

    def only(ran: Ran) -> str:
        lines = ran.error.strip().splitlines()
        assert len(lines) == 1, ran.error
        assert lines[0].startswith("error: ")
        assert "Traceback" not in ran.error
        return lines[0]

    return only
