"""Starts are drawn by k-means++, from the distinct points."""

import numpy as np
import pytest

from concordant.cluster import FuzzyCMeans
from concordant.cluster.points import Points
from concordant.cluster.soft_estimator import distinct_points, drawn_starts
from concordant.execution.engine import Threads


def points_of(X, weights):
    return Points.of(np.asarray(X, float), np.asarray(weights, float), Threads(1))


@pytest.mark.parametrize("column", [0, 1])
def test_equal_points_are_one_with_their_summed_weight(column):
    rng = np.random.default_rng(0)
    X = rng.integers(3, size=(60, 2)).astype(float)
    X[:, column] += rng.permutation(60) // 2  # ties in the first column or few
    weights = rng.integers(3, size=60)
    found, sums = distinct_points(points_of(X, weights))
    repeated = np.repeat(X, weights, axis=0)
    want, counts = np.unique(repeated, axis=0, return_counts=True)
    np.testing.assert_array_equal(found, want)
    np.testing.assert_array_equal(sums, counts)


def test_points_whose_squares_round_to_zero_are_drawn_all_the_same():
    X = np.array([[0.0], [1e-200], [2e-200]])
    for seed in range(5):
        random = np.random.RandomState(seed)
        (start,) = drawn_starts(points_of(X, np.ones(3)), 3, 1, random)
        assert sorted(start.ravel()) == [0.0, 1e-200, 2e-200]


def test_more_centres_than_distinct_points_may_be_given():
    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    model = FuzzyCMeans(3, init=[[0.0], [0.5], [1.0]]).fit(X)
    np.testing.assert_array_equal(
        model.memberships_[:, [0, 2]], np.eye(2)[[0, 0, 1, 1]]
    )
