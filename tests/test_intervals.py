"""Intervals of an index, and tests of a difference between two."""

import math
from itertools import pairwise

import coverage_of_intervals as designs
import numpy as np
import pandas as pd
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from partitions import STYLES, memberships, two_partitions
from threadpoolctl import threadpool_limits

import concordant as cc
from concordant import Partition
from concordant.catalogue import nulls
from concordant.catalogue.families import STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.execution.run import Run
from concordant.inference import (
    concordance_test,
    confidence_interval,
    difference_test,
    interval,
    local_concordance,
    object_means,
    profiles,
)
from concordant.inference.chosen_index import chosen_index
from concordant.inference.interval import Jackknife

ONE = Run()


def ndc(U, V):
    return 1.0 - reference.discordance(U, V)


def rows(P):
    return Partition(P).memberships.tolist()


@settings(max_examples=40, deadline=None)
@given(pq=two_partitions(max_n=9, max_K=4))
def test_leaving_an_object_out_is_computing_the_index_without_it(pq):
    P, Q = map(Partition, pq)
    if P.n_objects < 4:
        return
    for name, index in (("aci", reference.aci), ("ndc", ndc)):
        here = index(rows(P), rows(Q))
        if name == "aci" and abs(reference.expected_discordance(rows(P), rows(Q))) < (
            1e-9
        ):
            continue  # memberships 1e-12 apart: the oracle rounds
        expected = np.array(reference.left_out(index, rows(P), rows(Q))) - here
        found = chosen_index(name).changes(P, Q, ONE)
        np.testing.assert_allclose(found, expected, atol=1e-9)


def means_of(P, Q, few_objects, monkeypatch, partners=()):
    monkeypatch.setattr(object_means, "FEW_OBJECTS", few_objects)
    monkeypatch.setattr(profiles, "FEW_OBJECTS", few_objects)
    run = Run(store={})
    if len(partners) == 0:
        return object_means.cluster_means(P, Q, run)
    return object_means.object_means(P, Q, run, partners if few_objects == 0 else None)


@pytest.mark.parametrize("style_p", STYLES)
@pytest.mark.parametrize("style_q", STYLES)
def test_knots_give_what_sorting_gives(style_p, style_q, monkeypatch):
    rng = np.random.default_rng(3)
    P = Partition(memberships(rng, 60, 3, style_p))
    Q = Partition(memberships(rng, 60, 4, style_q))
    ordered, knots = (means_of(P, Q, few, monkeypatch) for few in (450, 0))
    scale = ordered.expected_discordance
    for name in ("from_p", "from_q", "expected"):
        np.testing.assert_allclose(
            getattr(knots, name), getattr(ordered, name), atol=3e-5 * scale + 1e-15
        )


def test_knots_follow_values_that_lie_close_with_one_object_aside(monkeypatch):
    rng = np.random.default_rng(0)
    U, V = 1 / 3 + 1e-9 * rng.uniform(-1, 1, (2, 700, 3))
    U[0] = [1.0, 0.0, 0.0]
    P, Q = (Partition(M / M.sum(axis=1, keepdims=True)) for M in (U, V))
    everyone = np.arange(700)
    ordered, knots = (means_of(P, Q, few, monkeypatch, everyone) for few in (1000, 0))
    for name in ("discordance", "from_p", "from_q", "between"):
        np.testing.assert_allclose(
            getattr(knots, name), getattr(ordered, name), rtol=1e-3
        )


def test_lattices_are_exact_on_knots(monkeypatch):
    rng = np.random.default_rng(1)
    P, Q = (Partition(rng.multinomial(20, [1 / 3] * 3, size=80) / 20) for _ in "PQ")
    ordered, knots = (means_of(P, Q, few, monkeypatch) for few in (450, 0))
    for name in ("from_p", "from_q"):
        np.testing.assert_allclose(getattr(knots, name), getattr(ordered, name), 1e-9)


@pytest.mark.parametrize("width", [1e-1, 1e-3, 1e-5, 1e-8])
def test_standard_errors_hold_where_one_side_is_nearly_constant(width):
    rng = np.random.default_rng(1)
    U = 1 / 3 + width * (rng.dirichlet([1] * 3, 600) - 1 / 3)
    V = rng.dirichlet([1] * 3, 20)[rng.integers(20, size=600)]
    found = chosen_index("aci").changes(Partition(U), Partition(V), Run(store={}))
    here = cc.concordance(U, V, method="sorted").aci
    some, everyone = range(0, 600, 20), np.arange(600)
    without = (np.delete(everyone, i) for i in some)
    left = [cc.concordance(U[j], V[j], method="sorted").aci for j in without]
    changes = np.array(left) - here
    assert found[::20].std() == pytest.approx(changes.std(), rel=3e-3)
    np.testing.assert_allclose(found[::20], changes, atol=5e-3 * np.abs(changes).max())


def test_the_least_doubles_make_no_interval_nan():
    rng = np.random.default_rng(0)
    U, V = rng.dirichlet([0.3] * 3, 600), rng.dirichlet([1] * 3, 600)
    U[:, 1:][rng.random((600, 2)) < 0.4] = 1e-309
    U[:, 0] = 1.0 - U[:, 1:].sum(axis=1)
    found = confidence_interval(U, V)
    assert -2.0 < found.low < found.estimate < found.high < 1.0
    assert not np.isnan(local_concordance(U, V).objects.aci).any()


def test_a_sample_of_pairs_gives_nearly_the_same_interval(monkeypatch):
    from concordant import compute
    from concordant.inference import leave_one_out

    monkeypatch.setattr(compute, "_FEW_TO_SAMPLE", 2000)
    monkeypatch.setattr(leave_one_out, "EXACT_UP_TO", 2000)
    rng = np.random.default_rng(0)
    U = rng.dirichlet([0.5] * 3, 4000)
    V = 0.6 * U + 0.4 * rng.dirichlet([1] * 3, 4000)
    exact = confidence_interval(U, V)
    found = confidence_interval(U, V, tol=2e-3, random_state=0)
    assert found.estimate != exact.estimate
    assert found.estimate == pytest.approx(exact.estimate, abs=4e-3)
    assert found.standard_error == pytest.approx(exact.standard_error, rel=0.15)


def test_tol_is_for_pairs_that_can_be_sampled():
    with pytest.raises(ValueError, match="tol is for index="):
        confidence_interval([0, 0, 1, 1], [0, 1, 1, 1], tol=0.1, index=cc.rand_index)
    with pytest.raises(ValueError, match="tol must be positive"):
        confidence_interval([0, 0, 1, 1], [0, 1, 1, 1], tol=0)


def test_long_calls_tell_how_far_they_are():
    told = []
    confidence_interval(
        [0, 0, 1, 1],
        [0, 1, 1, 1],
        index=cc.rand_index,
        progress=lambda done, total, _: told.append((done, total)),
    )
    assert told[-1] == (4, 4)


@pytest.mark.parametrize("null", ["sampled-permutations", "half"])
def test_an_interval_is_refused_under_a_null_that_knows_no_influence(null, monkeypatch):
    record = nulls.NullRecord("half", "a half", "E[d] is 1/2.", "nowhere:half")
    monkeypatch.setitem(nulls.NULLS, "half", record)
    with pytest.raises(ValueError, match=f"no interval under the null model '{null}'"):
        cc.compare([0, 0, 1, 1], [0, 1, 1, 1], null=null, interval=0.95)


def test_a_null_owns_the_influence_of_objects(monkeypatch):
    from concordant.nulls import permutations
    from concordant.nulls.expectation import Expectation, Influence

    def half(P, Q, terms, run):
        return Expectation(0.5, 0.0)

    def none(P, Q, means, run):
        return Influence(0.5, np.zeros(P.n_objects))

    monkeypatch.setattr(permutations, "half", half, raising=False)
    monkeypatch.setattr(permutations, "none", none, raising=False)
    where = "concordant.nulls.permutations"
    record = nulls.NullRecord(
        "half", "a half", "E[d] is 1/2.", f"{where}:half", influence=f"{where}:none"
    )
    monkeypatch.setitem(nulls.NULLS, "half", record)
    rng = np.random.default_rng(0)
    P, Q = rng.integers(3, size=(2, 40))
    found = cc.compare(P, Q, indices=["aci", "ndc"], null="half", interval=0.95)
    aci, ndc = found.intervals["aci"], found.intervals["ndc"]
    assert aci.estimate == pytest.approx(1.0 - (1.0 - ndc.estimate) / 0.5)
    assert aci.standard_error == pytest.approx(2.0 * ndc.standard_error)


@pytest.mark.parametrize("kinds", ["ff", "fc", "cf", "cc"])
def test_it_is_the_jackknife_of_the_textbook(kinds):
    rng = np.random.default_rng(2)
    U, V = (
        rng.dirichlet([0.5] * 3, 30) if kind == "f" else rng.integers(3, size=30)
        for kind in kinds
    )
    found = confidence_interval(U, V)
    P, Q = Partition(U), Partition(V)
    everyone = np.arange(30)
    left = np.array(
        [
            cc.adjusted_concordance_index(P.take(others), Q.take(others))
            for others in (np.delete(everyone, i) for i in everyone)
        ]
    )
    assert found.estimate == cc.adjusted_concordance_index(U, V)
    assert found.bias == pytest.approx(29 * (left.mean() - found.estimate), abs=1e-12)
    variance = 29 / 30 * np.square(left - left.mean()).sum()
    assert found.standard_error == pytest.approx(math.sqrt(variance), rel=1e-10)
    assert found.low < found.estimate < found.high <= 1.0


@pytest.mark.parametrize("spread", [1e-4, 1e-7, 1e-10, 1e-14, 0.0])
@pytest.mark.parametrize("in_numpy", [450, 8])
def test_one_object_may_carry_all_agreement(monkeypatch, spread, in_numpy):
    monkeypatch.setattr(object_means, "FEW_OBJECTS", in_numpy)
    rng = np.random.default_rng(3)
    noise = rng.standard_normal((2, 30, 3))
    U, V = 1 / 3 + spread * (noise - noise.mean(axis=2, keepdims=True))
    U[7] = V[7] = [1.0, 0.0, 0.0]
    found = confidence_interval(U, V)
    everyone = np.arange(30)
    left = np.array(
        [
            cc.adjusted_concordance_index(U[others], V[others])
            for others in (np.delete(everyone, i) for i in everyone)
        ]
    )
    variance = 29 / 30 * np.square(left - left.mean()).sum()
    error = math.sqrt(variance)
    assert found.standard_error == pytest.approx(error, rel=1e-4, abs=1e-9)
    assert found.bias == pytest.approx(29 * (left.mean() - found.estimate), abs=1e-3)


def test_a_function_gets_the_same_interval_from_its_values():
    rng = np.random.default_rng(4)
    U, V = rng.dirichlet([1, 1], 25), rng.integers(2, size=25)
    named = confidence_interval(U, V)
    called = confidence_interval(U, V, index=cc.adjusted_concordance_index)
    assert called.index == "adjusted_concordance_index"
    assert called.standard_error == pytest.approx(named.standard_error, rel=1e-9)
    assert called.bias == pytest.approx(named.bias, rel=1e-6)


def test_the_number_of_threads_changes_no_bit():
    rng = np.random.default_rng(5)
    U, V = rng.dirichlet([1, 1, 1], 600), rng.dirichlet([1, 1, 1], 600)
    assert confidence_interval(U, V) == confidence_interval(U, V, n_jobs=3)


def test_clusters_in_another_order_and_sides_exchanged_change_nothing_but_rounding():
    rng = np.random.default_rng(6)
    U, V = rng.dirichlet([1, 1, 1], 600), rng.dirichlet([1, 1, 1], 600)
    one, other = confidence_interval(U, V), confidence_interval(V, U[:, ::-1])
    assert one.low == pytest.approx(other.low, abs=1e-6)
    assert one.high == pytest.approx(other.high, abs=1e-6)


def test_equal_partitions_have_a_point_for_an_interval():
    U = np.random.default_rng(0).dirichlet([1, 1], 20)
    found = confidence_interval(U, U[:, ::-1])
    assert found.estimate == 1.0
    assert (found.low, found.high) == pytest.approx((1.0, 1.0), abs=1e-14)
    assert found.standard_error == pytest.approx(0.0, abs=1e-14)


def test_one_object_that_makes_all_the_difference_is_no_reason_to_fail():
    P, Q = [0] * 10, [0] * 9 + [1]
    found = confidence_interval(P, Q)
    assert found.estimate == 0.0
    assert math.isfinite(found.low)
    assert found.high <= 1.0
    P = [0] * 9 + [1]
    found = confidence_interval(P, [0] * 8 + [1, 1], index="ndc")
    assert math.isfinite(found.low)


def test_a_higher_level_gives_a_wider_interval():
    rng = np.random.default_rng(8)
    U, V = designs.two_crisp(50, rng)
    intervals = [confidence_interval(U, V, level=level) for level in (0.5, 0.9, 0.99)]
    assert all(
        wide.low < narrow.low and narrow.high < wide.high
        for narrow, wide in pairwise(intervals)
    )


def mean_of(values, power=1):
    """An index that is a mean of values of the objects, or a power of it."""

    def index(P, Q):
        return float(np.mean(values[P.ids])) ** power

    objects = Partition(np.arange(values.size), ids=np.arange(values.size))
    return objects, objects, index


def test_the_interval_of_a_mean_of_symmetric_values_is_that_of_student():
    from scipy.stats import t

    half = np.random.default_rng(0).normal(size=20)
    values = np.concatenate((half, -half))
    P, Q, index = mean_of(values)
    found = confidence_interval(P, Q, index=index)
    error = values.std(ddof=1) / math.sqrt(40)
    expected = error * t.ppf([0.025, 0.975], 39)
    assert (found.low, found.high) == pytest.approx(tuple(expected), rel=1e-9)


@pytest.mark.parametrize("power", [1, 2, -1])
def test_the_interval_is_nearly_that_of_a_bootstrap_with_bias_and_acceleration(power):
    from scipy.stats import bootstrap

    x = np.random.default_rng(1).exponential(size=300)
    found = confidence_interval(*mean_of(x, power)[:2], index=mean_of(x, power)[2])
    theirs = bootstrap(
        (x,),
        lambda x, axis: x.mean(axis=axis) ** power,
        n_resamples=20_000,
        rng=np.random.default_rng(0),
        method="BCa",
    ).confidence_interval
    off = 0.08 * found.standard_error
    assert found.low == pytest.approx(theirs.low, abs=off)
    assert found.high == pytest.approx(theirs.high, abs=off)


@pytest.mark.parametrize("n", [40, 200, 3000])
def test_the_curvature_of_a_square_is_known(n):
    values = np.random.default_rng(2).exponential(size=n)
    P, Q, index = mean_of(values, 2)
    chosen = chosen_index(index)
    mean = values.mean()
    pulls = -chosen.changes(P, Q, ONE)
    found = interval._second_derivative(
        mean**2, pulls, np.ones(n), None, lambda k: values[k].mean() ** 2
    )
    assert found == pytest.approx(1 / (2 * mean**2), rel=0.2)


def test_the_order_of_the_objects_changes_nothing_but_rounding():
    rng = np.random.default_rng(3)
    for P, Q in (designs.two_fuzzy(100, rng), designs.two_crisp(100, rng)):
        order = rng.permutation(100)
        one, other = confidence_interval(P, Q), confidence_interval(P[order], Q[order])
        assert one.low == pytest.approx(other.low, abs=1e-9)
        assert one.high == pytest.approx(other.high, abs=1e-9)


def test_an_interval_ends_at_the_worst_and_at_the_best_value():
    found = Jackknife(estimate=0.99, bias=0.0, standard_error=0.01, n_parts=20)
    low, high = found.interval(0.95, (-2.0, 1.0))
    assert -2.0 < low < 0.99 < high == 1.0
    low, high = found.interval(0.95)
    assert low + high == pytest.approx(2 * 0.99)
    wide = Jackknife(0.5, 0.0, 9.0, 20, acceleration=0.1, curvature=-0.3)
    assert wide.interval(0.95, (-2.0, 1.0)) == (-2.0, 1.0)


@settings(max_examples=300, deadline=None)
@given(
    bias=st.floats(-2, 2),
    acceleration=st.floats(-1 / 6, 1 / 6),
    curvature=st.floats(-1e6, 1e6),
    n_parts=st.integers(4, 100),
)
def test_ends_rise_with_their_quantile(bias, acceleration, curvature, n_parts):
    found = Jackknife(0.3, bias, 0.1, n_parts, acceleration, curvature)
    ends = [found.interval(level) for level in (1e-3, 0.5, 0.95, 0.999, 1 - 1e-16)]
    lows, highs = zip(*ends, strict=True)
    assert all(a >= b for a, b in pairwise(lows))
    assert lows[0] <= highs[0]
    assert all(a <= b for a, b in pairwise(highs))
    assert not np.isnan(ends).any()


def test_pulls_that_differ_by_no_more_than_rounding_tell_no_curvature():
    for n in range(4, 100):
        pulls, sizes = np.full(n, 0.1), np.ones(n, np.intp)
        found = interval._second_derivative(0.5, pulls, sizes, None, np.mean)
        assert found == 0.0


def test_objects_that_are_all_alike_in_what_they_change_give_a_point():
    P, Q = [0, 0, 1, 1], [0, 1, 0, 1]
    for index in ("aci", "ndc"):
        found = confidence_interval(P, Q, index=index)
        assert found.standard_error == pytest.approx(0.0, abs=1e-12)
        assert found.high - found.low < 1e-12


def test_it_prints_for_people():
    U, V = designs.two_crisp(150, np.random.default_rng(0))
    found = confidence_interval(U, V)
    assert str(found).startswith(f"ACI {found.estimate:.4f}, 95 % confidence interval")
    assert "\n" not in repr(found)
    assert found.to_dict()["standard_error"] == found.standard_error


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"level": 95}, ValueError, "did you mean 0.95"),
        ({"level": 5}, ValueError, "did you mean 0.95"),
        ({"level": 0}, ValueError, "level must lie between 0 and 1"),
        ({"level": 10**400}, ValueError, "level must lie between 0 and 1"),
        ({"level": "high"}, TypeError, "level must be a number"),
        ({"index": "rank"}, ValueError, "index must be a name .*; did you mean"),
        ({"index": 3}, TypeError, "found int"),
        ({"index": lambda P, Q: math.nan}, ValueError, "is nan for 6 of the objects"),
        ({"index": lambda P, Q: "0.5"}, TypeError, "must return a number"),
    ],
)
def test_what_makes_no_sense_is_refused(options, error, words):
    with pytest.raises(error, match=words):
        confidence_interval([0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 0], **options)


def test_partitions_that_make_no_sample_are_refused():
    with pytest.raises(ValueError, match="at least 4 objects, found 3"):
        confidence_interval([0, 1, 1], [0, 1, 0])
    loose = Partition([[0.5, 0.2]] * 5, kind="possibilistic")
    with pytest.raises(ValueError, match="possibilistic partitions, and Q is one"):
        confidence_interval([0, 1, 1, 0, 1], loose)


def test_rounded_tables_whose_rows_sum_to_more_than_1_follow_the_definition():
    rng = np.random.default_rng(0)
    U = np.round(rng.dirichlet([0.1] * 3, 40), 2)
    U[:, 0] += 0.01 * (U.sum(axis=1) <= 1.0) * (U[:, 0] < 1.0)
    P, Q = Partition(U), Partition(rng.integers(3, size=40))
    left = np.array(reference.left_out(ndc, rows(P), rows(Q))) - ndc(rows(P), rows(Q))
    np.testing.assert_allclose(chosen_index("ndc").changes(P, Q, ONE), left, atol=1e-12)


@pytest.mark.parametrize("name", ["fuzzy and crisp", "two crisp"])
def test_nineteen_of_twenty_intervals_hold_the_value_of_the_population(name):
    found = designs.coverage(designs.DESIGNS[name], 100, sets=250, samples=20)
    assert 0.91 <= found.inside <= 0.985
    assert found.standard_error == pytest.approx(found.spread, rel=0.15)


def test_a_difference_is_that_of_two_indices_and_paired():
    rng = np.random.default_rng(0)
    z = rng.integers(3, size=60)
    P, Q = rng.dirichlet([1, 1, 1], 60), np.where(rng.random(60) < 0.8, z, 0)
    found = difference_test(P, Q, z)
    one, other = (cc.adjusted_concordance_index(X, z) for X in (P, Q))
    assert found.values == (one, other)
    assert found.estimate == one - other
    changes = chosen_index("aci").changes(Partition(P), Partition(z), ONE)
    changes = changes - chosen_index("aci").changes(Partition(Q), Partition(z), ONE)
    expected = Jackknife.of(one - other, changes)
    assert found.standard_error == expected.standard_error
    assert (found.pvalue < 0.05) == (not found.low < 0.0 < found.high)


def test_exchanging_the_two_exchanges_the_sign():
    P, Q, z = np.random.default_rng(1).integers(3, size=(3, 50))
    one, other = difference_test(P, Q, z), difference_test(Q, P, z)
    assert one.estimate == -other.estimate
    assert one.pvalue == pytest.approx(other.pvalue)
    assert one.low == pytest.approx(-other.high)
    greater = difference_test(P, Q, z, alternative="greater").pvalue
    less = difference_test(P, Q, z, alternative="less").pvalue
    assert greater + less == pytest.approx(1.0)
    assert one.pvalue == pytest.approx(2 * min(greater, less))


def test_a_partition_is_not_closer_than_itself():
    P, z = np.random.default_rng(1).integers(3, size=(2, 50))
    for alternative in ("two-sided", "greater", "less"):
        found = difference_test(P, P, z, alternative=alternative)
        assert (found.estimate, found.low, found.high, found.pvalue) == (0, 0, 0, 1)


def test_a_test_of_a_difference_keeps_its_level_and_has_power():
    assert 0.02 <= designs.rejected(100, (0.2, 0.2), None, 250) <= 0.085
    assert designs.rejected(200, (0.1, 0.4), None, 100) >= 0.95


def test_a_difference_of_any_index_prints_for_people():
    P, Q, z = np.random.default_rng(2).integers(3, size=(3, 20))
    found = difference_test(P, Q, z, index=cc.rand_index)
    assert found.index == "rand_index"
    assert "rand_index with the reference: P 0." in str(found)
    assert "\n" not in repr(found)
    assert found.to_dict()["pvalue"] == found.pvalue


DISTANCES = [
    record.name
    for record in (*INDICES.values(), *STATISTICS.values())
    if record.best == 0.0
]


@pytest.mark.parametrize(
    "index", [*DISTANCES, "VI", cc.mirkin_metric, "nmi", cc.rand_index]
)
def test_greater_means_that_p_is_closer_whatever_the_direction_of_the_index(index):
    rng = np.random.default_rng(5)
    z = rng.integers(3, size=60)
    near, far = (np.where(rng.random(60) < part, 0, z) for part in (0.1, 0.7))
    found = difference_test(near, far, z, index=index, alternative="greater")
    assert found.pvalue < 0.05
    assert ", one-sided: P is closer;" in str(found)
    less = difference_test(near, far, z, index=index, alternative="less")
    assert less.pvalue == pytest.approx(1.0 - found.pvalue)
    assert ", one-sided: Q is closer;" in str(less)
    options = {"index": index, "n_permutations": 99, "random_state": 0}
    assert concordance_test(near, z, **options).pvalue == 0.01
    assert concordance_test(near, z, **options, alternative="less").pvalue > 0.9


def test_distances_are_the_indices_whose_lowest_value_is_the_best():
    assert {"vi", "mirkin"} <= {*DISTANCES}


def test_the_reference_is_matched_by_id_if_that_is_asked_for():
    rng = np.random.default_rng(3)
    P, Q, z = (pd.Series(rng.integers(3, size=30)) for _ in range(3))
    expected = difference_test(P, Q, z)
    order = rng.permutation(30)
    found = difference_test(P, Q, z.iloc[order], match_by="id")
    assert found.estimate == expected.estimate
    with pytest.raises(ValueError, match="have different ids, first at"):
        difference_test(P, Q, z.iloc[order])
    other = pd.Series(z.to_numpy(), index=z.index + 1)
    with pytest.raises(ValueError, match="the ids of P and reference differ"):
        difference_test(P, Q, other, match_by="id")
    with pytest.raises(ValueError, match="reference has none"):
        difference_test(P, Q, z.to_numpy(), match_by="id")


def test_objects_that_all_three_partitions_have_can_be_compared():
    rng = np.random.default_rng(4)
    P, Q, z = (pd.Series(rng.integers(3, size=40)) for _ in range(3))
    expected = difference_test(P[5:30], Q[5:30], z[5:30])
    found = difference_test(P[:30], Q[5:], z.iloc[::-1], match_by="common")
    assert (found.n_objects, found.estimate) == (25, expected.estimate)
    assert found.pvalue == pytest.approx(expected.pvalue)
    kept = z != 2
    expected = difference_test(P[kept], Q[kept], z[kept])
    noisy = Partition(z.where(kept, -1), noise="drop")
    assert difference_test(P, Q, noisy).estimate == expected.estimate


def test_three_partitions_of_different_objects_are_refused():
    with pytest.raises(ValueError, match="P has 5 objects and reference has 4"):
        difference_test([0, 0, 1, 1, 1], [0, 1, 1, 0, 0], [0, 0, 1, 1])
    noisy = Partition([0, 0, 1, 1, -1], noise="drop")
    with pytest.raises(ValueError, match="P has 4 objects and reference has 5"):
        difference_test([0, 0, 1, 1], [0, 1, 1, 0], noisy)
    loose = Partition([[0.5, 0.2]] * 4, kind="possibilistic")
    with pytest.raises(ValueError, match="reference is one"):
        difference_test([0, 0, 1, 1], [0, 1, 1, 0], loose)
    with pytest.raises(ValueError, match="alternative must be"):
        difference_test([0, 0, 1, 1], [0, 1, 1, 0], [0, 0, 1, 1], alternative="more")


def test_threads_of_blas_change_no_bit_of_a_jackknife():
    rng = np.random.default_rng(0)
    for n in range(20_000, 200_000, 20_000):
        changes, found = rng.gamma(1.0, size=n), []
        for n_threads in (1, 2):
            with threadpool_limits(n_threads, user_api="blas"):
                found.append(Jackknife.of(0.5, changes, index_of=np.mean))
        assert found[0] == found[1]


def test_an_interval_of_a_comparison_says_of_which_similarity_it_is():
    P, Q = np.random.default_rng(0).dirichlet([0.5] * 3, (2, 50))
    found = cc.compare(P, Q, similarity="inner", interval=True).intervals["aci"]
    assert found == confidence_interval(P, Q, similarity="inner")
    assert "similarity inner" in str(found)
