"""Becomes a server: writes the record with its own pid and start time, then turns into the program.

So there is never a server without a record, whenever the process that asked for it is killed. Reads one JSON object from
standard input: ``path`` of the record, ``record`` without the process, ``words``, ``environment``, ``account``.
"""

from __future__ import annotations

import json
import os
import pwd
import sys
from pathlib import Path
from typing import Any, NoReturn

from infra.local.process import identity
from infra.local.server import Running, write_record


def main() -> None:
    """Leave a child behind, in a session of its own, that becomes the server."""
    asked = json.load(sys.stdin)
    if os.fork() == 0:
        become(asked)


def become(asked: dict[str, Any]) -> NoReturn:
    """Write the record and run the program in this process."""
    os.setsid()
    record = Running(**{**asked["record"], "owners": tuple(asked["record"]["owners"])}, process=identity(os.getpid()))
    write_record(Path(asked["path"]), record)
    log = os.open(record.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for new, old in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(new, old)
    os.chdir(record.folder)
    if asked["account"]:
        account = pwd.getpwnam(asked["account"])
        os.initgroups(account.pw_name, account.pw_gid)
        os.setgid(account.pw_gid)
        os.setuid(account.pw_uid)
    try:
        os.execvpe(asked["words"][0], asked["words"], asked["environment"])  # noqa: S606 - no shell is wanted
    except OSError as error:
        os.write(2, f"{asked['words'][0]}: {error.strerror}\n".encode())
        os._exit(127)


if __name__ == "__main__":
    main()
