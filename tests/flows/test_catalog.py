from __future__ import annotations

import ast
import re

from deployments.catalog import CATALOG, POOL, WhenBusy
from memory_lib.plans import PLANS
from tests.architecture.tree import ROOT

OPERATION_FLOWS = {
    "erase-user": "erase_user",
    "forget-topic": "forget_topic",
    "soft-reset": "soft_reset",
    "undo": "undo",
    "correct": "correct",
    "export-user": "export_user",
    "import-user": "import_user",
    "restore": "restore",
    "rotate-keys": "rotate_keys",
    "reseal": "reseal",
    "move-shard": "move_shard",
    "disclose": "disclose",
}


def flows_of_the_tree() -> set[str]:
    """``flows/<file>.py:<function>`` of everything under @flow."""
    found = set()
    for path in sorted((ROOT / "flows").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef) and any(
                ast.unparse(decorator).partition("(")[0] == "flow" for decorator in node.decorator_list
            ):
                found.add(f"flows/{path.name}:{node.name}")
    return found


def test_every_flow_has_a_row_and_every_row_a_flow() -> None:
    assert flows_of_the_tree() == {row.flow for row in CATALOG}


def test_what_runs_when() -> None:
    # a change of any of these is seen by somebody before it runs
    assert {(row.name, row.flow, row.cron, row.pool, row.limit, row.when_busy, row.tags) for row in CATALOG} == {
        ("ingest", "flows/ingest.py:ingest", "* * * * *", POOL, 1, WhenBusy.SKIP, ("ingest",)),
        ("fade", "flows/fade.py:fade", "20 2 * * *", POOL, 1, WhenBusy.WAIT, ("fade",)),
        ("reembed", "flows/reembed.py:reembed", None, POOL, 1, WhenBusy.WAIT, ("reembed",)),
        ("rebuild", "flows/rebuild.py:rebuild", None, POOL, 1, WhenBusy.WAIT, ("rebuild",)),
        ("tier-migration", "flows/tier_migration.py:tier_migration", "40 1 * * *", POOL, 1, WhenBusy.SKIP, ("tier_migration",)),
        ("rehydrate", "flows/rehydrate.py:rehydrate", "* * * * *", POOL, 2, WhenBusy.SKIP, ("rehydrate",)),
        *(
            (name, f"flows/{function}.py:{function}", None, POOL, 4, WhenBusy.WAIT, ("ops", name))
            for name, function in OPERATION_FLOWS.items()
        ),
    }


def test_names_are_unique() -> None:
    names = [row.name for row in CATALOG]
    assert len(names) == len(set(names))


def test_each_row_says_what_it_does_and_has_a_schedule_of_five_fields_or_none() -> None:
    for row in CATALOG:
        assert re.match(r"[A-Z].{40,}\.$", row.description, re.DOTALL), row.name
        assert row.cron is None or len(row.cron.split()) == 5, row.name
        assert row.limit >= 1, row.name


def test_a_flow_walks_the_plan_of_its_name() -> None:
    assert {row.flow.partition(":")[2] for row in CATALOG} >= set(PLANS)
