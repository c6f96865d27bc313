"""Small matrices on one thread: they lose a hundredfold to the start of BLAS threads on a busy machine."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any


class OneThread:
    """Holds the BLAS libraries loaded when it is made to one thread, where ``threadpoolctl`` is installed."""

    def __init__(self) -> None:
        self._controller = _controller()

    def hold(self) -> AbstractContextManager[Any]:
        """For the time of the ``with``."""
        return nullcontext() if self._controller is None else self._controller.limit(limits=1)


def _controller() -> Any | None:
    try:
        from threadpoolctl import ThreadpoolController  # noqa: PLC0415 - nothing loads before the first sentence
    except ImportError:
        return None
    return ThreadpoolController()
