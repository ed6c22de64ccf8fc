"""Every way to the same numbers: against the definitions, each other, exact truth."""

import itertools
import json
import math
import subprocess
import sys

import numpy as np
import pytest
import reference
from bins import in_bins
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import assert_within_errors, truth
from partitions import STYLES, draw, memberships

import concordant as cc
from concordant.exact import rounded, units
from concordant.pairs.dense import square_of, to_objects, values_of_all_pairs
from concordant.pairs.sorts import (
    RELATIVE_ROUNDOFF,
    sum_of_absolute_differences,
    weights_of_gaps,
)
from concordant.pairs.two_clusters import has_two_clusters


def applicable(P, Q):
    """List the methods that are exact, or certified, for two partitions."""
    methods = ["auto", "sorted", "binned"]
    kinds = sorted((P.kind, Q.kind))
    if kinds == ["crisp", "crisp"]:
        methods.append("crisp")
    if kinds == ["crisp", "fuzzy"]:
        methods.append("fuzzy-crisp")
    if has_two_clusters(P) and has_two_clusters(Q):
        methods.append("two-clusters")
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
def test_every_method_is_within_its_error_for_some_hundred_objects(style, K):
    rng = np.random.default_rng(K)
    U = memberships(rng, 200, K, style)
    V = memberships(rng, 200, 3, "dirichlet")
    for P, Q in ((U, V), (V, U), (U, 0.5 * (U + U[::-1]))):
        true = truth(P, Q)
        for method in applicable(cc.Partition(P), cc.Partition(Q)):
            assert_within_errors(cc.concordance(P, Q, method=method), true)


def outlier(rng, n, K):
    """All memberships within 1e-9 of 1 / K, but for one object."""
    U = np.full((n, K), 1.0 / K) + 1e-9 * rng.random((n, K))
    U[0] = np.eye(K)[rng.integers(K)]
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


@pytest.mark.parametrize(
    "part", [0, 1, *(pytest.param(part, marks=pytest.mark.long) for part in (2, 3))]
)
def test_the_certified_bound_is_never_violated(part):
    rng = np.random.default_rng(part)
    for case in range(100):
        one = ADVERSARIES[(part + case) % len(ADVERSARIES)]
        other = ADVERSARIES[int(rng.integers(len(ADVERSARIES)))]
        n, K, L = (int(rng.integers(*bounds)) for bounds in ((20, 120), (3, 7), (2, 7)))
        P, Q = one(rng, n, K), other(rng, n, L)
        found = in_bins(P, Q)
        assert_within_errors(found, truth(P, Q))
        assert found.expected_error <= 1e-7 * found.expected_discordance, (part, case)


@pytest.fixture(scope="module")
def related():
    """Two fuzzy partitions of any number of objects."""
    rng = np.random.default_rng(0)
    U = rng.dirichlet([1, 1, 1], size=6100)
    V = 0.5 * (U + rng.dirichlet([1, 1, 1], size=6100))
    return lambda n: (U[:n], V[:n])


def test_the_way_follows_kinds_and_sizes(related):
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=6100)
    two = rng.dirichlet([1, 1], size=6100)
    three, other = related(6100)
    wider = np.insert(two, 1, 0.0, axis=1)

    def method(P, Q, n):
        return cc.concordance(P[:n], Q[:n]).method

    assert method(labels, labels, 400) == "crisp"
    assert method(labels, three, 400) == method(three, labels, 400) == "fuzzy-crisp"
    assert method(three, other, 450) == method(two, three, 450) == "sorted"
    assert method(three, other, 451) == method(two, two, 451) == "binned"
    assert method(wider, two[::-1], 6100) == "two-clusters"
    assert cc.concordance([0], [0]).method == "no pairs"


def test_two_clusters_whose_rows_do_not_sum_alike_widen_the_error():
    rng = np.random.default_rng(0)
    two = rng.dirichlet([1, 1], size=300).round(2)
    two[:, 1] += rng.uniform(-9e-6, 9e-6, size=300)
    forced = cc.concordance(two, two[::-1], method="two-clusters")
    assert 1e-9 < forced.error < 1e-3
    assert_within_errors(forced, truth(two, two[::-1]))


@pytest.mark.parametrize(
    "column",
    [
        lambda rng: rng.random(70),
        lambda rng: rng.beta(0.3, 0.3, 70),
        lambda rng: np.abs(rng.integers(2, size=70) - 1e-3 * rng.random(70)),
        lambda rng: np.round(rng.random(70), 2),
        lambda rng: 0.5 + 1e-12 * rng.random(70),
        lambda rng: np.append(0.5 + 1e-9 * rng.random(69), 0.0),
    ],
    ids=["even", "at both ends", "nearly crisp", "rounded", "close", "outlier"],
)
def test_two_clusters_keep_their_bound(column):
    rng = np.random.default_rng(4)
    P, Q = (np.column_stack((u, 1 - u)) for u in (column(rng), column(rng)))
    found = cc.concordance(P, Q, method="two-clusters")
    assert_within_errors(found, truth(P, Q))
    assert cc.concordance(Q, P, method="two-clusters") == found


@pytest.mark.parametrize("sizes", [[1], [2], [7], [3, 0, 1, 9, 1], [70_000]])
def test_a_sum_of_differences_is_that_of_the_definition(sizes):
    rng = np.random.default_rng(0)
    classes = [np.sort(rng.random(size)) for size in sizes]
    weights = weights_of_gaps(np.array(sizes))
    found = sum_of_absolute_differences(np.concatenate(classes), weights)
    terms = [(2 * np.arange(u.size) - (u.size - 1)) * u for u in classes]
    assert found == pytest.approx(math.fsum(np.concatenate(terms)), rel=1e-10)
    if sum(sizes) < 30:
        pairs = [abs(a - b) for u in classes for a, b in itertools.combinations(u, 2)]
        exact = math.fsum(pairs)
        assert abs(found - exact) <= RELATIVE_ROUNDOFF * exact


@pytest.mark.parametrize("n_classes", [2, 7, 60, 150])
@pytest.mark.parametrize("scale", [1.0, 1e-12])
def test_many_classes_of_many_sizes_have_the_right_numbers(n_classes, scale):
    rng = np.random.default_rng(n_classes)
    U = np.array([0.2, 0.3, 0.5]) + scale * (rng.dirichlet(np.ones(3), 150) - 1 / 3)
    U = np.maximum(U, 0.0)
    U[:, 2] = 1.0 - U[:, 0] - U[:, 1]
    labels = (n_classes * rng.random(150) ** 2).astype(int)
    found = cc.concordance(U, labels, method="fuzzy-crisp")
    other = cc.concordance(U, labels, method="sorted")
    assert abs(found.aci - other.aci) <= found.error + other.error
    assert found.error < 1e-12 / scale


def test_clusters_without_objects_change_nothing():
    rng = np.random.default_rng(3)
    U, labels = rng.dirichlet(np.ones(3), 40), rng.integers(4, size=40)
    matrix = np.zeros((40, 9))
    matrix[np.arange(40), np.array([0, 3, 4, 8])[labels]] = 1.0
    assert cc.concordance(U, matrix) == cc.concordance(U, labels)


def test_more_classes_than_two_bytes_tell_apart():
    rng = np.random.default_rng(4)
    n = 70_000
    U, labels = rng.dirichlet(np.ones(3), n), rng.permutation(n)
    labels[1] = labels[0]
    found = cc.concordance(U, labels)
    m = n * (n - 1) // 2
    weights = weights_of_gaps(np.array([n]))
    sums = (sum_of_absolute_differences(np.sort(u), weights) for u in U.T)
    T = 0.5 * math.fsum(sums)
    W = 0.5 * np.abs(U[0] - U[1]).sum()
    assert found.discordance == pytest.approx((W + (m - 1) - (T - W)) / m, rel=1e-13)


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


@pytest.mark.parametrize("method", ["sorted", "binned", "sampled"])
def test_partitions_that_say_the_same_of_all_pairs(method):
    U = np.full((300, 3), 1 / 3)
    found = cc.concordance(U, U, method=method)
    assert (found.ndc, found.expected, found.aci) == (1.0, 1.0, 1.0)
    V = np.random.default_rng(0).dirichlet([1, 1, 1], size=300)
    assert cc.concordance(U, V, method=method).aci == 0.0


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), method=st.sampled_from(["sorted", "binned"]))
def test_all_pairs_obey_the_laws_to_the_last_bit(seed, method):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(30, 80))
    one, other = rng.choice([style for style in STYLES if style != "crisp"], size=2)
    P, Q = memberships(rng, n, 3, one), memberships(rng, n, 4, other)
    forward = cc.concordance(P, Q, method=method)
    assert cc.concordance(Q, P, method=method) == forward
    assert cc.concordance(P, P, method=method).aci == 1.0
    wider = np.insert(P, 1, 0.0, axis=1)
    assert cc.concordance(wider, Q, method=method).aci == forward.aci


def test_results_have_the_same_bits_for_any_number_of_threads(related):
    P, Q = related(1700)
    rng = np.random.default_rng(1)
    labels, two = rng.integers(4, size=1700), rng.dirichlet([1, 1], size=(2, 1700))
    votes = rng.multinomial(9, [0.2, 0.3, 0.5], size=(2, 1700)) / 9

    def everything(n_jobs):
        return (
            cc.concordance(P, Q, n_jobs=n_jobs),
            cc.concordance(
                P, Q, method="sampled", tol=1e-3, random_state=1, n_jobs=n_jobs
            ),
            cc.concordance(P, labels, n_jobs=n_jobs),
            cc.concordance(*two, method="two-clusters", n_jobs=n_jobs),
            cc.concordance(*votes, n_jobs=n_jobs),
            cc.compare(P, Q, families="all", n_jobs=n_jobs).to_dict(),
            cc.pair_table(
                P, Q, method="sampled", tol=1e-3, random_state=1, n_jobs=n_jobs
            ),
        )

    single = everything(1)
    for n_jobs in (2, 3, 5):
        assert everything(n_jobs) == single


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


def test_sums_of_units_are_the_same_in_any_order_and_correctly_rounded():
    rng = np.random.default_rng(8)
    for size in (0, 1, 2, 1000):
        for values in (
            rng.random(size),
            10.0 ** rng.uniform(-300, 300, size),
            np.where(rng.random(size) < 1e-3, 1.0, 1e-17 * rng.random(size)),
            np.full(size, 5e-324),
            rng.random(size) * 2.0**-1060,
        ):
            signed = values * rng.choice([-1.0, 1.0], size)
            for some in (values, signed, -signed, rng.permutation(signed)):
                assert rounded(sum(map(units, some.tolist()))) == math.fsum(some)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 12, 301])
def test_dense_pairs_are_all_pairs(n):
    U = np.random.default_rng(9).dirichlet([1] * 3, n)
    values = values_of_all_pairs(np.ascontiguousarray(0.5 * U.T), "l1")
    expected = 0.5 * np.abs(U[:, None] - U).sum(axis=2)
    np.testing.assert_allclose(square_of(values, n), expected, rtol=0, atol=1e-15)
    sums = to_objects(values, n)
    np.testing.assert_allclose(sums, expected.sum(axis=0), rtol=1e-14)


@pytest.mark.parametrize("method", ["sorted", "binned"])
@pytest.mark.parametrize("n", [2, 3, 256, 257, 512, 513, 514, 1025])
def test_every_pair_is_visited_once(n, method):
    labels = np.random.default_rng(n).integers(4, size=(2, n))
    P, Q = (np.eye(4)[side] for side in labels)
    exact = cc.concordance(*labels)
    found = cc.concordance(P + np.array([1e-16, 0, 0, 0]), Q, method=method)
    assert found.n_pairs == exact.n_pairs
    assert found.discordance == pytest.approx(exact.discordance, abs=1e-14)
    assert found.expected == pytest.approx(exact.expected, abs=1e-9)


def test_samples_tighten_with_the_tolerance(related):
    P, Q = related(6000)
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


def test_a_sample_of_all_pairs_is_exact(related):
    P, Q = related(700)
    exact = cc.concordance(P, Q)
    found = cc.concordance(P, Q, method="sampled", tol=1e-12, random_state=3)
    assert found.n_pairs == exact.n_pairs
    assert_within_errors(found, truth(P, Q))
    for family in ("campello", "huellermeier"):
        table = cc.pair_table(P, Q, family=family)
        sample = cc.pair_table(P, Q, family=family, method="sampled", tol=1e-15)
        assert sample.n_sampled == exact.n_pairs
        assert sample.error == 0.0
        assert sample.rand == pytest.approx(table.rand, abs=1e-13)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"tol": 0.0}, ValueError, "tol must be positive"),
        ({"tol": math.nan}, ValueError, "tol must be positive"),
        ({"tol": "small"}, TypeError, "tol must be a number"),
        ({"n_jobs": 0}, ValueError, "n_jobs must not be 0"),
    ],
)
def test_bad_options_are_refused(options, error, message, related):
    for function in (cc.concordance, cc.pair_table, cc.compare):
        with pytest.raises(error, match=message):
            function(*related(20), **options)


def test_tol_goes_with_methods_that_sample(related):
    with pytest.raises(ValueError, match="tol goes with"):
        cc.concordance(*related(20), tol=1e-3, method="sorted")


def test_families_can_be_chosen(related):
    P, Q = related(20)
    assert list(cc.compare(P, Q, families=["frigui"]).tables) == ["frigui"]
    with pytest.raises(ValueError, match='families must be "crisp", "campello"'):
        cc.compare(P, Q, families=["rand"])


def test_progress_is_told_up_to_the_end(related):
    P, Q = related(4000)
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
    code = """
import json, resource, numpy as np, concordant as cc
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
rng = np.random.default_rng(0)
U, V = rng.dirichlet([1] * 3, 12000), rng.dirichlet([1] * 3, 12000)
cc.adjusted_concordance_index(U[:500], V[:500])
before = peak()
cc.adjusted_concordance_index(U, V, n_jobs=2)
print(json.dumps(peak() - before))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    added = json.loads(done.stdout)
    assert added < 150, f"{added:.0f} MB, where 2 x 72 million distances take 1150"
