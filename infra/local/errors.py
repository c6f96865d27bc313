"""The one error of this package."""

from __future__ import annotations


class ServerTrouble(Exception):
    """A server that cannot be fetched, started or stopped: one sentence with what is wrong and what to do."""
