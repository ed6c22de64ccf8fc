"""Labels beside points that do not cover one another."""

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray


def beside(
    points: NDArray[np.float64], sizes: ArrayLike, gap: float
) -> NDArray[np.float64]:
    """
    Find a place for the label of each point.

    Parameters
    ----------
    points : ndarray of shape (k, 2)
        The points.
    sizes : array-like of shape (k, 2)
        The width and height of each label, in the units of the points.
    gap : float
        How far from its point a label begins.

    Returns
    -------
    ndarray of shape (k, 2)
        The left end of each label, in the middle of its height: to the right of its
        point, else to the left, above or below, or else farther and farther away, so
        that it covers no point and no label that is placed already. The highest points
        come first.

    Examples
    --------
    >>> import numpy as np
    >>> from concordant.plot.beside_points import beside
    >>> points = np.array([[0.0, 0.0], [0.5, 0.1]])
    >>> beside(points, [(2.0, 1.0), (2.0, 1.0)], gap=0.25).tolist()
    [[-2.25, 0.0], [0.75, 0.1]]
    """
    dots = np.concatenate([points - gap / 2.0, points + gap / 2.0], axis=1)
    taken = [*dots]
    extents = np.asarray(sizes, dtype=np.float64).tolist()
    places = np.empty_like(points)
    for i in sorted(range(len(points)), key=lambda i: (-points[i, 1], points[i, 0])):
        width, height = extents[i]
        for place in _around(points[i], width, height, gap):
            box = np.array(
                [
                    place[0],
                    place[1] - height / 2.0,
                    place[0] + width,
                    place[1] + height / 2.0,
                ]
            )
            others = np.reshape([*taken[:i], *taken[i + 1 :]], (-1, 4))
            if not _overlap(box, others):
                break
        places[i] = place
        taken.append(box)
    return places


def _around(
    point: NDArray[np.float64], width: float, height: float, gap: float
) -> Iterator[tuple[float, float]]:
    """Give places for a label, the best first; without end, as all may be taken."""
    x, y = float(point[0]), float(point[1])
    for far in itertools.count():
        away = gap + far * height / 2.0
        right, left, middle = x + away, x - away - width, x - width / 2.0
        up, down = y + height / 2.0 + away, y - height / 2.0 - away
        if far == 0:
            yield right, y
            yield left, y
        for aside in (right, left, middle):
            yield aside, up
            yield aside, down


def _overlap(box: NDArray[np.float64], others: NDArray[np.float64]) -> bool:
    """Tell whether a box (left, bottom, right, top) overlaps one of others."""
    apart = (others[:, :2] >= box[2:]).any(axis=1) | (box[:2] >= others[:, 2:]).any(
        axis=1
    )
    return not bool(apart.all())
