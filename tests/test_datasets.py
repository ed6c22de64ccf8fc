"""The data sets are the paper's, and the generators follow their designs."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import concordant as cc
from concordant.datasets import load_uci
from concordant.paper import (
    make_bias_experiment,
    make_first_simulation,
    make_random_set,
    make_second_simulation,
)

UCI = {
    "vehicle": (18, {"bus": 218, "opel": 212, "saab": 217, "van": 199}),
    "sonar": (60, {"M": 111, "R": 97}),
    "pima": (8, {"neg": 500, "pos": 268}),
    "iris": (4, {"setosa": 50, "versicolor": 50, "virginica": 50}),
    "ionosphere": (34, {"bad": 126, "good": 225}),
    "flags": (
        15,
        {
            "buddhist": 8,
            "catholic": 40,
            "ethnic": 27,
            "hindu": 4,
            "marxist": 15,
            "muslim": 36,
            "other_christian": 60,
            "others": 4,
        },
    ),
}

GENERATORS = {
    "first": lambda rng: make_first_simulation(4, 2, random_state=rng),
    "random": lambda rng: make_random_set(3, random_state=rng),
    "second": lambda rng: make_second_simulation(5, random_state=rng),
    "uneven": lambda rng: make_second_simulation(
        5, sizes="dirichlet", random_state=rng
    ),
    "bias": lambda rng: make_bias_experiment(random_state=rng),
}


@pytest.mark.parametrize("name", UCI)
def test_a_data_set_has_the_shape_and_classes_of_its_provenance(name):
    n_features, classes = UCI[name]
    dataset = load_uci(name)
    assert dataset.data.shape == (sum(classes.values()), n_features)
    assert dataset.data.dtype == np.float64
    assert np.isfinite(dataset.data).all()
    assert len(dataset.feature_names) == n_features
    counts = np.bincount(dataset.target)
    assert (
        dict(zip(dataset.target_names.tolist(), counts.tolist(), strict=True))
        == classes
    )
    assert dataset.frame is None
    assert "UCI" in dataset.DESCR


@pytest.mark.parametrize("name", UCI)
def test_frames_hold_what_arrays_hold(name):
    arrays, frames = load_uci(name), load_uci(name, as_frame=True)
    assert isinstance(frames.data, pd.DataFrame)
    assert isinstance(frames.target, pd.Series)
    np.testing.assert_array_equal(frames.data, arrays.data)
    np.testing.assert_array_equal(frames.target, arrays.target)
    assert [*frames.frame.columns] == [*arrays.feature_names, "target"]
    assert [*frames.data.columns] == arrays.feature_names


def test_iris_is_fishers_version_as_in_scikit_learn():
    from sklearn.datasets import load_iris

    ours, theirs = load_uci("iris"), load_iris()
    np.testing.assert_array_equal(ours.data, theirs.data)
    np.testing.assert_array_equal(ours.target, theirs.target)
    np.testing.assert_array_equal(ours.target_names, theirs.target_names)


def test_a_change_to_loaded_data_does_not_reach_the_next_caller():
    load_uci("iris").data[:] = 0.0
    assert load_uci("iris").data.min() > 0.0


def test_an_unknown_data_set_is_refused_with_the_choices():
    with pytest.raises(ValueError, match=r'"vehicle", "sonar".*found .wine'):
        load_uci("wine")


def test_frames_without_pandas_say_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        load_uci("iris", as_frame=True)
    assert load_uci("iris").data.shape == (150, 4)


def test_loading_arrays_imports_no_heavy_module():
    heavy = {"pandas", "sklearn", "numba", "dask", "matplotlib", "pyarrow"}
    code = (
        "import sys; from concordant.datasets import load_uci; load_uci('iris');"
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize("name", GENERATORS)
def test_a_seed_gives_the_same_sample_and_leaves_the_global_state_alone(name):
    make = GENERATORS[name]
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    one, two, other = make(7), make(np.random.default_rng(7)), make(8)
    np.testing.assert_array_equal(one.data, two.data)
    np.testing.assert_array_equal(one.target, two.target)
    assert one.data.shape != other.data.shape or (one.data != other.data).any()
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@pytest.mark.parametrize("name", GENERATORS)
def test_a_sample_can_be_compared_as_it_is(name):
    sample = GENERATORS[name](0)
    assert sample.centers.shape == sample.variances.shape
    assert sample.target.max() + 1 == len(sample.centers)
    assert cc.adjusted_concordance_index(sample.target, sample.target) == 1.0


def many(make):
    """Return the objects of 240 samples together, and their clusters."""
    samples = [make() for _ in range(240)]
    return (
        np.concatenate([sample.data for sample in samples]),
        np.concatenate([sample.target for sample in samples]),
    )


@pytest.mark.parametrize(("sigma", "variance"), [(1, 0.01), (2, 0.25), (3, 1.0)])
@pytest.mark.parametrize("n_centers", [2, 3, 4])
def test_the_first_simulation_has_its_centres_and_covariances(
    n_centers, sigma, variance
):
    rng = np.random.default_rng(n_centers)
    data, target = many(
        lambda: make_first_simulation(n_centers, sigma, random_state=rng)
    )
    means = [[-2, -2], [2, 2], [0, 0], [-2, 2]]
    for k in range(n_centers):
        cluster = data[target == k]
        assert abs(len(cluster) - 24_000 / n_centers) < 240
        np.testing.assert_allclose(cluster.mean(axis=0), means[k], atol=0.06)
        np.testing.assert_allclose(
            np.cov(cluster.T), np.eye(2) * variance, atol=0.08 * variance
        )


def test_the_third_cluster_stays_tight_only_where_the_numbers_suggest_it():
    option = "as the numbers suggest"
    three = make_first_simulation(3, 3, third_cluster=option, random_state=0)
    four = make_first_simulation(4, 3, third_cluster=option, random_state=0)
    assert three.variances[:, 0].tolist() == [1.0, 1.0, 0.01]
    assert four.variances[:, 0].tolist() == [1.0, 1.0, 1.0, 1.0]
    described = make_first_simulation(3, 3, random_state=0)
    assert described.variances.tolist() == [[1.0, 1.0]] * 3


def test_a_random_set_is_one_normal_distribution():
    rng = np.random.default_rng(0)
    data, target = many(lambda: make_random_set(4, random_state=rng))
    for k in range(4):
        cluster = data[target == k]
        np.testing.assert_allclose(cluster.mean(axis=0), 0.0, atol=0.04)
        np.testing.assert_allclose(np.cov(cluster.T), np.eye(2) * 0.8, atol=0.05)


def test_the_second_simulation_draws_two_variances_for_the_data_set():
    drawn = np.array(
        [make_second_simulation(8, random_state=s).variances[0] for s in range(400)]
    )
    assert drawn.min() > 0.1
    assert drawn.max() < 1.0
    np.testing.assert_allclose(drawn.mean(axis=0), 0.55, atol=0.05)
    sample = make_second_simulation(8, random_state=0)
    assert (sample.variances == sample.variances[0]).all()
    assert sample.data.shape == (120, 2)
    assert sample.centers[-1].tolist() == [9.0, 9.0]


def test_random_proportions_leave_no_cluster_empty():
    counts = np.array(
        [
            np.bincount(
                make_second_simulation(8, sizes="dirichlet", random_state=seed).target
            )
            for seed in range(50)
        ]
    )
    assert counts.min() >= 1
    assert (counts.sum(axis=1) == 120).all()
    assert counts.std() > 5


def test_the_bias_experiment_stays_in_its_ranges_and_uses_them():
    samples = [make_bias_experiment(random_state=seed) for seed in range(300)]
    n = [len(s.data) for s in samples]
    C = [len(s.centers) for s in samples]
    p = [s.data.shape[1] for s in samples]
    alpha = [s.variances[0, 0] for s in samples]
    assert min(n) >= 100
    assert max(n) <= 1200
    assert set(C) == set(range(2, 11))
    assert set(p) == set(range(2, 11))
    assert 0.1 <= min(alpha) < 0.2
    assert 2.9 < max(alpha) <= 3.0
    assert all((s.variances == s.variances[0, 0]).all() for s in samples)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: make_first_simulation(5, 1), "n_centers must be from 2 to 4, found 5"),
        (lambda: make_first_simulation(2, 4), "sigma must be 1, 2 or 3, found 4"),
        (lambda: make_random_set(1), "n_centers must be from 2 to 4, found 1"),
        (lambda: make_second_simulation(9), "n_centers must be from 2 to 8, found 9"),
        (
            lambda: make_second_simulation(3, sizes="odd"),
            'sizes must be "equal" or "dirichlet", found \'odd\'',
        ),
        (
            lambda: make_first_simulation(3, 1, third_cluster="tight"),
            "third_cluster must be",
        ),
    ],
)
def test_a_design_that_does_not_exist_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
