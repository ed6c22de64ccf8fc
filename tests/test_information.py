"""Indices of the soft contingency table: their definitions, and the crisp ones."""

import math
from itertools import permutations

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from partitions import draw

import concordant as cc
from concordant.bounded import Bounded
from concordant.execution.engine import Threads
from concordant.measures import expected_information as by_chance
from concordant.measures.expected_information import expected_information
from concordant.sums.products import MembershipSums

NAMES = reference.INFORMATION
few = settings(max_examples=60, deadline=None)


@few
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 80))
def test_they_are_those_of_scikit_learn_on_labels(seed, n):
    from sklearn import metrics

    rng = np.random.default_rng(seed)
    p, q = rng.integers(6, size=n), rng.integers(4, size=n)
    found = cc.compare(p, q, indices=[*NAMES, "ami"])
    h, c, v = metrics.homogeneity_completeness_v_measure(p, q)
    for name, theirs in {
        "mutual_information": metrics.mutual_info_score(p, q),
        "homogeneity": h,
        "completeness": c,
        "v_measure": v,
        "nmi": metrics.normalized_mutual_info_score(p, q),
        "ami": metrics.adjusted_mutual_info_score(p, q),
    }.items():
        assert found[name] == pytest.approx(theirs, abs=1e-10), name
    for average in ("arithmetic", "geometric", "min", "max"):
        theirs = metrics.normalized_mutual_info_score(p, q, average_method=average)
        ours = cc.normalized_mutual_information(p, q, average=average)
        assert ours == pytest.approx(theirs, abs=1e-12), average
    table = metrics.cluster.contingency_matrix(p, q)
    assert found["purity"] == pytest.approx(table.max(axis=0).sum() / n, abs=1e-15)


@pytest.mark.parametrize("sizes", [(2, 5), (400, 3), (30_000, 7), (9, 9)])
def test_the_crisp_expectation_is_that_of_scikit_learn(sizes):
    from sklearn.metrics import adjusted_mutual_info_score

    rng = np.random.default_rng(3)
    n, K = sizes[0] * 3, sizes[1]
    p = rng.integers(K, size=n) ** 2 // 3
    q = np.where(rng.random(n) < 0.5, p, rng.integers(K + 1, size=n))
    score = cc.compare(p, q, indices=["ami"]).scores["ami"]
    assert score.value == pytest.approx(adjusted_mutual_info_score(p, q), abs=1e-10)
    assert score.error < 1e-9


@pytest.mark.parametrize("n", [7, 40, 300])
def test_moments_and_draws_agree_within_their_errors(n):
    rng = np.random.default_rng(n)
    P, Q = rng.dirichlet([1, 1, 1], size=n), rng.dirichlet([2, 2], size=n)
    p, q = cc.Partition(P), cc.Partition(Q)
    chance = np.multiply.outer(P.mean(axis=0), Q.mean(axis=0))
    bracket = expected_information(MembershipSums.of(p, q, Threads(1)))
    tables = (P[rng.permutation(n)].T @ Q / n for _ in range(4000))
    draws = [float((t * np.log(t / chance)).sum()) for t in tables]
    spread = 5 * np.std(draws) / math.sqrt(len(draws))
    assert abs(np.mean(draws) - bracket.value) <= bracket.error + spread
    assert isinstance(bracket, Bounded)


@pytest.mark.parametrize("concentration", [0.02, 0.1, 1.0, 10.0, 1e4])
@pytest.mark.parametrize("least", [1.0, 1e-3, 1e-12, 1e-200])
def test_ami_is_within_its_error_of_that_of_all_permutations(concentration, least):
    rng = np.random.default_rng(7)
    orders = np.array(list(permutations(range(7))))
    for K, L in ((2, 2), (3, 2), (3, 4)):
        P = rng.dirichlet([concentration] * K, size=7) + 1e-9
        Q = rng.dirichlet([concentration] * L, size=7) + 1e-9
        Q[:, 0] *= least
        Q[:2, 0] = 0.0
        P, Q = (U / U.sum(axis=1, keepdims=True) for U in (P, Q))
        chance = np.multiply.outer(P.mean(axis=0), Q.mean(axis=0))
        tables = np.moveaxis(P.T[:, orders], 0, 1) @ Q / 7
        kinds = tables > 0.0
        logs = np.log(np.where(kinds, tables, 1.0)) - np.log(np.where(kinds, chance, 1))
        expected = float((tables * np.where(kinds, logs, 0.0)).sum(axis=(1, 2)).mean())
        found = cc.compare(P, Q, indices=["mutual_information", "ami"]).scores
        entropies = (-(x * np.log(x)).sum() for x in (P.mean(axis=0), Q.mean(axis=0)))
        most = 0.5 * sum(entropies) - expected
        true = (found["mutual_information"].value - expected) / most
        assert abs(found["ami"].value - true) <= found["ami"].error + 1e-12 / most


@pytest.mark.parametrize("n", [4, 5, 7])
def test_moments_of_cells_are_those_of_all_permutations(n):
    rng = np.random.default_rng(n)
    a, b = rng.exponential(size=(2, n)) ** 2, rng.exponential(size=(3, n))
    a, b = (x - x.mean(axis=1, keepdims=True) for x in (a, b))
    orders = np.array(list(permutations(range(n))))
    t = np.moveaxis(a[:, orders], 0, 1) @ b.T / n
    for power, mean in zip((2, 3, 4), by_chance._moments(a, b), strict=True):
        np.testing.assert_allclose(mean, (t**power).mean(axis=0), rtol=1e-9, atol=1e-12)


def test_polynomials_are_as_near_to_what_is_drawn_as_they_say():
    x = np.concatenate((np.linspace(0.0, 1.0, 200_001), np.logspace(-15, 0, 20_001)))
    logs = np.log(np.where(x > 0.0, x, 1.0))
    off = np.abs(x * logs - np.polyval(by_chance._BEST[::-1], x))
    assert off.max() <= by_chance._OFF
    for largest in (1.0, 1.01, 1.5, 4.0, 300.0):
        for least in (0.0, 0.3, 0.99, 1.0):
            t = np.linspace(least, largest, 20_001) - 1.0
            low, high = (np.array([[end]]) for end in (least, largest))
            powers = by_chance._nearest(high)[::-1, 0, 0]
            rest = by_chance._beyond(1.0 + t) - np.polyval(powers, 1.0 + t)
            assert np.ptp(rest) <= (2.0 * by_chance._OFF + 1e-14) * largest
            # With a fourth moment of 1, the mean is that of what follows t^4.
            mean, error = by_chance._by_series(
                2.0, 0.0, np.ones((1, 1)), low, high, 9.0
            )
            behind = by_chance._beyond(1.0 + t) - 0.5 * t**2 + t**3 / 6.0
            known = np.abs(t) > 1e-2
            each = behind[known] / t[known] ** 4 + 1.0
            assert (np.abs(each - mean[0, 0]) <= error[0, 0] + 1e-7).all()


def test_draws_depend_on_the_random_state_within_the_error_alone():
    rng = np.random.default_rng(1)
    P, Q = rng.dirichlet([0.2] * 3, size=40), rng.dirichlet([0.3] * 4, size=40)
    scores = [
        cc.compare(P, Q, indices=["ami"], random_state=state).scores["ami"]
        for state in (None, None, 1, 2, 2)
    ]
    assert scores[0] == scores[1]
    assert scores[3] == scores[4]
    assert scores[0] != scores[2]
    assert abs(scores[0].value - scores[2].value) <= scores[0].error + scores[2].error
    assert all(score.error < 2e-3 for score in scores)


@pytest.mark.parametrize("n", [50, 300, 1000])
def test_what_no_permutation_that_was_drawn_shows_is_in_the_error_of_ami(n):
    P, Q = np.zeros((n, 2)), np.zeros((n, 2))
    P[:, 0] = Q[:, 0] = 1.0
    P[0], Q[5] = (1e-9, 1 - 1e-9), (0.0, 1.0)  # one permutation in n joins the two
    truth = cc.adjusted_mutual_information(P.argmax(axis=1), Q.argmax(axis=1))
    for state in (None, 1, 2):
        score = cc.compare(P, Q, indices=["ami"], random_state=state).scores["ami"]
        assert abs(score.value - truth) <= score.error + 1e-6
        assert score.error < 0.02


def test_ami_of_memberships_next_to_nothing_is_a_number():
    P = [[1.0, 1e-200], [1.0, 0.0], [0.5, 0.5]]
    Q = [[1e-200, 1.0], [0.0, 1.0], [0.5, 0.5]]
    score = cc.compare(P, Q, indices=["ami"]).scores["ami"]
    rounded = cc.compare(np.round(P, 9), np.round(Q, 9), indices=["ami"])["ami"]
    assert abs(score.value - rounded) <= score.error + 1e-12
    assert score.error < 1e-9


@pytest.mark.parametrize("least", [5e-324, 1e-310, 1e-150])
def test_ami_with_a_cluster_that_is_next_to_empty_is_that_without_it(least):
    P = np.array([[0.7, 0.3], [0.2, 0.8], [1.0, 0.0], [0.5, 0.5]])
    Q = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0]])
    nearly = np.column_stack((Q, [least, least, 0.0, 0.0]))
    found, other = (
        cc.compare(P, side, indices=["ami"]).scores["ami"] for side in (nearly, Q)
    )
    assert abs(found.value - other.value) <= found.error + other.error
    assert found.error < 1e-9


@pytest.mark.parametrize("least", [5e-324, 1e-310, 1e-150])
def test_a_cluster_that_is_next_to_empty_may_be_all_that_there_is_to_explain(least):
    P, Q = [[1.0, least]] * 2, [[0.4, 0.6]] * 2
    for name, sides in (("homogeneity", (P, Q)), ("completeness", (Q, P))):
        value, error = cc.compare(*sides, indices=[name]).scores[name]
        assert (value, error) == (1.0, 1.0)  # the truth is 0
    empty = [[1.0, 0.0]] * 2
    assert cc.compare(empty, Q, indices=["homogeneity"]).scores == {
        "homogeneity": (1.0, 0.0)
    }


def test_ami_of_exchanged_labels_has_the_same_bits():
    rng = np.random.default_rng(5)
    for _ in range(50):
        p, q = rng.integers(4, size=9), rng.integers(5, size=9)
        one, other = (
            cc.compare(*pair, indices=["ami", "element_centric"]).scores
            for pair in ((p, q), (q, p))
        )
        assert one == other


def test_one_cluster_tells_nothing_of_others_by_any_average():
    for average in ("arithmetic", "geometric", "min", "max"):
        for P, Q in (([0, 0, 1], [0, 0, 0]), ([0, 0, 0], [[0.2, 0.8]] * 2 + [[1, 0]])):
            assert cc.normalized_mutual_information(P, Q, average=average) == 0.0


def test_nearly_empty_clusters_leave_a_small_error():
    rng = np.random.default_rng(1)
    P = rng.dirichlet([1, 1, 1e-3], size=3000) + np.array([0, 0, 1e-9])
    P /= P.sum(axis=1, keepdims=True)
    score = cc.compare(P, P[::-1], indices=["ami"]).scores["ami"]
    assert abs(score.value) < 0.01
    assert score.error < 1e-3


def test_ami_of_possibilistic_partitions_is_refused():
    P = cc.Partition([[0.5, 0.9], [0.1, 0.2]], kind="possibilistic")
    with pytest.raises(ValueError, match="not defined for possibilistic"):
        cc.compare(P, [0, 1], indices=["ami"])


def test_a_stream_gives_all_of_them_ami_by_moments_alone():
    rng = np.random.default_rng(4)
    P, Q = rng.dirichlet([1, 1, 1], size=60), rng.dirichlet([1, 1], size=60)
    whole = cc.compare(P, Q, indices=[*NAMES, "ami"])
    sums = cc.Accumulator(indices=[*NAMES, "ami"]).update(P[:25], Q[:25])
    found = sums.update(P[25:], Q[25:]).result()
    for name in NAMES:
        assert found[name] == pytest.approx(whole[name], abs=1e-13)
    drawn, by_moments = whole.scores["ami"], found.scores["ami"]
    assert drawn.error < by_moments.error < 0.1
    assert abs(drawn.value - by_moments.value) <= drawn.error + by_moments.error


def test_the_ami_of_a_stream_of_labels_is_exact():
    rng = np.random.default_rng(7)
    p, q = rng.integers(5, size=90), rng.integers(8, size=90)
    sums = cc.Accumulator(indices=["ami"])
    for start in (60, 0, 30):
        sums.update(p[start : start + 30], q[start : start + 30])
    expected = cc.compare(p, q, indices=["ami"])
    assert sums.result().scores["ami"] == expected.scores["ami"]


@few
@given(seed=st.integers(0, 2**32 - 1))
def test_sums_of_chunks_are_the_same_bits_in_any_order(seed):
    rng = np.random.default_rng(seed)
    P, Q = draw(seed, 40, 4)
    parts = [
        cc.Accumulator(kinds=("fuzzy", "fuzzy"), indices=["ami", "fari"]).update(p, q)
        for p, q in zip(np.array_split(P, 5), np.array_split(Q, 5), strict=True)
        if len(p)
    ]
    found = []
    for order in (range(len(parts)), rng.permutation(len(parts))):
        total = cc.Accumulator(kinds=("fuzzy", "fuzzy"), indices=["ami", "fari"])
        for number in order:
            total.merge(parts[number])
        found.append(total.result().scores)
    assert repr(found[0]) == repr(found[1])


def test_an_average_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="average must be"):
        cc.normalized_mutual_information([0, 1], [0, 1], average="mean")


def test_a_matrix_of_an_index_that_is_not_symmetric_has_both_orders():
    rng = np.random.default_rng(6)
    runs = [rng.integers(K, size=30) for K in (2, 3, 5)]
    for name in ("homogeneity", "purity", "mutual_information"):
        found = cc.agreement(runs, index=name)
        for i, P in enumerate(runs):
            for j, Q in enumerate(runs):
                expected = cc.compare(P, Q, indices=[name])[name]
                assert found.values[i, j] == pytest.approx(expected, abs=1e-14)
        assert np.isfinite(found.distances).all()
        assert (found.distances == found.distances.T).all()


def test_cells_below_0_by_rounding_count_as_0():
    U = np.array([[1.0 + 9e-6, -9e-6], [1.0, 0.0], [0.0, 1.0], [-9e-6, 1.0 + 9e-6]])
    V = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
    exact = reference.information(U.tolist(), V)
    found = cc.compare(U, cc.Partition(V), indices=[*exact])
    for name, value in exact.items():
        assert abs(found[name] - value) <= found.scores[name].error + 1e-15


def test_the_error_of_ami_allows_for_memberships_below_0():
    for least in (1e-6, 1e-9, 1e-12):
        P = np.eye(3)[[0, 0, 1, 1, 2]] + least * np.array([-1.0, 0.0, 1.0])
        Q = np.eye(3)[[0, 1, 1, 2, 2]] + least * np.array([1.0, -1.0, 0.0])
        score = cc.compare(P, Q, indices=["ami"]).scores["ami"]
        truth = float(reference.index("ami", P, Q))
        assert abs(score.value - truth) <= score.error + 1e-12
