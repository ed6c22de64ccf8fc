"""Memberships that are mostly zeros: the same numbers, without looking at the zeros."""

import pickle
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from bins import in_bins
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import assert_within_errors, truth
from scipy import sparse

import concordant as cc
from concordant.agreement import sparse_rows as module
from concordant.agreement.sparse_rows import SparseRows, sparse_rows
from concordant.pairs.bands import Band, unrolled


@pytest.fixture
def everywhere():
    """Leave out zeros however few there are."""
    with mock.patch.multiple(module, _MUCH=1, _GAIN=0):
        yield


def topics(rng, n, K, share=0.1):
    """Give each object a few clusters."""
    shares = rng.gamma(0.5, size=(n, K)) * (rng.random((n, K)) < share)
    shares[np.arange(n), rng.integers(K, size=n)] += 0.1
    return shares / shares.sum(axis=1, keepdims=True)


def exact_distance(u, v):
    return sum(
        (abs(Fraction(a) - Fraction(b)) for a, b in zip(u, v, strict=True)), Fraction(0)
    )


@pytest.mark.parametrize("n", [2, 3, 9, 40])
@pytest.mark.parametrize("K", [1, 2, 7, 30])
@pytest.mark.parametrize("exponent", [50, 57, 60])
def test_distances_of_a_band_are_right_to_their_units(n, K, exponent):
    rng = np.random.default_rng(n + K)
    rows = topics(rng, n, K, 0.3)
    rows[0] = 0.0
    columns = unrolled(rows.T)
    rounded = SparseRows(exponent, K)
    for band in (
        Band(0, n, 1, max(1, (n - 1) // 2)),
        Band(n // 2, n, 1, 1),
        Band(0, 1, 0, n),
    ):
        found = rounded.distances(columns, band)
        for row, i in enumerate(range(band.i0, band.i1)):
            for t in range(band.width):
                other = columns[:, i + band.first + t]
                right = exact_distance(columns[:, i], other)
                off = abs(Fraction(found[row, t]) - right)
                assert off <= Fraction(rounded.rounding(float(right)))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 25),
    K=st.integers(1, 30),
    L=st.integers(1, 30),
    share=st.floats(0.0, 1.0),
    scale=st.sampled_from([1.0, 1.0 + 9e-6, 2.0**-20]),
    lowered=st.booleans(),
)
def test_numbers_are_right_without_the_zeros(seed, n, K, L, share, scale, lowered):
    rng = np.random.default_rng(seed)
    P, Q = topics(rng, n, K, share), topics(rng, n, L, share)
    if scale == 2.0**-20:  # alike, but for little
        P, Q = scale * P, scale * Q
        P[:, 0] += 1.0 - P.sum(axis=1)
        Q[:, -1] += 1.0 - Q.sum(axis=1)
    else:
        P *= scale
    if lowered:
        P[:, 0] -= 1e-7
    with mock.patch.multiple(module, _MUCH=1, _GAIN=0):
        found = in_bins(P, Q)
    assert_within_errors(found, truth(P, Q), slack=4e-15)


@pytest.fixture(scope="module")
def many_topics():
    rng = np.random.default_rng(0)
    return topics(rng, 1600, 400, 0.02), topics(rng, 1600, 400, 0.02)


def test_zeros_are_left_out_by_themselves_where_there_are_many(many_topics):
    P, Q = many_topics
    assert sparse_rows(P.T) is not None
    assert sparse_rows(np.full((400, 1600), 1 / 400)) is None
    without = cc.concordance(P, Q)
    with mock.patch.object(module, "_MUCH", np.inf):
        usual = cc.concordance(P, Q)
    assert without.method == usual.method == "binned"
    assert without != usual
    assert abs(without.aci - usual.aci) <= without.error + usual.error
    assert abs(without.discordance - usual.discordance) <= 1e-13
    assert without.discordance_error < usual.discordance_error


def test_bits_depend_neither_on_threads_nor_on_order(many_topics):
    P, Q = many_topics
    single = cc.concordance(P, Q, n_jobs=1)
    assert cc.concordance(P, Q, n_jobs=3) == single
    assert cc.concordance(Q, P).aci == single.aci
    assert cc.normalized_degree_of_concordance(P, Q) == single.ndc


def test_scipy_matrices_give_the_same_bits(many_topics):
    P, Q = many_topics
    for kind in (sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        assert cc.concordance(kind(P), kind(Q)) == cc.concordance(P, Q)


def test_tables_are_those_of_before_and_change_no_bit_of_others(everywhere):
    rng = np.random.default_rng(1)
    P, Q = topics(rng, 60, 12, 0.3), topics(rng, 60, 9, 0.3)
    compared = cc.compare(P, Q, method="binned")
    assert compared.concordance == cc.concordance(P, Q, method="binned")
    for family in ("huellermeier", "campello"):
        found = cc.pair_table(P, Q, family=family)
        with mock.patch.object(module, "_MUCH", np.inf):
            usual = cc.pair_table(P, Q, family=family)
        assert found.a == pytest.approx(usual.a, rel=1e-14)
        assert found.d == pytest.approx(usual.d, rel=1e-14)


def test_nearly_equal_objects_are_visited_cluster_by_cluster(everywhere):
    rng = np.random.default_rng(2)
    columns = topics(rng, 50, 20, 0.1).T
    assert sparse_rows(columns) is not None
    nearly = np.zeros((20, 50))
    nearly[0] = 1.0
    nearly[:2] += 1e-9 * rng.random((2, 50))
    assert sparse_rows(nearly) is None
    assert sparse_rows(np.zeros((20, 50))) is None
    assert sparse_rows(columns - 1e-7) is None


def test_how_zeros_are_left_out_can_be_sent_to_a_worker():
    rows = SparseRows(60, 7)
    columns = unrolled(topics(np.random.default_rng(0), 9, 5).T)
    band = Band(0, 9, 1, 4)
    found = rows.distances(columns, band)
    sent = pickle.loads(pickle.dumps(rows))
    assert (sent.exponent, sent.most) == (60, 7)
    np.testing.assert_array_equal(sent.distances(columns.copy(), band), found)
    # Other columns are listed anew.
    np.testing.assert_array_equal(rows.distances(2.0 * columns, band), 2.0 * found)
