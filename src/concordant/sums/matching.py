"""Which cluster of one partition is which of another, and how far they then agree."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Matrix
from concordant.bounded import SUM_ROUNDOFF, UNIT_ROUNDOFF
from concordant.execution.engine import Engine
from concordant.execution.run import Run
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, shortened
from concordant.sums.object_sums import BLOCK, comes_later
from concordant.sums.products import (
    MembershipSums,
    Moments,
    MomentSums,
    Products,
)
from concordant.wording import count

Clusters = NDArray[np.intp]
Matched = tuple[Clusters, Clusters]

#: How far apart memberships are that are matched.
Distance = Literal["euclidean", "manhattan", "cosine"]


@dataclass(frozen=True, eq=False)
class Matching(Readable):
    """
    Clusters of P and of Q that belong together, and the agreement of memberships.

    It prints as a table, in a terminal and in a notebook.

    Parameters
    ----------
    clusters_p, clusters_q : ndarray of int
        The numbers of the clusters that are matched: cluster ``clusters_p[k]`` of P
        with cluster ``clusters_q[k]`` of Q, in the order of those of P. Of the
        partition with more clusters some have no partner.
    agreement : float
        From 0 to 1, which equal memberships reach.
    error : float
        How far the agreement may be from the largest of all matchings.
    names : tuple of two sequences, optional
        What all clusters of P and of Q are called, if not by their numbers.
    """

    clusters_p: Clusters
    clusters_q: Clusters
    agreement: float
    error: float
    names: tuple[NDArray[Any], NDArray[Any]] | None = None

    def _shown(self) -> Shown:
        of_p, of_q = self.clusters_p, self.clusters_q
        if self.names is not None:
            of_p, of_q = self.names[0][of_p], self.names[1][of_q]
        rows = [[*map(shortened, pair)] for pair in zip(of_p, of_q, strict=True)]
        title = f"{count(len(rows), 'cluster')} matched: agreement {self.agreement:.6f}"
        return Shown(title, header=("cluster of P", "cluster of Q"), rows=rows)


def best_pairs(gains: Matrix) -> Matched:
    """Return the rows and columns of a one-to-one matching with the largest sum."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(gains, maximize=True)
    return rows, columns


def matching_of_run(P: Partition, Q: Partition, run: Run) -> Matching:
    """Match clusters for an index, by the distance of its options."""
    return matching(P, Q, run.options.get("distance", "euclidean"), run.engine)


def matching(
    P: Partition, Q: Partition, distance: Distance, engine: Engine
) -> Matching:
    """
    Match clusters one to one so that memberships are as near as possible.

    Exchanging P and Q changes no bit: ties are broken in one order of the two.
    """
    if comes_later(P, Q):
        found = matching(Q, P, distance, engine)
        both = found.clusters_q, found.clusters_p
        order = np.argsort(both[0], kind="stable")
        return Matching(both[0][order], both[1][order], found.agreement, found.error)
    gains, inexact = _gains(P, Q, distance, engine)
    matched = best_pairs(gains)
    return Matching(*matched, *_agreement(P, Q, matched, distance, inexact))


def _gains(
    P: Partition, Q: Partition, distance: Distance, engine: Engine
) -> tuple[Matrix, float]:
    """
    Return what matching two clusters saves, and how far a sum over pairs may be off.

    If all clusters have partners, a constant may be left out, and nothing cancels.
    """
    K, L, n = P.n_clusters, Q.n_clusters, P.n_objects
    solving = 8 * (K + L) * UNIT_ROUNDOFF
    if distance == "manhattan":
        gains = _shared(P, Q)
        return gains, (4.0 * SUM_ROUNDOFF + solving) * 2.0 * n
    if K == L and "crisp" not in (P.kind, Q.kind):
        found: Moments = MomentSums.of(P, Q, engine)
        sizes, rounding, gains = found.sizes, found.rounding, found.cross
    else:
        sums: Products = MembershipSums.of(P, Q, engine)
        sizes, gains = (sums.squares_p, sums.squares_q), sums.cross
        rounding = (min(n, BLOCK) + 4) * UNIT_ROUNDOFF
    return gains, (rounding + solving) * math.sqrt(sizes[0] * sizes[1])


def _agreement(
    P: Partition, Q: Partition, matched: Matched, distance: Distance, inexact: float
) -> tuple[float, float]:
    """Return 1 minus the distance of matched memberships as a share of its largest."""
    n, power = P.n_objects, 1 if distance == "manhattan" else 2
    scales = (1.0, 1.0)
    if distance == "cosine":
        scales = 1.0 / math.sqrt(_size(P)), 1.0 / math.sqrt(_size(Q))
    apart = _apart(P, Q, matched, scales, power)
    # Both the sum of gains that was found and another may be off; each saves twice.
    saved = 4.0 * inexact * scales[0] * scales[1]
    lost = (SUM_ROUNDOFF + 8.0 * UNIT_ROUNDOFF) * apart
    if distance == "manhattan":
        return 1.0 - apart / (2 * n), (saved + lost) / (2 * n) + UNIT_ROUNDOFF
    if distance == "cosine":
        scaling = 4.0 * SUM_ROUNDOFF
        lost += scaling * (2.0 * math.sqrt(apart) + scaling)
        return 1.0 - apart / 2.0, (saved + lost) / 2.0 + UNIT_ROUNDOFF
    most = math.sqrt(2.0 * n)
    nearest = math.sqrt(max(apart - saved - lost, 0.0))
    error = (math.sqrt(apart) - nearest) / most
    return 1.0 - math.sqrt(apart) / most, error + SUM_ROUNDOFF


def _apart(
    P: Partition, Q: Partition, matched: Matched, scales: Sequence[float], power: int
) -> float:
    """Sum absolute differences of matched memberships, or their squares."""
    alone_p, alone_q = (
        np.setdiff1d(np.arange(X.n_clusters), some)
        for X, some in zip((P, Q), matched, strict=True)
    )
    parts = []
    for start in range(0, P.n_objects, BLOCK):
        p, q = (
            scale * np.ascontiguousarray(X.rows(start, start + BLOCK).T)
            for X, scale in zip((P, Q), scales, strict=True)
        )
        for x in (p[matched[0]] - q[matched[1]], p[alone_p], q[alone_q]):
            parts += _sums(x, power)
    return math.fsum(parts)


def _shared(P: Partition, Q: Partition) -> Matrix:
    """Return |u_k| + |v_l| - |u_k - v_l| for all clusters, by the L1 norm."""
    apart = np.zeros((P.n_clusters, Q.n_clusters))
    sizes_p, sizes_q = np.zeros((P.n_clusters, 1)), np.zeros(Q.n_clusters)
    for start in range(0, P.n_objects, BLOCK):
        p, q = (X.rows(start, start + BLOCK) for X in (P, Q))
        sizes_p += np.abs(p).sum(axis=0)[:, np.newaxis]
        sizes_q += np.abs(q).sum(axis=0)
        others = np.ascontiguousarray(q.T)
        for k, u in enumerate(p.T):
            apart[k] += np.abs(others - u).sum(axis=1)
    # Sizes tell nothing where all are matched.
    return -apart if P.n_clusters == Q.n_clusters else sizes_p + sizes_q - apart


def _size(partition: Partition) -> float:
    """Return the sum of squared memberships."""
    return math.fsum(
        part
        for start in range(0, partition.n_objects, BLOCK)
        for part in _sums(partition.rows(start, start + BLOCK).T, 2)
    )


def _sums(x: Matrix, power: int) -> list[float]:
    """Sum absolute values or squares by cluster, of which empty ones change no bit."""
    y = np.ascontiguousarray(np.abs(x) if power == 1 else x * x)
    return y.sum(axis=1).tolist()  # type: ignore[no-any-return]
