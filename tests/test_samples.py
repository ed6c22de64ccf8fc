"""Intervals of samples hold the exact value, also where few objects carry it."""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from coverage_of_samples import DESIGNS, MEASURES, coverage
from scipy import stats

import concordant as cc
from concordant.pairs.sampling import (
    Groups,
    half_width,
    looks,
    student_quantile,
    tasks_of_looks,
)

RARE = (
    "another one in Q, n = 500",
    "two, apart in Q, n = 200",
    "a pair merged, n = 1000",
)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("name", RARE)
def test_rare_objects_do_not_make_intervals_too_narrow(name, measure):
    found = coverage(name, measure, seeds=12)
    assert found.inside >= 0.8  # 0.95 but for chance; it was below 0.3
    assert found.all_pairs == 0.0
    assert abs(found.bias) < 4.0


@pytest.mark.parametrize("measure", ["aci", "campello"])
def test_groups_too_many_to_be_met_by_all_are_accounted_for(measure):
    found = coverage("150 in groups of 5, n = 2000", measure, seeds=30)
    assert found.inside >= 0.85


def test_intervals_hold_the_expectation_of_labels_and_memberships():
    rng = np.random.default_rng(1)
    P = rng.integers(3, size=800)
    Q = np.eye(3)[P]
    Q[:20] = rng.dirichlet([1, 1, 1], 20)
    exact = cc.concordance(P, Q)
    inside = 0
    for seed in range(20):
        some = cc.concordance(P, Q, method="sampled", tol=0.1, random_state=seed)
        assert some.n_pairs < exact.n_pairs
        inside += (
            abs(some.expected - exact.expected) <= some.expected_error
            and abs(some.aci - exact.aci) <= some.error
        )
    assert inside >= 17  # it was 2


def test_there_are_fifteen_designs():
    assert len(DESIGNS) == 15


def test_what_was_not_seen_widens_the_interval():
    weights = [100] * 30
    assert half_width([0.0] * 30, weights, 10_000, 0.0) == 0.0
    narrowest = half_width([0.0] * 30, weights, 10_000, 1.0)
    assert half_width([0.0] * 30, weights, 10_000, 1.0, 8.0) == 8.0 * narrowest
    # If none of 3000 is of some kind, fewer than 3 in 3000 are: of those not seen.
    assert narrowest >= 3 / 3000 * math.sqrt(0.7)
    assert half_width([0.0] * 30, weights, 3000, 1.0) == 0.0
    spread = np.linspace(-1.0, 1.0, 30)
    tiny = half_width(1e-200 * spread, weights, 10_000, 1e-200)  # squares would be 0
    assert tiny == pytest.approx(1e-200 * half_width(spread, weights, 10_000, 1.0))


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 10, 23, 100, 10_000])
def test_quantiles_are_students(degrees):
    exact = stats.t.ppf(0.975, degrees)
    assert student_quantile(degrees) == pytest.approx(exact, rel=2e-3)


def test_nearly_all_groups_become_all():
    assert [*looks(32, 5000)] == [(32, 5000)]
    assert [*looks(40, 900)] == [(40, 900)]
    assert [*looks(41, 5000)] == [(32, 2048), (32, 4096), (32, 5000), (41, 5000)]
    for n_groups in range(41, 2000, 7):
        *some, last = looks(n_groups, 1000)
        assert last == (n_groups, 1000)
        assert all(groups <= 0.8 * n_groups for groups, _ in some)


@pytest.mark.parametrize("n_groups", [2, 32, 41, 300])
def test_tasks_take_every_object_of_every_group_once(n_groups):
    n = 5000
    taken = np.zeros((n_groups, n), int)
    for tasks in tasks_of_looks(n_groups, n):
        for group, start, stop in tasks:
            taken[group, start:stop] += 1
    assert (taken == 1).all()


def test_a_larger_tolerance_takes_fewer_pairs():
    rng = np.random.default_rng(4)
    P = rng.dirichlet([1, 1, 1], 30_000)
    Q = 0.5 * P + 0.5 * rng.dirichlet([1, 1, 1], len(P))
    pairs = [
        cc.concordance(P, Q, tol=tol, random_state=0, method="sampled").n_pairs
        for tol in (1e-2, 1e-3, 2e-4)
    ]
    assert pairs[0] < 0.02 * len(P) ** 2 / 2  # it was a tenth of all
    assert pairs[0] < pairs[1] < pairs[2]


def fuzzy_pair(n, seed=0):
    rng = np.random.default_rng(seed)
    U = rng.dirichlet([1, 1, 1], n)
    return U, 0.5 * (U + rng.dirichlet([1, 1, 1], n))


def test_a_tolerance_takes_all_pairs_of_up_to_20_000_objects():
    P, Q = fuzzy_pair(1449)
    for n in (2, 3, 450, 1449):
        pair = P[:n], Q[:n]
        exact = cc.concordance(*pair)
        assert cc.concordance(*pair, tol=1e-4, random_state=0) == exact
        comparison = cc.compare(*pair, tol=1e-4, random_state=0, families=["campello"])
        assert comparison.concordance == exact
        assert all(table.n_sampled is None for table in comparison.tables.values())


def test_a_tolerance_takes_the_sample_that_is_asked_for_by_name_beyond_that():
    P, Q = fuzzy_pair(20_001)
    how = {"tol": 0.02, "random_state": 3}
    found = cc.concordance(P, Q, **how)
    assert found.method == "sampled"
    assert found == cc.concordance(P, Q, method="sampled", **how)
    comparison = cc.compare(P, Q, families=["huellermeier"], t_norm="min", **how)
    assert comparison.concordance == found
    assert all(table.n_sampled for table in comparison.tables.values())


@pytest.mark.parametrize("n", [2, 3, 64, 65, 97, 350])
def test_the_pairs_of_the_groups_are_all_pairs(n):
    groups = Groups(n, np.random.default_rng(n))
    cuts = [0, n // 3, n // 2, n]
    parts = [
        band
        for g, cut in product(range(len(groups)), pairwise(cuts))
        for band in groups.bands(g, *cut)
    ]
    seen = set()
    for i0, i1, first, width in parts:
        for i in range(i0, i1):
            for s in range(first, first + width):
                pair = frozenset((i, (i + s) % n))
                assert len(pair) == 2
                assert pair not in seen
                seen.add(pair)
    assert len(seen) == groups.n_all == groups.n_pairs(len(groups))


def test_tiny_distances_do_not_divide_by_zero():
    rng = np.random.default_rng(0)
    x, y = 1e-165 * rng.uniform(size=(2, 400))
    P, Q = np.column_stack([x, 1 - x]), np.column_stack([y, 1 - y])
    found = cc.concordance(P, Q, method="sampled", random_state=0)
    assert math.isfinite(found.aci)


U, V = np.random.default_rng(0).dirichlet([1, 1, 1], size=(2, 30))
LABELS = np.random.default_rng(1).integers(3, size=(2, 30))


@pytest.mark.parametrize("pair", [(U, V), tuple(LABELS)], ids=["fuzzy", "crisp"])
def test_one_permutation_tells_nothing_of_the_error(pair):
    found = cc.concordance(*pair, method="permutations", n_permutations=1)
    assert found.expected_error == math.inf
    assert found.error == math.inf
    assert found.ndc_error < 1e-14


@pytest.mark.parametrize("pair", [(U, V), tuple(LABELS)], ids=["fuzzy", "crisp"])
@pytest.mark.parametrize("h", [2, 3, 5])
def test_few_permutations_cover_the_truth_as_often_as_they_say(pair, h):
    exact = cc.concordance(*pair)
    rng = np.random.default_rng(h)
    inside = [
        abs(found.expected - exact.expected) <= found.expected_error
        for found in (
            cc.concordance(
                *pair, method="permutations", n_permutations=h, random_state=rng
            )
            for _ in range(300)
        )
    ]
    assert np.mean(inside) >= 0.92


@pytest.mark.parametrize("noise", [0.0, 1e-16, 1e-9])
def test_permutations_that_happen_to_be_equal_leave_an_error(noise):
    rng = np.random.default_rng(0)
    P = np.eye(9)[[0, 0, *range(1, 9)]] + noise * rng.random((10, 9))
    exact = cc.concordance(P, P)
    for seed in range(20):
        found = cc.concordance(
            P, P, method="permutations", n_permutations=4, random_state=seed
        )
        miss = abs(found.expected - exact.expected)
        assert 0.0 < miss <= found.expected_error


def test_permutations_of_a_constant_partition_are_certain():
    found = cc.concordance(
        np.zeros(30, int), LABELS[0], method="permutations", n_permutations=1
    )
    assert found.aci == 0.0
    assert found.is_exact


@pytest.mark.parametrize("noise", [0.0, 1e-6])
def test_a_small_cluster_among_the_partners_is_not_overlooked(noise):
    n = 1500
    p = np.zeros(n, np.int64)
    p[:4] = 1
    q = p.copy()
    q[:2] = 2
    rng = np.random.default_rng(0)
    P, Q = ((1 - 1e-3) * np.eye(3)[labels] + 1e-3 / 3 for labels in (p, q))
    P += noise * rng.dirichlet([1, 1, 1], n) - noise / 3
    exact = cc.object_discordance(P, Q).values
    for seed in range(5):
        found = cc.object_discordance(P, Q, n_partners=100, random_state=seed)
        misses = np.abs(found.values - exact)
        assert (misses <= 4 * found.standard_errors + 1e-14).all()


def test_partners_that_nobody_saw_are_in_the_standard_errors():
    n = 2500
    p = np.zeros(n, np.int64)
    p[:200] = 1 + np.arange(200) % 40
    q = p.copy()
    q[:200] = np.random.default_rng(0).permutation(q[:200])
    P, Q = ((1 - 1e-3) * np.eye(41)[labels] + 1e-3 / 41 for labels in (p, q))
    exact = cc.object_discordance(P, Q).values[:200]
    inside = []
    for seed in range(4):
        found = cc.object_discordance(P, Q, n_partners=200, random_state=seed)
        misses = np.abs(found.values[:200] - exact)
        inside.append(misses <= 1.96 * found.standard_errors[:200])
    assert np.mean(inside) >= 0.93


def test_the_error_of_few_permutations_is_not_0_for_being_small():
    rng = np.random.default_rng(2)
    apart = 2.0**-600 * rng.random((12, 1))  # whose squares are 0
    P, Q = (np.hstack((X, 1.0 - X)) for X in (apart, rng.permutation(apart)))
    found = cc.concordance(P, Q, null="sampled-permutations", n_permutations=20)
    assert found.expected_discordance_error > 1e-2 * found.expected_discordance
