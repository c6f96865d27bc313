"""Operations on one person, asked for by an operator or the person: a file each, and the registry that the command line and the
flows walk alike (DESIGN §5, ops).

An operation adapts ports and settings to one use case and returns a receipt. Without ``Asked.apply`` it is a dry run: the
receipt lists exactly what would change, and nothing has.
"""

from __future__ import annotations

from collections.abc import Mapping

from memory_lib.operations.bench import Operation

OPERATIONS: Mapping[str, Operation] = {}
"""By name, as ``selfimprint NAME`` and the flow of that operation call them."""
