"""Labels beside points that do not cover one another."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def beside(
    points: NDArray[np.float64], sizes: Sequence[tuple[float, float]], gap: float
) -> NDArray[np.float64]:
    """
    Find a place for the label of each point.

    Parameters
    ----------
    points : ndarray of shape (k, 2)
        The points.
    sizes : sequence of k pairs of float
        The width and height of each label, in the units of the points.
    gap : float
        How far to the right of its point a label begins.

    Returns
    -------
    ndarray of shape (k, 2)
        The left end of each label, in the middle of its height: beside its point, or
        as far below as it takes not to cover a label that is placed already. The
        highest points come first.

    Examples
    --------
    >>> import numpy as np
    >>> from concordant.plot.beside_points import beside
    >>> points = np.array([[0.0, 0.0], [0.5, 0.1]])
    >>> beside(points, [(2.0, 1.0), (2.0, 1.0)], gap=0.25).tolist()
    [[0.25, -0.9], [0.75, 0.1]]
    """
    places = points.copy()
    places[:, 0] += gap
    placed: list[int] = []
    for i in sorted(range(len(points)), key=lambda i: (-points[i, 1], points[i, 0])):
        width, height = sizes[i]
        for j in sorted(placed, key=lambda j: -places[j, 1]):
            apart = (height + sizes[j][1]) / 2.0
            x, y = places[i] - places[j]
            if abs(y) < apart and -width < x < sizes[j][0]:
                places[i, 1] = places[j, 1] - apart
        placed.append(i)
    return places
