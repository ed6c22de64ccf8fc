"""Tests of agreement: p-values, null distributions and their moments."""

import itertools
import json
import math
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import coverage_of_tests as designs
import numpy as np
import pytest
from partitions import STYLES, memberships
from threadpoolctl import threadpool_info, threadpool_limits

import concordant as cc
from concordant.execution.run import Run
from concordant.execution.single_thread import _controller
from concordant.inference import (
    ConcordanceTest,
    concordance_test,
    moments,
    null_moments,
    permutation_test,
    permuted_objects,
    profiles,
)
from concordant.inference.permuted_objects import Exchange
from concordant.kernels.permuted import random_order

SAMPLED: dict[str, object] = {"method": "sampled"}
KINDS = ("two fuzzy", "fuzzy and crisp", "two crisp", "rounded", "votes")


def draw(seed, n, kind):
    """Draw two partitions that have nothing to do with each other."""
    rng = np.random.default_rng(seed)
    P, Q = rng.dirichlet([1, 1, 1], n), rng.dirichlet([2, 1, 1, 1], n)
    if kind == "fuzzy and crisp":
        return P, rng.integers(3, size=n)
    if kind == "two crisp":
        return rng.integers(2, size=n), rng.integers(3, size=n)
    if kind == "rounded":  # whose rows do not sum to 1
        return np.round(P, 2), np.round(Q, 2)
    if kind == "votes":
        return (rng.multinomial(10, u) / 10 for u in (P, Q))
    return P, Q


def dissimilarities(U):
    U = np.asarray(U, dtype=float)
    if U.ndim == 1:
        U = np.eye(int(U.max()) + 1)[U.astype(int)]
    return 0.5 * np.abs(U[:, None] - U[None]).sum(axis=-1)


def discordances(P, Q, orders):
    a, b = dissimilarities(P), dissimilarities(Q)
    i, j = np.triu_indices(len(a), 1)
    return np.array([np.abs(a[i, j] - b[o[i], o[j]]).mean() for o in orders])


def all_orders(n):
    return map(np.array, itertools.permutations(range(n)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [3, 4, 5, 6, 7])
def test_moments_are_those_over_all_permutations(kind, n):
    P, Q = draw(n, n, kind)
    d = discordances(P, Q, all_orders(n))
    found = null_moments(P, Q)
    assert found.discordance_mean == pytest.approx(d.mean(), rel=1e-12)
    assert found.discordance_sd == pytest.approx(d.std(), rel=1e-12, abs=1e-15)
    assert found.discordance_sd_error <= 1e-11 + 1e-14 * d.std()


@pytest.mark.parametrize("kind", KINDS)
def test_the_test_of_few_objects_is_exact(kind):
    P, Q = draw(9, 6, kind)
    d = discordances(P, Q, all_orders(6))
    result = concordance_test(P, Q)
    assert result.is_exact
    assert result.n_permutations == 720
    assert result.pvalue == np.count_nonzero(d <= d[0] + 1e-12) / 720
    assert result.null_distribution == pytest.approx(1 - d / d.mean(), abs=1e-12)
    assert result.null_sd == pytest.approx(d.std() / d.mean(), rel=1e-12)
    assert result.statistic == cc.adjusted_concordance_index(P, Q)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sampled", [False, True])
def test_random_permutations_draw_what_the_definition_says(kind, sampled, monkeypatch):
    n = 24
    P, Q = draw(5, n, kind)
    p, q = cc.Partition(P), cc.Partition(Q)
    options = {"n_permutations": 40, "random_state": 3}
    if sampled and kind == "two crisp":
        return  # which never needs a sample
    if sampled:
        options |= SAMPLED
        monkeypatch.setattr(permutation_test, "_SAMPLED", 60)
    result = concordance_test(p, q, **options)
    assert result.uses_all_pairs is not sampled
    # The mean over many permutations of d is E[d] only if d is drawn rightly.
    more = {"n_permutations": 20_000, "stop_after": None}
    many = concordance_test(p, q, **options | more)
    orders = (np.random.default_rng(i).permutation(n) for i in range(1500))
    if not sampled:
        truth = 1 - discordances(P, Q, orders) / null_moments(P, Q).discordance_mean
        for quantile in (0.1, 0.5, 0.9):
            expected = np.quantile(truth, quantile)
            share = (many.null_distribution <= expected + 1e-12).mean()
            below = (many.null_distribution < expected - 1e-12).mean()
            assert below - 0.035 <= quantile <= share + 0.035


@pytest.mark.parametrize("kind", KINDS)
def test_closed_form_and_permutations_have_the_same_moments(kind):
    P, Q = draw(1, 200, kind)
    result = concordance_test(
        P, Q, n_permutations=20_000, random_state=0, stop_after=None
    )
    null = result.null_distribution
    assert result.null_moments == "closed form"
    assert abs(null.mean()) <= 5 * result.null_sd / math.sqrt(null.size)
    kurtosis = ((null - null.mean()) ** 4).mean() / null.var() ** 2
    error = result.null_sd * math.sqrt((kurtosis - 1) / (4 * null.size))
    assert abs(null.std() - result.null_sd) <= 4.5 * error + result.null_sd_error


@pytest.mark.parametrize("one", STYLES)
@pytest.mark.parametrize("other", STYLES)
def test_the_stated_error_of_the_standard_deviation_holds(one, other, monkeypatch):
    rng = np.random.default_rng([STYLES.index(one), STYLES.index(other)])
    P, Q = memberships(rng, 16, 3, one), memberships(rng, 16, 4, other)
    if "crisp" in (one, other):
        return
    monkeypatch.setattr(moments, "_MOST_EXACT", 5000)
    exact = null_moments(P, Q)
    monkeypatch.setattr(moments, "_FEW", 0)
    monkeypatch.setattr(moments, "_MOST_EXACT", 1024)
    for few_objects in (0, 450):  # by kernels, and by NumPy
        monkeypatch.setattr(profiles, "FEW_OBJECTS", few_objects)
        for n_cells in (8, 64, 256):
            monkeypatch.setattr(moments, "_CELLS", n_cells)
            found = null_moments(P, Q)
            difference = abs(found.discordance_sd - exact.discordance_sd)
            assert difference <= found.discordance_sd_error + exact.discordance_sd_error


def test_the_stated_error_holds_where_nearly_everything_cancels():
    # sd is 2e-4 of numbers near 1, and 4e-12 of it are lost.
    u = np.array([2.0097594893510442e-04, 0.99927374230992116])
    u = np.append(u, [8.9785921331896089e-04, 0.99911233417948087])
    P, q = np.column_stack((u, 1.0 - u)), [0, 1, 0, 0]
    a, b = (dissimilarities(U).astype(np.longdouble) for U in (P, q))
    i, j = np.triu_indices(4, 1)
    d = np.array([np.abs(a[i, j] - b[o[i], o[j]]).mean() for o in all_orders(4)])
    sd = np.sqrt(((d - d.mean()) ** 2).mean())
    found = null_moments(P, q)
    assert abs(found.discordance_sd - sd) <= found.discordance_sd_error <= 1e-6 * sd


def test_memberships_that_differ_by_rounding_alone_have_a_standard_deviation(
    monkeypatch,
):
    # As a clustering gives them whose centres coincide: multiples of 1/3, nearly.
    rng = np.random.default_rng(0)
    P, Q = (1 / 3 + 1e-16 * rng.standard_normal((30, 3)) for _ in range(2))
    exact = null_moments(P, Q)
    monkeypatch.setattr(moments, "_FEW", 0)
    found = null_moments(P, Q)
    assert exact.aci_sd > 0.01
    assert abs(found.aci_sd - exact.aci_sd) <= found.aci_sd_error + exact.aci_sd_error


def test_cells_on_a_lattice_are_exact(monkeypatch):
    P, Q = (cc.Partition(U) for U in draw(2, 60, "votes"))
    exact = null_moments(P, Q)
    monkeypatch.setattr(moments, "_FEW", 0)
    for few_objects in (0, 450):
        monkeypatch.setattr(profiles, "FEW_OBJECTS", few_objects)
        found = null_moments(P, Q)
        assert found.discordance_sd == pytest.approx(exact.discordance_sd, rel=1e-12)
        assert found.discordance_sd_error <= 1e-11


def test_the_error_of_fuzzy_partitions_is_small():
    P, Q = draw(3, 600, "two fuzzy")
    found = null_moments(P, Q)
    assert 0.0 < found.discordance_sd_error <= 2e-3 * found.discordance_sd


def test_the_standard_deviation_takes_no_more_threads_than_it_is_given(monkeypatch):
    P, Q = draw(3, 600, "two fuzzy")
    seen, sums_of_rows = [], moments._sums_of_rows
    # NumPy's, which multiplies; SciPy may have loaded another one since.
    limited = {library.filepath for library in _controller().lib_controllers}

    def looking(*arguments):
        pools = [p for p in threadpool_info() if p["filepath"] in limited]
        seen.append({p["num_threads"] for p in pools if p["user_api"] == "blas"})
        return sums_of_rows(*arguments)

    monkeypatch.setattr(moments, "_sums_of_rows", looking)
    with threadpool_limits(2, user_api="blas"):
        one = null_moments(P, Q, n_jobs=1)
        assert null_moments(P, Q, n_jobs=2) == one
    assert seen
    assert all(threads == {1} for threads in seen)


def test_the_variance_of_two_crisp_partitions_is_that_of_fractions():
    p, q = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 2])
    joined_p, joined_q = p[:, None] == p, q[:, None] == q
    i, j = np.triu_indices(5, 1)
    d = [
        Fraction(int((joined_p[i, j] != joined_q[o[i], o[j]]).sum()), 10)
        for o in all_orders(5)
    ]
    mean = sum(d) / len(d)
    variance = sum((x - mean) ** 2 for x in d) / len(d)
    found = null_moments(p, q)
    off = abs(found.discordance_sd - math.sqrt(variance))
    assert off <= found.discordance_sd_error <= 1e-12


def test_ten_million_labels_take_no_permuted_objects():
    sizes = np.array([2_000_000, 3_000_000, 5_000_000])
    P = np.repeat(np.arange(3, dtype=np.uint8), sizes)
    Q = np.tile(np.arange(4, dtype=np.uint8), 2_500_000)
    result = concordance_test(P, Q, n_permutations=99, random_state=0)
    assert result.method == "contingency tables"
    assert result.null_sd > 0.0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [{}, SAMPLED, {"stop_after": 5}])
def test_threads_change_nothing(kind, options, monkeypatch):
    monkeypatch.setattr(permutation_test, "_SAMPLED", 100)
    P, Q = draw(7, 40, kind)
    results = [
        concordance_test(
            P, Q, n_permutations=300, random_state=11, n_jobs=n_jobs, **options
        )
        for n_jobs in (1, 3)
    ]
    assert results[0].pvalue == results[1].pvalue
    assert (results[0].null_distribution == results[1].null_distribution).all()


def test_the_generator_of_the_caller_does_not_notice_threads():
    P, Q = draw(7, 40, "two fuzzy")
    after = []
    for n_jobs in (1, 3):
        rng = np.random.default_rng(0)
        concordance_test(P, Q, stop_after=2, random_state=rng, n_jobs=n_jobs)
        after.append(rng.random())
    assert after[0] == after[1]


def test_equal_statistics_are_ties_whatever_their_rounding():
    # Two kinds of objects: most permutations give one of few values of d.
    rows = np.array([[0.1, 0.2, 0.7], [0.3, 0.4, 0.3]])
    which = np.arange(20) % 2
    P, Q = rows[which], np.flip(rows[which], axis=1)
    result = concordance_test(P, Q, n_permutations=500, random_state=0)
    a, b = dissimilarities(P), dissimilarities(Q)
    assert np.unique(np.round(a, 12)).size == np.unique(np.round(b, 12)).size == 2
    values = np.unique(np.round(result.null_distribution, 9))
    assert values.size <= 11
    crisp = concordance_test(which, which, n_permutations=500, random_state=0)
    least = concordance_test(
        P, Q, n_permutations=500, random_state=0, alternative="less"
    )
    assert crisp.statistic == 1.0
    assert result.statistic == pytest.approx(1.0, abs=1e-12)
    assert least.pvalue == 1.0
    assert (result.null_distribution <= result.statistic).all()


def test_the_pvalue_of_crisp_partitions_is_that_of_scipy():
    from scipy.stats import permutation_test
    from sklearn.metrics import adjusted_rand_score

    rng = np.random.default_rng(0)
    p = rng.integers(3, size=80)
    q = np.where(rng.random(80) < 0.25, p, rng.integers(3, size=80))
    theirs = permutation_test(
        (q,),
        lambda labels: adjusted_rand_score(p, labels),
        permutation_type="pairings",
        n_resamples=600,
        alternative="greater",
        rng=np.random.default_rng(0),
    )
    ours = concordance_test(
        p, q, n_permutations=20_000, random_state=0, stop_after=None
    )
    error = math.sqrt(ours.pvalue / 600)
    assert ours.statistic == pytest.approx(theirs.statistic, abs=1e-12)
    assert abs(ours.pvalue - theirs.pvalue) <= 4 * error
    assert 0.001 < ours.pvalue < 0.2


@pytest.mark.parametrize("kind", ["two fuzzy", "fuzzy and crisp", "two crisp"])
@pytest.mark.parametrize(
    "options", [{}, SAMPLED, {"stop_after": 5}], ids=["all", "sample", "stop"]
)
def test_pvalues_of_unrelated_partitions_are_uniform(kind, options, monkeypatch):
    from scipy.stats import kstest

    monkeypatch.setattr(permutation_test, "_SAMPLED", 60)
    # P-values do not need them.
    monkeypatch.setattr(permutation_test._Test, "_has_moments", lambda test: False)
    found = []
    for seed in range(150):
        P, Q = draw(seed, 30, kind)
        result = concordance_test(
            P, Q, n_permutations=199, random_state=seed, **options
        )
        found.append(result.pvalue)
    # Ties can only make p-values larger: at no level are there too many.
    assert kstest(found, "uniform", alternative="greater").pvalue > 0.001


def test_all_ways_to_say_it_count_the_same_permutations():
    rng = np.random.default_rng(0)
    p = rng.integers(3, size=9)
    q = np.where(rng.random(9) < 0.5, p, rng.integers(3, size=9))
    exact = concordance_test(p, q, method="exact").pvalue
    U, V = np.eye(3)[p], np.eye(3)[q]
    blurred = 0.9 * V + 0.1 / 3
    assert concordance_test(U, V, method="exact").pvalue == exact
    for P, Q in ((p, q), (p, blurred), (0.9 * U + 0.1 / 3, blurred)):
        result = concordance_test(
            P,
            Q,
            n_permutations=5000,
            random_state=1,
            method="permutations",
            stop_after=None,
        )
        assert result.pvalue == pytest.approx(exact, abs=0.03)


def test_ndc_and_aci_have_the_same_pvalue_and_zscore():
    P, Q = draw(8, 50, "two fuzzy")
    aci, ndc = (
        concordance_test(P, Q, index=index, n_permutations=199, random_state=0)
        for index in ("aci", "ndc")
    )
    assert aci.pvalue == ndc.pvalue
    assert aci.zscore == pytest.approx(ndc.zscore, rel=1e-9)
    assert ndc.null_mean == pytest.approx(1 - aci.null_mean_discordance)
    assert ndc.null_sd == aci.null_sd_discordance


def test_any_function_of_two_partitions_can_be_tested():
    P, Q = draw(8, 6, "two fuzzy")
    by_name = concordance_test(P, Q)
    by_call = concordance_test(P, Q, index=cc.adjusted_concordance_index)
    assert by_call.is_exact
    assert by_call.pvalue == by_name.pvalue
    assert by_call.null_sd == pytest.approx(by_name.null_sd, rel=1e-9)
    assert by_call.index == "adjusted_concordance_index"
    rand = concordance_test(
        P,
        Q,
        index=lambda P, Q: cc.rand_index(P, Q, family="frigui"),
        n_permutations=20,
        random_state=0,
    )
    assert rand.method == "permuted objects"
    assert rand.n_permutations == 20


def test_ids_do_not_take_part_in_permutations():
    P, Q = draw(5, 12, "two crisp")
    plain = concordance_test(P, Q, index="rand", n_permutations=49, random_state=0)
    ids = [f"id {i}" for i in range(12)]
    P, Q = cc.Partition(P, ids=ids), cc.Partition(Q, ids=ids)
    for index in ("rand", lambda P, Q: cc.rand_index(P, Q, match_by="id")):
        found = concordance_test(P, Q, index=index, n_permutations=49, random_state=0)
        assert found.pvalue == plain.pvalue
        assert (found.null_distribution == plain.null_distribution).all()


def test_one_side_and_the_other_cover_all_permutations():
    P, Q = draw(3, 7, "fuzzy and crisp")
    sides = {
        side: concordance_test(P, Q, alternative=side).pvalue
        for side in ("greater", "less", "two-sided")
    }
    assert sides["greater"] + sides["less"] >= 1.0
    smaller = min(sides["greater"], sides["less"])
    assert sides["two-sided"] == min(1.0, 2 * smaller)


def test_sequential_stopping_draws_fewer_permutations():
    P, Q = draw(10, 60, "two fuzzy")
    result = concordance_test(P, Q, stop_after=10, random_state=0)
    assert result.n_permutations == result.null_distribution.size < 9999
    assert result.pvalue == 10 / result.n_permutations


def test_the_normal_approximation_says_that_it_is_one():
    P, Q = draw(10, 60, "two fuzzy")
    result = concordance_test(P, Q, method="normal")
    assert result.null_distribution.size == result.n_permutations == 0
    assert result.pvalue == pytest.approx(0.5 * math.erfc(result.zscore / math.sqrt(2)))
    assert "approximation" in str(result)


@pytest.mark.parametrize(
    ("P", "Q", "statistic"),
    [
        ([0] * 12, [0, 1] * 6, 0.0),
        ([0] * 12, [0] * 12, 1.0),
        ([*range(12)], [0, 1] * 6, 0.0),
        (np.full((12, 2), 0.5), [0, 1] * 6, 0.0),
        (np.full((12, 2), 0.5), np.full((12, 3), 1 / 3), 1.0),
        ([0], [0], 1.0),
        ([0, 1], [0, 0], 0.0),
    ],
)
def test_where_nothing_can_differ_the_pvalue_is_one(P, Q, statistic):
    for options in ({}, {"method": "normal"}, {"alternative": "two-sided"}):
        result = concordance_test(P, Q, n_permutations=50, random_state=0, **options)
        assert result.statistic == statistic
        assert result.pvalue == 1.0
        assert result.null_sd == 0.0
        assert math.isnan(result.zscore)
        assert (result.null_distribution == statistic).all()


def test_objects_are_matched_by_their_ids():
    rng = np.random.default_rng(0)
    U = rng.dirichlet([1, 1], 30)
    order = rng.permutation(30)
    P = cc.Partition(U, ids=np.arange(30))
    Q = cc.Partition(U[order], ids=order)
    assert concordance_test(P, Q, match_by="id", n_permutations=9).statistic == 1.0


def test_inputs_are_left_as_they_are():
    P, Q = (np.array(U) for U in draw(0, 30, "two fuzzy"))
    before = P.copy(), Q.copy()
    concordance_test(P, Q, n_permutations=9)
    assert (before[0] == P).all()
    assert (before[1] == Q).all()


def test_a_large_sample_is_told(monkeypatch):
    P, Q = draw(0, 300, "two fuzzy")
    options = SAMPLED | {"n_permutations": 99, "random_state": 0}
    monkeypatch.setattr(permutation_test, "_SAMPLED", 1000)
    monkeypatch.setattr(permutation_test, "takes_long", lambda P, Q: True)
    result = concordance_test(P, Q, **options)
    assert result.n_pairs == 900
    assert result.statistic == result.sampled_statistic
    assert result.null_moments == "permutations"
    assert "statistic: a fixed random sample of 900 pairs of 300 objects" in str(result)
    drawn = permuted_objects.Permutations(
        cc.Partition(P),
        cc.Partition(Q),
        Run(),
        Exchange.of(len(P), None, None),
        n_permutations=10**9,
        rng=np.random.default_rng(0),
    )
    assert drawn.plan(None).method == "sampled pairs"


@pytest.mark.parametrize("similarity", ["l1", "inner"])
@pytest.mark.parametrize("width", [1.0, 1e-9])
def test_draws_far_from_what_was_observed_are_within_what_they_may_be_off(
    width, similarity, monkeypatch
):
    rng = np.random.default_rng(6)
    P = rng.dirichlet([0.5] * 3, 140)
    Q = rng.dirichlet([0.5] * 2, 140)
    Q[:, 0] = 0.9 * Q[:, 0] + 0.1 * P[:, 0]
    P, Q = (width * (U - 1 / len(U.T)) + 1 / len(U.T) for U in (P, Q))
    Q[:, 1] = 1.0 - Q[:, 0]
    plans, whole = [], permutation_test._Test.of_discordance

    def seen(self, plan):
        plans.append(plan)
        return whole(self, plan)

    monkeypatch.setattr(permutation_test._Test, "of_discordance", seen)
    asked = {"n_permutations": 400, "similarity": similarity, "stop_after": None}
    asked |= {"index": "ndc", "random_state": 0}
    found = concordance_test(P, Q, **asked)
    monkeypatch.setattr(permuted_objects, "_off_in_single", lambda x, q: math.inf)
    exact = concordance_test(P, Q, **asked)
    off = np.abs(found.null_distribution - exact.null_distribution)
    assert off.max() <= plans[0].near * plans[0].unit + 1e-15
    assert (width < 1.0) == (off.max() == 0.0)
    assert found.pvalue == exact.pvalue
    np.testing.assert_equal(found.zscore, exact.zscore)


@pytest.mark.parametrize("width", [1.0, 1e-8, 1e-12])
@pytest.mark.parametrize("n", [7, 60, 300])
def test_memberships_that_are_close_together_have_the_same_pvalue(n, width):
    rng = np.random.default_rng(4)
    w = rng.integers(0, 1 << 20, n) / (1 << 20)
    labels = (w > np.median(w)).astype(int)
    labels[: n // 10] = 1 - labels[: n // 10]
    found = []
    # By a power of 2, differences scale exactly.
    for factor in (1.0, 2.0 ** round(math.log2(width))):
        u = 0.5 + factor * (w - 0.5)
        result = concordance_test(
            np.column_stack((u, 1.0 - u)), labels, n_permutations=199, random_state=0
        )
        found.append(result.pvalue)
    assert found[0] < 0.2
    assert found[1] == pytest.approx(found[0], abs=0.02)


def test_the_statistic_is_that_of_all_pairs_where_permutations_use_a_sample(
    monkeypatch,
):
    monkeypatch.setattr(permutation_test, "_SAMPLED", 1000)
    P, Q = draw(0, 300, "two fuzzy")
    result = concordance_test(P, Q, method="sampled", n_permutations=99, random_state=0)
    assert result.statistic == cc.adjusted_concordance_index(P, Q)
    assert result.sampled_statistic != result.statistic
    assert result.null_moments == "closed form"
    assert result.zscore == concordance_test(P, Q, n_permutations=9).zscore
    words = "permutations are compared on a fixed random sample of 900 pairs"
    assert words in str(result)


def test_permutations_stop_early_unless_one_says_otherwise():
    P, Q = draw(10, 60, "two fuzzy")
    result = concordance_test(P, Q, random_state=0)
    assert result.stopped_early
    assert result.n_permutations == result.null_distribution.size < 9999
    assert result.pvalue == 100 / result.n_permutations
    whole = concordance_test(P, Q, random_state=0, stop_after=None)
    assert not whole.stopped_early
    assert whole.n_permutations == 9999
    assert whole.pvalue == pytest.approx(result.pvalue, abs=0.15)


def test_a_constant_side_answers_at_once_with_a_remark():
    P, _ = draw(0, 300, "two fuzzy")
    result = concordance_test(P, np.full((300, 2), 0.5))
    assert (result.n_permutations, result.pvalue, result.is_exact) == (1, 1.0, True)
    assert "Q says the same about all pairs of objects" in str(result)


def test_tables_are_drawn_with_their_margins():
    rng = np.random.default_rng(0)
    p, q = np.repeat([0, 1, 2], [3, 4, 5]), np.repeat([0, 1], [5, 7])
    drawn = permuted_objects._joined_in_tables(
        np.bincount(p), np.bincount(q), 40_000, rng
    )
    orders = (rng.permutation(12) for _ in range(40_000))
    cells = [np.bincount(2 * p + q[order], minlength=6) for order in orders]
    joined = np.array([(c * (c - 1) // 2).sum() for c in cells])
    for values in (drawn, joined):
        assert values.min() >= 7
    shares = [np.bincount(v, minlength=20) / 40_000 for v in (drawn, joined)]
    assert np.abs(shares[0] - shares[1]).max() < 0.015


def test_a_result_reads_like_a_sentence():
    P, Q = draw(0, 30, "two fuzzy")
    result = concordance_test(P, Q, n_permutations=99, random_state=0)
    assert isinstance(result, ConcordanceTest)
    assert "\n" not in repr(result)
    assert "99 random permutations" in str(result)
    assert "<b>ACI = " in result._repr_html_()
    assert "&lt;lambda&gt;" in (
        concordance_test(P[:4], Q[:4], index=lambda P, Q: 0.0)._repr_html_()
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alternative": "larger"}, 'alternative must be "greater", "less" or'),
        ({"method": "fast"}, 'method must be "auto", "exact"'),
        ({"index": "rank"}, "index must be a name .* found 'rank'; did you mean"),
        ({"n_permutations": 0}, "n_permutations must be at least 1, found 0"),
        ({"stop_after": 0}, "stop_after must be at least 1, found 0"),
        ({"method": "exact"}, "of at most 10 objects, found 30"),
        ({"method": "normal", "stop_after": 3}, "stop_after is for random"),
        ({"index": min, "method": "normal"}, "which are functions of pairs"),
        ({"index": lambda P, Q: math.nan}, "is nan for 30 of the objects: intervals"),
        ({"n_jobs": 0}, "n_jobs must not be 0"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        concordance_test(*draw(0, 30, "two fuzzy"), **options)


def test_numbers_must_be_whole():
    for name in ("n_permutations", "stop_after"):
        with pytest.raises(TypeError, match=f"{name} must be an integer, found 1.5"):
            concordance_test([0, 1], [0, 1], **{name: 1.5})


def test_possibilistic_partitions_are_refused():
    P = cc.Partition([[0.5, 0.2], [1.0, 0.9]], kind="possibilistic")
    for function in (concordance_test, null_moments):
        with pytest.raises(ValueError, match="possibilistic partitions, and P is one"):
            function(P, [0, 1])


def test_too_many_objects_for_cells_are_refused(monkeypatch):
    monkeypatch.setattr(moments, "_MOST_OBJECTS", 200)
    with pytest.raises(ValueError, match="is for fewer than 200 objects, found 200"):
        null_moments(*draw(0, 200, "two fuzzy"))


CODE = """
import json, warnings, numpy as np
warnings.simplefilter("error")
from concordant.inference import concordance_test, null_moments
rng = np.random.default_rng(0)
U, V = rng.dirichlet([1] * 3, 210), rng.dirichlet([1] * 4, 210)
labels, other = rng.integers(3, size=210), rng.integers(100, size=210)
found = []
for P, Q, more in (
    (U, V, {"method": "sampled"}), (U, V, {}), (U, labels, {}), (labels, other, {}),
):
    result = concordance_test(P, Q, n_permutations=2, random_state=0, **more)
    found += [result.pvalue, result.null_sd, *result.null_distribution]
print(json.dumps(found))
"""


def test_kernels_give_the_same_without_compilation():
    given = [
        subprocess.run(
            [sys.executable, "-c", CODE],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
        ).stdout
        for disabled in ("0", "1")
    ]
    compiled, plain = map(json.loads, given)
    assert plain == pytest.approx(compiled, rel=1e-12)


def test_random_orders_are_all_equally_likely():
    order = np.empty(4, dtype=np.int64)
    counts = Counter()
    for numbers in np.random.default_rng(0).random((24_000, 4)):
        random_order(numbers, np.array([0, order.size]), 1, order)
        counts[tuple(order.tolist())] += 1
    assert len(counts) == 24
    # The sum of squares has 23 degrees of freedom.
    assert sum((count - 1000) ** 2 for count in counts.values()) / 1000 < 60


def test_random_orders_take_numbers_up_to_the_largest_below_1():
    for n in (*range(1, 70), 1000, 65_536, 70_001):
        order = np.empty(n, dtype=np.int64)
        random_order(np.full(n, 1.0 - 2.0**-53), np.array([0, n]), 1, order)
        np.testing.assert_array_equal(np.sort(order), np.arange(n))


def test_progress_is_told():
    told = []
    concordance_test(
        *draw(0, 30, "two fuzzy"),
        n_permutations=50,
        progress=lambda done, total, estimate: told.append((done, total)),
    )
    assert told[-1] == (50, 50)


def test_the_level_that_ties_leave_attainable():
    # Two clusters of two objects each: half of the pairs or none, one time in three.
    def of_four(rng, n):
        return np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])

    name = "two crisp, of four objects"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(designs.DESIGNS, name, of_four)
        patch.setattr(designs, "LEVEL", 0.5)
        # Of one permutation, p is 1 / 2 if it agrees less than what was found.
        found = designs.attainable(name, 4, 1)
    assert found == pytest.approx(2 / 9, abs=0.01)
    assert designs.attainable("two fuzzy", 30, 99) == 0.05


def test_a_standard_deviation_that_may_be_rounding_gives_no_z():
    rng = np.random.default_rng(5)
    alike = 0
    for _ in range(60):
        P, Q = (rng.multinomial(4, np.full(3, 1 / 3), 3) / 4 for _ in range(2))
        found = concordance_test(P, Q, method="normal")
        exact = concordance_test(P, Q)
        if exact.null_sd < 1e-12:  # over all permutations
            alike += 1
            assert math.isnan(found.zscore)
            assert math.isnan(null_moments(P, Q).zscore)
            assert found.pvalue == 1.0
    assert alike > 3


@pytest.mark.parametrize("away", [1e-16, 1e-15, 1e-13])
@pytest.mark.parametrize("method", ["auto", "normal"])
def test_one_cluster_but_for_rounding_has_no_z(away, method):
    rng = np.random.default_rng(0)
    second = away * rng.random((2, 20))
    labels = np.arange(20) % 2
    P, Q = (np.column_stack((1.0 - column, column)) for column in second)
    for other in (labels, Q):
        found = concordance_test(P, other, method=method, random_state=0)
        if other is labels:
            assert math.isnan(found.zscore)
            assert math.isnan(null_moments(P, other).zscore)
        # What is known of z and what is counted do not contradict each other.
        assert math.isnan(found.zscore) or abs(found.zscore) < 4.0
        assert found.pvalue > 0.05
    of_any = concordance_test(P, labels, index="nmi", random_state=0, stop_after=9)
    assert math.isnan(of_any.zscore)
