"""Data without clusters that are spread as given data are."""

import numpy as np

from concordant.arrays import Matrix
from concordant.execution.single_thread import single_blas_thread

_LEAST, _MOST = 0.01, 4.0  # skewness of gamma distributions that can be told apart


def _normal(scores: Matrix, rng: np.random.Generator) -> Matrix:
    """Draw normal numbers."""
    return rng.standard_normal(scores.shape)


def _uniform(scores: Matrix, rng: np.random.Generator) -> Matrix:
    """Draw from a box."""
    side = np.sqrt(3.0)  # half the side of an interval of variance 1
    return rng.uniform(-side, side, scores.shape)


def _skewed(scores: Matrix, rng: np.random.Generator) -> Matrix:
    """Draw gamma variates that are as skewed as the scores."""
    skewness = (scores**3).mean(axis=0)
    shape = 4.0 / np.clip(np.abs(skewness), _LEAST, _MOST) ** 2
    drawn = rng.standard_gamma(shape, scores.shape) - shape
    return np.asarray(drawn / np.copysign(np.sqrt(shape), skewness))


#: By name, what draws numbers of variance 1 for scores on principal axes.
REFERENCES = {"normal": _normal, "uniform": _uniform, "skewed": _skewed}


def drawn_as(X: Matrix, reference: str, rng: np.random.Generator) -> Matrix:
    """Draw as many points without structure, with the mean and the covariance of X."""
    mean = X.mean(axis=0)
    with single_blas_thread():  # its threads would change bits
        scores, lengths, axes = np.linalg.svd(X - mean, full_matrices=False)
        # The signs of axes differ from machine to machine.
        largest = np.abs(axes).argmax(axis=1)[:, None]
        signs = np.sign(np.take_along_axis(axes, largest, axis=1))
        root = np.sqrt(len(X) - 1)
        drawn = REFERENCES[reference](scores * (root * signs.T), rng)
        drawn *= lengths / root
        return np.asarray(np.dot(drawn, axes * signs) + mean)
