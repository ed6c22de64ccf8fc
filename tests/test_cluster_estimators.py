"""The estimators behave as scikit-learn's do."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from concordant.cluster import FuzzyCMeans, PDClustering, distance_partition

ESTIMATORS = [FuzzyCMeans, PDClustering]
both = pytest.mark.parametrize("Estimator", ESTIMATORS)


def blobs(seed=0, n=60, p=3, n_clusters=3):
    rng = np.random.default_rng(seed)
    centers = 4.0 * rng.normal(size=(n_clusters, p))
    return centers[np.arange(n) % n_clusters] + rng.normal(size=(n, p))


# The checks fit data without clusters, where many iterations are nothing wrong.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [FuzzyCMeans(3), PDClustering(3), FuzzyCMeans(2, fuzzifier=1.3)]
)
def test_scikit_learn_finds_nothing_wrong(estimator, check):
    check(estimator)


@both
def test_the_fitted_attributes_agree_with_one_another(Estimator):
    X = blobs()
    model = Estimator(3, random_state=0).fit(X)
    assert model.converged_ is True
    assert model.memberships_.shape == (60, 3)
    assert model.history_.shape == (model.n_iter_,)
    assert isinstance(model.objective_, float)
    assert model.objective_ == model.history_[-1]
    assert model.score(X) == pytest.approx(-model.objective_, rel=1e-12)
    np.testing.assert_array_equal(model.predict_proba(X), model.memberships_)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    np.testing.assert_array_equal(model.labels_, model.memberships_.argmax(axis=1))
    distances = np.linalg.norm(X[:, None] - model.cluster_centers_, axis=2)
    np.testing.assert_allclose(model.transform(X), distances, rtol=1e-12)
    np.testing.assert_array_equal(
        Estimator(3, random_state=0).fit_predict(X), model.labels_
    )


@both
def test_score_weighs_points(Estimator):
    X = blobs()
    model = Estimator(3, random_state=0).fit(X)
    weights = np.arange(60) % 3
    assert model.score(X, sample_weight=weights) == pytest.approx(
        model.score(np.repeat(X, weights, axis=0)), rel=1e-12
    )


@both
def test_names_of_features_are_kept(Estimator):
    frame = pd.DataFrame(blobs(), columns=["a", "b", "c"])
    model = Estimator(2, random_state=0).fit(frame)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    name = Estimator.__name__.lower()
    assert model.get_feature_names_out().tolist() == [f"{name}0", f"{name}1"]
    shown = model.set_output(transform="pandas").transform(frame)
    assert shown.columns.tolist() == [f"{name}0", f"{name}1"]
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"a": "z"}))


@both
def test_it_works_in_pipelines_searches_and_pickles(Estimator):
    X = blobs()
    model = make_pipeline(StandardScaler(), Estimator(3, random_state=0)).fit(X)
    assert model.predict_proba(X).shape == (60, 3)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    search = GridSearchCV(
        Estimator(2, random_state=0, n_init=2), {"n_clusters": [2, 3]}, cv=3
    ).fit(X)
    assert search.best_params_ == {"n_clusters": 3}


@pytest.mark.parametrize(
    ("Estimator", "options"),
    [(FuzzyCMeans, {}), (FuzzyCMeans, {"fuzzifier": 1.4}), (PDClustering, {})],
)
def test_bits_do_not_depend_on_the_number_of_threads(Estimator, options):
    X = blobs(n=90_000)  # three blocks
    options = {"random_state": 0, "n_init": 1, "max_iter": 3, "tol": 0, **options}
    one, *others = (
        Estimator(3, n_jobs=n_jobs, **options).fit(X) for n_jobs in (1, 2, 3)
    )
    for other in others:
        np.testing.assert_array_equal(other.memberships_, one.memberships_)
        np.testing.assert_array_equal(other.cluster_centers_, one.cluster_centers_)
        np.testing.assert_array_equal(other.history_, one.history_)
        np.testing.assert_array_equal(other.transform(X), one.transform(X))
        assert other.score(X) == one.score(X)


@both
def test_the_same_seed_gives_the_same_bits_and_leaves_numpy_alone(Estimator):
    X = blobs()
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    one, two = (Estimator(4, random_state=7).fit(X) for _ in range(2))
    np.testing.assert_array_equal(one.memberships_, two.memberships_)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@both
def test_input_is_not_written_to(Estimator):
    X = blobs()
    init = X[:3].copy()
    weights = np.ones(60)
    for array in (X, init, weights):
        array.flags.writeable = False
    Estimator(3, init=init).fit(X, sample_weight=weights).predict(X)


@both
def test_layout_and_type_of_the_data_do_not_matter(Estimator):
    X = blobs().round()
    init = X[:3] + 0.25
    want = Estimator(3, init=init).fit(X).memberships_
    wide = np.repeat(X, 2, axis=1)[:, ::2]
    for same in (np.asfortranarray(X), wide, X.astype(np.float32), X.astype(int)):
        np.testing.assert_array_equal(
            Estimator(3, init=init).fit(same).memberships_, want
        )


@both
def test_a_warning_tells_when_max_iter_ends_it(Estimator):
    X = blobs()
    with pytest.warns(
        ConvergenceWarning, match="did not converge in max_iter=2"
    ) as told:
        model = Estimator(3, random_state=0, max_iter=2).fit(X)
    assert told[0].filename == __file__
    assert model.converged_ is False
    assert model.n_iter_ == 2


@both
def test_without_tolerance_max_iter_iterations_are_what_was_asked_for(Estimator):
    model = Estimator(3, random_state=0, max_iter=400, tol=0).fit(blobs())
    assert model.n_iter_ == 400
    assert len(model.history_) == 400


@both
def test_an_array_as_init_makes_one_start(Estimator, capsys):
    X = blobs()
    Estimator(3, init=X[:3], verbose=1).fit(X)
    assert "start 1 of 1" in capsys.readouterr().out
    Estimator(3, n_init=2, random_state=0, verbose=1).fit(X)
    out = capsys.readouterr().out
    assert out.count("\n") == 2
    assert f"{Estimator.__name__}: start 2 of 2, objective" in out
    assert "converged in" in out


@both
def test_more_starts_never_end_higher(Estimator):
    X = blobs(n_clusters=6)
    few = Estimator(6, random_state=3, n_init=1, max_iter=3000).fit(X)
    many = Estimator(6, random_state=3, n_init=8, max_iter=3000).fit(X)
    assert many.objective_ <= few.objective_ * (1 + 1e-8)


@both
def test_memberships_start_where_their_means_are(Estimator):
    X = blobs()
    u = np.random.default_rng(1).dirichlet(np.ones(3), size=60)
    centers = (u**2).T @ X / (u**2).sum(axis=0)[:, None]
    by_memberships = Estimator(3, init=u).fit(X)
    by_centers = Estimator(3, init=centers.tolist()).fit(X)
    np.testing.assert_allclose(
        by_memberships.memberships_, by_centers.memberships_, atol=1e-12
    )


@both
def test_an_init_that_could_be_either_holds_centres(Estimator):
    X = np.array([[0.0, 0.0], [1.0, 4.0]])
    either = np.array([[0.25, 0.75], [0.875, 0.125]])
    model = Estimator(2, init=either, max_iter=1, tol=0).fit(X)
    as_centers = Estimator(2, init=either + 1e-13, max_iter=1, tol=0).fit(X)
    np.testing.assert_allclose(model.memberships_, as_centers.memberships_, atol=1e-9)


BAD_PARAMETERS = [
    ({"n_clusters": 0}, "'n_clusters' parameter of {} must be an int in the range"),
    ({"n_clusters": 2.5}, "'n_clusters' parameter of {} must be an int"),
    ({"n_clusters": 61}, "n_samples=60 should be >= n_clusters=61"),
    ({"n_init": 0}, "'n_init' parameter of {} must be an int in the range"),
    ({"max_iter": 0}, "'max_iter' parameter of {} must be an int in the range"),
    ({"tol": -1.0}, "'tol' parameter of {} must be a float in the range"),
    ({"tol": "a"}, "'tol' parameter of {} must be a float in the range"),
    ({"n_jobs": 1.5}, "'n_jobs' parameter of {} must be an instance of 'int'"),
    ({"n_jobs": 0}, "n_jobs must not be 0"),
    ({"random_state": "a"}, "'random_state' parameter of {} must be"),
    ({"init": "random"}, "'init' parameter of {} must be a str among"),
    ({"init": np.zeros((3, 2))}, r"shape of init \(3, 2\) should be \(3, 3\), for"),
    ({"init": np.zeros((59, 3))}, r"centres, or \(60, 3\), for memberships"),
    ({"init": np.zeros(3)}, "Expected 2D array, got 1D array"),
    ({"init": np.full((3, 3), np.nan)}, "init contains NaN"),
    (
        {"init": np.full((3, 3), 1e300)},
        "init differs from the median of X by up to 1e.300",
    ),
    ({"init": np.full((60, 3), 0.5)}, "rows of init must sum to 1"),
    ({"init": np.eye(3)[np.zeros(60, int)]}, "empty cluster: column 1 is zero"),
]


@both
@pytest.mark.parametrize(("parameters", "message"), BAD_PARAMETERS)
def test_bad_parameters_are_refused(Estimator, parameters, message):
    model = Estimator(**{"n_clusters": 3, **parameters})
    with pytest.raises(ValueError, match=message.format(Estimator.__name__)):
        model.fit(blobs())


@pytest.mark.parametrize("m", [1, 1.0, 0.5, -2, np.inf, np.nan, "2"])
def test_a_fuzzifier_must_be_above_one(m):
    with pytest.raises(
        ValueError, match="'fuzzifier' parameter of FuzzyCMeans must be a"
    ):
        FuzzyCMeans(2, fuzzifier=m).fit(blobs())


@both
def test_there_are_eight_clusters_by_default_as_in_k_means(Estimator):
    assert Estimator().n_clusters == KMeans().n_clusters
    assert Estimator(random_state=0, n_init=1).fit(blobs()).memberships_.shape[1] == 8


def test_a_small_fit_compiles_nothing():
    code = (
        "import sys; from concordant.cluster import FuzzyCMeans, PDClustering\n"
        "from concordant.datasets import load_uci; X = load_uci('iris').data\n"
        "[model.fit(X) for model in (FuzzyCMeans(3), PDClustering(3))]\n"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


BAD_DATA = [
    ([[np.nan], [1.0], [2.0]], "Input X contains NaN"),
    ([[np.inf], [1.0], [2.0]], "Input X contains infinity"),
    ([["a"], ["b"], ["c"]], "could not convert string to float|dtype"),
    ([1.0, 2.0, 3.0], "Expected 2D array, got 1D array"),
    (np.empty((0, 2)), "Found array with 0 sample"),
    (
        [[1e300], [1.0], [2.0]],
        "X differs from the median of X by up to 1e.300: rescale",
    ),
    ([[1e-300], [0.0], [2e-300]], "by up to 1e-300: rescale it, so that this is betw"),
    ([[1.0], [1.0], [1.0]], r"distinct samples \(1\) should be >= n_clusters=2"),
]


@both
@pytest.mark.parametrize(("X", "message"), BAD_DATA)
def test_bad_data_are_refused(Estimator, X, message):
    with pytest.raises(ValueError, match=message):
        Estimator(2).fit(X)


BAD_WEIGHTS = [
    (np.ones(59), r"sample_weight.shape == \(59,\), expected \(60,\)"),
    (np.ones((60, 1)), "Sample weights must be 1D array or scalar"),
    (-np.ones(60), "Negative values in data passed to `sample_weight`"),
    (np.zeros(60), "Sample weights must contain at least one non-zero number"),
    (np.full(60, np.nan), "sample_weight contains NaN"),
    (np.eye(60)[0], r"distinct samples \(1\) should be >= n_clusters=2"),
]


@both
@pytest.mark.parametrize(("weights", "message"), BAD_WEIGHTS)
def test_bad_weights_are_refused(Estimator, weights, message):
    with pytest.raises(ValueError, match=message):
        Estimator(2).fit(blobs(), sample_weight=weights)


@both
@pytest.mark.parametrize("method", ["predict", "predict_proba", "transform", "score"])
def test_an_unfitted_estimator_says_so(Estimator, method):
    with pytest.raises(NotFittedError):
        getattr(Estimator(2), method)(blobs())


def test_distance_partition_refuses_what_it_cannot_read():
    X = blobs()
    with pytest.raises(TypeError, match="either labels or centers, and not both"):
        distance_partition(X)
    with pytest.raises(TypeError, match="either labels or centers, and not both"):
        distance_partition(X, np.zeros(60, int), centers=X[:2])
    with pytest.raises(ValueError, match="labels has 59 objects and X has 60"):
        distance_partition(X, np.zeros(59, int))
    with pytest.raises(ValueError, match="labels of labels must not be missing"):
        distance_partition(X, [None, *["a"] * 59])
    with pytest.raises(ValueError, match="centers has 2 features, but X has 3"):
        distance_partition(X, centers=X[:, :2])
    with pytest.raises(ValueError, match="centers contains NaN"):
        distance_partition(X, centers=np.full((2, 3), np.nan))
    with pytest.raises(ValueError, match="X contains NaN"):
        distance_partition(np.full((3, 2), np.nan), [0, 1, 1])
    with pytest.raises(ValueError, match="fuzzy partition has no labels"):
        distance_partition(X, np.full((60, 2), 0.5))
