"""A process worker as a child: ``python -m deployments.worker_process POOL``. It and its flow runs never outlive its parent."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading

from deployments.descendants import descendants
from flows.server_process import when_parent_ends


def _end_family() -> None:
    """At once: the parent was killed and the server goes too, so nobody could be told anything."""
    for pid in descendants(os.getpid()):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    os._exit(0)


def main(pool: str) -> None:
    """Take this pool's flow runs until stopped."""
    threading.Thread(target=when_parent_ends, args=(os.getppid(), _end_family), name="end-with-parent", daemon=True).start()
    from prefect.workers.process import ProcessWorker  # noqa: PLC0415 - the watch above comes first, importing takes seconds

    asyncio.run(ProcessWorker(work_pool_name=pool, name="local").start(printer=lambda *_: None))


if __name__ == "__main__":
    main(sys.argv[1])
