"""FRI and FARI: the definition with matrices of all pairs, and the crisp indices."""

import math
from fractions import Fraction

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from partitions import draw, memberships

import concordant as cc
from concordant.execution.engine import Threads
from concordant.measures.fuzzy_rand import bonds, fari, fri
from concordant.sums.products import MomentSums


def found(P, Q):
    scores = cc.compare(P, Q, indices=["fri", "fari"]).scores
    return scores["fri"], scores["fari"]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_stated_error_holds_also_where_memberships_are_nearly_equal(seed):
    P, Q = draw(seed, 9, 4)
    for name, score in zip(("fri", "fari"), found(P, Q), strict=True):
        assert abs(Fraction(score.value) - reference.index(name, P, Q)) <= score.error


def test_digits_are_kept_near_equal_memberships():
    rng = np.random.default_rng(0)
    P, Q = (memberships(rng, 12, K, "close") for K in (3, 4))
    score = found(P, Q)[1]
    assert score.error < 1e-5  # of memberships that differ in their last 13 bits
    assert abs(Fraction(score.value) - reference.index("fari", P, Q)) < 1e-9


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 60))
def test_they_are_the_crisp_indices_on_labels(seed, n):
    rng = np.random.default_rng(seed)
    p, q = cc.Partition(rng.integers(5, size=n)), cc.Partition(rng.integers(3, size=n))
    rand, adjusted = found(p, q)
    assert rand.value == pytest.approx(cc.rand_index(p, q), abs=1e-15)
    assert adjusted.value == pytest.approx(cc.adjusted_rand_index(p, q), abs=1e-15)
    # By the formula for fuzzy ones, too.
    given = bonds(MomentSums.of(p, q, Threads(1)))
    assert fri(given).value == pytest.approx(rand.value, abs=1e-12)
    if n > 1 and p.n_clusters > 1 < q.n_clusters:
        assert fari(given).value == pytest.approx(adjusted.value, abs=1e-10)


def test_the_mean_over_all_permutations_is_0():
    from itertools import permutations

    rng = np.random.default_rng(2)
    P, Q = rng.dirichlet([1, 1, 1], size=5), rng.dirichlet([1, 1], size=5)
    values = [found(P, Q[list(order)])[1].value for order in permutations(range(5))]
    assert math.fsum(values) / len(values) == pytest.approx(0.0, abs=1e-14)


def test_constant_partitions():
    constant = np.tile([0.3, 0.7], (6, 1))
    assert found(constant, constant)[1].value == 1.0
    assert found(constant, [0, 0, 0, 1, 1, 1])[1].value == pytest.approx(0.0, abs=1e-14)
    assert found([0] * 6, [0] * 6)[1] == (1.0, 0.0)
    assert found([0], [[0.5, 0.5]])[0].value == 1.0


def test_streams_merged_and_saved_give_the_same(tmp_path):
    rng = np.random.default_rng(4)
    Q, labels = rng.dirichlet([1, 1], size=60), rng.integers(4, size=60)
    for P in (rng.dirichlet([1, 1, 1], size=60), labels, np.sort(labels)):
        halves = [
            cc.Accumulator(indices=["fari"]).update(P[half], Q[half])
            for half in (slice(25), slice(25, 60))
        ]
        halves[0].save(tmp_path / "half")
        merged = cc.Accumulator.load(tmp_path / "half").merge(halves[1]).result()
        assert merged["fari"] == pytest.approx(cc.score(P, Q, "fari"), abs=1e-12)
