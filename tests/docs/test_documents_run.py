"""What the documents show is what happens: their Python runs, their commands run, their links lead somewhere.

```python blocks of one file run in one namespace, in a folder and home of their own. ```console blocks: each ``$ selfimprint``
line goes through the command line's own entry (exit code 0), in the order of the file, with one home for the file; output shown
under a line must match, with ``...`` for what changes. ``$ make`` lines must name a target. A block that must not run is marked
```text or ```sh.
"""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT, tracked_files
from tests.docs.blocks import blocks, commands, documents, text_of

PYTHON_FILES = [path for path in documents() if any(blocks(path, "python"))]
CONSOLE_FILES = [path for path in documents() if any(True for _ in commands(path))]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
SHELL = {"git", "cd", "make", "bash", "pip", ".venv/bin/selfimprint", "selfimprint"}
MATCH = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture
def newcomers_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path) -> Path:
    """An empty working folder, with an empty home."""
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.slow
@pytest.mark.embedder
@pytest.mark.parametrize("file", PYTHON_FILES, ids=str)
def test_python_blocks_run(file: Path, newcomers_folder: Path) -> None:
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(file, "python"):
        exec(compile("\n" * (block.line - 1) + block.code, str(ROOT / file), "exec"), namespace)


@pytest.mark.slow
@pytest.mark.embedder
@pytest.mark.parametrize("file", CONSOLE_FILES, ids=str)
def test_console_blocks_run(file: Path, newcomers_folder: Path) -> None:
    from typer.testing import CliRunner

    from selfimprint.cli.main import app

    runner = CliRunner(env={"COLUMNS": "128", "NO_COLOR": "1", "TERM": "dumb"})
    for command in commands(file):
        first, *arguments = shlex.split(command.words, comments=True)
        where = f"{file}:{command.line}: {command.words}"
        assert first in SHELL, f"{where}: mark a block of other commands ```sh"
        if first == "make":
            unknown = {word for word in arguments if "=" not in word} - TARGETS
            assert not unknown, f"{where}: no such target"
        elif first.endswith("selfimprint"):
            result = runner.invoke(app, arguments)
            assert result.exit_code == 0, f"{where}\n{result.output}\n{result.exception!r}"
            if command.shown.strip():
                assert doctest.OutputChecker().check_output(command.shown + "\n", result.stdout, MATCH), (
                    f"{where}\n{result.stdout}"
                )


def names_of_commands() -> set[str]:
    import typer.main

    from selfimprint.cli.main import app

    def walk(command: object, above: str) -> set[str]:
        below = getattr(command, "commands", None)
        if below is None:
            return {above}
        return {name for key, each in below.items() if not each.hidden for name in walk(each, f"{above} {key}".strip())}

    return walk(typer.main.get_command(app), "")


def commands_in_documents() -> set[str]:
    """The lower-case words after ``selfimprint`` in code: ``eval retrieval`` of ``selfimprint eval retrieval --data …``."""
    texts = "\n".join(text_of(path) for path in documents() if path.name != "CHANGELOG.md")
    found = re.findall(r"(?:^\$ |`)(?:\.venv/bin/)?selfimprint((?: [a-z][a-z-]*)+)", texts, flags=re.MULTILINE)
    return {" ".join(words.split()) for words in found}


def test_every_command_is_documented() -> None:
    documented = commands_in_documents()
    missing = {name for name in names_of_commands() if not any(f"{each} ".startswith(f"{name} ") for each in documented)}
    assert not missing, f"say in docs/ what these do: {sorted(missing)}"


def test_every_documented_command_exists() -> None:
    real = names_of_commands()
    gone = {
        each
        for each in commands_in_documents()
        if not any(f"{each} ".startswith(f"{name} ") or f"{name} ".startswith(f"{each} ") for name in real)
    }
    assert not gone, f"no such command: {sorted(gone)}"


def test_every_make_target_people_use_is_listed_by_help() -> None:
    text = (ROOT / "Makefile").read_text()
    listed = set(re.findall(r"^([a-z-]+):.*## ", text, flags=re.MULTILINE))
    assert listed == TARGETS - {"demo-env", "dev-env"}


def test_modules_that_make_runs_exist() -> None:
    named = re.findall(r"python -m ([a-z_]+(?:\.[a-z_]+)+)", (ROOT / "Makefile").read_text())
    gone = [
        name
        for name in named
        if not any((ROOT / f"{name.replace('.', '/')}{end}").is_file() for end in (".py", "/__main__.py"))
    ]
    assert not gone


@pytest.mark.parametrize("file", documents(), ids=str)
def test_links_lead_somewhere(file: Path) -> None:
    prose = re.sub(r"```.*?```", "", text_of(file), flags=re.DOTALL)
    known = {path.as_posix() for path in tracked_files()}
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        path, _, anchor = target.partition("#")
        if "://" in path or path.startswith("mailto:"):
            continue
        place = ((ROOT / file).parent / path).resolve().relative_to(ROOT).as_posix() if path else file.as_posix()
        folder = any(name.startswith(f"{place}/") for name in known)
        if (place not in known and not folder) or (anchor and anchor not in anchors(Path(place))):
            broken.append(target)
    assert not broken


def anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text_of(path), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
