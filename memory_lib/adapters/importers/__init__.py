"""Exports of other programs, and the project's own JSONL, as streams of ``SourceMessage`` (docs/import-formats.md)."""

from memory_lib.adapters.importers.byte_source import Progress
from memory_lib.adapters.importers.detect import ExportFormat, detect_format
from memory_lib.adapters.importers.limits import IMPORT_LIMITS, ImportLimits
from memory_lib.adapters.importers.locomo import locomo_user
from memory_lib.adapters.importers.longmemeval import LONGMEMEVAL_CONVERSATION, LONGMEMEVAL_USER, longmemeval_turn_id
from memory_lib.adapters.importers.open_export import read_export
from memory_lib.adapters.importers.report import ImportReport, Note, SkipReason
from memory_lib.domain.bad_record import BadRecord

__all__ = [
    "IMPORT_LIMITS",
    "LONGMEMEVAL_CONVERSATION",
    "LONGMEMEVAL_USER",
    "BadRecord",
    "ExportFormat",
    "ImportLimits",
    "ImportReport",
    "Note",
    "Progress",
    "SkipReason",
    "detect_format",
    "locomo_user",
    "longmemeval_turn_id",
    "read_export",
]
