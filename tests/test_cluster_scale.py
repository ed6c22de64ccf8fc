"""Units, far points and coinciding centres change no clustering, or are told."""

import numpy as np
import pytest
from command_line import output_of, run
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning

from concordant.cluster import FuzzyCMeans, PDClustering, distance_partition
from concordant.cluster.points import weighted_median
from concordant.datasets import load_uci
from concordant.files import write_table

IRIS = load_uci("iris").data
MODELS = {
    "fuzzy": lambda K, **options: FuzzyCMeans(K, **options),
    "fuzzy, nearly crisp": lambda K, **options: FuzzyCMeans(
        K, fuzzifier=1.3, **options
    ),
    "probabilistic": lambda K, **options: PDClustering(K, **options),
}
each = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
both = pytest.mark.parametrize("Estimator", [FuzzyCMeans, PDClustering])


def fitted(make, X, K=3, **options):
    return make(K, random_state=0, n_init=2, **options).fit(X)


@each
@pytest.mark.parametrize("exponent", [-300, -20, 300])
def test_powers_of_two_as_units_change_no_bit(make, exponent):
    model = fitted(make, IRIS)
    other = fitted(make, np.ldexp(IRIS, exponent))
    np.testing.assert_array_equal(other.memberships_, model.memberships_)
    np.testing.assert_array_equal(
        other.cluster_centers_, np.ldexp(model.cluster_centers_, exponent)
    )
    assert other.n_iter_ == model.n_iter_ > 5


@each
def test_auto_ends_where_many_more_iterations_hardly_change_anything(make):
    model = fitted(make, IRIS)
    more = make(3, init=model.cluster_centers_, tol=0, max_iter=300).fit(IRIS)
    np.testing.assert_allclose(more.memberships_, model.memberships_, atol=5e-6)


@both
def test_a_number_stays_absolute(Estimator):
    coarse = fitted(Estimator, IRIS, tol=0.1)
    assert fitted(Estimator, IRIS * 2.0**20, tol=0.1).n_iter_ > coarse.n_iter_
    assert fitted(Estimator, IRIS * 2.0**-20, tol=0.1).n_iter_ == 1
    scaled = fitted(Estimator, IRIS * 2.0**20, tol=0.1 * 2.0**20)
    np.testing.assert_array_equal(scaled.memberships_, coarse.memberships_)


@each
@pytest.mark.parametrize("far", [1e6, 1e20])
def test_a_point_far_away_does_not_coarsen_the_other_clusters(make, far):
    X = np.vstack([IRIS, np.full((1, 4), far)])
    model = fitted(make, X, K=4)
    alone = fitted(make, IRIS, K=3)
    assert (model.labels_ == model.labels_[-1]).sum() == 1
    others = np.delete(model.memberships_[:-1], model.labels_[-1], axis=1)
    mine = model.memberships_[:-1, model.labels_[-1]]
    # The far centre takes next to nothing of the others.
    assert mine.max() <= 1e-3
    order = others.sum(axis=0).argsort()
    np.testing.assert_allclose(
        others[:, order],
        alone.memberships_[:, alone.memberships_.sum(axis=0).argsort()],
        atol=1e-3 if far < 1e12 else 5e-6,
    )


@both
def test_a_point_of_no_weight_far_away_changes_nothing(Estimator):
    X = np.vstack([IRIS, np.full((1, 4), 1e15)])
    weights = np.append(np.ones(150), 0.0)
    model = Estimator(3, random_state=0, n_init=2).fit(X, sample_weight=weights)
    alone = fitted(Estimator, IRIS)
    np.testing.assert_allclose(model.memberships_[:-1], alone.memberships_, atol=1e-9)
    assert model.n_iter_ == alone.n_iter_


@both
@pytest.mark.parametrize("size", [1e-320, 1e300])
def test_the_size_of_weights_does_not_matter(Estimator, size):
    model = fitted(Estimator, IRIS)
    weights = np.full(150, size)
    other = Estimator(3, random_state=0, n_init=2).fit(IRIS, sample_weight=weights)
    np.testing.assert_allclose(other.memberships_, model.memberships_, atol=1e-9)
    assert other.n_iter_ == model.n_iter_


@both
def test_integer_weights_are_repeated_points_to_the_tolerance_too(Estimator):
    weights = np.random.default_rng(0).integers(4, size=150)
    model = Estimator(3, random_state=0, n_init=2).fit(IRIS, sample_weight=weights)
    other = fitted(Estimator, np.repeat(IRIS, weights, axis=0))
    np.testing.assert_allclose(
        np.repeat(model.memberships_, weights, axis=0), other.memberships_, atol=1e-9
    )
    assert other.n_iter_ == model.n_iter_


def test_distance_partition_tells_classes_apart_next_to_a_far_point():
    X = np.array([[0.0], [2.0], [7.0], [9.0], [1e20], [1e20]])
    P = distance_partition(X, [0, 0, 1, 1, 2, 2])
    np.testing.assert_allclose(P[0, :2], [8 / 9, 1 / 9], rtol=1e-12)


@both
def test_centres_that_coincide_are_told_and_make_one_label(Estimator):
    X = load_digits().data[::6]
    with pytest.warns(
        ConvergenceWarning,
        match=f"{Estimator.__name__} found 1 distinct centre for n_clusters=10.*"
        "n_clusters, or standardize",
    ):
        model = fitted(Estimator, X, K=10)
    np.testing.assert_array_equal(model.memberships_, 0.1)
    np.testing.assert_array_equal(model.labels_, 0)
    np.testing.assert_array_equal(model.predict(X + 0.5), 0)
    assert len(np.unique(model.cluster_centers_, axis=0)) == 1
    assert (np.ptp(model.transform(X), axis=1) == 0.0).all()
    assert model.converged_


def test_centres_that_coincide_in_groups_share_points_equally():
    X = load_digits().data[::6]
    with pytest.warns(ConvergenceWarning, match="distinct centres.*Decrease fuzzifier"):
        model = fitted(FuzzyCMeans, X, K=10, fuzzifier=1.5)
    _, groups = np.unique(model.cluster_centers_, axis=0, return_inverse=True)
    groups = groups.ravel()
    assert 1 < groups.max() + 1 < 10
    for group in range(groups.max() + 1):
        assert (np.ptp(model.memberships_[:, groups == group], axis=1) == 0.0).all()
        first = np.flatnonzero(groups == group)[0]
        assert set(model.labels_[groups[model.labels_] == group]) <= {first}


@both
def test_centres_on_near_points_do_not_coincide(Estimator):
    X = np.array([[0.0], [1e-7], [1.0], [1.0 + 1e-7]])
    model = Estimator(4, init=X).fit(X)
    np.testing.assert_array_equal(model.memberships_, np.eye(4))


@both
def test_equal_columns_and_many_equal_points_are_harmless(Estimator):
    X = np.vstack([np.zeros((400, 2)), IRIS[:60, :2], IRIS[60:, :2] + 4.0])
    model = fitted(Estimator, np.column_stack([X, np.full(len(X), -3e5)]), K=2)
    assert model.converged_
    assert len(np.unique(model.cluster_centers_, axis=0)) == 2


def test_the_weighted_median_is_that_of_repeated_numbers():
    rng = np.random.default_rng(0)
    for n in range(1, 30):
        values = rng.integers(9, size=n).astype(float)
        weights = rng.integers(1, 4, size=n).astype(float)
        repeated = np.repeat(values, weights.astype(int))
        lower = np.sort(repeated)[(len(repeated) - 1) // 2]
        assert weighted_median(values, weights) == lower


def test_the_command_line_takes_auto_and_numbers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, unit in (("plain.csv", 1.0), ("small.csv", 2.0**-20)):
        write_table(name, IRIS * unit, names=["a", "b", "c", "d"])
    plain = output_of("cluster", "plain.csv", "--k", "3")
    assert output_of("cluster", "small.csv", "--k", "3", "--tol", "auto") == plain
    words = ("cluster", "small.csv", "--k", "3")
    assert output_of(*words, "--tol", "1e-6") != plain
    refused = run(*words, "--tol", "automatic")
    assert refused.exit_code == 2
    assert "'automatic' is not a valid float" in refused.stderr
    assert run(*words, "--tol", "-1").exit_code == 2


def test_the_command_line_tells_of_centres_that_coincide(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X = load_digits().data[::6]
    write_table("digits.csv", X, names=[f"x{j}" for j in range(64)])
    words = ("cluster", "digits.csv", "--k", "10", "--starts", "1", "--json")
    told = "concordant: digits.csv: 10 clusters: only 1 distinct centre; lower "
    assert run(*words).stderr == (
        f"{told}--fuzzifier or --k, or standardize the columns\n"
    )
    assert run(*words, "--method", "pd").stderr == (
        f"{told}--k, or standardize the columns\n"
    )
    assert run(*words, "--quiet").stderr == ""
