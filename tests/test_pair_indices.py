"""Indices that are sums over pairs, against their definitions and known values."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
import reference
from oracle import inner_truth

import concordant as cc
from concordant.catalogue import INDICES

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


def of_any_kind(rng, n):
    """Draw a partition of any kind, memberships and all."""
    K = int(rng.integers(1, 5))
    match int(rng.integers(5)):
        case 0:
            return cc.Partition(rng.random((n, K)), kind="possibilistic")
        case 1:
            return cc.Partition(rng.random((n, K)) < 0.5, kind="overlapping")
        case 2:
            tiny = 10.0 ** -rng.integers(1, 9) * rng.random((n, K))
            return cc.Partition(0.5 + tiny / 4, kind="possibilistic")
        case 3:
            return cc.Partition(rng.dirichlet(np.ones(K), n))
    return cc.Partition(rng.integers(K, size=n))


def exact_generalized_rand(P, Q):
    """GRI and AGRI in fractions."""

    def degrees(X):
        rows = [[Fraction(x) for x in row] for row in X.memberships.tolist()]
        pairs = list(combinations(rows, 2))
        J = [sum(a * b for a, b in zip(u, v, strict=True)) for u, v in pairs]
        T = [sum(u) * sum(v) for u, v in pairs]
        return J, [t - x for t, x in zip(T, J, strict=True)], sum(T)

    (J, S, T), (H, R, W) = degrees(P), degrees(Q)
    most, m = max(T, W), len(J)
    if most == 0:
        return Fraction(1), Fraction(1)
    both = (J, H), (S, R)
    value = sum(min(a, b) for x, y in both for a, b in zip(x, y, strict=True)) / most
    chance = sum(min(a, b) for x, y in both for a in x for b in y) / most / m
    return value, (value - chance) / (1 - chance) if chance != 1 else Fraction(1)


@pytest.mark.parametrize("way", ["sorted", "binned"])
def test_the_generalized_rand_index_of_any_kinds_is_within_its_error(way):
    rng = np.random.default_rng(1)
    for _ in range(500 if way == "sorted" else 60):
        n = int(rng.integers(2, 9))
        P, Q = of_any_kind(rng, n), of_any_kind(rng, n)
        if not {P.kind, Q.kind} & {"possibilistic", "overlapping"}:
            continue
        found = cc.compare(P, Q, indices=["gri", "agri"], method=way).scores
        for name, true in zip(found, exact_generalized_rand(P, Q)[::-1], strict=True):
            value, error = found[name]
            assert abs(Fraction(value) - true) <= Fraction(error), (name, P, Q)
        again = cc.compare(Q, P, indices=["gri", "agri"], method=way).scores
        assert again == found
        assert cc.adjusted_generalized_rand_index(P, P) == 1.0


def test_a_sample_of_pairs_of_free_sums_is_refused():
    P = cc.Partition(np.random.default_rng(0).random((9, 2)), kind="possibilistic")
    with pytest.raises(ValueError, match="takes all pairs; leave out tol"):
        cc.compare(P, P, indices=["agri"], method="sampled")


def test_covers_hold_zeros_and_ones_and_say_what_they_are():
    P = cc.Partition([[True, True], [False, True], [False, False]], kind="overlapping")
    assert (P.kind, P.shape) == ("overlapping", (3, 2))
    assert repr(P) == "Partition(overlapping, 3 objects, 2 clusters)"
    assert P[:2].kind == "overlapping"
    with pytest.raises(
        ValueError, match=r"found 0.5 in row 1, column 0.*possibilistic"
    ):
        cc.Partition([[1, 1], [0.5, 1]], kind="overlapping")
    with pytest.raises(ValueError, match="holds labels"):
        cc.Partition([0, 1], kind="overlapping")


@pytest.mark.parametrize("kind", ["overlapping", "possibilistic"])
@pytest.mark.parametrize("how", [{"normalize": True}, {"noise": "column"}])
def test_rows_that_need_not_sum_to_one_are_not_made_to(kind, how):
    with pytest.raises(ValueError, match="rows that need not; leave out one"):
        cc.Partition([[1, 1], [0, 1]], kind=kind, **how)


@pytest.mark.parametrize("name", INDICES)
def test_an_index_refuses_kinds_that_it_does_not_list(name):
    P = cc.Partition([[1, 1], [0, 1], [1, 0]], kind="overlapping")
    if "overlapping" in INDICES[name].kinds:
        assert cc.compare(P, P, indices=[name])[name] == INDICES[name].best
    else:
        with pytest.raises(ValueError, match="is not defined for overlapping"):
            cc.compare(P, [0, 0, 1], indices=[name])


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
    assert tuple(both.scores["agri"]) == (inner.aci, inner.error)
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
