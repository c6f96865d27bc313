"""Opens an export of any supported format as a stream of messages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from memory_lib.adapters.importers.byte_source import ByteMeter, ByteSource, Progress
from memory_lib.adapters.importers.chatgpt import read_chatgpt
from memory_lib.adapters.importers.detect import EXPECTED, ExportFormat, Sniffed, export_files, sniff
from memory_lib.adapters.importers.jsonl import read_jsonl
from memory_lib.adapters.importers.limits import IMPORT_LIMITS, ImportLimits
from memory_lib.adapters.importers.locomo import read_locomo
from memory_lib.adapters.importers.longmemeval import read_longmemeval
from memory_lib.adapters.importers.report import ImportReport, Note, SkipReason
from memory_lib.adapters.importers.telegram import read_telegram
from memory_lib.domain.bad_record import BadRecord
from memory_lib.domain.message import SourceMessage
from memory_lib.errors import UnknownSetting, UnknownUser, UnreadableFile

AUTO = "auto"


def read_export(
    path: Path,
    *,
    format: str = AUTO,  # noqa: A002 (the name of the command line option)
    user: str | None = None,
    me: str | None = None,
    report: ImportReport | None = None,
    on_progress: Progress | None = None,
    first_person_only: bool = False,
    limits: ImportLimits = IMPORT_LIMITS,
) -> Iterator[SourceMessage | BadRecord]:
    """The messages of an export, streamed; a record that cannot be read comes as a ``BadRecord`` in its place.

    ``format``: "auto" or a value of ``ExportFormat``. ``user``: the external name of the person (jsonl: of records that name
    none; locomo: keeps one person, "<sample_id>:<speaker>"; the others: the person the export belongs to). ``me``: the author's
    id or name in a Telegram export. ``first_person_only``: LoCoMo without each second person's copy. ``report`` is added to
    while the iterator is taken. ``on_progress(done, total)``: bytes, over all files and passes.

    All that can refuse a file happens in this call, before a message is handed out; files stay open while the iterator lives.

    Raises:
        UnreadableFile: missing, empty, not what it claims, or broken before its first whole record.
        AmbiguousOwner: a Telegram export that does not say who the user is.
        UnknownUser: ``user`` names nobody of a LoCoMo file.
        UnknownSetting: no such format.
    """
    wanted = _format(format)
    files = [(file, sniff(file, limits=limits)) for file in _chosen(path)]
    report = report if report is not None else ImportReport()
    found = _agreed(files, wanted, report)
    kind = found[0][1].format
    if kind is ExportFormat.JSONL and user is None and not found[0][1].names_user:
        raise UnreadableFile("the records of this file lack the field 'user'; add it, or say whose they are with --user")
    report.format = str(kind)
    total = sum(file.stat().st_size for file, _ in found)
    meter = ByteMeter(on_progress, total * (2 if kind is ExportFormat.TELEGRAM else 1))
    items = _items(found, user=user, me=me, report=report, meter=meter, first_person_only=first_person_only, limits=limits)
    opening = _opening(items, report)
    if user is not None and kind is ExportFormat.LOCOMO and not any(isinstance(item, SourceMessage) for item in opening):
        raise UnknownUser("nobody in this file is the one given by --user; people are named <sample_id>:<speaker>")
    return _counted(chain(opening, items), report, meter)


def _format(name: str) -> ExportFormat | None:
    if name == AUTO:
        return None
    try:
        return ExportFormat(name)
    except ValueError:
        raise UnknownSetting(f"there is no format of that name; use {AUTO}, {', '.join(ExportFormat)}") from None


def _chosen(path: Path) -> list[Path]:
    """A folder that is an unpacked export stands for the export's own file in it."""
    if path.is_dir():
        for name in ("conversations.json", "result.json"):
            if (path / name).is_file():
                return [path / name]
    files = export_files(path)
    if not files:
        raise UnreadableFile("the folder holds no .json or .jsonl file; give the export file")
    return files


_Found = list[tuple[Path, Sniffed]]


def _agreed(files: _Found, wanted: ExportFormat | None, report: ImportReport) -> _Found:
    """The files to read: one, or the LongMemEval files of a folder (haystacks first, where turns stand among neighbours)."""
    if len(files) == 1:
        sniffed = files[0][1]
        if sniffed.format is None:
            wish = f"; {wanted} is {EXPECTED[wanted]}" if wanted is not None else ""
            raise UnreadableFile(f"{sniffed.reason}{wish}")
        if wanted not in {None, sniffed.format}:
            raise UnreadableFile(f"the file is {sniffed.format}, not {wanted}; give --format {sniffed.format} or none")
        return files
    if wanted not in {None, ExportFormat.LONGMEMEVAL}:
        raise UnreadableFile("the path given is a folder of several files; give one export file")
    pool = [(file, sniffed) for file, sniffed in files if sniffed.format is ExportFormat.LONGMEMEVAL]
    if not pool:
        raise UnreadableFile("no file of the folder is a LongMemEval file; give one export file")
    report.skip(SkipReason.FOREIGN_FILE, len(files) - len(pool))
    return sorted(pool, key=lambda entry: entry[1].by_line)


def _items(
    found: _Found,
    *,
    user: str | None,
    me: str | None,
    report: ImportReport,
    meter: ByteMeter,
    first_person_only: bool,
    limits: ImportLimits,
) -> Iterator[SourceMessage | BadRecord]:
    seen: set[str] = set()
    for number, (file, sniffed) in enumerate(found, start=1):
        with ByteSource(file, limits=limits, meter=meter) as source:
            match sniffed.format:
                case ExportFormat.JSONL:
                    yield from read_jsonl(source, user=user)
                case ExportFormat.LOCOMO:
                    yield from read_locomo(source, user=user, first_person_only=first_person_only, report=report, limits=limits)
                case ExportFormat.LONGMEMEVAL:
                    yield from read_longmemeval(
                        source,
                        by_line=sniffed.by_line,
                        user=user,
                        seen=seen,
                        prefix=f"file {number}, " if len(found) > 1 else "",
                        report=report,
                        limits=limits,
                    )
                case ExportFormat.CHATGPT:
                    yield from read_chatgpt(source, user=user, report=report, limits=limits)
                case ExportFormat.TELEGRAM:
                    yield from read_telegram(source, user=user, me=me, report=report, limits=limits)
                case None:
                    raise UnreadableFile(sniffed.reason)


def _opening(items: Iterator[SourceMessage | BadRecord], report: ImportReport) -> list[SourceMessage | BadRecord]:
    """Up to the first message, so that a file without one whole record is refused and not half-imported."""
    opening: list[SourceMessage | BadRecord] = []
    for item in items:
        opening.append(item)
        if isinstance(item, SourceMessage):
            return opening
    if report.notes[Note.BROKEN_OFF]:
        raise UnreadableFile("the file ends or stops being JSON before its first whole record; export or copy it again")
    return opening


def _counted(
    items: Iterator[SourceMessage | BadRecord], report: ImportReport, meter: ByteMeter
) -> Iterator[SourceMessage | BadRecord]:
    for item in items:
        if isinstance(item, BadRecord):
            report.bad += 1
        else:
            report.kept += 1
        yield item
    meter.finish()
