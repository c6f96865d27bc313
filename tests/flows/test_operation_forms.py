"""What an operator can type into the form of an operation: ids, codes and boxes, and never a person's words."""

from __future__ import annotations

from typing import Any

import pytest

from deployments.catalog import CATALOG
from tests.architecture.tree import ROOT

OPERATIONS = [row for row in CATALOG if "ops" in row.tags]

pytestmark = pytest.mark.flows


@pytest.fixture(params=OPERATIONS, ids=lambda row: row.name)
def form(request: pytest.FixtureRequest) -> dict[str, Any]:
    from prefect.flows import load_flow_from_entrypoint
    from prefect.utilities.callables import parameter_schema

    flow = load_flow_from_entrypoint(str(ROOT / request.param.flow))
    return parameter_schema(flow).model_dump(exclude_unset=True)


def test_nothing_is_changed_unless_a_box_is_unticked(form: dict[str, Any]) -> None:
    assert form["properties"]["dry_run"]["default"] is True
    assert "dry_run" not in form["required"]


def test_one_person_is_named_by_internal_id(form: dict[str, Any]) -> None:
    assert form["properties"]["user"]["pattern"] == r"^[0-9a-f]{32}$"
    assert "user" in form["required"]


def test_every_field_of_text_has_a_pattern_that_no_sentence_fits(form: dict[str, Any]) -> None:
    import re

    for name, field in form["properties"].items():
        if field["type"] == "boolean":
            continue
        assert field["type"] == "string", name
        for words in ("my divorce", "Аня", "развод с Ильёй", "a@b.c, and more"):
            assert not re.search(field["pattern"], words), name


def test_every_field_says_what_it_is(form: dict[str, Any]) -> None:
    assert all(field.get("description") for field in form["properties"].values())
