from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deployments import serve
from deployments.catalog import CATALOG, OWNED, POOL
from flows.local import LOOPBACK, LocalPrefect
from tests.flows.test_local import ended_within

pytestmark = pytest.mark.flows


@pytest.fixture
def pointed(server: LocalPrefect) -> Iterator[None]:
    from prefect.settings import temporary_settings

    with temporary_settings(updates={"api.url": server.api_url}):
        yield


def registered() -> list[Any]:
    from prefect.client.orchestration import get_client

    async def read() -> list[Any]:
        async with get_client() as client:
            return await client.read_deployments()

    return asyncio.run(read())


def test_applying_twice_registers_each_row_once_with_what_it_says(pointed: None) -> None:
    from deployments.apply import apply

    names = tuple(f"{row.flow.partition(':')[2]}/{row.name}" for row in CATALOG)
    assert asyncio.run(apply()) == asyncio.run(apply()) == names
    found = {deployment.name: deployment for deployment in registered()}
    assert set(found) == {row.name for row in CATALOG}
    for row in CATALOG:
        deployment = found[row.name]
        assert [(each.schedule.cron, each.schedule.timezone) for each in deployment.schedules] == (
            [] if row.cron is None else [(row.cron, "UTC")]
        )
        assert deployment.work_pool_name == POOL
        assert deployment.global_concurrency_limit.limit == row.limit
        assert deployment.concurrency_options.collision_strategy.value == row.when_busy.value
        assert set(deployment.tags) == {OWNED, *row.tags}
        assert deployment.entrypoint == row.flow
        assert deployment.enforce_parameter_schema
        fields = deployment.parameter_openapi_schema["properties"]
        assert re.search("never (names|a name)", fields["user" if "ops" in row.tags else "users"]["description"])


def test_what_left_the_catalog_is_removed(pointed: None) -> None:
    from deployments.apply import apply

    old = replace(CATALOG[0], name="of-last-year")
    asyncio.run(apply((*CATALOG, old)))
    assert "of-last-year" in {deployment.name for deployment in registered()}
    asyncio.run(apply())
    assert "of-last-year" not in {deployment.name for deployment in registered()}


def test_a_name_in_a_form_is_refused_by_the_server_before_it_is_stored(pointed: None, server: LocalPrefect) -> None:
    from prefect.client.orchestration import get_client
    from prefect.exceptions import PrefectHTTPStatusError

    from deployments.apply import apply
    from tests.e2e.readable_bytes import Search

    asyncio.run(apply())
    ident = next(deployment.id for deployment in registered() if deployment.name == "ingest")

    async def submit() -> None:
        async with get_client() as client:
            await client.create_flow_run_from_deployment(ident, parameters={"users": ["Вавиловочка"]})

    with pytest.raises(PrefectHTTPStatusError, match="409"):
        asyncio.run(submit())
    assert not Search({"name": "Вавиловочка"}).found_under(server.home)


def test_no_server_named_is_one_sentence(capsys: pytest.CaptureFixture[str], server: LocalPrefect) -> None:
    from prefect.settings import PREFECT_API_URL, temporary_settings

    from deployments import apply

    with temporary_settings(restore_defaults={PREFECT_API_URL}), pytest.MonkeyPatch.context() as patch:
        patch.setattr(apply, "PREFECT_API_URL", type("Unset", (), {"value": staticmethod(lambda: None)}))
        assert apply.main() == 2
    assert "set PREFECT_API_URL" in capsys.readouterr().err


def test_a_taken_port_is_one_sentence_with_the_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        assert serve.main(["--port", str(port), "--home", str(tmp_path)]) == 4
    told = capsys.readouterr().err
    assert f"port {port} cannot be had" in told
    assert told.count("\n") == 1


def test_a_child_is_stopped_with_all_that_it_started(tmp_path: Path) -> None:
    program = tmp_path / "family.py"
    program.write_text(
        "import pathlib, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True)\n"
        "pathlib.Path(sys.argv[1]).write_text(str(child.pid))\n"
        "child.wait()\n"
    )
    told = tmp_path / "pid"
    with (tmp_path / "log").open("wb") as words:
        with serve._child(["family", str(told)], {"PYTHONPATH": str(tmp_path)}, words.fileno(), tmp_path) as child:
            while not (told.exists() and told.read_text()):
                assert child.poll() is None
        assert child.returncode is not None
    assert ended_within(1, int(told.read_text()))
