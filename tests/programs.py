"""Memberships that scikit-learn's classifiers and clusterings give."""

import warnings

import numpy as np
from corpus import Maker, Matrix, Rng


def nearest_neighbours(rng: Rng, n: int, K: int) -> Matrix:
    from sklearn.neighbors import KNeighborsClassifier

    k = int(rng.choice([3, 5, 7, 10]))
    weights = str(rng.choice(["uniform", "distance"]))
    X, y = _blobs(rng, max(n, 2 * K, k), K)
    model = KNeighborsClassifier(k, weights=weights).fit(X, y)
    return model.predict_proba(_blobs(rng, n, K)[0])


def forest(rng: Rng, n: int, K: int) -> Matrix:
    from sklearn.ensemble import RandomForestClassifier

    X, y = _blobs(rng, max(n, 3 * K), K)
    model = RandomForestClassifier(
        int(rng.choice([5, 10, 25])),
        min_samples_leaf=int(rng.integers(1, 4)),
        random_state=_seed(rng),
    )
    return model.fit(X, y).predict_proba(X[:n])


def gaussian_mixture(rng: Rng, n: int, K: int) -> Matrix:
    from sklearn.mixture import GaussianMixture

    X, _ = _blobs(rng, max(n, 3 * K), K)
    model = GaussianMixture(K, max_iter=20, reg_covar=1e-4, random_state=_seed(rng))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # converged or not, these are memberships
        return model.fit(X).predict_proba(X[:n])


def topics(rng: Rng, n: int, K: int) -> Matrix:
    """Shares of topics by latent Dirichlet allocation."""
    from sklearn.decomposition import LatentDirichletAllocation

    counts = rng.poisson(rng.gamma(0.3, size=(K, 15))[labels_of(rng, n, K)])
    model = LatentDirichletAllocation(K, max_iter=2, random_state=_seed(rng))
    return model.fit_transform(counts)


def k_means(rng: Rng, n: int, K: int) -> Matrix:
    """Distances to the centres of k-means, through a softmax."""
    from sklearn.cluster import KMeans

    X, _ = _blobs(rng, max(n, 3 * K), K)
    model = KMeans(K, n_init=1, max_iter=20, random_state=_seed(rng)).fit(X)
    scores = -model.transform(X[:n]) * rng.choice([0.1, 1.0, 30.0])
    U = np.exp(scores - scores.max(axis=1, keepdims=True))
    return U / U.sum(axis=1, keepdims=True)


def hdbscan(rng: Rng, n: int, K: int) -> Matrix:
    """Strengths of membership by HDBSCAN, and the rest as noise."""
    from sklearn.cluster import HDBSCAN

    X, _ = _blobs(rng, max(n, 20), K)
    model = HDBSCAN(min_cluster_size=max(3, len(X) // 40), copy=True).fit(X)
    found, strengths = model.labels_[:n], model.probabilities_[:n]
    n_clusters = min(max(int(found.max()) + 1, 1), 11)
    U = np.zeros((n, n_clusters + 1))
    inside = (found >= 0) & (found < n_clusters)
    U[np.flatnonzero(inside), found[inside]] = strengths[inside]
    U[:, -1] = 1.0 - U.sum(axis=1)
    return U


def labels_of(rng: Rng, n: int, K: int) -> Matrix:
    """Labels of which each occurs, if there are objects enough."""
    return rng.permutation(np.arange(n) % K)


def _blobs(rng: Rng, n: int, K: int) -> tuple[Matrix, Matrix]:
    y = labels_of(rng, n, K)
    return rng.normal(size=(K, 2))[y] * 3.0 + rng.normal(size=(n, 2)), y


def _seed(rng: Rng) -> int:
    return int(rng.integers(1 << 31))


PROGRAMS: tuple[Maker, ...] = (
    nearest_neighbours,
    forest,
    gaussian_mixture,
    topics,
    k_means,
    hdbscan,
)
