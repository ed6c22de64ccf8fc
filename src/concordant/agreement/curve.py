"""An order of objects in which neighbours are alike, so that their bins are near."""

import math

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Integers = NDArray[np.int64]

_MOST_CLUSTERS = 3  # clusters that the curve goes through
_BITS = 5  # of a membership; with three clusters a place on the curve has 15
_BLOCK = 512  # neighbours that stay together: some more than a band's shifts


def along_curve(p: Vector, q: Vector) -> Integers:
    """
    Put objects in the order of a curve through the memberships of one partition.

    Parameters
    ----------
    p, q : ndarray of shape (K, n) and (L, n)
        Memberships, one cluster per row.

    Returns
    -------
    ndarray of shape (n,)
        Each object once. The two partitions may be exchanged.

    Notes
    -----
    The distances from some neighbours to others lie close together, and their bins in
    the cache. As neighbours are no fair sample of all objects, blocks of them come in
    random order: so tiles tell early, but for the first, what the result will be like.
    """
    chosen = _most_varied(p, q)
    low = chosen.min(axis=1, keepdims=True)
    reach = chosen.max(axis=1, keepdims=True) - low
    # Divided first: the inverse of the least doubles is no double.
    shares = (chosen - low) / np.where(reach > 0.0, reach, 1.0)
    levels = (shares * (2**_BITS - 1)).astype(np.uint16)
    places = np.zeros(levels.shape[1], dtype=np.uint16)
    for k, spaced in enumerate(_spaced(len(levels))[levels]):
        places |= spaced << np.uint16(k)
    order = np.argsort(places, kind="stable")
    blocks = np.array_split(order, -(-order.size // _BLOCK))
    shuffled = np.random.default_rng(0).permutation(len(blocks))
    return np.concatenate([blocks[b] for b in shuffled])


def _most_varied(p: Vector, q: Vector) -> Vector:
    """Give the clusters that vary most, where fewer vary, or by more if as many do."""
    in_order = (p, q) if _comes_first(p, q) else (q, p)
    sides = [(columns, columns.var(axis=1)) for columns in in_order]
    columns, variances = min(
        sides, key=lambda side: (np.count_nonzero(side[1]), -math.fsum(side[1]))
    )
    n_chosen = max(1, min(np.count_nonzero(variances), _MOST_CLUSTERS))
    return np.asarray(columns[np.argsort(-variances, kind="stable")[:n_chosen]])


def _comes_first(p: Vector, q: Vector) -> bool:
    """Tell which comes first where all else is equal: the first number that is not."""
    if len(p) != len(q):
        return len(p) < len(q)
    differ = p != q
    first = np.unravel_index(np.argmax(differ), differ.shape)
    return bool(p[first] <= q[first])


def _spaced(gap: int) -> NDArray[np.uint16]:
    """List the numbers of so many bits, with the bits of each moved apart."""
    numbers = np.arange(2**_BITS, dtype=np.uint16)
    spaced = np.zeros_like(numbers)
    for bit in range(_BITS):
        spaced |= ((numbers >> np.uint16(bit)) & np.uint16(1)) << np.uint16(bit * gap)
    return spaced
