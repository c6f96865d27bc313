"""S3 by versitygw (a Go program over a folder), S3 and KMS by moto_server (a Python program that keeps all in memory)."""

from __future__ import annotations

import importlib.util
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from infra.local.errors import ServerTrouble
from infra.local.http import answers
from infra.local.places import Places
from infra.local.server import Command

# They guard nothing: the servers listen on loopback and hold what a test wrote.
ACCESS_KEY = "local"
SECRET_KEY = "local-secret"  # noqa: S105 - see above
REGION = "us-east-1"
OLDEST_GO = (1, 21)  # from here on, go fetches the release that a module asks for


@cache
def go_release() -> tuple[int, ...] | None:
    """The release of the ``go`` on PATH, as (1, 26); None where there is none."""
    program = shutil.which("go")
    if program is None:
        return None
    told = subprocess.run([program, "env", "GOVERSION"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"go(\d+)\.(\d+)", told)
    return (int(found[1]), int(found[2])) if found else (0,)


def credentials(port: int) -> Mapping[str, str]:
    """What a client needs to reach either of them on this port."""
    return {
        "endpoint": f"http://127.0.0.1:{port}",
        "access_key": ACCESS_KEY,
        "secret_key": SECRET_KEY,
        "region": REGION,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Versitygw:
    """An S3 server that checks signatures and conditions, keeps versions, and has multipart uploads; objects are files."""

    version: str
    signals: tuple[signal.Signals, ...] = (signal.SIGTERM, signal.SIGKILL)

    @property
    def name(self) -> str:
        return f"versitygw-{self.version}"

    @property
    def bring(self) -> str:
        return "apt-get install golang-go, where that is 1.21 or newer, or Go from its makers"

    def lacking(self, places: Places) -> str | None:
        if self._program(places).exists():
            return None
        release = go_release()
        if release is None:
            return "versitygw is built by Go, and go is not installed"
        if release < OLDEST_GO:
            here, oldest = (".".join(map(str, each)) for each in (release, OLDEST_GO))
            return f"versitygw is built by Go {oldest} or newer, and go here is {here}"
        return None

    def _program(self, places: Places) -> Path:
        return places.cache / "bin" / self.name

    def fetch(self, places: Places) -> None:
        lack = self.lacking(places)
        if lack is not None:
            raise ServerTrouble(f"{lack}; to have it: {self.bring}")
        program = self._program(places)
        if program.exists():
            return
        with places.fetching(self.name):
            if program.exists():
                return
            part = program.with_name(f"{self.name}.part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            told = subprocess.run(
                ["go", "install", f"github.com/versity/versitygw/cmd/versitygw@v{self.version}"],
                capture_output=True,
                text=True,
                check=False,
                env={**places.environment, "GOBIN": str(part), "CGO_ENABLED": "0"},
            )
            if told.returncode:
                raise ServerTrouble(f"go could not build versitygw: {told.stderr.strip().rpartition(chr(10))[2]}")
            (part / "versitygw").replace(program)
            part.rmdir()

    def folder(self, places: Places, name: str) -> Path:
        folder = places.data(name)
        for each in ("objects", "versions"):
            (folder / each).mkdir(parents=True, exist_ok=True)
        return folder

    def prepare(self, places: Places, folder: Path, port: int) -> Command:
        words = (
            str(self._program(places)),
            "--port",
            f"127.0.0.1:{port}",
            "--region",
            REGION,
            "posix",
            "--versioning-dir",
            str(folder / "versions"),
            str(folder / "objects"),
        )
        return Command(words=words, environment={"ROOT_ACCESS_KEY": ACCESS_KEY, "ROOT_SECRET_KEY": SECRET_KEY})

    def address(self, port: int) -> Mapping[str, str]:
        return credentials(port)

    def healthy(self, folder: Path, port: int) -> bool:  # noqa: ARG002 - by its port
        return answers(port)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moto:
    """S3 and KMS in one. Signatures are not checked; what it holds is gone when it ends."""

    name: str = "moto"
    bring: str = "pip install --require-hashes -r requirements/dev.txt"
    signals: tuple[signal.Signals, ...] = (signal.SIGTERM, signal.SIGKILL)

    def lacking(self, places: Places) -> str | None:  # noqa: ARG002 - nothing of it is fetched
        missing = [each for each in ("moto", "flask", "flask_cors") if importlib.util.find_spec(each) is None]
        return f"this Python has no {', '.join(missing)}" if missing else None

    def fetch(self, places: Places) -> None:
        lack = self.lacking(places)
        if lack is not None:
            raise ServerTrouble(f"{lack}; to have it: {self.bring}")

    def folder(self, places: Places, name: str) -> Path:
        folder = places.data(name)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def prepare(self, places: Places, folder: Path, port: int) -> Command:  # noqa: ARG002 - it keeps no files
        words = (sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port))
        return Command(words=words, environment={})

    def address(self, port: int) -> Mapping[str, str]:
        return credentials(port)

    def healthy(self, folder: Path, port: int) -> bool:  # noqa: ARG002 - by its port
        return answers(port, "/moto-api/")
