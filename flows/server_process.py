"""A Prefect server as a child that never outlives its parent: ``python -m flows.server_process FD``.

It serves on a listening socket that it inherits (so no other process can take the port in between), and ends when its standard
input closes, which also happens when the parent is killed, or when it is given to another parent.
"""

from __future__ import annotations

import os
import select
import socket
import sys
import threading
from collections.abc import Callable
from functools import partial

LOOK_EVERY_S = 1.0


def when_parent_ends(parent: int, end: Callable[[], object]) -> None:
    """Waits until the parent has closed its end of our standard input, or is gone, then calls ``end``."""
    while True:
        readable, _, _ = select.select([sys.stdin], [], [], LOOK_EVERY_S)
        if (readable and not os.read(sys.stdin.fileno(), 1)) or os.getppid() != parent:
            end()
            return


def main(descriptor: int) -> None:
    """Serve on this listening socket until stopped."""
    end = partial(os._exit, 0)
    threading.Thread(target=when_parent_ends, args=(os.getppid(), end), name="end-with-parent", daemon=True).start()
    import uvicorn  # noqa: PLC0415 - the watch above comes first, importing takes seconds
    from prefect.server.api.server import create_app  # noqa: PLC0415

    listening = socket.socket(fileno=descriptor)
    # a run's last requests are over when the parent stops us; nobody is waited for
    config = uvicorn.Config(
        create_app(final=True), log_level="error", access_log=False, lifespan="on", timeout_graceful_shutdown=1
    )
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main(int(sys.argv[1]))
