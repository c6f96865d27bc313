"""The figures of stores beside what is asked of them, as a Markdown table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

COLUMNS: Mapping[str, str] = {
    "embedded": "files",
    "production": "servers",
    "neo4j": "Neo4j alone",
    "neo4j-5": "Neo4j 5 alone",
}
"""Parts of a report → heads of columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """``path``: where in each part of a report the figure stands, by keys and dots. ``most`` (or ``least``): what is asked, for
    all parts or by part. ``beside``: figures that are shown in brackets, by what they are called.
    """

    name: str
    path: str
    unit: str
    most: float | Mapping[str, float] | None = None
    least: float | None = None
    beside: Mapping[str, str] = field(default_factory=dict)

    def bound(self, part: str) -> float | None:
        """The most that is asked of this part, None where nothing is."""
        return self.most.get(part) if isinstance(self.most, Mapping) else self.most

    def asked(self) -> str:
        if self.least is not None:
            return f"≥ {self.least:g}"
        if self.most is None:
            return "–"
        bounds = sorted(set(self.most.values())) if isinstance(self.most, Mapping) else [self.most]
        return f"≤ {' / '.join(f'{bound:g}' for bound in bounds)} {self.unit}"


def _on_neo4j(most: float) -> Mapping[str, float]:
    """What is asked of the newer server, in an installation and alone."""
    return {"production": most, "neo4j": most}


_CPU = {"cpu": "cpu_s"}
_P95 = {"least": "least", "p95": "p95", "cpu": "cpu_p50"}

ROWS: tuple[Row, ...] = (
    Row(name="bulk load", path="place.s", unit="s", most=_on_neo4j(5.0), beside=_CPU),
    Row(name="whole person read", path="read.load.s", unit="s", most=_on_neo4j(0.5), beside=_CPU),
    Row(name="columns of a person read", path="read.index.s", unit="s", beside=_CPU),
    Row(
        name="top 20 and one step by the store's search, p50",
        path="search_ms.p50",
        unit="ms",
        most={"neo4j": 25.0},
        beside=_P95,
    ),
    Row(name="true neighbours of 20, 500 nodes among 20 others", path="true_of_20.least", unit="", least=20),
    Row(
        name="recall from the cache with the revision check, p50",
        path="recall.view_and_recall_ms.p50",
        unit="ms",
        most={"embedded": 3.0, "production": 5.0},
        beside=_P95,
    ),
    Row(name="the same with the person's name looked up, p50", path="recall.ask_ms.p50", unit="ms", beside=_P95),
    Row(name="the revision check alone, p50", path="recall.reads_ms.view.p50", unit="ms", beside=_P95),
    Row(name="first full recall of a warm person", path="first_recall.warm.s", unit="s", most=1.0, beside=_CPU),
    Row(name="first full recall of a cold person", path="first_recall.cold.s", unit="s", most=2.0, beside=_CPU),
    Row(name="warm person back in the store, 1,000 nodes", path="back.warm.s", unit="s", most=3.0, beside=_CPU),
    Row(name="cold person back in the store, 1,000 nodes", path="back.cold.s", unit="s", most=5.0, beside=_CPU),
    Row(name="warm files written and compared", path="files.warm.write_and_compare.s", unit="s", beside=_CPU),
    Row(name="warm files read", path="files.warm.read.s", unit="s", beside=_CPU),
    Row(name="cold files written and compared", path="files.cold.write_and_compare.s", unit="s", beside=_CPU),
    Row(name="cold files read", path="files.cold.read.s", unit="s", beside=_CPU),
    Row(name="size of a set of files", path="files.cold.mb", unit="MB"),
    Row(name="sealing, an envelope of 200 bytes", path="sealing.seal_us.p50", unit="µs", beside={"cpu": "cpu_p50"}),
    Row(name="opening one", path="sealing.open_us.p50", unit="µs", beside={"cpu": "cpu_p50"}),
    Row(name="a key that nobody holds opened", path="sealing.first_opened_ms.p50", unit="ms"),
    Row(name="a request claimed, p50", path="claims.claim_ms.p50", unit="ms", beside={"p95": "p95"}),
    Row(name="a write lease taken and given back, p50", path="claims.write_lease_ms.p50", unit="ms", beside={"p95": "p95"}),
    Row(name="key rotation without its grace", path="rotation.s", unit="s", beside=_CPU),
    Row(name="erasure of 5,000 rows", path="erase.s", unit="s", beside=_CPU),
)


def table(report: Mapping[str, Any]) -> str:
    """A row a figure, a column a part of the report that was measured; what misses what is asked is marked. ``×`` says how many
    times longer than alone the processor's time took at that moment.
    """
    parts = [part for part in COLUMNS if part in report]
    lines = [f"{COLUMNS[part]}: {_what(report[part])}" for part in parts]
    lines += [f"left out: {each['figures']} ({each['reason']}); to have it: {each['bring']}" for each in report["left_out"]]
    lines += [
        f"load before {report['load_before']}, after {report['load_after']}",
        "",
        "| | asked | " + " | ".join(COLUMNS[part] for part in parts) + " |",
        "|---|---|" + "---|" * len(parts),
    ]
    for row in ROWS:
        cells = [_cell(row, part, report[part]) for part in parts]
        if any(cells):
            lines.append(f"| {row.name} | {row.asked()} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def missed(report: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """(figure, part) of what is above or below what is asked."""
    return tuple(
        (row.name, part)
        for row in ROWS
        for part in COLUMNS
        if part in report and (value := found(report[part], row.path)) is not None and not holds(row, part, value)
    )


def holds(row: Row, part: str, value: float) -> bool:
    """Whether the figure keeps to what is asked of this part."""
    bound = row.bound(part)
    return (bound is None or value <= bound) and (row.least is None or value >= row.least)


def found(figures: Mapping[str, Any], path: str) -> Any:
    """What stands at a path of keys; None where nothing does."""
    at: Any = figures
    for key in path.split("."):
        if not isinstance(at, Mapping) or key not in at:
            return None
        at = at[key]
    return at


def _cell(row: Row, part: str, figures: Mapping[str, Any]) -> str:
    value = found(figures, row.path)
    if value is None:
        return ""
    around = found(figures, row.path.rpartition(".")[0]) or {}
    beside = [f"{called} {around[key]:.3g}" for called, key in row.beside.items() if key in around]
    if "crowding" in around:
        beside.append(f"{around['crowding']:g}×")
    told = f"{value:.3g}" + (f" ({', '.join(beside)})" if beside else "")
    return told if holds(row, part, value) else f"**{told}**"


def _what(figures: Mapping[str, Any]) -> str:
    if "server" in figures:
        return f"{figures['server']}, search by {figures['search_by']}"
    services: Mapping[str, str] = figures["services"]
    return ", ".join(f"{name}: {version}" for name, version in services.items())
