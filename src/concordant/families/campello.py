"""Pairs by t-norms of memberships (Campello 2007)."""

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import TNorm
from concordant.execution.checkpoint import Job
from concordant.execution.engine import Engine
from concordant.execution.progress import Watch
from concordant.execution.run import Run
from concordant.families.pair_table import PairTable
from concordant.families.t_norms import (
    KERNEL_CODES,
    PRODUCT_OF_ANY,
    T_NORMS,
)
from concordant.pairs.bands import Band
from concordant.pairs.dense import Vector, few_objects, same_cluster
from concordant.pairs.strata import Strata
from concordant.partition.partition import Partition
from concordant.terms.visited_pairs import (
    Reach,
    Sampling,
    Sums,
    VisitedPairs,
    exact_sums,
    visiting,
)


def campello_table(
    P: Partition,
    Q: Partition,
    t_norm: TNorm,
    engine: Engine | None = None,
    watch: Watch | None = None,
    sampling: Sampling | None = None,
    job: Job | None = None,
) -> PairTable:
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
    engine : Engine, optional
        Where bands of pairs are visited; one thread by default.
    watch : Watch, optional
        Told how far it is.
    sampling : Sampling, optional
        How to visit some pairs only.
    job : Job, optional
        Where what is done is kept.

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
    if sampling is not None or not few_objects(P.n_objects):
        visited = VisitedPairs("campello", t_norm, P.n_objects, engine, watch, job)
        p, q = P.columns(), Q.columns()
        columns = (p, q, *_two_largest(p), *_two_largest(q))
        code = _code(P, Q, t_norm)
        return visited.table(_visit, columns, code, sampling, _REACHES[t_norm])
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


def _code(P: Partition, Q: Partition, t_norm: TNorm) -> int:
    """Name a t-norm as the kernel knows it."""
    if t_norm == "product" and any(_some_negative(X.columns()) for X in (P, Q)):
        return PRODUCT_OF_ANY
    return KERNEL_CODES[t_norm]


def _two_largest(columns: Vector) -> tuple[Vector, Vector, NDArray[np.int64]]:
    from concordant.kernels.each_row import two_largest

    n = columns.shape[1]
    largest, second = np.empty(n), np.empty(n)
    where = np.empty(n, dtype=np.int64)
    two_largest(columns, largest, second, where)
    return largest, second, where


def _visit(
    p: Vector,
    q: Vector,
    largest_p: Vector,
    second_p: Vector,
    where_p: NDArray[np.int64],
    largest_q: Vector,
    second_q: Vector,
    where_q: NDArray[np.int64],
    t_norm: int,
    bands: list[Band],
) -> Sums:
    from concordant.kernels.visits import band_campello

    sums = np.empty((len(bands), 4))
    for band, out in zip(bands, sums, strict=True):
        band_campello(
            p,
            q,
            largest_p,
            second_p,
            where_p,
            largest_q,
            second_q,
            where_q,
            *band,
            t_norm,
            out,
        )
    return exact_sums(sums)


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


_REACHES: dict[TNorm, Reach] = {"min": _reach_of_min, "product": _reach_of_product}


def campello_family(P: Partition, Q: Partition, t_norm: TNorm, run: Run) -> PairTable:
    """Give the table as every family does."""
    return campello_table(P, Q, t_norm, *visiting("campello", t_norm, P, Q, run))
