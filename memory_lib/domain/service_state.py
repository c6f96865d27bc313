"""What a look at one service of a deployment found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceState:
    """``name``: which service, as the settings name it. ``reachable``: it answered. ``usable``: memories can be kept in it.

    ``version``: what it says of itself, "" where it says nothing. ``capabilities``: what it can do of what we would use.
    ``schema``: what was made in it, "" where nothing is. ``remedy``: one sentence with what is wrong and what to do, "" where
    all is well.
    """

    name: str
    reachable: bool
    usable: bool
    version: str = ""
    capabilities: tuple[str, ...] = ()
    schema: str = ""
    remedy: str = ""
