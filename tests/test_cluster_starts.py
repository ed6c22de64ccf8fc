"""Starts are those of k-means++, and the order of points is no part of them."""

import numpy as np
import pytest
from sklearn.cluster import kmeans_plusplus

from concordant.cluster import far_points
from concordant.cluster.cloud import Cloud
from concordant.cluster.coordinates import Coordinates
from concordant.cluster.far_points import FarPoints
from concordant.cluster.starts import distinct_points
from concordant.execution.engine import Threads


def plain(rng, n, p):
    return rng.normal(size=(n, p))


def with_ties(rng, n, p):
    return rng.integers(4, size=(n, p)).astype(float)


def with_a_constant(rng, n, p):
    return np.column_stack([np.ones(n), rng.normal(size=(n, p))])


def with_a_far_point(rng, n, p):
    return np.vstack([np.full((1, p), 1e15), rng.normal(size=(n - 1, p))])


def of_all_sizes(rng, n, p):
    return np.exp(20.0 * rng.normal(size=(n, p)))


KINDS = [plain, with_ties, with_a_constant, with_a_far_point, of_all_sizes]


def a_cloud(kind, seed):
    rng = np.random.default_rng(seed)
    X = kind(rng, int(rng.integers(5, 1500)), 1 + seed % 3)
    weights = np.ones(len(X))
    if seed % 2:
        weights = rng.integers(3, size=len(X)).astype(float)
        weights[: len(X) // 2] = 1.0
    return Cloud.of(X / np.abs(X).max(), weights)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("few", [10, 4096])
def test_points_are_drawn_as_scikit_learn_draws_sorted_ones(kind, few, monkeypatch):
    monkeypatch.setattr(far_points, "_FEW", few)
    for seed in range(12):
        cloud = a_cloud(kind, seed)
        points, weights = distinct_points(cloud)
        K = min(1 + seed % 5, len(points))
        sorted_ones, mine = (np.random.RandomState(seed) for _ in range(2))
        want, _ = kmeans_plusplus(
            points,
            K,
            sample_weight=weights,
            random_state=sorted_ones,
            n_local_trials=1,
        )
        drawn = FarPoints(cloud, Threads(1)).draw(K, mine)
        np.testing.assert_array_equal(drawn, want)
        assert mine.random_sample() == sorted_ones.random_sample()


def test_the_order_and_the_number_of_threads_do_not_matter():
    points = np.random.default_rng(0).normal(size=(300_000, 2)).round(1)
    cloud = Cloud.of(points / np.abs(points).max(), np.ones(len(points)))
    other = Cloud.of(cloud.points[::-1].copy(), cloud.weights)
    one, two, three = (
        FarPoints(given, Threads(n_jobs)).draw(6, np.random.RandomState(1))
        for given, n_jobs in ((cloud, 1), (cloud, 2), (other, 1))
    )
    np.testing.assert_array_equal(two, one)
    np.testing.assert_array_equal(three, one)


def test_points_whose_squares_round_to_zero_leave_nothing_to_draw_by():
    points = np.array([[0.0], [1e-200], [2e-200]])
    far = FarPoints(Cloud.of(points, np.ones(3)), Threads(1))
    assert far.draw(1, np.random.RandomState(0)) is not None
    assert far.draw(2, np.random.RandomState(0)) is None


def test_points_whose_norms_hardly_have_digits_are_in_bins_all_the_same():
    points = np.linspace(-3e-162, 3e-162, 99)[:, None]
    far = FarPoints(Cloud.of(points, np.ones(99)), Threads(1))
    found = {
        float(far.draw(1, np.random.RandomState(seed))[0, 0]) for seed in range(50)
    }
    assert len(found) > 20


@pytest.mark.parametrize("n", [1, 63, 64, 65, 1000])
def test_coordinates_hold_every_point_of_any_number(n):
    X = np.random.default_rng(n).normal(size=(n, 3))
    X[-1] = 8.0
    X[0] = -9.0
    inside = Coordinates.around(np.zeros(3), X).enter(X)
    assert 0.5 <= np.abs(inside).max() <= 1.0
