"""Groups and strata of objects, and inner products, in intervals and tests."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
import reference
from coverage_of_groups import coverage, coverage_of_families, pvalues
from hypothesis import given, settings
from hypothesis import strategies as st
from partitions import STYLES, memberships
from threadpoolctl import threadpool_limits

import concordant as cc
from concordant import Partition
from concordant.execution.run import Run
from concordant.inference import (
    concordance_test,
    confidence_interval,
    difference_test,
    leave_one_out,
    local_concordance,
    null_moments,
    permutation_test,
    permuted_objects,
)
from concordant.inference.leave_one_out import left_out_of_run
from concordant.inference.permuted_objects import Exchange
from concordant.kernels.permuted import random_order

SIMILARITIES = ("l1", "inner")


def apart(U, similarity):
    U = np.asarray(U, dtype=float)
    if U.ndim == 1:
        U = np.eye(int(U.max()) + 1)[U.astype(int)]
    if similarity == "inner":
        return 1.0 - U @ U.T
    return 0.5 * np.abs(U[:, None] - U[None]).sum(axis=-1)


def discordances(P, Q, orders, similarity="l1"):
    a, b = apart(P, similarity), apart(Q, similarity)
    i, j = np.triu_indices(len(a), 1)
    return np.array(
        [np.abs(a[i, j] - b[np.ix_(order, order)][i, j]).mean() for order in orders]
    )


def related(rng, n, kinds=("fuzzy", "fuzzy"), K=3):
    """Draw two partitions that agree somewhat."""
    z = rng.integers(K, size=n)
    found = []
    for kind in kinds:
        labels = np.where(rng.random(n) < 0.6, z, rng.integers(K, size=n))
        U = 0.5 * np.eye(K)[labels] + 0.5 * rng.dirichlet(np.ones(K), n)
        found.append(labels if kind == "crisp" else U / U.sum(axis=1, keepdims=True))
    return found


def some_groups(rng, n, count):
    """Draw groups of unlike sizes, none empty."""
    return rng.permutation(
        np.concatenate((np.arange(count), rng.integers(count, size=n - count)))
    )


def left_out(P, Q, groups, similarity="l1"):
    P, Q = map(Partition, (P, Q))
    return left_out_of_run(P, Q, Run(similarity=similarity, groups=groups, store={}))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_leaving_a_group_out_is_computing_d_and_its_expectation_without_it(seed):
    rng = np.random.default_rng(seed)
    P, Q = (memberships(rng, 12, 3, str(rng.choice(STYLES[:4]))) for _ in range(2))
    groups = some_groups(rng, 12, 4)
    left = left_out(P, Q, groups)
    for name, of_all, changes in (
        ("discordance", left.discordance, left.of_discordance),
        ("expected_discordance", *left.expected),
    ):
        function = getattr(reference, name)
        without = reference.left_out_groups(function, P.tolist(), Q.tolist(), groups)
        np.testing.assert_allclose(of_all + changes, without, atol=1e-9)


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize(
    "kinds", [("fuzzy", "fuzzy"), ("crisp", "fuzzy"), ("crisp", "crisp")]
)
@pytest.mark.parametrize("n", [60, 500])
def test_all_ways_leave_out_the_same(n, kinds, similarity):
    rng = np.random.default_rng(n)
    P, Q = map(Partition, related(rng, n, kinds))
    groups = some_groups(rng, n, 11)
    found = left_out(P, Q, groups, similarity)
    kept = [np.flatnonzero(groups != g) for g in range(-1, groups.max() + 1)]
    plain = [
        cc.concordance(P.take(some), Q.take(some), similarity=similarity)
        for some in kept
    ]
    d, *without = (each.discordance for each in plain)
    expected, *expected_without = (each.expected_discordance for each in plain)
    close = {"rtol": 1e-5 if kinds == ("fuzzy", "fuzzy") and n == 500 else 1e-11}
    np.testing.assert_allclose(found.discordance, d, rtol=1e-11)
    np.testing.assert_allclose(found.of_discordance, np.array(without) - d, atol=1e-12)
    np.testing.assert_allclose(
        found.expected.changes / found.expected.expected,
        np.array(expected_without) / expected - 1.0,
        atol=close["rtol"],
    )
    # Tested where it can be wrong: without a group E[d] is another one.
    assert np.ptp(expected_without) > 1e-4


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("n", [40, 460])
def test_groups_of_one_object_are_the_objects(n, similarity):
    rng = np.random.default_rng(0)
    P, Q = related(rng, n)
    plain = confidence_interval(P, Q, similarity=similarity)
    grouped = confidence_interval(
        P, Q, similarity=similarity, groups=rng.permutation(n)
    )
    assert grouped.n_groups == n
    for name in ("low", "high", "standard_error", "bias"):
        ours, theirs = getattr(grouped, name), getattr(plain, name)
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


def test_many_groups_are_left_out_to_first_order(monkeypatch):
    rng = np.random.default_rng(13)
    P, Q = related(rng, 600)
    groups = some_groups(rng, 600, 150)
    exactly = confidence_interval(P, Q, groups=groups)
    monkeypatch.setattr(leave_one_out, "_MANY_GROUPS", 100)
    found = confidence_interval(P, Q, groups=groups)
    assert found.n_groups == 150
    assert found.standard_error == pytest.approx(exactly.standard_error, rel=0.02)
    assert found.bias == pytest.approx(exactly.bias, abs=0.05 * found.standard_error)


def test_the_standard_error_is_that_of_the_delete_a_group_jackknife():
    rng = np.random.default_rng(1)
    P, Q = related(rng, 50)
    groups = some_groups(rng, 50, 8)
    found = confidence_interval(P, Q, index="rand", groups=groups)
    without = np.array(
        [
            cc.rand_index(P[groups != g].tolist(), Q[groups != g].tolist())
            for g in range(8)
        ]
    )
    se = math.sqrt(7 / 8 * np.square(without - without.mean()).sum())
    assert found.standard_error == pytest.approx(se, rel=1e-12)
    assert (found.n_groups, found.n_objects) == (8, 50)
    bias = ((1 - np.bincount(groups) / 50) * (without - found.estimate)).sum()
    assert found.bias == pytest.approx(bias, rel=1e-9)


def test_bias_is_none_where_groups_of_unlike_sizes_change_a_mean():
    """A mean over objects has no bias, whatever the sizes of groups are."""
    rng = np.random.default_rng(2)
    values = rng.normal(size=60)
    groups = some_groups(rng, 60, 7)

    def mean(P, Q):
        return float(np.mean(values[P.ids]))

    found = confidence_interval(
        Partition(groups, ids=np.arange(60)), groups, index=mean, groups=groups
    )
    assert abs(found.bias) < 1e-14


def test_copies_of_objects_are_no_further_evidence():
    rng = np.random.default_rng(3)
    P, Q = related(rng, 40)
    groups = np.arange(40)
    once = confidence_interval(P, Q, index="ndc").standard_error
    copied = [np.repeat(X, 5, axis=0) for X in (P, Q)]
    grouped = confidence_interval(*copied, index="ndc", groups=np.repeat(groups, 5))
    alone = confidence_interval(*copied, index="ndc")
    assert grouped.standard_error == pytest.approx(once, rel=0.05)
    assert alone.standard_error < 0.5 * once


def test_a_difference_is_paired_by_groups():
    rng = np.random.default_rng(4)
    z = np.repeat(rng.integers(3, size=20), 6)
    P = np.where(np.repeat(rng.random(20) < 0.8, 6), z, rng.integers(3, size=120))
    Q = np.where(np.repeat(rng.random(20) < 0.6, 6), z, rng.integers(3, size=120))
    groups = np.repeat(np.arange(20), 6)
    found = difference_test(P, Q, z, groups=groups)
    objects = difference_test(P, Q, z)
    assert found.estimate == objects.estimate
    assert found.standard_error > 1.3 * objects.standard_error
    assert "20 groups of 120 objects" in str(found)
    assert found.to_dict()["n_groups"] == 20


def test_compare_takes_groups_for_its_intervals():
    rng = np.random.default_rng(5)
    P, Q = related(rng, 60)
    groups = some_groups(rng, 60, 6)
    for similarity in SIMILARITIES:
        found = cc.compare(
            P,
            Q,
            indices=["aci", "ndc"],
            interval=0.9,
            groups=groups,
            similarity=similarity,
        )
        for name in ("aci", "ndc"):
            alone = confidence_interval(
                P, Q, index=name, level=0.9, groups=groups, similarity=similarity
            )
            assert found.intervals[name].low == pytest.approx(alone.low, rel=1e-12)
            assert found.intervals[name].n_groups == 6
        assert "over 6 groups" in str(found)
        assert found.to_dict()["n_groups"] == 6
    with pytest.raises(ValueError, match="none is asked for; add interval=0.95"):
        cc.compare(P, Q, groups=groups)
    with pytest.raises(ValueError, match="leave out test and use concordance_test"):
        cc.compare(P, Q, groups=groups, interval=0.9, test=True)
    assert cc.compare(P, Q, groups=False, test=True).test is not None


def test_a_comparison_tests_what_permutations_adjust():
    """Under another model of chance, the ACI that is tested would be another one."""
    P, Q = related(np.random.default_rng(0), 20)
    with pytest.raises(ValueError, match="permutations for the test of a comparison"):
        cc.compare(P, Q, null="dirichlet-flat", test=True)


def test_intervals_over_groups_hold_where_those_over_objects_do_not():
    found = coverage("two crisp", unlike=True, sets=150, samples=10)
    assert found.over_groups > 0.88
    assert found.over_objects < 0.75


def test_intervals_over_families_miss_on_both_sides_alike():
    found = coverage_of_families(40, sets=400)
    assert 0.93 <= found.over_groups <= 0.99
    assert max(found.below, found.above) <= 0.04
    assert found.of_groups == pytest.approx(found.spread, rel=0.1)


def test_pvalues_within_strata_are_uniform_where_strata_explain_all():
    from scipy.stats import kstest

    within, free = pvalues("two crisp", sets=120).T
    assert kstest(within, "uniform").pvalue > 0.001
    assert kstest(free, "uniform").pvalue < 1e-9


def test_groups_come_from_partitions_by_true_and_follow_ids():
    rng = np.random.default_rng(6)
    P, Q = related(rng, 30)
    names = [f"pop {i % 5}" for i in range(30)]
    known = Partition(P, groups=names)
    expected = confidence_interval(P, Q, groups=names)
    assert confidence_interval(known, Q, groups=True) == expected
    assert confidence_interval(Q, known, groups=True).n_groups == 5
    frames = [pd.DataFrame(X, index=[f"i{k}" for k in range(30)]) for X in (P, Q)]
    series = pd.Series(names, index=frames[0].index).sample(frac=1, random_state=0)
    by_id = confidence_interval(*frames, groups=series, match_by="id")
    assert by_id == expected
    with pytest.raises(ValueError, match="P and groups have different ids"):
        confidence_interval(*frames, groups=series)
    other = Partition(Q, groups=names[::-1])
    with pytest.raises(ValueError, match="groups stands for .* have different ones"):
        confidence_interval(known, other, groups=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": [0, 1] * 10}, "at least 4 groups, found 2"),
        ({"groups": True}, "groups stands for the groups of P and Q, .* have none"),
        ({"groups": [0] * 7}, "P and Q have 20 objects and groups has 7"),
        ({"groups": np.full((20, 2), 0.5)}, "one label for each object"),
        ({"groups": range(20), "tol": 0.1}, "groups take all pairs"),
        ({"similarity": "cosine"}, 'similarity must be "l1" or "inner"'),
        ({"similarity": "inner", "index": "rand"}, "similarity is for index"),
    ],
)
def test_what_an_interval_cannot_have_is_refused(options, message):
    P, Q = related(np.random.default_rng(0), 20)
    if isinstance(options.get("groups"), range):
        options = {**options, "groups": list(options["groups"])}
    with pytest.raises(ValueError, match=message):
        confidence_interval(P, Q, **options)


def restricted(n, strata=None, groups=None):
    """List the permutations that keep strata, or groups whole, one by one."""
    if strata is not None:
        return [
            order
            for order in itertools.permutations(range(n))
            if all(strata[i] == strata[k] for i, k in enumerate(order))
        ]
    members = [np.flatnonzero(groups == g) for g in range(max(groups) + 1)]
    found = []
    for places in itertools.permutations(members):
        order = np.empty(n, int)
        order[np.concatenate(members)] = np.concatenate(places)
        found.append(tuple(order.tolist()))
    return found


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize(
    "options",
    [{"strata": [0, 1, 0, 1, 1, 0, 0]}, {"groups": np.array([2, 0, 1, 1, 2, 0])}, {}],
    ids=["strata", "groups", "free"],
)
def test_few_restricted_permutations_are_all_visited(options, similarity):
    n = len(next(iter(options.values()), range(6)))
    P, Q = related(np.random.default_rng(7), n)
    orders = restricted(n, **options) if options else itertools.permutations(range(n))
    d = discordances(P, Q, [np.array(order) for order in orders], similarity)
    observed = discordances(P, Q, [np.arange(n)], similarity)[0]
    found = concordance_test(P, Q, similarity=similarity, index="ndc", **options)
    assert found.is_exact
    assert found.n_permutations == len(d)
    assert found.pvalue == pytest.approx(np.mean(d <= observed + 1e-12))
    assert found.null_mean == pytest.approx(1.0 - d.mean(), abs=1e-12)
    assert found.null_sd == pytest.approx(d.std(), abs=1e-9)
    np.testing.assert_allclose(
        np.sort(found.null_distribution), np.sort(1.0 - d), atol=1e-12
    )
    by_call = concordance_test(
        P,
        Q,
        index=lambda p, q: cc.normalized_degree_of_concordance(
            p, q, similarity=similarity
        ),
        n_permutations=math.factorial(n),
        **options,
    )
    assert by_call.pvalue == found.pvalue
    assert by_call.null_sd == pytest.approx(found.null_sd, rel=1e-6)


def test_random_orders_keep_strata_and_groups_and_are_equally_likely():
    strata = np.array([0, 1, 0, 1, 0])
    groups = np.array([0, 1, 2, 1, 0, 2])
    for exchange, allowed in (
        (Exchange.of(5, strata, None), restricted(5, strata=strata)),
        (Exchange.of(6, None, groups), restricted(6, groups=groups)),
    ):
        rng = np.random.default_rng(0)
        drawn = [*map(tuple, exchange.random(rng, 1200).tolist())]
        order = np.empty(exchange.order.size, np.int64)
        for _ in range(1200):
            numbers = rng.random(exchange.n_units)
            random_order(numbers, exchange.starts, exchange.size, order)
            back = np.empty_like(order)
            back[exchange.order] = exchange.order[order]
            drawn.append(tuple(back.tolist()))
        assert {*drawn} == {*allowed}
        shares = [drawn.count(order) / len(drawn) for order in allowed]
        np.testing.assert_allclose(shares, 1 / len(allowed), atol=0.05)


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize(
    "kinds", [("fuzzy", "fuzzy"), ("fuzzy", "crisp"), ("crisp", "crisp")]
)
def test_compiled_permutations_have_the_distribution_of_plain_ones(
    kinds, similarity, monkeypatch
):
    from scipy.stats import ks_2samp

    rng = np.random.default_rng(8)
    P, Q = related(rng, 48, kinds)
    for options in ({"strata": np.arange(48) % 5}, {"groups": np.arange(48) // 4}):
        asked = {"similarity": similarity, "stop_after": None, **options}
        plain = concordance_test(P, Q, n_permutations=500, random_state=0, **asked)
        with monkeypatch.context() as few:
            few.setattr(permuted_objects, "_FEW", 3)
            few.setattr(permutation_test, "_SAMPLED", 90)
            found = concordance_test(P, Q, n_permutations=500, random_state=1, **asked)
            sample = concordance_test(
                P, Q, n_permutations=99, method="sampled", random_state=1, **asked
            )
        assert found.statistic == plain.statistic
        both = found.null_distribution, plain.null_distribution
        assert ks_2samp(*both).pvalue > 1e-3
        if kinds != ("crisp", "crisp"):
            assert plain.n_pairs == found.n_pairs > sample.n_pairs
        assert found.null_moments == "permutations"


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_restricted_tests_have_the_same_bits_on_any_number_of_threads(n_jobs):
    rng = np.random.default_rng(9)
    P, Q = related(rng, 260)
    found = concordance_test(
        P,
        Q,
        strata=np.arange(260) % 7,
        n_permutations=300,
        random_state=0,
        n_jobs=n_jobs,
    )
    again = concordance_test(
        P, Q, strata=np.arange(260) % 7, n_permutations=300, random_state=0
    )
    assert found.null_distribution.tobytes() == again.null_distribution.tobytes()


def test_results_say_how_permutations_were_restricted():
    P, Q = related(np.random.default_rng(0), 30)
    strata = concordance_test(P, Q, strata=np.arange(30) % 3, random_state=0)
    assert strata.n_strata == 3
    assert strata.n_groups is None
    assert "random permutations within 3 strata" in str(strata)
    assert "n_strata=3" in repr(strata)
    groups = concordance_test(P, Q, groups=np.arange(30) // 3, random_state=0)
    assert groups.to_dict()["n_groups"] == 10
    assert "of 10 whole groups" in groups._repr_html_()
    inner = concordance_test(P, Q, similarity="inner", random_state=0)
    assert "similarity inner" in inner.phrase()


def test_strata_and_groups_that_leave_nothing_to_permute_are_refused():
    P, Q = related(np.random.default_rng(0), 12)
    with pytest.raises(ValueError, match="strata have one object each"):
        concordance_test(P, Q, strata=np.arange(12))
    with pytest.raises(ValueError, match="groups put all 12 objects into one"):
        concordance_test(P, Q, groups=np.zeros(12, int))
    whole = concordance_test(P, Q, strata=np.zeros(12, int), random_state=0)
    free = concordance_test(P, Q, random_state=0)
    assert whole.pvalue == free.pvalue


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": [0] * 4 + [1] * 16}, "equal size, and they have 4 to 16 objects"),
        ({"groups": [0] * 20, "strata": [0] * 20}, "two ways to restrict"),
        ({"strata": [0] * 20, "method": "normal"}, "strata allow only some of them"),
        ({"strata": [0] * 20, "method": "exact"}, "at most 3628800 permutations"),
    ],
)
def test_what_a_test_cannot_have_is_refused(options, message):
    P, Q = related(np.random.default_rng(0), 20)
    with pytest.raises(ValueError, match=message):
        concordance_test(P, Q, **options)
    if "null" in options:
        with pytest.raises(ValueError, match="permutations for local concordance"):
            local_concordance(P, Q, **options)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.sampled_from([4, 5, 6]))
def test_moments_of_inner_products_are_those_over_all_permutations(seed, n):
    rng = np.random.default_rng(seed)
    P, Q = (memberships(rng, n, 3, str(rng.choice(STYLES))) for _ in range(2))
    if rng.random() < 0.3:
        Q[:, 0] -= 1e-9  # memberships may be slightly negative
        Q[:, 1] += 1e-9
    orders = [np.array(order) for order in itertools.permutations(range(n))]
    d = discordances(P, Q, orders, "inner")
    found = null_moments(P, Q, similarity="inner")
    assert found.discordance_mean == pytest.approx(d.mean(), abs=1e-13)
    miss = abs(found.discordance_sd - d.std())
    assert miss <= found.discordance_sd_error + 1e-15
    assert found.discordance_sd_error < 1e-6


@pytest.mark.parametrize("kinds", [("fuzzy", "fuzzy"), ("fuzzy", "crisp")])
def test_moments_of_inner_products_by_cells_keep_their_bound(kinds, monkeypatch):
    from concordant.inference import moments, profiles

    P, Q = related(np.random.default_rng(10), 40, kinds)
    exact = null_moments(P, Q, similarity="inner")
    monkeypatch.setattr(moments, "_FEW", 0)
    for few in (1000, 10):  # without and with compiled code
        monkeypatch.setattr(profiles, "FEW_OBJECTS", few)
        found = null_moments(P, Q, similarity="inner")
        miss = abs(found.discordance_sd - exact.discordance_sd)
        bound = found.discordance_sd_error + exact.discordance_sd_error
        assert miss <= bound < 0.05 * exact.discordance_sd


@pytest.mark.parametrize(
    "kinds", [("fuzzy", "fuzzy"), ("crisp", "fuzzy"), ("crisp", "crisp")]
)
def test_local_parts_of_inner_products_add_up_to_the_whole(kinds):
    rng = np.random.default_rng(11)
    P, Q = related(rng, 40, kinds)
    whole = cc.concordance(P, Q, similarity="inner")
    found = local_concordance(P, Q, similarity="inner")
    d = np.abs(apart(P, "inner") - apart(Q, "inner"))
    np.fill_diagonal(d, 0.0)
    np.testing.assert_allclose(
        found.object_discordance.values, d.sum(axis=1) / 39, atol=1e-12
    )
    for parts in (found.objects, found.clusters_p, found.clusters_q, found.pairs):
        assert np.nansum(parts.weights * parts.discordance) == pytest.approx(
            whole.discordance, abs=1e-12
        )
        assert np.nansum(parts.chance_weights * parts.expected) == pytest.approx(
            whole.expected_discordance, abs=1e-9
        )
    assert "similarity inner" in str(found) or kinds == ("crisp", "crisp")


def test_intervals_of_inner_products_are_right_by_all_ways(monkeypatch):
    from concordant.inference import object_means, profiles

    rng = np.random.default_rng(12)
    for kinds in (("fuzzy", "fuzzy"), ("crisp", "fuzzy")):
        P, Q = related(rng, 60, kinds)
        by_call = confidence_interval(
            P,
            Q,
            index=lambda p, q: cc.adjusted_concordance_index(p, q, similarity="inner"),
        )
        found = confidence_interval(P, Q, similarity="inner")
        assert found.standard_error == pytest.approx(by_call.standard_error, rel=1e-9)
        assert found.bias == pytest.approx(by_call.bias, rel=1e-6)
        with monkeypatch.context() as many:
            many.setattr(object_means, "FEW_OBJECTS", 10)
            many.setattr(profiles, "FEW_OBJECTS", 10)
            other = confidence_interval(P, Q, similarity="inner")
        assert other.standard_error == pytest.approx(by_call.standard_error, rel=1e-2)


def test_threads_of_blas_change_no_bit_without_groups():
    rng = np.random.default_rng(0)
    P, Q = rng.dirichlet([0.5] * 3, 1200), rng.dirichlet([0.7] * 3, 1200)
    found = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads, user_api="blas"):
            groups = np.arange(1200) // 4
            found.append(confidence_interval(P, Q, groups=groups))
    assert found[0] == found[1]
