"""A person leaves as one ZIP and comes back from it: the same messages, memories and answers, in this home or another."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_lib.bootstrap import Memory
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Tier
from memory_lib.domain.shapes import context_shape
from memory_lib.errors import InvalidInput, SealBroken, UnreadableFile
from memory_lib.operations.bench import Asked
from memory_lib.operations.erase import erase
from memory_lib.operations.export_user import Handed, export_user, fetched, handed_over
from memory_lib.operations.import_user import import_file, import_user
from memory_lib.ports.person_mover import Destination
from tests.e2e.erasing import CANARIES, GONE, NOW, STAYS, Filled, later, opened
from tests.e2e.readable_bytes import Search

pytestmark = pytest.mark.slow

QUESTIONS = {GONE: ("Где я работаю?", "Что со мной случилось?"), STAYS: ("Where do I work?", "What am I allergic to?")}


def nothing(_count: int) -> None:
    """No progress."""


@pytest.fixture
def home(filled: Filled, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled.home, tmp_path / "home"))


@pytest.fixture
def zips(filled: Filled, tmp_path: Path) -> dict[str, tuple[Path, Handed]]:
    """Each person's export as a file, with its key."""
    made = {}
    home = Path(shutil.copytree(filled.home, tmp_path / "exporting"))
    with opened(home) as (memory, ops):
        for number, name in enumerate((GONE, STAYS)):
            handed = handed_over(ops.bench, memory.user_id(name))
            path = tmp_path / f"{number}.zip"
            path.write_bytes(handed.data)
            made[name] = (path, handed)
    return made


def everything(memory: Memory, name: str, called: str | None = None) -> dict[str, object]:
    """What the person is shown and told."""
    called = called or name
    shown = memory.show(called)
    answers = [context_shape(memory.ask(called, question, now=NOW)) for question in QUESTIONS[name]]
    return {
        "hash": memory.graph_hash(called),
        "shown": {**shown, "user": name},
        "answers": [{key: value for key, value in each.items() if key not in {"timings", "revision"}} for each in answers],
        "why": [memory.why(called, node=node["id"])["node"] for node in shown["nodes"]],
    }


@pytest.mark.parametrize("name", [GONE, STAYS])
def test_what_the_person_reads_is_all_there_and_the_rest_is_sealed(zips, home: Path, name: str) -> None:
    path, handed = zips[name]
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        page = archive.read("memory.md").decode()
        memory_file = json.loads(archive.read("memory.json"))
        messages = [json.loads(line) for line in archive.read("messages.jsonl").decode().splitlines()]
        sealed = b"".join(archive.read(each) for each in names if each.startswith("sealed/"))
    with opened(home) as (memory, _ops):
        assert memory_file == memory.show(name)
        # the readable half is an import file of its own
        assert {message["user"] for message in messages} == {name}
        again = memory.take_in([], source="nothing")
        assert again.new == 0
    assert ("# Что запомнено" if name == GONE else "# What is remembered") in page
    for node in memory_file["nodes"]:
        assert node["content"].split()[0] in page.replace("\\", "")
    assert Search(CANARIES).found(sealed) == set()
    assert handed.key not in page
    assert bytes.fromhex(handed.key.replace("-", "")) not in path.read_bytes()


@pytest.mark.parametrize("name", [GONE, STAYS])
def test_in_another_home_everything_is_the_same(zips, home: Path, tmp_path: Path, name: str) -> None:
    path, handed = zips[name]
    with opened(home) as (memory, _ops):
        before = everything(memory, name)
        user = memory.user_id(name)
    with opened(tmp_path / "other") as (memory, ops):
        dry = import_file(ops.bench, path, key=handed.key, name=None, apply=False)
        assert not dry.applied
        assert memory.users() == ()
        done = import_file(ops.bench, path, key=handed.key, name=None, apply=True)
        assert done.applied
        assert done.counts == dry.counts
        assert done.user == user
        assert everything(memory, name) == before
        again = import_file(ops.bench, path, key=handed.key, name=None, apply=True)
        assert (again.applied, again.refused, again.notes) == (False, None, ("already_here",))
        # and it goes on from there as the first home would
        memory.add(name, [{"role": "user", "text": "Я купил лодку.", "time": "2026-06-01T10:00:00+03:00", "id": "new"}])
        assert len(memory.show(name)["nodes"]) > len(before["shown"]["nodes"])
    assert Search(CANARIES).found_under(tmp_path / "other") == {}


def test_beside_the_person_under_another_name(zips, home: Path, filled: Filled) -> None:
    path, handed = zips[GONE]
    with opened(home) as (memory, ops):
        before = everything(memory, GONE)
        done = import_file(ops.bench, path, key=handed.key, name="двойник", apply=True)
        assert done.applied
        assert done.user not in (None, filled.user)
        twin = everything(memory, GONE, "двойник")
        assert twin == before
        keys = ops.graph.take(UserId(str(done.user))).write_keys
        assert keys
        assert all(each.key.startswith(f"{done.user}/") for each in keys)


def test_the_same_person_is_known_and_another_by_that_name_is_refused(zips, home: Path) -> None:
    path, handed = zips[GONE]
    with opened(home) as (memory, ops):
        assert import_file(ops.bench, path, key=handed.key, name=None, apply=True).notes == ("already_here",)
        refused = import_file(ops.bench, path, key=handed.key, name=STAYS, apply=True)
        assert refused.refused == "another_person_by_this_name"
        memory.add(GONE, [{"role": "user", "text": "Я купил лодку.", "time": "2026-06-01T10:00:00+03:00", "id": "new"}])
        assert import_file(ops.bench, path, key=handed.key, name=None, apply=True).refused == "another_person_by_this_name"


def test_a_home_of_other_ids_refuses(zips, tmp_path: Path) -> None:
    path, handed = zips[GONE]
    with opened(tmp_path / "foreign", id_key="ef" * 32) as (memory, ops):
        assert import_file(ops.bench, path, key=handed.key, name=None, apply=True).refused == "other_id_key"
        assert memory.users() == ()


def test_who_was_erased_comes_back_under_another_internal_id(zips, home: Path, filled: Filled) -> None:
    path, handed = zips[GONE]
    with opened(home) as (memory, ops):
        before = everything(memory, GONE)
        erase(ops.bench, filled.user, Asked(apply=True), nothing)
        done = import_file(ops.bench, path, key=handed.key, name=None, apply=True)
        assert done.user not in (None, filled.user)
        assert everything(memory, GONE) == before


@pytest.mark.parametrize("where", ["rows", "graph"])
def test_an_import_cut_short_is_gone_on_with(zips, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    path, handed = zips[GONE]

    class Cut(Exception):
        pass

    def cut(*_arguments: object, **_options: object) -> None:
        raise Cut

    with opened(tmp_path / "other") as (memory, ops):
        with monkeypatch.context() as patched:
            victim = (ops.ledger.person_rows, "load") if where == "rows" else (ops.graph, "place")
            patched.setattr(type(victim[0]), victim[1], cut)
            with pytest.raises(Cut):
                import_file(ops.bench, path, key=handed.key, name=None, apply=True)
        done = import_file(ops.bench, path, key=handed.key, name=None, apply=True)
        assert done.applied
        assert done.notes == (() if where == "rows" else ("continued",))
        assert memory.graph_hash(GONE) == import_hash(ops, path, handed.key)
        assert len(memory.users()) == 1


def import_hash(ops, path: Path, key: str) -> str:
    return ops.bench.exchange.archives.unpack(path.read_bytes(), key=key).graph_hash


Change = Callable[[bytes], bytes]


def altered(data: bytes, member: str, change: Change) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w") as target:
        for info in source.infolist():
            content = source.read(info)
            target.writestr(info, change(content) if info.filename.startswith(member) else content)
    return out.getvalue()


@pytest.mark.parametrize("member", ["sealed/head", "sealed/ledger/messages", "sealed/vectors", "sealed/graph"])
def test_any_altered_sealed_part_is_refused(zips, tmp_path: Path, member: str) -> None:
    path, handed = zips[GONE]
    path.write_bytes(altered(handed.data, member, lambda content: content[:-1] + bytes([content[-1] ^ 1])))
    with opened(tmp_path / "other") as (memory, ops):
        with pytest.raises(SealBroken):
            import_file(ops.bench, path, key=handed.key, name=None, apply=True)
        assert memory.users() == ()


def test_another_key_and_other_files_are_refused(zips, tmp_path: Path) -> None:
    path, handed = zips[GONE]
    other = zips[STAYS][1].key
    with opened(tmp_path / "other") as (_memory, ops):
        with pytest.raises(SealBroken):
            import_file(ops.bench, path, key=other, name=None, apply=True)
        for key in ("", "ab", "z" * 64):
            with pytest.raises(InvalidInput):
                import_file(ops.bench, path, key=key, name=None, apply=True)
        for content in (b"", b"PK\x03\x04", handed.data[: len(handed.data) // 2]):
            path.write_bytes(content)
            with pytest.raises(UnreadableFile):
                import_file(ops.bench, path, key=handed.key, name=None, apply=True)
        with pytest.raises(UnreadableFile):
            import_file(ops.bench, tmp_path / "nowhere.zip", key=handed.key, name=None, apply=True)


def test_a_flows_export_waits_sealed_and_is_fetched_by_its_request(home: Path) -> None:
    with opened(home) as (memory, ops):
        user = memory.user_id(STAYS)
        assert export_user(ops.bench, user, Asked(), nothing).ids == {}
        receipt = export_user(ops.bench, user, Asked(apply=True, operator="olga"), nothing)
        (request,) = receipt.ids["request"]
        assert Search(CANARIES).found_under(home) == {}
        handed = fetched(ops.bench, user, request)
        assert zipfile.ZipFile(io.BytesIO(handed.data)).read("messages.jsonl")
        assert ops.bench.exchange is not None
        assert ops.bench.exchange.archives.unpack(handed.data, key=handed.key).external == STAYS


def test_a_flows_import_takes_file_and_key_from_a_request(zips, home: Path) -> None:
    path, handed = zips[GONE]
    with opened(home, now=later(5)) as (memory, ops):
        user = memory.user_id(GONE)
        payload = {"file": str(path), "key": handed.key}
        request = ops.bench.requests.ask(user, "import-user", now=NOW, payload=payload)
        assert import_user(ops.bench, user, Asked(apply=True, request=request.id), nothing).notes == ("already_here",)
        with pytest.raises(InvalidInput):
            import_user(ops.bench, user, Asked(apply=True), nothing)


def test_who_rests_in_files_is_exported_from_there_and_known_again(filled: Filled, tmp_path: Path) -> None:
    home = Path(shutil.copytree(filled.home, tmp_path / "resting"))
    path = tmp_path / "resting.zip"
    with opened(home) as (memory, ops):
        before = memory.graph_hash(GONE)
        tiers = memory.bench.tiers
        assert tiers is not None
        tiers.mover.move(filled.user, Destination(Tier.WARM))
        assert ops.graph.head(filled.user).revision.n == 0
        handed = handed_over(ops.bench, filled.user)
        path.write_bytes(handed.data)
        assert import_file(ops.bench, path, key=handed.key, name=None, apply=True).notes == ("already_here",)
        assert ops.graph.head(filled.user).revision.n == 0
    with opened(tmp_path / "other") as (memory, ops):
        assert import_file(ops.bench, path, key=handed.key, name=None, apply=True).applied
        assert memory.graph_hash(GONE) == before
