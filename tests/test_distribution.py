"""E|X - Y| of two distributions is within its stated error: held against fractions."""

import math
from fractions import Fraction
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.kernels.with_t_norms import _mean_distances
from concordant.pairs import distribution
from concordant.pairs.distribution import (
    _FEW_PLACES,
    Distribution,
    expected_difference,
    joined,
    merged,
)
from concordant.pairs.folds import Cells
from concordant.pairs.grid import Grid, fitted_grid, grid_of_multiples

many = settings(max_examples=150, deadline=None)
BASES = (0.0, 0.3, 1.0, -1e-7, 1e-309)
SCALES = (1.0, 1e-3, 1e-9, 1e-16, 1e-290, 1e-309)


def exactly(x, p, y, q):
    """Return E|X - Y| for masses p at x and q at y, as a fraction."""
    masses = [(v, m, 0) for v, m in zip(x, p, strict=True)]
    masses += [(v, 0, m) for v, m in zip(y, q, strict=True)]
    masses.sort(key=lambda mass: mass[0])
    total, below_x, below_y, before = Fraction(0), 0, 0, masses[0][0]
    for at, of_x, of_y in masses:
        above_x, above_y = sum(p) - below_x, sum(q) - below_y
        total += (at - before) * (below_x * above_y + below_y * above_x)
        below_x, below_y, before = below_x + of_x, below_y + of_y, at
    return total / (sum(p) * sum(q))


def level(F, G):
    """Give both the same total: each pair of one stands for all of the other."""
    return (
        Distribution(
            counts * other.total,
            H.low,
            H.high,
            H.mean,
            H.displacement,
            inside=None if H.inside is None else H.inside * other.total,
        )
        if H.low is not H.high
        else Distribution.of_values(H.low, counts * other.total, H.displacement)
        for H, counts, other in ((F, F.counts, G), (G, G.counts, F))
    )


def assert_within(F, G, true):
    F, G = level(F, G)
    for few in (0, _FEW_PLACES):  # with compiled code and without
        with mock.patch.object(distribution, "_FEW_PLACES", few):
            found = expected_difference(F, G)
            assert abs(Fraction(found.value) - true) <= Fraction(found.error)
            assert expected_difference(G, F) == found
    return found


@st.composite
def cells_of_values(draw):
    """Draw cells, and values in them: a Distribution, the values and their counts."""
    base, scale = draw(st.sampled_from(BASES)), draw(st.sampled_from(SCALES))
    share = st.sampled_from((0.0, 1.0, 0.5, 1e-9)) | st.floats(0.0, 1.0)
    starts = np.sort(draw(st.lists(share, min_size=1, max_size=6)))
    low = base + scale * starts
    match draw(st.sampled_from(("single", "a grid", "overlapping", "nested"))):
        case "single":
            high = low = np.unique(low)
        case "a grid":
            edges = np.append(low, base + 2.0 * scale)
            low, high = edges[:-1], edges[1:]
        case "overlapping":
            widths = [draw(share) for _ in low]
            high = np.maximum.accumulate(low + scale * np.array(widths))
        case _:
            high = np.full(len(low), base + 2.0 * scale)
    values, times, counts, means, moved = [], [], [], [], Fraction(0)
    for a, b in zip(low.tolist(), high.tolist(), strict=True):
        inside = draw(st.lists(share, min_size=1, max_size=3))
        n = [10 ** draw(st.integers(0, 8)) for _ in inside]
        at = [Fraction(a) + (Fraction(b) - Fraction(a)) * Fraction(t) for t in inside]
        mean = sum(x * k for x, k in zip(at, n, strict=True)) / sum(n)
        means.append(min(max(float(mean), a), b))
        moved += abs(Fraction(means[-1]) - mean) * sum(n)
        values, times, counts = values + at, times + n, [*counts, sum(n)]
    off = math.nextafter(float(moved / sum(counts)), math.inf) if moved else 0.0
    if high is low:
        return Distribution.of_values(low, np.array(counts), off), values, times
    found = Distribution(np.array(counts), low, high, np.array(means), off)
    return found, values, times


@many
@given(cells_of_values(), cells_of_values())
def test_the_bound_holds_and_is_symmetric_to_the_last_bit(one, other):
    (F, x, p), (G, y, q) = one, other
    assert_within(F, G, exactly(x, p, y, q))


@many
@given(cells_of_values(), st.sampled_from((0, 1, Fraction(1, 2))))
def test_masses_at_the_ends_of_cells_are_within_the_bound(one, where):
    F, _, _ = one
    counts, ends = [10**6] * len(F.low), (F.low.tolist(), F.high.tolist())
    low, high = ([Fraction(x) for x in end] for end in ends)
    x, p = [*low, *high], [2 * 10**6 * (1 - where)] * len(low)
    p = [Fraction(k) for k in p] + [Fraction(2 * 10**6 * where)] * len(low)
    means = [a + (b - a) * where for a, b in zip(low, high, strict=True)]
    held = np.array([float(mean) for mean in means])
    off = max(abs(Fraction(m) - t) for m, t in zip(held.tolist(), means, strict=True))
    moved = math.nextafter(float(off), math.inf)
    F = Distribution(np.array(counts), F.low, F.high, np.clip(held, *ends), moved)
    assert_within(F, F, exactly(x, p, x, p))


@many
@given(
    st.lists(st.floats(-1e-7, 1.0), min_size=1, max_size=20, unique=True),
    st.lists(st.floats(0.0, 1e-300), min_size=1, max_size=20, unique=True),
    st.integers(0, 8),
)
def test_single_values_are_exact_up_to_rounding(x, y, digits):
    counts = [10**digits + k for k in range(20)]
    F, G = (
        Distribution.of_values(np.sort(z), np.array(counts[: len(z)])) for z in (x, y)
    )
    p, q = counts[: len(x)], counts[: len(y)]
    true = exactly(
        [Fraction(v) for v in sorted(x)], p, [Fraction(v) for v in sorted(y)], q
    )
    found = assert_within(F, G, true)
    assert found.error <= 3e-14 * found.value + 1e-320


def test_exact_values_within_a_cell_of_the_other():
    F = Distribution(np.array([2]), np.zeros(1), np.ones(1), np.array([0.5]))
    G = Distribution.of_values(np.array([0.5]), np.array([3]))
    # Both values of F are 1/2, or they are 0 and 1.
    found = expected_difference(*level(F, G))
    assert found.value == 0.25
    assert found.error == pytest.approx(0.25)


def counted(grid, values, width=1):
    """Count values in the cells of a grid, as a visit to the pairs does."""
    cells = Cells("l1", 0, grid)
    cells.add(SimpleNamespace(values=lambda *_: values, width=width))
    cells.done()
    return cells.distribution()


def grid_and_values(rng, n):
    """Draw values of any scale, and a grid; or values at the edges of cells."""
    low, scale = float(rng.choice(BASES)), float(rng.choice(SCALES))
    shares = rng.random(n)
    match rng.integers(4):
        case 0:
            shares = rng.choice([0.1, 0.5, 1.0], n) - 1e-12 * shares
        case 1:
            shares *= 1e-9
            shares[0] = 1.0
        case 2:
            shares *= 10.0 ** -rng.integers(0, 300, n)
    values = low + scale * shares
    ends = float(rng.choice([low, values.min()])), float(values.max())
    grid = fitted_grid(
        np.sort(values),
        np.ones(n),
        ends,
        (int(rng.choice([1, 2, 8, 64, 1 << 16])), int(rng.choice([1, 2, 4, 16]))),
    )
    if rng.random() < 0.3:
        values = rng.choice(grid.edges[:-1], n)
        for _ in range(rng.integers(3)):
            values = np.nextafter(values, rng.choice([-np.inf, np.inf], n))
        values = np.clip(values, *ends)
    return grid, values


@many
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 40))
def test_counts_in_cells_of_any_grids_are_within_the_bound(seed, n, m):
    rng = np.random.default_rng(seed)
    (one, x), (other, y) = grid_and_values(rng, n), grid_and_values(rng, m)
    F, G = counted(one, x), counted(other, y)
    assert (F.total, G.total) == (n, m)
    x, y = ([Fraction(v) for v in z.tolist()] for z in (x, y))
    assert_within(F, G, exactly(x, [1] * n, y, [1] * m))


@many
@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_cells_share_their_values_out_to_their_ends_without_rounding(seed, n):
    grid, values = grid_and_values(np.random.default_rng(seed), n)
    found = counted(grid, values)
    if found.inside is None:
        return
    ends, moved = found._at_ends
    units = ends.total // n
    assert moved == 0.0
    assert ends.total == units * n
    inside = [int(p) * (units >> 20) for p in found.inside]
    counts = [units * int(c) for c in found.counts]
    low = [c - p for c, p in zip(counts, inside, strict=True)]
    sums = [a + b for a, b in zip([*low, 0], [0, *inside], strict=True)]
    assert ends.masses.tolist() == sums


def test_a_value_at_the_lower_end_of_a_grid_is_counted_there():
    low = -1.8000081001723362e-05
    grid = Grid(np.array([low, 1.0]), np.array([44_004]))
    near = np.nextafter(low, 1.0)
    found = counted(grid, np.array([low, near, low + 1e-16, 1.0]))
    assert found.counts[found.counts > 0].tolist() == [3, 1]


def test_all_values_alike_are_one_value():
    for low in (0.0, 0.3):
        grid = fitted_grid(np.full(9, low), np.ones(9), (low, low), (64, 4))
        assert counted(grid, np.full(9, low)).is_constant


@pytest.mark.parametrize("D", [1, 3, 255, 32_767])
def test_multiples_have_a_cell_each(D):
    multiples = np.arange(D + 1) / D
    x = np.repeat(multiples, 2) + np.tile([-1e-16, 1e-16], D + 1)
    found = counted(grid_of_multiples(1.0 / D, 1.0), np.clip(x, 0.0, 1.0))
    assert found.counts.tolist() == [2] * (D + 1)
    np.testing.assert_allclose(found.mean, multiples, atol=1e-16)


def test_a_bin_is_read_before_it_overflows():
    grid = Grid(np.array([0.0, 1.0]), np.array([2]))
    values = np.full(1 << 16, np.nextafter(0.5, 0.0))  # late in its cell
    cells = Cells("l1", 0, grid)
    for _ in range(70):
        cells.add(SimpleNamespace(values=lambda *_: values, width=256))
    cells.done()
    found = cells.distribution()
    assert found.counts.tolist() == [0, 70 << 16, 0]
    assert found.mean[1] == pytest.approx(0.5, abs=1e-6)


def test_the_mean_distance_is_that_of_the_definition():
    rng = np.random.default_rng(0)
    values, counts = np.sort(rng.random(30)), rng.integers(1, 9, 30)
    points = rng.uniform(-1.0, 2.0, 20)
    found = Distribution.of_values(values, counts).mean_distance(points)
    exact = np.abs(points[:, None] - values) @ counts / counts.sum()
    np.testing.assert_allclose(found, exact, rtol=1e-14)


@many
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.booleans())
def test_compiled_code_finds_the_same_mean_distances(seed, n, in_cells):
    rng = np.random.default_rng(seed)
    grid, values = grid_and_values(rng, n)
    F = counted(grid, values) if in_cells else Distribution.of_values(np.sort(values))
    reach = F.high[-1] - F.low[0]
    edges = np.concatenate((F.low, F.high, F.mean))
    points = np.concatenate(
        (edges, rng.uniform(F.low[0] - reach, F.high[-1] + reach, 9))
    )
    at, found = np.empty((2, points.size))
    _mean_distances(points, F.lines, *F.index, at, np.empty(points.size, int), found)
    assert np.abs(found - F.mean_distance(points)).max() <= 1e-14 * reach


@given(st.integers(1, 40), st.integers(1, 20), st.integers(-30, 30), st.integers(0))
def test_two_vectors_are_merged_as_if_they_were_sorted(size, n_values, apart, seed):
    rng = np.random.default_rng(seed)
    x, y = np.sort(rng.integers(n_values, size=(2, size)) / 7.0)
    assert np.array_equal(merged(x, y + apart), joined(x, y + apart))
