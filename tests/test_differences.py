"""Where two partitions differ, object by object."""

import numpy as np
import pytest
from hypothesis import given, settings
from partitions import STYLES, memberships, two_partitions

import concordant as cc
from concordant.inference import differences, sums_by_sorts
from concordant.partition.partition import equivalence
from concordant.sums.contingency import soft_cross_table


def naive(P, Q):
    """Average |E_P - E_Q| over the others, from the definition."""
    P, Q = cc.Partition(P).memberships, cc.Partition(Q).memberships
    n = len(P)
    values = np.zeros(n)
    for i in range(n):
        for j in range(n):
            e_p = 1.0 - 0.5 * np.abs(P[i] - P[j]).sum()
            e_q = 1.0 - 0.5 * np.abs(Q[i] - Q[j]).sum()
            values[i] += abs(e_p - e_q) / (n - 1)
    return values


@settings(deadline=None)
@given(pq=two_partitions(max_n=15))
def test_it_follows_the_definition(pq):
    found = cc.object_discordance(*pq)
    assert found.is_exact
    assert not found.standard_errors.any()
    np.testing.assert_allclose(found.values, naive(*pq), atol=1e-12)


@pytest.mark.parametrize("style_p", STYLES)
@pytest.mark.parametrize("style_q", STYLES)
def test_its_mean_is_one_minus_the_ndc(style_p, style_q):
    rng = np.random.default_rng(5)
    P, Q = memberships(rng, 40, 3, style_p), memberships(rng, 40, 4, style_q)
    mean = cc.object_discordance(P, Q).values.mean()
    assert mean == pytest.approx(1.0 - cc.concordance(P, Q).ndc, abs=1e-13)


@pytest.mark.parametrize("labels", [np.arange(50), np.zeros(50, int)])
def test_singletons_and_one_cluster_are_counted_right(labels):
    U = np.random.default_rng(0).dirichlet([1, 1], size=50)
    found = cc.object_discordance(U, labels).values
    np.testing.assert_allclose(found, naive(U, labels), atol=1e-12)


def rounded(rng, n, K, digits):
    """Draw a table whose rows sum to more than 1, many of them without a cluster."""
    U = np.round(rng.dirichlet(np.full(K, 0.1), size=n), digits)
    U[np.arange(n), rng.integers(K, size=n)] += 10.0**-digits * (U.sum(axis=1) <= 1.0)
    return np.round(np.minimum(U, 1.0), digits)


@pytest.mark.parametrize("digits", [2, 3])
@pytest.mark.parametrize("K", [3, 4, 6])
def test_rows_that_sum_to_more_than_1_follow_the_definition(K, digits, monkeypatch):
    rng = np.random.default_rng(K)
    U, labels = rounded(rng, 200, K, digits), rng.integers(4, size=200)
    expected = naive(U, labels)
    for most in (sums_by_sorts.EXACT_UP_TO, 100):  # a small table, and a large one
        monkeypatch.setattr(sums_by_sorts, "EXACT_UP_TO", most)
        for found in (
            cc.object_discordance(U, labels),
            cc.object_discordance(labels, U),
        ):
            assert found.is_exact
            np.testing.assert_allclose(found.values, expected, atol=1e-13)


def test_negative_similarities_of_many_objects_are_sampled_with_an_error(monkeypatch):
    rng = np.random.default_rng(1)
    U, labels = rounded(rng, 300, 4, 3), rng.integers(4, size=300)
    for module in (differences, sums_by_sorts):
        monkeypatch.setattr(module, "EXACT_UP_TO", 100)
    found = cc.object_discordance(U, labels, n_partners=100, random_state=0)
    assert not found.is_exact
    off = np.abs(found.values - naive(U, labels))
    assert (off <= 6.0 * found.standard_errors).all()


def test_blocks_make_no_difference():
    rng = np.random.default_rng(8)
    U, V = rng.dirichlet([1, 1, 1], 1500), rng.dirichlet([1, 1], 1500)
    found = cc.object_discordance(U, V).values
    everyone = np.arange(1500)
    for i in (0, 700, 1499):
        here = np.full(1500, i)
        differences = np.abs(
            equivalence(cc.Partition(U), here, everyone)
            - equivalence(cc.Partition(V), here, everyone)
        )
        assert found[i] == pytest.approx(differences.sum() / 1499, rel=1e-12)


def test_a_sample_keeps_to_its_standard_errors():
    rng = np.random.default_rng(2)
    U, V = rng.dirichlet([1, 1, 1], 800), rng.dirichlet([1, 1, 1], 800)
    exact = cc.object_discordance(U, V).values
    sampled = cc.object_discordance(U, V, n_partners=200, random_state=1)
    assert not sampled.is_exact
    assert sampled.n_partners == 200
    z = (sampled.values - exact) / sampled.standard_errors
    assert np.std(z) < 1.5
    assert np.mean(np.abs(z) < 1.96) > 0.85
    again = cc.object_discordance(U, V, n_partners=200, random_state=1)
    assert (again.values == sampled.values).all()


def test_a_sample_of_all_is_exact():
    rng = np.random.default_rng(2)
    U, V = rng.dirichlet([1, 1, 1], 30), rng.dirichlet([1, 1, 1], 30)
    assert cc.object_discordance(U, V, n_partners=29).is_exact


def test_large_fuzzy_partitions_are_sampled_unless_one_is_crisp():
    rng = np.random.default_rng(2)
    U, V = rng.dirichlet([1, 1], 10_001), rng.dirichlet([1, 1], 10_001)
    assert cc.object_discordance(U, V, random_state=0).n_partners == 2000
    assert cc.object_discordance(U, np.arange(10_001) % 4).is_exact


def test_the_largest_come_first_and_ties_in_order():
    found = cc.object_discordance([0, 0, 0, 0, 1], [0, 0, 0, 1, 1])
    assert found.largest(3).tolist() == [3, 0, 1]
    assert found.largest(99).size == 5


def test_fewer_than_two_objects_do_not_differ():
    assert cc.object_discordance([0], [[0.5, 0.5]]).values.tolist() == [0.0]


def test_objects_are_matched_by_id_if_asked():
    P = cc.Partition([0, 0, 1], ids=["a", "b", "c"])
    Q = cc.Partition([1, 0, 0], ids=["c", "b", "a"])
    assert not cc.object_discordance(P, Q, match_by="id").values.any()


@pytest.mark.parametrize(
    ("n_partners", "error"), [(2, ValueError), (0, ValueError), (2.5, TypeError)]
)
def test_the_number_of_partners_is_checked(n_partners, error):
    with pytest.raises(error, match="n_partners must be"):
        cc.object_discordance([0, 1], [0, 1], n_partners=n_partners)


def test_possibilistic_partitions_are_refused():
    P = cc.Partition([[0.5, 0.1], [0.2, 0.2]], kind="possibilistic")
    with pytest.raises(ValueError, match="and Q is one"):
        cc.object_discordance([0, 1], P)


@pytest.mark.parametrize("style_p", ["crisp", "dirichlet"])
@pytest.mark.parametrize("style_q", ["crisp", "dirichlet"])
def test_the_cross_table_is_a_product_of_memberships(style_p, style_q):
    rng = np.random.default_rng(4)
    U, V = memberships(rng, 30, 3, style_p), memberships(rng, 30, 5, style_q)
    table = soft_cross_table(cc.Partition(U), cc.Partition(V))
    np.testing.assert_allclose(table, U.T @ V, atol=1e-12)


def test_memberships_that_are_close_keep_the_digits_of_their_differences():
    Q = np.array([[1, 1e-20], [1, 2e-20], [1, 5e-20]])
    values = cc.object_discordance(np.full((3, 2), 0.5), Q).values
    np.testing.assert_allclose(values, [1.25e-20, 1e-20, 1.75e-20], rtol=1e-12)
