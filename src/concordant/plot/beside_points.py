"""Labels beside points that do not cover one another."""

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray


def beside(
    points: NDArray[np.float64], sizes: ArrayLike, gap: float
) -> NDArray[np.float64]:
    """
    Return the left end of the label of each point, in the middle of its height.

    `sizes` are widths and heights, `gap` is the distance from the point at which a
    label begins: to the right, else to the left, above or below, or farther and farther
    away, so that it covers no point and no earlier label. Highest points first.
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
    """Yield places for a label, the best first, without end, as all may be taken."""
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
    """Return whether a box (left, bottom, right, top) overlaps one of others."""
    apart = (others[:, :2] >= box[2:]).any(axis=1) | (box[:2] >= others[:, 2:]).any(
        axis=1
    )
    return not bool(apart.all())
