"""The clusterings give the numbers of their formulas, of other packages and papers."""

import numpy as np
import pytest
import reference_cluster as reference
from sklearn.datasets import load_iris

import concordant as cc
from concordant.cluster import FuzzyCMeans, PDClustering, distance_partition


def data_set(seed):
    """Make one of many data sets of different shapes, offsets and overlaps."""
    rng = np.random.default_rng(seed)
    n, p, K = 30 + 10 * seed, 1 + seed % 5, 2 + seed % 4
    centers = 3.0 * rng.normal(size=(K, p)) + 20.0 * (seed % 3)
    return centers[rng.integers(K, size=n)] + rng.normal(size=(n, p)), K


def peers_start(X, n_clusters, seed):
    """Make the memberships that fuzzy-c-means starts from."""
    u = np.random.RandomState(seed).rand(len(X), n_clusters)
    return u / u.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(6))
def test_fuzzy_c_means_ends_where_other_packages_do(seed):
    from fcmeans import FCM
    from skfuzzy import cmeans

    X, K = data_set(seed)
    m = (2.0, 1.6, 2.5)[seed % 3]
    u = peers_start(X, K, seed)
    ours = FuzzyCMeans(K, fuzzifier=m, init=u, tol=1e-11, max_iter=20_000).fit(X)
    centers, memberships, *_ = cmeans(X.T, K, m, 1e-11, 20_000, init=u.T)
    np.testing.assert_allclose(ours.cluster_centers_, centers, rtol=0, atol=1e-6)
    np.testing.assert_allclose(ours.memberships_, memberships.T, rtol=0, atol=1e-6)
    other = FCM(K, m=m, max_iter=20_000, error=1e-11, random_state=seed).fit(X)
    np.testing.assert_allclose(ours.cluster_centers_, other.centers, rtol=0, atol=1e-6)
    np.testing.assert_allclose(ours.memberships_, other.u, rtol=0, atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("m", [1.2, 2.0, 3.5])
def test_each_step_of_fuzzy_c_means_is_that_of_the_formulas(seed, m):
    X, K = data_set(seed)
    rng = np.random.default_rng(seed)
    centers = (X[:K] + rng.normal(size=(K, X.shape[1]))).tolist()
    for n_iter in range(1, 5):
        model = FuzzyCMeans(K, fuzzifier=m, init=centers, tol=0, max_iter=1).fit(X)
        centers = reference.fuzzy_step(X.tolist(), centers, m)
        np.testing.assert_allclose(model.cluster_centers_, centers, rtol=1e-9)
        np.testing.assert_allclose(
            model.memberships_,
            reference.fuzzy_memberships(X.tolist(), centers, m),
            rtol=1e-7,
            atol=1e-12,
            err_msg=f"iteration {n_iter}",
        )
        assert model.objective_ == pytest.approx(
            reference.fuzzy_objective(X.tolist(), centers, m), rel=1e-9
        )


@pytest.mark.parametrize("seed", range(5))
def test_each_step_of_pd_clustering_is_that_of_the_formulas(seed):
    X, K = data_set(seed)
    rng = np.random.default_rng(seed)
    centers = (X[:K] + rng.normal(size=(K, X.shape[1]))).tolist()
    for n_iter in range(1, 5):
        model = PDClustering(K, init=centers, tol=0, max_iter=1).fit(X)
        centers = reference.pd_step(X.tolist(), centers)
        np.testing.assert_allclose(model.cluster_centers_, centers, rtol=1e-9)
        np.testing.assert_allclose(
            model.memberships_,
            reference.pd_memberships(X.tolist(), centers),
            rtol=1e-9,
            err_msg=f"iteration {n_iter}",
        )
        assert model.objective_ == pytest.approx(
            reference.pd_objective(X.tolist(), centers), rel=1e-9
        )


def test_distance_partition_is_that_of_the_formula():
    X, _ = data_set(7)
    labels = np.arange(len(X)) % 3
    means = np.array([X[labels == k].mean(axis=0) for k in range(3)])
    want = reference.pd_memberships(X.tolist(), means.tolist())
    np.testing.assert_allclose(distance_partition(X, labels), want, rtol=1e-9)
    np.testing.assert_allclose(distance_partition(X, centers=means), want, rtol=1e-9)
    named = np.array(["c", "a", "b"])[labels]
    np.testing.assert_allclose(
        distance_partition(X, named), np.array(want)[:, [1, 2, 0]], rtol=1e-9
    )


class TestIris:
    """The last table of the paper, row Iris; class means are the start."""

    X, y = load_iris(return_X_y=True)
    truth = distance_partition(X, y)

    def test_concordance_of_pd_clustering_with_the_classes(self):
        means = [self.X[self.y == k].mean(axis=0) for k in range(3)]
        model = PDClustering(3, init=means, tol=1e-4).fit(self.X)
        result = cc.concordance(model, self.truth)
        assert round(result.ndc, 4) == 0.9780
        assert round(result.aci, 4) == 0.9298

    @pytest.mark.parametrize(
        ("family", "rand", "adjusted_rand"),
        [
            ("anderson", 0.6167, 0.1321),
            ("campello", 0.6552, 0.3005),
            ("brouwer", 0.7211, 0.4096),
        ],
    )
    def test_self_comparison(self, family, rand, adjusted_rand):
        table = cc.pair_table(self.truth, self.truth, family=family)
        assert round(table.rand, 4) == rand
        assert round(table.adjusted_rand, 4) == adjusted_rand
