"""A kind of server that starts in no time: Python's own HTTP server, or one of its failures."""

from __future__ import annotations

import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infra.local.control import start
from infra.local.http import answers
from infra.local.places import Places
from infra.local.server import Command

SERVE = "import http.server, sys; http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), http.server.SimpleHTTPRequestHandler)"
WELL = f"{SERVE}.serve_forever()"
DEAF = "import time; time.sleep(600)"
BROKEN = "raise SystemExit('there is no room on the moon')"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {WELL}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stub:
    name: str = "stub"
    program: str = WELL
    bring: str = "nothing to do"
    signals: tuple[signal.Signals, ...] = (signal.SIGTERM, signal.SIGKILL)

    def lacking(self, places: Places) -> str | None:
        return None

    def fetch(self, places: Places) -> None:
        pass

    def folder(self, places: Places, name: str) -> Path:
        places.data(name).mkdir(parents=True, exist_ok=True)
        return places.data(name)

    def prepare(self, places: Places, folder: Path, port: int) -> Command:
        with (folder / "starts").open("a") as file:
            file.write("x")
        return Command(words=(sys.executable, "-S", "-c", self.program, str(port)), environment={})

    def address(self, port: int) -> Mapping[str, str]:
        return {"url": f"http://127.0.0.1:{port}"}

    def healthy(self, folder: Path, port: int) -> bool:
        return answers(port)


def main() -> None:
    """A starter of its own: ROOT NAME PROGRAM; prints the pid of the server."""
    root, name, program = sys.argv[1:]
    places = Places(root=Path(root), cache=Path(root), environment={})
    sys.stdout.write(f"{start(name, Stub(program=program), places).pid}\n")


if __name__ == "__main__":
    main()
