"""What the variance of a discordance needs to know of the pairs of one partition."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.execution.engine import Engine
from concordant.execution.single_thread import single_blas_thread
from concordant.pairs.dense import dissimilarities, in_order
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]

#: So many cells at most where they make the variance exact.
MOST_EXACT_CELLS = 1024

_CELLS = 160  # of dissimilarities that are on no lattice
_SLOTS = 1 << 12  # of the fine uniform grid of which cells are made
_SAMPLE = 1 << 15  # pairs that tell how wide cells should be
_EVEN = 0.1  # the share of cells that are spread evenly
_ROWS = 256  # objects whose profiles are held at once
_NOISE = 2.0**-49  # of a membership that is a multiple of 1 / D


@dataclass(frozen=True, eq=False)
class PairSums:
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
    squares_error: Vector
    gram: Vector  # of centred sums over the pairs of an object, over objects
    rough: Vector  # over pairs
    rough_gram: Vector  # over objects
    blur: float = 0.0  # how far dissimilarities are off on average


@dataclass(frozen=True, eq=False)
class Cells:
    """
    Cells of dissimilarities, made of slots of a fine uniform grid.

    `scale` turns a dissimilarity into a place, `cell_of` gives the cell of each slot,
    `edges` the first place of each cell and the last of all. If the cells are exact,
    every dissimilarity is an edge.
    """

    scale: float
    cell_of: NDArray[np.uint16]
    edges: NDArray[np.int64]
    are_exact: bool

    @property
    def widths(self) -> Vector:
        """Of the cells, in units of dissimilarities."""
        return np.asarray(np.diff(self.edges) / self.scale)


def sums_of_crisp(partition: Partition) -> PairSums:
    """Give the sums of dissimilarities 0 and 1, whose feature is the number itself."""
    n = partition.n_objects
    sizes = np.bincount(partition.labels)
    return _one_cell((n - sizes)[partition.labels].astype(np.float64), None)


def sums_with_crisp(columns: Vector, engine: Engine) -> PairSums:
    """Give the sums of min(a, 1), the feature that counts beside a crisp partition."""
    from concordant.kernels.profiles import sums_of_rows

    n = columns.shape[1]

    def rows(start: int) -> tuple[Vector, Vector]:
        sums = np.empty(min(_ROWS, n - start))
        squares = np.empty_like(sums)
        sums_of_rows(columns, start, sums, squares)
        return sums, squares

    parts = [*engine.run(rows, (), ((start,) for start in range(0, n, _ROWS)))]
    sums, squares = (np.concatenate(part) for part in zip(*parts, strict=True))
    return _one_cell(sums, squares)


def _one_cell(sums: Vector, squares: Vector | None) -> PairSums:
    nothing = np.zeros(1)
    total = 0.5 * sums.sum()
    centred = sums - sums.mean()
    return PairSums(
        np.array([total]),
        np.array([total if squares is None else 0.5 * squares.sum()]),
        nothing,
        np.array([[centred @ centred]]),
        nothing,
        nothing[:, None],
    )


def exact_sums(p: Vector, q: Vector) -> tuple[PairSums, PairSums, Vector] | None:
    """Give the sums with a cell between any two dissimilarities, unless many differ."""
    x, y = (in_order(dissimilarities(u), u.shape[1]) for u in (p, q))
    edges = np.unique(np.concatenate(([0.0], x, y)))
    if edges.size - 1 > MOST_EXACT_CELLS:
        return None
    n = p.shape[1]
    return _indicators(x, edges, n), _indicators(y, edges, n), np.diff(edges)


def _indicators(x: Vector, edges: Vector, n: int) -> PairSums:
    """Give the sums of [x > edge], whose product is the one of the larger edge."""
    T = edges.size - 1
    places = np.searchsorted(edges, x)
    i, j = np.triu_indices(n, 1)
    counts = np.zeros((n, T + 1))
    np.add.at(counts, (i, places), 1.0)
    np.add.at(counts, (j, places), 1.0)
    above = (np.cumsum(counts[:, ::-1], axis=1)[:, ::-1])[:, 1:]
    totals = 0.5 * above.sum(axis=0)
    centred = above - above.mean(axis=0)
    nothing = np.zeros(T)
    return PairSums(
        totals, totals, nothing, centred.T @ centred, nothing, np.zeros((T, T))
    )


def cells_for(p: Vector, q: Vector, top: float) -> Cells:
    """
    Choose cells for dissimilarities up to `top`: exact ones on a lattice.

    All that is larger counts as `top`, the largest dissimilarity of one partition: the
    smaller of two dissimilarities is none of those.
    """
    from concordant.kernels.profiles import PLACE_BITS, SLOT_BITS

    denominator = _denominator(p, q)
    if denominator is not None:
        n_slots = math.ceil(top * denominator - 1e-6)
        # Of objects that are alike but for rounding nothing else would be left.
        if 0 < n_slots <= MOST_EXACT_CELLS:
            slots = np.arange(n_slots + 1)
            return Cells(
                float(denominator << SLOT_BITS),
                slots.astype(np.uint16),
                slots << SLOT_BITS,
                are_exact=True,
            )
    rng = np.random.default_rng(0)  # which pairs are looked at changes only widths
    weights = np.ones(_SLOTS)
    for columns in (p, q):
        i = rng.integers(columns.shape[1], size=(2, _SAMPLE))
        a = 0.5 * np.abs(columns[:, i[0]] - columns[:, i[1]]).sum(axis=0)
        slots = (a[a < top] / top * _SLOTS).astype(np.int64)
        slots = np.minimum(slots, _SLOTS - 1)
        weights *= np.bincount(slots, minlength=_SLOTS) + 1e-3
    # What is lost is the sum of (width x share of P x share of Q), least if widths go
    # with the cube root of both densities.
    weights = np.cbrt(weights)
    weights += _EVEN * weights.mean()
    before = np.cumsum(weights) - weights
    cell = (before / weights.sum() * _CELLS).astype(np.int64)
    is_first = np.concatenate(([True], cell[1:] != cell[:-1]))
    cell_of = np.cumsum(is_first) - 1
    first = np.flatnonzero(is_first)
    return Cells(
        2.0**PLACE_BITS / top,
        np.append(cell_of, cell_of[-1] + 1).astype(np.uint16),
        np.append(first, _SLOTS) << SLOT_BITS,
        are_exact=False,
    )


def _denominator(p: Vector, q: Vector) -> int | None:
    """Find D such that all dissimilarities are multiples of 1 / D, if it is small."""
    both = (p, q)
    looked_at = np.unique(np.concatenate([columns[:, :64].ravel() for columns in both]))
    candidates = np.arange(1, MOST_EXACT_CELLS + 1)
    multiples = looked_at[:, None] * candidates
    fits = (np.abs(multiples - np.rint(multiples)) <= candidates * _NOISE).all(axis=0)
    for candidate in candidates[fits].tolist():
        whole = [np.rint(columns * candidate) for columns in both]
        if all(
            (np.abs(columns * candidate - u) <= candidate * _NOISE).all()
            for columns, u in zip(both, whole, strict=True)
        ):
            # Halves of L1 distances are whole if all rows have the same sum.
            even = all(np.ptp(u.sum(axis=0)) == 0.0 for u in whole)
            return int(candidate) if even else 2 * int(candidate)
    return None


def sums_by_cells(columns: Vector, cells: Cells, engine: Engine) -> PairSums:
    """Give the sums of a partition's dissimilarities by cells, in one visit."""
    n, T = columns.shape[1], cells.edges.size - 1

    def sums_from(start: int) -> _Sums:
        return _sums_of_rows(columns, start, cells)

    found = _Sums(0, *np.zeros((3, T)), *np.zeros((2, T, T)))
    with single_blas_thread():  # tasks share the cores already
        tasks = ((start,) for start in range(0, n, _ROWS))
        for part in engine.run(sums_from, (), tasks):
            found.add(part)
    above_all = found.totals - found.places
    largest, least = found.places, found.places**2 / np.maximum(found.inside, 1.0)
    return PairSums(
        totals=0.5 * found.totals,
        squares=0.5 * (above_all + 0.5 * (largest + least)),
        squares_error=0.25 * (largest - least),
        gram=found.gram,
        rough=0.5 * np.sqrt(_times_rest(found.places, found.inside)),
        rough_gram=found.rough_gram,
        blur=0.0 if cells.are_exact else 0.5 / cells.scale,
    )


@dataclass(eq=False)
class _Sums:
    """Sums over the pairs of some objects, products being about the mean of these."""

    n_objects: int
    totals: Vector  # of features
    inside: Vector  # how many dissimilarities end in a cell
    places: Vector  # how far these reach into it
    gram: Vector
    rough_gram: Vector

    def add(self, more: "_Sums") -> None:
        """Add those of other objects."""
        if self.n_objects:
            apart = more.totals / more.n_objects - self.totals / self.n_objects
            both = self.n_objects + more.n_objects
            weight = self.n_objects * more.n_objects / both
            self.gram += np.outer(weight * apart, apart)
        self.gram += more.gram
        self.rough_gram += more.rough_gram
        self.totals += more.totals
        self.inside += more.inside
        self.places += more.places
        self.n_objects += more.n_objects


def _sums_of_rows(columns: Vector, start: int, cells: Cells) -> _Sums:
    """Give the sums of a task's objects: those from `start` on."""
    from concordant.kernels.profiles import COUNT_BITS, fill_profiles

    T = cells.edges.size - 1
    size = min(_ROWS, columns.shape[1] - start)
    out = np.empty((size, T + 1), dtype=np.uint64)
    fill_profiles(columns, start, cells.scale, cells.cell_of, out)
    counts = (out >> np.uint64(COUNT_BITS)).astype(np.int64)
    sums = (out & np.uint64((1 << COUNT_BITS) - 1)).astype(np.int64)
    sums -= counts * cells.edges
    above = counts.sum(axis=1, keepdims=True) - np.cumsum(counts, axis=1)
    inside = counts[:, :T].astype(np.float64)
    places = sums[:, :T] / np.diff(cells.edges).astype(np.float64)
    features = above[:, :T] + places
    totals = features.sum(axis=0)
    deviations = features - totals / size
    rough_gram = np.zeros(1)  # all dissimilarities are edges
    if not cells.are_exact:
        rough = np.sqrt(_times_rest(places, inside))
        rough_gram = rough.T @ rough
    return _Sums(
        size,
        totals,
        inside.sum(axis=0),
        places.sum(axis=0),
        deviations.T @ deviations,
        rough_gram,
    )


def _times_rest(sums: Vector, counts: Vector) -> Vector:
    return np.asarray(np.maximum(sums * (counts - sums), 0.0))
