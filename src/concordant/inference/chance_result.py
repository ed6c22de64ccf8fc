"""The result of a test of the agreement of two partitions."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.families import STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import heading_of
from concordant.printing import Readable, Shown
from concordant.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Fields that plain values leave out.
_UNTOLD = "null_distribution", "n_objects", "sampled_statistic", "remark", "rounding"

#: A standard deviation has at least so many times what rounding may change.
PARTS_OF_SD = 10.0


@dataclass(frozen=True, eq=False)
class ConcordanceTest(Readable):
    """
    Whether two partitions agree more than by chance.

    Parameters
    ----------
    statistic : float
        The observed index: of all pairs of objects if these can be visited in
        reasonable time, otherwise of the sample of `n_pairs` pairs.
    pvalue : float
        The probability that unrelated partitions are at least as extreme.
    null_distribution : ndarray
        The index of each permutation that was drawn; empty if none was.
    null_mean, null_sd : float
        Mean and standard deviation of the index over all permutations, or over those
        that were drawn, as `null_moments` says.
    null_sd_error : float
        A bound on the error of `null_sd` in closed form; the half width of its 95 %
        confidence interval if it comes from random permutations.
    null_moments : {"closed form", "permutations"}
        Where mean and standard deviation come from.
    n_permutations : int
        Number of permutations visited.
    n_objects, n_pairs : int
        Number of objects, and of the pairs on which permutations are compared: all
        n (n - 1) / 2, or a fixed random sample.
    alternative : {"greater", "less", "two-sided"}
        What the p-value is small for: more agreement, less, or either.
    method : str
        How the null distribution was made: ``"all permutations"``, ``"contingency
        tables"``, ``"permuted labels"``, ``"all pairs"``, ``"sampled pairs"``,
        ``"permuted objects"``; ``"normal"`` or ``"no permutation"`` for none.
    index : str
        The index.
    null_mean_discordance, null_sd_discordance : float or None
        Mean and standard deviation of d = 1 - NDC, of which ACI and NDC are functions;
        None for other indices.
    stopped_early : bool
        Whether drawing stopped because enough permutations were at least as extreme.
    sampled_statistic : float or None
        The index of the sample of pairs on which permutations are compared; None if
        these are all pairs.
    remark : str
        Why no permutation was needed, if none was.
    similarity : {"l1", "inner"}
        The similarity of a pair of objects that ACI and NDC are about.
    n_strata, n_groups : int or None
        Number of strata within which objects were permuted, or of whole groups that
        were; None if permutations were not restricted.
    rounding : float
        How far rounding may move `statistic` from `null_mean`.
    """

    statistic: float
    pvalue: float
    null_distribution: NDArray[np.float64]
    null_mean: float
    null_sd: float
    null_sd_error: float
    null_moments: str
    n_permutations: int
    n_objects: int
    n_pairs: int
    alternative: Literal["greater", "less", "two-sided"]
    method: str
    index: str
    null_mean_discordance: float | None = None
    null_sd_discordance: float | None = None
    stopped_early: bool = False
    sampled_statistic: float | None = None
    remark: str = ""
    similarity: str = "l1"
    n_strata: int | None = None
    n_groups: int | None = None
    rounding: float = 0.0

    @property
    def zscore(self) -> float:
        """By how many standard deviations it exceeds the mean; nan if there is none."""
        closed = self.null_moments == "closed form"
        error = self.null_sd_error if closed else 0.0
        if not self.null_sd > max(error, PARTS_OF_SD * self.rounding):
            return math.nan  # there is none, or it may be rounding
        found = self.statistic
        if self.null_moments == "permutations" and self.sampled_statistic is not None:
            found = self.sampled_statistic
        return (found - self.null_mean) / self.null_sd

    @property
    def is_exact(self) -> bool:
        """Whether the p-value is exact: all permutations were visited, or are alike."""
        return self.method in ("all permutations", "no permutation")

    @property
    def uses_all_pairs(self) -> bool:
        """Whether permutations are compared on all pairs of objects."""
        return self.n_pairs == self.n_objects * (self.n_objects - 1) // 2

    @property
    def heading(self) -> str:
        """What tables call the index."""
        known = self.index in INDICES or self.index in STATISTICS
        about = "" if self.similarity == "l1" else f" (similarity {self.similarity})"
        return (heading_of(self.index) if known else self.index) + about

    def to_dict(self) -> dict[str, Any]:
        """
        Return the result without the permutations as plain Python numbers and text.

        Returns
        -------
        dict
            By the names of the fields, with ``zscore`` and ``is_exact``; the command
            line prints the same as JSON.
        """
        fields = {**vars(self), "zscore": self.zscore, "is_exact": self.is_exact}
        return {name: x for name, x in fields.items() if name not in _UNTOLD}

    def phrase(self) -> str:
        """
        Say what the test found, in a line.

        Returns
        -------
        str
            Such as ``"permutation test of ACI: p = 0.0001, z = 86.55 (...)"``.
        """
        what = f"permutation test of {self.heading}: p = {self.pvalue:.4g}"
        return f"{what}{self._z(', ')} ({self._drawn()})"

    def sentences(self) -> list[str]:
        """
        Say what was found.

        Returns
        -------
        list of str
            The value with its p-value, what chance gives, and where both come from.
        """
        sides = {"greater": "larger", "less": "smaller"}
        if self.index in INDICES or self.index in STATISTICS:
            sides = {"greater": "more agreement", "less": "less agreement"}
        meant: str = self.alternative
        if meant in sides:
            meant = f"one-sided: {sides[meant]} than by chance"
        return [
            f"{self.heading} = {self.statistic:.6g}, p = {self.pvalue:.4g} ({meant})",
            f"by chance: {self._moments()}",
            f"p-value: {self._origin()}",
            f"statistic: {self._pairs()}",
        ]

    def _moments(self) -> str:
        shown = f"mean {self.null_mean:.4g}, standard deviation {self.null_sd:.4g}"
        source = "closed form"
        if self.null_moments != "closed form":
            source = f"from the permutations, ± {self.null_sd_error:.2g}"
        return f"{shown} ({source}){self._z('; ')}"

    def _z(self, before: str) -> str:
        z = self.zscore
        return "" if math.isnan(z) else f"{before}z = {z:.4g}"

    def _origin(self) -> str:
        if self.remark:
            return self.remark
        if self.method == "normal":
            return "normal approximation from z"
        if self.is_exact:
            return f"exact, over {self._drawn()}"
        origin = f"from {self._drawn()} ({self.method})"
        if self.stopped_early:
            return f"{origin}; stopped when enough were at least as extreme"
        sides = 2 if self.alternative == "two-sided" else 1
        least = self.pvalue <= sides * (1.0 + 1e-9) / (self.n_permutations + 1)
        return f"{origin}; no smaller one is possible" if least else origin

    def _drawn(self) -> str:
        if self.method == "normal":
            return "normal approximation"
        of_what = ""
        if self.n_strata is not None:
            of_what = f" within {self.n_strata} strata"
        elif self.n_groups is not None:
            of_what = f" of {self.n_groups} whole groups"
        if self.is_exact:
            return f"all {count(self.n_permutations, 'permutation')}{of_what}"
        return f"{count(self.n_permutations, 'random permutation')}{of_what}"

    def _pairs(self) -> str:
        pairs = count(self.n_pairs, "pair")
        of = f"of {count(self.n_objects, 'object')}"
        of_pairs = {*STATISTICS, *(k for k, v in INDICES.items() if v.cost == "pairs")}
        if self.index not in of_pairs:
            return f"all {count(self.n_objects, 'object')}"
        if self.uses_all_pairs:
            return f"all {pairs} {of}"
        sample = f"a fixed random sample of {pairs} {of}"
        if self.sampled_statistic in (None, self.statistic):
            return sample
        return (
            f"all pairs; permutations are compared on {sample}, where it is "
            f"{self.sampled_statistic:.6g}"
        )

    def plot(self, ax: "Axes | None" = None, **options: Any) -> "Axes":
        """
        Draw the null distribution, with the index that was found.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw.
        **options
            As in `concordant.plot.null_distribution`.

        Returns
        -------
        Axes
            With the picture.
        """
        from concordant.plot import null_distribution

        return null_distribution(self, ax=ax, **options)

    def __repr__(self) -> str:
        restricted = "".join(
            f", {name}={number}"
            for name in ("n_strata", "n_groups")
            if (number := getattr(self, name)) is not None
        )
        return (
            f"ConcordanceTest(statistic={self.statistic!r}, pvalue={self.pvalue!r}, "
            f"zscore={self.zscore!r}, method={self.method!r}, "
            f"n_permutations={self.n_permutations}{restricted})"
        )

    def _shown(self) -> Shown:
        first, *others = self.sentences()
        return Shown(first, others)
