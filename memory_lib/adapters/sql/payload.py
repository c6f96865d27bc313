r"""What lies inside an envelope: JSON as UTF-8 in which every string comes back code point by code point.

Surrogates pass as three bytes each, so that a lone one, or two that were never a pair, return as they were; ``\u`` escapes
would join the two.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_lib.errors import IllegalValue

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_DECODER = json.JSONDecoder()


def pack(value: object) -> bytes:
    """Raises ValueError for what JSON has no word for (NaN)."""
    return _ENCODER.encode(value).encode("utf-8", "surrogatepass")


def unpack(payload: bytes) -> Any:
    """What ``pack`` was given, tuples as lists."""
    return _DECODER.decode(payload.decode("utf-8", "surrogatepass"))


def pack_floats(values: NDArray[np.float32]) -> bytes:
    """Little-endian float32 in row order."""
    return values.astype("<f4", copy=False).tobytes()


def unpack_floats(payload: bytes) -> NDArray[np.float32]:
    """A read-only vector over the payload itself."""
    return np.frombuffer(payload, dtype="<f4")


def check_vector(vector: NDArray[np.float32], shape: tuple[int, ...], fingerprint: str | None) -> None:
    """Refuse what could not be told apart from another embedder's vector when read again.

    Raises:
        IllegalValue: no fingerprint, or another shape than announced.
    """
    if fingerprint is None:
        raise IllegalValue("a vector without the fingerprint of its embedder; give the fingerprint")
    if vector.shape != shape:
        raise IllegalValue(f"a vector of shape {vector.shape} where {shape} was announced")
