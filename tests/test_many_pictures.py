"""Pictures of many partitions can be read, whatever their number and names."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.text import Text

import concordant as cc
from concordant.plot.many import (
    agreement_heat_map,
    beside,
    in_the_plane,
    many_partitions,
    partition_map,
)
from concordant.plot.words import labels_of
from concordant.printing import printed


def distances_of(points):
    return np.linalg.norm(points[:, None] - points[None, :], axis=2)


def agreement_of(values, names):
    partitions = (cc.Partition([0, 1]),) * len(names)
    return cc.Agreement(values, 0.0 * values, tuple(names), "aci", partitions)


def test_points_of_the_plane_are_found_again():
    points = np.random.default_rng(0).normal(size=(9, 2))
    found, share = in_the_plane(distances_of(points))
    np.testing.assert_allclose(distances_of(found), distances_of(points), atol=1e-12)
    assert share == pytest.approx(1.0)
    np.testing.assert_allclose(found.mean(axis=0), 0.0, atol=1e-12)


def test_points_of_space_are_shown_in_part():
    points = np.random.default_rng(0).normal(size=(9, 3))
    _, share = in_the_plane(distances_of(points))
    assert 0.0 < share < 1.0


@pytest.mark.parametrize("k", [1, 2, 3])
def test_equal_partitions_are_one_point(k):
    points, share = in_the_plane(np.zeros((k, k)))
    assert not points.any()
    assert share == 1.0


def test_neighbours_in_the_heat_map_are_similar():
    positions = np.array([5.0, 1.0, 4.0, 2.0, 3.0])
    distances = np.abs(positions[:, None] - positions)
    ax = agreement_heat_map(agreement_of(1.0 - distances, "51423"))
    shown = [label.get_text() for label in ax.get_yticklabels()]
    assert shown in ([*"12345"], [*"54321"])


def test_pictures_are_drawn_on_given_axes_or_new_ones():
    values = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.1], [0.2, 0.1, 1.0]])
    left, right = Figure().subplots(1, 2)
    assert agreement_heat_map(agreement_of(values, "abc"), ax=left) is left
    assert partition_map(1.0 - values, "abc", ax=right) is right
    assert [label.get_text() for label in left.get_xticklabels()] in (
        [*"cab"],
        [*"bac"],
    )
    assert agreement_heat_map(agreement_of(values, "abc")) is not left
    assert partition_map(1.0 - values, "abc") is not right


def test_partitions_at_the_same_place_share_a_label():
    ax = partition_map(
        np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0.0]]), "abc", ax=Figure().subplots()
    )
    assert sorted(text.get_text() for text in ax.texts) == ["a\nb", "c"]


def test_labels_cover_neither_points_nor_one_another():
    points = np.random.default_rng(0).normal(size=(30, 2))
    size, gap = np.array([0.8, 0.1]), 0.02
    places = beside(points, np.tile(size, (30, 1)), gap)
    middles = places + np.array([size[0] / 2.0, 0.0])
    for i, j in itertools.combinations(range(30), 2):
        assert (np.abs(middles[i] - middles[j]) >= size - 1e-9).any()
    for i, j in itertools.permutations(range(30), 2):
        assert (np.abs(middles[i] - points[j]) >= size / 2.0 - 1e-9).any()


def test_labels_do_not_wander_without_need():
    points = 100.0 * np.random.default_rng(0).normal(size=(30, 2))
    places = beside(points, np.tile([0.8, 0.1], (30, 1)), 0.02)
    np.testing.assert_array_equal(places, points + np.array([0.02, 0.0]))


def distances_of_drawn(k):
    distances = distances_of(np.random.default_rng(0).normal(size=(k, 3)))
    return distances / (2.0 * distances.max())


def drawn(k, names):
    distances = distances_of_drawn(k)
    figure = many_partitions(agreement_of(1.0 - 2.0 * distances, names), distances)
    figure.draw_without_rendering()
    return figure


def texts_of(ax):
    """Give what is written; ticks outside the axes are not."""
    yield from (text for text in (ax.title, *ax.texts) if text.get_text())
    for axis, (low, high) in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
        if axis.label.get_text():
            yield axis.label
        low, high = sorted((low, high))
        for place, text in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True):
            if low <= place <= high and text.get_text():
                yield text


@pytest.mark.parametrize("k", [2, 3, 13])
def test_equal_partitions_are_drawn(k):
    names = [f"partition {i}" for i in range(k)]
    same = agreement_of(np.ones((k, k)), names)
    many_partitions(same, np.zeros((k, k))).draw_without_rendering()


LONG_NAMES = "results/of/a/long/study/fcm_m_{}.{}_seed_{:03d}_memberships.csv"


@pytest.mark.parametrize("k", [2, 3, 12, 40])
@pytest.mark.parametrize("form", ["P{2}", LONG_NAMES])
def test_no_text_leaves_the_picture_or_covers_another(k, form):
    figure = drawn(k, [form.format(1 + i // 7, i % 7, i) for i in range(k)])
    for ax in figure.axes:
        # Of annotations without their lines.
        boxes = [Text.get_window_extent(text) for text in texts_of(ax)]
        for box in boxes:
            assert figure.bbox.x0 <= box.x0
            assert box.x1 <= figure.bbox.x1
            assert figure.bbox.y0 <= box.y0
            assert box.y1 <= figure.bbox.y1
        for one, other in itertools.combinations(boxes, 2):
            width = min(one.x1, other.x1) - max(one.x0, other.x0)
            height = min(one.y1, other.y1) - max(one.y0, other.y0)
            assert min(width, height) <= 1.0  # a pixel


def test_numbers_are_written_where_they_fit():
    def numbers(k):
        texts = drawn(k, [f"P{i}" for i in range(k)]).axes[0].texts
        return sum(
            "." in text.get_text() and len(text.get_text()) < 6 for text in texts
        )

    assert numbers(12) == 144
    assert numbers(40) == 0


def test_numbers_stand_for_the_same_partitions_everywhere():
    k = 13
    names = [LONG_NAMES.format(1, 0, i) for i in range(k)]
    figure = drawn(k, names)
    heat_map, plane = figure.axes[:2]
    texts = (label.get_text() for label in heat_map.get_yticklabels())
    rows = [re.fullmatch(r"(.*) \((.*)\)", text).groups() for text in texts]
    assert all(int(name) + 1 == int(number) for name, number in rows)
    columns = [label.get_text() for label in heat_map.get_xticklabels()]
    assert columns == [number for _, number in rows]
    points, _ = in_the_plane(distances_of_drawn(k))
    for text in plane.texts:
        np.testing.assert_allclose(text.xy, points[int(text.get_text()) - 1], atol=1e-5)


def test_the_tree_joins_the_rows_of_the_heat_map():
    ax = drawn(5, "abcde").axes[0]
    assert len(ax.lines) == 4
    leaves = {y for line in ax.lines for y in line.get_ydata() if y == round(y)}
    assert leaves >= {0.0, 1.0, 2.0, 3.0, 4.0}
    assert ax.get_xlim()[1] > max(x for line in ax.lines for x in line.get_xdata())


@pytest.mark.parametrize(
    ("names", "texts"),
    [
        (["P.csv", "Q.csv"], ["P.csv", "Q.csv"]),
        (["runs/one_01.csv", "runs/one_02.csv"], ["01", "02"]),
        (["m_1.1_of_many", "m_1.2_of_many"], ["1.1", "1.2"]),
        (["clusters_abc", "clusters_abcd"], ["abc", "abcd"]),
        (["a/long/name.csv"] * 2, ["a/long/name.csv"] * 2),
        (["a_long_name_x", "a_long_name_"], ["name_x", "name_"]),
        (["one partition"], ["one partition"]),
    ],
)
def test_names_are_shortened_to_what_tells_them_apart(names, texts):
    assert labels_of(names) == texts


@given(st.lists(st.text(max_size=60), min_size=1, max_size=6))
def test_shortened_names_are_as_different_as_the_names(names):
    labels = labels_of(names)
    whole = [printed(name) for name in names]
    assert len({*labels}) == len({*whole})
    for text, name in zip(labels, whole, strict=True):
        front, _, back = text.partition("\N{HORIZONTAL ELLIPSIS}")
        assert front in name
        assert back in name
