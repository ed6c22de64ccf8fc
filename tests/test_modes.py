"""Modes: groups of partitions of which any two agree."""

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted import copy_of, truth
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import scale

import concordant as cc
from concordant.many.agreeing import Agreement


def agreement_of(values, index="aci"):
    """Return an agreement with such values, of some partitions."""
    values = np.array(values, dtype=np.float64)
    k = len(values)
    names = tuple(f"{number}" for number in range(k))
    partitions = tuple(cc.Partition([0, 1, 1]) for _ in range(k))
    return Agreement(values, np.zeros((k, k)), names, index, partitions)


@st.composite
def squares(draw):
    """Draw values of all pairs, many of them equal or nearly so."""
    k = draw(st.integers(2, 9))
    some = draw(st.lists(st.floats(-0.2, 1.0), min_size=1, max_size=6))
    some += [np.nextafter(value, 1.0) for value in some]
    values = np.eye(k)
    for i in range(k):
        for j in range(i):
            values[i, j] = values[j, i] = draw(st.sampled_from(some))
    return values


def groups_of(modes):
    return [mode.runs for mode in modes]


def test_wine_has_the_modes_that_were_found_by_hand():
    X = scale(load_wine().data)
    runs = [
        GaussianMixture(
            4, covariance_type="diag", init_params="random_from_data", random_state=seed
        )
        .fit(X)
        .predict_proba(X)
        for seed in range(10)
    ]
    modes = cc.agreement(runs).modes()
    assert groups_of(modes) == [(0, 3, 4), (2, 9), (1,), (5,), (6,), (7,), (8,)]
    assert "any threshold from 0.912 to 0.986" in str(modes)


def test_six_solutions_that_are_given_twice_are_six_modes():
    rng = np.random.default_rng(0)
    six = [truth(rng, 100, 3) for _ in range(6)]
    modes = cc.agreement([*six, *(U[:, [2, 0, 1]] for U in six)]).modes()
    assert groups_of(modes) == [(i, i + 6) for i in range(6)]


def test_further_runs_merge_no_modes():
    rng = np.random.default_rng(1)
    U, V = truth(rng, 150, 3), truth(rng, 150, 3)
    two = cc.agreement([U, V, U, V]).modes()
    more = cc.agreement([U, V, U, V, *(truth(rng, 150, 3) for _ in range(4))]).modes()
    assert groups_of(two) == groups_of(more)[:2] == [(0, 2), (1, 3)]


def test_a_mode_has_its_typical_run_its_values_and_averaged_memberships():
    rng = np.random.default_rng(5)
    U, V = truth(rng, 200, 3), truth(rng, 200, 4)
    runs = [copy_of(rng, W, 0.2, "dirichlet") for W in (U, V, U, V, U)]
    found = cc.agreement(runs, names=[*"abcde"])
    modes = found.modes(0.5)
    assert [mode.names for mode in modes] == [("a", "c", "e"), ("b", "d")]
    assert [mode.n_clusters for mode in modes] == [(3, 3, 3), (4, 4)]
    assert modes.labels.tolist() == [0, 1, 0, 1, 0]
    own = found.values[np.ix_([0, 2, 4], [0, 2, 4])]
    within = own[np.triu_indices(3, 1)]
    assert modes[0].agreement == pytest.approx(within.mean())
    assert modes[0].least == within.min()
    assert modes[0].typical == [0, 2, 4][own.sum(axis=1).argmax()]
    averaged = cc.consensus([runs[i] for i in (0, 2, 4)]).partition
    assert modes[0].partition == averaged
    assert [mode.names for mode in modes[1:]] == [("b", "d")]
    assert repr(modes) == "Modes(2 modes of 5 partitions)"
    assert "<table>" in modes._repr_html_()
    assert "agree with ACI of at least 0.5" in str(modes)
    for again in (copy.copy(modes), pickle.loads(pickle.dumps(modes))):
        assert str(again) == str(modes)


def test_a_single_run_that_differs_is_a_mode_of_its_own():
    rng = np.random.default_rng(7)
    U, V = truth(rng, 200, 3), truth(rng, 200, 5)
    modes = cc.agreement([U, V, U]).modes()
    assert groups_of(modes) == [(0, 2), (1,)]
    assert modes[1].n_clusters == (5,)
    assert math.isnan(modes[1].agreement)
    assert math.isnan(modes[1].least)


@given(squares(), st.floats(-0.2, 1.0))
def test_any_two_of_a_mode_agree_and_the_range_of_thresholds_is_true(values, threshold):
    found = agreement_of(values)
    modes = found.modes(threshold)
    assert sorted(sum(groups_of(modes), ())) == [*range(len(values))]
    for mode in modes:
        own = values[np.ix_(mode.runs, mode.runs)]
        assert (own >= threshold).all()
    assert modes.above < threshold <= modes.up_to
    *_, low, _, high = f"- - {modes.range}".split()
    inside = [modes.up_to, float(high), np.nextafter(modes.above, 2.0)]
    if low[-1].isdigit():
        inside.append(float(low))
    for same in filter(np.isfinite, inside):
        assert groups_of(found.modes(same)) == groups_of(modes)
    for other in (modes.above, np.nextafter(modes.up_to, 2.0)):
        if np.isfinite(other) and other <= 1.0:
            assert groups_of(found.modes(other)) != groups_of(modes)


@given(squares(), st.floats(-0.2, 1.0))
def test_modes_are_branches_of_the_tree(values, threshold):
    found = agreement_of(values)
    labels = found.modes(threshold).labels[found.order]
    changes = np.count_nonzero(np.diff(labels))
    assert changes == len(found.modes(threshold)) - 1


def test_the_tree_is_that_of_complete_linkage():
    rng = np.random.default_rng(2)
    for k in (3, 8, 30):
        values = rng.random((k, k))
        values = np.minimum(values, values.T)
        np.fill_diagonal(values, 1.0)
        found = agreement_of(values)
        true = linkage(squareform(found.distances, checks=False), "complete")
        assert np.sort(found.tree[:, 2]) == pytest.approx(np.sort(true[:, 2]))
        for threshold in (0.1, 0.3, 0.6):
            labels = found.modes(threshold).labels
            others = fcluster(true, 1.0 - threshold, "distance")
            same, true_same = (x[:, None] == x for x in (labels, others))
            assert (same == true_same).all()


def test_pairs_that_agree_equally_are_joined_in_the_order_of_the_partitions():
    near = 0.96
    chain = np.eye(4)
    for i in range(3):
        chain[i, i + 1] = chain[i + 1, i] = near
    assert groups_of(agreement_of(chain).modes()) == [(0, 1), (2, 3)]
    turned = chain[np.ix_([1, 2, 0, 3], [1, 2, 0, 3])]
    assert groups_of(agreement_of(turned).modes()) == [(0, 1), (2,), (3,)]


def test_the_smaller_value_of_both_orders_counts():
    values = [[1.0, 0.99], [0.5, 1.0]]
    assert len(agreement_of(values, "purity").modes()) == 2
    modes = agreement_of(values, "purity").modes(0.5)
    assert (modes[0].least, modes[0].agreement) == (0.5, 0.745)


def test_what_is_not_defined_is_in_no_mode():
    values = np.full((3, 3), math.nan)
    values[0, 2] = values[2, 0] = 0.99
    assert groups_of(agreement_of(values, "jaccard").modes()) == [(0, 2), (1,)]


def test_narrow_ranges_have_the_digits_they_need():
    modes = agreement_of([[1.0, 0.95], [0.95, 1.0]]).modes(0.95)
    assert modes.range == "the same modes for any threshold up to 0.950"
    three = [[1.0, 0.95004, 0.9], [0.95004, 1.0, 0.95001], [0.9, 0.95001, 1.0]]
    modes = agreement_of(three).modes(0.9)
    assert modes.range.endswith("any threshold up to 0.900")
    values = np.full((3, 3), 0.95001)
    values[0, 1] = values[1, 0] = 0.95004
    modes = agreement_of(values).modes(0.95003)
    assert modes.range.endswith("any threshold from 0.95002 to 0.95004")


@pytest.mark.parametrize(
    ("threshold", "error", "message"),
    [
        (95, ValueError, "threshold must be a number up to 1, such as 0.95, found 95"),
        (math.nan, ValueError, "found nan"),
        (-math.inf, ValueError, "found -inf"),
        ("0.9", TypeError, "threshold must be a number up to 1, .* found '0.9'"),
        (True, TypeError, "found True"),
    ],
)
def test_thresholds_that_are_none_are_refused(threshold, error, message):
    with pytest.raises(error, match=message):
        cc.agreement([[0, 1], [0, 1]]).modes(threshold)


@pytest.mark.parametrize("index", ["vi", "mirkin", "mutual_information"])
def test_an_index_whose_best_value_is_not_1_has_no_modes(index):
    found = cc.agreement([[0, 1], [0, 1]], index=index)
    with pytest.raises(ValueError, match='best value is 1, and this is .*"aci"'):
        found.modes()
    assert not found.plot().patches


def test_other_indices_and_models_of_chance_have_modes():
    a, b = [0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 2]
    modes = cc.agreement([a, b, a], index="ndc").modes(0.9)
    assert groups_of(modes) == [(0, 2), (1,)]
    assert "agree with NDC of at least 0.9" in str(modes)
    null = "dirichlet-symmetric"
    U = truth(np.random.default_rng(3), 30, 3)
    assert len(cc.agreement([U, U], null=null).modes()) == 1


def test_averages_of_modes_have_their_clusters_in_one_order():
    rng = np.random.default_rng(8)
    U = truth(rng, 90, 4)
    V = U.copy()
    V[:30] = V[:30, [1, 0, 2, 3]]  # another solution, much like the first
    found = cc.agreement([U, V[:, [3, 1, 0, 2]], U[:, [2, 3, 1, 0]], V])
    modes = found.modes()
    assert [mode.names for mode in modes] == [("1", "3"), ("2", "4")]
    one, two = (mean.memberships for mean in modes.partitions)
    assert np.allclose(one[30:], two[30:])
    assert modes.titles == ["mode 1: 2 runs, K = 4", "mode 2: 2 runs, K = 4"]
    frame = modes.to_frame()
    assert frame["mode"].tolist() == [1, 2, 1, 2]
    assert frame.index.tolist() == ["1", "2", "3", "4"]
    assert frame["typical"].tolist() == [True, True, False, False]
    assert frame["n_clusters"].tolist() == [4] * 4


def test_pairs_on_different_objects_have_a_summary_by_k_without_h():
    ids = [f"{i}" for i in range(30)]
    runs = [
        cc.Partition(np.arange(20) % K, ids=ids[start : start + 20])
        for K, start in ((2, 0), (2, 5), (3, 10))
    ]
    two, three = cc.agreement(runs, match_by="common").modes().by_n_clusters
    assert (len(two), len(three)) == (2, 1)
    assert two.least == two.agreement
    assert math.isnan(two.mean_similarity)


def test_pairs_without_a_value_are_as_far_apart_as_the_farthest():
    values = np.array([[1, 0.5, 0.9], [0.5, 1, math.nan], [0.9, math.nan, 1]])
    errors, crisp = np.zeros((3, 3)), cc.Partition([0, 1])
    found = cc.Agreement(values, errors, ("a", "b", "c"), "aci", (crisp,) * 3)
    assert found.distances[1, 2] == found.distances[0, 1] == 0.5
    assert found.tree[:, 2].tolist() == pytest.approx([0.1, 0.5])
    assert found.medoid == 0
    assert "0.5000 to 0.9000" in repr(found)


def test_averages_of_common_objects_have_these_in_the_order_of_the_first_run():
    rng = np.random.default_rng(3)
    U, V, ids = truth(rng, 20, 3), truth(rng, 20, 3), np.arange(20)
    runs = [
        cc.Partition(what[order], ids=ids[order])
        for what, order in (
            (V, ids[2:]),
            (U, rng.permutation(ids[:18])),
            (U, rng.permutation(ids[1:])),
        )
    ]
    modes = cc.agreement(runs, match_by="common").modes()
    assert modes[0].runs == (1, 2)
    for mean in modes.partitions:
        assert mean.ids.tolist() == [*range(2, 18)]
