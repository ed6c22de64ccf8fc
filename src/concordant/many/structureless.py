"""Data without clusters that are spread as given data are."""

from collections.abc import Callable

import numpy as np

from concordant.arrays import Matrix
from concordant.execution.single_thread import single_blas_thread


def normal_reference(X: Matrix, rng: np.random.Generator) -> Matrix:
    """Draw as many normal points, with the mean and the covariance of X."""
    return _spread_as(X, rng.standard_normal)


def uniform_reference(X: Matrix, rng: np.random.Generator) -> Matrix:
    """Draw as many uniform points from a box along the principal axes of X."""
    side = np.sqrt(3.0)  # half the side of an interval of variance 1
    return _spread_as(X, lambda shape: rng.uniform(-side, side, shape))


#: What draws structureless data like X, by name: ``REFERENCES[name](X, rng)``.
REFERENCES: dict[str, Callable[[Matrix, np.random.Generator], Matrix]] = {
    "normal": normal_reference,
    "uniform": uniform_reference,
}


def _spread_as(X: Matrix, draw: Callable[[tuple[int, int]], Matrix]) -> Matrix:
    """Give independent numbers of variance 1 the mean and the covariance of X."""
    mean = X.mean(axis=0)
    with single_blas_thread():  # its threads would change bits
        _, lengths, axes = np.linalg.svd(X - mean, full_matrices=False)
        # The signs of axes differ from machine to machine.
        largest = np.abs(axes).argmax(axis=1)[:, None]
        axes *= np.sign(np.take_along_axis(axes, largest, axis=1))
        scales = lengths / np.sqrt(len(X) - 1)
        points = np.dot(draw((len(X), len(scales))) * scales, axes)
    return np.asarray(points + mean)
