"""Every algorithm against the definitions and against each other."""

import importlib
import math
import sys
from fractions import Fraction

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import truth
from partitions import STYLES, draw, memberships

import concordant as cc
from concordant.agreement import plan
from concordant.agreement.band_sums import BandSums
from concordant.agreement.binned_pairs import first_grid
from concordant.agreement.curve import along_curve
from concordant.agreement.grid import Grid
from concordant.agreement.scaling import scaled
from concordant.agreement.sorted_pairs import sorted_pairs
from concordant.agreement.sparse_rows import NOT_SPARSE
from concordant.exact import BLOCK, summed
from concordant.execution.engine import Threads
from concordant.kernels import worth
from concordant.kernels.plain_visits import plain_cells
from concordant.kernels.visits import fill_cells
from concordant.kernels.worth import compiled_pays
from concordant.pairs.bands import HEIGHT, WIDTH, Band
from concordant.pairs.dense import dissimilarities, in_order
from concordant.terms.table_sums import NO_TABLES, TABLES_OF_PAIRS, WantedTables, _tops
from concordant.terms.visiting import visit_tiles


def applicable(P, Q):
    """List the methods that are exact, or certified, for two partitions."""
    methods = ["auto", "exact", "sorted", "binned"]
    kinds = sorted((P.kind, Q.kind))
    if kinds == ["crisp", "crisp"]:
        methods.append("crisp")
    if kinds == ["crisp", "fuzzy"]:
        methods.append("fuzzy-crisp")
    if plan.both_have_two_clusters(P, Q):
        methods.append("two-clusters")
    if plan.both_on_lattices(P, Q):
        methods.append("lattice")
    return methods


@pytest.mark.parametrize("part", range(4))
def test_every_method_agrees_with_the_definition(part):
    for seed in range(part * 30, part * 30 + 30):
        U, V = draw(seed, max_n=24, max_K=4)
        P, Q = cc.Partition(U), cc.Partition(V)
        d = reference.discordance(U.tolist(), V.tolist())
        expected = reference.expected_discordance(U.tolist(), V.tolist())
        for method in applicable(P, Q):
            found = cc.concordance(P, Q, method=method)
            assert abs(found.discordance - d) <= found.ndc_error + 1e-14, (seed, method)
            slack = found.expected_error + 1e-14
            assert abs(found.expected_discordance - expected) <= slack, (seed, method)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("K", [2, 3, 6])
def test_methods_agree_for_some_hundred_objects(style, K):
    rng = np.random.default_rng(K)
    U = memberships(rng, 400, K, style)
    V = memberships(rng, 400, 3, "dirichlet")
    for pair in ((U, V), (V, U), (U, 0.5 * (U + U[::-1]))):
        P, Q = cc.Partition(pair[0]), cc.Partition(pair[1])
        truth = sorted_pairs(P, Q)
        for method in applicable(P, Q):
            found = cc.concordance(P, Q, method=method)
            assert found.ndc == pytest.approx(truth.ndc, abs=found.ndc_error + 1e-13)
            assert abs(found.aci - truth.aci) <= found.error + 1e-12, method


def outlier(rng, n, K):
    """All memberships within 1e-9 of 1 / K, but for one object."""
    U = np.full((n, K), 1.0 / K) + 1e-9 * rng.random((n, K))
    U[0] = 0.0
    U[0, rng.integers(K)] = 1.0
    return U / U.sum(axis=1, keepdims=True)


def heavy_ties(rng, n, K):
    return rng.dirichlet(np.ones(K), size=5)[rng.integers(5, size=n)]


def two_clumps(rng, n, K):
    U = rng.dirichlet(np.ones(K), size=2)[rng.integers(2, size=n)]
    U = U + 1e-9 * rng.random((n, K))
    return U / U.sum(axis=1, keepdims=True)


ADVERSARIES = [outlier, heavy_ties, two_clumps] + [
    lambda rng, n, K, style=style: memberships(rng, n, K, style)
    for style in ("dirichlet", "near-crisp", "near-uniform", "duplicated", "close")
]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_the_certified_bound_is_never_violated(part):
    """A thousand pairs, random and adversarial, binned as if memory were short."""
    rng = np.random.default_rng(part)
    for case in range(125):
        one = ADVERSARIES[(part + case) % len(ADVERSARIES)]
        other = ADVERSARIES[int(rng.integers(len(ADVERSARIES)))]
        n, K, L = (int(rng.integers(*bounds)) for bounds in ((20, 120), (3, 7), (2, 7)))
        P, Q = cc.Partition(one(rng, n, K)), cc.Partition(other(rng, n, L))
        if case % 10 == 0:
            Q = P
        truth = sorted_pairs(P, Q)
        found = cc.concordance(P, Q, method="binned")
        off = abs(found.expected_discordance - truth.expected_discordance)
        rounding = 1e-15 * truth.expected_discordance + 1e-17
        assert off <= found.expected_error + rounding, (part, case)
        assert found.expected_error <= 1e-9 * truth.expected_discordance, (part, case)
        assert abs(found.aci - truth.aci) <= found.error + 1e-13, (part, case)


def test_a_small_memory_budget_forces_bins():
    rng = np.random.default_rng(0)
    U, V = rng.dirichlet([1, 1, 1], size=300), rng.dirichlet([1, 1, 1], size=300)
    assert cc.concordance(U, V).method == "sorted"
    found = cc.concordance(U, V, memory_budget=1000)
    assert found.method == "binned"
    assert 0.0 < found.error < 1e-8
    with pytest.raises(ValueError, match="takes 2870400 bytes for 300 objects"):
        cc.concordance(U, V, method="sorted", memory_budget=1000)


def test_the_plan_follows_kinds_and_sizes():
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=400)
    two, three = rng.dirichlet([1, 1], size=400), rng.dirichlet([1, 1, 1], size=400)
    assert cc.concordance(labels, labels).method == "crisp"
    assert cc.concordance(labels, three).method == "fuzzy-crisp"
    assert cc.concordance(three, labels).method == "fuzzy-crisp"
    assert cc.concordance(two, two[::-1]).method == "two-clusters"
    wider = np.insert(two, 1, 0.0, axis=1)
    assert cc.concordance(wider, two).method == "two-clusters"
    assert cc.concordance(two, three).method == "sorted"
    many = rng.dirichlet([1, 1, 1], size=1600)
    assert cc.concordance(many, many).method == "binned"
    assert cc.concordance([0], [0]).method == "no pairs"


def test_rows_that_do_not_sum_alike_are_not_taken_for_two_opposite_columns():
    rng = np.random.default_rng(0)
    two = rng.dirichlet([1, 1], size=300).round(2)
    two[:, 1] += rng.uniform(-9e-6, 9e-6, size=300)
    found = cc.concordance(two, two[::-1])
    assert found.method == "sorted"
    forced = cc.concordance(two, two[::-1], method="two-clusters")
    assert 1e-9 < forced.error < 1e-5
    assert abs(forced.aci - found.aci) <= forced.error


def test_two_clusters_on_a_grid_keep_their_bound(monkeypatch):
    import sys

    module = sys.modules["concordant.agreement.two_clusters"]
    monkeypatch.setattr(module, "_MOST_SUMS", 0)
    rng = np.random.default_rng(4)
    monkeypatch.setattr(module, "_GRIDS", (16, 18))
    columns = {
        "even": lambda: rng.random(200),
        "at both ends": lambda: rng.beta(0.3, 0.3, 200),
        "nearly crisp": lambda: np.clip(
            rng.integers(2, size=200) + 1e-3 * rng.normal(size=200), 0, 1
        ),
        "rounded": lambda: np.round(rng.random(200), 2),
        "close": lambda: 0.5 + 1e-12 * rng.random(200),
        "outlier": lambda: np.append(0.5 + 1e-9 * rng.random(199), 0.0),
    }
    for name, column in columns.items():
        x, y = column(), column()
        P, Q = (cc.Partition(np.stack([u, 1 - u], axis=1)) for u in (x, y))
        truth = sorted_pairs(P, Q)
        found = cc.concordance(P, Q, method="two-clusters")
        off = abs(found.expected_discordance - truth.expected_discordance)
        assert off <= found.expected_error + 1e-15, name
        assert found.discordance == pytest.approx(truth.discordance, abs=1e-15)
        chosen = cc.concordance(P, Q)
        assert chosen.expected_error <= 1e-9 * chosen.expected_discordance, name


@pytest.mark.parametrize(
    ("P", "Q", "method", "message"),
    [
        ([0, 1], [[0.5, 0.5], [0.2, 0.8]], "crisp", "needs two crisp partitions"),
        ([0, 1], [0, 1], "fuzzy-crisp", "needs a fuzzy and a crisp partition"),
        ([0, 1], [0, 1], "two-clusters", "needs two fuzzy partitions into two"),
    ],
)
def test_a_method_that_does_not_apply_is_refused(P, Q, method, message):
    with pytest.raises(ValueError, match=message):
        cc.concordance(P, Q, method=method)


@pytest.mark.parametrize("method", ["binned", "sampled"])
def test_partitions_that_say_the_same_of_all_pairs(method):
    U = np.full((300, 3), 1 / 3)
    found = cc.concordance(U, U, method=method)
    assert (found.ndc, found.expected, found.aci) == (1.0, 1.0, 1.0)
    V = np.random.default_rng(0).dirichlet([1, 1, 1], size=300)
    assert cc.concordance(U, V, method=method).aci == pytest.approx(0, abs=1e-8)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_binned_pairs_obey_the_laws_to_the_last_bit(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(30, 80))
    one, other = rng.choice([style for style in STYLES if style != "crisp"], size=2)
    P, Q = memberships(rng, n, 3, one), memberships(rng, n, 4, other)
    forward = cc.concordance(P, Q, method="binned")
    backward = cc.concordance(Q, P, method="binned")
    assert forward.aci == backward.aci
    assert forward.expected == backward.expected
    assert cc.concordance(P, P, method="binned").aci == 1.0
    wider = np.insert(P, 1, 0.0, axis=1)
    assert cc.concordance(wider, Q, method="binned").aci == forward.aci


def big_pair(n=1700, seed=0):
    rng = np.random.default_rng(seed)
    U = rng.dirichlet([1, 1, 1], size=n)
    V = 0.5 * (U + rng.dirichlet([1, 1, 1], size=n))
    return cc.Partition(U), cc.Partition(V)


def test_every_partial_sum_has_the_same_bits_for_any_number_of_threads():
    P, Q = big_pair()
    grid = first_grid(P.columns(), Q.columns(), scaled(P, Q).upper)
    wanted = WantedTables.of(P, Q, TABLES_OF_PAIRS)
    columns = (P.columns(), Q.columns(), *wanted.columns(P, Q))

    def partials(n_jobs):
        others = (grid, True, wanted, NOT_SPARSE)
        visits = visit_tiles(Threads(n_jobs), BandSums.of, columns, others, 0)
        return [part for _, part in visits]

    single = partials(1)
    assert sum(int(part.counts_p.sum()) for part in single) == 1700 * 1699 // 2
    for n_jobs in (2, 3, 5):
        for one, other in zip(single, partials(n_jobs), strict=True):
            assert one.difference == other.difference
            assert one.tables == other.tables
            for name in ("counts", "places", "squares"):
                for side in "pq":
                    field = f"{name}_{side}"
                    assert (getattr(one, field) == getattr(other, field)).all()


def test_results_have_the_same_bits_for_any_number_of_threads():
    P, Q = big_pair()
    labels = np.random.default_rng(1).integers(4, size=1700)
    two = np.random.default_rng(1).dirichlet([1, 1], size=(2, 1700))

    def everything(n_jobs):
        return (
            cc.concordance(P, Q, n_jobs=n_jobs),
            cc.concordance(P, Q, tol=1e-3, random_state=1, n_jobs=n_jobs),
            cc.concordance(P, labels, n_jobs=n_jobs),
            cc.concordance(*two, n_jobs=n_jobs),
            cc.compare(P, Q, n_jobs=n_jobs).to_dict(),
            cc.pair_table(P, Q, tol=1e-3, random_state=1, n_jobs=n_jobs),
        )

    single = everything(1)
    for n_jobs in (2, 3, 5):
        assert everything(n_jobs) == single


@pytest.mark.parametrize("n", [2, 3, 4, 9, 151, 514])
@pytest.mark.parametrize(("K", "L"), [(1, 3), (2, 2), (3, 8), (5, 4)])
def test_numpy_adds_up_bands_to_the_bit_as_compiled_code_does(n, K, L):
    rng = np.random.default_rng(n + K)
    U, V = rng.dirichlet(np.full(K, 0.3), n), memberships(rng, n, L, "near-crisp")
    U[: n // 3] = U[0]
    for P, Q in (
        (U, V),
        (U * 1e-310, V * 1e-310),
        (U - [[1e-6] + [0.0] * (K - 1)], np.eye(L)[V.argmax(axis=1)]),
    ):
        columns = [np.ascontiguousarray(X.T) for X in (P, Q)]
        columns += [_tops(X) for X in columns]
        upper = float(max(np.ptp(X, axis=1).sum() for X in columns[:2]))
        upper = upper if upper > 1e-300 else 1.0
        for names in ((), TABLES_OF_PAIRS[1:4], TABLES_OF_PAIRS):
            wanted = WantedTables(names, negative=bool(names) and P.min() < 0.0)
            for grid in (
                None,
                Grid(np.array([0.0, upper]), np.array([9999])),
                Grid(np.array([0.0, 0.1, 0.5, 1.0]) * upper, np.array([99, 9, 999])),
            ):
                others = (grid, 0, wanted, NOT_SPARSE)
                both = [
                    list(visit_tiles(Threads(1), visit, columns, others, 0))
                    for visit in (BandSums.of, BandSums.by_numpy)
                ]
                for (_, one), (_, other) in zip(*both, strict=True):
                    assert one.n_pairs == other.n_pairs
                    assert one.difference == other.difference
                    assert one.tables == other.tables
                    for name, counts in one.arrays().items():
                        np.testing.assert_array_equal(counts, other.arrays()[name])


@pytest.mark.parametrize("squares", [False, True])
def test_numpy_adds_up_cells_to_the_bit_as_compiled_code_does(squares):
    rng = np.random.default_rng(0)
    for n_cells in (1, 2, 3, 1000):
        counts = rng.integers(0, 4, (2, n_cells))
        counts[:, -1] += 1
        places = rng.random((2, n_cells)) * counts
        roots = rng.random(n_cells) if squares else np.empty(0)
        given = (*counts, *places, roots, rng.random(n_cells), 1e-9, 1e-12)
        found = np.empty((2, 2, n_cells))
        for fill, out in zip((fill_cells, plain_cells), found, strict=True):
            fill(*given, *out)
        np.testing.assert_array_equal(*found)


def test_compiled_code_is_left_alone_until_it_pays(monkeypatch):
    monkeypatch.setattr(worth, "_spent", 0.0)
    monkeypatch.setattr(worth, "_LOAD", 2.0)
    monkeypatch.setattr(worth, "_IMPORT", 10.0)
    assert [compiled_pays(1.5) for _ in range(3)] == [False, True, True]
    monkeypatch.setattr(worth, "_spent", 0.0)
    monkeypatch.delitem(sys.modules, "numba")
    assert [compiled_pays(4.0) for _ in range(4)] == [False, False, True, True]
    assert compiled_pays(0.1)
    monkeypatch.setattr(worth, "_spent", 0.0)
    assert compiled_pays(11.0)
    assert compiled_pays(0.1)


def test_results_have_the_same_bits_with_and_without_compiled_code(monkeypatch):
    rng = np.random.default_rng(3)
    U, V = rng.dirichlet([1, 1, 1], 1500), rng.dirichlet([1, 1, 1, 1], 1500)
    R, S = np.round(U, 2), rng.multinomial(20, [0.3, 0.3, 0.4], 1500) / 20
    R[:, 0] = 1.0 - R[:, 1:].sum(axis=1)
    pairs = [(U, V), (R, S), (U, V.argmax(axis=1)), (U[:100], V[:100])]
    found = []
    for spent in (math.inf, -math.inf):
        monkeypatch.setattr(worth, "_spent", spent)
        found.append([cc.compare(P, Q).to_dict() for P, Q in pairs])
    assert found[0] == found[1]
    methods = [one["concordance"]["method"] for one in found[0]]
    assert methods == ["binned", "lattice", "fuzzy-crisp", "sorted"]


def test_what_is_interrupted_leaves_nothing_in_the_bins(monkeypatch):
    from concordant.kernels import visits

    P, Q = big_pair(600)
    undisturbed = cc.concordance(P, Q, method="binned")

    def interrupted(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(visits, "read_bins", interrupted)
        with pytest.raises(KeyboardInterrupt):
            cc.concordance(P, Q.harden(), method="binned")
        with pytest.raises(KeyboardInterrupt):
            cc.concordance(Q, Q, method="binned")
    assert cc.concordance(P, Q, method="binned") == undisturbed


@pytest.mark.parametrize("n_cells", [3, 1000, 8192, 16_384])
def test_a_bin_counts_all_pairs_of_a_band(n_cells):
    rng = np.random.default_rng(0)
    labels = rng.integers(8, size=WIDTH + HEIGHT)
    p = np.ascontiguousarray((0.5 * np.eye(8)[labels]).T)
    band = Band(0, HEIGHT, 1, WIDTH)
    # Seven of eight distances are 1, late in their cell.
    grid = Grid(
        np.array([0.0, (n_cells - 1) / (n_cells - 1.4)]), np.array([n_cells - 1])
    )
    none = np.empty((0, p.shape[1]))
    others = (grid, False, NO_TABLES, NOT_SPARSE)
    sums = BandSums.of(p, p, none, none, *others, [band])
    same = sum(
        int((labels[i] == labels[i + 1 : i + 1 + WIDTH]).sum()) for i in range(HEIGHT)
    )
    expected = np.zeros(n_cells, dtype=np.int64)
    expected[[0, n_cells - 2]] += [same, band.n_pairs - same]
    np.testing.assert_array_equal(sums.counts_p, expected)
    histogram = sums.histogram(grid)
    place = histogram.places_p.sum() / (band.n_pairs - same)
    assert place == pytest.approx(0.6, abs=1e-5)


def test_a_grid_that_is_slightly_too_coarse_gets_a_few_more_cells(monkeypatch):
    module = importlib.import_module("concordant.agreement.binned_pairs")
    rng = np.random.default_rng(3)
    P, Q = (cc.Partition(rng.dirichlet([1] * 3, 2000)) for _ in range(2))
    passes = []

    def coarse(*arguments):
        grid = first_grid(*arguments)
        return grid.with_cells(grid.n_cells * 3 // 4)

    class Recorded(module.Pass):  # type: ignore[name-defined]
        def run(self, *arguments):
            super().run(*arguments)
            passes.append(self)

    monkeypatch.setattr(module, "first_grid", coarse)
    monkeypatch.setattr(module, "Pass", Recorded)
    found = cc.concordance(P, Q, method="binned")
    first, second = passes
    assert first.grid.n_cells < second.grid.n_cells < 2 * first.grid.n_cells
    assert second.sums.squares_p is None
    assert found.expected_error <= 1e-9 * found.expected_discordance
    truth = sorted_pairs(P, Q)
    assert abs(found.aci - truth.aci) <= found.error + 1e-14


@pytest.mark.parametrize("family", ["frigui", "brouwer", "anderson"])
def test_tables_of_products_do_not_depend_on_how_memberships_lie(family):
    rng = np.random.default_rng(5)
    U, V = rng.dirichlet([1] * 5, 70_000), rng.dirichlet([1] * 60, 70_000)
    expected = cc.pair_table(U, V, family=family)
    for P, Q, n_jobs in (
        (np.asfortranarray(U), V, 1),
        (U, np.asfortranarray(V), 2),
        (cc.Partition(U), cc.Partition(V), 2),
    ):
        assert cc.pair_table(P, Q, family=family, n_jobs=n_jobs) == expected
    turned = cc.pair_table(V, U, family=family)
    assert (turned.a, turned.b, turned.c) == (expected.a, expected.c, expected.b)


@pytest.mark.parametrize("style", STYLES)
def test_sorted_pairs_have_the_same_bits_for_objects_in_any_order(style):
    rng = np.random.default_rng(6)
    for n in (2, 3, 8, 150, 257):
        U, V = memberships(rng, n, 3, style), memberships(rng, n, 8, "dirichlet")
        found = cc.concordance(U, V, method="sorted")
        order = rng.permutation(n)
        assert cc.concordance(U[order], V[order], method="sorted") == found
        assert cc.concordance(V, U, method="sorted") == found


@pytest.mark.parametrize("style", ["dirichlet", "near-uniform", "close", "duplicated"])
def test_sorted_pairs_are_within_a_few_units_of_rounding(style):
    rng = np.random.default_rng(7)
    for n in (2, 5, 40, 149, 150):
        U, V = memberships(rng, n, 4, style), memberships(rng, n, 3, style)
        found, true = cc.concordance(U, V, method="sorted"), truth(U, V)
        for value, exact, error in (
            (found.discordance, true.discordance, found.discordance_error),
            (found.expected_discordance, true.expected, found.expected_error),
            (found.aci, true.aci, found.error),
        ):
            assert abs(Fraction(value) - exact) <= Fraction(error)
        assert max(found.ndc_error, found.expected_error) < 2e-15


def test_sums_are_the_same_in_any_order_and_correctly_rounded():
    rng = np.random.default_rng(8)
    for size in (0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5):
        for values in (
            rng.random(size),
            10.0 ** rng.uniform(-300, 300, size),
            np.where(rng.random(size) < 1e-3, 1.0, 1e-17 * rng.random(size)),
            np.full(size, 5e-324),
            rng.random(size) * 2.0**-1060,
        ):
            found, exact = summed(values), math.fsum(values)
            assert abs(found - exact) <= 2.0**-52 * exact
            assert summed(rng.permutation(values)) == found
            signed = values * rng.choice([-1.0, 1.0], size)
            found = summed(signed)
            assert abs(found - math.fsum(signed)) <= 2.0**-51 * exact
            assert summed(rng.permutation(signed)) == found
            assert summed(-signed) == -found


def test_dense_pairs_are_all_pairs():
    rng = np.random.default_rng(9)
    for n in (2, 3, 4, 5, 12, 301):
        U = rng.dirichlet([1] * 3, n)
        i, j = np.triu_indices(n, 1)
        expected = 0.5 * np.abs(U[i] - U[j]).sum(axis=1)
        for columns in (U.T, np.ascontiguousarray(U.T)):
            found = in_order(dissimilarities(columns), n)
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("t_norm", ["min", "product"])
@pytest.mark.parametrize(("K", "L"), [(1, 1), (1, 3), (2, 4), (3, 3)])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 8])
def test_campello_of_few_objects_is_its_definition(n, K, L, t_norm):
    rng = np.random.default_rng(n + 10 * K)
    P, Q = rng.dirichlet(np.ones(K), n), rng.dirichlet(np.ones(L), n)
    P[n // 2] = [1.0] + [0.0] * (K - 1)
    found = cc.pair_table(P, Q, family="campello", t_norm=t_norm)
    t = min if t_norm == "min" else lambda x, y: x * y

    def degrees(U, i, j):
        both = [(k, m) for k in range(U.shape[1]) for m in range(U.shape[1])]
        same = max(t(U[i, k], U[j, m]) for k, m in both if k == m)
        other = [t(U[i, k], U[j, m]) for k, m in both if k != m]
        return same, max(other, default=0.0)

    sums = np.zeros(4)
    for i in range(n):
        for j in range(i):
            (V, X), (Y, Z) = degrees(P, i, j), degrees(Q, i, j)
            sums += t(V, Y), t(V, Z), t(X, Y), t(X, Z)
    if P.min() == 1.0 == Q.min() and n:  # one cluster each: the crisp table
        assert found.a == n * (n - 1) / 2
        return
    assert [found.a, found.b, found.c, found.d] == pytest.approx(sums, abs=1e-12)


def test_a_sample_of_all_pairs_is_exact():
    P, Q = big_pair(700)
    exact = cc.concordance(P, Q)
    found = cc.concordance(P, Q, method="sampled", tol=1e-12, random_state=3)
    assert found.n_pairs == exact.n_pairs
    assert found.aci == pytest.approx(exact.aci, abs=1e-9)
    assert found.ndc == pytest.approx(exact.ndc, abs=1e-14)
    assert abs(found.aci - exact.aci) <= found.error
    for family in ("campello", "huellermeier"):
        table = cc.pair_table(P, Q, family=family)
        sample = cc.pair_table(P, Q, family=family, tol=1e-15)
        assert sample.n_sampled == exact.n_pairs
        assert sample.error == 0.0
        assert sample.rand == pytest.approx(table.rand, abs=1e-13)


def test_samples_tighten_with_the_tolerance():
    P, Q = big_pair(6000)
    exact = cc.concordance(P, Q)
    previous = 0
    for tol in (1e-2, 1e-3, 3e-4):
        found = cc.concordance(P, Q, method="sampled", tol=tol, random_state=0)
        assert found.method == "sampled"
        assert found.error <= tol
        assert abs(found.aci - exact.aci) <= 3 * found.error
        assert found.n_pairs >= previous
        previous = found.n_pairs
    assert previous < exact.n_pairs


@pytest.mark.long
def test_samples_hold_the_exact_value_as_often_as_they_say():
    P, Q = big_pair(1200)
    exact = cc.concordance(P, Q)
    table = cc.pair_table(P, Q)
    inside, inside_table = 0, 0
    for seed in range(200):
        found = cc.concordance(P, Q, method="sampled", tol=1e-2, random_state=seed)
        inside += abs(found.aci - exact.aci) <= found.error
        if seed % 2:
            continue
        sample = cc.pair_table(P, Q, tol=1e-2, random_state=seed)
        inside_table += abs(sample.adjusted_rand - table.adjusted_rand) <= sample.error
    assert 0.90 <= inside / 200 <= 0.99
    assert inside_table / 100 >= 0.90


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"tol": 0.0}, ValueError, "tol must be positive"),
        ({"tol": -1.0}, ValueError, "tol must be positive"),
        ({"tol": math.nan}, ValueError, "tol must be positive"),
        ({"tol": "small"}, TypeError, "tol must be a number"),
        ({"tol": 1e-3, "method": "exact"}, ValueError, "tol goes with"),
        ({"n_jobs": 0}, ValueError, "n_jobs must not be 0"),
    ],
)
def test_bad_options_are_refused(options, error, message):
    P, Q = big_pair(20)
    for function in (cc.concordance, cc.pair_table, cc.compare):
        with pytest.raises(error, match=message):
            function(P, Q, **options)


def test_families_can_be_chosen():
    P, Q = big_pair(20)
    assert list(cc.compare(P, Q, families=["frigui"]).tables) == ["frigui"]
    with pytest.raises(ValueError, match='families must be "crisp", "campello"'):
        cc.compare(P, Q, families=["rand"])


def test_progress_is_told_up_to_the_end():
    P, Q = big_pair(4000)
    calls = []
    cc.concordance(P, Q, progress=lambda *call: calls.append(call))
    done, total, estimate = calls[-1]
    assert done == total == 4000 * 3999 // 2
    assert estimate == pytest.approx(cc.adjusted_concordance_index(P, Q), abs=1e-6)
    calls.clear()
    cc.pair_table(P, Q, family="campello", progress=lambda *call: calls.append(call))
    assert calls[-1] == (total, total, None)
    calls.clear()
    told = {"method": "sampled", "progress": lambda *call: calls.append(call)}
    cc.concordance(P, Q, tol=1e-2, **told)
    assert 0 < calls[-1][0] <= total


def test_memory_stays_in_proportion_to_n():
    import json
    import subprocess
    import sys

    code = """
import json, resource, numpy as np, concordant as cc
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
rng = np.random.default_rng(0)
U, V = rng.dirichlet([1] * 3, 12000), rng.dirichlet([1] * 3, 12000)
cc.adjusted_concordance_index(U[:300], V[:300])
before = peak()
cc.adjusted_concordance_index(U, V, n_jobs=2)
print(json.dumps(peak() - before))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    added = json.loads(done.stdout)
    assert added < 150, f"{added:.0f} MB, where 2 x 72 million distances take 1150"


def test_more_pairs_than_can_be_summed_are_refused():
    grid = Grid(np.array([0.0, 2.0]), np.array([16_383]))
    total, part = BandSums.nothing(grid), BandSums.nothing(grid)
    total.n_pairs = part.n_pairs = 1 << 40
    total.counts_p[3] = part.counts_p[4] = 1 << 40
    total.merge(part)
    part.counts_p[3] = 1 << 40
    with pytest.raises(OverflowError, match="nearly equally similar.*tol=1e-3"):
        total.merge(part)


@pytest.mark.parametrize("K", [1, 2, 3, 8])
@pytest.mark.parametrize("n", [2, 700, 3000])
def test_neighbours_on_the_curve_are_alike(n, K):
    rng = np.random.default_rng(K)
    p, q = rng.dirichlet([1] * K, n).T, rng.dirichlet([1] * 4, n).T
    order = along_curve(p, q)
    np.testing.assert_array_equal(np.sort(order), np.arange(n))
    np.testing.assert_array_equal(order, along_curve(q, p))
    varied = p if K <= 4 else q
    if n == 3000 and K > 1:
        steps = np.abs(np.diff(varied[:, order])).mean()
        assert steps < 0.3 * np.abs(np.diff(varied)).mean()


def test_partitions_that_vary_alike_may_be_exchanged():
    labels = np.arange(1024) % 4
    q = (labels == np.arange(4)[:, np.newaxis]).astype(float)
    p = q[[1, 2, 3, 0]]
    assert np.array_equal(p.var(axis=1), q.var(axis=1))
    np.testing.assert_array_equal(along_curve(p, q), along_curve(q, p))


def test_the_running_estimate_is_near_from_the_second_tile_on(monkeypatch):
    monkeypatch.setattr("concordant.execution.progress._INTERVAL", 0.0)
    rng = np.random.default_rng(0)
    U = rng.dirichlet([1] * 3, 9000)
    U = U[np.argsort(U[:, 0])]
    V = np.abs(U + rng.normal(scale=0.1, size=U.shape))
    V /= V.sum(axis=1, keepdims=True)
    estimates = []
    found = cc.concordance(
        U, V, progress=lambda done, total, estimate: estimates.append(estimate)
    )
    assert found.method == "binned"
    assert estimates[1:6] == pytest.approx([found.aci] * 5, abs=0.05)
