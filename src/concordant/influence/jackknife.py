"""Standard error, bias and interval from values that leave one object out."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Jackknife:
    """An estimate, with what leaving out each object says of it."""

    estimate: float
    bias: float
    standard_error: float
    n_parts: int

    @classmethod
    def of(
        cls, estimate: float, changes: Vector, sizes: NDArray[np.intp] | None = None
    ) -> "Jackknife":
        """
        Take the changes of an estimate where each object, or group, is left out.

        What groups of unlike `sizes` change has a mean other than 0 even if there is no
        bias; weighted by what is left without them, it is the bias (Busing, Meijer and
        van der Leeden 1999).
        """
        n = len(changes)
        mean = float(changes.mean())
        bias = (n - 1) * mean
        if sizes is not None:
            bias = float(((1.0 - sizes / sizes.sum()) * changes).sum())
        squares = float(np.square(changes - mean).sum())
        return cls(estimate, bias, math.sqrt(squares * (n - 1) / n), n)

    def interval(
        self, level: float, ends: tuple[float, float] | None
    ) -> tuple[float, float]:
        """
        Return the interval by Student's t, centred at the estimate less its bias.

        If the index has a worst and a best value, `ends`, it is an interval of the
        logarithm of the distance from the best: that is less skew, and the interval
        does not pass the best value. It ends at the worst.
        """
        from scipy.special import stdtrit

        quantile = float(stdtrit(self.n_parts - 1, 0.5 + 0.5 * level))
        width = quantile * self.standard_error
        if ends is None or self.estimate >= ends[1]:
            centre = self.estimate - self.bias
            return centre - width, centre + width
        worst, best = ends
        distance = best - self.estimate
        shift, reach = self.bias / distance, width / distance
        furthest = math.log((best - worst) / distance)
        far, near = (min(shift + side * reach, furthest) for side in (1, -1))
        return best - distance * math.exp(far), best - distance * math.exp(near)

    def p_value(self, alternative: str) -> float:
        """Return the probability, by Student's t, of an estimate as far from 0."""
        from scipy.special import stdtr

        distance, error = self.estimate - self.bias, self.standard_error
        if distance == error == 0.0:
            return 1.0
        t = distance / error if error > 0.0 else math.copysign(math.inf, distance)
        below, above = (float(stdtr(self.n_parts - 1, x)) for x in (t, -t))
        both = {"less": below, "greater": above}
        return both.get(alternative, 2.0 * min(below, above))
