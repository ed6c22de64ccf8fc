"""What soft clusterings by distances to centres share as scikit-learn estimators."""

import math
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
from concordant.cluster.coincidence import distinct_places, merged_centers
from concordant.cluster.coordinates import Coordinates, midst
from concordant.cluster.descent import Descent, Sweep, descend
from concordant.cluster.known_rests import KnownRests
from concordant.cluster.pace import Pace, Steady
from concordant.cluster.scale import Scale
from concordant.cluster.starts import count_distinct, spread_starts, weighted_means
from concordant.cluster.tolerance import FixedTolerance, RelativeTolerance, Tolerance
from concordant.errors import InputError, Wordings
from concordant.execution.engine import Engine, Threads
from concordant.execution.single_thread import single_blas_thread
from concordant.kernels.soft_clusters import fill_memberships
from concordant.wording import count

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
        "tol": [Interval(Real, 0, None, closed="left"), StrOptions({"auto"})],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    n_clusters: int
    init: Literal["k-means++"] | ArrayLike
    n_init: int
    max_iter: int
    tol: float | Literal["auto"]
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
    def _objective_power(self) -> int:
        """Give the power of a length that the objective is."""

    def _objective_factor(self) -> float:
        """Give the factor between sweeps' objectives and the objective."""
        return 1.0

    @abstractmethod
    def _sweep(
        self, cloud: Cloud, centers: Vector, engine: Engine, near: float
    ) -> Sweep:
        """
        Give the objective at centres, and where they go from there.

        A point no farther than `near` from a centre is on it.
        """

    def _escape(
        self, cloud: Cloud, centers: Vector, engine: Engine, near: float
    ) -> Vector:
        """Give where resting centres go once points within `near` do not hold them."""
        return centers

    def _pace(self) -> Pace:
        """Say whether a start's centres may go beyond where the formulas put them."""
        return Steady()

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
        weights, weight_exponent = _checked_weights(sample_weight, n)
        engine = Threads(self.n_jobs)
        with single_blas_thread():  # its threads would change bits
            self._origin = midst(data, weights)
            coordinates = Coordinates.around(self._origin, data)
            cloud = Cloud.of(coordinates.enter(data), weights, weight_exponent)
            scale = Scale(cloud)
            run = self._best_run(cloud, coordinates, scale, engine)
            self.cluster_centers_ = coordinates.leave(
                merged_centers(cloud, run.centers, scale, engine)
            )
            centers = coordinates.enter(self.cluster_centers_)
            self.memberships_ = self._memberships(cloud, centers, engine)
        self.labels_ = _largest(self.memberships_)
        self.history_ = self._in_units_of_data(run.history, cloud, coordinates)
        self.objective_ = float(self.history_[-1])
        self.n_iter_ = len(run.history)
        self.converged_ = run.converged
        if not run.converged and self.tol != 0.0:
            warnings.warn(
                f"{type(self).__name__} did not converge in max_iter={self.max_iter} "
                f"iterations to tol={self.tol!r}. Increase max_iter or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        n_places = len(distinct_places(self.cluster_centers_)[0])
        if n_places < self.n_clusters:
            warnings.warn(
                f"{type(self).__name__} found {count(n_places, 'distinct centre')} for "
                f"n_clusters={self.n_clusters}: centres coincide, and points belong "
                f"to them in equal parts. {self._remedy()}",
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
        cloud, centers, coordinates = self._meet(X)
        out = np.empty((len(cloud.points), len(centers)))
        kept, places = distinct_places(centers)
        arrays = (cloud, centers[kept], places, coordinates.exponent, out)
        blocks = cloud.blocks(len(centers))
        with single_blas_thread():
            engine = Threads(self.n_jobs)
            _exhaust(engine.run(_distances_block, arrays, blocks))
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
        cloud, centers, coordinates = self._meet(X, sample_weight)
        with single_blas_thread():
            sweep = self._sweep(cloud, centers, Threads(self.n_jobs), 0.0)
        return -float(self._in_units_of_data(sweep.objective, cloud, coordinates))

    def _remedy(self) -> str:
        """Say what may keep centres from coinciding."""
        return "Decrease n_clusters, or standardize the columns of X."

    def _in_units_of_data(
        self, objectives: ArrayLike, cloud: Cloud, coordinates: Coordinates
    ) -> Vector:
        """Give objectives; infinite or 0 if no double is as large or as small."""
        exponent = cloud.weight_exponent
        exponent += self._objective_power() * coordinates.exponent
        with np.errstate(over="ignore", under="ignore"):
            return np.ldexp(np.multiply(objectives, self._objective_factor()), exponent)

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def _best_run(
        self, cloud: Cloud, coordinates: Coordinates, scale: Scale, engine: Engine
    ) -> Descent:
        """Descend from each start; keep the first of those that end lowest."""
        distinct = count_distinct(cloud, self.n_clusters)
        if distinct < self.n_clusters:
            raise InputError(
                Wordings(
                    f"Number of distinct samples ({distinct}) should be >= "
                    f"n_clusters={self.n_clusters}.",
                    f"too few distinct objects ({distinct}) for {self.n_clusters} "
                    "clusters",
                )
            )
        starts = self._starts(cloud, coordinates, engine)
        tol = self._tolerance(coordinates, scale)
        known = KnownRests(scale)
        runs: list[Descent] = []
        for start in starts:
            runs.append(self._run(cloud, start, tol, scale, engine, known))
            known.add(runs[-1])
            if self.verbose:
                objective = self._in_units_of_data(
                    runs[-1].objective, cloud, coordinates
                )
                self._tell(runs, len(starts), float(objective))
        ended = [run for run in runs if not run.joined]
        lowest = min(run.objective for run in ended)
        return next(run for run in ended if run.objective <= lowest * (1.0 + _TIED))

    def _tolerance(self, coordinates: Coordinates, scale: Scale) -> Tolerance:
        """Read `tol`, in the given coordinates."""
        if isinstance(self.tol, str):
            return RelativeTolerance(scale)
        with np.errstate(over="ignore", under="ignore"):
            return FixedTolerance(float(np.ldexp(self.tol, -coordinates.exponent)))

    def _run(
        self,
        cloud: Cloud,
        start: Vector,
        tol: Tolerance,
        scale: Scale,
        engine: Engine,
        known: KnownRests,
    ) -> Descent:
        return descend(
            lambda centers: self._sweep(cloud, centers, engine, scale.touching),
            start,
            tol=tol,
            max_iter=self.max_iter,
            escape=lambda centers: self._escape(
                cloud, centers, engine, tol.at(centers)
            ),
            pace=self._pace(),
            known=known.include,
        )

    def _tell(self, runs: list[Descent], n_starts: int, objective: float) -> None:
        run = runs[-1]
        if run.joined:
            how = "goes to where an earlier one ended, left after"
        else:
            how = f"{'' if run.converged else 'not '}converged in"
        print(
            f"{type(self).__name__}: start {len(runs)} of {n_starts}, objective "
            f"{objective:g}, {how} {len(run.history)} iterations"
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
    ) -> tuple[Cloud, Vector, Coordinates]:
        """Put points and centres into coordinates that suit both."""
        check_is_fitted(self)
        data = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        coordinates = Coordinates.around(self._origin, data, self.cluster_centers_)
        weights, weight_exponent = _checked_weights(sample_weight, len(data))
        cloud = Cloud.of(coordinates.enter(data), weights, weight_exponent)
        return cloud, coordinates.enter(self.cluster_centers_), coordinates

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
    # Once for each place: a product may round the same row in two ways.
    kept, places = distinct_places(centers)
    arrays = (cloud, centers[kept], places, exponent, out)
    _exhaust(engine.run(_memberships_block, arrays, cloud.blocks(len(centers))))
    return out


def _memberships_block(
    cloud: Cloud,
    distinct: Vector,
    places: NDArray[np.intp],
    exponent: float,
    out: Vector,
    rows: slice,
) -> None:
    squares = squared_distances(cloud, distinct, rows)[places]
    fill_memberships(squares, exponent, out[rows])


def _distances_block(
    cloud: Cloud,
    distinct: Vector,
    places: NDArray[np.intp],
    exponent: int,
    out: Vector,
    rows: slice,
) -> None:
    squares = squared_distances(cloud, distinct, rows)[places]
    np.ldexp(np.sqrt(squares.T), exponent, out=out[rows])


def _exhaust(results: Iterator[None]) -> None:
    deque(results, maxlen=0)


def _largest(memberships: Vector) -> NDArray[np.int32]:
    return np.asarray(memberships.argmax(axis=1), dtype=np.int32)


def _checked_weights(sample_weight: ArrayLike | None, n: int) -> tuple[Vector, int]:
    """Give weights divided by a power of 2, so that the largest is near 1, and it."""
    if sample_weight is None:
        return np.ones(n), 0
    weights = check_array(
        sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
    )
    if weights.shape != (n,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n,)}!")
    if (weights < 0.0).any():
        raise ValueError("Negative values in data passed to `sample_weight`.")
    if not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    exponent = math.frexp(weights.max())[1] - 1
    with np.errstate(under="ignore"):
        return np.ldexp(weights, -exponent), exponent
