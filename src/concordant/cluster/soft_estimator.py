"""What soft clusterings by distances to centres share as scikit-learn estimators."""

import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.cluster import kmeans_plusplus
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    validate_data,
)

from concordant.arrays import Vector
from concordant.cluster.fixed_point import (
    ONE_PLACE,
    Descent,
    Mixing,
    Sweep,
    Tolerance,
    iterate,
)
from concordant.cluster.points import (
    Points,
    distances,
    fuzzy_sweep,
    memberships,
    weighted_median,
)
from concordant.errors import InputError, Wordings
from concordant.execution.engine import Threads
from concordant.execution.single_thread import single_blas_thread
from concordant.partition.partition import Partition
from concordant.wording import count

_TIED = 1e-8  # objectives of starts this near, relatively, are those of one optimum
_TOUCHING = 2.0**-40  # of the spread: rounding decides whether a point is on a centre
_MANY = 10_000  # points that are enough for a median
_LEAST, _LARGEST = 1e-140, 1e140  # whose squares are far from the ends of doubles


@dataclass(eq=False, repr=False)
class SoftEstimator(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator, ABC
):
    """A clustering with memberships proportional to powers of distances to centres."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "init": [StrOptions({"k-means++"}), "array-like"],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left"), StrOptions({"auto"})],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    n_clusters: int = 8
    _: KW_ONLY
    init: Literal["k-means++"] | ArrayLike = "k-means++"
    n_init: int = 10
    max_iter: int = 1000
    tol: float | Literal["auto"] = "auto"
    random_state: int | np.random.RandomState | None = None
    n_jobs: int | None = None
    verbose: int = 0

    @abstractmethod
    def _membership_exponent(self) -> float:
        """Return e: memberships are proportional to (d^2)^-e."""

    def _membership_power(self) -> float:
        """Return the power of a membership that weighs a point."""
        return 2.0

    @abstractmethod
    def _sweep(self, points: Points, centers: Vector, near: float) -> Sweep:
        """Return one step; a point no farther than `near` from a centre is on it."""

    def _objective_factor(self) -> float:
        """Return the factor between objectives of steps and the objective."""
        return 1.0

    #: Whether a point may hold a centre that is on it.
    _points_hold: ClassVar[bool] = False
    #: What is to be lowered if centres coincide.
    _lowered: ClassVar[Wordings] = Wordings("n_clusters", "--k")

    def fit(
        self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """
        Find the centres and the memberships.

        Parameters
        ----------
        X : array-like of shape (n, p)
            The data.
        y : object
            Ignored.
        sample_weight : array-like of shape (n,), optional
            How often each point counts; 1 by default.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._validate_params()
        data = validate_data(self, X, dtype=np.float64, order="C")
        if len(data) < self.n_clusters:
            raise ValueError(
                f"n_samples={len(data)} should be >= n_clusters={self.n_clusters}."
            )
        weights, unit = _weights(sample_weight, data)
        self._origin = median_of_columns(data, weights)
        with single_blas_thread():  # its threads would change bits
            points = self._points(data, weights, _LEAST)
            spread = _spread(points)
            runs = self._runs(points, spread)
        run = _lowest(runs)
        centers = _merged(run.centers, ONE_PLACE * spread)
        self.cluster_centers_ = centers + self._origin
        centers = self.cluster_centers_ - self._origin
        self.memberships_ = memberships(points, centers, self._membership_exponent())
        self.labels_ = _largest(self.memberships_)
        self.history_ = np.array(run.history) * (self._objective_factor() * unit)
        self.objective_ = float(self.history_[-1])
        self.n_iter_ = len(run.history)
        self.converged_ = run.converged
        for remark in self._remarks():
            warnings.warn(str(remark), ConvergenceWarning, stacklevel=2)
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.int32]:
        """
        Return the cluster of each point's largest membership.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Points, new or old.

        Returns
        -------
        ndarray of shape (n,)
            Numbers of clusters.
        """
        return _largest(self.predict_proba(X))

    def predict_proba(self, X: ArrayLike) -> Vector:
        """
        Return memberships by the distances to the centres found.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Points, new or old.

        Returns
        -------
        ndarray of shape (n, K)
            Memberships in [0, 1]; rows sum to 1.
        """
        points, centers, _ = self._meet(X)
        return memberships(points, centers, self._membership_exponent())

    def transform(self, X: ArrayLike) -> Vector:
        """
        Return the distances to the centres.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Points, new or old.

        Returns
        -------
        ndarray of shape (n, K)
            Euclidean distances.
        """
        points, centers, _ = self._meet(X)
        return distances(points, centers)

    def score(
        self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None
    ) -> float:
        """
        Return the negative objective, with the centres found.

        More clusters nearly always improve it, so it cannot choose their number, as in
        a grid search; `stability` and `validity` are for that.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Points, new or old.
        y : object
            Ignored.
        sample_weight : array-like of shape (n,), optional
            How often each point counts; 1 by default.

        Returns
        -------
        float
            At most 0, which it is if each point is on a centre; higher is better.
        """
        points, centers, unit = self._meet(X, sample_weight)
        sweep = self._sweep(points, centers, 0.0)
        return -float(sweep.objective * self._objective_factor() * unit)

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def _points(self, data: Vector, weights: Vector, least: float = 0.0) -> Points:
        inside = centred(data, self._origin, "X", least)
        return Points.of(inside, weights, Threads(self.n_jobs))

    def _meet(
        self, X: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> tuple[Points, Vector, float]:
        """Return points, centres about the same origin, and the unit of weights."""
        check_is_fitted(self)
        data = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        weights, unit = _weights(sample_weight, data)
        return self._points(data, weights), self.cluster_centers_ - self._origin, unit

    def _runs(self, points: Points, spread: float) -> list[Descent]:
        """Iterate from each start, unless it leads to where an earlier one ended."""
        length = None if isinstance(self.tol, str) else float(self.tol)
        tolerance = Tolerance(spread, length)

        def sweep(centers: Vector) -> Sweep:
            return self._sweep(points, centers, _TOUCHING * spread)

        def escape(centers: Vector) -> Vector:
            return self._sweep(points, centers, tolerance.at(centers)).proposal

        starts, runs = self._starts(points), list[Descent]()
        for start in starts:
            run = iterate(
                sweep,
                start,
                tolerance,
                self.max_iter,
                escape=escape if self._points_hold else None,
                # Who gives a length means movements of the iteration in the books.
                mixing=Mixing() if length is None else None,
                known=runs,
            )
            runs.append(run)
            if self.verbose:
                self._tell(runs, len(starts))
        return runs

    def _starts(self, points: Points) -> list[Vector]:
        """Read `init`; points drawn by k-means++ take a step off the points."""
        n, p = points.X.shape
        if isinstance(self.init, str):
            random = check_random_state(self.random_state)
            drawn = drawn_starts(points, self.n_clusters, self.n_init, random)
            return [fuzzy_sweep(points, start, 2.0).proposal for start in drawn]
        init = check_array(self.init, dtype=np.float64, input_name="init")
        if init.shape == (self.n_clusters, p):
            return [centred(init, self._origin, "init")]
        if init.shape == (n, self.n_clusters):
            return [means_of_memberships(points, init, self._membership_power())]
        raise ValueError(
            f"The shape of init {init.shape} should be {(self.n_clusters, p)}, for "
            f"centres, or {(n, self.n_clusters)}, for memberships."
        )

    def _tell(self, runs: list[Descent], n_starts: int) -> None:
        run = runs[-1]
        if run.joined:
            how = "goes to where an earlier one ended, left after"
        else:
            how = f"{'' if run.converged else 'not '}converged in"
        print(
            f"{type(self).__name__}: start {len(runs)} of {n_starts}, objective "
            f"{run.objective * self._objective_factor():g}, {how} "
            f"{len(run.history)} iterations"
        )

    def _remarks(self) -> Iterator[Wordings]:
        """Yield a remark if the iteration did not converge, and if centres coincide."""
        name = type(self).__name__
        if not self.converged_ and self.tol != 0.0:
            yield Wordings(
                f"{name} did not converge in max_iter={self.max_iter} iterations to "
                f"tol={self.tol!r}. Increase max_iter or tol.",
                f"not converged in {self.max_iter} iterations; raise --max-iter or "
                "--tol",
            )
        n_places = len(np.unique(self.cluster_centers_, axis=0))
        if n_places < self.n_clusters:
            centers = count(n_places, "distinct centre")
            yield Wordings(
                f"{name} found {centers} for n_clusters={self.n_clusters}: centres "
                "coincide, and points belong to them in equal parts. Decrease "
                f"{self._lowered}, or standardize the columns of X.",
                f"only {centers}; lower {self._lowered.command_line}, or standardize "
                "the columns",
            )


def median_of_columns(X: Vector, weights: Vector) -> Vector:
    """Return the medians of the columns, of some points if there are many."""
    some = slice(None, None, 1 + len(X) // _MANY)
    return np.array([weighted_median(column, weights[some]) for column in X[some].T])


def centred(X: Vector, origin: Vector, name: str, least: float = 0.0) -> Vector:
    """Subtract the origin; refuse data whose squared distances are no doubles."""
    inside: Vector = X - origin
    size = max(inside.max(), -inside.min())
    if size > _LARGEST or 0.0 < size < least:
        raise ValueError(
            f"{name} differs from the median of X by up to {size:.3g}: rescale it, so "
            f"that this is between {_LEAST:g} and {_LARGEST:g}"
        )
    return inside


def distinct_points(points: Points) -> tuple[Vector, Vector]:
    """
    Return the distinct points in lexicographic order, and their summed weights.

    They are the same for points in another order, or repeated instead of weighted.
    """
    rows = np.flatnonzero(points.weights)
    X, places = np.unique(points.X[rows], axis=0, return_inverse=True)
    sums = np.bincount(places.ravel(), weights=points.weights[rows])
    return X, np.asarray(sums, dtype=np.float64)


def drawn_starts(
    points: Points, n_clusters: int, n_starts: int, random: np.random.RandomState
) -> Iterator[Vector]:
    """Draw different points by k-means++, some times."""
    X, weights = distinct_points(points)
    if len(X) < n_clusters:
        raise InputError(
            Wordings(
                f"Number of distinct samples ({len(X)}) should be >= "
                f"n_clusters={n_clusters}.",
                f"too few distinct objects ({len(X)}) for {n_clusters} clusters",
            )
        )
    for _ in range(n_starts):
        # The best of several trials would be a tie, for rounding to break, wherever
        # two near points are tried that are the nearest to no others.
        chosen, which = kmeans_plusplus(
            X, n_clusters, sample_weight=weights, random_state=random, n_local_trials=1
        )
        if len(np.unique(which)) < n_clusters:  # squares of distances round to 0
            chosen = X[random.choice(len(X), n_clusters, replace=False)]
        yield chosen


def means_of_memberships(points: Points, memberships: Vector, power: float) -> Vector:
    """Return the means of the points weighted by w u^power."""
    columns = Partition._named(memberships, "init").columns() * (points.weights > 0.0)
    largest = columns.max(axis=1)
    if not largest.all():
        raise ValueError(
            f"init has an empty cluster: column {int(largest.argmin())} is zero."
        )
    weights = (columns / largest[:, None]) ** power * points.weights
    means: Vector = weights @ points.X / weights.sum(axis=1)[:, None]
    return means


def _weights(sample_weight: ArrayLike | None, X: Vector) -> tuple[Vector, float]:
    """Return weights whose largest is between 1 and 2, and their unit."""
    weights = _check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True
    )
    unit = float(np.ldexp(1.0, np.frexp(weights.max())[1] - 1))
    return weights / unit, unit


def _spread(points: Points) -> float:
    """
    Return the median distance of points from their median.

    Points right there are left out, so that it is 0 only if all points are equal.
    """
    apart = (points.weights > 0.0) & (points.norms > 0.0)
    if not apart.any():
        return 0.0
    return math.sqrt(weighted_median(points.norms[apart], points.weights[apart]))


def _lowest(runs: list[Descent]) -> Descent:
    """Return the first of those that end lowest."""
    ended = [run for run in runs if not run.joined]
    lowest = min(run.objective for run in ended)
    return next(run for run in ended if run.objective <= lowest * (1.0 + _TIED))


def _merged(centers: Vector, gap: float) -> Vector:
    """Put centres at one place onto the first of them."""
    merged: Vector = centers[(cdist(centers, centers) <= gap).argmax(axis=1)]
    return merged


def _largest(memberships: Vector) -> NDArray[np.int32]:
    return np.asarray(memberships.argmax(axis=1), dtype=np.int32)
