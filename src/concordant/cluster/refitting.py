"""A clustering is fitted anew: to other data, with another number of clusters."""

import warnings
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import Any

from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import ThreadpoolController

from concordant.arrays import Matrix
from concordant.errors import Argument, InputTypeError
from concordant.partition.estimators import estimated, seeds_of
from concordant.partition.partition import Partition

_NUMBERS = ("n_clusters", "n_components")
_PREDICTIONS = ("predict_proba", "predict", "transform")


@dataclass(frozen=True)
class Refitted:
    """An estimator of scikit-learn's manner; `number` names its number of clusters."""

    estimator: Any
    number: str

    @property
    def predicts(self) -> bool:
        """Whether it tells the clusters of objects that it was not fitted to."""
        return any(hasattr(self.estimator, method) for method in _PREDICTIONS)

    def partition(
        self, X: Matrix, K: int, seed: int, others: Matrix | None
    ) -> Partition:
        """Fit it to data, and return the clusters of these or of other objects."""
        model = clone(self.estimator)
        seeds = dict.fromkeys(seeds_of(model), seed)
        model.set_params(**{self.number: K}, **seeds)
        # A fit to all objects has checked the parameters, which many resamples need
        # not; steps of a pipeline may yet make numbers that are not finite.
        unchecked = config_context(skip_parameter_validation=others is not None)
        # Threads that wait for each other take several times as long as small fits.
        with _openmp().limit(limits=1), unchecked:
            model.fit(X)
            found = model
            if self.predicts:
                found = estimated(model, X if others is None else others)
        return Partition._named(found, f"the clustering for K = {K}")

    @property
    def one_start(self) -> str:
        """What says that a fit has one start only; empty if it has several."""
        said = _last_step(self.estimator)[1].get_params()
        starts, init = said.get("n_init"), said.get("init")
        # K-means takes one start from k-means++ or given centres, unless told.
        several = callable(init) or (isinstance(init, str) and init == "random")
        one = starts == "auto" and not several
        return f"n_init={starts!r}" if one or starts == 1 else ""

    def quiet(self) -> AbstractContextManager[Any]:
        """Fit without a warning for each of many fits that do not converge."""
        return warnings.catch_warnings(action="ignore", category=ConvergenceWarning)

    @property
    def content(self) -> Any:
        """What tells it apart from others: its parameters, but not what it fitted."""
        return clone(self.estimator)


def refitted(estimator: Any) -> Refitted:
    """Find the parameter that is the number of clusters: that of the last step."""
    prefix, last = _last_step(estimator)
    known = last.get_params(deep=False) if hasattr(last, "get_params") else {}
    for name in _NUMBERS:
        if name in known:
            return Refitted(estimator, f"{prefix}{name}")
    raise InputTypeError(
        Argument("estimator"),
        f" must have a parameter n_clusters or n_components, and {type(last).__name__} "
        "has none; pass a function f(X, K, random_state) that returns a partition of "
        "the rows of X into K clusters",
    )


def _last_step(estimator: Any) -> tuple[str, Any]:
    """Return the step of a pipeline that clusters, and how its parameters begin."""
    prefix = ""
    while hasattr(estimator, "steps"):
        name, estimator = estimator.steps[-1]
        prefix += f"{name}__"
    return prefix, estimator


@cache
def _openmp() -> ThreadpoolController:
    """Return what limits the threads of OpenMP, of each thread that asks for it."""
    return ThreadpoolController().select(user_api="openmp")
