"""SelfImprint's library: long-term memory of a person, from dialogue to context.

``open_memory`` opens one; it is loaded when first asked for, so that importing a policy or a domain value stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory_lib.bootstrap import Memory, open_memory

__all__ = ["Memory", "open_memory"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from memory_lib import bootstrap  # noqa: PLC0415 - stores and models are loaded when a memory is opened

        return getattr(bootstrap, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
