"""Data, and what was found of their clusters, are taken in."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Matrix, Positions
from concordant.catalogue.records import FREE_SUMS
from concordant.choosing.validity_formulas import Fit
from concordant.errors import Argument, Data, InputError, InputTypeError, Setting
from concordant.execution.single_thread import single_blas_thread
from concordant.many.features import as_features, check_finite, check_size
from concordant.many.given import spoken
from concordant.partition.alignment import MatchBy, all_aligned
from concordant.partition.estimators import inner, is_estimator
from concordant.partition.ids import ids_of
from concordant.partition.partition import Partition
from concordant.printing import printed
from concordant.wording import count, is_number


@dataclass(frozen=True, eq=False)
class Clustering:
    """A partition, its centres if they are known, its fuzzifier, and what was given."""

    name: str
    partition: Partition
    centers: object
    fuzzifier: float
    estimator: Any

    def fit_to(self, X: Matrix, sample: Positions) -> Fit:
        """Put it together with its data."""
        U = np.maximum(self.partition.columns(), 0.0)
        away = X - X[0]  # without rounding where a column is constant
        mean = away.mean(axis=0)
        if self.centers is None:
            centers = self._means(away, U)
        else:
            centers = _checked_centers(self.centers, (len(U), X.shape[1])) - X[0]
        return Fit(away - mean, U, centers - mean, self.fuzzifier, sample)

    def _means(self, X: Matrix, U: Matrix) -> Matrix:
        """Return the means weighted by memberships to the power of the fuzzifier."""
        largest = U.max(axis=1, keepdims=True)
        if not largest.all():
            raise InputError(
                Data(self.name),
                f" has an empty cluster, column {int(largest.argmin())}, which has no "
                "centre: leave the column out",
            )
        weights = (U / largest) ** self.fuzzifier
        with single_blas_thread():  # its threads would change bits
            sums: Matrix = np.dot(weights, X)
        return np.asarray(sums / weights.sum(axis=1, keepdims=True))


def taken_in(
    X: object,
    P: object,
    centers: object = None,
    fuzzifier: float | None = None,
    match_by: MatchBy = "position",
) -> tuple[Matrix, dict[Hashable, Clustering]]:
    """Return data as an array, and one or several clusterings of the same objects."""
    points = as_features(X)
    listed = P if isinstance(P, list | tuple) else ()
    if any(isinstance(each, Partition) or is_estimator(each) for each in listed):
        what = " is a list of partitions; pass a mapping, as {2: P2, 3: P3}"
        raise InputTypeError(Data("P"), what)
    given = P if isinstance(P, Mapping) else {None: P}
    several = centers if isinstance(P, Mapping) and centers is not None else {}
    if not given:
        raise InputError(Data("P"), " holds no partition")
    if not isinstance(several, Mapping) or {*several} - {*given}:
        what = " must be a mapping with keys of P, as P is one"
        raise InputError(Argument("centers"), what)
    numbers = Partition._named(np.arange(len(points)), "X", ids=ids_of(X))
    found = {}
    for key, member in given.items():
        name = "P" if key is None else spoken(printed(key))
        of_this = several.get(key) if isinstance(P, Mapping) else centers
        found[key] = _clustering(member, name, X, of_this, fuzzifier)
    names = [each.name for each in found.values()]
    partitions = [each.partition for each in found.values()]
    numbers, *partitions = all_aligned([numbers, *partitions], ["X", *names], match_by)
    points = points[numbers.labels]
    _check_points(points, numbers.labels)
    aligned = {}
    for partition, (key, each) in zip(partitions, found.items(), strict=True):
        _check_partition(partition, each.name)
        aligned[key] = replace(each, partition=partition)
    return points, aligned


def _clustering(
    given: Any, name: str, X: object, centers: object, fuzzifier: float | None
) -> Clustering:
    """Take a partition, or what an estimator knows of the partition of X."""
    model = inner(given) if is_estimator(given) else None
    held = getattr(model, "cluster_centers_", None)
    if centers is None and held is not None and hasattr(given, "steps"):
        raise InputError(
            Data(name),
            " is a pipeline, whose centres are not among the rows of X but of what its "
            "last step sees; pass that as X, and the last step",
        )
    keeps = any(hasattr(model, kept) for kept in ("memberships_", "labels_"))
    predicts = any(hasattr(given, asked) for asked in ("predict_proba", "predict"))
    if model is not None and predicts and not keeps:
        partition = Partition.from_estimator(given, X)
    else:
        partition = Partition._named(given, name)
    n_clusters = partition.n_clusters
    if centers is None and held is not None and len(held) != n_clusters:
        raise InputError(
            Data(name),
            f" has {count(len(held), 'centre')} for {count(n_clusters, 'cluster')}; "
            "pass its labels, whose means are then the centres",
        )
    m = getattr(model, "fuzzifier", 2.0) if fuzzifier is None else fuzzifier
    if not is_number(m) or not 1.0 <= float(m) < np.inf:
        what = f" must be a number from 1 on, such as 2, found {m!r}"
        raise InputError(Argument("fuzzifier"), what)
    return Clustering(
        name, partition, held if centers is None else centers, float(m), given
    )


def _check_partition(partition: Partition, name: str) -> None:
    if partition.kind in FREE_SUMS:
        raise InputError(
            Data(name),
            f" is {partition.kind}; validity is of memberships that sum to 1: ",
            Setting("normalize", True),
            " divides them by their sums",
        )
    n, K = partition.shape
    if n < K:
        what = f" has {count(K, 'cluster')} of {count(n, 'object')}; take fewer"
        raise InputError(Data(name), what)


def _check_points(X: Matrix, rows: NDArray[Any]) -> None:
    """Refuse what has no distances, or none that differ from 0."""
    remedy = "leave the object out here and in P, or fill the value in"
    check_finite(X, rows, remedy)
    if (X[0] == X).all():
        n = count(len(X), "object")
        same = " at the same point" if len(X) > 1 else ""
        what = f" has {n}{same}; validity needs objects that differ"
        raise InputError(Data("X"), what)
    check_size(X)


def _checked_centers(given: object, shape: tuple[int, int]) -> Matrix:
    try:
        centers = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        centers = np.empty(0)
    if centers.shape != shape or not np.isfinite(centers).all():
        expected = f" must be numbers of shape {shape}, a row for each cluster"
        raise InputError(
            Argument("centers"), f"{expected}, found the shape {centers.shape}"
        )
    return centers
