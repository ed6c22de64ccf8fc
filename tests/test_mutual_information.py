"""Normalized mutual information: the classical one, extended to fuzzy partitions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from partitions import two_partitions

import concordant as cc


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 80))
def test_it_is_that_of_scikit_learn_on_labels(seed, n):
    from sklearn.metrics import normalized_mutual_info_score

    rng = np.random.default_rng(seed)
    p, q = rng.integers(6, size=n), rng.integers(4, size=n)
    expected = normalized_mutual_info_score(p, q)
    assert cc.normalized_mutual_information(p, q) == pytest.approx(expected, abs=1e-13)


@settings(max_examples=100, deadline=None)
@given(pq=two_partitions())
def test_the_stated_error_holds_the_definition(pq):
    P, Q = pq
    score = cc.compare(P, Q, indices=["nmi"]).scores["nmi"]
    cells = [
        [sum(Fraction(x) * Fraction(y) for x, y in zip(u, v, strict=True)) for v in Q.T]
        for u in P.T
    ]
    total = sum(map(sum, cells))
    shares = [[float(cell / total) for cell in row] for row in cells]
    rows = [float(sum(row) / total) for row in cells]
    columns = [float(sum(column) / total) for column in zip(*cells, strict=True)]
    information = math.fsum(
        share * math.log(share / (rows[k] * columns[m]))
        for k, row in enumerate(shares)
        for m, share in enumerate(row)
        if share > 0
    )
    entropies = -math.fsum(x * math.log(x) for x in (*rows, *columns) if x > 0)
    if entropies > 1e-9:
        truth = 2 * information / entropies
        assert abs(score.value - truth) <= score.error + 1e-14 / entropies
        assert score.error >= 0.0


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 200))
def test_a_crisp_partition_reaches_1_with_itself_however_it_is_labelled(seed, n):
    rng = np.random.default_rng(seed)
    labels = rng.integers(rng.integers(1, 12), size=n)
    for other in (labels, rng.permutation(12)[labels], np.eye(12)[labels]):
        assert cc.normalized_mutual_information(labels, other) == 1.0


def test_independent_and_trivial_partitions():
    labels = np.repeat([0, 1], 50)
    assert cc.normalized_mutual_information(labels, labels) == 1.0
    assert cc.normalized_mutual_information(labels, np.tile([0, 1], 50)) < 1e-15
    assert cc.normalized_mutual_information(labels, [0] * 100) == 0.0
    assert cc.normalized_mutual_information([0] * 9, [0] * 9) == 1.0


@pytest.mark.parametrize("scale", [1e-90, 1e-170, 1e-320])
def test_tiny_memberships(scale):
    P = np.array([[1.0, scale], [1.0, 0.0], [0.0, 1.0], [scale, 1.0], [1.0, scale]])
    labels = [0, 0, 1, 1, 0]
    assert cc.normalized_mutual_information(P, labels) == pytest.approx(1.0)
    assert cc.normalized_mutual_information(P, P) == pytest.approx(1.0)
    found = cc.compare(P[:2], P[:2][::-1], indices=["nmi"]).scores["nmi"]
    assert 0.0 <= found.value <= 1.0
    assert found.error == 1.0
    tiny = cc.Partition(scale * P, kind="possibilistic")
    assert cc.normalized_mutual_information(tiny, labels) == pytest.approx(1.0)


def test_a_stream_gives_the_same():
    rng = np.random.default_rng(4)
    P, Q = rng.dirichlet([1, 1, 1], size=60), rng.dirichlet([1, 1], size=60)
    chunks = [(P[:25], Q[:25]), (P[25:], Q[25:])]
    expected = cc.normalized_mutual_information(P, Q)
    assert cc.stream(chunks)["nmi"] == pytest.approx(expected, abs=1e-13)
    labels = rng.integers(4, size=60)
    assert cc.stream([(labels, labels)])["nmi"] == 1.0


def test_many_clusters_take_no_square_of_memory():
    rng = np.random.default_rng(5)
    p, q = rng.permutation(300_000) // 3, rng.permutation(300_000) // 3
    assert 0.0 < cc.normalized_mutual_information(p, q) < 1.0
