"""Mean and standard deviation of the discordance of permuted objects, closed form."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.result import Concordance
from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.agreement.scaling import Scaled, scaled, upper_bound
from concordant.execution.engine import Engine, Threads
from concordant.execution.run import Run
from concordant.families.crisp import pairs_within
from concordant.gather import gathered_concordance
from concordant.inference.thresholds_of_pairs import (
    PairSums,
    cells_for,
    exact_sums,
    sums_by_cells,
    sums_of_crisp,
    sums_with_crisp,
)
from concordant.partition.alignment import Align, aligned
from concordant.partition.partition import Partition
from concordant.printing import html_lines, html_table, short, table_lines
from concordant.wording import count

Vector = NDArray[np.float64]

#: Up to so many objects it is tried whether few dissimilarities differ.
_FEW = 128
_TINY = 2.0**-900  # has a reciprocal
# How far sums of products of doubles are off, in relation to the terms.
_ROUNDING = 1e-14
_COLUMNS = ("", "observed", "mean", "standard deviation")


@dataclass(frozen=True)
class NullMoments:
    """
    What chance gives: moments of d and ACI over all permutations of the objects.

    Parameters
    ----------
    discordance_mean : float
        E[d], the mean of d over all n! permutations.
    discordance_sd : float
        The standard deviation of d over all n! permutations.
    discordance_sd_error : float
        A bound of the error of `discordance_sd`.
    discordance : float
        d as found.
    aci : float
        ACI as found.
    n_objects : int
        n.
    """

    discordance_mean: float
    discordance_sd: float
    discordance_sd_error: float
    discordance: float
    aci: float
    n_objects: int

    @property
    def aci_mean(self) -> float:
        """The mean of ACI: 0, or 1 if nothing can differ."""
        return 0.0 if self.discordance_mean > 0.0 else 1.0

    @property
    def aci_sd(self) -> float:
        """The standard deviation of ACI."""
        return _in_units_of(self.discordance_sd, self.discordance_mean)

    @property
    def aci_sd_error(self) -> float:
        """A bound on the error of `aci_sd`."""
        return _in_units_of(self.discordance_sd_error, self.discordance_mean)

    @property
    def zscore(self) -> float:
        """By how many standard deviations d is smaller than by chance."""
        if self.discordance_sd == 0.0:
            return math.nan
        return (self.discordance_mean - self.discordance) / self.discordance_sd

    def __str__(self) -> str:
        return "\n".join([self._title(), *table_lines(_COLUMNS, self._cells())])

    def _repr_html_(self) -> str:
        return html_lines(self._title(), []) + html_table(_COLUMNS, self._cells())

    def _title(self) -> str:
        n = count(self.n_objects, "object")
        z = "" if math.isnan(self.zscore) else f"; z = {self.zscore:.4g}"
        return f"Over all permutations of {n}{z}"

    def _cells(self) -> list[list[str]]:
        d = (self.discordance, self.discordance_mean, self.discordance_sd)
        aci = (self.aci, self.aci_mean, self.aci_sd)
        return [["d", *map(short, d)], ["ACI", *map(short, aci)]]


def _in_units_of(value: float, unit: float) -> float:
    return value / unit if unit > 0.0 else 0.0


def null_moments(
    P: object, Q: object, *, n_jobs: int | None = None, align: Align = "position"
) -> NullMoments:
    """
    Return mean and standard deviation of d over all permutations, without permuting.

    Two pairs of objects are identical, share an object, or share none, and permutations
    preserve that: the variance of d follows from sums over each kind.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    n_jobs : int, optional
        Number of threads; see `concordant.concordance`.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

    Returns
    -------
    NullMoments
        With a bound on the error of the standard deviation. Only rounding is left if
        either partition is crisp, if memberships are multiples of 1/D with D up to
        1024, or if few dissimilarities are distinct; otherwise it is mostly below 1 %.

    Raises
    ------
    ValueError
        If a partition is possibilistic, or two fuzzy partitions have more than 131 071
        objects.

    Notes
    -----
    Two crisp partitions take O(n), all others O(n² (K + L)) time and O(n (K + L))
    memory. The distribution itself is skewed, so a z-score is not enough for a p-value:
    see `concordance_test`.

    Examples
    --------
    >>> from concordant.inference import null_moments
    >>> chance = null_moments([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2])
    >>> round(chance.discordance_mean, 6), round(chance.discordance_sd, 6)
    (0.44, 0.130639)
    >>> round(chance.zscore, 6)
    0.816497
    """
    engine = Threads(n_jobs)
    p, q = aligned(P, Q, align=align, engine=engine)
    found = gathered_concordance(p, q, Run(engine=engine))
    return moments_of(p, q, found, engine)


def moments_of(
    P: Partition, Q: Partition, found: Concordance, engine: Engine
) -> NullMoments:
    """Give the moments of aligned partitions, whose concordance is known."""
    sd, error = _standard_deviation(P, Q, engine)
    return NullMoments(
        discordance_mean=found.expected_discordance,
        discordance_sd=sd,
        discordance_sd_error=error,
        discordance=found.discordance,
        aci=found.aci,
        n_objects=P.n_objects,
    )


def _standard_deviation(
    P: Partition, Q: Partition, engine: Engine
) -> tuple[float, float]:
    """Give the standard deviation of d, and a bound of its error."""
    n = P.n_objects
    if n < 3:
        return 0.0, 0.0
    if P.kind == Q.kind == "crisp":
        sizes = (np.bincount(P.labels), np.bincount(Q.labels))
        variance = crisp_variance(*sizes, n)
        return math.sqrt(variance), 4.0 * UNIT_ROUNDOFF * math.sqrt(variance)
    if "crisp" in (P.kind, Q.kind):
        fuzzy, crisp = (Q, P) if P.kind == "crisp" else (P, Q)
        columns = fuzzy.columns()
        joined = pairs_within(np.bincount(crisp.labels))
        if _is_constant(columns) or joined in (0, n * (n - 1) // 2):
            return 0.0, 0.0
        x, y = sums_with_crisp(columns, engine), sums_of_crisp(crisp)
        blur = (len(columns) + n) * UNIT_ROUNDOFF * float(x.totals[0])
        return _assembled(x, y, np.ones(1), n, 2.0 * blur / (n * (n - 1) // 2))
    data = scaled(P, Q)
    if data.one_is_constant:
        return 0.0, 0.0
    return tuple(  # type: ignore[return-value]
        math.ldexp(number, -data.exponent) for number in _of_two_fuzzy(data, n, engine)
    )


def _is_constant(columns: Vector) -> bool:
    return bool((columns.max(axis=1) == columns.min(axis=1)).all())


def _of_two_fuzzy(data: Scaled, n: int, engine: Engine) -> tuple[float, float]:
    # No dissimilarity of one of the partitions is larger, as computed.
    top = 0.5 * min(upper_bound(data.p), upper_bound(data.q))
    if top < _TINY:
        return 0.0, 2.0 * top  # d changes by no more
    rounding = data.rounding(top, top)
    if n <= _FEW:
        found = exact_sums(data.p, data.q)
        if found is not None:
            return _assembled(*found, n, rounding)
    from concordant.kernels.profiles import MOST_OBJECTS

    if n >= MOST_OBJECTS:
        raise ValueError(
            "the null standard deviation of two fuzzy partitions is for fewer than "
            f"{MOST_OBJECTS} objects, found {n}; concordance_test estimates it from "
            "permutations"
        )
    cells = cells_for(data.p, data.q, top)
    x = sums_by_cells(data.p, cells, engine)
    y = sums_by_cells(data.q, cells, engine)
    return _assembled(x, y, cells.widths, n, rounding + 2.0 * (x.blur + y.blur))


def _assembled(
    x: PairSums, y: PairSums, widths: Vector, n: int, blur: float
) -> tuple[float, float]:
    """
    Give the standard deviation of d and a bound of its error from sums of both sides.

    d is a constant less twice the mean of min(a, b), which is a sum of products of
    centred features: E of a product of two such means is one term for two equal pairs,
    one for pairs that share an object, and one for disjoint pairs. `blur` is how far
    dissimilarities, of either side, are off on average.
    """
    m = n * (n - 1) // 2
    share = 2 * m * (n - 2)
    disjoint = m * (n - 2) * (n - 3) // 2
    # Centred features sum to 0 over all pairs: so do all products together.
    divisors = [1.0 / m, 1.0 / share, 1.0 / disjoint if disjoint else 0.0]
    of_x, of_y = _products(x, n), _products(y, n)
    weights = np.outer(widths, widths)
    terms = np.zeros_like(weights)
    rounding = np.zeros_like(weights)
    for (a, size_a), (b, size_b), divisor in zip(of_x, of_y, divisors, strict=True):
        terms += a * b * divisor
        # Each factor is off by a few units of the numbers that it was made of.
        rounding += (size_a * np.abs(b) + size_b * np.abs(a)) * divisor
        rounding += _ROUNDING * size_a * size_b * divisor
    variance = max(float((weights * terms).sum()), 0.0) / m**2
    sd = math.sqrt(variance)
    unsure = _ROUNDING * float((weights * rounding).sum())
    # The squares of features inside a cell are known within bounds.
    squared = widths**2
    multiples = (1.0, 2.0, 1.0)  # of the squares in each of the products
    for one, others in ((x, of_y), (y, of_x)):
        for (product, _), divisor, multiple in zip(
            others, divisors, multiples, strict=True
        ):
            changes = squared * one.squares_error * np.abs(product.diagonal())
            unsure += multiple * divisor * float(changes.sum())
    both = sum(k * k * d for k, d in zip(multiples, divisors, strict=True))
    unsure += float((squared * x.squares_error * y.squares_error).sum()) * both
    unsure /= m**2
    # What is lost where a and b lie inside one cell has a standard deviation too.
    lost = float((weights * x.rough_gram * y.rough_gram).sum()) * sum(divisors[1:])
    lost += 0.25 * float((squared * x.rough * y.rough).sum()) * both
    error = math.sqrt(lost) / m + blur
    error += unsure / sd if unsure < variance else math.sqrt(unsure)
    return 2.0 * sd, 2.0 * error


def _products(sums: PairSums, n: int) -> list[tuple[Vector, Vector]]:
    """
    Sum products of two centred features over equal pairs, neighbours and others.

    The last have the opposite sign. Beside each stands how large the numbers are of
    which it is a difference.
    """
    m = n * (n - 1) // 2
    # If a pair reaches into the higher of two cells, it passes the lower.
    T = sums.totals.size
    higher = np.maximum.outer(np.arange(T), np.arange(T))
    products = sums.totals[higher]
    np.fill_diagonal(products, sums.squares)
    means = np.outer(sums.totals, sums.totals)
    equal, size = products - means / m, products + means / m
    gram_size = np.abs(sums.gram) + 4.0 * means / n
    return [
        (equal, size),
        (sums.gram - 2.0 * equal, gram_size + 2.0 * size),
        (sums.gram - equal, gram_size + size),
    ]


def crisp_variance(
    sizes_p: NDArray[np.int64], sizes_q: NDArray[np.int64], n: int
) -> Fraction:
    """Give the variance of d of two crisp partitions from the sizes of clusters."""
    m = n * (n - 1) // 2
    equal, share, disjoint = [], [], []
    for sizes in (sizes_p, sizes_q):
        joined = pairs_within(sizes)
        distinct, repeats = np.unique(sizes, return_counts=True)
        by_object = sum(
            size * (size - 1) ** 2 * repeat
            for size, repeat in zip(distinct.tolist(), repeats.tolist(), strict=True)
        )
        equal.append(joined)
        share.append(by_object - 2 * joined)
        disjoint.append(joined**2 - by_object + joined)
    second = Fraction(equal[0] * equal[1], m)
    second += Fraction(share[0] * share[1], 2 * m * (n - 2))
    if n > 3:
        second += Fraction(disjoint[0] * disjoint[1] * 2, m * (n - 2) * (n - 3))
    return 4 * (second - Fraction(equal[0] * equal[1], m) ** 2) / m**2
