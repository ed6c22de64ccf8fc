"""Pairs by t-norms of memberships (Campello 2007)."""

import itertools
import math

import numpy as np

from concordant.catalogue import TNorm
from concordant.execution.run import Run
from concordant.families.pair_table import PairTable
from concordant.families.t_norms import T_NORMS
from concordant.pairs.dense import Vector, same_cluster
from concordant.pairs.strata import Strata
from concordant.partition.partition import Partition
from concordant.terms.sampled_tables import Reach


def campello_table(P: Partition, Q: Partition, t_norm: TNorm) -> PairTable:
    """
    Join a pair of few objects to the degree that some cluster holds both.

    With V = max_k t(u_ik, u_jk) and X = max_{k != l} t(u_ik, u_jl), and Y, Z likewise
    for Q: a = sum of t(V, Y), b = sum of t(V, Z), c = sum of t(X, Y), d = sum of
    t(X, Z), over all pairs i < j; a + b + c + d is less than the number of pairs.

    Notes
    -----
    O(n² (K + L)) time and O(n²) memory.

    References
    ----------
    Campello (2007), Pattern Recognition Letters 28(7).
    """
    t = T_NORMS[t_norm]
    u, v = P.columns(), Q.columns()
    V, X = same_cluster(u, t), _different_clusters(u, t_norm)
    Y, Z = same_cluster(v, t), _different_clusters(v, t_norm)
    return PairTable(
        math.fsum(t(V, Y)),
        math.fsum(t(V, Z)),
        math.fsum(t(X, Y)),
        math.fsum(t(X, Z)),
        "campello",
        t_norm,
    )


def _different_clusters(columns: Vector, t_norm: TNorm) -> Vector:
    """
    Give max_{k != l} t(u_ik, u_jl) for all pairs i < j.

    A t-norm grows with both arguments, so that only the largest membership of each
    object matters, or its second largest where both objects have theirs in the same
    cluster. A product does so unless memberships are negative.
    """
    t = T_NORMS[t_norm]
    K, n = columns.shape
    i, j = np.triu_indices(n, 1)
    if t_norm == "product" and _some_negative(columns):
        most = np.full(i.size, -np.inf if K > 1 else 0.0)
        for k, m in itertools.permutations(range(K), 2):
            np.maximum(most, columns[k, i] * columns[m, j], out=most)
        return most
    where = columns.argmax(axis=0)
    largest = columns[where, np.arange(n)]
    others = columns.copy()
    others[where, np.arange(n)] = -np.inf if K > 1 else 0.0
    second = others.max(axis=0)
    return np.where(
        where[i] != where[j],
        t(largest[i], largest[j]),
        np.maximum(t(largest[i], second[j]), t(second[i], largest[j])),
    )


def _some_negative(columns: Vector) -> bool:
    return bool(columns.min() < 0.0)


def _reach_of_min(divided: Strata) -> tuple[float, float, float, float]:
    """Bound how far a, b, c and d can differ between two pairs of a stratum."""
    # No more than one of the memberships that they are the smallest of.
    reach = max(divided.largest_p, divided.largest_q)
    return reach, reach, reach, reach


def _reach_of_product(divided: Strata) -> tuple[float, float, float, float]:
    """Bound how far a, b, c and d can differ between two pairs of a stratum."""
    # No more than the four memberships together that they are products of.
    reach = 2.0 * (divided.largest_p + divided.largest_q)
    return reach, reach, reach, reach


CAMPELLO_REACHES: dict[TNorm, Reach] = {
    "min": _reach_of_min,
    "product": _reach_of_product,
}


def campello_family(P: Partition, Q: Partition, t_norm: TNorm, run: Run) -> PairTable:
    """Give the table of few objects as every family does."""
    return campello_table(P, Q, t_norm)
