"""Pairs by t-norms of memberships (Campello 2007)."""

import itertools

import numpy as np

from concordant.catalogue import TNorm
from concordant.exact import summed
from concordant.execution.run import Run
from concordant.families.pair_table import PairTable
from concordant.families.t_norms import T_NORMS
from concordant.pairs.dense import Pairs, Vector, same_cluster
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
    u, v = Pairs(P.columns()), Pairs(Q.columns())
    V, X = same_cluster(u, P.n_clusters, t), _different_clusters(P.columns(), t_norm)
    Y, Z = same_cluster(v, Q.n_clusters, t), _different_clusters(Q.columns(), t_norm)
    return PairTable(
        summed(t(V, Y)),
        summed(t(V, Z)),
        summed(t(X, Y)),
        summed(t(X, Z)),
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
    if K == 1:
        return np.zeros(n * (n - 1) // 2)
    if t_norm == "product" and _some_negative(columns):
        pairs = Pairs(columns)
        most = np.full((n, n // 2), -np.inf)
        for k, m in itertools.permutations(range(K), 2):
            np.maximum(most, t(*pairs.both(k, m)), out=most)
        return pairs.once(most)
    where = columns.argmax(axis=0)
    largest = columns[where, np.arange(n)]
    others = columns.copy()
    others[where, np.arange(n)] = -np.inf
    pairs = Pairs(np.stack((largest, others.max(axis=0), where)))
    one, other = pairs.both(2, 2)
    return pairs.once(
        np.where(
            one != other,
            t(*pairs.both(0, 0)),
            np.maximum(t(*pairs.both(0, 1)), t(*pairs.both(1, 0))),
        )
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
