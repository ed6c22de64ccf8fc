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
    return ax.images[0].get_array()


def test_the_same_cluster_has_the_same_colour_in_all_rows():
    labels = np.repeat([0, 1, 2], 4)
    figure = cc.plot.structure([labels, (labels + 1) % 3, np.minimum(labels, 1)])
    first, second, third = map(painted, figure.axes)
    assert np.array_equal(first, second)
    colors = (255.0 * mpl.colors.to_rgba_array(cluster_colors(3))).round()
    assert {tuple(row) for row in first[0]} == {tuple(color) for color in colors}
    assert np.array_equal(third[:, :4], first[:, :4])


def test_objects_stand_by_group_in_the_order_given_and_are_named():
    groups = np.array(["west"] * 20 + ["east"] * 30 + ["$n$"] * 10)
    figure = cc.plot.structure(RUNS, groups=groups)
    texts = [text.get_text() for text in figure.axes[-1].texts]
    assert texts == ["west", "east", "$n$"]
    assert not any(text.get_parse_math() for text in figure.axes[-1].texts)
    lines = figure.axes[0].collections[0].get_segments()  # type: ignore[attr-defined]
    assert [segment[0][0] for segment in lines] == [20, 50]
    assert [ax.get_ylabel() for ax in figure.axes] == [*RUNS]


def test_groups_of_the_partitions_are_taken():
    P = cc.Partition(U, groups=["a"] * 30 + ["b"] * 30)
    figure = cc.plot.structure([P, V])
    assert [text.get_text() for text in figure.axes[-1].texts] == ["a", "b"]


def test_within_a_group_the_largest_cluster_falls():
    groups = ["a"] * 30 + ["b"] * 30
    figure = cc.plot.structure([U], groups=groups)
    image = painted(figure.axes[0])
    largest = U[:30].sum(axis=0).argmax()
    color = mpl.colors.to_rgba(cluster_colors(3)[largest])
    shares = (image[:, :30] == color).all(axis=2).mean(axis=0)
    assert (np.diff(shares) <= 0.01).all()


def test_modes_and_aligned_clusters_can_be_drawn(tmp_path):
    found = cc.agreement(RUNS)
    figure = cc.plot.structure(found.modes())
    assert [ax.get_ylabel() for ax in figure.axes] == ["mode 1 (2)", "mode 2 (2)"]
    aligned = cc.align_clusters(RUNS)
    figure = cc.plot.structure(aligned)
    assert len(figure.axes) == 4
    figure.savefig(tmp_path / "bars.png")


def test_of_very_many_objects_and_groups_some_are_shown_and_that_is_said(tmp_path):
    labels = np.arange(6500) % 3
    figure = cc.plot.structure([labels, labels], groups=np.arange(6500) // 10)
    said = figure.get_supxlabel()
    assert "6,000 of 6,500 objects, evenly spaced" in said
    assert "groups is named" in said
    figure.savefig(tmp_path / "many.png", dpi=30)


def test_wrong_groups_are_refused():
    with pytest.raises(
        ValueError, match="groups has 2 groups and each partition has 60"
    ):
        cc.plot.structure(RUNS, groups=["a", "b"])


def test_names_are_moved_apart_and_stay_in_order():
    places = _apart(np.array([1.0, 1.1, 1.2, 50.0, 99.9]), 5.0, 100.0)
    assert (np.diff(places) >= 5.0 - 1e-12).all()
    assert places[0] >= 2.5
    assert places[-1] <= 97.5
    assert places[3] == 50.0


def test_modes_are_framed_in_the_heat_map():
    found = cc.agreement({**RUNS, "other": truth(RNG, 60, 3)})
    ax = found.plot()
    frames = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    assert sorted(frame.get_width() for frame in frames) == [2, 2]
    assert ax.get_title() == "ACI, 3 modes (framed)"
    places = {
        tuple(found.order[int(f.get_x() + 0.5) : int(f.get_x() + 0.5) + 2])
        for f in frames
    }
    assert {frozenset(place) for place in places} == {
        frozenset({0, 2}),
        frozenset({1, 3}),
    }
    apart = cc.agreement({"run 0": RUNS["run 0"], "run 1": RUNS["run 1"]}).plot()
    assert apart.get_title() == "ACI, 2 modes"
    ndc = cc.agreement(RUNS, index="ndc").plot()
    assert ndc.get_title() == "NDC"
    assert not ndc.patches
