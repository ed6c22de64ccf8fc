"""Fitted estimators go straight into the indices."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA, LatentDirichletAllocation
from sklearn.mixture import GaussianMixture

import concordant as cc
from concordant.cluster import FuzzyCMeans, PDClustering

X, y = load_iris(return_X_y=True)


@pytest.mark.parametrize("Estimator", [FuzzyCMeans, PDClustering])
def test_a_fitted_soft_estimator_stands_for_its_memberships(Estimator):
    model = Estimator(3, random_state=0).fit(X)
    assert cc.compare(model, y) == cc.compare(model.memberships_, y)
    assert cc.compare(y, model) == cc.compare(y, model.memberships_)
    assert cc.adjusted_concordance_index(model, model) == 1.0


@pytest.mark.parametrize(
    ("model", "advice"),
    [
        (
            FuzzyCMeans(3),
            r"Partition.from_estimator\(model, X\), with the model fitted",
        ),
        (
            GaussianMixture(3),
            r"P is a GaussianMixture that .* Partition.from_estimator",
        ),
        (KMeans(3, n_init=1, random_state=0).fit(X), "pass its labels_"),
        (BaseEstimator(), "must be labels or a membership matrix"),
    ],
)
def test_an_estimator_without_memberships_says_what_to_pass(model, advice):
    with pytest.raises(TypeError, match=advice):
        cc.compare(model, y)


def test_an_estimator_that_estimates_nothing_is_refused():
    class Fits(BaseEstimator):
        def fit(self, X, y=None):
            return self

    with pytest.raises(TypeError, match="pass what it makes of the data"):
        cc.compare(Fits(), y)
    with pytest.raises(TypeError, match="estimator must have one of"):
        cc.Partition.from_estimator(Fits(), X)


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
