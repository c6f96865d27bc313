"""Form one person's graph from what is staged, in event order (DESIGN §5, ingest; CONTRACTS, Time and weight; Writing).

The usual case carries the stored graph forward by the units that are new, a few a transaction, each under its own write key.
Where a message turns up that is older than what was formed last, the person is formed again from the first unit, in memory,
from staging (no reasoner, no model), and the difference is written as one pass of kind ``replay``. Both ways end in the same
graph, and so does ``Former.rebuild``.
"""

from __future__ import annotations

from memory_lib.usecases.form_person.former import Former
from memory_lib.usecases.form_person.results import Forgot, Formed, FormParams, Rebuilt

__all__ = ["Forgot", "FormParams", "Formed", "Former", "Rebuilt"]
