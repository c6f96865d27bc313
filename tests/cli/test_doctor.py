"""``doctor``: each check with a verdict and a remedy; it changes nothing."""

from __future__ import annotations

import re
import sqlite3
import tomllib
from contextlib import closing

import pytest

from memory_lib.adapters.embeddings.absent import AbsentEmbedder
from memory_lib.adapters.nlp import english, plain, russian
from memory_lib.domain.service_state import ServiceState
from selfimprint.cli import doctor
from tests.architecture.tree import ROOT


@pytest.fixture
def no_models(monkeypatch):
    """Loading the parsers takes seconds; one test does."""

    class Parser:
        version = "ud/1;ru=plain;en=plain"

        def parse(self, text: str) -> None: ...

    absent = AbsentEmbedder("not part of this test")
    monkeypatch.setattr("memory_lib.bootstrap.models", lambda _settings: (absent, Parser()))


def checks(ran):
    return {check["what"]: check for check in ran.json["checks"]}


def test_a_whole_installation_is_well(call, made):
    ran = call("doctor", "--home", made, "--json")
    assert ran.code == 0
    found = checks(ran)
    assert ran.json["ok"] is True
    assert {check["verdict"] for check in found.values()} <= {"ok", "warn"}
    assert "2 people" in found["home"]["found"]
    assert found["embedder"]["verdict"] == "warn"
    assert "switched off" in found["embedder"]["found"]
    told = call("doctor", "--home", made)
    assert "Everything needed is there." in told.out
    assert re.search(r"^ok +python", told.out, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("russian", "english", "verdict"),
    [
        (russian.NAME, english.NAME, "ok"),
        (plain.NAME, english.NAME, "warn"),
        (russian.NAME, plain.NAME, "warn"),
    ],
)
def test_only_a_missing_model_is_warned_of(call, own, monkeypatch, russian, english, verdict):
    class Parser:
        version = f"ud/1;ru={russian};en={english};first=20"

        def parse(self, text: str) -> None: ...

    monkeypatch.setattr("memory_lib.bootstrap.models", lambda _settings: (AbsentEmbedder("not part of this test"), Parser()))
    assert checks(call("doctor", "--home", own, "--json"))["parser"]["verdict"] == verdict


def test_a_key_that_others_can_read_fails_with_the_remedy(call, own, no_models):
    next((own / "keys" / "people").rglob("*.key")).chmod(0o644)
    ran = call("doctor", "--home", own, "--json")
    assert ran.code == 1
    assert "chmod" in checks(ran)["keys"]["todo"]


def test_a_broken_home_fails_and_the_sentence_says_why(call, own, no_models):
    (own / "keys" / "deployment.key").unlink()
    ran = call("doctor", "--home", own, "--json")
    assert ran.code == 1
    assert checks(ran)["home"]["verdict"] == "fail"
    assert "backup" in checks(ran)["home"]["found"]
    told = call("doctor", "--home", own)
    assert told.code == 1
    assert "1 of " in told.out


def test_a_home_that_is_not_there_is_not_made(call, tmp_path, no_models):
    ran = call("doctor", "--home", tmp_path / "new", "--json")
    assert ran.code == 0
    assert "not there yet" in checks(ran)["home"]["found"]
    assert not (tmp_path / "new").exists()


def test_a_missing_package_is_named(call, made, monkeypatch, no_models):
    monkeypatch.setattr(doctor, "BASE", (*doctor.BASE, "no-such-package-anywhere"))
    ran = call("doctor", "--home", made, "--json")
    assert ran.code == 1
    assert "no-such-package-anywhere" in checks(ran)["packages"]["found"]


def test_it_knows_every_declared_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = re.compile(r"[A-Za-z0-9-]+")
    declared = {name.match(line)[0] for line in project["dependencies"]}
    assert set(doctor.BASE) | set(doctor.MODELS) == declared
    extras = {name.match(line)[0]: extra for extra, lines in project["optional-dependencies"].items() for line in lines}
    assert extras == doctor.EXTRAS


def test_who_thinks_is_said(call, made, no_models, monkeypatch):
    assert "offline rules" in checks(call("doctor", "--home", made, "--json"))["model"]["found"]
    monkeypatch.setenv("SELFIMPRINT_MODEL__BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("SELFIMPRINT_MODEL__MODEL", "small-one")
    assert "small-one" in checks(call("doctor", "--home", made, "--json"))["model"]["found"]
    monkeypatch.setattr(doctor, "_version", lambda name: None if name == "openai" else "1")
    found = checks(call("doctor", "--home", made, "--json"))["model"]
    assert found["verdict"] == "fail"
    assert "selfimprint[llm]" in found["todo"]


def of_ledger(found, call, made, monkeypatch):
    monkeypatch.setattr("memory_lib.bootstrap.services", lambda _settings: (found,))
    return call("doctor", "--home", made, "--json")


def test_a_service_that_works_is_told_with_version_and_schema(call, made, no_models, monkeypatch):
    state = ServiceState(
        name="ledger",
        reachable=True,
        usable=True,
        version="PostgreSQL 15.1",
        capabilities=("9 connections",),
        schema="schema r1",
    )
    ran = of_ledger(state, call, made, monkeypatch)
    assert ran.code == 0
    assert checks(ran)["ledger"] == {
        "what": "ledger",
        "verdict": "ok",
        "found": "PostgreSQL 15.1, 9 connections, schema r1",
        "todo": "",
    }


@pytest.mark.parametrize(
    ("reachable", "usable", "verdict"), [(False, False, "fail"), (True, False, "fail"), (True, True, "warn")]
)
def test_a_service_that_does_not_work_is_told_with_the_remedy(call, made, no_models, monkeypatch, reachable, usable, verdict):
    state = ServiceState(name="ledger", reachable=reachable, usable=usable, remedy="start it")
    ran = of_ledger(state, call, made, monkeypatch)
    found = checks(ran)
    assert (found["ledger"]["verdict"], found["ledger"]["todo"]) == (verdict, "start it")
    assert ran.code == (1 if verdict == "fail" else 0)
    # what needs the service is not tried, and blames nobody
    assert ("not opened" in found["home"]["found"]) is (verdict == "fail")


@pytest.mark.postgres
def test_a_real_ledger_server_is_looked_at(call, tmp_path, no_models, monkeypatch, postgres_url):
    monkeypatch.setenv("SELFIMPRINT_LEDGER_URL", postgres_url)
    ran = call("doctor", "--home", tmp_path / "new", "--json")
    assert ran.code == 0
    assert checks(ran)["ledger"]["found"].endswith("no schema yet")


@pytest.mark.postgres
def test_a_dead_ledger_server_fails_and_says_what_to_do(call, tmp_path, no_models, monkeypatch):
    monkeypatch.setenv("SELFIMPRINT_LEDGER_URL", "postgresql://somebody:hidden-word@127.0.0.1:9/ledger")
    ran = call("doctor", "--home", tmp_path / "new", "--json")
    assert ran.code == 1
    assert checks(ran)["ledger"]["verdict"] == "fail"
    assert checks(ran)["ledger"]["todo"]
    assert "hidden-word" not in ran.out + ran.error


def test_an_audit_log_that_somebody_wrote_in_fails(call, own, no_models):
    looked = call("peek", "--home", own, "--user", "vera", "--reason", "a look", "--message", "0" * 32)
    assert looked.code == 2
    assert "audit log" not in call("doctor", "--home", own).out
    with closing(sqlite3.connect(own / "ledger.db")) as ledger, ledger:
        ledger.execute("UPDATE audit SET operator = 'nobody'")
    told = call("doctor", "--home", own)
    assert told.code != 0
    assert "row 1 of the audit log" in told.out
