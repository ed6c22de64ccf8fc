"""The inner product in the place of the L1 similarity: 13AGRI, against fractions."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from bins import by_value, in_bins
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import assert_within_errors, inner_truth
from partitions import two_partitions
from sklearn.metrics import adjusted_rand_score

import concordant as cc

METHODS = ("auto", "sorted", "binned")
TOY = (
    [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]],
    [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]],
)


@pytest.mark.parametrize("method", METHODS)
def test_the_toy_of_the_paper_has_its_published_values(method):
    found = by_value(*TOY, "inner", method=method)
    assert found.ndc == pytest.approx(0.753867, abs=5e-7)
    assert found.expected == pytest.approx(0.766011, abs=5e-7)
    assert found.aci == pytest.approx(-0.051902, abs=5e-7)


@settings(max_examples=60, deadline=None)
@given(pq=two_partitions(), method=st.sampled_from((*METHODS, "sampled")))
def test_numbers_are_within_their_errors(pq, method):
    P, Q = pq
    sampled = {"tol": 1e-15, "random_state": 0} if method == "sampled" else {}
    found = by_value(P, Q, "inner", method=method, **sampled)
    assert_within_errors(found, inner_truth(P, Q))
    assert_within_errors(in_bins(P, Q, "inner"), inner_truth(P, Q))


@pytest.mark.parametrize(
    "make",
    [
        lambda rng, U: U,
        lambda rng, U: np.eye(3)[U.argmax(axis=1)] * (1 + 9e-6),
        lambda rng, U: np.eye(3)[U.argmax(axis=1)] + [1e-7, 0.0, -1e-7],
        lambda rng, U: 1 / 3 + 1e-9 * (U - 1 / 3),
        lambda rng, U: U * (1 + rng.uniform(-9e-6, 9e-6, (len(U), 1))),
        lambda rng, U: np.column_stack((np.ones(len(U)), 1e-309 * U)),
        lambda rng, U: np.round(U, 2),
        lambda rng, U: rng.multinomial(7, [0.2, 0.3, 0.5], len(U)) / 7,
        lambda rng, U: rng.integers(4, size=len(U)),
    ],
)
def test_memberships_of_many_kinds_are_within_their_errors(make):
    rng = np.random.default_rng(0)
    U, V = rng.dirichlet([1, 1, 1], 120), rng.dirichlet([0.3] * 4, 120)
    P = make(rng, U)
    for Q in (V, make(rng, rng.dirichlet([1, 1, 1], 120))):
        for method in METHODS:
            assert_within_errors(
                by_value(P, Q, "inner", method=method), inner_truth(P, Q)
            )


def test_threads_and_exchanged_partitions_change_no_bit():
    rng = np.random.default_rng(1)
    P, Q = rng.dirichlet([1] * 3, 700), rng.dirichlet([1] * 4, 700)
    found = by_value(P, Q, "inner")
    assert found.method == "binned"
    assert by_value(P, Q, "inner", n_jobs=3) == found
    assert by_value(Q, P, "inner") == found
    assert by_value(P, P, "inner").aci == 1.0


def test_crisp_partitions_have_their_adjusted_rand_index():
    rng = np.random.default_rng(2)
    p, q = rng.integers(3, size=(2, 50))
    found = cc.concordance(p, q, similarity="inner")
    assert replace(found, similarity="l1") == cc.concordance(p, q)
    assert found.aci == pytest.approx(adjusted_rand_score(p, q), abs=1e-15)


def test_the_expectation_is_the_mean_over_all_permutations():
    rng = np.random.default_rng(3)
    P, Q = rng.dirichlet([1] * 3, 5), rng.dirichlet([0.5] * 2, 5)
    each = [
        cc.normalized_degree_of_concordance(P, Q[list(order)], similarity="inner")
        for order in permutations(range(5))
    ]
    found = cc.concordance(P, Q, similarity="inner")
    assert found.expected == pytest.approx(np.mean(each), abs=1e-14)


@pytest.mark.parametrize("n", [5, 100, 600])
@pytest.mark.parametrize("other", ["crisp", "fuzzy"])
def test_a_partition_that_tells_no_object_apart_agrees_by_chance(n, other):
    rng = np.random.default_rng(n)
    alike = np.tile([0.3, 0.2, 0.5], (n, 1))
    fuzzy = rng.dirichlet([1, 1], n)
    Q = fuzzy if other == "fuzzy" else fuzzy.argmax(axis=1)
    assert cc.adjusted_concordance_index(alike, Q, similarity="inner") == 0.0
    assert cc.adjusted_concordance_index(alike, alike, similarity="inner") == 1.0


@pytest.mark.parametrize("below", [0.0, 1e-17, 1e-7])
def test_slightly_negative_memberships_widen_no_error_beside_a_crisp_partition(below):
    rng = np.random.default_rng(4)
    U = np.eye(3)[rng.integers(3, size=90)]
    U[:, 0] += below
    U[:, 1] -= below
    U[:9] = rng.dirichlet([1, 1, 1], 9)
    Q = rng.integers(3, size=90)
    found = cc.concordance(U, Q, similarity="inner")
    assert_within_errors(found, inner_truth(U, Q))
    assert found.error < 1e-12
    forced = cc.concordance(U, Q, similarity="inner", method="fuzzy-crisp")
    assert_within_errors(forced, inner_truth(U, Q))
    assert forced.error < 1e-11 + 100 * below


def test_what_it_was_about_is_remembered_and_printed():
    P, Q = TOY
    found = cc.compare(P, Q, similarity="inner")
    assert (found.similarity, found.null) == ("inner", "permutations")
    assert found.to_dict()["similarity"] == "inner"
    assert found.to_dict()["concordance"]["null"] == "permutations"
    assert "similarity inner" in str(found)
    assert "similarity inner" in str(found.concordance)
    assert found.aci == cc.adjusted_concordance_index(P, Q, similarity="inner")
    assert found.ndc == cc.normalized_degree_of_concordance(P, Q, similarity="inner")
    assert "; similarity" in str(found)
    assert "; similarity" not in str(cc.compare(P, Q))


def test_a_similarity_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match='similarity must be "l1" or "inner"'):
        cc.concordance(*TOY, similarity="cosine")


@pytest.mark.parametrize("index", ["rand", "nmi", "agri"])
def test_what_no_wanted_index_depends_on_is_refused(index):
    with pytest.raises(ValueError, match='similarity is for indices="aci", "ndc" or'):
        cc.compare(*TOY, indices=[index], similarity="inner")
    with pytest.raises(ValueError, match='null is for indices="aci" or "expected"; le'):
        cc.compare(*TOY, indices=[index, "ndc"], null="dirichlet-flat")
    with pytest.raises(ValueError, match="similarity is for"):
        cc.agreement([*TOY], index=index, similarity="inner")
    assert cc.compare(*TOY, indices=[index, "aci"], similarity="inner").aci < 0.0
