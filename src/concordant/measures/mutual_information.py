"""How much two partitions tell of each other, from their soft contingency table."""

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.measures.comparing import compare
from concordant.measures.scores import Score
from concordant.partition.alignment import Align
from concordant.terms.contingency import Contingency

Vector = NDArray[np.float64]

_LOGARITHMS = 4 * 2.0**-53  # the relative error of one and of its argument
_LEAST = 2.0**-400  # in relation to the largest: what cells are left out


def normalized_mutual_information(
    P: object, Q: object, *, n_jobs: int | None = None, align: Align = "position"
) -> float:
    """
    Return the mutual information of two partitions, divided by their mean entropy.

    The cells of U'V, divided by their sum, are read as the joint distribution of a
    cluster of P and a cluster of Q.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

    Returns
    -------
    float
        From 0 (clusters are independent) to 1. For crisp partitions it is the
        normalized mutual information with the arithmetic mean, and 1 for equal ones; a
        fuzzy partition does not reach 1 with itself. It is not corrected for chance.

    Notes
    -----
    It is 1 if both partitions have only one cluster that is not empty, and 0 if only
    one has.

    References
    ----------
    Lei, Bezdek, Chan, Vinh, Romano, Bailey (2014), IEEE Symposium on Computational
    Intelligence and Data Mining, 24-31.

    Examples
    --------
    >>> import concordant as cc
    >>> round(cc.normalized_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 6)
    0.8
    """
    found = compare(P, Q, indices=["nmi"], n_jobs=n_jobs, align=align)
    return found["nmi"]


def nmi(terms: Mapping[str, Any]) -> Score:
    """Take the share of the entropies that neither explains of the other from 1."""
    table: Contingency = terms["contingency"]
    largest = float(table.cells.max(initial=0))
    # Negative ones are rounding that was let in, and the least change no sum.
    present = table.cells > _LEAST * largest
    rows, columns = table.rows[present], table.columns[present]
    # By a power of 2, which is exact: no product of two is too small for a double.
    cells = np.ldexp(table.cells[present].astype(np.float64), -math.frexp(largest)[1])
    # The margins of the cells themselves, so that no share is more than 1.
    total = math.fsum(cells)
    if total == 0.0:
        return Score(1.0, 0.0)
    margins_p = _margins(rows, cells, table.shape[0])
    margins_q = _margins(columns, cells, table.shape[1])
    entropies = _entropy(margins_p, total) + _entropy(margins_q, total)
    if entropies == 0.0:
        nothing_left_out = np.count_nonzero(table.cells > 0.0) == cells.size
        return Score(1.0, 0.0 if nothing_left_out else 1.0)
    # H(P | Q) and H(Q | P): no logarithm is of more than 1, and all are 0 if equal.
    logs = np.log(cells / margins_p[rows]) + np.log(cells / margins_q[columns])
    unexplained = -math.fsum(cells / total * logs)
    value = max(0.0, 1.0 - unexplained / entropies)
    # What errors of cells, margins and logarithms do to both sums.
    relative = table.rounding + _LOGARITHMS
    lost = relative * (8.0 + 4.0 * unexplained + 2.0 * entropies)
    return Score(value, min(1.0, 2.0 * lost * (1.0 + value) / entropies))


def _margins(clusters: NDArray[np.int64], cells: Vector, size: int) -> Vector:
    """Sum the cells of each cluster, whatever their order."""
    order = np.lexsort((cells, clusters))
    starts = np.searchsorted(clusters[order], np.arange(size + 1))
    ordered = cells[order].tolist()
    return np.array([math.fsum(ordered[i:j]) for i, j in pairwise(starts)])


def _entropy(margins: Vector, total: float) -> float:
    shares = margins[margins > 0.0] / total
    return max(0.0, -math.fsum(shares * np.log(shares)))
