"""Fitted estimators go straight into the indices."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.cluster import (
    DBSCAN,
    HDBSCAN,
    AgglomerativeClustering,
    Birch,
    BisectingKMeans,
    FeatureAgglomeration,
    KMeans,
    MeanShift,
    MiniBatchKMeans,
)
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA, LatentDirichletAllocation
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import concordant as cc
from concordant.cluster import FuzzyCMeans, PDClustering

X, y = load_iris(return_X_y=True)


@pytest.mark.parametrize("Estimator", [FuzzyCMeans, PDClustering])
def test_a_fitted_soft_estimator_stands_for_its_memberships(Estimator):
    model = Estimator(3, random_state=0).fit(X)
    U, name = model.memberships_, Estimator.__name__
    assert cc.compare(model, y) == cc.compare(U, y, names=(name, "Q"))
    assert cc.compare(y, model) == cc.compare(y, U, names=("P", name))
    assert cc.adjusted_concordance_index(model, model) == 1.0


@pytest.mark.parametrize(
    ("model", "advice"),
    [
        (FuzzyCMeans(3), r"P is a FuzzyCMeans that was not fitted; call its fit\(X\)"),
        (KMeans(3), r"P is a KMeans that was not fitted; call its fit\(X\)"),
        (DBSCAN(), r"P is a DBSCAN that was not fitted; call its fit\(X\) first$"),
        (GaussianMixture(3), "P is a GaussianMixture that was not fitted"),
        (
            GaussianMixture(3).fit(X),
            "GaussianMixture that holds no memberships_ and no labels_ .* pass "
            r"Partition.from_estimator\(model, X\)$",
        ),
        (make_pipeline(StandardScaler(), KMeans(3)), "P is a KMeans that was not fit"),
        (make_pipeline(StandardScaler(), "passthrough"), "P is a Pipeline that was"),
        (FeatureAgglomeration(2).fit(X), "are those of features, not of objects"),
        (KMeans, "must be labels or a membership matrix, found "),
        (BaseEstimator(), "must be labels or a membership matrix"),
    ],
)
def test_an_estimator_without_memberships_says_what_to_pass(model, advice):
    with pytest.raises(TypeError, match=advice):
        cc.compare(model, y)


@pytest.mark.parametrize(
    "model",
    [
        KMeans(3, n_init=1, random_state=0),
        MiniBatchKMeans(3, n_init=1, random_state=0),
        BisectingKMeans(3, random_state=0),
        AgglomerativeClustering(3),
        Birch(n_clusters=3),
        MeanShift(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_fitted_clustering_stands_for_its_labels(model):
    model.fit(X)
    names = (type(model).__name__, "Q")
    assert cc.compare(model, y) == cc.compare(model.labels_, y, names=names)
    partition = cc.Partition(model)
    assert (partition.clusters[partition.labels] == model.labels_).all()


@pytest.mark.parametrize(
    "model", [DBSCAN(eps=0.5), HDBSCAN(min_cluster_size=20, copy=True)], ids=repr
)
def test_noise_of_a_fitted_clustering_is_warned_of(model):
    model.fit(X)
    with pytest.warns(cc.NoiseLabelWarning, match="of P contain -1"):
        found = cc.adjusted_rand_index(model, y)
    as_cluster = cc.Partition(model, noise="cluster")
    assert cc.adjusted_rand_index(as_cluster, y) == found
    dropped = cc.Partition(model, noise="drop")
    assert dropped.n_objects == (model.labels_ >= 0).sum()


def test_a_pipeline_stands_for_its_last_step_and_a_search_for_its_best():
    pipeline = make_pipeline(StandardScaler(), KMeans(3, n_init=1, random_state=0))
    pipeline.fit(X)
    last, names = pipeline[-1], ("Pipeline", "Q")
    assert cc.compare(pipeline, y) == cc.compare(last.labels_, y, names=names)
    search = GridSearchCV(pipeline, {"kmeans__n_clusters": [2, 3]}, cv=2).fit(X)
    best, names = search.best_estimator_[-1], ("GridSearchCV", "Q")
    assert cc.compare(search, y) == cc.compare(best.labels_, y, names=names)
    unfitted = GridSearchCV(KMeans(), {"n_clusters": [2, 3]})
    with pytest.raises(TypeError, match="P is a GridSearchCV that was not fitted"):
        cc.compare(unfitted, y)


def test_an_estimator_that_estimates_nothing_is_refused():
    class Fits(BaseEstimator):
        def fit(self, X, y=None):
            return self

    with pytest.raises(TypeError, match="that was not fitted; call its fit"):
        cc.compare(Fits(), y)
    fitted = Fits()
    fitted.n_features_in_ = 4
    with pytest.raises(TypeError, match="pass what it makes of the data"):
        cc.compare(fitted, y)
    with pytest.raises(TypeError, match="estimator must have one of .* has none$"):
        cc.Partition.from_estimator(Fits(), X)
    with pytest.raises(TypeError, match=r"has none; pass Partition\(estimator\)"):
        cc.Partition.from_estimator(DBSCAN().fit(X), X)


def test_from_estimator_takes_the_softest_estimate():
    mixture = GaussianMixture(3, random_state=0).fit(X)
    np.testing.assert_array_equal(
        cc.Partition.from_estimator(mixture, X).memberships, mixture.predict_proba(X)
    )
    means = KMeans(3, n_init=1, random_state=0).fit(X)
    assert cc.Partition.from_estimator(means, X).labels.tolist() == [*means.labels_]
    topics = LatentDirichletAllocation(3, random_state=0).fit(X)
    np.testing.assert_array_equal(
        cc.Partition.from_estimator(topics, X).memberships, topics.transform(X)
    )


def test_from_estimator_refuses_what_is_no_partition():
    with pytest.raises(
        ValueError, match="memberships of the estimate must lie between"
    ):
        cc.Partition.from_estimator(PCA(2).fit(X), X)


def test_from_estimator_keeps_the_index_of_a_frame():
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"]).set_index(np.arange(150) + 7)
    for model in (FuzzyCMeans(3, random_state=0), KMeans(3, n_init=1)):
        partition = cc.Partition.from_estimator(model.fit(frame), frame)
        assert partition.ids.tolist() == [*range(7, 157)]
    with pytest.raises(ValueError, match="different ids"):
        cc.compare(partition, pd.Series(y))
