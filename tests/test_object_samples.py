"""Streams of two fuzzy partitions are estimated from objects that are drawn."""

import math

import numpy as np
import pytest
from coverage_of_samples import STREAM, coverage

import concordant as cc
from concordant.execution.engine import Threads
from concordant.execution.run import Run
from concordant.inference.object_means import object_means
from concordant.pairs.sampled import largest_residual
from concordant.pairs.sampling import UNSEEN, student_quantile
from concordant.streams import object_sample
from concordant.streams.object_sample import ObjectSample

RNG = np.random.default_rng(0)
N = 1200
U = RNG.dirichlet([0.5, 0.5, 0.5], N)
V = 0.5 * (U + RNG.dirichlet([1, 1, 1], N))


def chunks(P, Q, cuts):
    return zip(np.split(P, cuts), np.split(Q, cuts), strict=True)


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(object_sample, "_MOST", 200)


@pytest.mark.parametrize("n", [2, 3, 5, 300])
def test_all_objects_are_compared_as_in_memory_if_they_can_be_kept(n):
    found = cc.stream(chunks(U[:n], V[:n], [1]), tol=1e-3, random_state=0)
    exact = cc.concordance(U[:n], V[:n])
    assert found.concordance.aci == pytest.approx(exact.aci, abs=1e-14)
    assert found.concordance.method == exact.method
    assert found.concordance.n_objects == n
    assert found.left_out == ()


def test_one_object_has_no_pairs():
    found = cc.stream([(U[:1], V[:1])], tol=1e-3)
    assert found.concordance.method == "no pairs"


@pytest.mark.usefixtures("few")
def test_the_estimate_says_what_it_is():
    found = cc.stream(chunks(U, V, [400, 800]), tol=1e-3, random_state=0).concordance
    exact = cc.concordance(U, V)
    assert found.method == "sampled-objects"
    assert (found.n_objects, found.n_pairs) == (N, 200 * 199 // 2)
    assert 1e-3 < found.error < 2.0
    assert abs(found.aci - exact.aci) <= found.error
    assert abs(found.ndc - exact.ndc) <= found.ndc_error
    assert abs(found.expected - exact.expected) <= found.expected_error
    assert "method sampled-objects" in str(found)


@pytest.mark.usefixtures("few")
def test_threads_change_no_bit_and_the_seed_does():
    one, two = (
        cc.stream(chunks(U, V, range(100, N, 100)), tol=0.1, random_state=3, n_jobs=j)
        for j in (1, 2)
    )
    assert one == two
    other = cc.stream(chunks(U, V, range(100, N, 100)), tol=0.1, random_state=4)
    assert other.concordance.aci != one.concordance.aci


def drawn(sizes, seed=0):
    """Give the places in the stream of the objects that are kept."""
    sample = ObjectSample(seed, 1e-3)
    start = 0
    for number, size in enumerate(sizes):
        places = np.arange(start, start + size) / 1e6
        P, Q = (
            cc.Partition(np.column_stack([places, (1 - places) / 2, (1 - places) / 2]))
            for _ in range(2)
        )
        sample.merge(sample.part(P, Q, number))
        start += size
    assert sample.n_objects == start
    return np.rint(sample._kept()[1][0] * 1e6).astype(int)


def test_every_object_is_drawn_equally_often(monkeypatch):
    monkeypatch.setattr(object_sample, "_MOST", 40)
    sizes = [10, 60, 1, 30, 59, 40]
    counts = np.zeros(sum(sizes))
    for seed in range(150):
        kept = drawn(sizes, seed)
        assert len({*kept.tolist()}) == 40
        counts[kept] += 1
    expected = 150 * 40 / len(counts)
    assert ((counts - expected) ** 2 / expected).sum() < 300  # 199 on average


def test_memory_bounds_the_objects_that_are_kept(monkeypatch):
    monkeypatch.setattr(object_sample, "_MOST_BYTES", 8 * 6 * 50)
    assert len(drawn([30, 30, 30])) == 50


def test_widths_follow_from_the_means_of_objects():
    n, total, (x, y) = 200, 10**6, (0.9, 0.8)
    run = Run(engine=Threads(1))
    means = object_means(cc.Partition(U[:n]), cc.Partition(V[:n]), run)
    d, e = means.discordance, means.from_p + means.from_q
    ratio, expected = d.mean() / (e.mean() / 2), e.mean() / 2
    width_d, width_e, width = object_sample._widths(means, n, total, (x, y))

    def half(said, largest):
        variance = said.var(ddof=1) + UNSEEN / n * largest**2
        return student_quantile(n - 1) * math.sqrt((1 - n / total) * variance / n)

    assert width_d == pytest.approx(half(2 * d, 2 * (x - d.mean())))
    assert width_e == pytest.approx(half(2 * e, 2 * (x + y)))
    largest = 2 * largest_residual(x, y, x, ratio) / expected
    aci = half(2 * (ratio * e - d) / expected, largest)
    assert width == pytest.approx(aci / (1 - width_e / expected))


@pytest.mark.usefixtures("few")
def test_a_sample_is_saved_with_the_accumulator(tmp_path):
    parts = [*chunks(U, V, range(100, N, 100))]
    whole = cc.Accumulator(tol=0.1, random_state=3)
    half = cc.Accumulator(tol=0.1, random_state=3)
    for number, part in enumerate(parts):
        whole.update(*part)
        half.update(*part)
        if number == len(parts) // 2:
            half.save(tmp_path / "sums")
            half = cc.Accumulator.load(tmp_path / "sums")
    assert half.result() == whole.result()
    assert whole.result().concordance.method == "sampled-objects"
    assert whole.result() == cc.stream(parts, tol=0.1, random_state=3)
    other = cc.Accumulator(tol=0.1, random_state=4).update(U[:50], V[:50])
    assert other.merge(half).n_objects == N + 50
    with pytest.raises(ValueError, match="by the same random_state cannot be merged"):
        cc.Accumulator(tol=0.1, random_state=3).update(U, V).merge(half)
    with pytest.raises(ValueError, match="with and without tol="):
        cc.Accumulator().update(U, V).merge(half)


@pytest.mark.parametrize(
    "name",
    ["two, apart in Q, n = 200", "one outlier in P, n = 1000", "unrelated, n = 200"],
)
def test_intervals_hold_the_exact_value_though_objects_are_rare(name):
    found = coverage(name, STREAM, seeds=8)
    assert found.inside >= 0.9
    assert found.all_pairs == 0.0


@pytest.mark.usefixtures("few")
def test_partitions_that_say_the_same_of_all_pairs():
    same = np.full((N, 3), 1 / 3)
    for P, Q in ((same, U), (U, same), (same, same)):
        found = cc.stream(chunks(P, Q, [500]), tol=1e-2, random_state=0).concordance
        exact = cc.concordance(P, Q)
        assert found.aci == pytest.approx(exact.aci, abs=1e-12)
        assert abs(found.aci - exact.aci) <= found.error + 1e-12
        assert abs(found.ndc - exact.ndc) <= found.ndc_error + 1e-12


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("scale", [1e-9, 1e-165])
def test_tiny_distances(scale):
    x, y = 0.25 + scale * RNG.uniform(size=(2, N)), scale * RNG.uniform(size=(2, N))
    P, Q = (np.column_stack([*z, 1 - z.sum(axis=0)]) for z in (x, y))
    found = cc.stream(chunks(P, Q, [500]), tol=1e-2, random_state=0).concordance
    assert math.isfinite(found.aci)
    assert abs(found.aci - cc.concordance(P, Q).aci) <= found.error


def test_what_needs_no_pairs_is_exact_with_a_tolerance():
    labels = U.argmax(axis=1)
    for Q in (labels, V):
        P = U if Q is labels else U[:, :2] / U[:, :2].sum(axis=1, keepdims=True)
        Q = Q if Q is labels else V[:, :2] / V[:, :2].sum(axis=1, keepdims=True)
        assert cc.stream([(P, Q)], tol=1e-3) == cc.stream([(P, Q)])
    possibilistic = cc.stream(
        [(U, V)], kinds=("possibilistic", "possibilistic"), tol=1e-3
    )
    assert possibilistic.concordance is None


@pytest.mark.parametrize(
    ("tol", "error", "message"),
    [
        (0.0, ValueError, "tol must be positive"),
        ("small", TypeError, "tol must be a number"),
    ],
)
def test_bad_tolerances_are_refused(tol, error, message):
    with pytest.raises(error, match=message):
        cc.stream([(U, V)], tol=tol)
    with pytest.raises(TypeError, match="random_state must be"):
        cc.stream([(U, V)], tol=0.1, random_state="x")
