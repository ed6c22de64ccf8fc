"""What a sample of pairs would take, told by the pairs of a few objects."""

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.spread import mean_differences

Vector = NDArray[np.float64]

_SIDE = 64  # objects on either side: their pairs take less than a millisecond

#: The fewest objects of which so many can be looked at.
FEWEST = 2 * _SIDE


def spread_of_pairs(p: Vector, q: Vector) -> float:
    """
    Estimate how much pairs differ in what they say of ACI, beside what objects say.

    Parameters
    ----------
    p, q : ndarray of shape (K, n) and (L, n)
        Memberships, one cluster per row, of at least `FEWEST` objects.

    Returns
    -------
    float
        A standard deviation: that of a mean over N pairs in which every object stands
        equally often is this divided by the square root of N. 0 if all of the pairs
        that are looked at are the same.

    Notes
    -----
    A pair enters ACI, to first order, by ``d / E[d] * (mean of |x - Y| + mean of
    |X - y|) - |x - y|``, divided by E[d]. Rows and columns of a table of these, 64
    objects against 64 others, tell what is due to the objects; what is left over is
    due to the pair. Always the same pairs are looked at, so that what is decided by
    this depends on the data alone.
    """
    drawn = np.random.default_rng(0).choice(p.shape[1], FEWEST, replace=False)
    x, y = (_distances(u[:, drawn[:_SIDE]], u[:, drawn[_SIDE:]]) for u in (p, q))
    to_q = mean_differences(x, np.sort(y, axis=None))
    to_p = mean_differences(y, np.sort(x, axis=None))
    difference = np.abs(x - y)
    expected = float(to_q.mean())
    if expected == 0.0:
        return 0.0
    said = difference.mean() / expected * (to_q + to_p) - difference
    said -= said.mean(axis=0)
    said -= said.mean(axis=1, keepdims=True)
    return float(np.linalg.norm(said / expected)) / (_SIDE - 1)


def _distances(u: Vector, v: Vector) -> Vector:
    """Give the L1 distances of all objects on one side to all on the other."""
    return np.asarray(np.abs(u[:, :, None] - v[:, None, :]).sum(axis=0))
