"""Memberships that are multiples of 1 / D: exact in integers, whatever D."""

import math
from fractions import Fraction

import numpy as np
import pytest
from bins import in_bins
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import assert_within_errors, truth

import concordant as cc
from concordant.agreement import lattice_pairs as module
from concordant.agreement.lattices import MOST, lattice_of

DENOMINATORS = (1, 2, 3, 5, 7, 10, 30, 64, 97, 100, 255, 1000, 1024, 9973, 10_000, MOST)


def votes(rng, n, K, D, alpha=0.5):
    shares = rng.dirichlet(np.full(K, alpha), size=n)
    return np.array([rng.multinomial(D, share) for share in shares])


def uneven(rng, n, K, D):
    """Draw numerators whose rows sum to D or to one more or less."""
    counts = votes(rng, n, K, D)
    counts[np.arange(n), counts.argmax(axis=1)] += rng.integers(-1, 2, size=n)
    return np.minimum(counts, D)


def distances(counts):
    """Give the L1 distances of all pairs i < j, as Python integers."""
    i, j = np.triu_indices(len(counts), 1)
    return np.abs(counts[i] - counts[j]).sum(axis=1).tolist()


def exact(counts_p, D_p, counts_q, D_q):
    """Give d, E[d] and ACI of multiples of 1 / D, as fractions, from definitions."""
    x = [Fraction(v, 2 * D_p) for v in distances(counts_p)]
    y = [Fraction(v, 2 * D_q) for v in distances(counts_q)]
    d = sum(abs(a - b) for a, b in zip(x, y, strict=True)) / len(x)
    expected = sum(abs(a - b) for a in x for b in y) / len(x) ** 2
    return d, expected, 1 - d / expected if expected else Fraction(1)


def assert_right(P, Q, **options):
    """Compare with the truth of the doubles as they are."""
    found = cc.concordance(P, Q, **options)
    assert_within_errors(found, truth(P, Q))
    return found


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 12),
    K=st.integers(2, 6),
    L=st.integers(2, 6),
    D_p=st.sampled_from(DENOMINATORS),
    D_q=st.sampled_from(DENOMINATORS),
)
def test_multiples_of_fractions_are_computed_to_the_last_bit(seed, n, K, L, D_p, D_q):
    rng = np.random.default_rng(seed)
    p, q = votes(rng, n, K, D_p), votes(rng, n, L, D_q)
    found = assert_right(p / D_p, q / D_q, method="lattice")
    d, expected, aci = exact(p, D_p, q, D_q)
    assert found.method == "lattice"
    assert found.discordance == float(d)
    assert found.expected_discordance == float(expected)
    if expected and len({*distances(p)}) > 1 and len({*distances(q)}) > 1:
        assert found.aci == float(aci)
    assert max(found.ndc_error, found.expected_error) < 1e-15


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 12),
    K=st.integers(2, 6),
    D_p=st.sampled_from([100, 1000, 10_000]),
    D_q=st.sampled_from([100, 1000, 10_000]),
)
def test_rows_of_rounded_tables_need_not_sum_alike(seed, n, K, D_p, D_q):
    rng = np.random.default_rng(seed)
    p, q = uneven(rng, n, K, D_p), uneven(rng, n, K, D_q)
    found = assert_right(p / D_p, q / D_q, method="lattice")
    d, expected, _ = exact(p, D_p, q, D_q)
    assert found.discordance == float(d)
    assert found.expected_discordance == float(expected)


@pytest.mark.parametrize("D", [2, 64, 1024, 16_384])
def test_powers_of_two_have_no_error_but_that_of_a_quotient(D):
    rng = np.random.default_rng(D)
    p, q = votes(rng, 40, 3, D), votes(rng, 40, 4, D)
    found = cc.concordance(p / D, q / D, method="lattice")
    assert lattice_of(cc.Partition(p / D)).noise == 0.0
    assert found.discordance_error <= 2.0**-53 * found.discordance
    assert found.expected_error <= 2.0**-53 * found.expected_discordance


@pytest.mark.parametrize("D", [5, 7, 100, 255, 1000, 10_000, MOST])
def test_the_denominator_is_found(D):
    rng = np.random.default_rng(D)
    counts = votes(rng, 200, 4, D, alpha=1.0)
    counts[0] = 1, D - 1, 0, 0
    lattice = lattice_of(cc.Partition(counts / D))
    assert lattice.denominator == D
    assert lattice.row_sum == D
    np.testing.assert_array_equal(lattice.numerators, counts.T)
    small = 2 * counts // math.gcd(2, D)
    assert lattice_of(cc.Partition(small / small.sum(axis=1, keepdims=True)))


def test_what_is_no_lattice_is_not_taken_for_one():
    rng = np.random.default_rng(0)
    soft = rng.dirichlet([1.0] * 3, 50)
    assert lattice_of(cc.Partition(soft)) is None
    assert lattice_of(cc.Partition(np.round(soft, 5))) is None
    thousandths = np.round(soft, 3)
    single = thousandths.astype(np.float32)
    assert lattice_of(cc.Partition(single)) is None
    one_off = votes(rng, 50, 3, 1000) / 1000
    one_off[49, 2] += 1e-9
    assert lattice_of(cc.Partition(one_off)) is None
    below = np.array([[1.00001, -0.00001], [0.5, 0.5]])
    assert lattice_of(cc.Partition(below)) is None


@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_noise_of_a_few_units_in_the_last_place_is_in_the_error(size):
    rng = np.random.default_rng(size)
    for D in (5, 100, 255, 1000):
        p, q = (votes(rng, 60, 3, D) / D for _ in range(2))
        noise = size * 2.0**-54 * rng.integers(-1, 2, size=p.shape)
        p = np.where(p > 0.0, p + noise, p)
        if lattice_of(cc.Partition(p)) is None:
            assert size == 8
            continue
        assert_right(p, q, method="lattice")
    complement = np.round(rng.dirichlet([1.0] * 3, 60), 2)
    complement[:, 0] = 1.0 - complement[:, 1] - complement[:, 2]
    complement = np.maximum(complement, 0.0)
    if lattice_of(cc.Partition(complement)) is not None:
        assert_right(complement, complement[::-1], method="lattice")


def test_noise_alone_is_left_to_bins():
    rng = np.random.default_rng(1)
    P = 0.25 + 2.0**-52 * rng.integers(0, 2, size=(1500, 4))
    Q = np.where(rng.random((1500, 1)) < 0.5, P, P[::-1])
    assert lattice_of(cc.Partition(P)) is not None
    found = assert_right(P, Q)
    assert found.method == "binned"
    assert found.error < 1e-8
    assert_right(P, Q, method="lattice")


def test_the_plan_takes_lattices_beyond_a_small_number_of_objects():
    rng = np.random.default_rng(2)
    p, q = votes(rng, 1449, 3, 100) / 100, votes(rng, 1449, 4, 7) / 7
    assert cc.concordance(p[1:], q[1:]).method == "sorted"
    found = assert_right(p, q)
    assert found.method == "lattice"
    assert found.is_exact
    forced = cc.concordance(p, q, method="sorted")
    assert found.aci == pytest.approx(forced.aci, abs=1e-15)
    assert cc.concordance(p, rng.dirichlet([1.0] * 3, 1449)).method == "binned"
    sampled = cc.concordance(p, q, method="sampled", tol=0.1, random_state=0)
    assert sampled.method == "sampled"


def test_a_lattice_that_is_asked_for_must_be_there():
    soft = np.random.default_rng(3).dirichlet([1.0] * 3, 20)
    with pytest.raises(
        ValueError, match=r"multiples of some 1 / D, with D up to 32767"
    ):
        cc.concordance(soft, np.round(soft, 2), method="lattice")


def test_special_values_are_exact():
    labels = np.array([0, 0, 1, 1, 2, 2])
    tenths = np.array([[0.1, 0.9], [0.2, 0.8], [0.3, 0.7], [0.4, 0.6], [1, 0], [0, 1]])
    for P, Q in ((labels, tenths), (tenths, labels), (labels, labels[::-1])):
        found = assert_right(P, Q, method="lattice")
        assert found.aci == pytest.approx(cc.concordance(P, Q).aci, abs=1e-15)
    same = cc.concordance(tenths, tenths[:, ::-1], method="lattice")
    assert (same.ndc, same.aci) == (1.0, 1.0)
    alike = np.full((6, 2), 0.5)
    assert cc.concordance(alike, tenths, method="lattice").aci == 0.0
    assert cc.concordance(alike, alike, method="lattice").aci == 1.0
    assert cc.concordance([0], [0], method="lattice").method == "no pairs"


@pytest.mark.parametrize("n", [2, 3, 254, 255, 256, 511, 512])
@pytest.mark.parametrize(("D_p", "D_q"), [(100, 100), (255, 1000), (9973, 10_000)])
def test_every_pair_is_counted_once(n, D_p, D_q):
    rng = np.random.default_rng(n)
    p, q = votes(rng, n, 3, D_p), uneven(rng, n, 4, D_q)
    found = cc.concordance(p / D_p, q / D_q, method="lattice")
    x, y = np.array(distances(p)), np.array(distances(q))
    apart = np.abs(x * D_q - y * D_p).sum()
    assert found.discordance == int(apart) / (2 * D_p * D_q * len(x))
    xs, ys = np.sort(x * D_q), np.sort(y * D_p)
    below = np.searchsorted(xs, ys)
    up_to = np.concatenate(([0], np.cumsum(xs)))
    total = sum(
        int(v) * (2 * int(b) - len(xs)) + int(up_to[-1]) - 2 * int(up_to[b])
        for v, b in zip(ys, below, strict=True)
    )
    assert found.expected_discordance == total / (2 * D_p * D_q * len(x) ** 2)


def test_threads_and_the_order_of_partitions_change_no_bit():
    rng = np.random.default_rng(4)
    p, q = uneven(rng, 9000, 3, 100) / 100, votes(rng, 9000, 5, 255) / 255
    found = cc.concordance(p, q)
    assert found.method == "lattice"
    assert cc.concordance(p, q, n_jobs=2) == found
    assert cc.concordance(q, p, n_jobs=3) == found
    order = rng.permutation(9000)
    assert cc.concordance(p[order], q[order]) == found


def test_dask_changes_no_bit():
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    rng = np.random.default_rng(5)
    p, q = uneven(rng, 5000, 3, 1000) / 1000, votes(rng, 5000, 4, 7) / 7
    found = cc.concordance(p, q)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert cc.concordance(p, q, engine=client) == found


def test_counters_are_read_before_they_overflow(monkeypatch):
    rng = np.random.default_rng(6)
    p, q = votes(rng, 1500, 3, 100) / 100, votes(rng, 1500, 3, 5) / 5
    found = cc.concordance(p, q)
    monkeypatch.setattr(module, "_MOST_COUNTED", 1)
    assert cc.concordance(p, q) == found


def test_few_and_many_distances_are_counted_alike(monkeypatch):
    rng = np.random.default_rng(7)
    p, q = votes(rng, 700, 3, 100) / 100, votes(rng, 700, 3, 100) / 100
    found = cc.concordance(p, q, method="lattice")
    monkeypatch.setattr(module, "_FEW_DISTANCES", 0)
    assert cc.concordance(p, q, method="lattice") == found


def test_sums_beyond_64_bits_are_exact():
    gaps = np.array([3, 65_535], dtype=np.int64)
    below_x = np.array([10**17, 2 * 10**17], dtype=np.int64)
    below_y = np.array([5, 3 * 10**17], dtype=np.int64)
    m = 4 * 10**17
    expected = sum(
        g * (F * (m - G) + G * (m - F))
        for g, F, G in zip(*(a.tolist() for a in (gaps, below_x, below_y)), strict=True)
    )
    assert module._integral(gaps, below_x, below_y, m) == expected


def test_interrupted_work_goes_on_from_its_checkpoint(tmp_path):
    rng = np.random.default_rng(8)
    p, q = votes(rng, 9000, 3, 100) / 100, votes(rng, 9000, 3, 5) / 5
    found, seen = cc.concordance(p, q), []

    def stop(done, total, estimate):
        seen.append(done)
        if len(seen) == 1:
            raise KeyboardInterrupt

    path = tmp_path / "work"
    with pytest.raises(KeyboardInterrupt):
        cc.concordance(p, q, checkpoint=path, progress=stop)
    assert cc.concordance(p, q, checkpoint=path, progress=stop) == found
    assert seen[0] > 0
    assert cc.concordance(p, q, checkpoint=path) == found
    assert cc.concordance(p, q, checkpoint=path, method="binned") == found
    assert in_bins(p, q, checkpoint=path).method == "binned"
