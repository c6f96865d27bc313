"""Local servers: found when they run, stopped by their own process, never lost and never mistaken for another."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from infra.local import aws, control, neo4j, postgres
from infra.local.__main__ import main
from infra.local.aws import Moto, Versitygw
from infra.local.catalog import KINDS, NEO4J, NEO4J_5, SERVERS
from infra.local.errors import ServerTrouble
from infra.local.http import answers
from infra.local.places import REPOSITORY, Places
from infra.local.process import end, identity, is_alive
from infra.local.server import Running, read_record, write_record
from tests.infra.stub_server import BROKEN, DEAF, STUBBORN, WELL, Stub
from tests.servers import Neo4jServer, PrivateServer

STUB = Stub()


@pytest.fixture
def places(tmp_path: Path) -> Iterator[Places]:
    here = Places(root=tmp_path / "services", cache=tmp_path / "services", environment=dict(os.environ))
    yield here
    for each in list(control.recorded(here)):
        end(each.process, signals=(signal.SIGKILL,), patience=5)


@pytest.fixture
def other_process() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


def starter(places: Places, program: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "tests.infra.stub_server", str(places.root), "one", program]
    return subprocess.Popen(words, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)


def wait_for(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_started_server_answers_and_is_written_down(places: Places) -> None:
    running = control.start("one", STUB, places)
    assert answers(running.port)
    assert running == control.find("one", places)
    assert running.address == {"url": f"http://127.0.0.1:{running.port}"}
    assert is_alive(running.process)
    assert os.getsid(running.pid) == running.pid  # in a session of its own: it outlives the terminal


def test_a_second_start_finds_the_first(places: Places) -> None:
    first = control.start("one", STUB, places)
    assert control.start("one", STUB, places) == first
    assert (Path(first.folder) / "starts").read_text() == "x"


def test_two_of_one_kind_stand_side_by_side(places: Places) -> None:
    one, two = control.start("one", STUB, places), control.start("two", STUB, places)
    assert (one.port, one.pid, one.folder) != (two.port, two.pid, two.folder)
    control.stop("one", STUB, places)
    assert answers(two.port)


def test_a_stopped_server_is_gone_with_its_data(places: Places) -> None:
    running = control.start("one", STUB, places)
    assert control.stop("one", STUB, places) is True
    assert not is_alive(running.process)
    assert not Path(running.folder).exists()
    assert control.find("one", places) is None
    assert control.stop("one", STUB, places) is False


def test_data_can_be_kept_for_the_next_start(places: Places) -> None:
    control.start("one", STUB, places)
    control.stop("one", STUB, places, keep=True)
    again = control.start("one", STUB, places)
    assert (Path(again.folder) / "starts").read_text() == "xx"


def test_a_server_that_ignores_the_polite_signal_is_killed(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "PATIENCE", 0.5)
    running = control.start("one", Stub(program=STUBBORN), places)
    assert control.stop("one", Stub(program=STUBBORN), places) is True
    assert not is_alive(running.process)


def test_a_process_that_only_has_the_pid_is_left_alone(places: Places, other_process: subprocess.Popen[bytes]) -> None:
    running = control.start("one", STUB, places)
    end(running.process, signals=(signal.SIGKILL,), patience=5)
    start = running.process.partition("/")[2]
    write_record(places.record("one"), replace(running, process=f"{other_process.pid}/{start}"))
    assert control.find("one", places) is None
    with pytest.raises(ServerTrouble, match="no server two"):
        control.kill("two", places)
    control.kill("one", places)
    assert control.stop("one", STUB, places) is False
    assert other_process.poll() is None


def test_the_start_time_tells_processes_apart(other_process: subprocess.Popen[bytes]) -> None:
    mine, other = identity(os.getpid()), identity(other_process.pid)
    assert mine.partition("/")[2] != other.partition("/")[2]
    assert is_alive(mine)
    other_process.kill()
    wait_for(lambda: not is_alive(other))  # a zombie counts as gone
    assert not is_alive(identity(other_process.pid))


def test_a_killed_server_goes_on_with_its_data_on_its_port(places: Places) -> None:
    first = control.start("one", STUB, places)
    control.kill("one", places)
    assert not answers(first.port)
    again = control.start("one", STUB, places)
    assert (again.port, again.folder) == (first.port, first.folder)
    assert again.process != first.process
    assert (Path(again.folder) / "starts").read_text() == "xx"


def test_a_killed_starter_leaves_nothing_that_cannot_be_stopped(places: Places) -> None:
    with starter(places, DEAF) as process:  # it waits for an answer that never comes
        wait_for(lambda: control.find("one", places) is not None)
        process.kill()
    left = read_record(places.record("one"))
    assert left is not None
    assert left.is_alive
    assert control.stop("one", STUB, places) is True
    assert not left.is_alive


def test_starters_at_the_same_time_share_one_server(places: Places) -> None:
    processes = [starter(places, WELL) for _ in range(3)]
    pids = {process.communicate(timeout=60)[0] for process in processes}
    assert len(pids) == 1
    assert pids == {f"{control.start('one', STUB, places).pid}\n"}


def test_a_server_that_ends_at_once_says_why(places: Places) -> None:
    with pytest.raises(ServerTrouble, match=r"one ended at once; .*no room on the moon"):
        control.start("one", Stub(program=BROKEN), places)


def test_a_program_that_is_not_there_says_so(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "no-such-program")
    with pytest.raises((ServerTrouble, FileNotFoundError), match="no-such-program"):
        control.start("one", STUB, places)


def test_a_server_that_does_not_answer_is_ended(places: Places) -> None:
    with pytest.raises(ServerTrouble, match="did not answer within 1 s"):
        control.start("one", Stub(program=DEAF), places, within=1)
    assert control.find("one", places) is None


def test_a_taken_port_is_left_for_another_unless_it_was_asked_for(places: Places) -> None:
    first = control.start("one", STUB, places)
    control.kill("one", places)
    with socket.create_server(("127.0.0.1", first.port)):
        assert control.start("one", STUB, places).port != first.port
        with pytest.raises(ServerTrouble, match="ended at once"):
            control.start("two", STUB, places, port=first.port)


def test_another_version_of_a_running_name_is_refused(places: Places) -> None:
    control.start("one", STUB, places)
    with pytest.raises(ServerTrouble, match="runs as stub, not as newer"):
        control.start("one", Stub(name="newer"), places)


def test_a_server_lives_as_long_as_its_last_owner(places: Places, other_process: subprocess.Popen[bytes]) -> None:
    mine, other = identity(os.getpid()), identity(other_process.pid)
    control.start("one", STUB, places, owner=mine)
    control.start("one", STUB, places, owner=other)
    assert control.release(mine, {"stub": STUB}, places) == []
    assert control.find("one", places) is not None
    other_process.kill()  # an owner that died releases nothing by itself: the next one does
    wait_for(lambda: not is_alive(other))
    assert control.release(mine, {"stub": STUB}, places) == ["one"]
    assert control.find("one", places) is None


@pytest.mark.parametrize("first", [True, False])
def test_what_was_started_to_stay_stays(places: Places, first: bool) -> None:
    mine = identity(os.getpid())
    for owner in (None, mine) if first else (mine, None):
        control.start("one", STUB, places, owner=owner)
    assert control.release(mine, {"stub": STUB}, places) == []
    assert control.find("one", places) is not None


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "records" / "one.json"
    record = Running(
        name="one", kind="stub", process="1/x", port=1, folder="f", log="l", address={"url": "u"}, owners=("2/y", "3/z")
    )
    assert read_record(path) is None
    write_record(path, record)
    assert read_record(path) == record
    assert list(path.parent.iterdir()) == [path]


def test_the_release_that_fits_best_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neo4j, "jdks", lambda: ((17, Path("a")), (21, Path("b")), (25, Path("c")), (27, Path("d"))))
    assert (NEO4J_5.home(), NEO4J.home()) == (Path("a"), Path("c"))
    monkeypatch.setattr(neo4j, "jdks", lambda: ((21, Path("b")), (27, Path("d"))))
    assert (NEO4J_5.home(), NEO4J.home()) == (Path("b"), Path("b"))


def test_what_a_machine_lacks_is_said_with_the_command(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neo4j, "jdks", lambda: ((17, Path("a")),))
    monkeypatch.setattr(postgres, "binaries", lambda: None)
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    monkeypatch.setattr(aws, "go_release", lambda: None)
    for kind, said in (
        (NEO4J, "needs a JDK 21 to 25"),
        (NEO4J_5, "mvn is not installed"),
        (postgres.Postgres(), "no PostgreSQL 15"),
        (Versitygw(version="0"), "go is not installed"),
        (Moto(), "no moto"),
    ):
        assert said in (kind.lacking(places) or "")
        with pytest.raises(ServerTrouble, match=f"{said}.*; to have it: "):
            kind.fetch(places)
    assert SERVERS["s3"].kind(places).name.startswith("versitygw")  # the first one's sentence is told


def test_where_go_is_missing_the_other_kind_is_taken(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: object())
    monkeypatch.setattr(aws, "go_release", lambda: (1, 19))
    assert "go here is 1.19" in (Versitygw(version="0").lacking(places) or "")
    monkeypatch.setattr(aws, "go_release", lambda: None)
    assert SERVERS["s3"].kind(places) == Moto()


def test_a_program_in_the_cache_is_not_fetched_again(places: Places) -> None:
    for path in (f"lib/{NEO4J_5.name}", "bin"):
        (places.cache / path).mkdir(parents=True)
    (places.cache / "bin" / "versitygw-0").touch()
    offline = replace(places, environment={"PATH": "nowhere"})
    Versitygw(version="0").fetch(offline)
    if NEO4J_5.home():
        NEO4J_5.fetch(offline)


def test_the_command_line_refuses_a_name_it_does_not_know(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["start", "moonbase"], places) == 2
    assert "there is no server moonbase" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.kms
def test_the_command_line_starts_tells_and_stops(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["start", "kms"], places) == 0
    assert main(["start", "kms"], places) == 0
    assert "was running" in capsys.readouterr().out
    assert main(["status", "--json"], places) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"kms"}
    running = control.find("kms", places)
    assert running is not None
    assert told["kms"] == running.address
    assert main(["stop"], places) == 0
    assert not running.is_alive
    assert main(["status"], places) == 0
    assert "not running" in capsys.readouterr().out


@pytest.mark.neo4j
def test_two_of_the_newest_graph_servers_are_apart(neo4j_server: Neo4jServer, second_neo4j: Neo4jServer) -> None:
    assert neo4j_server.url != second_neo4j.url
    assert neo4j_server.version == second_neo4j.version == NEO4J.version
    assert all(neo4j.speaks_bolt(int(each.url.rpartition(":")[2])) for each in (neo4j_server, second_neo4j))


@pytest.mark.slow
@pytest.mark.postgres
def test_a_private_server_comes_back_with_what_was_committed(private_server: Callable[[str], PrivateServer]) -> None:
    import psycopg

    server = private_server("postgres")
    url = server.address["url"].replace("+psycopg", "")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE t AS SELECT 7 AS n")
        server.kill()
    server.kill()  # dead already
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)
    server.start()
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT n FROM t").fetchone() == (7,)


def test_every_kind_has_a_name_of_its_own() -> None:
    assert len(KINDS) == len({*KINDS})
    assert all(kind.name == name and kind.bring for name, kind in KINDS.items())
