"""Indices of partitions and their data are what their definitions say."""

import math

import numpy as np
import pytest
import reference
from sklearn.base import BaseEstimator
from sklearn.cluster import DBSCAN, KMeans
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import concordant as cc
from concordant.catalogue.validity_indices import VALIDITY
from concordant.choosing import judging
from concordant.choosing.validity_formulas import Fit, fs
from concordant.cluster import FuzzyCMeans, PDClustering
from concordant.datasets import load_uci

IRIS = np.asarray(load_uci("iris").data, dtype=float)
#: Of Iris into three clusters by fuzzy C-means, as other programs compute them.
DIGITS = {
    "pc": 0.783397487,
    "mpc": 0.675096230,
    "pe": 0.395491581,
    "silhouette": 0.549517513,
    "silhouette_squared": 0.731992583,
    "fuzzy_silhouette": 0.620774482,
    "fuzzy_silhouette_squared": 0.809144574,
    "xb": 0.136908153,
    "fs": -444.563902,
    "kwon": 21.957697812,
    "kwon2": 29.820690800,
    "tang": 22.271672194,
    "pbm": 43.900394,
    "pcaes": 2.706258,
    "fhv": 0.020448200,
}
CHOICES = dict.fromkeys(VALIDITY, 2) | {"fs": 3, "pcaes": 5, "pbm": 6, "fhv": 6}


@pytest.fixture(scope="module")
def models():
    return {
        K: FuzzyCMeans(K, random_state=0, tol=1e-11, max_iter=5000).fit(IRIS)
        for K in range(2, 7)
    }


def case(seed, n=14, K=3, p=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + rng.integers(0, 4, size=(n, 1))
    return X, rng.dirichlet([0.5] * K, n)


def values(X, P, **options):
    found = cc.validity(X, P, **options)
    assert not found.why_not
    return {name: found[name] for name in found.indices}


def test_iris_has_the_values_that_other_programs_give(models):
    found = cc.validity(IRIS, models[3])
    for name, value in DIGITS.items():
        digits = 6 if name in ("fs", "pbm", "pcaes") else 9
        near = pytest.approx(value, rel=1e-9, abs=1.01 * 10.0**-digits)
        assert found[name] == near, name
    assert {*DIGITS} == {*VALIDITY}


def test_indices_of_iris_disagree_on_the_number_of_clusters(models):
    assert cc.validity(IRIS, models).choices == CHOICES


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("m", [1.0, 1.5, 2.0, 3.7])
def test_values_are_those_of_the_definitions(seed, m):
    X, U = case(seed, K=2 + seed % 4, p=1 + seed % 3)
    expected = reference.validity(X.tolist(), U.tolist(), m)
    assert values(X, U, fuzzifier=m) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_centres_that_are_given_are_taken(seed):
    X, U = case(seed)
    H = np.random.default_rng(seed).normal([5.0, 0.0], size=(3, 2))
    expected = reference.validity(X.tolist(), U.tolist(), 2.0, H.tolist())
    assert values(X, U, centers=H) == pytest.approx(expected, rel=1e-10)
    both = cc.validity(X, {"a": U, "b": U}, centers={"a": H})
    assert both["xb", "a"] == pytest.approx(expected["xb"], rel=1e-10)
    assert both["xb", "b"] == cc.validity(X, U)["xb"]


def test_labels_have_the_values_of_their_memberships_and_of_scikit_learn():
    X, U = case(3, n=40)
    labels = U.argmax(axis=1)
    found = values(X, labels)
    expected = reference.validity(X.tolist(), np.eye(3)[labels].tolist(), 2.0)
    assert found == pytest.approx(expected, rel=1e-10)
    score = silhouette_score(X, labels)
    assert found["silhouette"] == pytest.approx(score, rel=1e-12)
    assert found["fuzzy_silhouette"] == pytest.approx(score, rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_neither_the_order_of_objects_nor_of_clusters_matters(seed):
    X, U = case(seed, n=30, K=4)
    rng, found = np.random.default_rng(seed), values(X, U)
    objects, clusters = rng.permutation(30), rng.permutation(4)
    assert values(X[objects], U[objects]) == pytest.approx(found, rel=1e-12)
    assert values(X, U[:, clusters]) == pytest.approx(found, rel=1e-12)


#: By which power of a scale of X each index grows; two have a constant beside it.
POWERS = dict.fromkeys(VALIDITY, 0) | {"fs": 2, "pbm": 2, "fhv": 2}
del POWERS["tang"], POWERS["kwon2"]


@pytest.mark.parametrize("scale", [1e-9, 0.25, 1e6])
def test_indices_grow_with_the_scale_of_the_data_as_they_should(scale):
    X, U = case(5)
    found, scaled = values(X, U), values(scale * X, U)
    for name, power in POWERS.items():
        assert scaled[name] == pytest.approx(scale**power * found[name], rel=1e-9)


def test_where_the_data_are_does_not_matter():
    X, U = case(6)
    assert values(np.add(X, [1e3, -1e4]), U) == pytest.approx(values(X, U), rel=1e-9)


def test_an_estimator_brings_its_centres_and_its_fuzzifier(models):
    model = FuzzyCMeans(3, fuzzifier=1.5, random_state=0).fit(IRIS)
    found = cc.validity(IRIS, model)
    assert found.fuzzifiers == (1.5,)
    how = {"centers": model.cluster_centers_, "fuzzifier": 1.5}
    by_hand = cc.validity(IRIS, model.memberships_, **how)
    assert np.array_equal(found.values, by_hand.values)
    pd = PDClustering(3, random_state=0).fit(IRIS)
    far = cc.validity(IRIS, pd.memberships_, indices="xb")
    assert cc.validity(IRIS, pd, indices="xb")["xb"] != far["xb"]
    assert cc.validity(IRIS, pd).fuzzifiers == (2.0,)


def test_estimators_of_scikit_learn_are_judged_without_more():
    means = KMeans(3, n_init=2, random_state=0).fit(IRIS)
    found = cc.validity(IRIS, means)
    assert found["silhouette"] == pytest.approx(silhouette_score(IRIS, means.labels_))
    assert found["pc"] == 1.0
    mixture = GaussianMixture(3, random_state=0).fit(IRIS)
    by_hand = cc.validity(IRIS, mixture.predict_proba(IRIS))
    assert np.array_equal(cc.validity(IRIS, mixture).values, by_hand.values)
    pipeline = make_pipeline(StandardScaler(), KMeans(3, n_init=1)).fit(IRIS)
    with pytest.raises(ValueError, match="P is a pipeline, whose centres are not amon"):
        cc.validity(IRIS, pipeline)


def test_centres_that_hold_no_object_are_told():
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    model = KMeans(2, n_init=1, random_state=0).fit(X)
    model.cluster_centers_ = np.array([[0.5], [10.5], [99.0]])
    told = "P has 3 centres for 2 clusters; pass its labels, whose means are then"
    with pytest.raises(ValueError, match=told):
        cc.validity(X, model)


def test_a_sample_of_very_many_objects_is_seeded_and_told(monkeypatch):
    X, U = case(7, n=200)
    whole = cc.validity(X, U)
    monkeypatch.setattr(judging, "_MOST", 120)
    found = cc.validity(X, U)
    assert found.n_sampled == 120
    assert "silhouettes are those of 120 objects at random" in str(found)
    assert np.array_equal(found.values, cc.validity(X, U).values)
    assert found["xb"] == whole["xb"]
    assert found["silhouette"] != whole["silhouette"]
    other = cc.validity(X, U, random_state=1)
    assert other["silhouette"] != found["silhouette"]
    assert cc.validity(X, U, indices="xb").n_sampled is None
    rows = np.sort(np.random.default_rng(0).choice(200, 120, replace=False))
    part = cc.validity(X[rows], U[rows])
    assert found["fuzzy_silhouette"] == pytest.approx(part["fuzzy_silhouette"])


def test_references_stand_beside_the_values(models):
    some = {K: FuzzyCMeans(K, n_init=1, random_state=0).fit(IRIS) for K in (2, 3)}
    how = {"references": ["normal", "uniform"], "n_references": 3, "random_state": 4}
    found = cc.validity(IRIS, some, indices=["pc", "fhv"], **how)
    assert {name: v.shape for name, v in found.references.items()} == {
        "normal": (3, 2, 2),
        "uniform": (3, 2, 2),
    }
    again = cc.validity(IRIS, some, indices=["pc", "fhv"], **how)
    assert np.array_equal(found.references["normal"], again.references["normal"])
    # Three clear groups of flowers are less fuzzy than noise is.
    assert (found.means("normal")[0] < found.values[0]).all()
    assert (found.means("uniform")[0] < found.values[0]).all()
    assert "  normal" in str(found)
    assert "normal: mean of 3 sets of data without structure" in str(found)
    assert found.to_frame().columns.tolist()[-2:] == ["normal", "uniform"]
    same = FuzzyCMeans(2, n_init=1, random_state=0).fit(IRIS)
    assert np.array_equal(some[2].cluster_centers_, same.cluster_centers_)


def test_references_seed_the_steps_of_a_pipeline():
    model = make_pipeline(StandardScaler(), GaussianMixture(4)).fit(IRIS)
    how = {"references": "normal", "n_references": 3, "random_state": 4}
    one, other = (cc.validity(IRIS, model, indices="pc", **how) for _ in range(2))
    assert np.array_equal(one.references["normal"], other.references["normal"])


def test_references_need_estimators(models):
    wanted = "references are clustered as P was, which only an estimator tells"
    with pytest.raises(ValueError, match=wanted):
        cc.validity(IRIS, models[3].memberships_, references="normal")


def test_fits_of_references_without_a_value_are_counted():
    X = np.random.default_rng(0).normal(size=(60, 10))
    model = FuzzyCMeans(2, fuzzifier=1.5, n_init=1, random_state=0).fit(X)
    model.set_params(fuzzifier=2.0)
    found = cc.validity(X, model, indices="xb", references="normal", n_references=4)
    undefined = int(np.isnan(found.references["normal"]).sum())
    assert undefined > 0
    assert f"{undefined} of 4 values are not defined" in str(found)


class Lopsided(BaseEstimator):
    """Memberships of two clusters, of which the second is empty in other data."""

    def fit(self, X):
        self.memberships_ = np.zeros((len(X), 2))
        self.memberships_[:, int((X == IRIS).all())] = 1.0
        self.memberships_[:75] = [1.0, 0.0]
        return self


def test_a_cluster_that_is_empty_in_noise_leaves_no_value_there():
    model = Lopsided().fit(IRIS)
    found = cc.validity(IRIS, model, indices="pc", references="uniform")
    assert found["pc"] == 1.0
    assert "10 of 10 values are not defined" in str(found)


def test_coincident_centres_are_told():
    X, U = case(1, K=2)
    P = np.column_stack([U[:, 0], U[:, 1] / 2, U[:, 1] / 2])
    found = cc.validity(X, P)
    assert {name for name, _ in found.why_not} == {"xb", "kwon"}
    assert math.isnan(found["xb"])
    told = "no xb, kwon: two centres coincide, and their distance is divided by; take"
    assert told in str(found)
    assert "xb" not in found.choices


def test_centres_that_all_coincide_are_told():
    X, _ = case(1)
    found = cc.validity(X, np.full((len(X), 3), 1 / 3))
    without = {name for name, _ in found.why_not if "silhouette" not in name}
    assert without == {"xb", "kwon", "kwon2", "pcaes"}
    assert found["pbm"] == pytest.approx(0.0, abs=1e-9)


def test_any_fuzzifier_from_one_on_is_taken():
    X, U = case(1)
    for m in (1, 60.0, 1e4, 1e12):
        assert math.isfinite(cc.validity(X, U, fuzzifier=m)["kwon2"])


def test_an_empty_hardened_cluster_is_passed_over():
    X, U = case(2, K=2)
    P = np.column_stack([0.9 * np.eye(2)[U.argmax(axis=1)], np.full(len(U), 0.1)])
    found = cc.validity(X, P)
    labels = U.argmax(axis=1)
    assert found["silhouette"] == pytest.approx(silhouette_score(X, labels))


def test_memberships_that_all_lean_to_one_cluster_have_no_silhouette():
    X, U = case(2, K=2)
    found = cc.validity(X, 0.4 * U + [0.6, 0.0])
    names = {name for name, _ in found.why_not}
    assert names == {name for name in VALIDITY if "silhouette" in name}
    assert "largest membership in the same cluster" in str(found)


def test_a_constant_column_leaves_no_volume_and_all_else():
    X, U = case(2)
    found = cc.validity(np.column_stack([X, np.full(len(X), 3.3)]), U)
    assert [*found.why_not] == [("fhv", None)]
    assert "leave out columns that are constant or follow from others" in str(found)
    others = [name for name in VALIDITY if name != "fhv"]
    plain = values(X, U)
    assert all(found[name] == pytest.approx(plain[name], rel=1e-12) for name in others)
    sums = np.column_stack([X, 1e3 * X.sum(axis=1)])
    assert [*cc.validity(sums, U).why_not] == [("fhv", None)]


def test_columns_of_very_different_units_have_a_volume():
    X, U = case(2)
    found = cc.validity(X * [1e-8, 1e8], U)
    assert found["fhv"] == pytest.approx(values(X, U)["fhv"], rel=1e-9)


def test_a_single_cluster_has_what_needs_no_other():
    X, _ = case(2)
    found = cc.validity(X, np.zeros(len(X)))
    defined = {name for name in VALIDITY if not math.isnan(found[name])}
    assert defined == {"pc", "pe", "fs", "fhv"}
    assert "a single cluster has no other to be apart from" in str(found)


def test_each_object_in_a_cluster_of_its_own():
    X, _ = case(2, n=5)
    found = cc.validity(X, np.arange(5))
    assert found["silhouette"] == 0.0
    assert found["xb"] == 0.0
    assert {name for name, _ in found.why_not} == {"pbm", "fhv"}


WRONG = {
    "one object": ([[1.0]], [0], "X has 1 object; validity needs objects that differ"),
    "one point": (np.ones((4, 2)), [0, 1, 0, 1], "X has 4 objects at the same point"),
    "more clusters than objects": (
        [[0.0], [1.0]],
        [[0.2, 0.2, 0.6], [0.6, 0.2, 0.2]],
        "P has 3 clusters of 2 objects; take fewer",
    ),
    "NaN": ([[0.0], [math.nan]], [0, 1], "X has nan in row 1, column 0; leave the obj"),
    "infinity": ([[0.0, math.inf], [1.0, 1.0]], [0, 1], "X has inf in row 0, column 1"),
    "a vector": ([0.0, 1.0], [0, 1], r"found 1 dimension; X.reshape\(-1, 1\) is one"),
    "text": (
        [["a"], ["b"]],
        [0, 1],
        "X must be a table of numbers, .* leave out colum",
    ),
    "numbers as text": ([["1"], ["2"]], [0, 1], "X must be a table of numbers"),
    "no table": (3.0, [0, 1], "found 0 dimensions"),
    "a path": ("X.csv", [0, 1], "X must be a table of numbers, .* found 'X.csv'"),
    "ragged rows": ([[1.0], [1.0, 2.0]], [0, 1], "X must be a table of numbers"),
    "complex numbers": ([[1j], [2.0]], [0, 1], "X must be a table of numbers"),
    "no column": (np.zeros((2, 0)), [0, 1], r"X is empty: its shape is \(2, 0\)"),
    "other objects": ([[0.0], [1.0]], [0, 1, 1], "X has 2 objects and P has 3: they"),
    "too large": ([[0.0], [1e200]], [0, 1], r"X has differences up to 1e\+200, whose"),
    "beyond doubles": ([[-1e308], [1e308]], [0, 1], "X has differences up to inf"),
    "masked": (
        np.ma.masked_invalid([[0.0], [math.nan]]),
        [0, 1],
        "X has masked entries",
    ),
    "an empty cluster": (
        [[0.0], [1.0], [3.0]],
        [[0.4, 0.6, 0.0], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0]],
        "P has an empty cluster, column 2, which has no centre",
    ),
    "nothing": ([[0.0], [1.0]], {}, "P holds no partition"),
    "a list": (
        [[0.0], [1.0]],
        [cc.Partition([0, 1]), cc.Partition([0, 1])],
        "P is a list of partitions; pass a mapping, as {2: P2, 3: P3}",
    ),
    "an estimator that was not fitted": (
        [[0.0], [1.0]],
        DBSCAN(),
        "P is a DBSCAN that was not fitted",
    ),
    "one of several": (
        [[0.0], [1.0]],
        {2: [0, 1], 3: [0, 1, 1]},
        "X has 2 objects and partition 3 has 3",
    ),
    "possibilities": (
        [[0.0], [1.0]],
        cc.Partition([[0.3, 0.3], [1.0, 0.2]], kind="possibilistic"),
        "P is possibilistic; .* normalize=True divides",
    ),
}


@pytest.mark.parametrize("fault", WRONG)
def test_what_is_wrong_is_told_with_a_remedy(fault):
    X, P, told = WRONG[fault]
    with pytest.raises((ValueError, TypeError), match=told):
        cc.validity(X, P)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"indices": "xbb"}, 'indices must be "pc", "mpc"'),
        ({"indices": np.ones((2, 2))}, 'indices must be "pc", "mpc"'),
        ({"indices": {"xb"}}, "indices must be a list of names"),
        ({"references": "all"}, 'references must be "normal", "uniform" or "skewed"'),
        ({"fuzzifier": 0.5}, "fuzzifier must be a number from 1 on, such as 2, found"),
        ({"fuzzifier": "2"}, "fuzzifier must be a number from 1 on"),
        ({"centers": [[0.0, 1.0]]}, r"centers must be numbers of shape \(3, 2\)"),
        ({"centers": {3: 1}}, r"centers must be numbers of shape \(3, 2\)"),
        ({"match_by": "index"}, 'match_by must be "position"'),
        ({"n_references": 0}, "n_references must be at least 1"),
        ({"random_state": -1}, "random_state must be"),
    ],
)
def test_wrong_options_are_told(options, told):
    X, U = case(0)
    with pytest.raises((ValueError, TypeError), match=told):
        cc.validity(X, U, **options)


def test_centres_of_several_partitions_are_told_by_their_keys():
    X, U = case(0)
    with pytest.raises(ValueError, match="centers must be a mapping with keys of P"):
        cc.validity(X, {3: U}, centers=[[0.0, 1.0]])


def test_objects_that_are_left_out_as_noise_are_left_out_of_the_data():
    X, U = case(4)
    labels = U.argmax(axis=1)
    labels[3] = -1
    found = values(X, cc.Partition(labels, noise="drop"))
    left = np.delete(np.arange(len(X)), 3)
    assert found == values(X[left], labels[left])
    with_gap = X.copy()
    with_gap[7, 1] = math.nan
    with pytest.raises(ValueError, match="X has nan in row 7, column 1"):
        cc.validity(with_gap, cc.Partition(labels, noise="drop"))
    with pytest.warns(cc.NoiseLabelWarning):
        cc.validity(X, DBSCAN(0.3).fit(X), indices="pc")


def test_objects_with_other_ids_are_refused():
    pd = pytest.importorskip("pandas")
    X, U = case(4)
    frame = pd.DataFrame(X, index=[f"object {i}" for i in range(len(X))])
    assert values(frame, U) == values(X, U)
    other = pd.DataFrame(U, index=frame.index[::-1])
    with pytest.raises(ValueError, match="X and P have different ids, first at posit"):
        cc.validity(frame, other)
    turned = frame.iloc[::-1]
    expected = values(frame, U)
    assert values(turned, pd.DataFrame(U, index=frame.index), match_by="id") == (
        pytest.approx(expected, rel=1e-12)
    )
    part = cc.validity(frame[4:], pd.DataFrame(U, index=frame.index), match_by="common")
    assert np.array_equal(part.values, cc.validity(X[4:], U[4:]).values)
    with pytest.raises(ValueError, match="matching by id needs a pandas index"):
        cc.validity(X, U, match_by="id")


def test_a_table_reads_well_in_a_terminal_and_in_a_notebook(models):
    found = cc.validity(IRIS, {K: models[K] for K in (2, 3)}, indices=["pc", "fs"])
    assert str(found) == (
        "2 partitions of 150 objects into 2 to 3 clusters\n"
        "index  best           2        3  takes\n"
        "---------------------------------------\n"
        "pc     highest  0.89222  0.78340      2\n"
        "fs     lowest   -371.29  -444.56      3\n"
        "Indices disagree, and choose even where there are no clusters: one alone is "
        "no answer."
    )
    assert "<th" in found._repr_html_()
    assert repr(found) == "Validity(2 partitions of 150 objects into 2 to 3 clusters)"
    frame = found.to_frame()
    assert frame.value.tolist() == found.values.ravel().tolist()
    assert frame[frame.taken].partition.tolist() == [2, 3]
    assert found.to_dict()["choices"] == {"pc": 2, "fs": 3}
    assert len(found.plot().axes) == 2
    for wrong in ("pc", ("pc", 9), "what"):
        with pytest.raises(KeyError):
            found[wrong]


def test_long_names_in_a_picture_do_not_overlap(models):
    names = [f"a very long name of partition {K}" for K in models]
    figure = cc.validity(IRIS, dict(zip(names, models.values(), strict=True))).plot()
    labels = figure.axes[0].get_xticklabels()
    assert [label.get_text()[-1] for label in labels] == [name[-1] for name in names]
    assert {label.get_rotation() for label in labels} == {90.0}


def test_formulas_work_far_from_one():
    X, U = case(8)
    for scale in (1e-130, 1e130):
        fit = Fit(scale * (X - X.mean(0)), U.T, scale * X[:3], 2.0, np.arange(len(X)))
        assert math.isfinite(fs(fit))
        found = cc.validity(scale * X, U)
        assert not [why for _, why in found.why_not.items() if "double" not in why]
