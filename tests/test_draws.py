"""A crisp partition for many draws: its loss, its ball, and the similarities."""

import numpy as np
import pandas as pd
import pytest
from planted_draws import least_is_found, planted_draws, some_draws, truth_is_reached
from reference import expected_binder, expected_vi, partitions_of

import concordant as cc
from concordant.many.distinct_draws import Losses
from concordant.many.search import _Steps

CRISP = [[0, 0, 1, 1, 2], [0, 0, 1, 1, 1], [0, 0, 0, 1, 1], [1, 1, 0, 0, 2]]


def test_there_are_as_many_partitions_as_bell_says():
    assert [len({*partitions_of(n)}) for n in range(1, 8)] == [
        1,
        2,
        5,
        15,
        52,
        203,
        877,
    ]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("soft", [False, True])
def test_expected_losses_are_their_definitions(seed, soft):
    draws = some_draws(seed, soft=soft)
    for loss, naive in (("binder", expected_binder), ("vi", expected_vi)):
        if soft and loss == "vi":
            continue
        found = cc.consensus(draws, loss=loss, random_state=0)
        of_naive = naive(found.partition.labels, draws)
        assert found.expected_loss == pytest.approx(of_naive, abs=1e-12)
    found = cc.consensus(draws, loss="aci", random_state=0)
    index = cc.adjusted_concordance_index
    of_each = [1.0 - index(found.partition, draw) for draw in draws]
    assert found.distances == pytest.approx(of_each, abs=1e-9)
    assert found.expected_loss == pytest.approx(np.mean(of_each), abs=1e-9)


@pytest.mark.parametrize("loss", ["binder", "vi", "aci"])
def test_no_partition_of_a_few_objects_loses_less(loss):
    assert all(least_is_found(seed, loss) for seed in range(30))
    if loss != "vi":
        assert all(least_is_found(seed, loss, soft=True) for seed in range(10))


@pytest.mark.parametrize("loss", ["binder", "vi", "aci"])
def test_what_was_planted_is_found_or_what_loses_less(loss):
    assert all(truth_is_reached(seed, loss, n=80, B=300) for seed in range(4))


def test_clusters_are_merged_that_no_object_leaves_alone():
    halves = np.repeat([0, 1], 6)
    draws = np.repeat([np.zeros(12, dtype=int), halves], [60, 40], axis=0)
    found = cc.consensus(draws, loss="vi", draws="rows", random_state=0)
    assert found.partition.n_clusters == 1
    search = _Steps(Losses(found._draws, "vi"), 12, np.random.default_rng(0))
    state = search._losses.state(halves)
    assert np.array_equal(search._swept(state).ours, halves)
    assert search._descended(halves).max() == 0


@pytest.mark.parametrize("loss", ["binder", "vi", "aci"])
def test_the_number_of_clusters_may_be_bounded(loss):
    _, draws = planted_draws(1, n=40, B=50)
    free = cc.consensus(draws, loss=loss, draws="rows", random_state=0)
    K = free.partition.n_clusters
    assert K > 3
    losses = [free.expected_loss]
    for most in (K - 1, 2, 1):
        found = cc.consensus(
            draws, loss=loss, draws="rows", max_clusters=most, random_state=0
        )
        assert found.partition.n_clusters <= most
        losses.append(found.expected_loss)
    assert losses == sorted(losses)


@pytest.mark.parametrize("level", [0.07, 0.5, 0.95, 1.0])
@pytest.mark.parametrize("loss", ["binder", "vi", "aci"])
def test_a_ball_is_what_all_distances_say(loss, level):
    _, draws = planted_draws(2, n=30, B=100)
    found = cc.consensus(draws, loss=loss, draws="rows", random_state=0)
    naive = {
        "binder": lambda one, other: expected_binder(one, [np.eye(20)[other]]),
        "vi": lambda one, other: expected_vi(one, [np.eye(20)[other]]),
        "aci": lambda one, other: 1.0 - cc.adjusted_concordance_index(one, other),
    }[loss]
    away = [naive(found.partition.labels, draw) for draw in draws]
    assert found.distances == pytest.approx(away, abs=1e-9)
    number = {0.07: 7, 0.5: 50, 0.95: 95, 1.0: 100}[level]
    ball = found.ball(level)
    assert ball.radius == pytest.approx(sorted(away)[number - 1], abs=1e-9)
    within = [b for b in range(100) if away[b] <= ball.radius + 1e-9]
    sizes = [len({*draws[b]}) for b in within]
    assert found.n_clusters[within].tolist() == sizes
    for bound, size in ((ball.fewest, min(sizes)), (ball.most, max(sizes))):
        assert len(np.unique(bound.labels)) == size
        farthest = max(
            away[b] for b, own in zip(within, sizes, strict=True) if own == size
        )
        reached = naive(found.partition.labels, bound.labels)
        assert reached == pytest.approx(farthest, abs=1e-9)
    reached = naive(found.partition.labels, ball.farthest.labels)
    assert reached == pytest.approx(max(away[b] for b in within), abs=1e-9)


@pytest.mark.parametrize("soft", [False, True])
def test_similarities_are_shares_of_draws(soft):
    draws = some_draws(5, soft=soft)
    found = cc.consensus(draws, loss="binder", random_state=0)
    matrix = found.similarity_matrix()
    by_hand = np.mean([U @ U.T for U in draws], axis=0)
    assert matrix == pytest.approx(by_hand, abs=1e-12)
    n = len(by_hand)
    pairs = [[found.similarity(i, j) for j in range(n)] for i in range(n)]
    assert np.array(pairs) == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.parametrize("loss", ["binder", "aci"])
def test_draws_that_are_the_same_count_once_with_their_number(loss):
    rng = np.random.default_rng(0)
    soft = [*rng.dirichlet([0.5] * 3, (3, 8))]
    some = [soft[0], soft[1][:, [2, 0, 1]], soft[2], soft[1], soft[1], soft[0]]
    found = cc.consensus(some, loss=loss, random_state=0)
    assert found.n_distinct == 3
    weighted = cc.consensus(soft, loss=loss, weights=[2, 3, 1], random_state=0)
    assert found.expected_loss == pytest.approx(weighted.expected_loss, abs=1e-12)
    crisp = [[1, 1, 0, 2], ["b", "b", "x", "a"], [0, 0, 1, 1]]
    found = cc.consensus(crisp, loss=loss, random_state=0)
    assert found.n_distinct == 2
    assert found.distances[0] == found.distances[1]


def test_a_draw_of_no_weight_tells_nothing():
    draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 2, 3]]
    found = cc.consensus(draws, loss="vi", weights=[1, 1, 0], random_state=0)
    assert found.expected_loss == 0.0
    assert found.ball(1.0).radius == 0.0
    assert found.distances[2] == pytest.approx(1.0)


def test_labels_are_held_in_the_smallest_type():
    found = cc.consensus(CRISP, loss="vi")
    assert found._draws.rows.dtype == np.uint8
    assert found._draws.rows.shape == (5, found.n_distinct)


@pytest.mark.parametrize("loss", ["binder", "vi", "aci"])
@pytest.mark.parametrize(
    "draws", [[[0], [0]], [[0, 0, 0]] * 2, [[0, 1, 2]] * 2, [[0, 0, 0], [0, 1, 2]]]
)
def test_tiny_draws_have_an_estimate(loss, draws):
    found = cc.consensus(draws, loss=loss, random_state=0)
    assert 0.0 <= found.expected_loss <= 1.0
    assert found.ball().radius >= 0.0


def test_a_matrix_of_draws_is_read_by_the_axis_that_is_named():
    X = np.array(CRISP)
    by_rows = cc.consensus(X, loss="vi", draws="rows", random_state=0)
    by_columns = cc.consensus(X.T, loss="vi", draws="columns", random_state=0)
    as_list = cc.consensus(CRISP, loss="vi", random_state=0)
    assert by_rows.expected_loss == by_columns.expected_loss == as_list.expected_loss
    mean = cc.consensus(X, draws="rows").partition
    assert np.array_equal(mean, cc.consensus(CRISP).partition)
    with pytest.raises(ValueError, match="is a matrix"):
        cc.consensus(X, loss="vi")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"loss": "vi", "n_clusters": 2}, 'n_clusters is for loss="comembership"'),
        ({"max_clusters": 2}, 'max_clusters is for loss="binder", "vi" or "aci"'),
        ({"loss": "vi", "max_clusters": 0}, "max_clusters must be at least 1"),
        ({"loss": "vi", "draws": "rows"}, 'draws="rows" is for a matrix of labels'),
        ({"draws": "row"}, "draws must be"),
        ({"loss": "VI"}, "loss must be"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises((ValueError, TypeError), match=message):
        cc.consensus(CRISP, **settings)


def test_what_a_loss_is_not_defined_for_is_refused():
    soft = [[0.5, 0.5], [1.0, 0.0]]
    with pytest.raises(ValueError, match='"vi" needs crisp draws, and partition 1 is'):
        cc.consensus([soft, soft], loss="vi")
    cover = cc.Partition([[1, 1], [0, 1]], kind="overlapping")
    with pytest.raises(ValueError, match="rows that sum to 1, and partition 1 is over"):
        cc.consensus([cover, cover], loss="aci")


@pytest.mark.parametrize("level", [0.0, 1.5, "x", True, float("nan")])
def test_a_level_is_a_share(level):
    with pytest.raises(ValueError, match="level must be a number above 0"):
        cc.consensus(CRISP, loss="vi").ball(level)


def test_weights_that_are_all_the_same_change_no_ball():
    draws = np.triu(np.ones((10, 10), dtype=int))[:, :7]
    once = cc.consensus(draws, loss="vi", draws="rows", random_state=0)
    weighted = {"weights": [0.1] * 10, "draws": "rows", "random_state": 0}
    found = cc.consensus(draws, loss="vi", **weighted)
    of_once, of_found = np.sort(once.distances), np.sort(found.distances)
    for number in range(1, 11):
        assert once.ball(number / 10).radius == of_once[number - 1]
        assert found.ball(number / 10).radius == of_found[number - 1]


def test_a_matrix_asks_which_axis_holds_the_draws():
    with pytest.raises(ValueError, match='is a matrix; draws="rows" or draws="col'):
        cc.consensus(np.array(CRISP), loss="vi")
    with pytest.raises(TypeError, match=r"found ndarray of shape \(4, 3, 2\); leave"):
        cc.consensus(np.full((4, 3, 2), 0.5), loss="aci", draws="rows")


def test_draws_in_columns_of_a_frame_keep_its_ids():
    frame = pd.DataFrame(np.array(CRISP).T, index=[*"vwxyz"])
    found = cc.consensus(frame, loss="vi", draws="columns", random_state=0)
    assert found.partition.ids.tolist() == [*"vwxyz"]
    by_row = cc.consensus(frame.T, loss="vi", draws="rows", random_state=0)
    assert found.distances.tolist() == by_row.distances.tolist()


def test_labels_that_may_mark_noise_are_told_once_of_all_draws():
    draws = np.array([[-1, 0, 0, 1], [0, 0, 1, 1], [0, -1, 1, 1]])
    with pytest.warns(cc.NoiseLabelWarning, match="partition 1 and 1 other co") as told:
        cc.consensus(draws, loss="vi", draws="rows")
    assert len(told) == 1


def test_a_point_estimate_keeps_ids_and_prints():
    members = [cc.Partition(labels, ids=[*"abcde"]) for labels in CRISP]
    found = cc.consensus(members, loss="vi", random_state=0)
    assert found.partition.ids.tolist() == [*"abcde"]
    assert str(found).startswith(
        "4 draws of 5 objects, 3 different: 3 clusters, "
        "expected loss 0.4755 (VI in bits)\n"
        "  credible ball: level 0.95, radius "
    )
    assert repr(found).startswith("PointEstimate(4 draws")
    assert "<table>" in found._repr_html_()
    ball = found.ball(0.5)
    assert repr(ball) == f"CredibleBall(level 0.5, radius {ball.radius:.4f})"
    assert str(ball).splitlines()[-1].startswith("farthest")


def test_more_similarities_than_memory_holds_are_refused(monkeypatch):
    found = cc.consensus(CRISP, loss="vi")
    home = "concordant.many.point_estimate.excess"
    monkeypatch.setattr(home, lambda n_bytes: "would take too much")
    with pytest.raises(MemoryError, match=r"5 objects would .*similarity\(i, j\) is"):
        found.similarity_matrix()


def test_the_picture_has_similarities_numbers_of_clusters_and_bounds():
    _, draws = planted_draws(2, n=40, B=60)
    found = cc.consensus(draws, loss="binder", draws="rows", random_state=0)
    matrix, bars, strips, *_ = found.plot(max_objects=20).axes
    assert matrix.images[0].get_array().shape == (20, 20)
    assert "20 of 40 objects, evenly spaced" in matrix.get_xlabel()
    shares = [
        bar.get_path().get_extents(bar.get_patch_transform()).height
        for bar in bars.patches
    ]
    assert sum(shares) == pytest.approx(1.0)
    rows = [image.get_array() for image in strips.images]
    assert [row.shape[1] for row in rows] == [20] * 4
    changes = (np.diff(rows[0][0].astype(int), axis=0) != 0).any(axis=1)
    assert changes.sum() == len({*found.partition.labels.tolist()}) - 1
    soft = cc.consensus(some_draws(5, soft=True), loss="aci", random_state=0)
    assert len(soft.plot(level=0.5).axes) == 4
