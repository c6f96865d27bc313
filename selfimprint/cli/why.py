"""``selfimprint why``: from a memory back to the words it rests on, and from a message to what rests on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from memory_lib.errors import InvalidInput
from selfimprint.cli.correct import whole_id
from selfimprint.cli.options import HomeOption, JsonOption, UserOption, opened
from selfimprint.cli.output import Screen, counted, one_line
from selfimprint.cli.show import SHOWN_ID, marks

ROLES = {
    "contradicts": "speaks against",
    "contradicted_by": "spoken against by",
    "supports": "supports",
    "supported_by": "supported by",
    "caused_by": "because of",
    "causes": "the cause of",
    "followed_by": "then",
    "follows": "after",
    "associated_with": "goes with",
}


def why(
    context: typer.Context,
    *,
    node: Annotated[
        str | None, typer.Argument(metavar="NODE", help="The memory's id, or its first 6 characters or more.")
    ] = None,
    user: UserOption,
    message: Annotated[
        str | None, typer.Option("--message", metavar="ID", help="Instead of NODE: what rests on this message.")
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell why something is remembered.

    The words it rests on, the message and unit they were read in, what was decided, and what speaks for and against it.
    """
    if (node is None) is (message is None):
        raise InvalidInput("say what to explain: a memory's id, or --message ID")
    screen = Screen(as_json)
    with opened(context, home, reading=True) as memory:
        if node is not None:
            told = memory.why(user, node=whole_id(memory, user, node))
        else:
            told = memory.why(user, message=(message or "").strip().lower())
    if as_json:
        screen.give(told)
    elif node is not None:
        _tell_node(told, screen)
    else:
        _tell_message(told, screen)


def _tell_node(told: Mapping[str, Any], screen: Screen) -> None:
    node = told["node"]
    state = ", ".join(marks(node)) or "stable"
    screen.heading(one_line(node["content"]), strong=True)
    screen.line(f"{node['type'].replace('_', ' ')}, {state}, confidence {node['confidence']:.2f}, id {node['id']}", "dim")
    screen.heading("Said")
    for step in told["chain"]:
        _tell_mention(step["message"], step["mention"], screen)
        screen.line(f"unit {(step['unit'] or '?')[:SHOWN_ID]}, read by {step['mention']['reasoner']}", "dim", indent=2)
    if told["closed_by"] is not None:
        screen.line(f"No longer so since the message of {told['closed_by'].get('time', '?')[:16]}.")
    for role, linked in told["links"].items():
        screen.heading(ROLES[role].capitalize())
        for other in linked:
            screen.line(f"{one_line(other['content'])} ({other['node'][:SHOWN_ID]})", hang=2)
    if told["actions"]:
        screen.heading("Decided")
        for action in told["actions"]:
            screen.line(_decision(action), hang=2)
    if told["acts"]:
        screen.heading("Done by hand or in passing")
        for act in told["acts"]:
            screen.line(f"{act['recorded_at'][:16]} {act['kind']}", hang=2)


def _tell_message(told: Mapping[str, Any], screen: Screen) -> None:
    message = told["message"]
    screen.heading(f"{message['time'][:16]}, {message['role']}", strong=True)
    screen.line(message["text"])
    screen.line(f"message {message['id']}, unit {(told['unit'] or '?')[:SHOWN_ID]}", "dim")
    screen.heading("Rests on it")
    for mention in told["mentions"]:
        node = mention["node"]
        screen.line(
            f"{_quoted(mention)} → {one_line(node['content'])} ({node['type'].replace('_', ' ')}, {node['id'][:SHOWN_ID]})",
            hang=2,
        )
    if not told["mentions"]:
        screen.line("Nothing.", "dim")
    if told["edges"]:
        screen.line(f"{counted(len(told['edges']), 'link')} between memories.")
    if told["residuals"]:
        screen.heading("Left over")
        for left in told["residuals"]:
            screen.line(f"{_quoted(left)}: {left['reason'].replace('_', ' ')}", hang=2)


def _tell_mention(message: Mapping[str, Any], mention: Mapping[str, Any], screen: Screen) -> None:
    gone = ", no longer in the message" if mention["kind"] == "stale" else ""
    screen.line(f"{message.get('time', '?')[:16]} {_quoted(mention)}{gone}", hang=2)
    place = f"message {message['id']}, characters {mention['start']} to {mention['end']}"
    weighed = "made it" if mention["kind"] == "created" else "counted" if mention["weighed"] else "did not count"
    screen.line(f"{place}, {weighed}", "dim", indent=2)


def _quoted(mention: Mapping[str, Any]) -> str:
    return f"“{one_line(mention['quote'])}”" if mention["quote"] else "(words not kept)"


def _decision(action: Mapping[str, Any]) -> str:
    by = f" ({action['reasoner']}, {action['version']})" if action["reasoner"] else ""
    return f"{action['recorded_at'][:16]} {action['action'].replace('_', ' ')}: {action['reason']}{by}"
