"""Memberships that are multiples of 1 / D: a cell for each value, whatever D."""

import numpy as np
import pytest
from bins import in_bins
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import assert_within_errors, truth

import concordant as cc
from concordant.pairs.side import MOST, multiples_of

DENOMINATORS = (1, 2, 3, 5, 7, 10, 30, 64, 97, 100, 255, 1000, 1024, 9973, 10_000, MOST)


def votes(rng, n, K, D, alpha=0.5):
    shares = rng.dirichlet(np.full(K, alpha), size=n)
    return np.array([rng.multinomial(D, share) for share in shares])


def uneven(rng, n, K, D):
    """Draw numerators whose rows sum to D or to one more or less."""
    counts = votes(rng, n, K, D)
    counts[np.arange(n), counts.argmax(axis=1)] += rng.integers(-1, 2, size=n)
    return np.minimum(counts, D)


def assert_right(P, Q, **options):
    """Compare with the truth of the doubles as they are."""
    found = cc.concordance(P, Q, **options)
    assert_within_errors(found, truth(P, Q))
    return found


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 40),
    K=st.integers(2, 6),
    D_p=st.sampled_from(DENOMINATORS),
    D_q=st.sampled_from(DENOMINATORS),
)
def test_multiples_of_fractions_are_exact_up_to_rounding(seed, n, K, D_p, D_q):
    rng = np.random.default_rng(seed)
    found = assert_right(
        votes(rng, n, K, D_p) / D_p, votes(rng, n, 3, D_q) / D_q, method="binned"
    )
    assert found.method == "lattice"
    assert max(found.ndc_error, found.expected_error) < 1e-13


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 40),
    K=st.integers(2, 6),
    D_p=st.sampled_from([100, 1000, 10_000]),
    D_q=st.sampled_from([100, 1000, 10_000]),
)
def test_rows_of_rounded_tables_need_not_sum_alike(seed, n, K, D_p, D_q):
    rng = np.random.default_rng(seed)
    p, q = uneven(rng, n, K, D_p) / D_p, uneven(rng, n, K, D_q) / D_q
    assert_right(p, q, method="binned")


@pytest.mark.parametrize("D", [5, 7, 64, 100, 255, 1000, 10_000, MOST])
def test_the_denominator_is_found(D):
    rng = np.random.default_rng(D)
    counts = votes(rng, 200, 4, D, alpha=1.0)
    counts[0] = 1, D - 1, 0, 0
    found = multiples_of(cc.Partition(counts / D))
    assert found.denominator == D
    assert found.rows_sum_alike
    assert found.away < 1e-15
    counts[1, 0] += 1
    normal = cc.Partition(counts / D, kind="possibilistic")
    assert not multiples_of(normal).rows_sum_alike


def test_all_objects_tell_the_denominator():
    rows = np.tile([[0.5, 0.5]], (1000, 1))
    rows[-1] = 0.2, 0.8
    assert multiples_of(cc.Partition(rows)).denominator == 10
    for number in (0, -1):
        rows[number] = np.sqrt(0.5), 1.0 - np.sqrt(0.5)
        assert multiples_of(cc.Partition(rows)) is None
        rows[number] = 0.5, 0.5


def test_what_is_no_lattice_is_not_taken_for_one():
    rng = np.random.default_rng(0)
    soft = rng.dirichlet([1.0] * 3, 50)
    one_off = votes(rng, 50, 3, 1000) / 1000
    one_off[49, 2] += 1e-9
    for memberships in (
        soft,
        np.round(soft, 5),
        np.round(soft, 3).astype(np.float32),
        one_off,
    ):
        assert multiples_of(cc.Partition(memberships)) is None


@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_noise_of_a_few_units_in_the_last_place_is_in_the_error(size):
    rng = np.random.default_rng(size)
    for D in (5, 100, 255, 1000):
        p, q = (votes(rng, 60, 3, D) / D for _ in range(2))
        noise = size * 2.0**-54 * rng.integers(-1, 2, size=p.shape)
        p = np.where(p > 0.0, p + noise, p)
        method = "auto" if multiples_of(cc.Partition(p)) is None else "binned"
        assert_right(p, q, method=method)


def test_multiples_are_counted_as_such_beyond_a_small_number_of_objects():
    rng = np.random.default_rng(2)
    p, q = votes(rng, 451, 3, 100) / 100, votes(rng, 451, 4, 7) / 7
    assert cc.concordance(p[1:], q[1:]).method == "sorted"
    found = assert_right(p, q)
    assert found.method == "lattice"
    assert found.is_exact
    forced = cc.concordance(p, q, method="sorted")
    assert found.aci == pytest.approx(forced.aci, abs=1e-13)
    assert_within_errors(in_bins(p, q), truth(p, q))
    assert assert_right(p, rng.dirichlet([1.0] * 3, 451)).method == "binned"


def test_special_values_are_exact():
    labels = np.array([0, 0, 1, 1, 2, 2])
    tenths = np.array([[0.1, 0.9], [0.2, 0.8], [0.3, 0.7], [0.4, 0.6], [1, 0], [0, 1]])
    for P, Q in ((labels, tenths), (tenths, labels), (labels, labels[::-1])):
        found = assert_right(P, Q, method="binned")
        assert found.aci == pytest.approx(cc.concordance(P, Q).aci, abs=1e-14)
    same = cc.concordance(tenths, tenths[:, ::-1], method="binned")
    assert (same.ndc, same.aci) == (1.0, 1.0)
    alike = np.full((6, 2), 0.5)
    assert cc.concordance(alike, tenths, method="binned").aci == 0.0
    assert cc.concordance(alike, alike, method="binned").aci == 1.0
    assert cc.concordance([0], [0], method="binned").method == "no pairs"


def test_threads_and_the_order_of_partitions_change_no_bit():
    rng = np.random.default_rng(4)
    p, q = uneven(rng, 5000, 3, 100) / 100, votes(rng, 5000, 5, 255) / 255
    found = cc.concordance(p, q)
    assert found.method == "lattice"
    assert cc.concordance(p, q, n_jobs=2) == found
    assert cc.concordance(q, p, n_jobs=3) == found
