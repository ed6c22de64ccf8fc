"""A tree of partitions by complete linkage: all of a branch are near to one another."""

import math
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Square = NDArray[np.float64]

#: How near any two of a branch are at least, unless told otherwise.
THRESHOLD = 0.95

_DIGITS = 3  # decimals of thresholds, if these are enough


class Merge(NamedTuple):
    """Two branches, each told by its first member, and how near their farthest are."""

    first: int
    second: int
    nearness: float


def merges(near: Square) -> Iterator[Merge]:
    """
    Join the two nearest branches, again and again, from single members on.

    Branches are as near as their two members that are farthest apart. Of pairs that are
    equally near, that of the first members is joined first. What is not defined is
    farther than anything.
    """
    k = len(near)
    left = np.where(np.isnan(near), -np.inf, near)
    np.fill_diagonal(left, -np.inf)
    for _ in range(k - 1):
        first, second = divmod(int(left.argmax()), k)
        yield Merge(first, second, float(left[first, second]))
        left[first] = left[:, first] = np.minimum(left[first], left[second])
        left[second] = left[:, second] = -np.inf


class Cut(NamedTuple):
    """
    Branches, each in order, of which any two members are so near at least.

    Any threshold above the one, up to the other, gives the same branches. Below the
    first there are fewer; it is minus infinity where there is one only.
    """

    branches: list[list[int]]
    above: float
    up_to: float


def cut(near: Square, threshold: float) -> Cut:
    """Cut the tree where members of a branch would be less near than a threshold."""
    found = {number: [number] for number in range(len(near))}
    above, up_to = -math.inf, 1.0
    for first, second, nearness in merges(near):
        if nearness < threshold:
            above = nearness
            break
        found[first] += found.pop(second)
        up_to = min(nearness, 1.0)
    return Cut([sorted(members) for members in found.values()], above, up_to)


def told_range(above: float, up_to: float) -> str:
    """Say which thresholds give the same modes: rounded such that all of them do."""
    digits, is_any = _DIGITS, above == -math.inf
    while True:
        unit = Decimal(1).scaleb(-digits)
        low, high = (Decimal(f"{end:z.{digits}f}") for end in (above, up_to))
        while not is_any and float(low) <= above:
            low += unit
        while float(high) > up_to:  # 0.3 is less than 3 / 10
            high -= unit
        if low <= high:
            ends = f"up to {high:f}" if is_any else f"from {low:f} to {high:f}"
            return f"the same modes for any threshold {ends}"
        digits += 1


def ordered_tree(near: Square, most: float) -> Square:
    """
    Return the tree as SciPy's ``linkage`` gives it, with heights of `most` - nearness.

    Neighbouring leaves are as near to one another as the tree allows. What is not
    defined is as far as the farthest.
    """
    from scipy.cluster.hierarchy import optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    k = len(near)
    farthest = np.nanmin(near, where=~np.eye(k, dtype=bool), initial=most)
    near = np.where(np.isnan(near), farthest, near)
    numbers, sizes = [*range(k)], [1] * k
    rows = []
    for step, (first, second, nearness) in enumerate(merges(near), start=k):
        sizes[first] += sizes[second]
        height = max(most - nearness, 0.0)
        rows.append([numbers[first], numbers[second], height, sizes[first]])
        numbers[first] = step
    away = np.maximum(most - near, 0.0)
    np.fill_diagonal(away, 0.0)
    tree = np.array(rows, dtype=np.float64).reshape(-1, 4)
    if k > 2:
        tree = optimal_leaf_ordering(tree, squareform(away, checks=False))
    return np.asarray(tree)
