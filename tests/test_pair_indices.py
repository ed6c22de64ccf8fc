"""Indices that are sums over pairs, against their definitions and known values."""

import numpy as np
import pytest
import reference
from oracle import inner_truth

import concordant as cc

TOY = (
    [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]],
    [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]],
)


def cases(number=500, seed=0, least=2, most=9):
    """Draw small partitions, fuzzy and crisp ones, soft and nearly crisp ones."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        n = int(rng.integers(least, most))
        sides = []
        for _ in range(2):
            U = rng.dirichlet(np.full(rng.integers(1, 5), rng.choice([0.1, 1, 5])), n)
            U /= U.sum(axis=1, keepdims=True)
            if rng.random() < 0.25:
                U = np.eye(U.shape[1])[U.argmax(axis=1)]
            sides.append(U)
        yield sides


def adjusted(value, expected):
    return 1.0 if expected > 1 - 1e-12 else (value - expected) / (1 - expected)


def test_the_generalized_rand_index_agrees_with_its_definition():
    for U, V in cases():
        value, expected = reference.generalized_rand(U, V)
        found = cc.compare(U, V, indices=["gri", "agri"])
        assert found["gri"] == pytest.approx(value, abs=1e-13)
        if expected < 1 - 1e-9 and np.ptp(U) > 0 and np.ptp(V) > 0:
            assert found["agri"] == pytest.approx(adjusted(value, expected), abs=1e-9)


def test_the_adjusted_generalized_rand_index_of_the_paper():
    assert cc.adjusted_generalized_rand_index(*TOY) == pytest.approx(
        -0.051902, abs=5e-7
    )
    assert cc.generalized_rand_index(*TOY) == pytest.approx(0.753867, abs=5e-7)


@pytest.mark.parametrize("n", [40, 600])
@pytest.mark.parametrize("kind", ["fuzzy", "with a crisp one", "crisp"])
def test_indices_of_inner_products_are_the_concordance_by_these(n, kind):
    rng = np.random.default_rng(n)
    P, Q = rng.dirichlet([1] * 3, n), rng.dirichlet([0.3] * 4, n)
    P, Q = {
        "fuzzy": (P, Q),
        "with a crisp one": (P, Q.argmax(axis=1)),
        "crisp": (P.argmax(axis=1), Q.argmax(axis=1)),
    }[kind]
    inner = cc.concordance(P, Q, similarity="inner")
    found = cc.compare(P, Q, indices=["aci", "ndc", "agri", "gri"])
    assert found.scores["agri"] == (inner.aci, inner.error)
    assert found["gri"] == inner.ndc
    assert found.concordance == cc.concordance(P, Q)
    for threads in (2, 3):
        again = cc.compare(P, Q, indices=["agri", "gri"], n_jobs=threads)
        assert again.scores["agri"] == found.scores["agri"]
    alone = cc.compare(P, Q, indices=["agri"], similarity="inner")
    assert alone.scores["agri"] == found.scores["agri"]
    if n < 100:
        true = inner_truth(np.asarray(P), np.asarray(Q))
        assert abs(found["agri"] - true.aci) <= found.scores["agri"].error + 2.0**-52


def test_other_values_share_the_visit_of_a_sample():
    rng = np.random.default_rng(5)
    P, Q = rng.dirichlet([1] * 3, 500), rng.dirichlet([1] * 3, 500)
    how = {"method": "sampled", "tol": 0.01, "random_state": 1}
    both = cc.compare(P, Q, indices=["aci", "agri"], **how)
    inner = cc.concordance(P, Q, similarity="inner", **how)
    assert both.scores["agri"] == (inner.aci, inner.error)
    assert both["aci"] == cc.concordance(P, Q, **how).aci
    exact = cc.adjusted_generalized_rand_index(P, Q)
    assert abs(both["agri"] - exact) <= 1.5 * both.scores["agri"].error
    assert 0.0 < both.scores["agri"].error <= 0.01


def test_an_index_of_inner_products_is_adjusted_for_permutations_whatever_the_null():
    rng = np.random.default_rng(6)
    P, Q = rng.dirichlet([1] * 3, 30), rng.dirichlet([1] * 3, 30)
    found = cc.compare(P, Q, indices=["aci", "agri"], method="permutations")
    assert found["agri"] == cc.adjusted_generalized_rand_index(P, Q)
    assert found.concordance.n_permutations == 1000
