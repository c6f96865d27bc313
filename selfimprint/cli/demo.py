"""``selfimprint demo``: the whole thing on bundled dialogue, or on a file of yours (what ``make run`` runs)."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memory_lib.reasoning.prose.reply_language import language_of
from selfimprint.cli.import_ import TakenIn, file_dict, take_in, tell_formed, tell_taken
from selfimprint.cli.ingest import Ingested, ingest
from selfimprint.cli.options import LAST, HomeOption, JsonOption, NoFlowOption, OutOption, SetOption, opened
from selfimprint.cli.output import Screen, counted, one_line
from selfimprint.cli.picture_files import write_pictures

if TYPE_CHECKING:
    from memory_lib.bootstrap import Memory
    from memory_lib.domain.ids import UserId
    from memory_lib.domain.recall import Context

BUNDLED = ("dialogue_ru.jsonl", "dialogue_en.jsonl")
PEOPLE_ASKED = 3
PEOPLE_DRAWN = 10
DATASET_QUESTIONS = 3


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A new message of a person. ``as_of``: as on that day, when nothing later had been said."""

    user: str
    text: str
    as_of: datetime | None = None


AHEAD = {
    message.user: message
    for message in (
        NewMessage("anya", "Завтра важный день. Что мне не забыть?", datetime.fromisoformat("2026-05-13T22:00:00+03:00")),
        NewMessage(
            "daniel", "Big day tomorrow. What should I keep in mind?", datetime.fromisoformat("2026-05-12T21:00:00+01:00")
        ),
    )
}
"""The bundled interviews while they are still ahead: the evening before."""

GENERIC = {
    "ru": ("Что ты помнишь обо мне?", "Что у меня сейчас не решено?"),
    "en": ("What do you remember about me?", "What have I not decided yet?"),
}


def demo(
    context: typer.Context,
    *,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="PATH", help="Dialogue of your own, in any format of import.")
    ] = None,
    out: OutOption = Path("out"),
    no_flow: NoFlowOption = False,
    settings: SetOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run the whole thing on dialogue of two people.

    Imports, forms memories, prints what an assistant would be told for new messages and what it rests on, draws the graphs.
    """
    screen = Screen(as_json)
    with opened(context, home, settings=settings) as memory:
        taken = [take_in(memory, file, screen=screen) for file in _dialogue(data)]
        people = list(dict.fromkeys(user for each in taken for user in each.imported.people))
        formed = ingest(memory, people, flow=not no_flow, new=sum(each.new for each in taken), screen=screen)
        if not as_json:
            _tell_start(memory, taken, formed, screen)
        answers = [_answer(memory, message, screen) for message in _messages(memory, people, taken, data=data)]
        shown = {user: memory.show(memory.bench.people.external(user), now=LAST) for user in people[:PEOPLE_DRAWN]}
        pictures = [path for user, graph in shown.items() for path in write_pictures(graph, out, ident=user)]
        commands = _commands(memory, list(shown.values()))
        if as_json:
            screen.give(
                {
                    "changed": formed.changed or any(each.new for each in taken),
                    "imported": [file_dict(memory, each) for each in taken],
                    "formed": formed.as_dict(),
                    "answers": answers,
                    "pictures": [str(path) for path in pictures],
                    "next": commands,
                }
            )
        else:
            _tell_end(pictures, len(people), commands, screen)


def _dialogue(data: Path | None) -> Iterator[Path]:
    if data is not None:
        yield data
        return
    for name in BUNDLED:
        with as_file(files("selfimprint").joinpath("demo", name)) as path:
            yield path


def _messages(memory: Memory, people: Sequence[UserId], taken: Sequence[TakenIn], *, data: Path | None) -> Iterator[NewMessage]:
    """What each person says next."""
    if data is None:
        for asked in json.loads(files("selfimprint").joinpath("demo", "questions.json").read_text(encoding="utf-8")):
            if asked["about"] == "interview" and asked["user"] in AHEAD:
                yield AHEAD[asked["user"]]
            yield NewMessage(asked["user"], asked["text"])
        return
    if taken[0].report.format == "locomo":
        yield from _dataset_questions(data)
        return
    for user in people[:PEOPLE_ASKED]:
        name = memory.bench.people.external(user)
        contents = " ".join(node["content"] for node in memory.show(name, now=LAST)["nodes"][:50])
        for text in GENERIC[language_of(contents)]:
            yield NewMessage(name, text)


def _dataset_questions(data: Path) -> Iterator[NewMessage]:
    from memory_lib.evaluation.datasets import read_retrieval_data  # noqa: PLC0415 - only for this data set

    asked: dict[str, int] = {}
    for question in read_retrieval_data(f"locomo:{data}").questions:
        if question.user not in asked and len(asked) == PEOPLE_ASKED:
            return
        asked[question.user] = asked.get(question.user, 0) + 1
        if asked[question.user] <= DATASET_QUESTIONS:
            yield NewMessage(question.user, question.text)


def _answer(memory: Memory, message: NewMessage, screen: Screen) -> dict[str, Any]:
    found = memory.ask(message.user, message.text, now=LAST, as_of=message.as_of)
    at = message.as_of or memory.instant(memory.user_id(message.user), LAST)
    if screen.as_json:
        from memory_lib.domain.shapes import context_shape  # noqa: PLC0415 - see opened()

        return {"user": message.user, "text": message.text, "now": at.isoformat(), "context": context_shape(found)}
    _tell_answer(message, found, at, memory.settings.compose.budget, screen)
    return {}


def _tell_answer(message: NewMessage, found: Context, at: datetime, budget: int, screen: Screen) -> None:
    from memory_lib.reasoning.prose.prose_dates import moment  # noqa: PLC0415 - see opened()
    from selfimprint.cli.context_page import tell_context  # noqa: PLC0415

    screen.heading(f"{one_line(message.user)}, {moment(at, language=language_of(message.text))}", strong=True)
    screen.line(f"> {one_line(message.text)}", "bold green")
    tell_context(found, budget=budget, screen=screen)


def _tell_start(memory: Memory, taken: Sequence[TakenIn], formed: Ingested, screen: Screen) -> None:
    screen.heading(f"Memory in {_near(memory.settings.home)}", strong=True)
    for each in taken:
        tell_taken(memory, each, screen)
    tell_formed(formed, screen)


def _tell_end(pictures: Sequence[Path], people: int, commands: Sequence[str], screen: Screen) -> None:
    screen.heading("Pictures", strong=True)
    for picture, page in zip(pictures[::2], pictures[1::2], strict=True):
        screen.line(f"{picture}   {page} (opens offline)")
    if people > len(pictures) // 2:
        screen.line(
            f"and {counted(people - len(pictures) // 2, 'more person', 'more people')}: selfimprint graph --user USER", "dim"
        )
    screen.heading("What to try next", strong=True)
    for command in commands:
        # on one line each, to be copied
        screen.line(command, wrap=False)


def _commands(memory: Memory, shown: Sequence[dict[str, Any]]) -> list[str]:
    """Three real commands for this home and these people."""
    program = ".venv/bin/selfimprint" if Path(".venv/bin/selfimprint").exists() else "selfimprint"
    where = _home_option(memory.settings.home)
    person: dict[str, Any] = max(shown, key=lambda graph: len(graph["nodes"]), default={"user": "USER", "nodes": []})
    user = shlex.quote(person["user"])
    strongest = max(
        person["nodes"], key=lambda node: (not node["is_pinned"], node["weight"]), default={"id": "NODE", "content": ""}
    )
    question: str = "Чем я сейчас занята?" if person["user"] == "anya" else GENERIC[language_of(str(strongest["content"]))][0]
    return [
        f"{program} ask --user {user} {shlex.quote(question)} --now last --explain{where}",
        f"{program} show --user {user} --live --now last{where}",
        f"{program} correct --user {user} {strongest['id'][:8]} --pin{where}",
    ]


def _home_option(home: Path) -> str:
    """What finds this home again in a shell where nothing is set."""
    ordinary = Path("~/.local/share/selfimprint").expanduser()
    return "" if home == ordinary else f" --home {shlex.quote(_near(home))}"


def _near(path: Path) -> str:
    """As short as it can be said from here."""
    whole = path.absolute()
    return os.path.relpath(whole) if whole.is_relative_to(Path.cwd()) else str(whole)
