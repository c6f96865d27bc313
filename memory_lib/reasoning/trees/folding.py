"""Lower case that keeps places: the folded text has exactly as many code points as the text."""

from __future__ import annotations


def fold(text: str) -> str:
    """Lower case, ``ё`` as ``е``, typographic apostrophes as ``'``; ``fold(text)[a:b]`` stands where ``text[a:b]`` stands."""
    lowered = text.lower()
    if len(lowered) != len(text):  # "İ" has a lower case of two code points
        lowered = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    return lowered.translate(_SAME)


_SAME = str.maketrans({"ё": "е", "’": "'", "‘": "'", "ʼ": "'", "\u00a0": " "})
