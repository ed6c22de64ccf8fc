"""Element-centric similarity of two partitions, overall and of each object."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.bounded import UNIT_ROUNDOFF, Bounded
from concordant.errors import Data, InputError
from concordant.execution.engine import Threads
from concordant.execution.run import Run
from concordant.execution.single_thread import single_blas_thread
from concordant.measures.adjusted import Score
from concordant.measures.comparing import check_defined
from concordant.pairs.values.element import ALPHA, Element, affinities
from concordant.partition.alignment import MatchBy, aligned
from concordant.partition.partition import Partition
from concordant.sums.contingency import counts
from concordant.underflow import tiny_is_zero
from concordant.wording import check_share


@tiny_is_zero
def element_centric_scores(
    P: object,
    Q: object,
    *,
    alpha: float = ALPHA,
    n_jobs: int | None = None,
    match_by: MatchBy = "position",
) -> NDArray[np.float64]:
    """
    Return the element-centric similarity of each object.

    A random walk goes from an object to one of its clusters, from there to one of its
    objects, and so on; with probability 1 - `alpha` it starts anew. The similarity of
    an object is one minus the sum of the differences between P and Q in the probability
    of being at each object, divided by the largest possible sum.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp, fuzzy or overlapping.
    alpha : float, default=0.9
        How often the walk goes on, between 0 and 1.
    n_jobs : int, optional
        Number of threads; see `concordance`. The result is the same to the last bit.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    ndarray of shape (n,)
        From 0 to 1 each; ``score(P, Q, "element_centric")`` is their mean.

    Notes
    -----
    O(n^2 (K + L)), without a matrix of n x n: the walk is known from the inverse of a
    matrix of K x K.

    References
    ----------
    Gates, Wood, Hetrick, Ahn (2019), Scientific Reports 9, 8574.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.element_centric_scores([0, 0, 1, 1], [0, 0, 1, 2]).round(6).tolist()
    [1.0, 1.0, 0.5, 0.5]
    """
    check_share("alpha", alpha)
    engine = Threads(n_jobs)
    p, q = aligned(P, Q, match_by=match_by)
    check_defined(("element_centric",), p, q, argument="")
    return element_scores(p, q, Run(engine=engine), alpha)


def element_centric(others: Bounded, own: "OwnAffinities") -> Score:
    """Return the mean over objects, from differences of affinities."""
    n_others = max(own.n_objects - 1, 0)
    value = 1.0 - 0.5 * (n_others * others.value + own.difference)
    error = 0.5 * (n_others * others.error + own.error)
    return of_mean_score(Bounded(value, error))


def of_mean_score(found: Bounded) -> Score:
    """Return a mean over objects, within its range."""
    value, error = found
    return Score(min(max(value, 0.0), 1.0), min(error, 1.0))


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


def _rounding(P: Partition, Q: Partition, alpha: float = ALPHA) -> float:
    """
    Bound the error of the sum of an object's affinities.

    Sums over n objects are rounded, and the inverse of a symmetric matrix whose
    eigenvalues are at least 1 - alpha magnifies that.
    """
    K, n = P.n_clusters + Q.n_clusters, P.n_objects
    return 16.0 * (K + 1) * (n + K + 64) * UNIT_ROUNDOFF / (1.0 - alpha)


def _own(P: Partition) -> Vector:
    if P.kind == "crisp":
        return np.asarray(1.0 / np.bincount(P.labels)[P.labels])
    z = Element.columns(P)
    return np.asarray((z * z).sum(axis=0))


def mean_score(P: Partition, Q: Partition, run: Run) -> Bounded:
    """Return the mean similarity of objects: of overlapping partitions, or any."""
    alpha = run.options.get("alpha", ALPHA)
    scores = element_scores(P, Q, run, alpha)
    value = float(scores.mean()) if scores.size else 1.0
    return Bounded(value, 0.5 * _rounding(P, Q, alpha))


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
