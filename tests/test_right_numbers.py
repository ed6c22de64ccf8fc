"""Memberships that once gave a wrong number, or a crash: held against exact truth."""

import math
from fractions import Fraction

import numpy as np
import pytest
from bins import in_bins
from oracle import assert_within_errors, truth

import concordant as cc


def assert_right(P, Q, compute=cc.concordance, **options):
    """Compare d, E[d] and ACI with the exact ones, and return what was found."""
    found = compute(P, Q, **options)
    assert_within_errors(found, truth(P, Q), slack=1e-300)
    assert 0.0 <= found.ndc <= 1.0
    assert found.aci <= 1.0
    return found


def assert_right_in_a_stream(P, Q):
    found = cc.stream([(P, Q)]).concordance
    assert abs(Fraction(found.aci) - truth(P, Q).aci) <= found.error


def votes(rng, n, K, k):
    shares = rng.dirichlet(np.full(K, 0.3), size=n)
    return np.array([rng.multinomial(k, share) for share in shares]) / k


def one_hot(rng, n, K):
    return np.eye(K)[rng.integers(K, size=n)]


def test_votes_of_neighbours_are_counted_to_the_last_pair():
    rng = np.random.default_rng(0)
    P, Q = votes(rng, 460, 7, 5), votes(rng, 460, 7, 7)
    clean = rng.dirichlet(np.ones(4), 1600), rng.dirichlet(np.ones(3), 1600)
    before = cc.concordance(*clean)
    assert assert_right(P, Q).method == "lattice"
    assert_right(P, Q, compute=in_bins)
    assert cc.concordance(*clean) == before


@pytest.mark.parametrize("noise", [1e-9, 1e-16])
def test_one_hot_rows_with_noise_are_counted_to_the_last_pair(noise):
    rng = np.random.default_rng(1)
    P, Q = (one_hot(rng, 460, 8) + noise * rng.random((460, 8)) for _ in range(2))
    P, Q = P / P.sum(axis=1, keepdims=True), Q / Q.sum(axis=1, keepdims=True)
    assert assert_right(P, Q).error < 1e-8


@pytest.mark.parametrize("K", [8, 11])
def test_slightly_negative_memberships_stay_inside_the_grid(K):
    rng = np.random.default_rng(2)
    n = 460
    sides = []
    for _ in range(2):
        U = one_hot(rng, n, K)
        i, j = np.arange(n), rng.integers(K, size=n)
        U[i, j] -= 1e-6
        U[i, (j + 1) % K] += 1e-6
        sides.append(U.clip(-9e-6, 1))
    clean = rng.dirichlet(np.ones(4), 1600), rng.dirichlet(np.ones(3), 1600)
    before = cc.concordance(*clean)
    assert_right(*sides)
    assert cc.concordance(*clean) == before


@pytest.mark.parametrize("spread", [1e-8, 1e-12, 1e-14])
@pytest.mark.parametrize("n", [60, 460])
def test_two_clusters_close_to_each_other_keep_their_digits(spread, n):
    rng = np.random.default_rng(3)
    p, q = 0.3 + spread * rng.random(n), 0.4 + spread * rng.random(n)
    P, Q = np.column_stack((p, 1 - p)), np.column_stack((q, 1 - q))
    assert assert_right(P, Q).error < 1e-6
    assert_right(P, Q, method="two-clusters")
    assert_right_in_a_stream(P, Q)


@pytest.mark.parametrize("n", [30, 460])
def test_rows_that_sum_to_more_than_1_are_used_as_they_are(n):
    rng = np.random.default_rng(4)
    y = rng.integers(3, size=n)
    P = np.eye(3)[y] * (1 + 9e-6)
    found = assert_right(P, y)
    assert found.aci < 1.0
    assert_right(P, y, method="fuzzy-crisp")
    assert_right(P, np.arange(n) if n < 100 else y % 2)
    assert_right_in_a_stream(P, y)
    values = cc.object_discordance(P, y).values
    assert math.fsum(values) / n == pytest.approx(found.discordance, rel=1e-9)


@pytest.mark.parametrize("n", [60, 460])
def test_a_softmax_in_single_precision_is_used_as_it_is(n):
    rng = np.random.default_rng(5)
    powers = np.exp(8 * rng.normal(size=(n, 5))).astype(np.float32)
    P = powers / powers.sum(axis=1, keepdims=True)
    assert_right(P, rng.integers(3, size=n))
    assert_right(P, rng.integers(3, size=n), method="fuzzy-crisp")


def test_a_discordance_beyond_1_is_told_and_ndc_is_0():
    P = np.eye(2) * (1 + 9e-6)
    found = assert_right(P, [0, 0])
    assert found.discordance > 1.0
    assert found.ndc == 0.0


@pytest.mark.parametrize("K", [2, 3, 4, 7])
def test_two_objects_agree_with_themselves_whatever_the_order_of_clusters(K):
    rng = np.random.default_rng(6)
    for _ in range(100):
        P = rng.dirichlet(np.ones(K), size=2)
        assert cc.adjusted_concordance_index(P, P[:, rng.permutation(K)]) == 1.0


@pytest.mark.parametrize("n", [7, 40, 460])
@pytest.mark.parametrize("K", [2, 3])
def test_a_partition_that_says_the_same_of_all_pairs_gives_exactly_0(n, K):
    rng = np.random.default_rng(7)
    P = rng.dirichlet(np.ones(K), size=n)
    constants = [np.full((n, K), 1 / K), np.zeros(n, dtype=int), np.arange(n)]
    for constant in constants:
        assert cc.adjusted_concordance_index(P, constant) == 0.0
        assert cc.adjusted_concordance_index(constant, P) == 0.0


@pytest.mark.parametrize("K", [2, 3])
def test_two_partitions_that_say_the_same_of_all_pairs_agree(K):
    everywhere = np.full((9, K), 1 / K)
    for other in (np.zeros(9, dtype=int), everywhere[:, :1].repeat(3, axis=1) * K / 3):
        found = cc.concordance(everywhere, other)
        assert (found.aci, found.error) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("scale", "n"),
    [
        *((scale, 30) for scale in (1e-78, 1e-85, 1e-165, 1e-310, 5e-324)),
        *((scale, 460) for scale in (1e-85, 1e-310)),
    ],
)
def test_memberships_near_the_smallest_doubles_have_the_right_numbers(scale, n):
    rng = np.random.default_rng(8)
    sides = []
    for K in (2, 3):
        tiny = scale * rng.integers(1, 1000, size=(n, K))
        sides.append(np.column_stack((np.ones(n), tiny)))
    error = assert_right(*sides).error
    assert error < 1e-6 or (scale < 1e-300 and n > 450) or scale < 1e-320
    assert_right(*sides, compute=in_bins)
    sampled = cc.concordance(*sides, method="sampled", tol=0.1, random_state=0)
    assert abs(sampled.aci - float(truth(*sides).aci)) < 0.5
    assert_right(sides[0][:, :2], sides[1][:, :2])


def test_one_side_may_be_near_the_smallest_doubles_and_the_other_not():
    rng = np.random.default_rng(12)
    P = np.column_stack((np.ones(30), 1e-20 * rng.random((30, 3))))
    Q = np.column_stack((np.ones(30), 1e-309 * rng.random(30)))
    assert_right(P, Q)
    assert_right(P, Q, compute=in_bins)


def test_differences_far_below_the_others_are_not_lost():
    rng = np.random.default_rng(9)
    P = rng.dirichlet(np.ones(3), size=460)
    tiny = np.zeros((460, 1))
    tiny[:2, 0] = 1e-100, 3e-100
    Q = np.column_stack((P, tiny))
    found = in_bins(P, Q)
    assert found.discordance == pytest.approx(float(truth(P, Q).discordance), rel=1e-9)


@pytest.mark.parametrize("n", [50, 460])
def test_an_expectation_that_is_lost_in_its_error_gives_no_certain_1(n):
    rng = np.random.default_rng(10)
    P, Q = (np.repeat(0.5 + 4e-6 * rng.random((n, 1)), 2, axis=1) for _ in range(2))
    found = assert_right(P, Q)
    assert abs(found.aci) < 0.5
    assert_right(P, Q, method="two-clusters")
    assert_right_in_a_stream(P, Q)


@pytest.mark.parametrize("noise", [1e-3, 1e-12, 1e-15])
@pytest.mark.parametrize("n", [3, 5, 30])
def test_rows_that_are_nearly_equally_far_apart_state_their_rounding(noise, n):
    rng = np.random.default_rng(11)
    sides = []
    for _ in range(2):
        U = np.eye(n) + noise * rng.random((n, n))
        sides.append(U / U.sum(axis=1, keepdims=True))
    assert_right(*sides)
    assert_right(*sides, compute=in_bins)
    assert_right(sides[0], np.arange(n))
    assert_right(sides[0], np.arange(n), method="fuzzy-crisp")


def test_an_error_is_never_larger_than_what_is_known_beforehand():
    P = np.column_stack((np.full(9, 0.5), np.full(9, 0.5)))
    Q = P.copy()
    Q[0, 1] += 1e-7
    streamed = cc.stream([(P, Q)]).concordance
    assert streamed.aci - streamed.error >= -2.0
    assert streamed.aci + streamed.error >= 0.0
    assert streamed.error <= 3.0


def test_objects_that_differ_by_an_ulp_are_not_all_alike():
    p = 0.5 + np.arange(25) * 2.0**-52
    P, Q = np.column_stack((p, p)), np.full((25, 2), 0.5)
    for method in ("auto", "sorted", "binned"):
        assert cc.concordance(P, Q, method=method).aci == 0.0
    assert_right(P, Q, method="two-clusters")
    assert cc.concordance(Q, Q).aci == 1.0
