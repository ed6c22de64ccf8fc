"""Mean and standard deviation of the discordance of permuted objects, closed form."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import UNIT_ROUNDOFF
from concordant.catalogue.values import Similarity
from concordant.compute import gathered_concordance
from concordant.errors import InputError
from concordant.execution.engine import Engine, Threads
from concordant.execution.run import Run
from concordant.execution.single_thread import single_blas_thread
from concordant.inference.chance_result import PARTS_OF_SD
from concordant.inference.interval import check_similarity
from concordant.inference.profiles import Rows, shared_grid
from concordant.measures.adjusted import Concordance
from concordant.pairs.dense import values_of_all_pairs
from concordant.pairs.grid import Grid
from concordant.pairs.side import Side
from concordant.partition.alignment import MatchBy, aligned
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short
from concordant.underflow import tiny_is_zero
from concordant.wording import count

_FEW = 128  # objects of which it is tried whether few dissimilarities differ
_MOST_EXACT = 1024  # cells, where these make the variance exact
_CELLS = 192  # otherwise
_MOST_OBJECTS = 1 << 17
_TINY = 2.0**-900  # has a reciprocal
# How far sums of products of doubles are off, in relation to the terms.
_ROUNDING = 1e-14


@dataclass(frozen=True)
class NullMoments(Readable):
    """
    What chance gives: moments of d and ACI over all permutations of the objects.

    Parameters
    ----------
    discordance_mean : float
        E[d], the mean of d over all n! permutations.
    discordance_sd : float
        The standard deviation of d over all n! permutations.
    discordance_sd_error : float
        A bound on the error of `discordance_sd`.
    discordance : float
        The observed d.
    aci : float
        The observed ACI.
    n_objects : int
        The number of objects, n.
    rounding : float
        How far rounding may move `discordance` from `discordance_mean`.
    """

    discordance_mean: float
    discordance_sd: float
    discordance_sd_error: float
    discordance: float
    aci: float
    n_objects: int
    rounding: float = 0.0

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
        """By how many standard deviations d is smaller than by chance; nan if none."""
        rounding = max(self.discordance_sd_error, PARTS_OF_SD * self.rounding)
        if self.discordance_sd <= rounding:
            return math.nan
        return (self.discordance_mean - self.discordance) / self.discordance_sd

    def _shown(self) -> Shown:
        n = count(self.n_objects, "object")
        z = "" if math.isnan(self.zscore) else f"; z = {self.zscore:.4g}"
        d = (self.discordance, self.discordance_mean, self.discordance_sd)
        aci = (self.aci, self.aci_mean, self.aci_sd)
        return Shown(
            f"Over all permutations of {n}{z}",
            header=("", "observed", "mean", "standard deviation"),
            rows=[["d", *map(short, d)], ["ACI", *map(short, aci)]],
        )


def _in_units_of(value: float, unit: float) -> float:
    return value / unit if unit > 0.0 else 0.0


@tiny_is_zero
def null_moments(
    P: object,
    Q: object,
    *,
    similarity: Similarity = "l1",
    n_jobs: int | None = None,
    match_by: MatchBy = "position",
) -> NullMoments:
    """
    Return the mean and sd of d over all permutations, without permuting.

    Two pairs of objects are identical, share an object, or share none, and permutations
    preserve that: the variance of d follows from sums over each kind.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    similarity : {"l1", "inner"}, default="l1"
        The similarity of a pair that d is about; see `concordant.concordance`.
    n_jobs : int, optional
        Number of threads; see `concordant.concordance`.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

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
    check_similarity(similarity)
    run = Run(engine=Threads(n_jobs), similarity=similarity)
    p, q = aligned(P, Q, match_by=match_by)
    return moments_of(p, q, gathered_concordance(p, q, run), run)


def moments_of(P: Partition, Q: Partition, found: Concordance, run: Run) -> NullMoments:
    """Return the moments of aligned partitions, whose concordance is known."""
    sd, error = _standard_deviation(P, Q, run)
    of_all = found.expected_discordance, sd, error
    rounding = found.discordance_error + found.expected_discordance_error
    observed = found.discordance, found.aci
    return NullMoments(*of_all, *observed, P.n_objects, rounding)


def is_constant(P: Partition) -> bool:
    """Return whether a partition says the same of all pairs of objects."""
    if P.kind == "crisp":
        sizes = np.bincount(P.labels)
        return bool(sizes.max() in (1, P.n_objects))
    columns = P.columns()
    return bool((columns.max(axis=1) == columns.min(axis=1)).all())


def _standard_deviation(P: Partition, Q: Partition, run: Run) -> tuple[float, float]:
    """Return the standard deviation of d, and a bound of its error."""
    n = P.n_objects
    if n < 3 or is_constant(P) or is_constant(Q):
        return 0.0, 0.0
    if P.kind == Q.kind == "crisp":
        return _assembled(_of_crisp(P), _of_crisp(Q), np.ones(1), n, 0.0)
    if "crisp" in (P.kind, Q.kind):
        fuzzy, crisp = (Q, P) if P.kind == "crisp" else (P, Q)
        side = Side(fuzzy, run.similarity)
        x, y = _up_to_one(side, run.engine), _of_crisp(crisp)
        mean = float(x.totals[0]) / (n * (n - 1) // 2)
        blur = side.rounding(mean) + n * UNIT_ROUNDOFF * mean
        return _assembled(x, y, np.ones(1), n, 2.0 * blur)
    sides = Side(P, run.similarity), Side(Q, run.similarity)
    # The smaller of two dissimilarities is at most the largest of one side.
    top = min(side.ends[1] for side in sides)
    if top < _TINY:
        return 0.0, 2.0 * top  # d changes by no more
    rounding = 2.0 * sum(side.rounding(top) for side in sides)
    if n >= _MOST_OBJECTS:
        raise InputError(
            "the null standard deviation of two fuzzy partitions is for fewer than "
            f"{_MOST_OBJECTS} objects, found {n}; concordance_test estimates it from "
            "permutations"
        )
    grid = _grid_of_few_values(sides) if n <= _FEW else None
    if grid is None:
        grid = shared_grid(sides, most_cells=_CELLS, most_exact=_MOST_EXACT)
    x, y = (_by_cells(side, grid, run.engine) for side in sides)
    return _assembled(x, y, grid.widths, n, rounding + 2.0 * (x.blur + y.blur))


@dataclass(frozen=True, eq=False)
class FeatureSums:
    """
    Sums of features of dissimilarities over pairs, and over the pairs of each object.

    Feature c of a dissimilarity is how far it reaches into cell c, from 0 to 1: with
    the widths of cells, min(a, b) is the weighted sum of products of features of a and
    b, unless both lie inside one cell. What is lost then is at most the width times
    the product of both sides' ``sqrt(u (1 - u))``, u being the mean place in the cell,
    which `rough` and `rough_gram` add up.
    """

    totals: Vector  # of features, over pairs
    squares: Vector  # of features, over pairs
    gram: Vector  # of centred sums over the pairs of an object, over objects
    squares_error: Vector | float = 0.0
    rough: Vector | float = 0.0  # over pairs
    rough_gram: Vector | float = 0.0  # over objects
    blur: float = 0.0  # how far dissimilarities are off on average


def _of_crisp(partition: Partition) -> FeatureSums:
    """Return the sums of dissimilarities 0 and 1 by their complement: joined pairs."""
    sizes = np.bincount(partition.labels).astype(np.float64)
    others = sizes - 1.0
    joined = np.array([sizes @ others])
    gram = sizes @ np.square(others - joined / partition.n_objects)
    return FeatureSums(0.5 * joined, 0.5 * joined, np.array([[gram]]))


def _up_to_one(side: Side, engine: Engine) -> FeatureSums:
    """Return the sums of a cut to 0 and 1, the feature beside a crisp partition."""
    rows = Rows(side)
    parts = [*engine.run(_sums_and_squares, (rows,), rows.tasks())]
    sums = np.concatenate([part for part, _ in parts])
    squares = 0.5 * math.fsum(squares for _, squares in parts)
    gram = np.square(sums - sums.mean()).sum(keepdims=True)
    totals = np.array([0.5 * sums.sum()])
    return FeatureSums(totals, np.array([squares]), gram[:, None])


def _sums_and_squares(rows: Rows, i0: int, i1: int) -> tuple[Vector, float]:
    values = rows.values(i0, i1)
    np.clip(values, 0.0, 1.0, out=values)
    sums = values.sum(axis=1)
    return sums, float(np.square(values, out=values).sum())


def _grid_of_few_values(sides: tuple[Side, Side]) -> Grid | None:
    """Return a grid with a cell for each dissimilarity, if these are few."""
    values = (values_of_all_pairs(side.columns, side.value) for side in sides)
    lowest = [side.ends[0] for side in sides]
    breaks = np.unique(np.concatenate((lowest, *values)))
    if breaks.size - 1 > _MOST_EXACT:
        return None
    return Grid(breaks, np.ones(breaks.size - 1, np.int64), single=True)


def _by_cells(side: Side, grid: Grid, engine: Engine) -> FeatureSums:
    """Return the sums of a partition's dissimilarities by cells."""
    rows = Rows(side, of_itself=grid.edges[0])
    found: list[Any] = [0.0] * 5
    with single_blas_thread():  # tasks share the cores already
        for part in engine.run(_sums_of_rows, (rows, grid), rows.tasks()):
            found = [total + more for total, more in zip(found, part, strict=True)]
    totals, inside, places, products, rough_gram = found
    above_all = totals - places
    largest, least = places, places**2 / np.maximum(inside, 1.0)
    units = np.rint(places * 2.0**20).astype(np.int64)
    seen = grid.distribution(np.rint(inside).astype(np.int64), units)
    return FeatureSums(
        totals=0.5 * totals,
        squares=0.5 * (above_all + 0.5 * (largest + least)),
        squares_error=0.25 * (largest - least),
        gram=products - np.outer(totals, totals) / rows.n,
        rough=0.5 * np.sqrt(_times_rest(places, inside)),
        rough_gram=rough_gram,
        blur=side.displaced(seen).displacement,
    )


def _sums_of_rows(rows: Rows, grid: Grid, i0: int, i1: int) -> tuple[Any, ...]:
    """
    Sum features over the pairs of some objects, and products of these sums.

    Beside these stand how many dissimilarities end in each cell, how far they reach
    into it, and products of what their places leave open.
    """
    inside, places = rows.profiles(rows.values(i0, i1), grid, i0)
    above = inside.sum(axis=1, keepdims=True) - np.cumsum(inside, axis=1)
    features = above + places
    rough = np.sqrt(_times_rest(places, inside))
    return (
        features.sum(axis=0),
        inside.sum(axis=0),
        places.sum(axis=0),
        features.T @ features,
        0.0 if grid.single else rough.T @ rough,
    )


def _times_rest(sums: Vector, counts: Vector) -> Vector:
    return np.asarray(np.maximum(sums * (counts - sums), 0.0))


def _assembled(
    x: FeatureSums, y: FeatureSums, widths: Vector, n: int, blur: float
) -> tuple[float, float]:
    """
    Return the standard deviation of d and a bound of its error from sums of both sides.

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


def _products(sums: FeatureSums, n: int) -> list[tuple[Vector, Vector]]:
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
