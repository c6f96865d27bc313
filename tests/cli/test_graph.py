"""``graph``: pictures in the folder named and nowhere else, and chains."""

from __future__ import annotations

from pathlib import Path

import pytest

from selfimprint.cli.picture_files import file_stem


def files_below(place: Path) -> set[str]:
    return {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}


def test_pictures_go_to_out_and_nothing_else_is_written(call, made):
    before = files_below(made)
    told = call("graph", "--user", "vera", "--home", made)
    assert told.code == 0
    assert files_below(Path.cwd()) == {"out/vera.svg", "out/vera.html"}
    assert "<svg" in Path("out/vera.svg").read_text(encoding="utf-8")
    assert files_below(made) == before
    elsewhere = call("graph", "--user", "sam", "--out", "pictures", "--home", made, "--json")
    assert elsewhere.json == {"user": "sam", "pictures": ["pictures/sam.svg", "pictures/sam.html"]}


def test_chains_are_told_and_listed(call, made):
    listed = call("graph", "--user", "vera", "--chains", "caused_by", "--min", "1", "--home", made, "--json")
    assert listed.code == 0
    effect, cause = listed.json[0]
    assert set(effect) == {"id", "content"}
    assert "выспалась" in effect["content"]
    assert "сверлил" in cause["content"]
    told = call("graph", "--user", "vera", "--chains", "caused_by", "--min", "1", "--home", made)
    assert "because of →" in told.out
    assert call("graph", "--user", "vera", "--chains", "caused_by", "--min", "9", "--home", made, "--json").json == []
    assert files_below(Path.cwd()) == set()


@pytest.mark.parametrize("options", [["--chains", "married_to"], ["--chains", "caused_by", "--min", "0"], ["--min", "many"]])
def test_a_wrong_value_is_one_sentence(call, error_of, made, options):
    refused = call("graph", "--user", "vera", *options, "--home", made)
    assert refused.code == 2
    assert error_of(refused)


def test_a_folder_that_cannot_be_written_is_named(call, error_of, made):
    Path("out").write_text("a file")
    refused = call("graph", "--user", "vera", "--home", made)
    assert refused.code == 2
    assert "--out" in error_of(refused)


@pytest.mark.parametrize(
    ("user", "stem"),
    [
        ("anya", "anya"),
        ("conv-26:Caroline", "conv-26_Caroline-abcdef"),
        ("../../etc/passwd", "etc_passwd-abcdef"),
        ("Аня", "Аня-abcdef"),
        ("аня", "аня"),
        ("\ud83d", "person-abcdef"),
        ("...", "person-abcdef"),
        ("x" * 300, "x" * 60 + "-abcdef"),
    ],
)
def test_a_persons_name_becomes_a_safe_file_name(user, stem):
    assert file_stem(user, ident="abcdef0123") == stem
