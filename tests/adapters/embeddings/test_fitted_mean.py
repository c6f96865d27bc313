"""An embedder's mean is fitted once, on sentences of our own, and kept where it cannot be taken for another's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memory_lib.adapters.embeddings.fitted_mean import FittedMean, are_russian, sentences
from memory_lib.errors import DependencyDown


class Lengths:
    """Counts what it was asked. Russian sentences lie elsewhere, so that their share would show."""

    def __init__(self) -> None:
        self.asked = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += len(texts)
        return np.array([[1.0, 0.0] if russian else [0.0, 1.0] for russian in are_russian(texts)], np.float32)


def made(folder: Path, fingerprint: str = "lengths/2", dimension: int = 2) -> FittedMean:
    return FittedMean(folder, fingerprint=fingerprint, dimension=dimension)


def test_the_sentences_are_half_russian_and_half_english_and_none_comes_twice() -> None:
    texts = sentences()
    assert len(texts) == len(set(texts)) == 300
    assert are_russian(texts).sum() == 150


def test_it_is_fitted_once_and_kept(tmp_path: Path) -> None:
    model = Lengths()
    mean = made(tmp_path / "means").get(model.embed)
    np.testing.assert_allclose(mean, [0.5, 0.5])
    assert model.asked == 300
    again = made(tmp_path / "means")
    np.testing.assert_array_equal(again.get(model.embed), mean)
    again.get(model.embed)
    assert model.asked == 300
    with pytest.raises(ValueError, match="read-only"):
        mean[0] = 1.0


def test_another_fingerprint_has_a_mean_of_its_own(tmp_path: Path) -> None:
    model = Lengths()
    made(tmp_path).get(model.embed)
    made(tmp_path, "lengths/2/b").get(model.embed)
    assert model.asked == 600
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut", b"\x00" * 100])
def test_a_broken_file_is_fitted_again(tmp_path: Path, content: bytes) -> None:
    model = Lengths()
    made(tmp_path).get(model.embed)
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    np.testing.assert_allclose(made(tmp_path).get(model.embed), [0.5, 0.5])
    assert model.asked == 600
    made(tmp_path).get(model.embed)
    assert model.asked == 600


def test_a_file_of_another_embedder_under_this_name_is_not_believed(tmp_path: Path) -> None:
    model = Lengths()
    made(tmp_path).get(model.embed)
    (file,) = tmp_path.iterdir()
    for stored in ({"fingerprint": np.array("other"), "mean": np.zeros(2)}, {"mean": np.zeros(2)}):
        np.savez(file, **stored)
        np.testing.assert_allclose(made(tmp_path).get(model.embed), [0.5, 0.5])
    np.savez(file, fingerprint=np.array("lengths/2"), mean=np.array([np.nan, 0.0]))
    np.testing.assert_allclose(made(tmp_path).get(model.embed), [0.5, 0.5])


def test_an_embedder_that_is_away_leaves_nothing_behind(tmp_path: Path) -> None:
    def away(_texts: Sequence[str]) -> NDArray[np.float32]:
        raise DependencyDown("embedder", "away")

    mean = made(tmp_path / "means")
    with pytest.raises(DependencyDown):
        mean.get(away)
    assert not (tmp_path / "means").exists()
    np.testing.assert_allclose(mean.get(Lengths().embed), [0.5, 0.5])


def test_its_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    made(tmp_path / "means").get(Lengths().embed)
    (file,) = (tmp_path / "means").iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert (tmp_path / "means").stat().st_mode & 0o077 == 0
