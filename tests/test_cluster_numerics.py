"""Where the formulas divide by zero, underflow or stand still."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning

from concordant.cluster import FuzzyCMeans, PDClustering, distance_partition

ESTIMATORS = [FuzzyCMeans, PDClustering]
both = pytest.mark.parametrize("Estimator", ESTIMATORS)
RNG = np.random.default_rng(0)
X = np.vstack([RNG.normal(size=(20, 2)), RNG.normal(size=(20, 2)) + 6.0])


def pd_objective(X, centers):
    """Sum 1 / sum_k (1 / d_ik), where a point on a centre adds nothing."""
    with np.errstate(divide="ignore"):
        return (1.0 / (1.0 / cdist(X, centers)).sum(axis=1)).sum()


@both
def test_a_point_on_a_centre_belongs_to_it_alone(Estimator):
    model = Estimator(2, random_state=0).fit(X)
    at_centers = model.predict_proba(model.cluster_centers_)
    np.testing.assert_array_equal(at_centers, np.eye(2))
    assert model.transform(model.cluster_centers_).diagonal().tolist() == [0.0, 0.0]


@pytest.mark.parametrize("m", [1.0001, 1.5, 2.0, 50.0])
def test_coinciding_centres_share_the_points_on_them(m):
    points = np.array([[0.0], [1.0], [2.0], [5.0]])
    model = FuzzyCMeans(3, fuzzifier=m, init=[[1.0], [1.0], [5.0]], max_iter=1, tol=0)
    with pytest.warns(ConvergenceWarning, match="2 distinct centres for n_clusters=3"):
        model.fit(points)
    model.cluster_centers_ = np.array([[1.0], [1.0], [5.0]])
    np.testing.assert_array_equal(
        model.predict_proba([[1.0], [5.0]]), [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    )


def test_coinciding_class_means_share_the_points_on_them():
    points = np.array([[-1.0], [1.0], [-2.0], [2.0], [0.0], [7.0]])
    P = distance_partition(points, centers=[[0.0], [0.0], [7.0]])
    np.testing.assert_array_equal(P[4:], [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    np.testing.assert_array_equal(P[:, 0], P[:, 1])


@both
def test_as_many_clusters_as_points_put_a_centre_on_each(Estimator):
    points = np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 2.0], [1.0, 0.0]])
    model = Estimator(3, init=points[:3]).fit(points)
    assert model.objective_ == 0.0
    np.testing.assert_array_equal(model.memberships_, np.eye(3)[[0, 1, 2, 1]])
    drawn = Estimator(3, random_state=0).fit(points)
    assert drawn.objective_ == 0.0


@both
def test_one_cluster_has_every_point(Estimator):
    model = Estimator(1, random_state=0).fit(X)
    np.testing.assert_array_equal(model.memberships_, 1.0)
    if Estimator is FuzzyCMeans:
        np.testing.assert_allclose(model.cluster_centers_[0], X.mean(axis=0))


@both
def test_equal_points_all_the_same_make_one_cluster(Estimator):
    model = Estimator(1, random_state=0).fit(np.full((5, 2), 3.7))
    assert model.objective_ == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(model.cluster_centers_, [[3.7, 3.7]], rtol=1e-15)


@pytest.mark.parametrize("m", [1.0 + 1e-9, 1.0001, 1.01])
def test_m_near_one_is_nearly_k_means(m):
    model = FuzzyCMeans(2, fuzzifier=m, random_state=0).fit(X)
    assert model.converged_
    halves = [X[:20].mean(axis=0), X[20:].mean(axis=0)]
    found = model.cluster_centers_[np.argsort(model.cluster_centers_[:, 0])]
    np.testing.assert_allclose(found, halves, atol=1e-6)
    assert model.objective_ == pytest.approx(
        sum(((part - part.mean(axis=0)) ** 2).sum() for part in (X[:20], X[20:])),
        rel=1e-3,
    )


def test_a_centre_that_no_point_is_near_still_moves_at_m_near_one():
    # All memberships of the third centre are below 1e-1000.
    init = [[0.0, 0.0], [6.0, 6.0], [1e3, 1e3]]
    model = FuzzyCMeans(3, fuzzifier=1.001, init=init, tol=0, max_iter=3).fit(X)
    assert np.isfinite(model.cluster_centers_).all()
    assert np.abs(model.cluster_centers_).max() < 20.0


@pytest.mark.parametrize("m", [30.0, 1e3, 1e6, 1e12])
def test_large_m_has_a_limit(m):
    model = FuzzyCMeans(2, fuzzifier=m, random_state=0, n_init=3).fit(X)
    assert np.isfinite(model.cluster_centers_).all()
    assert np.linalg.norm(np.diff(model.cluster_centers_, axis=0)) > 5.0
    np.testing.assert_allclose(model.memberships_, 0.5, atol=3.0 / m)
    assert (model.labels_[:20] != model.labels_[20:]).all()


def test_the_logarithms_agree_with_the_formulas_at_two():
    near = np.nextafter(2.0, 3.0)
    two = FuzzyCMeans(3, init=X[:3], tol=0, max_iter=20).fit(X)
    logarithms = FuzzyCMeans(3, fuzzifier=near, init=X[:3], tol=0, max_iter=20).fit(X)
    np.testing.assert_allclose(two.memberships_, logarithms.memberships_, atol=1e-11)
    np.testing.assert_allclose(two.history_, logarithms.history_, rtol=1e-12)


@both
def test_many_clusters_neither_under_nor_overflow(Estimator):
    points = np.random.default_rng(3).normal(size=(300, 2))
    model = Estimator(200, random_state=0, n_init=1, max_iter=20, tol=0).fit(points)
    np.testing.assert_allclose(model.memberships_.sum(axis=1), 1.0, rtol=1e-13)
    assert np.isfinite(model.history_).all()
    assert (np.diff(model.history_) <= 0.0).all()


@both
def test_a_constant_column_is_harmless(Estimator):
    padded = np.column_stack([np.full(40, 1e6), X])
    init = np.array([[0.0, 0.5], [5.0, 6.0]])
    plain = Estimator(2, init=init).fit(X)
    model = Estimator(2, init=np.column_stack([[1e6, 1e6], init])).fit(padded)
    np.testing.assert_allclose(model.memberships_, plain.memberships_, atol=1e-9)
    np.testing.assert_allclose(model.cluster_centers_[:, 0], 1e6, rtol=1e-15)


@both
def test_far_from_the_origin_no_digit_is_lost(Estimator):
    init = np.array([[0.0, 0.5], [5.0, 6.0]])
    moved = np.round(X * 2**20) / 2**20
    near = Estimator(2, init=init).fit(moved)
    far = Estimator(2, init=init + 2.0**28).fit(moved + 2.0**28)
    np.testing.assert_allclose(far.memberships_, near.memberships_, atol=1e-6)


def test_far_points_are_predicted_to_belong_equally_everywhere():
    model = FuzzyCMeans(2, random_state=0).fit(X)
    np.testing.assert_allclose(model.predict_proba([[1e120, -1e120]]), 0.5)
    assert np.isfinite(model.transform([[1e120, -1e120]])).all()
    with pytest.raises(ValueError, match="X differs from the median of X by up to 1e"):
        model.predict_proba([[1e300, -1e300]])


@pytest.mark.parametrize("offset", [0.0, 1e-15, 1e-9, 1e-7])
def test_pd_clustering_does_not_freeze_at_or_near_a_point(offset):
    start = X[[0, 20]] + offset
    model = PDClustering(2, init=start).fit(X)
    free = PDClustering(2, init=[X[:20].mean(axis=0), X[20:].mean(axis=0)]).fit(X)
    assert np.linalg.norm(model.cluster_centers_ - start) > 0.5
    assert model.objective_ == pytest.approx(free.objective_, rel=1e-6)
    assert (np.diff(model.history_) <= 0.0).all()


def test_pd_clustering_leaves_a_point_that_stands_twice():
    points = np.vstack([X, X[0]])
    model = PDClustering(2, init=points[[0, 20]]).fit(points)
    assert np.linalg.norm(model.cluster_centers_[0] - points[0]) > 0.1


def test_pd_clustering_stays_on_a_point_that_is_the_best_place():
    points = np.vstack([X, np.repeat([[0.5, 0.0]], 30, axis=0)])
    start = np.array([[0.5, 0.0], [6.0, 6.0]])
    model = PDClustering(2, init=start).fit(points)
    np.testing.assert_allclose(model.cluster_centers_[0], [0.5, 0.0], atol=1e-12)
    rng = np.random.default_rng(0)
    best = pd_objective(points, model.cluster_centers_)
    for step in 10.0 ** -rng.uniform(1, 5, size=50):
        aside = model.cluster_centers_ + step * rng.normal(size=(2, 2))
        assert pd_objective(points, aside) > best


@pytest.mark.parametrize("seed", range(6))
def test_pd_clustering_from_points_ends_where_no_search_finds_better_nearby(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(15, 2)).round(1)
    start = points[rng.choice(15, size=2, replace=False)]
    model = PDClustering(2, init=start, tol=1e-9, max_iter=20_000).fit(points)
    assert model.objective_ == pytest.approx(
        pd_objective(points, model.cluster_centers_), rel=1e-9
    )
    search = minimize(
        lambda c: pd_objective(points, c.reshape(2, 2)),
        model.cluster_centers_.ravel(),
        method="Nelder-Mead",
        options={
            "xatol": 1e-9,
            "fatol": 1e-12,
            "initial_simplex": model.cluster_centers_.ravel()
            + 1e-3 * np.vstack([np.zeros(4), np.eye(4)]),
        },
    )
    assert model.objective_ <= search.fun + 1e-6


@both
def test_zero_weights_take_points_out_of_the_fit_but_not_of_the_result(Estimator):
    weights = np.ones(40)
    weights[[3, 25]] = 0.0
    init = X[[0, 30]] + 0.1
    model = Estimator(2, init=init).fit(X, sample_weight=weights)
    without = Estimator(2, init=init).fit(X[weights > 0])
    np.testing.assert_allclose(
        model.cluster_centers_, without.cluster_centers_, atol=1e-9
    )
    assert model.memberships_.shape == (40, 2)


def test_a_point_of_no_weight_does_not_hold_a_centre():
    weights = np.ones(40)
    weights[0] = 0.0
    for model in (
        PDClustering(2, init=X[[0, 30]]),
        FuzzyCMeans(2, fuzzifier=40.0, init=X[[0, 30]] + 0.1),
    ):
        model.fit(X, sample_weight=weights)
        assert np.linalg.norm(model.cluster_centers_[0] - X[0]) > 0.1


def test_labels_of_memberships_near_one_are_right_without_a_logarithm():
    model = FuzzyCMeans(2, fuzzifier=1.0 + 1e-12, random_state=0).fit(X)
    assert set(np.unique(model.memberships_)) <= {0.0, 1.0}
