"""Random walks over the clusters of two partitions, compared object by object."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Data, InputError
from concordant.execution.run import Run
from concordant.execution.single_thread import single_blas_thread
from concordant.partition.partition import Partition
from concordant.terms.contingency import counts
from concordant.terms.distribution import UNIT_ROUNDOFF, Bounded
from concordant.values.element import ALPHA, affinities, columns

Vector = NDArray[np.float64]


def check_walk(P: Partition, Q: Partition) -> None:
    """Refuse memberships that are no probabilities, and objects in no cluster."""
    for name, X in (("P", P), ("Q", Q)):
        if X.kind == "crisp":
            continue
        lowest = float(X.columns().min(initial=0.0))
        if lowest < 0.0:
            raise InputError(
                "element-centric similarity needs memberships of 0 or more, and ",
                Data(name),
                f" has {lowest:.3g}; set what rounding made negative to 0",
            )
        alone = np.flatnonzero(~X.columns().any(axis=0))
        if alone.size:
            raise InputError(
                f"object {alone[0]} of ",
                Data(name),
                " belongs to no cluster, so that no walk leads from it; leave such "
                "objects out",
            )


def of_crisp(P: Partition, Q: Partition) -> Bounded:
    """Return the mean difference of two crisp partitions, from their table."""
    n, table = P.n_objects, counts(P, Q)
    a, b = (
        np.bincount(X.labels)[at] for X, at in ((P, table.rows), (Q, table.columns))
    )
    cells = table.cells
    left = (1.0 - cells / a) + (1.0 - cells / b)
    apart = np.abs(1.0 / a - 1.0 / b) * (cells - 1) + left
    d = math.fsum(cells * apart) / (n * (n - 1))
    return Bounded(d, 2.0**-46 * (d + 1.0 / n))


class OwnAffinities(NamedTuple):
    """The mean difference of affinities of objects with themselves."""

    difference: float
    error: float  # of the sum of an object's affinities, on average
    n_objects: int


def own_affinities(P: Partition, Q: Partition, run: Run) -> OwnAffinities:
    """
    Return the mean difference of the affinities of objects with themselves.

    The error contains that of all affinities.
    """
    check_walk(P, Q)
    differences = np.abs(_own(P) - _own(Q))
    error = 0.0 if P.kind == Q.kind == "crisp" else _rounding(P, Q)
    mean = float(differences.mean()) if differences.size else 0.0
    return OwnAffinities(mean, error + 2.0**-50, P.n_objects)


def _rounding(P: Partition, Q: Partition) -> float:
    """
    Bound the error of the sum of an object's affinities.

    Sums over n objects are rounded, and the inverse of a symmetric matrix whose
    eigenvalues are at least 1 - alpha magnifies that.
    """
    K, n = P.n_clusters + Q.n_clusters, P.n_objects
    return 16.0 * (K + 1) * (n + K + 64) * UNIT_ROUNDOFF / (1.0 - ALPHA)


def _own(P: Partition) -> Vector:
    if P.kind == "crisp":
        return np.asarray(1.0 / np.bincount(P.labels)[P.labels])
    z = columns(P)
    return np.asarray((z * z).sum(axis=0))


def mean_score(P: Partition, Q: Partition, run: Run) -> Bounded:
    """Return the mean similarity of partitions one of which is overlapping."""
    scores = element_scores(P, Q, run)
    value = float(scores.mean()) if scores.size else 1.0
    return Bounded(value, 0.5 * _rounding(P, Q))


def element_scores(
    P: Partition, Q: Partition, run: Run, alpha: float = ALPHA
) -> Vector:
    """Return the similarity of each object: 1 - half of what its affinities differ."""
    check_walk(P, Q)
    n = P.n_objects
    height = max(1, (1 << 20) // max(n, 1))
    tasks = ((start, min(start + height, n)) for start in range(0, n, height))
    arrays = (*affinities(P, alpha), *affinities(Q, alpha))
    found = list(run.engine.run(_scores, arrays, tasks))
    return np.concatenate((*found, np.empty(0)))


def _scores(*given: Any) -> Vector:
    *factors, start, stop = given
    left_p, right_p, left_q, right_q = factors
    with single_blas_thread():
        x = left_p[:, start:stop].T @ right_p
        x -= left_q[:, start:stop].T @ right_q
    return np.asarray(1.0 - 0.5 * np.abs(x, out=x).sum(axis=1))
