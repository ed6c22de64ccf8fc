"""How much objects differ in what they say of d, of E[d] and of ACI."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.execution.engine import Engine
from concordant.terms.distribution import Distribution

Vector = NDArray[np.float64]

_LOOKED_AT = 1 << 17  # objects
_PARTNERS = 128  # with whom each of these is compared
_REFERENCE = 1 << 16  # pairs that tell how dissimilarities are distributed
_KNOTS = 1 << 10
_ROWS = 256  # objects of a task: their pairs stay in the cache


@dataclass(frozen=True)
class ObjectSpread:
    """
    Standard deviations of the influences of objects.

    `d` and `expected` are means over the pairs that were looked at, `of_d`,
    `of_expected` and `of_aci` the standard deviations of what one object adds to n
    times each, to first order, and `n_objects` is how many objects were looked at.
    """

    d: float
    expected: float
    of_d: float
    of_expected: float
    of_aci: float
    n_objects: int


def spread_of_objects(p: Vector, q: Vector, engine: Engine) -> ObjectSpread:
    """
    Compare objects with some partners, all being in random order.

    An object enters d by twice the mean of |x - y| over its pairs, and E[d] by twice
    the mean of phi_Q(x) + phi_P(y), with phi the mean distance to all dissimilarities
    of the other partition. That partners are few adds to the standard deviations.
    """
    n = p.shape[1]
    looked_at, partners = min(n, _LOOKED_AT), min(n, _PARTNERS)
    step = 1 + np.arange(_REFERENCE) // n % (n - 1)
    first = np.arange(_REFERENCE) % n
    second = (first + step) % n
    x, y = (0.5 * np.abs(u[:, first] - u[:, second]).sum(axis=0) for u in (p, q))
    arrays = (p, q, partners, _Response.of(y), _Response.of(x))
    tasks = ((i, min(i + _ROWS, looked_at)) for i in range(0, looked_at, _ROWS))
    parts: Iterable[Vector] = engine.run(_means, arrays, tasks)
    d, to_q, to_p = np.concatenate(list(parts), axis=1)
    mean_d, expected = float(d.mean()), float(0.5 * (to_q.mean() + to_p.mean()))
    if expected == 0.0:
        return ObjectSpread(0.0, 0.0, 0.0, 0.0, 0.0, looked_at)
    # In units of E[d], so that no square is too small for a double.
    d_said, e_said = 2.0 * d / expected, 2.0 * (to_q + to_p) / expected
    aci_said = mean_d / expected * e_said - d_said
    return ObjectSpread(
        mean_d,
        expected,
        expected * float(d_said.std(ddof=1)),
        expected * float(e_said.std(ddof=1)),
        float(aci_said.std(ddof=1)),
        looked_at,
    )


@dataclass(frozen=True, eq=False)
class _Response:
    """The mean distance to given numbers, linear between knots."""

    knots: Vector
    levels: Vector

    @classmethod
    def of(cls, numbers: Vector) -> "_Response":
        """Take knots at quantiles of the numbers; beyond them it is linear anyway."""
        ordered = np.sort(numbers)
        ranks = np.linspace(0, ordered.size - 1, _KNOTS).astype(np.intp)
        # No dissimilarity is below 0, or above the second by more than rounding.
        knots = np.unique(np.concatenate(([0.0], ordered[ranks], [2.0])))
        return cls(knots, Distribution.of_values(ordered).mean_distance(knots))

    def __call__(self, values: Vector) -> Vector:
        return np.asarray(np.interp(values, self.knots, self.levels))


def _means(
    p: Vector,
    q: Vector,
    partners: int,
    to_q: _Response,
    to_p: _Response,
    i0: int,
    i1: int,
) -> Vector:
    """Return means over partners for some objects: of |x - y|, of phi(x), of phi(y)."""
    x, y = (
        0.5 * sum(np.abs(c[i0:i1, None] - c[None, :partners]) for c in u)
        for u in (p, q)
    )
    others = np.ones(x.shape, dtype=np.bool_)
    alone = np.arange(i0, min(i1, partners))
    others[alone - i0, alone] = False  # nobody is a partner of its own
    counts = others.sum(axis=1)
    return np.stack(
        [
            np.where(others, values, 0.0).sum(axis=1) / counts
            for values in (np.abs(x - y), to_q(x), to_p(y))
        ]
    )
