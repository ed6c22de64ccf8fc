"""Normalized mutual information: the classical one, extended to fuzzy partitions."""

import itertools
import math
from decimal import Context, Decimal, localcontext
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
    if scale < 1e-120:
        assert found.error == 1.0
        with pytest.raises(ValueError, match="cannot be told from the digits"):
            cc.normalized_mutual_information(P[:2], P[:2][::-1])
    else:
        assert found.value <= found.error < 1e-12


def test_a_stream_gives_the_same():
    rng = np.random.default_rng(4)
    P, Q = rng.dirichlet([1, 1, 1], size=60), rng.dirichlet([1, 1], size=60)
    sums = cc.Accumulator(indices="nmi").update(P[:25], Q[:25])
    expected = cc.normalized_mutual_information(P, Q)
    found = sums.update(P[25:], Q[25:]).result()["nmi"]
    assert found == pytest.approx(expected, abs=1e-13)
    labels = rng.integers(4, size=60)
    same = cc.Accumulator(indices="nmi").update(labels, labels)
    assert same.result()["nmi"] == 1.0


def test_many_clusters_take_no_square_of_memory():
    rng = np.random.default_rng(5)
    p, q = rng.permutation(300_000) // 3, rng.permutation(300_000) // 3
    assert 0.0 < cc.normalized_mutual_information(p, q) < 1.0


@pytest.mark.parametrize("kind", ["overlapping", "possibilistic"])
def test_the_function_refuses_what_a_comparison_does(kind):
    cover = cc.Partition([[1, 1, 1], [1, 1, 0], [0, 0, 1]], kind=kind)
    for door in (
        cc.normalized_mutual_information,
        lambda P, Q: cc.compare(P, Q, indices=["nmi"]),
    ):
        with pytest.raises(ValueError, match=f"{kind} partitions, and Q is one"):
            door([0, 1, 0], cover)


def exact_information(P, Q):
    """Return the entropies of P and of Q, and what both share."""
    u, v = ([[Fraction(x) for x in row] for row in X] for X in (P, Q))
    cells = [
        [sum(x[k] * y[m] for x, y in zip(u, v, strict=True)) for m in range(len(v[0]))]
        for k in range(len(u[0]))
    ]
    total = sum(map(sum, cells))

    def entropy(masses):
        shares = [x / total for x in masses if x > 0]
        decimals = [Decimal(x.numerator) / x.denominator for x in shares]
        return -sum((x * x.ln() for x in decimals), Decimal(0))

    of_p, of_q = entropy(map(sum, cells)), entropy(map(sum, zip(*cells, strict=True)))
    return of_p, of_q, of_p + of_q - entropy(itertools.chain.from_iterable(cells))


@pytest.mark.parametrize("away", [1e-2, 1e-8, 1e-14, 1e-16, 1e-30, 1e-60])
def test_partitions_next_to_one_cluster_keep_their_digits(away):
    rng = np.random.default_rng(0)
    near, other = away * rng.random((6, 3)), away * rng.random((6, 2))
    near[:, 0], other[:, 0] = 1.0 - near[:, 1:].sum(axis=1), 1.0 - other[:, 1]
    same, labels = np.tile(near[0], (6, 1)), np.eye(2)[[0, 1, 0, 1, 1, 1]]
    for P, Q in itertools.product((near, same, labels), (near, other, same, labels)):
        with localcontext(Context(prec=250)):
            of_p, of_q, mutual = exact_information(P, Q)
            parts = {
                "mutual_information": mutual,
                "vi": of_p + of_q - 2 * mutual,
                "nmi": 2 * mutual / (of_p + of_q),
                "homogeneity": mutual / of_p,
                "completeness": mutual / of_q,
            }
            by = {"min": min(of_p, of_q), "geometric": (of_p * of_q).sqrt()}
            by = {average: float(mutual / mean) for average, mean in by.items()}
        for name, score in cc.compare(P, Q, indices=list(parts)).scores.items():
            assert abs(Fraction(score.value) - Fraction(parts[name])) <= score.error
            assert score.error < 1e-12
        for average, exact in by.items():
            found = cc.normalized_mutual_information(P, Q, average=average)
            assert found == pytest.approx(exact, abs=1e-12)
