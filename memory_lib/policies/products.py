"""One vector against the rows of a matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def products(rows: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The inner product of each row with ``vector``; float32 (n, d) and (d,) → (n,).

    Row by row: a product of the whole matrix is spread over the threads of BLAS, and where others want the processor too, what
    takes half a millisecond waits ten for the last of them.
    """
    found: NDArray[np.float32] = np.vecdot(rows, vector)
    return found
