"""Pictures are drawn on the axes that they are given, and say what they leave out."""

import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

import concordant as cc
import concordant.plot
from concordant.inference import concordance_test
from concordant.plot.order import common_order, evenly, matched_clusters
from concordant.plot.palette import cluster_colors
from concordant.plot.svg import inline_svgs
from concordant.report import render_report

RNG = np.random.default_rng(0)
U, V = RNG.dirichlet([1, 1, 1], size=40), RNG.dirichlet([1, 1], size=40)
LABELS = RNG.integers(3, size=40)
POSSIBILISTIC = cc.Partition(0.5 * U, kind="possibilistic")
COMPARISON = cc.compare(U, V, families="all")
TEST = concordance_test(U, V, n_permutations=99, random_state=0)

ONE_AXES = {
    "joint_density": lambda ax: concordant.plot.joint_density(U, V, ax=ax),
    "memberships": lambda ax: concordant.plot.memberships(U, ax=ax),
    "cross_table": lambda ax: concordant.plot.cross_table(U, LABELS, ax=ax),
    "families": lambda ax: concordant.plot.families(COMPARISON, ax=ax),
    "differing_objects": lambda ax: concordant.plot.differing_objects(U, V, ax=ax),
    "null_distribution": lambda ax: concordant.plot.null_distribution(TEST, ax=ax),
}

PAIRS = {
    "fuzzy, fuzzy": (U, V),
    "fuzzy, crisp": (U, LABELS),
    "crisp, crisp": (LABELS, LABELS[::-1]),
    "the same": (U, U),
    "one cluster": (np.zeros(5, int), np.arange(5)),
    "two objects": ([0, 1], [0, 0]),
    "one object": ([0], [0]),
    "equal rows": (np.full((6, 2), 0.5), np.full((6, 4), 0.25)),
    "many clusters": (RNG.dirichlet(np.ones(30), 50), np.arange(50)),
}


def words(ax):
    """Give the text on axes."""
    return " ".join(
        text.get_text() for text in ax.findobj(mpl.text.Text) if text.get_visible()
    )


@pytest.mark.parametrize("name", ONE_AXES)
def test_given_axes_are_drawn_on_and_returned(name):
    ax = Figure().subplots()
    assert ONE_AXES[name](ax) is ax
    assert ax.has_data() or ax.images


@pytest.mark.parametrize("name", ONE_AXES)
def test_new_axes_belong_to_a_figure_of_their_own(name):
    assert isinstance(ONE_AXES[name](None).get_figure(), Figure)


def run(code):
    head = "import numpy as np, concordant as cc\nimport concordant.plot as plot\n"
    head += "U = np.random.default_rng(0).dirichlet([1, 1], 20)\n"
    head += "labels = np.arange(20) % 2\n"
    subprocess.run([sys.executable, "-c", head + code], check=True)


def test_what_is_drawn_where_pyplot_is_in_use_is_open_there():
    run(
        "import matplotlib; matplotlib.use('agg')\n"
        "import matplotlib.pyplot as plt\n"
        "figure = cc.compare(U, labels).plot()\n"
        "assert plt.get_fignums() == [1] and plt.gcf() is figure\n"
        "left, right = plot.similarity_matrices(U, labels)\n"
        "assert plt.gcf() is left.figure is right.figure\n"
        "plt.close('all')\n"
        "ax = plot.memberships(U)\n"
        "assert plt.gca() is ax and plt.get_fignums() == [1]\n"
        "plt.close('all')\n"
        "left, right = plt.subplots(1, 2)[1]\n"
        "assert plot.memberships(U) is right and not left.images\n"
        "plt.sca(left)\n"
        "assert plot.cross_table(U, labels) is left\n"
    )


@pytest.mark.parametrize("name", [*ONE_AXES, "similarity_matrices", "overview"])
def test_a_notebook_shows_what_pyplot_does_not(name):
    draw = {
        "similarity_matrices": lambda _: concordant.plot.similarity_matrices(U, V),
        "overview": lambda _: COMPARISON.plot(),
    }
    shown: Any = (ONE_AXES | draw)[name](None)
    with pytest.raises(NotImplementedError):  # IPython goes on with what follows
        shown._ipython_display_()
    assert shown._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize(("backend", "shows"), [("inline", True), ("window", False)])
def test_a_notebook_shows_what_is_open_in_pyplot_once(tmp_path, backend, shows):
    # A notebook shows the last line of a cell, then all that is open; a window shows
    # what is open by itself.
    module = tmp_path / f"a_{backend}.py"
    module.write_text(
        "from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas"
    )
    run(
        f"import sys; sys.path.append({str(tmp_path)!r})\n"
        f"import matplotlib; matplotlib.use('module://a_{backend}')\n"
        "import matplotlib.pyplot as plt\n"
        "def is_shown(what):\n"
        "    try: what._ipython_display_()\n"
        "    except NotImplementedError: return True\n"
        "    return False\n"
        "for draw in (cc.compare(U, labels).plot, lambda: plot.memberships(U)):\n"
        "    drawn = draw()\n"
        f"    assert is_shown(drawn) is {shows}\n"
        f"    assert len(plt.get_fignums()) == {not shows}\n"
        "    plt.close('all')\n"
        "    assert is_shown(drawn)\n"
        "    assert drawn._repr_png_().startswith(b'\\x89PNG')\n"
    )


def test_the_two_matrices_take_two_axes():
    axes = tuple(Figure().subplots(1, 2))
    assert concordant.plot.similarity_matrices(U, V, ax=axes) == axes
    left, right = concordant.plot.similarity_matrices(U, V)
    assert left.get_figure() is right.get_figure()


def test_the_global_state_is_not_touched():
    code = (
        "import io, sys, numpy as np, matplotlib as mpl, concordant as cc\n"
        "before = mpl.rcParams.copy()\n"
        "U = np.random.default_rng(0).dirichlet([1, 1], 20)\n"
        "cc.compare(U, np.arange(20) % 2).plot().savefig(io.BytesIO())\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
        "assert mpl.rcParams.copy() == before\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", PAIRS)
def test_the_overview_can_be_drawn_of_any_two_partitions(name):
    P, Q = PAIRS[name]
    cc.compare(P, Q).plot(names=("one", "other")).draw_without_rendering()


def test_the_overview_shows_aci_the_cross_table_and_the_objects_that_differ():
    ids = [f"object {i}" for i in range(40)]
    comparison = cc.compare(cc.Partition(U, ids=ids), V)
    figure = comparison.plot(names=("$one$", "the other"), panels="all")
    figure.draw_without_rendering()
    title = f"$one$ and the other: ACI {comparison.concordance.aci:.4f}"
    assert figure.get_suptitle().startswith(title)
    shown = " ".join(words(ax) for ax in figure.axes)
    assert "clusters of the other" in shown
    worst = cc.object_discordance(U, V).largest(12)
    assert all(f"object {i}" in shown for i in worst)


def test_the_overview_of_possibilistic_partitions_leaves_similarities_out():
    figure = cc.compare(POSSIBILISTIC, LABELS).plot()
    figure.draw_without_rendering()
    assert "similarity" not in " ".join(words(ax) for ax in figure.axes)


def test_long_labels_leave_the_other_rows_of_the_overview_wide():
    figure = cc.compare(U, V).plot(panels="all")
    figure.draw_without_rendering()
    left, right = (ax.get_window_extent() for ax in figure.axes[:2])
    assert left.width + right.width > 0.75 * figure.bbox.width
    assert right.x0 - left.x1 < 0.2 * figure.bbox.width


def test_a_comparison_draws_what_was_computed_with_letters():
    def letters(figure):
        return [ax.get_title(loc="left") for ax in figure.axes]

    assert letters(COMPARISON.plot()) == ["(a)", "(b)"]
    comparison = cc.compare(U, V, test=True, interval=0.9, random_state=0)
    figure = comparison.plot()
    assert letters(figure) == ["(a)", "(b)", "(c)", "(d)"]
    assert "permutations\n(observed: " in words(figure.axes[2])
    assert "90 % interval" in words(figure.axes[3])
    axes = Figure().subplots(4)
    assert comparison.plot(ax=axes) is axes[0].figure
    assert letters(axes[0].figure) == letters(figure)
    with pytest.raises(ValueError, match="ax must be 4 axes"):
        comparison.plot(ax=axes[:2])
    with pytest.raises(ValueError, match="panels names 'null', which this comparison"):
        COMPARISON.plot(panels="null")


@pytest.mark.parametrize("n", [1, 39, 41])
def test_other_names_than_objects_are_refused(n):
    with pytest.raises(ValueError, match="names has .* for 40 objects"):
        concordant.plot.differing_objects(U, V, names=["x"] * n)


def test_results_are_drawn_on_the_axes_that_are_given():
    points = RNG.normal(size=(40, 2))
    judged = cc.validity(points, LABELS, indices=["silhouette", "pc"])
    draws = cc.consensus(RNG.integers(3, size=(9, 12)).tolist(), loss="vi")
    for result, needed in ((judged, 2), (draws, 3)):
        axes = Figure().subplots(needed)
        assert result.plot(axes) is axes[0].figure
        assert all(ax.has_data() or ax.images for ax in axes)
        with pytest.raises(ValueError, match=f"ax must be {needed} axes"):
            result.plot(axes[:1])


@pytest.mark.parametrize(
    "result",
    [
        TEST,
        cc.confidence_interval(U, V),
        cc.object_discordance(U, V),
        cc.local_concordance(U, V),
        cc.align_clusters([U, V]),
        cc.agreement([U, V]),
        cc.agreement([U, V]).modes(),
        cc.consensus([U, V]),
    ],
    ids=lambda result: type(result).__name__,
)
def test_results_draw_themselves_on_given_axes(result):
    ax = Figure().subplots()
    assert result.plot(ax) is ax
    assert ax.images or ax.patches or ax.lines


def test_only_pictures_are_listed():
    assert dir(concordant.plot) == sorted(concordant.plot.__all__)
    assert all(callable(getattr(concordant.plot, name)) for name in dir(cc.plot))


def test_a_comparison_without_its_partitions_cannot_be_drawn():
    with pytest.raises(ValueError, match="holds no partitions"):
        replace(COMPARISON, partitions=None).plot()


@pytest.mark.parametrize("draw", ["similarity_matrices", "joint_density"])
def test_similarities_of_possibilistic_partitions_are_refused(draw):
    with pytest.raises(ValueError, match="possibilistic"):
        getattr(concordant.plot, draw)(POSSIBILISTIC, LABELS)


def test_matrices_hold_similarities_in_one_order():
    left, right = concordant.plot.similarity_matrices(U, LABELS)
    order = common_order(cc.Partition(U), cc.Partition(LABELS))
    same = LABELS[order][:, None] == LABELS[order][None, :]
    assert (np.asarray(right.images[0].get_array()) == same).all()
    E = 1.0 - 0.5 * np.abs(U[order][:, None] - U[order][None]).sum(axis=2)
    np.testing.assert_allclose(np.asarray(left.images[0].get_array()), E, atol=1e-15)


def test_large_matrices_are_thinned_out_and_say_so():
    left, _ = concordant.plot.similarity_matrices(U, V, max_objects=10)
    assert left.images[0].get_array().shape == (10, 10)
    assert "10 of 40 objects, evenly spaced" in words(left)
    whole, _ = concordant.plot.similarity_matrices(U, V)
    assert "evenly" not in words(whole)


def test_the_density_of_many_pairs_is_sampled_and_says_so():
    ax = concordant.plot.joint_density(U, V, max_pairs=100, random_state=0)
    assert "100 of 780 pairs, drawn at random" in words(ax)
    assert "at random" not in words(concordant.plot.joint_density(U, V))


def test_the_density_holds_every_pair_once():
    ax = concordant.plot.joint_density(U, V)
    assert float(ax.images[0].get_array().sum()) == pytest.approx(1.0)


def test_two_crisp_partitions_have_four_shares():
    assert not concordant.plot.joint_density(U, LABELS).lines
    ax = concordant.plot.joint_density([0, 0, 1, 0], [0, 1, 1, 0])
    assert ax.lines
    shares = [text.get_text() for text in ax.texts]
    assert shares == ["33.3%", "16.7%", "33.3%", "16.7%"]


def test_many_memberships_are_thinned_out_and_say_so():
    ax = concordant.plot.memberships(U, max_objects=15)
    assert "15 of 40 objects" in words(ax)
    assert ax.images[0].get_array().shape[1] == 15


def test_each_object_is_painted_by_its_memberships():
    ax = concordant.plot.memberships(
        [[0.25, 0.75], [1.0, 0.0]], order=np.array([0, 1]), colors=["red", "blue"]
    )
    red = np.asarray(ax.images[0].get_array())[:, :, 0]
    np.testing.assert_allclose(red.mean(axis=0) / 255.0, [0.25, 1.0], atol=0.01)


def test_the_cross_table_shows_its_numbers():
    ax = concordant.plot.cross_table(LABELS, LABELS)
    counts = np.bincount(LABELS)
    shown = [text.get_text() for text in ax.texts]
    assert shown == [f"{x}" for x in np.diag(counts).ravel()]


def test_values_without_a_number_are_left_out():
    table = cc.PairTable(-5.0, 1.0, 1.0, 3.0, "anderson")
    comparison = replace(COMPARISON, tables={"anderson": table})
    ax = concordant.plot.families(comparison)
    ax.get_figure().draw_without_rendering()
    drawn = [x for line in ax.lines for x in line.get_xdata()]
    assert drawn
    assert np.isfinite(drawn).all()


def test_names_are_no_formulas():
    names = ["$x^2$", "a_b", "_c"]
    P = cc.Partition(U, clusters=names)
    ax = concordant.plot.memberships(P, name="$\\frac$")
    ax.get_figure().draw_without_rendering()
    assert "$\\frac$" in words(ax)
    for name in names:
        assert name in words(ax)
    concordant.plot.cross_table(P, P).get_figure().draw_without_rendering()


def test_objects_are_called_by_their_ids():
    P = cc.Partition([0, 0, 0, 1], ids=["a", "b", "$odd$", "d"])
    ax = concordant.plot.differing_objects(P, [0, 0, 1, 1], max_objects=1)
    ax.get_figure().draw_without_rendering()
    assert "$odd$" in words(ax)


def test_a_sample_of_partners_is_told():
    rng = np.random.default_rng(1)
    P, Q = rng.dirichlet([1, 1], 10_001), rng.dirichlet([1, 1], 10_001)
    ax = concordant.plot.differing_objects(P, Q, random_state=0)
    assert "from 2,000 others" in words(ax)


def test_the_null_distribution_has_all_permutations_and_what_was_found(monkeypatch):
    ax = concordant.plot.null_distribution(TEST)
    (bars,) = ax.patches
    assert bars.get_data().values.sum() == pytest.approx(1.0)  # type: ignore[attr-defined]
    assert [*ax.lines[1].get_xdata()] == [TEST.statistic] * 2
    low, high = ax.get_xlim()
    assert low < TEST.null_distribution.min() < TEST.null_distribution.max() < high
    monkeypatch.setattr("concordant.inference.permutation_test._SAMPLED", 100)
    sampled = concordance_test(U, V, method="sampled", n_permutations=9, random_state=0)
    ax = concordant.plot.null_distribution(sampled)
    assert "pairs, drawn at random" in words(ax)
    # All of it is of the same pairs.
    mean, found = (line.get_xdata()[0] for line in ax.lines)
    assert mean == pytest.approx(sampled.null_distribution.mean())
    assert found == sampled.sampled_statistic != sampled.statistic
    assert f"observed: {found:.4f}" in words(ax)


@pytest.mark.parametrize("P", [[0], [0, 1], [0, 0, 0, 0, 0, 0, 0, 0]])
def test_chance_that_gives_one_value_is_one_bar(P):
    (bars,) = concordant.plot.null_distribution(concordance_test(P, P)).patches
    assert [*bars.get_data().values] == [1.0]  # type: ignore[attr-defined]


def test_a_test_without_permutations_has_no_null_distribution_to_draw():
    with pytest.raises(ValueError, match="drew no permutations"):
        concordant.plot.null_distribution(concordance_test(U, V, method="normal"))


def chips(page):
    """Give the colours of the clusters of two partitions, as a report shows them."""
    lists = re.findall(r'<ul class="clusters">.*?</ul>', page, flags=re.S)[:2]
    return [re.findall(r"background:(#\w+)", text) for text in lists]


# The largest cell of their cross-table, 5, is not part of the best matching, 4 + 4.
BEST_IS_NOT_GREEDY = [0] * 9 + [1] * 4, [0] * 5 + [1] * 4 + [0] * 4


@pytest.mark.parametrize(
    ("P", "Q"), [BEST_IS_NOT_GREEDY, (U, V), (V, U), (U, LABELS), (LABELS, U)]
)
def test_matched_clusters_have_one_colour_in_the_overview_and_the_report(P, Q):
    found = cc.match_clusters(P, Q)
    legend = cc.compare(P, Q).plot().axes[0].get_legend()
    pairs = [*zip(found.clusters_p, found.clusters_q, strict=True)]
    alone = [
        *({*range(cc.Partition(P).n_clusters)} - {*found.clusters_p}),
        *({*range(cc.Partition(Q).n_clusters)} - {*found.clusters_q}),
    ]
    shown = [f"{p}" if p == q else f"{p} / {q}" for p, q in pairs]
    shown += [f"{k}" for k in alone]
    assert sorted(text.get_text() for text in legend.get_texts()) == sorted(shown)
    of_p, of_q = chips(render_report(P, Q))
    # Clusters of Q stand in the order of those that they match, then the others.
    matched = sorted(found.clusters_p)
    for k, color in enumerate(of_q):
        same = [color == other for other in of_p]
        partner = matched[k] if k < len(matched) else None
        assert same == [partner == other for other in range(len(of_p))]
    aligned = cc.align_clusters([P, Q])
    columns = {tuple(column) for column in zip(*aligned.orders, strict=True)}
    assert columns >= {*zip(found.clusters_p, found.clusters_q, strict=True)}


def test_clusters_without_a_partner_have_numbers_of_their_own():
    labels = np.repeat([0, 1, 2], [5, 4, 3])
    P, Q = cc.Partition(labels), cc.Partition((labels + 1) % 3)
    assert matched_clusters(P, Q).tolist() == [2, 0, 1]
    finer = matched_clusters(P, cc.Partition(np.arange(12)))
    assert sorted(finer) == [*range(12)]


def test_very_many_clusters_are_not_matched():
    P, Q = cc.Partition(np.arange(1001)), cc.Partition(np.arange(1001)[::-1])
    assert matched_clusters(P, Q).tolist() == [*range(1001)]


@pytest.mark.parametrize("count", [1, 10, 11, 40, 300])
def test_clusters_have_different_colours(count):
    assert len({*cluster_colors(count)}) == count


# What protanopes, deuteranopes and tritanopes see of linear red, green and blue
# (Machado, Oliveira and Fernandes 2009, https://doi.org/10.1109/TVCG.2009.113).
SEEN = {
    "all": np.eye(3),
    "no red": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "no green": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "no blue": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


def distances_of_colours(colors, seen):
    """Give the distances of colours in CIELAB, where 2.3 is just noticeable."""
    rgb = np.array([mpl.colors.to_rgb(color) for color in colors])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = (linear @ np.transpose(seen)).clip(0.0, 1.0) @ np.transpose(XYZ)
    t = xyz / np.sum(XYZ, axis=1)
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = f.T
    lab = np.stack([116 * y, 500 * (x - y), 200 * (y - z)], axis=1)
    pairs = np.triu_indices(len(colors), 1)
    return np.linalg.norm(lab[pairs[0]] - lab[pairs[1]], axis=1)


@pytest.mark.parametrize("seen", SEEN)
def test_ten_clusters_can_be_told_apart_with_any_colour_vision(seen):
    assert distances_of_colours(cluster_colors(10), SEEN[seen]).min() > 15.0
    # What has a legend, and more, is at least seen to differ.
    assert distances_of_colours(cluster_colors(12), SEEN[seen]).min() > 10.0
    assert distances_of_colours(cluster_colors(30), SEEN[seen]).min() > 5.0


def test_long_names_cover_no_letter_of_the_overview():
    names = tuple(f"a rather long name of a data set, {which}" for which in "AB")
    figure = cc.compare(U, V, names=names).plot(panels=["similarity"])
    figure.draw_without_rendering()
    for ax, which in zip(figure.axes[:2], "AB", strict=True):
        letter, title = ax._left_title, ax.title  # type: ignore[attr-defined]
        assert title.get_text().endswith(which)
        assert letter.get_window_extent().x1 < title.get_window_extent().x0


def test_a_cross_table_has_long_names_of_partitions_on_lines_of_their_own():
    names = ("memberships of the first run", "memberships of the second run")
    ax = concordant.plot.cross_table(U, LABELS, names=names)
    assert ax.get_ylabel() == f"clusters of\n{names[0]}"
    assert ax.get_xlabel() == f"clusters of\n{names[1]}"


def test_numbers_and_names_of_a_cross_table_stay_apart():
    rng = np.random.default_rng(0)
    P = rng.dirichlet(np.ones(12), size=5000)
    Q = [f"the cluster of a long name {i}" for i in rng.integers(12, size=5000)]
    figure = Figure(figsize=(5.5, 4.0), layout="constrained")
    ax = concordant.plot.cross_table(P, Q, ax=figure.subplots())
    figure.draw_without_rendering()
    columns = [label.get_text() for label in ax.get_xticklabels()]
    assert {*columns} == {f"{i}" for i in range(12)}
    for row in ([*ax.texts[:12]], ax.get_xticklabels(), ax.get_yticklabels()):
        boxes = [text.get_window_extent() for text in row]
        assert not any(a.overlaps(b) for a, b in pairwise(boxes))


def test_objects_are_taken_evenly():
    taken, remark = evenly(np.arange(10), 5)
    assert taken.tolist() == [1, 3, 5, 7, 9]
    assert remark == "5 of 10 objects, evenly spaced"
    taken, remark = evenly(np.arange(3), 5)
    assert taken.tolist() == [0, 1, 2]
    assert not remark


def test_svg_keeps_text_and_has_ids_of_its_own():
    odd = 'id="x" url(#y) href="#z" #fedcba <b>'

    def draw(*figures):
        for figure in figures:
            ax = figure.subplots()
            ax.set_title(odd)
            ax.imshow([[0.0, 1.0]])

    first, second = inline_svgs(draw, key="k", labels=["a & b", "c"])
    assert 'id="x" url(#y) href="#z" #fedcba &lt;b&gt;</text>' in first
    assert 'aria-label="a &amp; b"' in first
    assert 'id="k-0-axes_1"' in first
    assert 'id="k-1-axes_1"' in second
    assert "currentColor" in first
    assert "<metadata" not in first
    assert "<style" not in first


def test_svg_does_not_depend_on_the_style_at_hand():
    def draw(figure):
        figure.subplots().set_title("x")

    plain = inline_svgs(draw, key="k", labels=["a"])
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red"}):
        assert inline_svgs(draw, key="k", labels=["a"]) == plain
