"""Writes an export to a file and reads it back through the public door."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from memory_lib.adapters.importers import BadRecord, ImportReport, read_export
from memory_lib.domain.message import SourceMessage


@dataclass(frozen=True)
class Taken:
    messages: list[SourceMessage]
    bad: list[BadRecord]
    report: ImportReport

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.messages]


@pytest.fixture
def take(tmp_path: Path) -> Callable[..., Taken]:
    """``take(content, name="export.json", **options)``: content is bytes, or a value written as JSON."""

    def _take(content: object, *, name: str = "export.json", **options) -> Taken:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        report = ImportReport()
        items = list(read_export(path, report=report, **options))
        messages = [item for item in items if isinstance(item, SourceMessage)]
        bad = [item for item in items if isinstance(item, BadRecord)]
        assert (report.kept, report.bad) == (len(messages), len(bad))
        return Taken(messages, bad, report)

    return _take
