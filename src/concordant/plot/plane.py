"""Points of the plane, and labels beside them that do not cover one another."""

import itertools
from collections.abc import Iterator

import numpy as np
from matplotlib.transforms import Bbox
from numpy.typing import NDArray


def in_the_plane(
    distances: NDArray[np.float64],
) -> tuple[NDArray[np.float64], float]:
    """
    Place points by classical multidimensional scaling (Torgerson 1952).

    Returns them with the share of the positive eigenvalues that the plane shows. Of the
    two directions of an axis, the one in which the farthest point is positive is taken.
    """
    squares = distances**2
    centred = squares - squares.mean(axis=0)
    centred = -0.5 * (centred - centred.mean(axis=1, keepdims=True))
    values, vectors = np.linalg.eigh((centred + centred.T) / 2.0)
    values = np.maximum(values[::-1], 0.0)
    points = np.zeros((len(distances), 2))
    width = min(2, len(distances))
    points[:, :width] = vectors[:, ::-1][:, :width] * np.sqrt(values[:width])
    farthest = np.abs(points).argmax(axis=0)
    points *= np.where(points[farthest, [0, 1]] < 0.0, -1.0, 1.0)
    total = float(values.sum())
    return points, float(values[:2].sum()) / total if total > 0.0 else 1.0


def beside(
    points: NDArray[np.float64], sizes: NDArray[np.float64], gap: float
) -> NDArray[np.float64]:
    """
    Return the left end of the label of each point, in the middle of its height.

    `sizes` are widths and heights, `gap` is the distance from the point at which a
    label begins: to the right, else to the left, above or below, or farther and farther
    away, so that it covers no point and no earlier label. Highest points first.
    """
    taken = [Bbox([point - gap / 2.0, point + gap / 2.0]) for point in points]
    places = np.empty_like(points)
    for i in np.lexsort((points[:, 0], -points[:, 1])):
        for x, y in _around(points[i], sizes[i], gap):
            box = Bbox.from_bounds(x, y - sizes[i, 1] / 2.0, *sizes[i])
            if not box.count_overlaps(taken):
                break
        places[i] = x, y
        taken.append(box)
    return places


def _around(
    point: NDArray[np.float64], size: NDArray[np.float64], gap: float
) -> Iterator[tuple[float, float]]:
    """Yield places for a label, the best first, without end, as all may be taken."""
    (x, y), (width, height) = point.tolist(), size.tolist()
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
