"""How much of a file an importer holds at once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportLimits:
    """Bytes, except ``sniffed_lines`` and ``turn_seconds``."""

    chunk_bytes: int
    record_bytes: int
    kept_of_oversized: int
    sniffed_bytes: int
    sniffed_lines: int
    turn_seconds: int


IMPORT_LIMITS = ImportLimits(
    chunk_bytes=1 << 20,  # progress moves every MiB; larger chunks were not faster
    record_bytes=16 << 20,  # one record as UCS-4 text, its bytes and its values stay under 300 MB (the memory promise)
    kept_of_oversized=1 << 16,  # enough to recognise the record in the quarantine
    sniffed_bytes=8 << 20,  # a LoCoMo sample begins with up to 0.2 MB of questions, a LongMemEval record has 0.5–5 MB
    sniffed_lines=20,  # a file whose first 20 lines are all wrong is not what it claims
    turn_seconds=20,  # LoCoMo and LongMemEval date sessions only; 47 turns (the longest seen) then take 16 minutes
)
