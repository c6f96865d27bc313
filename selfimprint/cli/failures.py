"""How a command ends that did not do what it was asked: one sentence, a kind, an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from memory_lib.errors import SelfImprintError
from selfimprint.cli.output import encodable, encoding_of, json_text, one_line

DEBUG = "SELFIMPRINT_DEBUG"
UNEXPECTED, BAD_INPUT, INTERRUPTED, PIPE_CLOSED, TERMINATED = 1, 2, 130, 141, 143
PREFECT_TERMINATION = "TerminationSignal"
"""What Prefect raises for SIGTERM while a flow runs; known by name, so that nothing here imports Prefect."""
PACKAGES = {"memory_lib", "selfimprint", "flows", "tasks"}


@dataclass(frozen=True, slots=True)
class Failure:
    """``kind``: the error's class in ``memory_lib/errors.py``, or ``Usage``, ``Interrupted``, ``Unexpected``."""

    kind: str
    message: str
    code: int


INTERRUPTION = Failure(
    "Interrupted", "interrupted; what was finished is kept, the same command goes on from there", INTERRUPTED
)
TERMINATION = Failure(
    "Interrupted", "stopped by a signal; what was finished is kept, the same command goes on from there", TERMINATED
)


class Terminated(BaseException):
    """SIGTERM, raised where it hit so that everything open is closed."""


def failure_of(error: BaseException) -> Failure:
    """The sentence, kind and exit code of whatever ended a command."""
    if isinstance(error, SelfImprintError):
        return Failure(type(error).__name__, str(error), error.exit_code)
    if isinstance(error, typer.TyperException):
        return Failure("Usage", _usage(error), BAD_INPUT)
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return INTERRUPTION
    if isinstance(error, Terminated) or type(error).__name__ == PREFECT_TERMINATION:
        return TERMINATION
    import traceback  # noqa: PLC0415 - hardly ever needed

    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    # the text of somebody else's error may hold words of a person, its type and place do not
    message = f"unexpected {type(error).__name__} in {_place(error)}; run again with {DEBUG}=1 to see the trace, and report it"
    return Failure("Unexpected", message, UNEXPECTED)


def tell(failure: Failure, arguments: Sequence[str]) -> None:
    """The sentence to standard error; where JSON was asked for on standard output, ``{"error": {"kind", "message"}}`` there."""
    sentence = one_line(failure.message)
    if _wants_json(arguments):
        error = {"error": {"kind": failure.kind, "message": sentence}}
        sys.stdout.write(json_text(error, encoding_of(sys.stdout)) + "\n")
    sys.stderr.write(encodable(f"error: {sentence}", encoding_of(sys.stderr)) + "\n")


def _usage(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    command = "selfimprint" if context is None else context.command_path
    told = error.format_message() if hasattr(error, "format_message") else str(error)
    if "extra argument" in told:
        told = "more arguments than this command takes; put a text of several words in quotes"
    elif "No such command" in told:
        told = "there is no such command"
    told = told.replace("Value error, ", "")
    return f"{told.strip().rstrip('.')}; see {command} --help"


def _place(error: BaseException) -> str:
    """The innermost place in our own code."""
    import traceback  # noqa: PLC0415

    places = [frame for frame in traceback.extract_tb(error.__traceback__) if PACKAGES & set(Path(frame.filename).parts[-4:-1])]
    return f"{Path(places[-1].filename).name}, line {places[-1].lineno}" if places else "a library"


def _wants_json(arguments: Sequence[str]) -> bool:
    """``--json`` as a flag, or as ``--json -`` of ``eval``."""
    if "--json" not in arguments:
        return "--json=-" in arguments
    if "eval" not in arguments:
        return True
    after = arguments[arguments.index("--json") + 1 :]
    return after[:1] == ["-"]
