"""A fuzzy and a crisp partition: sorts of the memberships, no pairs."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.result import Concordance, assemble
from concordant.agreement.spread import spread
from concordant.engine import Engine
from concordant.families.crisp import pairs_within
from concordant.partition import Partition


def fuzzy_crisp(fuzzy: Partition, crisp: Partition, engine: Engine) -> Concordance:
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
    engine : Engine
        Where clusters are sorted.

    Returns
    -------
    Concordance
        Exact up to rounding.

    Notes
    -----
    The sum of |u_i - u_j| over all pairs takes one sort, for all objects and for those
    of each class: O(n K log n) time, O(n) memory.
    """
    sizes = np.bincount(crisp.labels)
    order = np.argsort(crisp.labels, kind="stable")
    columns = fuzzy.columns()
    K = len(columns)
    tasks = ((cluster, within) for within in (False, True) for cluster in range(K))
    spreads = list(engine.run(_spread, (columns, order, sizes), tasks))
    return fuzzy_crisp_from(
        math.fsum(spreads[:K]) / 2,
        math.fsum(spreads[K:]) / 2,
        pairs_within(sizes),
        fuzzy.n_objects,
    )


def fuzzy_crisp_from(
    T: float,
    W: float,
    M: int,
    n_objects: int,
    *,
    T_error: float = 0.0,
    W_error: float = 0.0,
) -> Concordance:
    """
    Compute the concordance from sums of the fuzzy dissimilarities.

    Parameters
    ----------
    T, W : float
        The sums over all pairs, and over those within a class.
    M : int
        How many pairs lie within a class.
    n_objects : int
        n, two at least.
    T_error, W_error : float, default=0
        Bounds of the errors of T and W.

    Returns
    -------
    Concordance
        With the errors that follow.
    """
    m = n_objects * (n_objects - 1) // 2
    pi, mu = M / m, T / m
    return assemble(
        (W + ((m - M) - (T - W))) / m,
        pi * mu + (1.0 - pi) * (1.0 - mu),
        excess=2.0 * (pi * T - W) / m,
        n_objects=n_objects,
        method="fuzzy-crisp",
        discordance_error=(T_error + 2.0 * W_error) / m,
        expected_discordance_error=abs(2.0 * pi - 1.0) * T_error / m,
    )


def _spread(
    columns: NDArray[np.float64],
    order: NDArray[np.intp],
    sizes: NDArray[Any],
    cluster: int,
    within: bool,
) -> float:
    """Sum the differences of one cluster's memberships, over all or within classes."""
    if not within:
        return spread(np.sort(columns[cluster]))
    memberships = columns[cluster][order]
    sums = []
    start = 0
    for size in sizes.tolist():
        memberships[start : start + size].sort()
        sums.append(spread(memberships[start : start + size]))
        start += size
    return math.fsum(sums)
