"""Entropies of a soft contingency table."""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from concordant.terms.contingency import Contingency

Vector = NDArray[np.float64]

_LOGARITHMS = 4 * 2.0**-53  # the relative error of one and of its argument
_LEAST = 2.0**-400  # in relation to the largest: what cells are left out


@dataclass(frozen=True)
class Information:
    """
    Entropies of the clusters of P and of Q, and what is left of them given the other.

    Each sum of two of them is at most `error` from the exact one. `known` is whether no
    cluster was too small to be added.
    """

    of_p: float
    of_q: float
    p_given_q: float
    q_given_p: float
    error: float
    known: bool = True

    @property
    def of_both(self) -> float:
        """The sum of both entropies."""
        return self.of_p + self.of_q

    @property
    def unexplained(self) -> float:
        """The variation of information: what neither tells of the other."""
        return self.p_given_q + self.q_given_p

    @property
    def mutual(self) -> float:
        """The mutual information."""
        return max(0.0, 0.5 * (self.of_both - self.unexplained))


def information(table: Contingency) -> Information:
    """Read the cells, divided by their sum, as a joint distribution of clusters."""
    largest = float(table.cells.max(initial=0))
    # Negative ones are rounding that was let in, and the least change no sum.
    present = table.cells > _LEAST * largest
    rows, columns = table.rows[present], table.columns[present]
    n_seen = np.unique(rows).size, np.unique(columns).size
    known = n_seen[0] >= table.n_used[0] and n_seen[1] >= table.n_used[1]
    # By a power of 2, which is exact: no product of two is too small for a double.
    cells = np.ldexp(table.cells[present].astype(np.float64), -math.frexp(largest)[1])
    # The margins of the cells themselves, so that no share is more than 1.
    total = math.fsum(cells)
    if total == 0.0:
        return Information(0.0, 0.0, 0.0, 0.0, 0.0)
    margins_p = _margins(rows, cells, table.shape[0])
    margins_q = _margins(columns, cells, table.shape[1])
    of_p, of_q = _entropy(margins_p, total), _entropy(margins_q, total)
    # No logarithm is of more than 1, and all are 0 if the clusters are the same.
    shares = cells / total
    p_given_q = _sum(-shares * np.log(cells / margins_q[columns]))
    q_given_p = _sum(-shares * np.log(cells / margins_p[rows]))
    # What errors of cells, margins and logarithms do to sums of two.
    relative = table.rounding + _LOGARITHMS
    error = relative * (8.0 + 4.0 * (p_given_q + q_given_p) + 2.0 * (of_p + of_q))
    return Information(of_p, of_q, p_given_q, q_given_p, error, known)


def _margins(clusters: NDArray[np.int64], cells: Vector, size: int) -> Vector:
    """Sum the cells of each cluster, whatever their order."""
    order = np.lexsort((cells, clusters))
    starts = np.searchsorted(clusters[order], np.arange(size + 1))
    ordered = cells[order].tolist()
    return np.array([math.fsum(ordered[i:j]) for i, j in pairwise(starts)])


def _entropy(margins: Vector, total: float) -> float:
    shares = margins[margins > 0.0] / total
    return _sum(-shares * np.log(shares))


def _sum(parts: Vector) -> float:
    """Add up what is not negative but for rounding, and never to -0."""
    return max(0.0, math.fsum(parts))
