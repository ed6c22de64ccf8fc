"""A fuzzy and a crisp partition: sorts of the memberships, no pairs."""

import math

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.beyond_one import BeyondOne, beyond_one
from concordant.agreement.classes import Positions, classes_of, sorted_within
from concordant.agreement.result import Concordance, assemble
from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.agreement.spread import SPREAD_ERROR, spread
from concordant.execution.engine import Engine
from concordant.families.crisp import pairs_within
from concordant.partition.partition import Partition


def fuzzy_crisp(fuzzy: Partition, crisp: Partition, engine: Engine) -> Concordance:
    """
    Compute the concordance of a fuzzy and a crisp partition.

    With T the sum of the fuzzy dissimilarities x over all m pairs, Z that of
    max(x - 1, 0), W and V the same over the M pairs within a class, and pi = M / m:
    m d = W + (m - M) - (T - W) + 2 (Z - V) and
    m E[d] = pi T + (1 - pi)(m - T + 2 Z).

    Parameters
    ----------
    fuzzy, crisp : Partition
        Partitions of the same objects.
    engine : Engine
        Where clusters are sorted.

    Returns
    -------
    Concordance
        With a bound of what rounding does. Z and V are 0 unless rows sum to more than
        1, and then known within bounds, of which the middle is taken.

    Notes
    -----
    The sum of |u_i - u_j| over all pairs takes one sort, for all objects and for those
    of each class, where classes of one size are sorted together: O(n K log n) time and
    O(n) memory for any number of classes.
    """
    classes = classes_of(crisp.labels)
    columns = fuzzy.columns()
    K = len(columns)
    tasks = ((cluster, within) for within in (False, True) for cluster in range(K))
    data = (columns, classes.order, classes.sizes)
    spreads = list(engine.run(_spread, data, tasks))
    T, W = math.fsum(spreads[:K]) / 2, math.fsum(spreads[K:]) / 2
    return fuzzy_crisp_from(
        T,
        W,
        pairs_within(classes.sizes),
        fuzzy.n_objects,
        T_error=SPREAD_ERROR * T,
        W_error=SPREAD_ERROR * W,
        beyond=beyond_one(columns, classes.order, classes.sizes),
    )


def fuzzy_crisp_from(
    T: float,
    W: float,
    M: int,
    n_objects: int,
    *,
    T_error: float,
    W_error: float,
    beyond: BeyondOne,
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
    T_error, W_error : float
        Bounds of the errors of T and W.
    beyond : BeyondOne
        By how much dissimilarities pass 1.

    Returns
    -------
    Concordance
        With the errors that follow.
    """
    m = n_objects * (n_objects - 1) // 2
    alike = T == T_error == 0.0
    if m == M and alike:
        return assemble(0.0, 0.0, n_objects=n_objects, method="fuzzy-crisp")
    if m == M:
        W, W_error = T, T_error
    pi = M / m
    Z, V = beyond.overall, beyond.within
    # Numbers up to 2 m are added a dozen times.
    rounding = 16.0 * UNIT_ROUNDOFF * (m + T + W)
    outside = T_error + W_error + 2.0 * (Z.error + V.error) if m > M else 0.0
    d = (W + (((m - M) - (T - W)) + 2.0 * (Z.value - V.value))) / m
    d_error = (W_error + outside + rounding) / m
    expected = (pi * T + (1.0 - pi) * ((m - T) + 2.0 * Z.value)) / m
    e_error = abs(2.0 * pi - 1.0) * T_error + 2.0 * (1.0 - pi) * Z.error + rounding
    return assemble(
        d,
        expected,
        constant=M in (0, m) or alike,
        n_objects=n_objects,
        method="fuzzy-crisp",
        discordance_error=d_error,
        expected_discordance_error=e_error / m,
    )


def _spread(
    columns: NDArray[np.float64],
    order: Positions,
    sizes: Positions,
    cluster: int,
    within: bool,
) -> float:
    """Sum the differences of one cluster's memberships, over all or within classes."""
    if not within:
        return spread(np.sort(columns[cluster]))
    return math.fsum(map(spread, sorted_within(columns[cluster], order, sizes)))
