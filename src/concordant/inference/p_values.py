"""P-values from random permutations, which may stop early."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Alternative = Literal["greater", "less", "two-sided"]


class Exceedances:
    """
    Count draws that are at least as extreme as what was found, as they come.

    With `stop_after`, counting in a direction ends with that many of them, and their
    share of the draws so far is the p-value (Besag and Clifford 1991); else it is
    (b + 1) / (h + 1), as what was found is one of the equally likely draws. Numbers
    that differ by no more than `tolerance` are equal; two-sided is twice the smaller.
    """

    def __init__(
        self,
        observed: float,
        tolerance: float,
        alternative: Alternative,
        stop_after: int | None = None,
    ) -> None:
        self._observed, self._tolerance = observed, tolerance
        self._stop_after = stop_after
        self.n_draws = 0
        self._counts = {
            side: 0
            for side in ("greater", "less")
            if alternative in (side, "two-sided")
        }
        self._ended: dict[str, int] = {}

    @property
    def are_enough(self) -> bool:
        """Whether further draws would change nothing."""
        return len(self._ended) == len(self._counts)

    def add(self, draws: Vector) -> int:
        """Count draws, up to the one that is enough; return how many were taken."""
        for side in self._counts:
            if side not in self._ended:
                self._count(side, draws)
        taken = len(draws)
        if self.are_enough:
            taken = max(self._ended.values()) - self.n_draws
        self.n_draws += taken
        return taken

    def _count(self, side: str, draws: Vector) -> None:
        if side == "greater":
            extreme = draws >= self._observed - self._tolerance
        else:
            extreme = draws <= self._observed + self._tolerance
        found = int(np.count_nonzero(extreme))
        wanted = self._stop_after
        if wanted is None or self._counts[side] + found < wanted:
            self._counts[side] += found
            return
        last = np.flatnonzero(extreme)[wanted - self._counts[side] - 1]
        self._counts[side] = wanted
        self._ended[side] = self.n_draws + int(last) + 1

    def pvalue(self, *, all_seen: bool = False) -> float:
        """Return the p-value; of all permutations, what was found is one."""
        shares = [
            count / self._ended[side]
            if side in self._ended
            else count / self.n_draws
            if all_seen
            else (count + 1) / (self.n_draws + 1)
            for side, count in self._counts.items()
        ]
        return min(1.0, len(shares) * min(shares))
