"""T-norms, and by them Campello's degrees: how far a pair shares a cluster or not."""

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from concordant.arrays import Vector
from concordant.catalogue.lookups import loaded
from concordant.catalogue.values import T_NORMS
from concordant.partition.partition import Partition

OnArrays = Callable[[Any, Any], Vector]


def minimum(x: float, y: float) -> float:
    """Return the smaller one."""
    return min(x, y)


def product(x: float, y: float) -> float:
    """Return x y."""
    return x * y


def lukasiewicz(x: float, y: float) -> float:
    """Return max(x + y - 1, 0), rounded once: 1 - max is exact where it is not 0."""
    return max(min(x, y) - (1.0 - max(x, y)), 0.0)


@cache
def on_arrays(name: str) -> OnArrays:
    """Return a t-norm with NumPy's `min` and `max` in the place of Python's."""
    t = loaded(T_NORMS[name].function)
    names = {**t.__globals__, "min": np.minimum, "max": np.maximum}
    return FunctionType(t.__code__, names)


def _ends(P: Partition) -> Vector:
    """
    Return each object's largest membership, its second, the cluster of the first and 0.

    A t-norm grows with both arguments, so that nothing else matters of two objects in
    different clusters. A product does not where memberships are negative: then the
    smallest, the second smallest, the cluster of the smallest and 0 follow.
    """
    u = P.columns()
    found = _two_largest(u)
    if u.min() >= 0.0 or len(u) < 2:
        return found
    smallest = _two_largest(-u)
    smallest[:2] *= -1.0
    return np.concatenate((found, smallest))


def _two_largest(u: Vector) -> Vector:
    found = np.zeros((4, u.shape[1]))
    largest, second, where, _ = found
    largest[:] = u[0]
    second[:] = -np.inf if len(u) > 1 else 0.0
    for k in range(1, len(u)):
        # The larger one stays or comes, the other is at most a second.
        np.maximum(second, np.minimum(largest, u[k]), out=second)
        where[u[k] > largest] = k
        np.maximum(largest, u[k], out=largest)
    return found


class Shared:
    """To which degree one cluster holds both objects of a pair."""

    @staticmethod
    def columns(P: Partition) -> Vector:
        """Return the memberships, K x n."""
        return P.columns()

    @staticmethod
    def of_windows(ones: Vector, others: Vector, t: OnArrays, out: Vector) -> None:
        """Fill `out` with max_k t(u_ik, u_jk), of K x h objects, K x h x w others."""
        out[...] = t(ones[0, :, None], others[0])
        for one, other in zip(ones[1:], others[1:], strict=True):
            np.maximum(out, t(one[:, None], other), out=out)


class Apart:
    """To which degree two clusters hold one object of a pair each."""

    columns = staticmethod(_ends)

    @staticmethod
    def of_windows(ones: Vector, others: Vector, t: OnArrays, out: Vector) -> None:
        """Fill `out` with max_{k != l} t(u_ik, u_jl), from the `_ends` of objects."""
        out[...] = -np.inf
        for start in range(0, len(ones), 4):
            first, second, where = ones[start : start + 3, :, None]
            tops, nexts, wheres = others[start : start + 3]
            other = np.where(wheres == where, nexts, tops)
            np.maximum(out, np.maximum(t(first, other), t(second, tops)), out=out)
