"""Open a memory: the only place that names adapters (DESIGN §2).

``open_memory`` puts ports together from settings and hands out a ``Memory``; every collaborator can be overridden by an
argument. Nothing connects on import, models load when they are first asked.
"""

from __future__ import annotations

from memory_lib.adapters.importers.report import ImportReport
from memory_lib.bootstrap.clocks import FixedClock, WallClock
from memory_lib.bootstrap.embedders import models
from memory_lib.bootstrap.memory import LAST, Memory
from memory_lib.bootstrap.opening import open_memory, versions
from memory_lib.bootstrap.service_checks import services

__all__ = ["LAST", "FixedClock", "ImportReport", "Memory", "WallClock", "models", "open_memory", "services", "versions"]
