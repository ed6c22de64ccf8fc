"""Where two partitions differ: objects, clusters, pairs of clusters, and sentences."""

import json
import math
from itertools import permutations

import coverage_of_intervals as designs
import numpy as np
import pandas as pd
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from partitions import STYLES, memberships, two_partitions
from threadpoolctl import threadpool_limits

import concordant as cc
from concordant import Partition
from concordant.execution.run import Run
from concordant.inference import local_concordance
from concordant.inference.correspondence import (
    changes_between,
    crossing,
    shared,
    transfer,
)
from concordant.inference.object_means import object_means


def fates(found):
    return [(one.fate, one.clusters_p, one.clusters_q) for one in found.changes]


def summed(weights, values):
    """Add up values of parts, of which empty ones have none."""
    return float(np.nansum(weights * values))


def tables(found):
    return found.objects, found.clusters_p, found.clusters_q, found.pairs


@settings(max_examples=40, deadline=None)
@given(pq=two_partitions(max_n=10, max_K=4))
def test_parts_follow_the_definition(pq):
    found = local_concordance(*pq)
    U, V = (Partition(X).memberships for X in pq)
    d_i = reference.local_discordance(U.tolist(), V.tolist())
    placed = np.array(reference.placed(U.tolist(), V.tolist()))
    means = placed.mean(axis=1), placed.mean(axis=0)

    def same(ours, theirs):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)

    same(found.objects.discordance, d_i)
    same(found.objects.expected, 0.5 * (means[0] + means[1]))
    for parts, weights, expected in (
        (found.clusters_p, U, means[0]),
        (found.clusters_q, V, means[1]),
    ):
        same(parts.discordance, [reference.weighted_mean(w, d_i) for w in weights.T])
        same(parts.expected, [reference.weighted_mean(w, expected) for w in weights.T])
    for k, u in enumerate(U.T):
        for c, v in enumerate(V.T):
            same(found.pairs.discordance[k, c], reference.weighted_mean(u * v, d_i))
            same(
                found.pairs.expected[k, c],
                reference.weighted_mean(np.outer(u, v).ravel(), placed.ravel()),
            )


STYLES_AND_SIZES = [(one, other, 40) for one in STYLES for other in STYLES]
STYLES_AND_SIZES += [
    (style, "dirichlet", 600) for style in ("close", "crisp", "sparse")
]


@pytest.mark.parametrize(("style_p", "style_q", "n"), STYLES_AND_SIZES)
def test_parts_add_up_to_d_and_to_what_is_expected(style_p, style_q, n):
    rng = np.random.default_rng(5)
    P, Q = memberships(rng, n, 3, style_p), memberships(rng, n, 4, style_q)
    found = local_concordance(P, Q)
    whole = cc.concordance(P, Q)
    assert found.is_exact
    assert found.aci == pytest.approx(whole.aci, abs=1e-7 + 2 * whole.error)
    for parts in tables(found):
        assert summed(parts.weights, parts.discordance) == pytest.approx(
            whole.discordance, abs=1e-12
        )
        assert parts.weights.sum() == pytest.approx(1.0)
        assert parts.chance_weights.sum() == pytest.approx(1.0)
        assert summed(parts.chance_weights, parts.expected) == pytest.approx(
            whole.expected_discordance, rel=1e-6, abs=1e-15
        )


def test_rows_that_sum_to_more_than_1_have_weights_that_sum_to_1():
    U = [[0.51, 0.5], [0.34, 0.67], [0.2, 0.8], [0.9, 0.11], [0.3, 0.7]]
    found = local_concordance(U, [0, 0, 1, 1, 1])
    d = cc.concordance(U, [0, 0, 1, 1, 1]).discordance
    assert [summed(x.weights, x.discordance) for x in tables(found)] == pytest.approx(
        [d] * 4, abs=1e-12
    )


def test_it_is_symmetric():
    rng = np.random.default_rng(0)
    U, V = rng.dirichlet([1, 1, 1], 50), rng.dirichlet([1, 1], 50)
    one, other = local_concordance(U, V), local_concordance(V, U)
    for ours, theirs in (
        (one.objects.aci, other.objects.aci),
        (one.clusters_p.aci, other.clusters_q.aci),
        (one.pairs.aci, other.pairs.aci.T),
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_the_discordance_of_objects_is_part_of_it():
    rng = np.random.default_rng(1)
    U, V = rng.dirichlet([1, 1, 1], 50), rng.integers(3, size=50)
    ours = local_concordance(U, V).object_discordance
    np.testing.assert_allclose(
        ours.values, cc.object_discordance(U, V).values, atol=1e-14
    )


def test_objects_that_differ_are_called_by_their_ids():
    P = cc.Partition([0, 0, 0, 1], ids=["Ann", "Bob", "Cyd", "Dan"])
    shown = str(cc.object_discordance(P, [0, 0, 1, 1])).splitlines()
    assert shown[1].split() == ["object", "discordance"]  # nothing was sampled
    assert shown[3].split()[0] == "Cyd"
    found = cc.object_discordance(P, [0, 0, 1, 1]).plot()
    assert found.get_yticklabels()[0].get_text() == "Cyd"


def test_equal_partitions_differ_nowhere():
    U = np.random.default_rng(0).dirichlet([0.5, 1, 2], 30)
    found = local_concordance(U, U[:, [2, 0, 1]])
    for parts in tables(found):
        np.testing.assert_allclose(parts.aci[parts.weights > 0], 1.0, atol=1e-12)
    assert {fate for fate, *_ in fates(found)} == {"kept"}
    assert ("kept", ("0",), ("1",)) in fates(found)
    assert all("100 % of" in one.sentence for one in found.changes)
    assert local_concordance(["a", "a", "b"], ["x", "x", "y"]).sentences()[-1] == (
        "No pair of objects is treated differently."
    )


def test_a_partition_of_few_distinct_rows_is_kept_in_itself():
    for seed in range(150):
        rng = np.random.default_rng(seed)
        K = int(rng.integers(2, 5))
        rows = rng.dirichlet([1] * K, int(rng.integers(2, 5)))
        if seed % 3 == 0:  # some clusters hold all objects alike
            rows[:, 0] = 0.2
            rows[:, 1:] *= 0.8 / rows[:, 1:].sum(axis=1, keepdims=True)
        U = rows[rng.integers(len(rows), size=30)]
        found = local_concordance(U, U)
        names = [(str(k),) for k in range(K)]
        assert sorted(fates(found)) == [("kept", name, name) for name in names]
        assert found.sentences()[-1] == "No pair of objects is treated differently."


def test_no_more_than_all_of_a_cluster_is_kept_where_rows_sum_to_more_than_1():
    rng = np.random.default_rng(0)
    U = np.round(rng.dirichlet([2] * 3, 60), 2)
    U[:, 1] += 0.01 * (U.sum(axis=1) <= 1.0)
    for V in (U[:, ::-1], U.argmax(axis=1)):
        found = local_concordance(U, V)
        assert "101 %" not in " ".join(found.sentences())
        for change in found.changes:
            assert max(change.shares_p + change.shares_q) <= 1.0 + 1e-12


def test_objects_are_numbered_from_0():
    found = local_concordance([0, 0, 1, 1], [0, 1, 1, 1])
    assert found.objects.names[0].tolist() == [0, 1, 2, 3]
    assert found.to_frame()["object"].dropna().tolist() == [0, 1, 2, 3]


def test_clusters_are_split_merged_dissolved_and_new():
    P = ["a"] * 20 + ["b"] * 10 + ["c"] * 10
    assert fates(local_concordance(P, ["x"] * 12 + ["y"] * 8 + ["z"] * 20)) == [
        ("split", ("a",), ("x", "y")),
        ("merged", ("b", "c"), ("z",)),
    ]
    Q = ["x", "y", "z", "w"] * 5 + ["u"] * 10 + ["v"] * 10
    assert fates(local_concordance(P, Q)) == [
        ("split", ("a",), ("w", "x", "y", "z")),
        ("kept", ("b",), ("u",)),
        ("kept", ("c",), ("v",)),
    ]
    P, Q = np.arange(60) // 20, np.arange(60) % 3
    found = local_concordance(P, Q)
    assert [fate for fate, *_ in fates(found)] == ["dissolved"] * 3 + ["new"] * 3
    assert found.changes[0].sentence.startswith(
        "Cluster 0 of P has no counterpart in Q: 35 % of it is in"
    )


def test_a_partition_into_one_cluster_is_split():
    found = local_concordance([0] * 9, [0, 0, 0, 1, 1, 1, 2, 2, 2])
    assert fates(found) == [("split", ("0",), ("0", "1", "2"))]
    assert found.aci == 0.0


def test_clusters_of_chance_have_no_counterpart_however_large_they_are():
    rng = np.random.default_rng(0)
    P, Q = (rng.choice(2, p=[0.9, 0.1], size=2000) for _ in "PQ")
    assert {fate for fate, *_ in fates(local_concordance(P, Q))} == {
        "dissolved",
        "new",
    }


@pytest.mark.parametrize("alpha", [0.3, 1.0, 30.0])
def test_unrelated_fuzzy_clusters_have_no_counterpart_however_flat_they_are(alpha):
    rng = np.random.default_rng(0)
    U, V = rng.dirichlet([alpha] * 3, 500), rng.dirichlet([alpha] * 3, 500)
    found = {fate for fate, *_ in fates(local_concordance(U, V))}
    assert found == {"dissolved", "new"}


@pytest.mark.parametrize("alpha", [0.3, 30.0])
def test_few_unrelated_fuzzy_objects_rarely_have_a_counterpart(alpha):
    links = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        P, Q = (Partition(rng.dirichlet([alpha] * 3, 30)) for _ in "PQ")
        links += any(one.fate == "kept" for one in changes_between(P, Q))
    assert links <= 6


def test_clusters_are_the_counterparts_of_their_hardened_selves_however_soft():
    U = np.random.default_rng(0).dirichlet([3.0, 3.0, 3.0], 300)
    P = Partition(U)
    for found in (local_concordance(P, P.harden()), local_concordance(P.harden(), P)):
        assert {(one, *two) for one, *two in fates(found)} == {
            ("kept", (k,), (k,)) for k in "012"
        }


def test_clusters_share_beyond_chance_what_all_orders_of_objects_give():
    rng = np.random.default_rng(1)
    crisp, other = (Partition(rng.integers(3, size=5)) for _ in "PQ")
    fuzzy, soft = (Partition(rng.dirichlet([1, 1], 5)) for _ in "PQ")
    for P, Q in ((fuzzy, soft), (fuzzy, crisp), (crisp, fuzzy), (crisp, other)):
        orders = permutations(range(5))
        products = [P.columns() @ Q.columns()[:, [*order]].T for order in orders]
        beyond, at_most = shared(P, Q)
        by_chance = np.mean(products, axis=0)
        np.testing.assert_allclose(beyond, products[0] - by_chance, atol=1e-12)
        assert (at_most <= np.max(products, axis=0) - by_chance + 1e-12).all()
    _, at_most = shared(crisp, other)
    np.testing.assert_allclose(at_most, np.max(products, axis=0) - by_chance)


@pytest.mark.parametrize("K", [2, 3, 5, 8])
@pytest.mark.parametrize("alpha", [0.1, 1.0, 20.0])
def test_clusters_of_a_partition_are_kept_in_itself(K, alpha):
    rng = np.random.default_rng(K)
    U = rng.dirichlet(np.full(K, alpha), 60)
    two_alike = np.column_stack([0.5 * U[:, :1], 0.5 * U[:, :1], U[:, 1:]])
    correlated = np.column_stack(
        [two_alike[:, 0] * 0.9, two_alike[:, 0] * 1.1, U[:, 1:]]
    )
    correlated[:, :2] += 0.01 * rng.dirichlet([1, 1], 60) - 0.005
    correlated = np.abs(correlated) / np.abs(correlated).sum(axis=1, keepdims=True)
    for V in (U, two_alike, correlated):
        found = local_concordance(V, V[:, ::-1])
        assert {change.fate for change in found.changes} == {"kept"}
        assert len(found.changes) == V.shape[1]


def test_objects_go_where_their_membership_goes():
    U = np.array([[0.6, 0.4], [0.4, 0.6], [1.0, 0.0]])
    P, Q = Partition(U), Partition([[0.5, 0.5], [0.4, 0.6], [1.0, 0.0]])
    same = transfer(P, P, shared(P, P)[0])
    np.testing.assert_allclose(same, np.diag(U.sum(axis=0)))
    table = transfer(P, Q, shared(P, Q)[0])
    np.testing.assert_allclose(table, [[1.9, 0.1], [0.0, 1.0]])
    np.testing.assert_allclose(table.sum(axis=1), U.sum(axis=0))


def test_empty_clusters_have_no_value_and_are_not_told_of():
    U = [[0.6, 0.4, 0.0], [0.3, 0.7, 0.0], [0.2, 0.8, 0.0], [0.9, 0.1, 0.0]]
    found = local_concordance(U, [0, 0, 1, 1])
    assert math.isnan(found.clusters_p.aci[2])
    assert found.clusters_p.weights[2] == 0.0
    assert not any("2" in one.clusters_p for one in found.changes)
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("sharp", [None, 5.0])
def test_a_planted_disagreement_is_found(sharp):
    found = [designs.planted_swap(100, seed, sharp) for seed in range(20)]
    assert np.mean([part >= 0.95 for part in found]) >= 0.95
    for fate in ("split", "merged"):
        named = [designs.planted_change(100, seed, sharp, fate) for seed in range(20)]
        assert np.mean(named) >= 0.95


@pytest.mark.parametrize("fate", ["split", "merged"])
def test_what_became_of_clusters_is_named_for_soft_memberships_too(fate):
    assert designs.largest_membership(2.5) < 0.75
    named = [designs.planted_change(200, seed, 2.5, fate) for seed in range(20)]
    assert np.mean(named) >= 0.95


def test_samples_of_partners_say_so_and_add_up():
    rng = np.random.default_rng(0)
    U, V = rng.dirichlet([1, 1, 1], 800), rng.dirichlet([1, 1, 1], 800)
    exact = local_concordance(U, V)
    found = local_concordance(U, V, n_partners=200, random_state=0)
    assert not found.is_exact
    assert found.object_discordance.n_partners == 200
    told = "Each object was compared with 200 others, drawn at random."
    assert found.sentences()[-1] == told
    assert "compared with 200 others" in found.sentences()[-1]
    for ours, theirs in zip(tables(found), tables(exact), strict=True):
        assert summed(ours.weights, ours.discordance) == pytest.approx(
            found.discordance, abs=1e-12
        )
        assert summed(ours.chance_weights, ours.expected) == pytest.approx(
            found.expected_discordance
        )
        assert (ours.standard_errors[ours.weights > 0] > 0.0).all()
        misses = np.abs(ours.discordance - theirs.discordance) / ours.standard_errors
        assert np.mean(misses <= 1.96) >= 0.9
        np.testing.assert_allclose(ours.expected, theirs.expected, rtol=0.05)
    again = local_concordance(U, V, n_partners=200, random_state=0, n_jobs=2)
    np.testing.assert_array_equal(found.pairs.expected, again.pairs.expected)


@pytest.mark.parametrize("seed", range(4))
def test_partners_that_are_all_objects_tell_what_all_pairs_do(seed):
    """Sums of weights, which doubles round, were taken for one too few."""
    rng = np.random.default_rng(seed)
    P, Q = (Partition(rng.dirichlet(np.ones(4), 1000)) for _ in "PQ")
    every_pair = object_means(P, Q, Run())
    partners = object_means(P, Q, Run(), np.arange(1000))
    for name in ("discordance", "from_p", "from_q"):
        np.testing.assert_allclose(
            getattr(partners, name), getattr(every_pair, name), rtol=1e-6
        )


def test_it_becomes_a_frame_and_a_dictionary():
    P = pd.Series(["a", "a", "b", "b"], index=["w", "x", "y", "z"])
    found = local_concordance(P, [0, 0, 1, 0])
    frame = found.to_frame()
    assert frame["part"].value_counts().to_dict() == {
        "object": 4,
        "cluster of P": 2,
        "cluster of Q": 2,
        "pair of clusters": 4,
    }
    assert frame["object"].dropna().tolist() == ["w", "x", "y", "z"]
    for _, parts in frame.groupby("part"):
        assert (parts["weight"] * parts["discordance"]).sum() == pytest.approx(0.5)
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert written["discordance"] == 0.5
    assert written["pairs"][1]["names"] == ["a", 1]
    assert written["pairs"][1]["discordance"] is None


def test_it_prints_for_people():
    P = ["a"] * 6 + ["b"] * 6
    found = local_concordance(P, ["x"] * 6 + ["y"] * 3 + ["z"] * 3)
    text = str(found)
    assert "Cluster b of P is split into clusters y (50 %) and z (50 %) of Q." in text
    assert "Objects treated most differently, with their discordance: 6 (0.273)" in text
    assert "\n" not in repr(found)
    many = local_concordance(np.arange(40), np.arange(40))
    assert "and 28 more clusters of P" in str(many)


def test_its_table_has_the_names_that_were_given():
    many = local_concordance(np.arange(40), np.arange(40), names=("new", "old"))
    assert "\n0 of old " in str(many)
    assert "and 28 more clusters of new and 28 more clusters of old" in str(many)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="at least 2 objects, found 1"):
        local_concordance([0], [0])
    with pytest.raises(ValueError, match="n_partners must be at least 3"):
        local_concordance([0, 1], [0, 1], n_partners=2)
    with pytest.raises(ValueError, match="more than 10 million pairs of clusters"):
        local_concordance(np.arange(4000), np.arange(4000))
    loose = Partition([[0.5, 0.2]] * 4, kind="possibilistic")
    with pytest.raises(ValueError, match="possibilistic partitions, and P is one"):
        local_concordance(loose, [0, 1, 0, 1])


def test_threads_of_blas_change_no_bit():
    rng = np.random.default_rng(5)
    P, Q = rng.dirichlet([0.5] * 3, 460), rng.dirichlet([0.7] * 4, 460)
    found = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads, user_api="blas"):
            found.append(cc.local_concordance(P, Q))
    one, other = found
    for parts in ("pairs", "clusters_p", "clusters_q"):
        assert np.array_equal(getattr(one, parts).aci, getattr(other, parts).aci)
    assert np.array_equal(one.pairs.expected, other.pairs.expected)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_empty_clusters_change_nothing_that_is_told(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    given = []
    for _ in range(2):
        K = int(rng.integers(1, 4))
        U = rng.dirichlet(np.full(K, 0.4), n)
        given.append(np.eye(K)[U.argmax(axis=1)] if rng.random() < 0.4 else U)

    def told(*both):
        found = local_concordance(*(Partition(X) for X in both)).changes
        return [(change.fate, change.shares_p, change.shares_q) for change in found]

    padded = [np.pad(X, ((0, 0), (0, int(rng.integers(1, 3))))) for X in given]
    used = [X[:, X.any(axis=0)] for X in given]
    assert told(*padded) == told(*given) == told(*used)


def test_a_cluster_that_is_all_of_both_is_kept():
    """An empty one beside it let it have no counterpart, 100 % of it being in it."""
    for U in ([[1.0, 0.0]] * 5, [[1.0]] * 5):
        (told,) = local_concordance(U, [[1, 0]] * 5).changes
        assert told.fate == "kept"
        assert "they have 100 % of the former and 100 % of the latter" in told.sentence


def test_percentages_are_those_of_the_crossing():
    rng = np.random.default_rng(12)
    U, V = rng.dirichlet([0.6] * 3, 40), rng.dirichlet([0.6] * 3, 40)
    P, Q = Partition(0.8 * U + 0.2 * V), Partition(V[:, [1, 2, 0]])
    table = crossing(P, Q)
    np.testing.assert_allclose(table.sum(axis=1), P.memberships.sum(axis=0))
    np.testing.assert_allclose(table.sum(axis=0), Q.memberships.sum(axis=0))
    for change in local_concordance(P, Q).changes:
        if change.fate == "kept":
            k, m = int(change.clusters_p[0]), int(change.clusters_q[0])
            assert change.shares_p[0] == pytest.approx(table[k, m] / table[k].sum())
