"""Memberships of two partitions in units in which their distances are near 1."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.roundoff import of_dissimilarities
from concordant.agreement.sparse_rows import SparseRows, sparse_rows
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]

# Beyond this squares, reciprocals and halves of distances lose nothing.
_SMALL = 2.0**-64


@dataclass(frozen=True)
class Scaled:
    """
    Memberships times a power of two, which changes none of their digits.

    Parameters
    ----------
    p, q : ndarray of shape (K, n) and (L, n)
        One cluster per row.
    exponent : int
        Of the power of two.
    upper : float
        No L1 distance of two objects, as computed in any order, is larger; 0 if and
        only if all objects are alike, in P and in Q.
    varied : tuple of two int
        In how many clusters of P, and of Q, memberships differ.
    """

    p: Vector
    q: Vector
    exponent: int
    upper: float
    varied: tuple[int, int]

    @property
    def one_is_constant(self) -> bool:
        """Whether all objects are alike in P, or in Q."""
        return 0 in self.varied

    @cached_property
    def sparse(self) -> tuple[SparseRows | None, SparseRows | None]:
        """How distances of P, and of Q, are added up if zeros are left out."""
        return sparse_rows(self.p), sparse_rows(self.q)

    def rounding(self, mean_x: float, mean_y: float) -> float:
        """Bound how far differences of dissimilarities are off on average."""
        return math.fsum(
            of_dissimilarities(K, mean) if rows is None else rows.rounding(mean)
            for K, rows, mean in zip(
                self.varied, self.sparse, (mean_x, mean_y), strict=True
            )
        )


def scaled(P: Partition, Q: Partition) -> Scaled:
    """
    Scale two partitions of the same objects, if their distances are tiny.

    Parameters
    ----------
    P, Q : Partition
        Crisp or fuzzy ones.

    Returns
    -------
    Scaled
        As they are, but where no distance is above 2^-64: then the largest is near 1.

    Notes
    -----
    Clusters whose memberships are all the same make no difference and are set to 0
    then. In the others two memberships differ by less than 2^-64, so that none is
    larger than 2^-11, and multiplied it stays far below the largest double.
    """
    p, q = P.columns(), Q.columns()
    (upper_p, varied_p), (upper_q, varied_q) = _bound(p), _bound(q)
    upper, varied = max(upper_p, upper_q), (varied_p, varied_q)
    if upper == 0.0 or upper > _SMALL:
        return Scaled(p, q, 0, upper, varied)
    exponent = -math.frexp(upper)[1]
    p, q = _times_power(p, exponent), _times_power(q, exponent)
    return Scaled(p, q, exponent, max(upper_bound(p), upper_bound(q)), varied)


def upper_bound(columns: Vector) -> float:
    """Bound the L1 distances of objects: by ranges, or by twice the longest row."""
    return _bound(columns)[0]


def _bound(columns: Vector) -> tuple[float, int]:
    """Do so, and tell in how many clusters memberships differ."""
    lowest = columns.min(axis=1)
    ranges = columns.max(axis=1) - lowest
    n_varied = int(np.count_nonzero(ranges))
    if n_varied == 0:
        return 0.0, 0
    sizes = columns if lowest.min() >= 0.0 else np.abs(columns)
    longest = float(sizes.sum(axis=0).max())
    # Sums of K numbers in two orders differ by less than K units of rounding each.
    margin = 1.0 + (n_varied + 2) * 2.0**-51
    return min(math.fsum(ranges), 2.0 * longest) * margin, n_varied


def _times_power(columns: Vector, exponent: int) -> Vector:
    kept = np.where(_varied(columns)[:, None], columns, 0.0)
    return np.asarray(np.ldexp(kept, exponent))


def _varied(columns: Vector) -> NDArray[np.bool_]:
    """Tell of each cluster whether memberships differ."""
    return np.asarray(columns.max(axis=1) > columns.min(axis=1))
