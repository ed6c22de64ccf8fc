"""How many clusters: the decision, what is resampled, and what is refused."""

import math
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from coverage_of_stability import DESIGNS
from matplotlib.figure import Figure
from scipy.stats import t
from sklearn.cluster import AgglomerativeClustering, KMeans, MiniBatchKMeans
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import concordant as cc
from concordant.cluster import FuzzyCMeans
from concordant.execution.dask_workers import _is_large
from concordant.execution.engine import Threads
from concordant.files import FileError
from concordant.many import resampling
from concordant.many.levels import Stability
from concordant.many.resampling import _coincide, _jaccard

FEW = {"n_clusters": range(2, 5), "n_resamples": 3, "n_references": 3}
FOUR = DESIGNS["four"][1](np.random.default_rng(0))
SMALL = FOUR[::4]
QUICK = KMeans(n_init=2)


def drawn(seed=0, tried=(2, 3, 4, 5, 6), B=5, S=2, R=6, n=100):
    """Draw values, of which some numbers of clusters are far more stable."""
    rng = np.random.default_rng(seed)
    k = len(tried)
    aci = rng.uniform(0.2, 0.5, (k, B))
    good = rng.random(k) < 0.6
    aci[good] = rng.uniform(0.9, 1.0, (good.sum(), B))
    return Stability(
        tried=tried,
        n_objects=n,
        aci=aci,
        reference_aci=rng.uniform(0.2, 0.6, (k, S, R, 3)),
        jaccard=tuple(rng.random((B, K)) for K in tried),
        reference_jaccard=tuple(rng.random((S, R, 3, K)) for K in tried),
        coincident=np.where(rng.random(k) < 0.3, 0.6, 0.5),
        references=("normal", "uniform")[:S],
        alpha=0.2,
        partitions=tuple(cc.Partition(np.arange(n) % K) for K in tried),
    )


def slow_l(values, n):
    return math.log(1 - math.fsum(values) / len(values) + 1 / n)


def slow_z(found, place, reference):
    n, R = found.n_objects, found.reference_aci.shape[2]
    sets = [slow_l(x.tolist(), n) for x in found.reference_aci[place, reference]]
    mean = math.fsum(sets) / R
    s = math.sqrt(math.fsum((x - mean) ** 2 for x in sets) / (R - 1))
    return (mean - slow_l(found.aci[place].tolist(), n)) / (s * math.sqrt(1 + 1 / R))


@pytest.mark.parametrize("seed", range(8))
def test_the_decision_is_that_of_naive_loops(seed):
    found = drawn(seed)
    tried, least = found.tried, t.ppf(1 - 0.2 / 5, 5)
    assert found.threshold == pytest.approx(least, rel=1e-12)
    z = [[slow_z(found, place, r) for r in range(2)] for place in range(5)]
    np.testing.assert_allclose(found.z, z, rtol=1e-9)
    S = {K: math.fsum(x) / 5 for K, x in zip(tried, found.aci.tolist(), strict=True)}
    passes = {
        K
        for K, both, share in zip(tried, z, found.coincident, strict=True)
        if min(both) > least and share <= 0.5
    }
    assert [K for K, yes in zip(tried, found.admissible, strict=True) if yes] == [
        *sorted(passes)
    ]
    levels = [
        K
        for K in passes
        if (K - 1 not in passes or S[K] + 0.02 >= S[K - 1])
        and (K + 1 not in passes or S[K] > S[K + 1] + 0.02)
    ]
    assert set(found.levels) == set(levels)
    best = max(passes, key=S.get, default=1)
    tied = [K for K in levels if S[K] + 0.02 >= S[best]]
    assert found.n_clusters == max(tied, default=1)
    assert found.partition.n_clusters == found.n_clusters


def test_of_numbers_as_stable_as_each_other_the_larger_one_is_a_level():
    found = drawn()
    sure = {"coincident": np.zeros(5), "reference_aci": 0.3 * found.reference_aci}
    for S, levels in {
        (1.0, 1.0, 0.9, 0.8, 0.7): (3,),
        (1.0, 0.99, 0.975, 0.8, 0.7): (4,),
        (1.0, 0.97, 0.9, 0.8, 0.7): (2,),
        (1.0, 0.9, 0.985, 0.8, 0.97): (4, 2, 6),
        (0.9, 0.8, 1.0, 0.8, 0.7): (4, 2),
    }.items():
        aci = np.tile(np.array(S)[:, None], 4)
        assert replace(found, aci=aci, **sure).levels == levels


def test_the_seeds_have_several_levels_and_none():
    sizes = {len(drawn(seed).levels) for seed in range(8)}
    assert sizes >= {1, 2}
    nothing = replace(drawn(), aci=drawn().reference_aci[:, 0, :, 0])
    assert nothing.levels == ()
    assert nothing.n_clusters == nothing.partition.n_clusters == 1
    assert nothing.sentence() == (
        "1 cluster: 2 to 6 clusters are not more stable than without structure."
    )


def test_values_that_do_not_vary_give_no_clusters():
    found = drawn()
    alike = replace(
        found,
        aci=np.full_like(found.aci, 0.3),
        reference_aci=np.full_like(found.reference_aci, 0.3),
    )
    assert np.abs(alike.z).max() < 1e-3
    assert alike.n_clusters == 1


@pytest.mark.parametrize("seed", range(3))
def test_jaccard_indices_are_those_of_naive_loops(seed):
    rng = np.random.default_rng(seed)
    U, V = rng.dirichlet(np.ones(3), 20).T, rng.dirichlet(np.ones(4), 20).T
    V[2] = 0.0
    slow = [
        [sum(map(min, u, v)) / sum(map(max, u, v)) for v in V.tolist()]
        for u in U.tolist()
    ]
    np.testing.assert_allclose(_jaccard(U, V), slow, rtol=1e-12)
    assert _jaccard(np.zeros((1, 3)), np.zeros((1, 3))) == 0.0


def test_clusters_coincide_where_no_object_tells_them_apart():
    U = np.random.default_rng(0).dirichlet(np.ones(3), 20).T
    assert not _coincide(U, 3)
    assert _coincide(U, 4)
    assert _coincide(np.vstack([U[:2], U[1:2]]), 3)
    assert _coincide(np.vstack([U, np.zeros(20)]), 4)


class Recorder:
    """Clusters by the first feature, and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, X, K, seed):
        edges = np.quantile(X[:, 0], np.arange(1, K) / K)
        labels = np.searchsorted(edges, X[:, 0])
        self.asked.append((X, K, seed, labels))
        return labels


def test_values_are_those_of_pairs_of_resamples():
    recorder = Recorder()
    found = cc.stability(recorder, SMALL, scheme="subsample", random_state=3, **FEW)
    wholes, asked = recorder.asked[:3], recorder.asked[3:]
    assert all((X == SMALL).all() for X, *_ in wholes)
    assert [K for _, K, *_ in wholes] == [2, 3, 4]
    assert len({seed for *_, seed, _ in recorder.asked}) == len(recorder.asked)
    assert len(asked) == 3 * (2 * 3 + 5 * 2 * 3)
    aci, jaccard = np.zeros((3, 3)), [np.zeros((3, K)) for K in (2, 3, 4)]
    for number in range(9):
        one, other = asked[2 * number : 2 * number + 2]
        labels = [
            {tuple(x): label for x, label in zip(X.tolist(), labels, strict=True)}
            for X, _, _, labels in (one, other)
        ]
        assert len(labels[0]) == len(labels[1]) == 40
        common = sorted(labels[0].keys() & labels[1].keys())
        p, q = ([each[x] for x in common] for each in labels)
        b, k = divmod(number, 3)
        aci[k, b] = cc.adjusted_rand_index(p, q)
        for cluster in range(k + 2):  # they are in order in all
            own, others = (
                {x for x, y in zip(common, z, strict=True) if y == cluster}
                for z in (p, q)
            )
            jaccard[k][b, cluster] = len(own & others) / len(own | others)
    np.testing.assert_allclose(found.aci, aci, rtol=1e-12)
    for fast, slow in zip(found.jaccard, jaccard, strict=True):
        np.testing.assert_allclose(fast, slow, rtol=1e-12)
    spread = np.cov(np.concatenate([X for X, *_ in asked[18:]]).T)
    np.testing.assert_allclose(spread, np.cov(SMALL.T), atol=2.0)


@pytest.mark.parametrize("scheme", ["bootstrap", "subsample"])
def test_whole_groups_are_resampled(scheme, monkeypatch):
    seen = []
    sample = resampling._Resampling._sample

    def record(self, K, rng):
        seen.append(sample(self, K, rng))
        return seen[-1]

    monkeypatch.setattr(resampling._Resampling, "_sample", record)
    groups = np.array([f"patient {i % 9}" for i in range(50)])
    cc.stability(QUICK, SMALL, groups=groups, scheme=scheme, random_state=0, **FEW)
    for rows in seen:
        counts = np.bincount(rows, minlength=50)
        for group in np.unique(groups):
            assert len({*counts[groups == group]}) == 1
    assert len({rows.tobytes() for rows in seen}) > 15


@pytest.mark.parametrize(
    "estimator", [QUICK, pytest.param(FuzzyCMeans(n_init=2), marks=pytest.mark.long)]
)
def test_four_clear_clusters_are_found(estimator):
    found = cc.stability(
        estimator,
        FOUR,
        n_clusters=range(2, 7),
        n_resamples=6,
        n_references=8,
        random_state=1,
    )
    assert found.n_clusters == 4
    assert found.sentence().startswith("4 clusters: ACI ")
    assert found.mean_aci[2] > 0.9
    assert min(found.jaccard[2].mean(axis=0)) > 0.9
    assert cc.adjusted_rand_index(found.partition.harden(), np.arange(200) // 50) > 0.98


@pytest.mark.parametrize(
    "name", ["normal", pytest.param("uniform", marks=pytest.mark.long)]
)
def test_data_without_structure_have_one_cluster(name):
    X = DESIGNS[name][1](np.random.default_rng(5))
    found = cc.stability(QUICK, X, n_resamples=6, n_references=8, random_state=2)
    assert found.n_clusters == 1
    assert found.levels == ()


ESTIMATORS = {
    "mixture": GaussianMixture(reg_covar=1e-3),
    "pipeline": make_pipeline(StandardScaler(), PCA(n_components=1), KMeans()),
    "fcm": FuzzyCMeans(n_init=1),
}


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("scheme", ["bootstrap", "subsample"])
def test_estimators_of_all_kinds_are_taken_and_left_as_they_were(name, scheme):
    estimator = ESTIMATORS[name]
    before = repr(estimator)
    found = cc.stability(estimator, SMALL, scheme=scheme, random_state=0, **FEW)
    assert [P.n_clusters for P in found.partitions] == [2, 3, 4]
    assert found.aci.shape == (3, 3)
    assert found.reference_aci.shape == (3, 2, 3, 10)
    assert repr(estimator) == before
    assert not hasattr(estimator, "labels_")
    assert "one start" in found.remarks[0]


def test_what_cannot_predict_is_compared_on_common_objects():
    tree = AgglomerativeClustering()
    with pytest.raises(ValueError, match='use scheme="subsample"'):
        cc.stability(tree, SMALL)
    found = cc.stability(tree, SMALL, scheme="subsample", random_state=0, **FEW)
    assert found.mean_aci[2] > 0.95
    assert not any("start" in remark for remark in found.remarks)


def test_results_do_not_depend_on_threads_nor_on_other_references():
    keys = {"random_state": 4, **FEW}
    one = cc.stability(FuzzyCMeans(n_init=2), SMALL, **keys)
    four = cc.stability(FuzzyCMeans(n_init=2), SMALL, n_jobs=4, **keys)
    alone = cc.stability(FuzzyCMeans(n_init=2), SMALL, references=["uniform"], **keys)
    assert one.aci.tobytes() == four.aci.tobytes() == alone.aci.tobytes()
    assert one.reference_aci.tobytes() == four.reference_aci.tobytes()
    assert one.reference_aci[:, 1].tobytes() == alone.reference_aci[:, 0].tobytes()
    for x, y in zip(one.jaccard, four.jaccard, strict=True):
        assert x.tobytes() == y.tobytes()


class Listening(Threads):
    """It notes how large the data are that every task gets."""

    def run(self, function, data, tasks):
        self.are_large = [_is_large(part) for part in data]
        return super().run(function, data, tasks)


def test_large_data_go_to_distant_workers_once():
    X = np.tile(np.eye(100), (5, 1)) + SMALL.mean()
    engine = Listening()
    few = {"n_clusters": 20, "n_resamples": 2, "n_references": 2}
    cc.stability(MiniBatchKMeans(n_init=1), X, **few, engine=engine, random_state=0)
    assert engine.are_large == [True, True]


def test_a_generator_goes_on_from_call_to_call():
    rng = np.random.default_rng(0)
    one, other = (cc.stability(QUICK, SMALL, random_state=rng, **FEW) for _ in range(2))
    assert (one.aci != other.aci).any()


class StopWorkError(Exception):
    pass


def test_work_that_is_interrupted_goes_on_to_the_same_bits(tmp_path, monkeypatch):
    monkeypatch.setattr("concordant.execution.progress._INTERVAL", 0.0)
    file, told = tmp_path / "work.ckpt", []
    keys = {"random_state": 4, **FEW}
    whole = cc.stability(QUICK, SMALL, **keys)

    def stop(done, total, estimate):
        if done > 12:
            raise StopWorkError

    with pytest.raises(StopWorkError):
        cc.stability(QUICK, SMALL, checkpoint=file, progress=stop, **keys)
    found = cc.stability(
        QUICK,
        SMALL,
        checkpoint=file,
        progress=lambda done, total, estimate: told.append((done, total)),
        **keys,
    )
    assert told[0][0] > 12
    assert told[-1] == (27, 27)
    assert found.aci.tobytes() == whole.aci.tobytes()
    assert found.reference_aci.tobytes() == whole.reference_aci.tobytes()
    for x, y in zip(found.jaccard, whole.jaccard, strict=True):
        assert x.tobytes() == y.tobytes()
    # Another estimator, and what is resampled otherwise, begin anew in the same file.
    for clusters, more in ((KMeans(n_init=3), {}), (QUICK, {"scheme": "subsample"})):
        told.clear()
        cc.stability(
            clusters,
            SMALL,
            checkpoint=file,
            progress=lambda done, total, estimate: told.append((done, total)),
            **more,
            **keys,
        )
        assert told[0][0] == 1
    with pytest.raises(FileError, match="other data"):
        cc.stability(QUICK, SMALL + 1.0, checkpoint=file, **keys)
    with pytest.raises(FileError, match="other data"):
        cc.stability(QUICK, SMALL, groups=np.arange(50) % 9, checkpoint=file, **keys)
    with pytest.raises(ValueError, match="without lambda"):
        cc.stability(
            lambda X, K, seed: X[:, 0] > 0,
            SMALL,
            scheme="subsample",
            checkpoint=file,
            **keys,
        )
    with pytest.raises(ValueError, match="checkpoint needs random_state"):
        cc.stability(QUICK, SMALL, checkpoint=file, **FEW)


def test_numbers_whose_clusters_coincide_are_not_admissible():
    X = np.random.default_rng(0).normal(size=(120, 10)) + 2.5 * (
        np.arange(120)[:, None] % 2
    )
    found = cc.stability(FuzzyCMeans(fuzzifier=2.5, n_init=2), X, random_state=0, **FEW)
    assert found.coincident[0] == 0.0
    assert found.coincident[1] > 0.5
    assert "coincident clusters" in found.remarks[-1]
    assert "coincident clusters" in str(found)
    assert not found.admissible[1:].any()


def test_fits_that_do_not_converge_warn_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        cc.stability(FuzzyCMeans(n_init=2, max_iter=1), SMALL, **FEW)


def test_remarks_tell_of_few_objects_few_starts_and_the_end_of_the_range():
    found = replace(drawn(4, n=49), coincident=np.zeros(5))
    assert any("49 objects are few" in remark for remark in found.remarks)
    assert not any("few" in remark for remark in drawn(n=50).remarks)
    assert (
        cc.stability(KMeans(), SMALL, **FEW)
        .remarks[0]
        .startswith("each fit has one start (n_init='auto')")
    )
    assert not cc.stability(KMeans(init="random"), SMALL, **FEW)._one_start
    last = found.aci.copy()
    last[-1] = 0.999 + 1e-4 * np.arange(5)
    found = replace(found, aci=last)
    assert found.n_clusters == 6
    assert found.remarks[-1] == "K = 6 is the largest that was tried; try larger ones"


def test_a_result_is_shown_everywhere():
    found = cc.stability(QUICK, FOUR, random_state=0, **FEW)
    text = str(found)
    assert text.startswith(found.sentence())
    assert "most stable" in text
    assert "<table>" in found._repr_html_()
    assert repr(found).startswith("Stability(4 clusters: ACI")
    frame = found.to_frame()
    assert [*frame.index] == [2, 3, 4]
    assert frame.loc[4, "level"]
    np.testing.assert_array_equal(frame["aci"], found.mean_aci)
    np.testing.assert_array_equal(frame["z_uniform"], found.z[:, 1])
    axes = found.plot(ax=Figure().subplots())
    assert axes.get_title() == "4 clusters"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "without structure, skewed",
        "without structure, uniform",
        "data",
    ]
    assert cc.plot.stability_curve(found, ax=Figure().subplots()) is not None


X = SMALL
NAMES = [f"s{i}" for i in range(50)]
WITH_NAN = np.where(np.arange(100).reshape(50, 2) == 7, np.nan, X)


@pytest.mark.parametrize(
    ("given", "keys", "said"),
    [
        ((StandardScaler(), X), {}, r"n_clusters or n_components, and StandardScaler"),
        ((KMeans, X), {}, r"found the class KMeans; pass KMeans\(\)"),
        ((3, X), {}, "found an object of int"),
        ((lambda X, K, seed: [0] * 3, X), {"scheme": "subsample"}, "3 objects for 50"),
        (
            (lambda X, K, seed: np.arange(len(X)), X),
            {"scheme": "subsample"},
            "50 clusters where 2 were asked for",
        ),
        ((lambda X, K, seed: [0] * len(X), X), {}, 'use scheme="subsample"'),
        ((QUICK, X * 1e-200), {}, "squares are no doubles; rescale its columns"),
        ((QUICK, X * 1e200), {}, "squares are no doubles; rescale its columns"),
        ((QUICK, X[:1]), {}, "one object; there is nothing to cluster"),
        ((QUICK, X[:, 0]), {}, r"X.reshape\(-1, 1\) is one feature"),
        ((QUICK, X[:0]), {}, "X is empty"),
        ((QUICK, WITH_NAN), {}, "has nan in row 3, column 1; leave out"),
        ((QUICK, X * [1, 0] + 0.1), {}, r"column, number 1 .*X\[:, np.ptp\(X, axis=0"),
        ((QUICK, [["a", "b"]] * 9), {}, "must be a table of numbers"),
        ((QUICK, X), {"n_clusters": range(1, 5)}, "from 2 on, found 1; one cluster"),
        ((QUICK, X), {"n_clusters": []}, "from 2 on, found none"),
        ((QUICK, X), {"n_clusters": [2.5]}, "n_clusters must be an integer"),
        ((QUICK, X), {"n_clusters": "3"}, "n_clusters must be an integer"),
        ((QUICK, X), {"n_clusters": 60}, "goes up to 60.*50 distinct.*try up to 25"),
        ((QUICK, X[:3]), {}, "3 distinct objects.*more objects are needed"),
        ((QUICK, X), {"references": ()}, 'must be "normal", "uniform" or "skewed"'),
        ((QUICK, X), {"references": ["t"]}, 'must be "normal", "uniform" or "skewed"'),
        ((QUICK, X), {"alpha": 0.0}, "between 0 and 1"),
        ((QUICK, X), {"alpha": "0.2"}, "must be a number"),
        ((QUICK, X), {"n_resamples": 1}, "at least 2"),
        ((QUICK, X), {"n_references": 1}, "at least 2"),
        ((QUICK, X), {"n_references": 10**30}, "n_references is too large"),
        ((QUICK, X), {"checkpoint": np.array("x")}, "must be the path of a file"),
        ((QUICK, X), {"scheme": "jackknife"}, 'must be "bootstrap" or "subsample"'),
        ((QUICK, X), {"groups": [1, 2]}, "one label for each of 50 objects, found 2"),
        ((QUICK, X), {"groups": [1] * 50}, "has 1 group; give three or more"),
        ((QUICK, X), {"groups": np.full((50, 2), 0.5)}, "found a matrix"),
        (
            (QUICK, pd.DataFrame(X, index=NAMES)),
            {"groups": pd.Series(range(50), index=NAMES[::-1])},
            r"groups has other ids than X.*groups.loc\[X.index\]",
        ),
        ((QUICK, X), {"random_state": -1}, "whole number from 0 on"),
    ],
)
def test_wrong_input_is_refused_with_a_remedy(given, keys, said):
    with pytest.raises((ValueError, TypeError), match=said):
        cc.stability(*given, **keys)


def test_groups_are_those_of_the_ids():
    table, labels = pd.DataFrame(X, index=NAMES), np.arange(50) // 5
    groups = pd.Series(labels, index=NAMES)
    by_id, by_position = (
        cc.stability(QUICK, table, **FEW, groups=each, random_state=0).aci
        for each in (groups, labels)
    )
    np.testing.assert_array_equal(by_id, by_position)


def test_steps_that_structureless_data_do_not_suit_are_told():
    """Logarithms of such data are no numbers, which once were clustered unseen."""
    estimator = make_pipeline(FunctionTransformer(np.log1p), QUICK)
    with (
        np.errstate(invalid="ignore"),
        pytest.raises(cc.InputError, match="without structure .*NaN.*belong before X"),
    ):
        cc.stability(estimator, np.expm1(abs(X)), **FEW, random_state=0)


def test_centres_that_are_given_are_one_start():
    found = cc.stability(KMeans(init=X[:3]), X, **(FEW | {"n_clusters": 3}))
    assert any("one start" in remark for remark in found.remarks)


class Failing(KMeans):
    """It fails where objects are repeated, as mixtures may."""

    def fit(self, X, y=None):
        if len(np.unique(X, axis=0)) < len(X):
            raise ValueError("singular\nmatrix")
        return super().fit(X)


class Forgetful(KMeans):
    """It loses an object."""

    def predict(self, X):
        return super().predict(X)[1:]


def test_a_prediction_of_fewer_objects_is_refused():
    with pytest.raises(ValueError, match="returned a partition of 49 objects for 50"):
        cc.stability(Forgetful(n_init=2), X, **FEW)


def test_a_clustering_that_fails_on_resamples_is_told_with_K_and_a_remedy():
    said = r"fails for K = 2 on a resample of the data \(singular\); try fewer"
    with pytest.raises(ValueError, match=said):
        cc.stability(Failing(n_init=1), SMALL, **FEW)


def test_a_single_number_of_clusters_and_few_distinct_objects_are_taken():
    X = np.repeat(np.random.default_rng(0).normal(size=(6, 2)), 5, axis=0)
    found = cc.stability(QUICK, X, n_clusters=3, n_resamples=8, n_references=2)
    assert found.tried == (3,)
    assert found.sentence().split(":")[0] in ("1 cluster", "3 clusters")
