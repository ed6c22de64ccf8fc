"""Laws that hold for the clusterings of any data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import special_ortho_group

import concordant as cc
from concordant.cluster import FuzzyCMeans, PDClustering, distance_partition

MODELS = {
    "fuzzy": lambda K, **options: FuzzyCMeans(K, **options),
    "fuzzy, nearly crisp": lambda K, **options: FuzzyCMeans(
        K, fuzzifier=1.15, **options
    ),
    "fuzzy, very": lambda K, **options: FuzzyCMeans(K, fuzzifier=7.0, **options),
    "probabilistic": lambda K, **options: PDClustering(K, **options),
}
each = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
few = settings(max_examples=15, deadline=None)
# Centres of data without clusters may coincide, for large m above all.
pytestmark = pytest.mark.filterwarnings("ignore:.* distinct centres? for n_clusters")


@st.composite
def problems(draw):
    """Draw points, some of them twice, and centres to start from."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, p = draw(st.integers(9, 40)), draw(st.integers(1, 4))
    K = draw(st.integers(1, 4))
    X = rng.normal(size=(n, p)) + 3.0 * rng.integers(3, size=(n, 1))
    if draw(st.booleans()):
        X[n // 2 :] = X[: n - n // 2]  # each point twice
    if draw(st.booleans()):
        X[:, 0] = 1.5  # a constant column
        X = np.column_stack([X, rng.normal(size=n)])
    return X, rng.normal(size=(K, X.shape[1])) + 3.0 * np.arange(K)[:, None]


def some_iterations(make, X, init, **fit):
    return make(len(init), init=init, tol=0, max_iter=6).fit(X, **fit)


@each
@given(problem=problems())
@few
def test_memberships_make_a_partition(make, problem):
    X, init = problem
    model = some_iterations(make, X, init)
    assert (model.memberships_ >= 0.0).all()
    np.testing.assert_allclose(model.memberships_.sum(axis=1), 1.0, rtol=1e-14)
    assert cc.Partition(model).n_clusters == len(init)


@each
@given(problem=problems())
@few
def test_the_objective_never_increases(make, problem):
    X, init = problem
    history = make(len(init), init=init, tol=0, max_iter=60).fit(X).history_
    assert (np.diff(history) <= 0.0).all()


@each
@given(problem=problems(), seed=st.integers(0, 2**32 - 1))
@few
def test_the_order_of_points_does_not_matter(make, problem, seed):
    X, init = problem
    order = np.random.default_rng(seed).permutation(len(X))
    model = some_iterations(make, X, init)
    other = some_iterations(make, X[order], init)
    np.testing.assert_allclose(other.memberships_, model.memberships_[order], atol=1e-8)
    np.testing.assert_allclose(other.objective_, model.objective_, rtol=1e-10)


@each
@given(problem=problems(), seed=st.integers(0, 1000))
@few
def test_the_order_of_points_does_not_matter_to_drawn_starts(make, problem, seed):
    X, init = problem
    options = {"random_state": seed, "n_init": 1, "tol": 0, "max_iter": 6}
    order = np.random.default_rng(seed).permutation(len(X))
    K = min(len(init), len(np.unique(X, axis=0)))
    model = make(K, **options).fit(X)
    other = make(K, **options).fit(X[order])
    np.testing.assert_allclose(other.memberships_, model.memberships_[order], atol=1e-7)


@each
@given(problem=problems(), shift=st.floats(-100.0, 100.0))
@few
def test_translation_moves_the_centres_alone(make, problem, shift):
    X, init = problem
    model = some_iterations(make, X, init)
    other = some_iterations(make, X + shift, init + shift)
    np.testing.assert_allclose(other.memberships_, model.memberships_, atol=1e-8)
    np.testing.assert_allclose(
        other.cluster_centers_, model.cluster_centers_ + shift, atol=1e-8
    )


@each
@given(problem=problems(), seed=st.integers(0, 2**32 - 1))
@few
def test_rotation_turns_the_centres_alone(make, problem, seed):
    X, init = problem
    p = X.shape[1]
    turn = special_ortho_group(p, seed=seed).rvs() if p > 1 else -np.eye(1)
    model = some_iterations(make, X, init)
    other = some_iterations(make, X @ turn, init @ turn)
    np.testing.assert_allclose(other.memberships_, model.memberships_, atol=1e-8)
    np.testing.assert_allclose(
        other.cluster_centers_, model.cluster_centers_ @ turn, atol=1e-8
    )


@each
@given(problem=problems(), exponent=st.floats(-120.0, 120.0))
@few
def test_scale_leaves_memberships_alone(make, problem, exponent):
    X, init = problem
    scale = 10.0**exponent
    model = some_iterations(make, X, init)
    other = some_iterations(make, X * scale, init * scale)
    np.testing.assert_allclose(other.memberships_, model.memberships_, atol=1e-8)
    np.testing.assert_allclose(
        other.cluster_centers_ / scale, model.cluster_centers_, atol=1e-8
    )


@each
@given(problem=problems(), seed=st.integers(0, 2**32 - 1))
@few
def test_a_weight_of_two_is_the_point_given_twice(make, problem, seed):
    X, init = problem
    weights = np.random.default_rng(seed).integers(4, size=len(X))
    weights[:4] = 2
    weights[np.unique(X, axis=0, return_index=True)[1][: len(init)]] = 1
    repeated = np.repeat(X, weights, axis=0)
    model = some_iterations(make, X, init, sample_weight=weights)
    other = some_iterations(make, repeated, init)
    np.testing.assert_allclose(
        np.repeat(model.memberships_, weights, axis=0), other.memberships_, atol=1e-8
    )
    assert model.objective_ == pytest.approx(other.objective_, rel=1e-10)


@given(problem=problems(), seed=st.integers(0, 1000))
@few
def test_distance_partition_obeys_the_same_laws(problem, seed):
    X, _ = problem
    rng = np.random.default_rng(seed)
    labels = np.arange(len(X)) % 3
    P = distance_partition(X, labels)
    np.testing.assert_allclose(P.sum(axis=1), 1.0, rtol=1e-14)
    order = rng.permutation(len(X))
    np.testing.assert_allclose(
        distance_partition(X[order], labels[order]), P[order], atol=1e-9
    )
    np.testing.assert_allclose(
        distance_partition(1e90 * X + 3e90, labels), P, atol=1e-8
    )
