"""A process that has loaded what tests need (libraries, parser models) and forks a child for each piece of work.

Starting Python and loading the models takes seconds, a fork takes milliseconds; nothing of a home is opened before the fork.
``python -m tests.e2e.warm_process`` reads one JSON request a line and answers each with one line:
``{"fork": [name of a task, arguments, path of its result]}`` → ``{"pid": n}``; ``{"wait": pid}`` → ``{"status": n}``
(negative: the signal that ended it); ``{"learn": texts}`` → ``{}``. A child writes what its task returned to the result's path,
as JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

REPOSITORY = Path(__file__).resolve().parents[2]
LONGEST_S = 300
"""A child that waits for something for ever is ended by SIGALRM, and its test says so."""


@dataclass(frozen=True, slots=True)
class Child:
    """A forked piece of work."""

    process: WarmProcess
    pid: int
    result: Path

    def kill(self) -> None:
        """SIGKILL. Harmless when it has ended: its number is free only after ``wait``."""
        os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """0, another exit status, or minus the signal that ended it."""
        return int(self.process.ask({"wait": self.pid})["status"])

    def answer(self) -> Any:
        """Waits, and gives what the task returned."""
        status = self.wait()
        assert status == 0, f"a child ended with {status}: see above for its traceback"
        return json.loads(self.result.read_text(encoding="utf-8"))


class WarmProcess:
    """The running process, for one thread; leave its ``with`` block to end it. ``preload``: more modules to import in it."""

    def __init__(self, folder: Path, *, preload: Sequence[str] = ()) -> None:
        self._folder = folder
        self._children = 0
        folder.mkdir(parents=True, exist_ok=True)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.warm_process", *preload],
            cwd=REPOSITORY,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        try:
            assert self._answer() == {"ready": True}
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._end()

    def _end(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()

    def fork(self, task: str, **arguments: object) -> Child:
        """Begins a task of ``tests.e2e.tasks``; arguments are JSON values."""
        self._children += 1
        result = self._folder / f"result-{self._children}.json"
        pid = self.ask({"fork": [task, arguments, str(result)]})["pid"]
        return Child(self, int(pid), result)

    def do(self, task: str, **arguments: object) -> Any:
        return self.fork(task, **arguments).answer()

    def learn(self, texts: Iterable[str]) -> None:
        """Parses these texts now, once for all children to come."""
        self.ask({"learn": list(dict.fromkeys(texts))})

    def ask(self, request: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the warm process has ended"
        answer: dict[str, Any] = json.loads(line)
        return answer


def child(task: str, arguments: dict[str, Any], result: str) -> None:
    """Runs in the fork; never returns."""
    status = 1
    signal.alarm(LONGEST_S)
    try:
        from tests.e2e import tasks

        value = tasks.TASKS[task](**arguments)
        Path(result).write_text(json.dumps(value), encoding="utf-8")
        status = 0
    except BaseException:  # noqa: BLE001 - printed; the status says it to the test
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def main() -> None:
    from tests.e2e import tasks

    tasks.warm()
    for module in sys.argv[1:]:
        importlib.import_module(module)
    print(json.dumps({"ready": True}), flush=True)  # noqa: T201 - the protocol
    for line in sys.stdin:
        request = json.loads(line)
        if "fork" in request:
            pid = os.fork()
            if pid == 0:
                # nothing of the parent's talk may be written twice or read here
                os.close(0)
                os.dup2(2, 1)
                child(*request["fork"])
            answer: dict[str, int] = {"pid": pid}
        elif "learn" in request:
            tasks.PARSER.learn(request["learn"])
            answer = {}
        else:
            _, status = os.waitpid(request["wait"], 0)
            answer = {"status": os.waitstatus_to_exitcode(status)}
        print(json.dumps(answer), flush=True)  # noqa: T201 - the protocol


if __name__ == "__main__":
    main()
