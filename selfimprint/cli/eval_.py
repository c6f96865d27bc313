"""``selfimprint eval``: what recall finds on published dialogue, and how well memories are formed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from memory_lib.errors import InvalidInput, UnreadableFile
from selfimprint.cli.options import HomeOption, SetOption, assignments, home_of, opened
from selfimprint.cli.output import Screen, counted, json_text

app = typer.Typer(help="Measure on published data.", invoke_without_command=True)

STDOUT = "-"


@app.callback()
def eval_(context: typer.Context) -> None:
    """Measure on published data."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("retrieval")
def retrieval(
    context: typer.Context,
    *,
    data: Annotated[str, typer.Option("--data", metavar="locomo:PATH|longmemeval:PATH", help="The data set, and where it is.")],
    k: Annotated[int, typer.Option("--k", metavar="N", min=1, help="Turns counted.")] = 10,
    out: Annotated[
        str | None, typer.Option("--json", metavar="OUT", help="Write the report there; - is standard output.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N people (LoCoMo).")] = None,
    settings: SetOption = None,
    home: HomeOption = None,
) -> None:
    """Share of evidence among the first k turns.

    Imports the data through the product's own path, into a home of its own unless --home names one, and asks every question;
    BM25 beside it in the same run.
    """
    from dataclasses import replace  # noqa: PLC0415 - see opened()

    from memory_lib.evaluation.datasets import read_retrieval_data  # noqa: PLC0415
    from memory_lib.evaluation.product import RETRIEVAL, ask_memory, import_data, limited  # noqa: PLC0415
    from memory_lib.evaluation.retrieval import evaluate_retrieval  # noqa: PLC0415
    from memory_lib.policies.stems import Stemmer  # noqa: PLC0415

    screen = Screen(out == STDOUT)
    if out not in {None, STDOUT} and not os.access(Path(str(out)).parent, os.W_OK | os.X_OK):
        raise InvalidInput("the folder of the file given by --json is not there or cannot be written; name another file")
    found = limited(read_retrieval_data(data), people=limit)
    if not found.questions:
        raise UnreadableFile("the data hold no question whose evidence is among their turns; give another file")
    given = assignments(settings)
    chosen = {"recalled_turns": str(max(50, k)), **found.settings, **given}
    with (
        _place(home_of(context, home)) as place,
        opened(context, place, settings=[f"{name}={value}" for name, value in chosen.items()]) as memory,
        screen.working() as work,
    ):
        people = import_data(memory, found, Path(data.partition(":")[2]).expanduser())
        messages = sum(memory.bench.people.person(user).messages for user in people)
        stages = {"extract": ("reading", "messages", messages), "form": ("forming memories", "units", None)}

        def progress(step: str, count: int) -> None:
            name, unit, total = stages.get(step, (step, "pieces", None))
            work.advance(name, count, unit=unit, total=total)

        memory.run("ingest", people, progress=progress)
        ask = ask_memory(memory, found)
        report = evaluate_retrieval(
            found,
            ask,
            stemmer=Stemmer(memory.settings.stems),
            params=replace(RETRIEVAL[found.dataset], k=k),
            config={"set": {**found.settings, **given}, "embedder": memory.bench.embedder.fingerprint, "limit": limit},
            on_progress=lambda _done, total: work.advance("asking", 1, unit="questions", total=total),
        )
        report["config"] = {**_mapping(report["config"]), "degraded": ask.degraded}
    _give(report, out, screen, k=k)


@app.command("formation")
def formation(
    context: typer.Context,
    *,
    data: Annotated[Path, typer.Option("--data", metavar="DIR", help="Folder of the data sets, a folder each.")],
    part: Annotated[
        list[str] | None, typer.Option("--part", metavar="NAME", help="Only this part; may be given again. All by default.")
    ] = None,
    every: Annotated[
        int, typer.Option("--every", metavar="N", min=1, help="Measure one of N DailyDialog dialogues; 1 is all, and slow.")
    ] = 2,
    out: Annotated[
        str | None, typer.Option("--json", metavar="OUT", help="Write the report there; - is standard output.")
    ] = None,
    settings: SetOption = None,
) -> None:
    """Parts of formation against published and own labels, beside what the study of the offline reasoner reached.

    Opens no home and writes nothing but the report. Some ten minutes on two slow cores, nearly all of it embedding.
    """
    from memory_lib.bootstrap import models  # noqa: PLC0415 - see opened()
    from memory_lib.evaluation.formation import PARTS, evaluate_formation  # noqa: PLC0415
    from memory_lib.evaluation.formation_tools import formation_tools  # noqa: PLC0415
    from memory_lib.settings import Settings  # noqa: PLC0415

    screen = Screen(out == STDOUT)
    if out not in {None, STDOUT} and not os.access(Path(str(out)).parent, os.W_OK | os.X_OK):
        raise InvalidInput("the folder of the file given by --json is not there or cannot be written; name another file")
    if not data.expanduser().is_dir():
        raise UnreadableFile("nothing is at the path given by --data; give the folder that holds the data sets")
    for name in part or ():
        if name not in PARTS:
            raise InvalidInput(f"--part takes one of: {', '.join(PARTS)}")
    given = assignments(settings)
    chosen = Settings.load(home=home_of(context, None), overrides=given)
    embedder, parser = models(chosen)
    tools = formation_tools(embedder=embedder, parser=parser, mentions=chosen.mentions, detectors=chosen.detectors, every=every)
    with screen.working() as work:
        report = evaluate_formation(
            data.expanduser(),
            tools=tools,
            parts=part or (),
            config={
                "set": given,
                "embedder": embedder.fingerprint,
                "parser": parser.version,
                "heads": tools.heads.version,
                "every": every,
            },
            on_part=lambda name: work.advance(name, 1, unit="parts", total=1),
        )
    if not report["figures"]:
        raise UnreadableFile("the folder given by --data holds none of the data sets; see docs/evaluation.md for their names")
    _write(report, out, screen, _tell_figures)


def _tell_figures(report: Mapping[str, Any], screen: Screen) -> None:
    from rich.table import Table  # noqa: PLC0415 - only for people

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    table.add_column("")
    for name in ("measured", "n", "95 % interval", "offline study", "asked", ""):
        table.add_column(name, justify="right")
    for key, figure in report["figures"].items():
        bound = "\u2264 " if figure["at_most"] else "\u2265 "
        holds = figure["holds"]
        table.add_row(
            key,
            "-" if figure["measured"] is None else f"{figure['measured']:.3f}",
            f"{figure['n']:,}",
            "" if figure["ci"] is None else f"{figure['ci'][0]:.3f} to {figure['ci'][1]:.3f}",
            "" if figure["offline"] is None else f"{figure['offline']:.3f}",
            "" if figure["asked"] is None else f"{bound}{figure['asked']:.3f}",
            "" if holds is None else "holds" if holds else "short",
            style="yellow" if holds is False else "",
        )
    screen.show(table)


@contextmanager
def _place(home: Path | None) -> Iterator[Path]:
    """The home that was named, or one that is gone afterwards."""
    if home is not None:
        yield home
        return
    with tempfile.TemporaryDirectory(prefix="selfimprint-eval-") as folder:
        yield Path(folder) / "home"


def _give(report: Mapping[str, Any], out: str | None, screen: Screen, *, k: int) -> None:
    _write(report, out, screen, lambda told, on: _tell(told, on, k=k))


def _write(
    report: Mapping[str, Any], out: str | None, screen: Screen, tell: Callable[[Mapping[str, Any], Screen], None]
) -> None:
    if out == STDOUT:
        screen.give(report)
        return
    if out is not None:
        try:
            Path(out).write_text(json_text(report, "utf-8") + "\n", encoding="utf-8")
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise InvalidInput(f"the report cannot be written to the file given by --json ({reason}); name another") from None
    tell(report, screen)


def _tell(report: Mapping[str, Any], screen: Screen, *, k: int) -> None:
    from rich.table import Table  # noqa: PLC0415 - only for people

    config = report["config"]
    screen.heading(
        f"{config['dataset']}: {counted(config['questions'], 'question')}, {counted(config['turns'], 'turn')}", strong=True
    )
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    table.add_column("")
    for name in ("questions", f"recall@{k}", "95 % interval", f"all@{k}", "handed over", "BM25"):
        table.add_column(name, justify="right")
    rows: list[tuple[str, Mapping[str, Any], int, Any]] = [
        (name, row, row["questions"], row["bm25"]) for name, row in report["by_category"].items()
    ]
    rows.append(("all", report, config["questions"], report["bm25"][f"recall@{k}"]))
    for name, row, questions, baseline in rows:
        interval = "" if row["ci"] is None else f"{row['ci'][0]:.3f} to {row['ci'][1]:.3f}"
        table.add_row(
            name,
            f"{questions:,}",
            f"{row[f'recall@{k}']:.3f}",
            interval,
            f"{row[f'all@{k}']:.3f}",
            f"{row['handed_over']:.3f}",
            f"{baseline:.3f}",
            style="bold" if name == "all" else "",
        )
    screen.show(table)
    screen.line(f"milliseconds a question: {report['ms']['p50']} (p50), {report['ms']['p99']} (p99)", "dim")
    for name, count in config["degraded"].items():
        screen.line(f"Degraded in {counted(count, 'answer')}: {name}", "yellow")


def _mapping(value: object) -> Mapping[str, Any]:
    assert isinstance(value, Mapping)
    return value
