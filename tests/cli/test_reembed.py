"""``reembed``: from no vectors to a server's, from one server's model to another's, with everything said on the way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.adapters.embeddings.embeddings_server import DIMENSION, Server, served

pytestmark = pytest.mark.slow
pytest.importorskip("openai", reason="the extra llm is not installed; pip install 'selfimprint[llm]'")


@pytest.fixture
def server() -> Iterator[Server]:
    with served() as running:
        yield running


def chosen(server: Server, model: str = "m") -> dict[str, str]:
    section = "SELFIMPRINT_EMBEDDINGS_SERVER__"
    return {
        "SELFIMPRINT_EMBEDDER": "openai",
        f"{section}URL": server.url,
        f"{section}MODEL": model,
        f"{section}DIMENSION": str(DIMENSION),
        f"{section}RETRY_WAIT_S": "0.01",
    }


def test_everybody_is_brought_to_the_configured_embedder(call, own, server):
    environment = chosen(server)
    done = call("reembed", "--home", own, "--json", **environment)
    assert done.code == 0, done.error
    told = done.json
    assert told["embedder"] == f"openai/m/{DIMENSION}"
    assert (told["people"], told["switched"], told["unusable"]) == (2, 2, 0)
    assert told["rounds"] == 9
    assert told["nodes"] > 0
    assert (
        call("ask", "--home", own, "--user", "vera", "Где я работаю?", "--now", "last", "--json", **environment).json[
            "degraded"
        ]
        == []
    )
    again = call("reembed", "--home", own, **environment)
    assert again.code == 0
    assert "Nothing to do" in again.out


def test_one_person_alone(call, own, server):
    done = call("reembed", "--home", own, "--user", "sam", **chosen(server))
    assert done.code == 0, done.error
    assert "1 person switched" in done.out
    assert "making vectors" in done.error
    assert call("reembed", "--home", own, "--user", "nobody", **chosen(server)).code == 2


def test_another_model_is_a_warning_until_it_is_done(call, own, server):
    call("reembed", "--home", own, **chosen(server))
    other = chosen(server, "other")
    found = {each["what"]: each for each in call("doctor", "--home", own, "--json", **other).json["checks"]}
    assert "selfimprint reembed" in found["vectors"]["todo"]
    asked = call("ask", "--home", own, "--user", "sam", "cello", "--now", "last", "--json", **other).json
    assert any("selfimprint reembed" in each["reason"] for each in asked["degraded"])
    assert call("reembed", "--home", own, **other).code == 0
    asked = call("ask", "--home", own, "--user", "sam", "cello", "--now", "last", "--json", **other).json
    assert asked["degraded"] == []
    assert "vectors" not in {each["what"] for each in call("doctor", "--home", own, "--json", **other).json["checks"]}


def test_a_server_that_is_away_is_one_sentence_and_nothing_is_lost(call, own, server, error_of):
    call("reembed", "--home", own, **chosen(server))
    server.always = lambda _texts: (500, {}, {})
    done = call("reembed", "--home", own, **chosen(server, "other"))
    assert done.code == 4
    assert "answered 500" in done.error
    server.always = type(server)(server.url).always
    context = call("ask", "--home", own, "--user", "sam", "cello", "--now", "last", "--json", **chosen(server)).json
    assert context["degraded"] == []


def test_without_a_home_or_an_embedder_it_says_so(call, own, tmp_path):
    assert call("reembed", "--home", tmp_path / "nowhere").code == 2
    done = call("reembed", "--home", own)
    assert done.code == 4
    assert "switched off" in done.error
