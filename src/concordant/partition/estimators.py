"""What fitted estimators of scikit-learn's manner know of the clusters of data."""

from typing import Any

from concordant.errors import InputTypeError
from concordant.wording import either

# From the softest on: a topic model has transform alone, a k-means transforms to
# distances but predicts labels.
_ESTIMATES = ("predict_proba", "predict", "transform")
_KEPT = ("memberships_", "labels_")


def is_estimator(data: object) -> bool:
    """Return whether data is an estimator, without importing scikit-learn."""
    if isinstance(data, type):
        return False
    return hasattr(data, "fit") and hasattr(data, "get_params")


def kept(estimator: Any, name: str) -> object:
    """
    Take the ``memberships_``, else the ``labels_``, that a fitted estimator keeps.

    A pipeline stands for its last step, a search for its best estimator.
    """
    model = inner(estimator)
    called = type(model).__name__
    if _clusters_features(model):
        raise InputTypeError(
            f"{name} is a {called}, whose labels_ are those of features, not of objects"
        )
    for attribute in _KEPT:
        if getattr(model, attribute, None) is not None:
            return getattr(model, attribute)
    if not _is_fitted(model):
        raise InputTypeError(
            f"{name} is a {called} that was not fitted; call its fit(X) first"
        )
    *predictions, transform = (hasattr(estimator, method) for method in _ESTIMATES)
    what = "what it makes of the data"
    if any(predictions) or transform:
        what = "Partition.from_estimator(model, X)"
        what += "" if any(predictions) else ", if it transforms X to memberships"
    raise InputTypeError(
        f"{name} is a {called} that holds no memberships_ and no labels_ of its data; "
        f"pass {what}"
    )


def estimated(estimator: object, X: object) -> object:
    """Ask an estimator for the clusters of data."""
    for method in _ESTIMATES:
        if hasattr(estimator, method):
            return getattr(estimator, method)(X)
    remedy = ""
    if any(hasattr(inner(estimator), attribute) for attribute in _KEPT):
        remedy = "; pass Partition(estimator) for the clusters of what it was fitted to"
    raise InputTypeError(
        f"estimator must have one of {either(_ESTIMATES)}, but "
        f"{type(estimator).__name__} has none{remedy}"
    )


def seeds_of(estimator: Any) -> list[str]:
    """Return the parameters that are seeds, also those of steps of a pipeline."""
    names = estimator.get_params()
    return [name for name in names if name.rpartition("__")[2] == "random_state"]


def inner(estimator: Any) -> Any:
    """Find the estimator that clusters: the last step, or the best that was found."""
    while True:
        if hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        elif hasattr(estimator, "steps") and is_estimator(estimator.steps[-1][1]):
            estimator = estimator.steps[-1][1]
        else:
            return estimator


def _clusters_features(model: object) -> bool:
    return any(base.__name__ == "FeatureAgglomeration" for base in type(model).__mro__)


def _is_fitted(model: Any) -> bool:
    """Return whether fitting left something behind, as scikit-learn does."""
    if hasattr(model, "__sklearn_is_fitted__"):
        return bool(model.__sklearn_is_fitted__())
    learned = (name for name in vars(model) if not name.startswith("__"))
    return any(name.endswith("_") for name in learned)
