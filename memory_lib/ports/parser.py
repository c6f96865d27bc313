"""The port behind which a syntactic parser stands."""

from __future__ import annotations

from typing import Protocol

from memory_lib.domain.syntax import Parse


class Parser(Protocol):
    """Turns a text into sentences with dependency trees.

    Promises: never raises for any ``str`` (empty, NUL, lone surrogates, megabytes); time is bounded whatever the length;
    places are code points of the given text; the same text gives the same parse under the same ``version``; may be called
    from several threads.
    """

    @property
    def version(self) -> str:
        """Names models and rules; a change means derived nodes may differ. Says so when it works without models."""
        ...

    def parse(self, text: str) -> Parse: ...
