"""A fuzzy and a crisp partition: sorts of the memberships, no pairs."""

import math

import numpy as np

from concordant.agreement.result import Concordance, assemble
from concordant.agreement.spread import spread
from concordant.families.crisp import pairs_within
from concordant.partition import Partition


def fuzzy_crisp(fuzzy: Partition, crisp: Partition) -> Concordance:
    """
    Compute the concordance of a fuzzy and a crisp partition.

    With T the sum of the fuzzy dissimilarities D over all m pairs, W that over the M
    pairs within a class, pi = M / m and mu = T / m:
    d = (W + (m - M) - (T - W)) / m, E[d] = pi mu + (1 - pi)(1 - mu) and
    E[d] - d = 2 (pi T - W) / m.

    Parameters
    ----------
    fuzzy, crisp : Partition
        Partitions of the same objects.

    Returns
    -------
    Concordance
        Exact up to rounding.

    Notes
    -----
    The sum of |u_i - u_j| over all pairs takes one sort, for all objects and for those
    of each class: O(n K log n) time, O(n) memory.
    """
    n = fuzzy.n_objects
    m = n * (n - 1) // 2
    sizes = np.bincount(crisp.labels)
    order = np.argsort(crisp.labels, kind="stable")
    ends = np.cumsum(sizes)
    overall, within = [], []
    for column in fuzzy.columns():
        by_class = column[order]
        for start, stop in zip(ends - sizes, ends, strict=True):
            by_class[start:stop].sort()
            within.append(spread(by_class[start:stop]))
        by_class.sort()
        overall.append(spread(by_class))
    T, W = math.fsum(overall) / 2, math.fsum(within) / 2
    M = pairs_within(sizes)
    pi, mu = M / m, T / m
    return assemble(
        (W + ((m - M) - (T - W))) / m,
        pi * mu + (1.0 - pi) * (1.0 - mu),
        excess=2.0 * (pi * T - W) / m,
        n_objects=n,
        method="fuzzy-crisp",
    )
