"""Clusters of many partitions: one relabelling, modes, and a consensus."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from partitions import memberships
from planted import (
    KINDS,
    consensus_is_nearer,
    copy_of,
    relabelling_is_best,
    truth,
)
from threadpoolctl import threadpool_limits

import concordant as cc
from concordant.many.averaging import Criterion, in_simplex
from concordant.many.relabelling import _total, common_orders, joint_orders, overlaps


def drawn(seed, most_runs=3, most_clusters=3):
    """Draw some runs of different numbers of clusters."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    return [
        memberships(rng, n, int(rng.integers(1, most_clusters + 1)), style)
        for style in rng.choice(
            ["dirichlet", "crisp", "rounded"], size=int(rng.integers(2, most_runs + 1))
        )
    ]


def cost_of(runs, orders):
    """Return the sum of squared distances of all pairs, by definition."""
    placed = []
    for run, order in zip(runs, orders, strict=True):
        U = np.zeros((len(run), len(order)))
        for column, cluster in enumerate(order):
            if 0 <= cluster < run.shape[1]:
                U[:, column] = run[:, cluster]
        placed.append(U)
    return sum(((U - V) ** 2).sum() for U, V in combinations(placed, 2))


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_no_relabelling_costs_less(seed):
    runs = drawn(seed)
    K = max(run.shape[1] for run in runs)
    found = cc.align_clusters(runs)
    orders = [*permutations(range(K))]
    least = min(
        cost_of(runs, (orders[0], *others))
        for others in product(orders, repeat=len(runs) - 1)
    )
    assert cost_of(runs, found.orders) == pytest.approx(least, abs=1e-9)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_aligned_partitions_are_the_same_with_clusters_in_another_order(seed):
    runs = drawn(seed)
    found = cc.align_clusters(runs)
    K = max(run.shape[1] for run in runs)
    for number, (run, order) in enumerate(zip(runs, found.orders, strict=True)):
        own = order[order >= 0]
        assert sorted(own) == [*range(run.shape[1])]
        assert np.array_equal(found.partitions[number].memberships, run[:, own])
        assert found.memberships(number).shape == (len(run), K)
    first = next(order for order in found.orders if (order >= 0).all())
    assert first.tolist() == [*range(K)]
    away = cost_of(runs, found.orders)
    twice = 2 * len(runs[0])
    upper = np.triu_indices(len(runs), 1)
    by_pair = ((1.0 - found.similarity[upper]) ** 2 * twice).sum()
    assert by_pair == pytest.approx(away, abs=1e-9)
    assert found.mean_similarity == pytest.approx(found.similarity[upper].mean())


def test_labels_keep_their_names():
    found = cc.align_clusters([["a", "a", "b"], ["x", "y", "x"], ["u", "u", "v"]])
    assert found.partitions[2].clusters[found.partitions[2].labels].tolist() == [*"uuv"]
    swapped = cc.align_clusters([["a", "a", "b"], ["z", "z", "y"]])
    assert swapped.orders[1].tolist() == [1, 0]
    assert swapped.partitions[1].clusters.tolist() == ["z", "y"]
    assert swapped.partitions[1].labels.tolist() == [0, 0, 1]
    assert swapped.mean_similarity == 1.0


def test_a_reference_gives_the_order():
    rng = np.random.default_rng(2)
    U = truth(rng, 40, 4)
    runs = {f"run {i}": copy_of(rng, U, 0.3, "mixed") for i in range(4)}
    found = cc.align_clusters(runs, reference=U)
    for run in found.partitions:
        assert np.abs(run.memberships - U).max() < 0.5
    by_name = cc.align_clusters(runs, reference="run 2")
    assert by_name.orders[2].tolist() == [0, 1, 2, 3]
    assert np.array_equal(by_name.partitions[2].memberships, runs["run 2"])


def test_clusters_that_split_keep_the_number_of_the_largest_part():
    coarse = np.repeat([0, 1], 50)
    fine = np.r_[np.repeat(0, 30), np.repeat(1, 20), np.repeat(2, 50)]
    found = cc.align_clusters({"fine": fine, "coarse": coarse})
    assert found.orders[0].tolist() == [0, 1, 2]
    assert found.orders[1].tolist() == [0, -1, 1]


def test_relabelling_is_as_good_as_many_random_starts():
    assert all(relabelling_is_best(seed, n_starts=20) for seed in range(2))


@pytest.mark.parametrize("level", [0.2, 0.6, 0.9])
def test_relabelling_by_the_mean_is_as_good_as_a_joint_search(level, monkeypatch):
    searched = []
    home = "concordant.many.relabelling.joint_orders"

    def counted(*given):
        searched.append(1)
        return joint_orders(*given)

    monkeypatch.setattr(home, counted)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        U = truth(rng, 40, 4)
        runs = [copy_of(rng, U, level, KINDS[seed % 4]) for _ in range(12)]
        runs[0] = np.eye(4)[runs[0].argmax(axis=1)][:, :3]
        runs[0][:, 2] = 1.0 - runs[0][:, :2].sum(axis=1)
        columns = [run.T for run in runs]
        weights = rng.random(12) + 0.1
        shared = overlaps(columns, weights)
        least = _total(shared, joint_orders(shared))
        orders = common_orders([*map(cc.Partition, runs)], weights)
        assert _total(shared, orders) == pytest.approx(least, rel=1e-9)
    assert len(searched) < 6 if level < 0.9 else searched


def test_aligned_clusters_print():
    found = cc.align_clusters({"<a>": [0, 0, 1], "b": [1, 1, 0]})
    assert str(found).splitlines()[-1] == "b        1  0"
    assert "&lt;a&gt;" in found._repr_html_()
    assert repr(found) == (
        "AlignedClusters(2 partitions, 2 common clusters, mean similarity H' 1.0000)"
    )
    assert len(found) == 2


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_euclidean_consensus_minimises_its_criterion(seed):
    runs = drawn(seed)
    rng = np.random.default_rng(seed)
    weights = rng.random(len(runs)) + 0.1
    found = cc.consensus(runs, weights=weights)
    K = max(run.shape[1] for run in runs)
    assert found.partition.n_clusters == K
    padded = [np.pad(run, ((0, 0), (0, K - run.shape[1]))) for run in runs]
    orders = [*permutations(range(K))]
    least = np.inf
    for choice in product(orders, repeat=len(runs) - 1):
        placed = [
            U[:, order] for U, order in zip(padded, (orders[0], *choice), strict=True)
        ]
        mean = np.average(placed, axis=0, weights=weights)
        cost = sum(
            w * ((U - mean) ** 2).sum() for w, U in zip(weights, placed, strict=True)
        )
        least = min(least, cost)
    assert found.criterion == pytest.approx(least, abs=1e-9)
    assert found.criterion == pytest.approx(weights @ found.distances**2)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_criterion_of_comemberships_is_its_definition(seed):
    runs = drawn(seed)
    rng = np.random.default_rng(seed)
    n, w = len(runs[0]), rng.random(len(runs))
    M = rng.dirichlet(np.ones(3), n)
    value, gradient = Criterion(runs, w).at(M)

    def naive(M):
        return sum(
            a * ((U @ U.T - M @ M.T) ** 2).sum() for a, U in zip(w, runs, strict=True)
        )

    assert value == pytest.approx(naive(M), abs=1e-9)
    step = 1e-6 * rng.standard_normal(M.shape)
    along = (naive(M + step) - naive(M - step)) / 2.0
    assert (gradient * step).sum() == pytest.approx(along, rel=1e-4, abs=1e-11)


def test_rows_are_projected_onto_the_nearest_memberships():
    rng = np.random.default_rng(0)
    rows = 3.0 * rng.standard_normal((50, 4))
    near = in_simplex(rows)
    assert near.min() >= 0.0
    assert near.sum(axis=1) == pytest.approx(np.ones(50))
    others = rng.dirichlet(np.ones(4), (50, 200))
    least = ((others - rows[:, None]) ** 2).sum(axis=2).min(axis=1)
    assert (((near - rows) ** 2).sum(axis=1) <= least).all()


def test_comemberships_of_equal_runs_are_met_whatever_their_labels():
    U = truth(np.random.default_rng(1), 30, 3)
    found = cc.consensus([U, U[:, ::-1], U[:, [1, 0, 2]]], loss="comembership")
    assert found.criterion == pytest.approx(0.0, abs=1e-9)
    aligned = found.alignment.partitions[0].memberships
    assert np.abs(aligned - found.partition.memberships).max() < 5e-3


def test_a_consensus_of_fewer_clusters_joins_some():
    labels = np.repeat([0, 1, 2], 10)
    found = cc.consensus([labels, labels], loss="comembership", n_clusters=2)
    assert found.partition.n_clusters == 2
    own = np.eye(3)[labels]
    joined = np.eye(2)[np.minimum(labels, 1)]
    worst = 2 * ((own @ own.T - joined @ joined.T) ** 2).sum()
    assert found.criterion <= worst + 1e-9


@pytest.mark.parametrize("loss", ["euclidean", "comembership"])
def test_a_consensus_is_nearer_to_what_was_planted_than_any_copy(loss):
    assert all(consensus_is_nearer(seed, loss, "distance") for seed in range(2))


def test_a_partition_of_no_weight_counts_nothing_and_is_relabelled():
    rng = np.random.default_rng(3)
    U = truth(rng, 30, 3)
    found = cc.consensus([U, U, U[:, [2, 0, 1]]], weights=[1, 1, 0])
    assert np.allclose(found.partition.memberships, U)
    assert found.distances == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)


def test_a_consensus_keeps_ids_and_groups_and_says_what_was_divided():
    rounded = [[0.33, 0.33, 0.33], [1.0, 0.0, 0.0]]
    P = cc.Partition(rounded, ids=["x", "y"], groups=["g", "h"])
    Q = cc.Partition([[0.3333, 0.3333, 0.3333], [1, 0, 0]])
    found = cc.consensus([P, Q])
    assert found.partition.ids.tolist() == ["x", "y"]
    assert found.partition.groups.tolist() == ["g", "h"]
    assert found.partition.memberships.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert any("sum" in remark for remark in found.partition.remarks)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"loss": "median"}, "loss must be"),
        ({"n_clusters": 2}, 'loss="euclidean" gives as many .* 3, .*"comembership"'),
        ({"n_clusters": 0}, "n_clusters must be at least 1"),
        ({"n_clusters": 2.5}, "n_clusters must be an integer"),
        ({"weights": [1]}, "weights must be one number for each of 2"),
        ({"weights": [1, -1]}, "weights must be finite and not negative"),
        ({"weights": [1e308, 1e308]}, "weights must .* add up to 1e.304 at most"),
        ({"weights": [1e308, 1e308], "loss": "vi"}, "weights must .* at most"),
        ({"weights": [0, 0]}, "not all 0"),
        ({"weights": ["a", "b"]}, "weights must be numbers"),
        ({"random_state": "x"}, "random_state"),
    ],
)
def test_wrong_settings_of_a_consensus_are_refused(settings, message):
    with pytest.raises((ValueError, TypeError), match=message):
        cc.consensus([[0, 1, 2], [0, 1, 1]], **settings)


def test_possibilistic_partitions_are_averaged_but_have_no_comemberships():
    P = cc.Partition([[0.5, 0.9], [1.0, 0.0]], kind="possibilistic")
    found = cc.consensus([P, P])
    assert found.partition.kind == "possibilistic"
    with pytest.raises(ValueError, match='1 is possibilistic; use loss="euclidean"'):
        cc.consensus([P, P], loss="comembership")


def test_overlapping_clusters_are_averaged_without_dividing_rows():
    P = cc.Partition([[1, 1], [0, 1], [0, 0]], kind="overlapping")
    Q = cc.Partition([[1, 1], [0, 1], [1, 0]], kind="overlapping")
    found = cc.consensus([P, Q]).partition
    assert found.kind == "possibilistic"
    assert found.memberships.tolist() == [[1, 1], [0, 1], [0.5, 0]]
    with pytest.raises(ValueError, match="1 is overlapping"):
        cc.consensus([P, Q], loss="comembership")


def test_overlaps_that_no_memory_holds_are_refused():
    labels = np.arange(200_000)
    with pytest.raises(MemoryError, match="200000 clusters in each of 2 partitions"):
        cc.align_clusters([labels, labels])


def test_a_consensus_prints():
    found = cc.consensus({"<a>": [0, 0, 1], "b": [1, 1, 0]})
    assert str(found).splitlines()[0] == (
        "2 partitions, 2 clusters, euclidean, criterion 0.0000"
    )
    assert "&lt;a&gt;" in found._repr_html_()
    assert "Consensus(2 partitions" in repr(found)


def test_objects_that_one_drops_are_left_out_of_all():
    runs = [cc.Partition([0, 0, 1, -1], noise="drop"), cc.Partition([0, 1, 1, 1])]
    assert cc.consensus(runs).partition.n_objects == 3
    assert len(cc.align_clusters(runs).partitions[1]) == 3


@pytest.mark.parametrize("loss", ["euclidean", "comembership"])
def test_only_the_ratios_of_weights_matter(loss):
    """Tiny ones were lost in products, and huge ones passed the largest number."""
    rng = np.random.default_rng(0)
    U = truth(rng, 20, 3)
    runs = [U, U[:, [2, 0, 1]]]
    for scale in (1e-300, 1.0, 1e300):
        found = cc.consensus(
            runs, weights=[scale, 2.0 * scale], loss=loss, random_state=0
        )
        assert found.distances == pytest.approx([0.0, 0.0], abs=1e-4)


def test_a_reference_that_is_no_name_is_refused_with_the_names():
    runs = {"a": [0, 0, 1], "b": [1, 1, 0]}
    with pytest.raises(ValueError, match="found 'c'; the names are a, b$"):
        cc.align_clusters(runs, "c")


def test_a_consensus_of_several_modes_says_so():
    rng = np.random.default_rng(9)
    U, V = truth(rng, 60, 3), truth(rng, 60, 3)
    runs = [U, V, U[:, [1, 2, 0]], V]
    for loss in ("euclidean", "comembership"):
        found = cc.consensus(runs, loss=loss, random_state=0)
        (remark,) = found.remarks
        assert remark.startswith("4 partitions fall into 2 modes: any two of a mode ag")
        assert cc.agreement(runs).modes().range in remark
        assert "agreement(partitions).modes() finds the modes" in remark
        assert remark in str(found)
    assert cc.consensus(runs, weights=[1, 0, 2, 0]).remarks == ()
    assert cc.consensus(runs[::2]).remarks == ()


def test_what_modes_are_of_many_partitions_and_objects_is_told_by_some():
    rng = np.random.default_rng(10)
    runs = [rng.integers(0, 3, 1000) for _ in range(2)] * 30
    (remark,) = cc.consensus(runs).remarks
    assert remark.startswith(
        "by 400 of the 1000 objects, 50 of the 60 partitions fall into 2 modes: any"
    )


def test_nothing_is_said_of_modes_where_aci_is_not_defined():
    cover = cc.Partition([[1, 1], [0, 1], [1, 0]], kind="overlapping")
    other = cc.Partition([[1, 0], [0, 1], [0, 1]], kind="overlapping")
    assert cc.consensus([cover, other]).remarks == ()
    assert cc.consensus([[0], [0]]).remarks == ()


@pytest.mark.parametrize("n_threads", [2, 3])
def test_threads_of_blas_change_no_bit_of_a_consensus(n_threads):
    rng = np.random.default_rng(0)
    base = rng.dirichlet(np.ones(3), 40_000)
    runs = []
    for _ in range(4):
        U = base + 0.1 * rng.random(base.shape)
        runs.append(cc.Partition(U / U.sum(axis=1, keepdims=True)))
    found = []
    for limit in (1, n_threads):
        with threadpool_limits(limit, user_api="blas"):
            found.append(cc.consensus(runs))
    assert found[0].criterion == found[1].criterion
    assert np.array_equal(found[0].distances, found[1].distances)
