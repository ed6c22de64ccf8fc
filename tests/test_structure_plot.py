"""Pictures of many partitions: the structure plot, and the heat map with modes."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.patches import Rectangle
from planted import copy_of, truth

import concordant as cc
from concordant.plot.palette import cluster_colors
from concordant.plot.stacks import _apart

RNG = np.random.default_rng(0)
U, V = truth(RNG, 60, 3), truth(RNG, 60, 4)
RUNS = {
    f"run {i}": copy_of(RNG, W, 0.2, "dirichlet") for i, W in enumerate((U, V, U, V))
}


def painted(ax):
    """Give the bars of each row, from the top to the bottom."""
    return [image.get_array() for image in ax.images]


def rows_of(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_the_same_cluster_has_the_same_colour_in_all_rows():
    labels = np.repeat([0, 1, 2], 4)
    ax = cc.plot.structure([labels, (labels + 1) % 3, np.minimum(labels, 1)])
    first, second, third = painted(ax)
    assert np.array_equal(first, second)
    colors = (255.0 * mpl.colors.to_rgba_array(cluster_colors(3))).round()
    assert {tuple(row) for row in first[0]} == {tuple(color) for color in colors}
    assert np.array_equal(third[:, :4], first[:, :4])


def test_objects_stand_by_group_in_the_order_given_and_are_named():
    groups = np.array(["west"] * 20 + ["east"] * 30 + ["$n$"] * 10)
    ax = cc.plot.structure(RUNS, groups=groups)
    texts = [text.get_text() for text in ax.texts]
    assert texts == ["west", "east", "$n$"]
    assert not any(text.get_parse_math() for text in ax.texts)
    lines = ax.collections[0].get_segments()  # type: ignore[attr-defined]
    assert [segment[0][0] for segment in lines] == [20, 50]
    assert rows_of(ax) == [*RUNS]


def test_groups_of_the_partitions_are_taken():
    P = cc.Partition(U, groups=["a"] * 30 + ["b"] * 30)
    ax = cc.plot.structure([P, V])
    assert [text.get_text() for text in ax.texts] == ["a", "b"]


def test_within_a_group_the_largest_cluster_falls():
    groups = ["a"] * 30 + ["b"] * 30
    ax = cc.plot.structure([U], groups=groups)
    (image,) = painted(ax)
    largest = U[:30].sum(axis=0).argmax()
    color = mpl.colors.to_rgba(cluster_colors(3)[largest])
    shares = (image[:, :30] == color).all(axis=2).mean(axis=0)
    assert (np.diff(shares) <= 0.01).all()


def test_modes_and_aligned_clusters_can_be_drawn(tmp_path):
    found = cc.agreement(RUNS)
    ax = cc.plot.structure(found.modes(0.5))
    assert rows_of(ax) == ["mode 1:\n2 runs, K = 3", "mode 2:\n2 runs, K = 4"]
    aligned = cc.align_clusters(RUNS)
    ax = cc.plot.structure(aligned)
    assert len(painted(ax)) == 4
    ax.figure.savefig(tmp_path / "bars.png")


def test_of_very_many_objects_and_groups_some_are_shown_and_that_is_said(tmp_path):
    labels = np.arange(6500) % 3
    ax = cc.plot.structure([labels, labels], groups=np.arange(6500) // 10)
    said = ax.get_xlabel()
    assert "6,000 of 6,500 objects, evenly spaced" in said
    assert "groups is named" in said
    ax.figure.savefig(tmp_path / "many.png", dpi=30)


def test_wrong_groups_are_refused():
    with pytest.raises(
        ValueError, match="groups has 2 groups and each partition has 60"
    ):
        cc.plot.structure(RUNS, groups=["a", "b"])


def test_the_order_of_groups_and_of_objects_can_be_given():
    groups = ["west"] * 20 + ["east"] * 40
    ax = cc.plot.structure(RUNS, groups=groups, order=["east", "west"])
    assert [text.get_text() for text in ax.texts] == ["east", "west"]
    ids = [f"object {i}" for i in range(60)]
    P = cc.Partition(np.arange(60) % 3, ids=ids)
    (turned,) = painted(cc.plot.structure([P], order=ids[::-1], colors=["r", "g", "b"]))
    (bars,) = painted(cc.plot.structure([P], order=ids, colors=["r", "g", "b"]))
    assert np.array_equal(turned, bars[:, ::-1])
    positions = range(59, -1, -1)
    (by_position,) = painted(
        cc.plot.structure([P.labels], order=positions, colors=["r", "g", "b"])
    )
    assert np.array_equal(by_position, turned)


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["east"], "order must name each group once, and west is missing"),
        (["east", "west", "east"], "must name each group once, and one is there twice"),
        (["east", "north"], "order names north, which is no group; there are west, ea"),
    ],
)
def test_an_order_that_does_not_name_each_group_once_is_refused(order, message):
    groups = ["west"] * 20 + ["east"] * 40
    with pytest.raises(ValueError, match=message):
        cc.plot.structure(RUNS, groups=groups, order=order)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["one"], "names has 1 name for 4 partitions"),
        (["one"] * 4, "names must be distinct, found 'one' twice"),
    ],
)
def test_rows_that_are_not_named_once_each_are_refused(names, message):
    aligned = cc.align_clusters(RUNS)
    for drawn in (aligned, cc.agreement(RUNS).modes(threshold=1.0)):
        with pytest.raises(ValueError, match=message):
            cc.plot.structure(drawn, names=names)


def test_the_remark_on_names_that_are_left_out_stands_below_the_others():
    groups = [f"POPULATION {i // 2}" for i in range(60)]
    figure = mpl.figure.Figure(figsize=(3.3, 3.0), layout="constrained")
    ax = cc.plot.structure(RUNS, groups=groups, ax=figure.subplots())
    figure.draw_without_rendering()
    said = ax.xaxis.label.get_window_extent()
    assert "groups is named" in ax.get_xlabel()
    assert not any(text.get_window_extent().overlaps(said) for text in ax.texts)


def test_names_are_moved_apart_and_stay_in_order():
    places = _apart(np.array([1.0, 1.1, 1.2, 50.0, 99.9]), 5.0, 100.0)
    assert (np.diff(places) >= 5.0 - 1e-12).all()
    assert places[0] >= 2.5
    assert places[-1] <= 97.5
    assert places[3] == 50.0


def test_modes_are_framed_in_the_heat_map():
    found = cc.agreement({**RUNS, "other": truth(RNG, 60, 3)})
    ax = found.plot(threshold=0.5)
    frames = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    assert sorted(frame.get_width() for frame in frames) == [2, 2]
    assert ax.get_title().splitlines() == [
        "ACI, 3 modes (framed)",
        "any two of a mode agree with ACI of at least 0.5",
    ]
    places = {
        tuple(found.order[int(f.get_x() + 0.5) : int(f.get_x() + 0.5) + 2])
        for f in frames
    }
    assert {frozenset(place) for place in places} == {
        frozenset({0, 2}),
        frozenset({1, 3}),
    }
    apart = cc.agreement({"run 0": RUNS["run 0"], "run 1": RUNS["run 1"]}).plot()
    assert apart.get_title().startswith("ACI, 2 modes\n")
    ndc = cc.agreement(RUNS, index="ndc").plot()
    assert ndc.get_title().startswith("NDC, 4 modes\n")
