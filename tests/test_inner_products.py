"""The inner product in the place of the L1 similarity: 13AGRI, against fractions."""

import numpy as np
import pytest
from bins import by_value, in_bins
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import assert_within_errors, inner_truth
from partitions import two_partitions

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
    assert by_value(p, q, "inner") == by_value(p, q, "l1")
