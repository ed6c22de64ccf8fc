"""All pairs of many partitions: the numbers of each pair, computed together."""

from itertools import combinations, pairwise, permutations

import numpy as np
import pandas as pd
import pytest
from partitions import memberships

import concordant as cc
from concordant.many import every_pair
from concordant.partition.noise import NoiseLabelWarning

STYLES = ("dirichlet", "crisp", "rounded", "near-crisp", "sparse", "duplicated")


def drawn(n, seed=0, styles=STYLES):
    rng = np.random.default_rng(seed)
    return [memberships(rng, n, int(rng.integers(2, 5)), style) for style in styles]


@pytest.mark.parametrize("n", [2, 30, 470])
def test_each_pair_has_the_bits_of_concordance(n):
    runs = drawn(n)
    found = cc.agreement(runs)
    for i, j in combinations(range(len(runs)), 2):
        exactly = cc.concordance(runs[i], runs[j])
        assert found.values[i, j] == found.values[j, i] == exactly.aci
        assert found.errors[i, j] == found.errors[j, i] == exactly.error
    assert (found.values.diagonal() == 1.0).all()
    assert (found.errors.diagonal() == 0.0).all()


@pytest.mark.parametrize("n", [30, 470])
def test_objects_that_are_all_alike_have_the_errors_of_concordance(n):
    thirds = np.full((n, 3), 1.0 / 3.0)
    nearly = thirds + np.random.default_rng(0).normal(size=(n, 1)) * [1e-16, -1e-16, 0]
    runs = [thirds, nearly, np.tile([0.5, 0.25, 0.25], (n, 1))]
    found = cc.agreement(runs)
    for i, j in combinations(range(3), 2):
        exactly = cc.concordance(runs[i], runs[j])
        assert (found.values[i, j], found.errors[i, j]) == (exactly.aci, exactly.error)
    assert (found.values[0, 2], found.errors[0, 2]) == (1.0, 0.0)


@pytest.mark.parametrize("index", ["ndc", "expected", "nmi", "rand", "jaccard"])
@pytest.mark.parametrize("n", [25, 460])
def test_any_index_is_that_of_compare(index, n):
    runs = drawn(n, styles=STYLES[:3])
    found = cc.agreement(runs, index=index)
    family = (
        {} if index in ("ndc", "expected", "nmi") else {"families": ["huellermeier"]}
    )
    for i, j in combinations(range(3), 2):
        t_norm = {"t_norm": "product"} if family else {}
        pair = cc.compare(runs[i], runs[j], indices=[index], **family, **t_norm)
        assert found.values[i, j] == pytest.approx(next(iter(dict(pair).values())))


@pytest.mark.parametrize("n", [40, 500])
def test_threads_change_no_bit(n):
    runs = drawn(n)
    one, two = cc.agreement(runs, n_jobs=1), cc.agreement(runs, n_jobs=2)
    assert np.array_equal(one.values, two.values)
    assert np.array_equal(one.errors, two.errors)


@pytest.mark.parametrize("n", [31, 460])
def test_groups_of_partitions_and_how_they_are_merged_change_no_bit(n, monkeypatch):
    runs = drawn(n)
    together = cc.agreement(runs)
    monkeypatch.setattr(every_pair, "_TOGETHER", 2)
    monkeypatch.setattr(every_pair, "_MANY", 0)
    apart = cc.agreement(runs)
    assert np.array_equal(together.values, apart.values)
    assert np.array_equal(together.errors, apart.errors)


@pytest.mark.parametrize("index", ["aci", "ndc", "adjusted_rand", "gri", "fari", "vi"])
@pytest.mark.parametrize("n", [2, 40, 300])
@pytest.mark.parametrize("options", [{}, {"similarity": "inner"}])
def test_pairs_of_labels_have_the_numbers_of_compare(index, options, n):
    options = options if index in ("aci", "ndc") else {}
    rng = np.random.default_rng(5)
    runs = [rng.integers(0, K, n) for K in (1, 2, 2, 5, n - 1)] + [np.arange(n)]
    found = cc.agreement(runs, index=index, **options)
    for i, j in combinations(range(len(runs)), 2):
        pair = cc.compare(runs[i], runs[j], indices=[index], **options)
        score = next(iter(pair.scores.values()))
        assert (found.values[i, j], found.errors[i, j]) == score


def test_crowded_values_are_counted_on_finer_grids_as_for_two():
    rng = np.random.default_rng(1)
    runs = [
        memberships(rng, 460, 3, style) for style in ("close", "near-crisp", "close")
    ]
    found = cc.agreement(runs)
    for i, j in combinations(range(3), 2):
        exactly = cc.concordance(runs[i], runs[j])
        assert (found.values[i, j], found.errors[i, j]) == (exactly.aci, exactly.error)


def test_the_inner_product_is_another_similarity():
    runs = drawn(30, styles=("dirichlet", "dirichlet"))
    by_l1, by_inner = (cc.agreement(runs, similarity=s) for s in ("l1", "inner"))
    U, V = runs
    upper = np.triu_indices(30, 1)
    x, y = (U @ U.T)[upper], (V @ V.T)[upper]
    expected = np.abs(x[:, None] - y[None, :]).mean()
    assert by_inner.values[0, 1] == pytest.approx(1 - np.abs(x - y).mean() / expected)
    assert by_l1.values[0, 1] != by_inner.values[0, 1]


@pytest.mark.parametrize(
    ("null", "n"),
    [
        ("dirichlet-fitted-one-sided", 30),
        pytest.param("dirichlet-fitted-one-sided", 460, marks=pytest.mark.long),
        pytest.param("dirichlet-flat", 30, marks=pytest.mark.long),
        pytest.param("dirichlet-flat", 460, marks=pytest.mark.long),
    ],
)
def test_each_pair_has_its_value_under_another_model_of_chance(null, n):
    rng = np.random.default_rng(2)
    runs = [
        rng.dirichlet([1.0] * 3, n),
        rng.dirichlet([0.5] * 2, n),
        [0, 1, 2] * (n // 3),
    ]
    runs[2] += [0] * (n % 3)
    found = cc.agreement(runs, null=null)
    for i, j in permutations(range(3), 2):
        exactly = cc.concordance(runs[i], runs[j], null=null)
        assert (found.values[i, j], found.errors[i, j]) == (exactly.aci, exactly.error)
    assert (found.null, *found.values.diagonal()) == (null, 1.0, 1.0, 1.0)
    others = found.values[~np.eye(3, dtype=bool)]
    title = f"ACI from {others.min():z.4f} to {others.max():z.4f}, null {null}"
    assert title in str(found)
    assert found.plot().get_title().startswith("ACI, 3 modes\n")


def test_a_mapping_a_frame_and_files_name_the_partitions(tmp_path):
    labels = {"km": [0, 0, 1, 1, 2], "gmm": [0, 1, 1, 1, 2], "fcm": [1, 1, 0, 0, 0]}
    by_mapping = cc.agreement(labels)
    by_frame = cc.agreement(pd.DataFrame(labels))
    paths = []
    for name, column in labels.items():
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text("label\n" + "\n".join(map(str, column)) + "\n")
    by_file = cc.agreement(paths)
    by_name = cc.agreement([*labels.values()], names=[*labels])
    assert by_mapping.names == by_frame.names == by_name.names == tuple(labels)
    assert by_file.names == tuple(map(str, paths))
    for other in (by_frame, by_file, by_name):
        assert np.array_equal(other.values, by_mapping.values)
    assert cc.agreement([*labels.values()]).names == ("1", "2", "3")


def test_a_file_of_several_runs_is_many_partitions(tmp_path):
    path = tmp_path / "runs.txt"
    path.write_text("1: .9 .1 1\n2: .2 .8 1\n\n1: .1 .9 1\n2: 1 0 1\n")
    found = cc.agreement(path)
    assert found.names == (f"{path}#1", f"{path}#2")
    by_run = [cc.read_partition(path, run=run) for run in (1, 2)]
    assert found.values[0, 1] == cc.concordance(*by_run).aci


def test_objects_are_matched_by_id():
    runs = drawn(20, styles=("dirichlet", "rounded", "crisp"))
    ids = np.array([f"o{i}" for i in range(20)])
    rng = np.random.default_rng(0)
    shuffled = []
    for run in runs:
        order = rng.permutation(20)
        shuffled.append(cc.Partition(run[order], ids=ids[order]))
    found = cc.agreement(shuffled, match_by="id")
    assert found.values == pytest.approx(cc.agreement(runs).values, abs=1e-13)
    with pytest.raises(
        ValueError,
        match='^partition 1 and partition 2 have different ids, .* match_by="id"',
    ):
        cc.agreement(shuffled)
    first = cc.Partition(runs[0])  # which has no ids, and still the others must agree
    with pytest.raises(
        ValueError, match="^partition 2 and partition 3 have different ids"
    ):
        cc.agreement([first, *shuffled[1:]])


def test_each_pair_is_compared_on_what_both_keep():
    rng = np.random.default_rng(3)
    labels = rng.integers(-1, 3, size=(3, 40))
    runs = [cc.Partition(each, noise="drop") for each in labels]
    runs.append(cc.Partition(memberships(rng, 40, 3, "dirichlet")))
    found = cc.agreement(runs)
    for i, j in combinations(range(4), 2):
        assert found.values[i, j] == cc.concordance(runs[i], runs[j]).aci


@pytest.mark.parametrize("n", [30, 500])
def test_interrupted_work_goes_on_with_the_same_result(n, tmp_path, monkeypatch):
    runs = drawn(n)
    whole = cc.agreement(runs)
    path = tmp_path / "kept"
    n_calls = 0

    def interrupt(done, total, estimate):
        nonlocal n_calls
        n_calls += 1
        if n_calls == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("concordant.execution.progress._INTERVAL", 0.0)
    monkeypatch.setattr(every_pair, "_TOGETHER", 2)
    with pytest.raises(KeyboardInterrupt):
        cc.agreement(runs, checkpoint=path, progress=interrupt)
    resumed = cc.agreement(runs, checkpoint=path)
    again = cc.agreement(runs, checkpoint=path)
    for found in (resumed, again):
        assert np.array_equal(found.values, whole.values)
        assert np.array_equal(found.errors, whole.errors)
    with pytest.raises(ValueError, match="a checkpoint of other data"):
        cc.agreement(runs[::-1], checkpoint=path)


def test_a_checkpoint_knows_which_objects_are_matched(tmp_path):
    labels = [[0, 0, 1, 1, -1, 0], [0, 1, -1, 1, 1, 0]]
    runs = [cc.Partition(each, noise="drop") for each in labels]
    cc.agreement(runs, checkpoint=tmp_path / "kept")
    other = [cc.Partition([-1, 0, 0, 1, 1, 0], noise="drop"), runs[1]]
    found = cc.agreement(other, checkpoint=tmp_path / "kept")
    assert found.values[0, 1] == cc.concordance(*other).aci


@pytest.mark.parametrize("n", [30, 500])
def test_progress_counts_pairs_of_partitions(n, monkeypatch):
    monkeypatch.setattr("concordant.execution.progress._INTERVAL", 0.0)
    told = []
    cc.agreement(drawn(n), progress=lambda *what: told.append(what))
    assert told[-1] == (15, 15, None)
    assert all(a[0] <= b[0] for a, b in pairwise(told))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[0, 1, 1]], "partitions must hold at least 2 partitions, found 1"),
        ([], "partitions must hold at least 2 partitions, found 0"),
        ("nowhere.csv", "nowhere.csv"),
        (b"runs", "partitions must be a list or a mapping .* found bytes"),
        (cc.Partition([0, 1]), "partitions must be a list or a mapping"),
        (7, "partitions must be a list or a mapping .* found int"),
        (np.eye(3), "is a matrix, .* list\\(X\\) .* list\\(X.T\\)"),
        ([[0, 1], [0, 1, 1]], "partition 1 has 2 objects and partition 2 has 3"),
        ({"a": [0, 1], "b": [[0.5, 0.6], [1, 0]]}, "row.* of b"),
    ],
)
def test_what_is_no_set_of_partitions_is_refused(given, message):
    with pytest.raises((ValueError, TypeError), match=message):
        cc.agreement(given)


def test_wrong_settings_are_refused():
    runs = [[0, 1], [0, 1]]
    for settings, message in (
        ({"index": "acl"}, "index must be"),
        ({"similarity": "l2"}, "similarity must be"),
        ({"null": "chance"}, "null must be"),
        ({"index": "ndc", "null": "dirichlet-flat"}, "null is for"),
        ({"names": ["a"]}, "names has 1 name for 2 partitions"),
        ({"names": {"a", "b"}}, "names must be a list"),
        ({"match_by": "row"}, "match_by must be"),
        ({"n_jobs": 0}, "n_jobs must not be 0"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            cc.agreement(runs, **settings)


def test_the_partition_that_cannot_be_compared_is_named():
    runs = {
        "a": [0, 1],
        "poss": cc.Partition([[0.5, 0.9], [1, 0]], kind="possibilistic"),
    }
    with pytest.raises(ValueError, match="possibilistic partitions, and poss is one"):
        cc.agreement(runs)


def test_noise_in_labels_is_told_with_the_name():
    with pytest.warns(NoiseLabelWarning, match="hdb"):
        cc.agreement({"hdb": [-1, 0, 1], "km": [0, 0, 1]})


@pytest.mark.parametrize(
    "function",
    [
        lambda labels: cc.agreement([labels, labels]),
        lambda labels: cc.align_clusters([labels, labels]),
        lambda labels: cc.consensus([labels, labels]),
        lambda labels: cc.validity(np.arange(6.0).reshape(3, 2), labels),
    ],
)
def test_a_warning_points_at_the_line_that_called(function):
    with pytest.warns(NoiseLabelWarning) as told:
        function([0, 0, -1])
    assert {each.filename for each in told} == {__file__}


def test_the_order_puts_together_what_agrees_and_the_medoid_is_typical():
    a, b = [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]
    near_b = [0, 1, 2, 0, 1, 1]
    found = cc.agreement({"a": a, "b": b, "a too": a, "near b": near_b, "b too": b})
    names = [found.names[i] for i in found.order]
    assert abs(names.index("a") - names.index("a too")) == 1
    assert found.names[found.medoid] in ("b", "b too")
    assert sorted(found.order) == [*range(5)]
    assert cc.agreement([a, b]).order.tolist() == [0, 1]


def test_it_prints_as_a_table_in_a_terminal_and_a_notebook():
    found = cc.agreement({"<a>": [0, 0, 1, 1], "b": [1, 1, 0, 0], "c": [0, 1, 1, 1]})
    assert str(found).splitlines()[-1] == "3 c    0.0000  0.0000  1.0000"
    assert "&lt;a&gt;" in found._repr_html_()
    assert repr(found) == "Agreement(aci of 3 partitions, 0.0000 to 1.0000)"
    frame = found.to_frame()
    assert frame.loc["b", "<a>"] == 1.0
    assert len(found) == 3


def test_a_table_of_many_partitions_is_cut_in_the_middle():
    runs = list(np.random.default_rng(0).integers(0, 3, (60, 20)))
    lines = str(cc.agreement(runs)).splitlines()
    assert len(lines) < 40
    assert max(map(len, lines)) <= 120
    heading, *rows = lines[3:]
    assert heading.split()[:2] == ["ACI", "1"]
    assert heading.split()[-2:] == ["59", "60"]
    assert "..." in heading
    assert [len(row.split()) for row in rows[1:16]] == [len(heading.split())] * 15


@pytest.mark.parametrize("kind", ["possibilistic", "overlapping"])
@pytest.mark.parametrize("index", ["ami", "nmi", "hardened_ari", "matched"])
def test_an_index_is_refused_for_a_kind_as_compare_refuses_it(kind, index):
    """They were computed: AMI was 0, whatever the memberships."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, size=(3, 20, 3)).astype(float)
    runs = [cc.Partition(each, kind=kind) for each in rows]
    with pytest.raises(ValueError, match=f'^index="{index}" is not defined for {kind}'):
        cc.agreement(runs, index=index)


def test_a_statistic_of_covers_has_a_family_that_is_defined_for_them():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, size=(3, 20, 3)).astype(float)
    runs = [cc.Partition(each, kind="overlapping") for each in rows]
    with pytest.raises(ValueError, match='use "campello", "brouwer" or "anderson"'):
        cc.agreement(runs, index="rand")
    found = cc.agreement(runs, index="rand", family="campello")
    alone = cc.pair_table(runs[0], runs[1], family="campello").rand
    assert found.values[0, 1] == alone
    with pytest.raises(ValueError, match='family is for index="rand"'):
        cc.agreement(runs, index="gri", family="campello")


def test_a_number_is_not_said_twice_where_there_is_no_name():
    text = str(cc.agreement([[0, 0, 1, 1], [0, 1, 1, 1]]))
    assert "partition 1 agrees best" in text
    assert "\n1 " in text
    assert "1 1 " not in text


def subsamples(n_runs=12, n=60, size=40):
    rng = np.random.default_rng(3)
    whole = rng.dirichlet([0.4, 0.4, 0.4], n)
    chosen = [np.sort(rng.choice(n, size, replace=False)) for _ in range(n_runs)]
    return [cc.Partition(whole[some], ids=[*some]) for some in chosen]


@pytest.mark.parametrize("size", [40, 60])
def test_subsamples_are_compared_on_what_each_two_have_in_common(size):
    runs = subsamples(size=size)
    for index in ("aci", "rand", "wallace_p"):
        found = cc.agreement(runs, index=index, match_by="common")
        for i, j in ((0, 1), (3, 11), (11, 3)):
            pair = runs[i], runs[j]
            alone = cc.score(*pair, index, match_by="common")
            assert found.values[i, j] == pytest.approx(alone, abs=1e-13)
    assert (cc.agreement(runs, match_by="common").values > 1.0 - 1e-12).all()


def test_modes_of_subsamples_average_the_objects_that_their_runs_share():
    modes = cc.agreement(subsamples(3), match_by="common").modes()
    assert len(modes) == 1
    shared = set.intersection(*({*run.ids} for run in subsamples(3)))
    assert {*modes[0].partition.ids} == shared


def test_two_runs_that_share_no_object_are_named():
    runs = {
        name: cc.Partition([0, 1], ids=ids)
        for name, ids in (("a", [1, 2]), ("b", [2, 3]), ("c", [3, 4]))
    }
    with pytest.raises(ValueError, match="no id is in a and c"):
        cc.agreement(runs, match_by="common")


def test_two_columns_of_one_name_are_refused():
    frame = pd.DataFrame([[0, 0, 1], [0, 1, 1]], columns=["a", "a", "b"])
    with pytest.raises(ValueError, match="2 columns called a; rename them"):
        cc.agreement(frame)


def test_a_table_is_made_for_the_statistics_that_are_asked_for_alone():
    from concordant.comparison import Wanted

    wanted = Wanted(("aci", "rand"), ("huellermeier",), "product")
    assert wanted.only(("aci",)) == Wanted(("aci",))
    assert wanted.only(("rand",)) == Wanted(("rand",), ("huellermeier",), "product")
