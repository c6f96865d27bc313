"""The rule for what a machine lacks, run on a test session of its own."""

from __future__ import annotations

import pytest

from tests import services
from tests.services import SERVICES, Service, absent, require, required

LACKING = Service(name="moonbase", what="a base on the moon", missing=lambda: "no rocket", bring="apt-get install rocket")


@pytest.mark.parametrize(
    ("asked", "answer"), [("", False), ("all", True), ("flows", False), ("flows, moonbase", True), ("moon", False)]
)
def test_a_service_is_required_by_name_or_by_all(asked: str, answer: bool) -> None:
    assert required("moonbase", {"SELFIMPRINT_REQUIRE": asked}) is answer


def test_what_is_lacking_is_skipped_with_reason_and_command() -> None:
    with pytest.raises(pytest.skip.Exception, match=r"moonbase is needed .*no rocket; to have it: apt-get install rocket"):
        absent(LACKING, environment={})


def test_what_is_required_and_lacking_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"no rocket.*SELFIMPRINT_REQUIRE"):
        absent(LACKING, environment={"SELFIMPRINT_REQUIRE": "all"})


def test_what_is_there_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    there = Service(name="moonbase", what="", missing=lambda: None, bring="")
    monkeypatch.setattr(services, "SERVICES", {"moonbase": there})
    require("moonbase")


@pytest.mark.parametrize("asked", ["", "all"])
def test_the_marker_applies_the_rule(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, asked: str) -> None:
    monkeypatch.setenv("SELFIMPRINT_REQUIRE", asked)
    monkeypatch.setattr(services, "SERVICES", {"moonbase": LACKING})
    pytester.makeini("[pytest]")  # else the settings of the tree around the temporary folder hold
    pytester.makeconftest("from tests.conftest import *")
    monkeypatch.setattr("tests.conftest.SERVICES", {"moonbase": LACKING})
    pytester.makepyfile("import pytest\n\n@pytest.mark.moonbase\ndef test_x():\n    pass\n\ndef test_y():\n    pass\n")
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, **({"errors": 1} if asked else {"skipped": 1}))


def test_every_row_says_what_and_how() -> None:
    assert all(row.what and row.bring and row.name.isidentifier() for row in SERVICES.values())
