"""Tells by a file's beginning which export it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from memory_lib.adapters.importers.byte_source import ByteSource
from memory_lib.adapters.importers.json_pieces import BrokenText, pieces
from memory_lib.adapters.importers.json_pieces import Path as JsonPath
from memory_lib.adapters.importers.json_value import NotJson, decode
from memory_lib.adapters.importers.jsonl import REQUIRED
from memory_lib.adapters.importers.limits import IMPORT_LIMITS, ImportLimits
from memory_lib.errors import UnreadableFile


class ExportFormat(StrEnum):
    """The formats that can be imported."""

    JSONL = "jsonl"
    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"
    CHATGPT = "chatgpt"
    TELEGRAM = "telegram"


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What a file's beginning shows. ``format`` None: none of ours, for the ``reason`` given.

    ``by_line``: one record a line. ``names_user``: some JSONL record looked at has the field ``user``.
    """

    format: ExportFormat | None
    reason: str = ""
    by_line: bool = False
    names_user: bool = False


EXPECTED = {
    ExportFormat.JSONL: "one JSON object a line with conversation, id, role, text, time and (or with --user) user",
    ExportFormat.LOCOMO: "a JSON array of samples with sample_id and conversation",
    ExportFormat.LONGMEMEVAL: "records with question_id and evidence_sessions or haystack_sessions",
    ExportFormat.CHATGPT: "a JSON array of conversations with mapping (conversations.json)",
    ExportFormat.TELEGRAM: "a JSON object with messages or chats (result.json)",
}


def detect_format(path: Path, *, limits: ImportLimits = IMPORT_LIMITS) -> ExportFormat:
    """The format of a file, or of the files of a folder.

    Raises:
        UnreadableFile: missing, empty, or none of the formats.
    """
    found = [sniff(file, limits=limits) for file in export_files(path)]
    for sniffed in found:
        if sniffed.format is not None:
            return sniffed.format
    raise UnreadableFile(found[0].reason if found else "the folder holds no .json or .jsonl file; give the export file")


def export_files(path: Path) -> list[Path]:
    """The file itself, or a folder's ``.json`` and ``.jsonl`` files by name.

    Raises:
        UnreadableFile: the folder cannot be listed.
    """
    if not path.is_dir():
        return [path]
    try:
        return sorted(file for file in path.iterdir() if file.suffix.lower() in {".json", ".jsonl"} and file.is_file())
    except OSError:
        raise UnreadableFile("the folder given cannot be listed; check its permissions") from None


def sniff(path: Path, *, limits: ImportLimits = IMPORT_LIMITS) -> Sniffed:
    """Looks at the beginning of one file.

    Raises:
        UnreadableFile: missing, not readable, empty, or UTF-16.
    """
    with ByteSource(path, limits=limits) as source:
        head = source.chunk()
        blank = not head.strip()
        if blank and len(head) == source.size - source.start:
            raise UnreadableFile("the file is empty; export it again")
        first = head.lstrip()[:1]
        source.rewind()
        if first == b"[":
            return _sniff_array(source, limits)
        if first == b"{":
            return _sniff_objects(source, limits)
    return Sniffed(None, "the file is no JSON (it does not begin with { or [); give a JSON or JSONL export")


def _sniff_array(source: ByteSource, limits: ImportLimits) -> Sniffed:
    keys = _first_keys(source, limits, depth=1)
    if keys is None:
        return Sniffed(None, "the file is an empty or damaged JSON array, so there is nothing to import; export it again")
    if "mapping" in keys:
        return Sniffed(ExportFormat.CHATGPT)
    if keys & {"haystack_sessions", "evidence_sessions"}:
        return Sniffed(ExportFormat.LONGMEMEVAL)
    if {"conversation", "sample_id"} <= keys:
        return Sniffed(ExportFormat.LOCOMO)
    if keys >= REQUIRED:
        return Sniffed(None, "the file is a JSON array of messages; write one message a line instead, without the array")
    return Sniffed(None, "the file is a JSON array of records that no supported format has; see the documented formats")


def _sniff_objects(source: ByteSource, limits: ImportLimits) -> Sniffed:
    keys = _first_keys(source, limits, depth=0) or set()
    if keys & _TELEGRAM_KEYS and not keys >= REQUIRED:
        return Sniffed(ExportFormat.TELEGRAM)
    source.rewind()
    problem = ""
    best: Sniffed | None = None
    for line in source.lines():
        if line.cut or line.number > limits.sniffed_lines:
            break
        try:
            value = decode(line.raw)
        except NotJson as error:
            problem = problem or f"line {line.number}: {error.reason}"
            continue
        if not isinstance(value, dict):
            problem = problem or f"line {line.number}: must be a JSON object"
            continue
        kind = _kind_of_line(value)
        if kind is not None:
            names_user = "user" in value or (best is not None and best.names_user)
            best = Sniffed(kind, by_line=True, names_user=names_user)
        else:
            missing = ", ".join(sorted(REQUIRED - value.keys())) or "nothing"
            problem = problem or f"line {line.number}: lacks {missing}"
    if best is not None:
        return best
    return Sniffed(None, f"the file does not begin with a record of a supported format ({problem or 'no whole record'})")


_TELEGRAM_KEYS = frozenset({"messages", "chats", "left_chats", "personal_information"})


def _kind_of_line(value: Mapping[str, object]) -> ExportFormat | None:
    if value.keys() >= REQUIRED:
        return ExportFormat.JSONL
    return ExportFormat.LONGMEMEVAL if value.keys() & {"haystack_sessions", "evidence_sessions"} else None


def _first_keys(source: ByteSource, limits: ImportLimits, *, depth: int) -> set[str] | None:
    """The keys of the first object ``depth`` arrays down, as far as the first ``sniffed_bytes`` show them; None without one."""
    keys: set[str] = set()

    def enters(path: JsonPath) -> bool:
        if len(path) == depth + 1:
            keys.add(str(path[depth]))
        return len(path) <= depth

    try:
        for piece in pieces(source, enters=enters, limits=limits):
            if len(piece.path) == depth + 1 and isinstance(piece.path[depth], str):
                keys.add(str(piece.path[depth]))
            if len(piece.path) <= depth or piece.end > limits.sniffed_bytes:
                break
    except BrokenText:
        pass
    return keys or None
