"""The examples that the paper works out (section 4)."""

import itertools
import math

import numpy as np
import pytest
import reference

import concordant as cc

P_CRISP = [[1, 0], [1, 0], [0, 1], [1, 0]]
Q_CRISP = [[1, 0], [0, 1], [0, 1], [1, 0]]
P_FUZZY = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
Q_FUZZY = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]


def test_the_crisp_example():
    table = cc.pair_table(P_CRISP, Q_CRISP)
    assert (table.a, table.b, table.c, table.d) == (1, 2, 1, 2)
    assert table.rand == 0.5
    assert table.adjusted_rand == 0.0
    assert cc.adjusted_concordance_index(P_CRISP, Q_CRISP) == 0.0


def test_the_fuzzy_example():
    result = cc.concordance(P_FUZZY, Q_FUZZY)
    assert round(result.ndc, 4) == 0.6367
    assert round(result.expected, 4) == 0.6972
    assert result.ndc == pytest.approx(0.636667, abs=5e-7)
    assert result.expected == pytest.approx(0.697222, abs=5e-7)
    assert result.aci == pytest.approx(-0.2, abs=1e-12)
    assert result.is_exact


def test_the_mean_over_all_720_permutations_is_the_closed_form():
    x = reference.dissimilarities(P_FUZZY)
    y = reference.dissimilarities(Q_FUZZY)
    means = [
        math.fsum(abs(a - b) for a, b in zip(x, order, strict=True)) / 6
        for order in itertools.permutations(y)
    ]
    assert len(means) == 720
    exact = cc.concordance(P_FUZZY, Q_FUZZY)
    assert exact.expected_discordance == pytest.approx(
        math.fsum(means) / 720, abs=1e-12
    )
    permuted = cc.concordance(P_FUZZY, Q_FUZZY, method="permutations")
    assert permuted.n_permutations == 720
    assert permuted.is_exact
    assert permuted.expected == pytest.approx(exact.expected, abs=1e-12)


def test_permuting_objects_gives_the_same_mean_as_permuting_similarities():
    U, V = np.array(P_FUZZY), np.array(Q_FUZZY)
    means = [
        reference.discordance(U.tolist(), V[list(order)].tolist())
        for order in itertools.permutations(range(4))
    ]
    assert cc.concordance(U, V).expected_discordance == pytest.approx(
        math.fsum(means) / 24, abs=1e-12
    )


def test_random_permutations_converge_to_the_closed_form():
    rng = np.random.default_rng(5)
    U, V = rng.dirichlet([1, 1, 1], size=40), rng.dirichlet([1, 1], size=40)
    exact = cc.concordance(U, V)
    half_widths = []
    for h in (100, 1000, 10_000):
        found = cc.concordance(
            U, V, method="permutations", n_permutations=h, random_state=1
        )
        assert found.n_permutations == h
        assert found.ndc == exact.ndc
        half_widths.append(found.expected_error)
        assert abs(found.expected - exact.expected) < 2 * found.expected_error
        assert abs(found.aci - exact.aci) < 2 * found.error
    assert half_widths[0] / half_widths[2] == pytest.approx(10, rel=0.25)


def test_random_permutations_cover_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(6)
    U, V = rng.dirichlet([1, 1, 1], size=15), rng.dirichlet([1, 1], size=15)
    exact = cc.concordance(U, V)
    inside = 0
    for seed in range(400):
        found = cc.concordance(
            U, V, method="permutations", n_permutations=60, random_state=seed
        )
        inside += abs(found.aci - exact.aci) <= found.error
    assert 0.90 <= inside / 400 <= 0.99


@pytest.mark.long
def test_permutations_of_crisp_partitions_are_drawn_as_shuffling_would_draw_them():
    rng = np.random.default_rng(8)
    P, Q = rng.integers(3, size=12), rng.integers(2, size=12)
    i, j = np.triu_indices(12, 1)
    x, y = P[i] != P[j], Q[i] != Q[j]
    shuffled = [np.mean(x != rng.permutation(y)) for _ in range(4000)]
    drawn = [
        1.0
        - cc.concordance(
            P, Q, method="permutations", n_permutations=1, random_state=seed
        ).expected
        for seed in range(4000)
    ]
    assert np.mean(drawn) == pytest.approx(np.mean(shuffled), abs=0.005)
    assert np.std(drawn) == pytest.approx(np.std(shuffled), rel=0.05)
    assert {round(d * 66) for d in drawn} <= {round(d * 66) for d in shuffled} | {
        min(round(d * 66) for d in shuffled) - 2,
        max(round(d * 66) for d in shuffled) + 2,
    }


def test_the_same_seed_gives_the_same_permutations_and_none_new_ones():
    rng = np.random.default_rng(7)
    U, V = rng.dirichlet([1, 1], size=10), rng.dirichlet([1, 1], size=10)

    def estimate(seed):
        return cc.concordance(
            U, V, method="permutations", n_permutations=50, random_state=seed
        ).expected

    before = np.random.get_state()[1].copy()  # noqa: NPY002
    assert estimate(1) == estimate(1)
    assert estimate(1) == estimate(np.random.default_rng(1))
    assert estimate(1) != estimate(2)
    assert estimate(None) != estimate(None)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002
