"""Data without clusters that are spread as given data are."""

from collections.abc import Callable

import numpy as np

from concordant.arrays import Matrix
from concordant.execution.single_thread import single_blas_thread

#: Data without structure like X: ``REFERENCES[name](X, rng)``.
Reference = Callable[[Matrix, np.random.Generator], Matrix]

_LEAST, _MOST = 0.01, 4.0  # skewness of gamma distributions that can be told apart


def normal_reference(X: Matrix, rng: np.random.Generator) -> Matrix:
    """Draw as many normal points, with the mean and the covariance of X."""
    return _spread_as(X, lambda scores: rng.standard_normal(scores.shape))


def uniform_reference(X: Matrix, rng: np.random.Generator) -> Matrix:
    """Draw as many uniform points from a box along the principal axes of X."""
    side = np.sqrt(3.0)  # half the side of an interval of variance 1
    return _spread_as(X, lambda scores: rng.uniform(-side, side, scores.shape))


def skewed_reference(X: Matrix, rng: np.random.Generator) -> Matrix:
    """Draw gamma variates along the principal axes of X, as skewed as X is there."""

    def draw(scores: Matrix) -> Matrix:
        skewness = (scores**3).mean(axis=0)
        shape = 4.0 / np.clip(np.abs(skewness), _LEAST, _MOST) ** 2
        drawn = rng.standard_gamma(shape, scores.shape) - shape
        return np.asarray(drawn / np.copysign(np.sqrt(shape), skewness))

    return _spread_as(X, draw)


REFERENCES: dict[str, Reference] = {
    "normal": normal_reference,
    "uniform": uniform_reference,
    "skewed": skewed_reference,
}


def _spread_as(X: Matrix, draw: Callable[[Matrix], Matrix]) -> Matrix:
    """Give numbers of variance 1, drawn for principal scores, the covariance of X."""
    mean = X.mean(axis=0)
    with single_blas_thread():  # its threads would change bits
        scores, lengths, axes = np.linalg.svd(X - mean, full_matrices=False)
        # The signs of axes differ from machine to machine.
        largest = np.abs(axes).argmax(axis=1)[:, None]
        signs = np.sign(np.take_along_axis(axes, largest, axis=1))
        root = np.sqrt(len(X) - 1)
        drawn = draw(scores * (root * signs.T)) * (lengths / root)
        return np.asarray(np.dot(drawn, axes * signs) + mean)
