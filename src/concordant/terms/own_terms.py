"""What belongs to one partition alone: computed once, and kept with it."""

import numpy as np
from numpy.typing import NDArray

from concordant.pairs.bands import Tiles, unrolled
from concordant.pairs.dense import dissimilarities
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]

# For so many objects sorting takes longer than NumPy, and Numba longer to be imported.
_IN_NUMPY = 1024


def all_dissimilarities(columns: Vector) -> Vector:
    """Give the dissimilarities of all pairs, in an order that depends on n alone."""
    n = columns.shape[1]
    if n <= _IN_NUMPY:
        return dissimilarities(columns)
    from concordant.kernels.visits import band_dissimilarities

    columns = unrolled(columns)
    pairs = np.empty(n * (n - 1) // 2)
    start = 0
    tiles = Tiles(n)
    for band in tiles.bands(0, len(tiles)):
        band_dissimilarities(columns, *band, pairs[start : start + band.n_pairs])
        start += band.n_pairs
    return pairs


def dissimilarities_of(P: Partition) -> Vector:
    """Give the dissimilarities of all pairs of a partition of few objects."""
    return P.kept_terms.get("dissimilarities", lambda: all_dissimilarities(P.columns()))


def sorted_dissimilarities_of(P: Partition) -> Vector:
    """Give the same in ascending order."""
    return P.kept_terms.get(
        "sorted dissimilarities", lambda: np.sort(dissimilarities_of(P))
    )
