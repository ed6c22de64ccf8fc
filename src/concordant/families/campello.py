"""Pairs by t-norms of memberships (Campello 2007)."""

import math

import numpy as np

from concordant.dense import Vector, same_cluster
from concordant.families.t_norms import T_NORMS, TNorm
from concordant.partition import Partition
from concordant.tables import PairTable


def campello_table(P: Partition, Q: Partition, t_norm: TNorm) -> PairTable:
    """
    Join a pair to the degree that some cluster holds both objects.

    With V = max_k t(u_ik, u_jk) and X = max_{k != l} t(u_ik, u_jl), and Y, Z likewise
    for Q: a = sum of t(V, Y), b = sum of t(V, Z), c = sum of t(X, Y), d = sum of
    t(X, Z), over all pairs i < j.

    Parameters
    ----------
    P, Q : Partition
        Two partitions of the same objects, of any kind.
    t_norm : {"min", "product"}
        t.

    Returns
    -------
    PairTable
        Of family ``"campello"``; a + b + c + d is less than the number of pairs.

    Notes
    -----
    O(n² (K + L)).

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
    cluster.
    """
    t = T_NORMS[t_norm]
    n = columns.shape[1]
    where = columns.argmax(axis=0)
    largest = columns[where, np.arange(n)]
    others = columns.copy()
    others[where, np.arange(n)] = 0.0
    second = others.max(axis=0)
    i, j = np.triu_indices(n, 1)
    return np.where(
        where[i] != where[j],
        t(largest[i], largest[j]),
        np.maximum(t(largest[i], second[j]), t(second[i], largest[j])),
    )
