"""PostgreSQL from the system's own package, without passwords, as an ordinary account: it refuses to run as root."""

from __future__ import annotations

import hashlib
import os
import pwd
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infra.local.errors import ServerTrouble
from infra.local.places import Places
from infra.local.process import started_at
from infra.local.server import Command

ACCOUNT = "postgres"
OLDEST = 15
# Where an account without rights over the clone can always write. TMPDIR will not do: it may lie inside the clone.
OPEN_TO_ALL = Path("/var/tmp")  # noqa: S108 - a folder of our own is made in it, readable by that account alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Postgres:
    """The newest one installed, 15 or newer."""

    name: str = "postgres"
    bring: str = "apt-get install postgresql"
    # SIGTERM waits for clients to leave; SIGINT ends them, SIGQUIT does not tidy up
    signals: tuple[signal.Signals, ...] = (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL)

    def lacking(self, places: Places) -> str | None:  # noqa: ARG002 - nothing of it is fetched
        if binaries() is None:
            return f"no PostgreSQL {OLDEST} or newer is installed"
        if os.geteuid() == 0 and not _has_account():
            return f"PostgreSQL refuses to run as root, and there is no account {ACCOUNT}"
        return None

    def fetch(self, places: Places) -> None:
        lack = self.lacking(places)
        if lack is not None:
            raise ServerTrouble(f"{lack}; to have it: {self.bring}")

    def folder(self, places: Places, name: str) -> Path:
        folder = places.data(name)
        folder.mkdir(parents=True, exist_ok=True)
        account = _account()
        if account is None:
            return folder
        if _run(["test", "-x", str(folder)], account).returncode:
            # the clone lies in somebody's closed folder
            folder.rmdir()
            mark = hashlib.sha256(str(folder).encode()).hexdigest()[:12]
            folder = OPEN_TO_ALL / f"selfimprint-{name}-{mark}"
            folder.mkdir(mode=0o700, exist_ok=True)
            if folder.is_symlink() or folder.stat().st_uid not in {0, pwd.getpwnam(account).pw_uid}:
                raise ServerTrouble(f"{folder} belongs to somebody else; remove it")
        shutil.chown(folder, account)
        return folder

    def prepare(self, places: Places, folder: Path, port: int) -> Command:
        found = binaries()
        if found is None:
            raise ServerTrouble(f"{self.lacking(places)}; to have it: {self.bring}")
        account = _account()
        data = folder / "data"
        if not (data / "PG_VERSION").exists():
            shutil.rmtree(folder / "fresh", ignore_errors=True)  # of an initdb that was killed
            words = [str(found / "initdb"), "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C"]
            told = _run([*words, "--no-sync", f"--pgdata={folder / 'fresh'}"], account)
            if told.returncode:
                raise ServerTrouble(f"initdb failed: {told.stderr.strip().rpartition(chr(10))[2]}")
            (folder / "fresh").replace(data)
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(port),
            "unix_socket_directories": "",
            "shared_buffers": "64MB",
            "max_connections": "200",
        }
        words = [str(found / "postgres"), "-D", str(data)]
        words += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        environment = {"LC_ALL": "C"}
        stale = _stale_pid(data)
        if stale is not None:
            # A killed server that its parent has not waited for yet still has its pid, and would be taken for a running one.
            # With this, which pg_ctl uses for a case of its own, that pid is passed over; that no backend is left is checked.
            environment["PG_GRANDPARENT_PID"] = str(stale)
        return Command(words=tuple(words), environment=environment, account=account)

    def address(self, port: int) -> Mapping[str, str]:
        return {"url": f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"}

    def healthy(self, folder: Path, port: int) -> bool:  # noqa: ARG002 - by its port
        found = binaries()
        if found is None:
            return False
        words = [
            str(found / "pg_isready"),
            "--quiet",
            "--host=127.0.0.1",
            f"--port={port}",
            "--username=postgres",
            "--timeout=2",
        ]
        return subprocess.run(words, check=False).returncode == 0


def binaries() -> Path | None:
    """The folder with ``postgres`` and ``initdb`` of the newest version that fits, where Debian, Homebrew or PATH have it."""
    folders = [Path("/usr/lib/postgresql"), Path("/opt/homebrew/opt"), Path("/usr/local/opt"), Path("/usr")]
    found: dict[int, Path] = {}
    for folder in folders:
        for place in (*folder.glob("[0-9]*/bin"), *folder.glob("postgresql@*/bin"), *folder.glob("pgsql-*/bin")):
            version = re.search(r"\d+", place.parent.name)
            if version and (place / "initdb").exists() and (place / "postgres").exists():
                found[int(version.group())] = place
    fitting = [version for version in found if version >= OLDEST]
    if fitting:
        return found[max(fitting)]
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


def _stale_pid(data: Path) -> int | None:
    """The pid in the lock file of this folder, if no process has it any more, or a zombie only."""
    try:
        pid = int((data / "postmaster.pid").read_text(encoding="utf-8").partition("\n")[0])
    except (OSError, ValueError):
        return None
    return pid if started_at(pid) is None else None


def _account() -> str | None:
    return ACCOUNT if os.geteuid() == 0 else None


def _has_account() -> bool:
    try:
        pwd.getpwnam(ACCOUNT)
    except KeyError:
        return False
    return True


def _run(words: list[str], account: str | None) -> subprocess.CompletedProcess[str]:
    if account is None:
        return subprocess.run(words, capture_output=True, text=True, check=False)
    of = pwd.getpwnam(account)
    return subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        user=of.pw_uid,
        group=of.pw_gid,
        extra_groups=os.getgrouplist(account, of.pw_gid),
    )
