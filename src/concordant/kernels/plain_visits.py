"""Sums over bands of pairs by NumPy, to the bit those of the compiled kernels."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Counts = NDArray[np.int64]
Short = NDArray[np.uint16]
Relation = Callable[..., Any]

# What `visits.py` calls the same; Numba is not imported to read it there.
N_SUMS = 17
_HUELLERMEIER_PRODUCT, _HUELLERMEIER_MIN, _HUELLERMEIER_LUKASIEWICZ = 1, 2, 4
_CAMPELLO_MIN, _CAMPELLO_PRODUCT, _CAMPELLO_PRODUCT_OF_ANY = 8, 16, 32
_PLACE_SHIFT = 16
_EXPONENT = 63
_ORIGIN = 2.0 ** (_EXPONENT - 1023)

_AT_ONCE = 1 << 14  # pairs: few calls, and what is made of them stays in the cache


class _Objects:
    """Objects of a band and, for each, those that the shifts lead to."""

    def __init__(self, columns: NDArray[Any], i0: int, first: int, shape: Any) -> None:
        n_rows, width = shape
        self._ones = columns[:, i0 : i0 + n_rows, None]
        per_row, per_object = columns.strides
        self._others: NDArray[Any] = np.ndarray(
            (len(columns), n_rows, width),
            columns.dtype,
            columns,
            (i0 + first) * per_object,
            (per_row, per_object, per_object),
        )

    def __getitem__(self, rows: slice) -> tuple[NDArray[Any], NDArray[Any]]:
        """Give some of the objects, and their others."""
        return self._ones[:, rows], self._others[:, rows]


Both = tuple[Vector, Vector]


class _Sums:
    """Sums of shifts, to which rows are added one after the other."""

    def __init__(self, height: int, width: int) -> None:
        self.of_shifts = np.zeros((N_SUMS, width))
        self._rows = np.empty((height + 1, width))

    def add(self, place: int, relation: Relation, *of: Any) -> None:
        """Add what a ufunc gives for some rows."""
        rows = self._rows[: len(of[0]) + 1]
        relation(*of, out=rows[1:])
        rows[0] = self.of_shifts[place]
        if rows.shape[1] > 1:
            np.add.reduce(rows, axis=0, out=self.of_shifts[place])
        else:  # a single column would be added up in pairs
            self.of_shifts[place] = np.add.accumulate(rows, axis=0)[-1]

    def totals(self) -> list[float]:
        """Add up all shifts, one after the other."""
        found: list[float] = np.add.accumulate(self.of_shifts, axis=1)[:, -1].tolist()
        return found


def plain_band_sums(
    p: Vector,
    q: Vector,
    tops_p: Vector,
    tops_q: Vector,
    i0: int,
    i1: int,
    first: int,
    width: int,
    wanted: int,
    slope: float = 0.0,
    bumps: tuple[Vector, ...] = (),
    places: tuple[Vector, ...] = (),
) -> list[float]:
    """
    Give what `band_sums` fills `out` with, and fill in places on a grid, if given.

    These are of x and of y, both of shape (i1 - i0, width).
    """
    n_rows = i1 - i0
    # Two objects are taken at a time, as the kernel does.
    height = max(2, _AT_ONCE // width // 2 * 2)
    shape = n_rows, width
    of_p, of_q = _Objects(p, i0, first, shape), _Objects(q, i0, first, shape)
    if len(tops_p):
        best_p = _Objects(tops_p, i0, first, shape)
        best_q = _Objects(tops_q, i0, first, shape)
    room = np.empty((10, min(height, n_rows), width))
    sums = _Sums(min(height, n_rows), width)
    for start in range(0, n_rows, height):
        rows = slice(start, start + height)
        x, y, *scratch = room[:, : min(height, n_rows - start)]
        both_p, both_q = of_p[rows], of_q[rows]
        _l1_distances(both_p, scratch[0], x)
        _l1_distances(both_q, scratch[0], y)
        if wanted & 7:
            _add_huellermeier(x, y, wanted, scratch, sums)
        if wanted & (_CAMPELLO_MIN + _CAMPELLO_PRODUCT + _CAMPELLO_PRODUCT_OF_ANY):
            _add_campello(
                both_p, both_q, best_p[rows], best_q[rows], wanted, scratch, sums
            )
        _add_differences(x, y, scratch[0], sums)
        for distances, out in zip((x, y), places, strict=False):
            _to_grid(distances, slope, bumps, scratch[0], out[rows])
    return sums.totals()


def _l1_distances(both: Both, scratch: Vector, out: Vector) -> None:
    ones, others = both
    np.subtract(others[0], ones[0], out=out)
    np.abs(out, out=out)
    for one, other in zip(ones[1:], others[1:], strict=True):
        np.subtract(other, one, out=scratch)
        np.abs(scratch, out=scratch)
        out += scratch


def _add_differences(x: Vector, y: Vector, scratch: Vector, sums: _Sums) -> None:
    np.subtract(x, y, out=scratch)
    np.abs(scratch, out=scratch)
    last = len(scratch) // 2 * 2
    sums.add(0, np.add, scratch[0:last:2], scratch[1:last:2])
    if last < len(scratch):
        sums.add(0, np.positive, scratch[last:])


def _add_huellermeier(
    x: Vector, y: Vector, wanted: int, scratch: list[Vector], sums: _Sums
) -> None:
    concordant, e_p, e_q, together, apart, more = scratch[:6]
    np.subtract(y, x, out=apart)
    apart *= 0.5
    sums.add(1, np.maximum, apart, 0.0)
    np.negative(apart, out=apart)
    sums.add(2, np.maximum, apart, 0.0)
    np.multiply(x, 0.5, out=e_p)
    np.multiply(y, 0.5, out=e_q)
    np.subtract(e_q, e_p, out=concordant)
    np.abs(concordant, out=concordant)
    for degree in (concordant, e_p, e_q):
        np.subtract(1.0, degree, out=degree)
    if wanted & _HUELLERMEIER_PRODUCT:
        np.multiply(e_p, e_q, out=together)
        sums.add(3, np.multiply, concordant, together)
        np.subtract(1.0, together, out=apart)
        sums.add(4, np.multiply, concordant, apart)
    if wanted & _HUELLERMEIER_MIN:
        np.minimum(e_p, e_q, out=together)
        sums.add(5, np.minimum, concordant, together)
        np.subtract(1.0, together, out=apart)
        sums.add(6, np.minimum, concordant, apart)
    if wanted & _HUELLERMEIER_LUKASIEWICZ:
        np.add(e_p, e_q, out=together)
        together -= 1.0
        np.maximum(together, 0.0, out=together)
        np.subtract(1.0, together, out=apart)
        for place, degree in ((7, together), (8, apart)):
            np.add(concordant, degree, out=more)
            more -= 1.0
            sums.add(place, np.maximum, more, 0.0)


def _add_campello(
    p: Both,
    q: Both,
    tops_p: Both,
    tops_q: Both,
    wanted: int,
    scratch: list[Vector],
    sums: _Sums,
) -> None:
    *apart, same_p, other_p, same_q, other_q, more = scratch[:7]
    _best_apart(tops_p, apart[0])
    _best_apart(tops_q, apart[1])
    if wanted & _CAMPELLO_MIN:
        _same_cluster(np.minimum, p, more, same_p)
        _same_cluster(np.minimum, q, more, same_q)
        _different_clusters(np.minimum, tops_p, apart[0], more, other_p)
        _different_clusters(np.minimum, tops_q, apart[1], more, other_q)
        _add_four(9, np.minimum, (same_p, other_p), (same_q, other_q), sums)
    if wanted & (_CAMPELLO_PRODUCT + _CAMPELLO_PRODUCT_OF_ANY):
        _same_cluster(np.multiply, p, more, same_p)
        _same_cluster(np.multiply, q, more, same_q)
        if wanted & _CAMPELLO_PRODUCT:
            _different_clusters(np.multiply, tops_p, apart[0], more, other_p)
            _different_clusters(np.multiply, tops_q, apart[1], more, other_q)
        else:
            _different_clusters_of_any(p, more, other_p)
            _different_clusters_of_any(q, more, other_q)
        _add_four(13, np.multiply, (same_p, other_p), (same_q, other_q), sums)


def _add_four(place: int, t: np.ufunc, of_p: Both, of_q: Both, sums: _Sums) -> None:
    for k, degree_p in enumerate(of_p):
        for m, degree_q in enumerate(of_q):
            sums.add(place + 2 * k + m, t, degree_p, degree_q)


def _same_cluster(t: np.ufunc, both: Both, scratch: Vector, out: Vector) -> None:
    ones, others = both
    t(others[0], ones[0], out=out)
    for one, other in zip(ones[1:], others[1:], strict=True):
        t(other, one, out=scratch)
        np.maximum(out, scratch, out=out)


def _best_apart(tops: Both, out: Vector) -> None:
    """Give the other's second membership where its first is in the same cluster."""
    ones, others = tops
    out[:] = others[0]
    np.copyto(out, others[1], where=others[2] == ones[2])


def _different_clusters(
    t: np.ufunc, tops: Both, apart: Vector, scratch: Vector, out: Vector
) -> None:
    ones, others = tops
    t(apart, ones[0], out=out)
    t(others[0], ones[1], out=scratch)
    np.maximum(out, scratch, out=out)


def _different_clusters_of_any(both: Both, scratch: Vector, out: Vector) -> None:
    ones, others = both
    out[:] = -np.inf if len(ones) > 1 else 0.0
    for k, one in enumerate(ones):
        for m, other in enumerate(others):
            if m != k:
                np.multiply(other, one, out=scratch)
                np.maximum(out, scratch, out=out)


def _to_grid(
    x: Vector,
    slope: float,
    bumps: tuple[Vector, ...],
    scratch: Vector,
    out: Vector,
) -> None:
    np.multiply(x, _ORIGIN * slope, out=out)
    out += _ORIGIN
    for low, length, steeper in zip(*bumps, strict=True):
        np.subtract(x, low, out=scratch)
        np.clip(scratch, 0.0, length, out=scratch)
        scratch *= _ORIGIN * steeper
        out += scratch


def counts_and_places(
    grid_places: Vector, cell_bits: int, n_cells: int
) -> tuple[Counts, Counts]:
    """Give what `read_bins` takes out of bins; what lies outside is not counted."""
    bits = grid_places.ravel().view(np.int64)
    place_bits = 52 - cell_bits - _PLACE_SHIFT
    bits >>= _PLACE_SHIFT
    places = (bits & ((1 << place_bits) - 1)).astype(np.float64)
    bits >>= place_bits
    bits -= (_EXPONENT << cell_bits) - 1
    np.clip(bits, 0, n_cells + 1, out=bits)
    inside = slice(1, n_cells + 1)
    counts = np.bincount(bits, minlength=n_cells + 2)[inside]
    # Of a million pairs these are whole numbers below 2^53.
    sums = np.bincount(bits, places, minlength=n_cells + 2)[inside]
    return counts, sums.astype(np.int64)


def plain_cells(
    counts_p: Counts,
    counts_q: Counts,
    places_p: Vector,
    places_q: Vector,
    roots: Vector,
    widths: Vector,
    middle: float,
    rounding: float,
    terms: Vector,
    errors: Vector,
) -> None:
    """Fill in what each cell contributes to E[d] and its error, as `fill_cells`."""
    p, below_p, above_p = _shares(counts_p)
    q, below_q, above_q = _shares(counts_q)
    s = places_p / np.maximum(counts_p, 1) + middle
    t = places_q / np.maximum(counts_q, 1) + middle
    low, high = np.abs(s - t), s * (1.0 - t) + t * (1.0 - s)
    if roots.size > 0:
        high = np.maximum(low, np.minimum(high, roots))
    terms[:] = widths * (
        (below_p * above_q + below_q * above_p)
        + (below_p * (q * t) + below_q * (p * s))
        + (above_q * (p * (1.0 - s)) + above_p * (q * (1.0 - t)))
        + 0.5 * (p * q) * (low + high)
    )
    reach = widths.copy()
    np.maximum(reach[1:], widths[:-1], out=reach[1:])
    np.maximum(reach[:-1], widths[1:], out=reach[:-1])
    moved = widths * middle + reach * rounding
    errors[:] = 0.5 * (p * q) * (high - low) * widths + (p + q) * moved


def _shares(counts: Counts) -> tuple[Vector, Vector, Vector]:
    """Give the shares of all distances in each cell, below it and above it."""
    up_to = np.cumsum(counts)
    share = 1.0 / up_to[-1]
    return counts * share, (up_to - counts) * share, (up_to[-1] - up_to) * share


def plain_band_counts(
    p: Short,
    q: Short,
    i0: int,
    i1: int,
    first: int,
    width: int,
    row_sums: tuple[int, int],
    factors: tuple[int, int],
    counts: tuple[Counts, Counts],
) -> int:
    """Add |factor_p x - factor_q y| over a band, and count x and y, in integers."""
    shape = n_rows, _ = i1 - i0, width
    sides = [_Objects(columns, i0, first, shape) for columns in (p, q)]
    height = max(1, _AT_ONCE // width)
    total = 0
    for start in range(0, n_rows, height):
        scaled = []
        for both, row_sum, factor, count in zip(
            sides, row_sums, factors, counts, strict=True
        ):
            x = _integer_distances(*both[start : start + height], row_sum)
            found = np.bincount(x.ravel(), minlength=count.size)
            count += found[: count.size]
            scaled.append(x.astype(np.int64) * factor)
        total += int(np.abs(scaled[0] - scaled[1]).sum())
    return total


def _integer_distances(ones: Short, others: Short, row_sum: int) -> Short:
    """Give L1 distances, or half of them where all rows sum to `row_sum` > 0."""
    out: Short = np.maximum(ones[0], others[0])
    if row_sum == 0:
        out -= np.minimum(ones[0], others[0])
    for one, other in zip(ones[1:], others[1:], strict=True):
        out += np.maximum(one, other)
        if row_sum == 0:
            out -= np.minimum(one, other)
    out -= np.uint16(row_sum)
    return out
