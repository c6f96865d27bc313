"""``selfimprint``: the commands, and the one place where errors become a sentence and an exit code."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from selfimprint.cli import (
    ask,
    correct,
    demo,
    disclose,
    doctor,
    erase,
    eval_,
    export,
    forget,
    graph,
    import_,
    import_user,
    move,
    passphrase,
    peek,
    quarantine,
    rebuild,
    reembed,
    reseal,
    reset,
    restore,
    rotate_keys,
    show,
    undo,
    why,
)
from selfimprint.cli.failures import INTERRUPTED, INTERRUPTION, PIPE_CLOSED, Terminated, failure_of, tell

NAME = "selfimprint"
CONTEXT = {"help_option_names": ["--help", "-h"]}


class Commands(TyperGroup):
    """Errors end here, whoever calls: the console script, ``CliRunner``, or a program."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,  # noqa: ARG002 - the command has one name, also where a module is run
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001, FBT002 - the signature of Typer's own
        windows_expand_args: bool = True,  # noqa: FBT001, FBT002
        **extra: Any,
    ) -> Any:
        """Runs one command. Exits with its code, or (``standalone_mode`` off) returns it."""
        arguments = list(sys.argv[1:] if args is None else args)
        code = self._run(arguments, complete_var, windows_expand_args=windows_expand_args, **extra)
        if standalone_mode:
            sys.exit(code)
        return code

    def _run(self, arguments: list[str], complete_var: str | None, *, windows_expand_args: bool, **extra: Any) -> int:
        try:
            code = super().main(
                arguments, NAME, complete_var, standalone_mode=False, windows_expand_args=windows_expand_args, **extra
            )
            sys.stdout.flush()
        except (BrokenPipeError, SystemExit) as end:
            if isinstance(end, SystemExit) and not isinstance(end.__context__, BrokenPipeError):
                raise
            # whoever read us has seen enough; closing must not complain either
            _give_up_stdout()
            return PIPE_CLOSED
        except BaseException as error:  # noqa: BLE001 - the boundary: nothing leaves it as a trace
            failure = failure_of(error)
            tell(failure, arguments)
            return failure.code
        if code == INTERRUPTED:
            tell(INTERRUPTION, arguments)
        return code if isinstance(code, int) else 0


app = typer.Typer(
    name=NAME,
    cls=Commands,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # its help takes twice as long to print, and says the same
    context_settings=CONTEXT,
    invoke_without_command=True,
    help="Long-term memory of a person for an assistant. Everything a person said is sealed with that person's own key.",
)


def _version(asked: bool) -> None:  # noqa: FBT001 - the shape of an option's callback
    if asked:
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

        try:
            typer.echo(f"{NAME} {version(NAME)}")
        except PackageNotFoundError:
            typer.echo(f"{NAME} (not installed, run from its folder)")
        raise typer.Exit


@app.callback()
def everywhere(
    context: typer.Context,
    *,
    home: Annotated[
        Path | None, typer.Option("--home", metavar="PATH", help="Where the memory lives; also after the command.")
    ] = None,
    version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_version, help="The version.")] = False,
) -> None:
    """Long-term memory of a person for an assistant."""
    del home, version
    # what the library has to say to people, commands say themselves
    logging.getLogger("memory_lib").addHandler(logging.NullHandler())
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command("demo")(demo.demo)
app.command("import")(import_.import_)
app.command("ask")(ask.ask)
app.command("show")(show.show)
app.command("graph")(graph.graph)
app.command("correct")(correct.correct)
app.command("why")(why.why)
app.command("quarantine")(quarantine.quarantine)
app.command("reembed")(reembed.reembed)
app.command("rebuild")(rebuild.rebuild)
app.command("move")(move.move)
app.command("rotate-keys")(rotate_keys.rotate_keys)
app.command("reseal")(reseal.reseal)
app.command("passphrase")(passphrase.passphrase)
app.command("erase")(erase.erase)
app.command("export")(export.export)
app.command("import-user")(import_user.import_user)
app.command("restore")(restore.restore)
app.command("disclose")(disclose.disclose)
app.command("peek")(peek.peek)
app.command("forget")(forget.forget)
app.command("reset")(reset.reset)
app.command("undo")(undo.undo)
app.add_typer(eval_.app, name="eval")
app.command("doctor")(doctor.doctor)


def run() -> None:
    """The console script's entry."""
    signal.signal(signal.SIGTERM, _terminated)
    app()


def _terminated(_number: int, _frame: object) -> None:
    raise Terminated


def _give_up_stdout() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):  # a stream in memory has no descriptor, and nothing that complains
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    run()
