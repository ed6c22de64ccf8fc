"""What soft clusterings by distances to centres share as scikit-learn estimators."""

import warnings
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from concordant.cluster.cloud import Cloud, squared_distances
from concordant.cluster.coordinates import Coordinates
from concordant.cluster.descent import Descent, Sweep, descend
from concordant.cluster.single_thread import single_blas_thread
from concordant.cluster.starts import count_distinct, spread_starts, weighted_means
from concordant.engine import Engine, Threads
from concordant.kernels import fill_memberships

Vector = NDArray[np.float64]

_TIED = 1e-8  # objectives of starts this near, relatively, are those of one optimum
_FARTHEST = 1e50  # beyond it, in the data's extent, weights of a centre underflow


class SoftEstimator(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator, ABC
):
    """
    A clustering whose memberships are proportional to a power of distances to centres.

    Subclasses say which power, what is minimised and how centres move.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "init": [StrOptions({"k-means++"}), "array-like"],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    n_clusters: int
    init: Literal["k-means++"] | ArrayLike
    n_init: int
    max_iter: int
    tol: float
    random_state: int | np.random.RandomState | None
    n_jobs: int | None
    verbose: int

    cluster_centers_: Vector
    memberships_: Vector
    labels_: NDArray[np.int32]
    objective_: float
    n_iter_: int
    converged_: bool
    history_: Vector

    @abstractmethod
    def _membership_exponent(self) -> float:
        """Give e: memberships are proportional to (d^2)^-e."""

    @abstractmethod
    def _membership_power(self) -> float:
        """Give the power of a membership that weighs a point."""

    @abstractmethod
    def _objective_unit(self, unit: float) -> float:
        """Give the unit of sweeps' objectives from that of length."""

    @abstractmethod
    def _sweep(self, cloud: Cloud, centers: Vector, engine: Engine) -> Sweep:
        """Give the objective at centres, and where they go from there."""

    def _escape(
        self, cloud: Cloud, centers: Vector, engine: Engine, near: float
    ) -> Vector:
        """Give where resting centres go once points within `near` do not hold them."""
        return centers

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
        n = len(data)
        if n < self.n_clusters:
            raise ValueError(
                f"n_samples={n} should be >= n_clusters={self.n_clusters}."
            )
        weights = _checked_weights(sample_weight, n)
        engine = Threads(self.n_jobs)
        with single_blas_thread():  # its threads would change bits
            self._origin = (weights / weights.sum()) @ data
            coordinates = Coordinates.around(self._origin, data)
            cloud = Cloud.of(coordinates.enter(data), weights)
            run = self._best_run(cloud, coordinates, engine)
            self.cluster_centers_ = coordinates.leave(run.centers)
            centers = coordinates.enter(self.cluster_centers_)
            self.memberships_ = self._memberships(cloud, centers, engine)
        self.labels_ = _largest(self.memberships_)
        self.history_ = np.array(run.history) * self._objective_unit(coordinates.unit)
        self.objective_ = float(self.history_[-1])
        self.n_iter_ = len(run.history)
        self.converged_ = run.converged
        if not run.converged and self.tol > 0.0:
            warnings.warn(
                f"{type(self).__name__} did not converge in max_iter={self.max_iter} "
                f"iterations to tol={self.tol:g}. Increase max_iter or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.int32]:
        """
        Give the cluster of each point's largest membership.

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
        Give memberships by the distances to the centres found.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Points, new or old.

        Returns
        -------
        ndarray of shape (n, K)
            Memberships in [0, 1]; rows sum to 1.
        """
        cloud, centers, _ = self._meet(X)
        with single_blas_thread():
            return self._memberships(cloud, centers, Threads(self.n_jobs))

    def transform(self, X: ArrayLike) -> Vector:
        """
        Give the distances to the centres.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Points, new or old.

        Returns
        -------
        ndarray of shape (n, K)
            Euclidean distances.
        """
        cloud, centers, unit = self._meet(X)
        out = np.empty((len(cloud.points), len(centers)))
        tiles = cloud.tiles(len(centers))
        with single_blas_thread():
            engine = Threads(self.n_jobs)
            _exhaust(engine.run(_distances_block, (cloud, centers, unit, out), tiles))
        return out

    def score(
        self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None
    ) -> float:
        """
        Give the objective's negative, with the centres found.

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
        cloud, centers, unit = self._meet(X, sample_weight)
        with single_blas_thread():
            objective = self._sweep(cloud, centers, Threads(self.n_jobs)).objective
        return -objective * self._objective_unit(unit)

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def _best_run(
        self, cloud: Cloud, coordinates: Coordinates, engine: Engine
    ) -> Descent:
        """Descend from each start; keep the first of those that end lowest."""
        distinct = count_distinct(cloud, self.n_clusters)
        if distinct < self.n_clusters:
            raise ValueError(
                f"Number of distinct samples ({distinct}) should be >= "
                f"n_clusters={self.n_clusters}."
            )
        starts = self._starts(cloud, coordinates, engine)
        runs: list[Descent] = []
        for start in starts:
            runs.append(self._run(cloud, start, engine, coordinates.unit))
            if self.verbose:
                self._tell(runs, len(starts), coordinates.unit)
        lowest = min(run.objective for run in runs)
        return next(run for run in runs if run.objective <= lowest * (1.0 + _TIED))

    def _run(self, cloud: Cloud, start: Vector, engine: Engine, unit: float) -> Descent:
        tol = self.tol / unit
        return descend(
            lambda centers: self._sweep(cloud, centers, engine),
            start,
            tol=tol,
            max_iter=self.max_iter,
            escape=lambda centers: self._escape(cloud, centers, engine, tol),
        )

    def _tell(self, runs: list[Descent], n_starts: int, unit: float) -> None:
        run = runs[-1]
        objective = run.objective * self._objective_unit(unit)
        print(
            f"{type(self).__name__}: start {len(runs)} of {n_starts}, objective "
            f"{objective:g}, {'' if run.converged else 'not '}converged in "
            f"{len(run.history)} iterations"
        )

    def _starts(
        self, cloud: Cloud, coordinates: Coordinates, engine: Engine
    ) -> list[Vector]:
        """Read `init`, in the given coordinates."""
        n, p = cloud.points.shape
        if isinstance(self.init, str):
            random = check_random_state(self.random_state)
            return spread_starts(cloud, self.n_clusters, self.n_init, random, engine)
        init = check_array(self.init, dtype=np.float64, input_name="init")
        if init.shape == (self.n_clusters, p):
            centers = coordinates.enter(init)
            if np.abs(centers).max() > _FARTHEST:
                raise ValueError(
                    f"init has a centre more than {_FARTHEST:g} times the extent of X "
                    "away from it."
                )
            return [centers]
        if init.shape == (n, self.n_clusters):
            return [weighted_means(cloud, init, self._membership_power())]
        raise ValueError(
            f"The shape of init {init.shape} should be {(self.n_clusters, p)}, for "
            f"centres, or {(n, self.n_clusters)}, for memberships."
        )

    def _meet(
        self, X: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> tuple[Cloud, Vector, float]:
        """Put points and centres into coordinates that suit both."""
        check_is_fitted(self)
        data = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        coordinates = Coordinates.around(self._origin, data, self.cluster_centers_)
        weights = _checked_weights(sample_weight, len(data))
        cloud = Cloud.of(coordinates.enter(data), weights)
        return cloud, coordinates.enter(self.cluster_centers_), coordinates.unit

    def _memberships(self, cloud: Cloud, centers: Vector, engine: Engine) -> Vector:
        return memberships_by_distance(
            cloud, centers, self._membership_exponent(), engine
        )


def memberships_by_distance(
    cloud: Cloud, centers: Vector, exponent: float, engine: Engine
) -> Vector:
    """
    Compute memberships proportional to (d^2)^-exponent.

    Parameters
    ----------
    cloud : Cloud
        The points.
    centers : ndarray of shape (K, p)
        The centres.
    exponent : float
        Above 0.
    engine : Engine
        Where blocks are run.

    Returns
    -------
    ndarray of shape (n, K)
        A point on a centre has membership 1 there, shared if centres coincide.
    """
    out = np.empty((len(cloud.points), len(centers)))
    arrays = (cloud, centers, exponent, out)
    _exhaust(engine.run(_memberships_block, arrays, cloud.tiles(len(centers))))
    return out


def _memberships_block(
    cloud: Cloud, centers: Vector, exponent: float, out: Vector, rows: slice
) -> None:
    fill_memberships(squared_distances(cloud, centers, rows), exponent, out[rows])


def _distances_block(
    cloud: Cloud, centers: Vector, unit: float, out: Vector, rows: slice
) -> None:
    np.multiply(np.sqrt(squared_distances(cloud, centers, rows).T), unit, out=out[rows])


def _exhaust(results: Iterator[None]) -> None:
    deque(results, maxlen=0)


def _largest(memberships: Vector) -> NDArray[np.int32]:
    return np.asarray(memberships.argmax(axis=1), dtype=np.int32)


def _checked_weights(sample_weight: ArrayLike | None, n: int) -> Vector:
    if sample_weight is None:
        return np.ones(n)
    weights = check_array(
        sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
    )
    if weights.shape != (n,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n,)}!")
    if (weights < 0.0).any():
        raise ValueError("Negative values in data passed to `sample_weight`.")
    if not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return np.asarray(weights)
