"""The command that finds the modes of many runs, and files that hold several."""

import csv
import json
import os
from pathlib import Path

import numpy as np
import pytest
from command_line import check_schema, fault_of, output_of, run
from planted import copy_of, truth

import concordant as cc
from concordant.files import write_table

RNG = np.random.default_rng(3)
FIRST, SECOND, OTHER_K = (truth(RNG, 40, K) for K in (3, 3, 4))
IDS = np.array([f"object {i}" for i in range(40)], dtype=object)
RUNS = {
    f"run{number}.Q": copy_of(RNG, U, 0.01, "dirichlet")
    for number, U in enumerate((FIRST, SECOND, FIRST, SECOND, FIRST), start=1)
}
LOW = ("--threshold", "0.5")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, U in RUNS.items():
        write_table(name, U, names=["a", "b", "c"])
        write_table(f"{name[:4]}.csv", U, names=["a", "b", "c"], ids=IDS)
    runs = "\n".join(popfile(U) for U in [*RUNS.values()][:3])
    Path("runs.popfile").write_text(runs)
    Path("one.popfile").write_text(popfile(FIRST))
    Path("groups.txt").write_text("west\n" * 15 + "east\n" * 25)
    return tmp_path


def popfile(U):
    rows = (" ".join(f"{x:.6f}" for x in row) for row in U)
    return "".join(f"{i}: {row} 1\n" for i, row in enumerate(rows, start=1))


def contents():
    return {p: p.read_bytes() for p in Path().rglob("*") if p.is_file()}


def test_modes_are_those_of_the_library_in_all_forms():
    document = json.loads(output_of("modes", *RUNS, *LOW, "--json"))
    check_schema(document, "modes")
    modes = cc.agreement([*RUNS]).modes(0.5)
    assert [mode["runs"] for mode in document["modes"]] == [[1, 3, 5], [2, 4]]
    assert [mode["typical"] - 1 for mode in document["modes"]] == [
        mode.typical for mode in modes
    ]
    assert (document["above"], document["up_to"]) == (modes.above, modes.up_to)
    text = output_of("modes", *RUNS, *LOW)
    assert text.startswith("2 modes of 5 partitions of 40 objects, matched by position")
    assert modes.range in text
    assert "H'" not in text
    rows = [*csv.DictReader(output_of("modes", *RUNS, *LOW, "--csv").splitlines())]
    assert [row["file"] for row in rows] == [*RUNS]
    assert [row["mode"] for row in rows] == [*"12121"]
    typical = [int(row["typical"] == "true") for row in rows]
    assert np.flatnonzero(typical).tolist() == sorted(mode.typical for mode in modes)


@pytest.mark.parametrize(
    ("asked", "end"), [((), "Q"), (("--format", "csv"), "csv"), (None, "csv")]
)
def test_averages_are_written_and_read_back(asked, end):
    files = [*RUNS] if asked is not None else [f"run{i}.csv" for i in range(1, 6)]
    words = ("modes", *files, *LOW, *(asked or ()), "--out", "deep/means")
    document = json.loads(output_of(*words, "--json"))
    check_schema(document, "modes")
    means = [f"deep/means/mean.mode{number}.3.{end}" for number in (1, 2)]
    assert document["written"] == [*means, "deep/means/runs.csv"]
    modes = cc.agreement(files).modes(0.5)
    for place, mean in zip(means, modes.partitions, strict=True):
        written = cc.read_partition(place)
        exact = end == "csv"
        away = np.abs(written.memberships - mean.memberships).max()
        assert away == 0.0 if exact else away < 1e-6
        if asked is None:
            assert written.ids.tolist() == IDS.tolist()
    assert Path("deep/means/runs.csv").read_text() == output_of(
        "modes", *files, *LOW, "--csv"
    )


def test_nothing_that_is_in_the_folder_is_changed():
    Path("means").mkdir()
    Path("means/mean.mode9.3.Q").write_text("mine\n")
    Path("means/mine.txt").write_text("mine\n")
    before = contents()
    told = fault_of("modes", *RUNS, "--out", "means", "--plot", "bars.png")
    assert told == ("--out: means/mean.mode9.3.Q is there already; name another folder")
    assert "is a file" in run("modes", *RUNS, "--out", "run1.Q").stderr
    assert contents() == before
    os.remove("means/mean.mode9.3.Q")
    output_of("modes", *RUNS, "--out", "means")
    assert Path("means/mine.txt").read_text() == "mine\n"
    before = contents()
    assert "is there already" in fault_of("modes", *RUNS, "--out", "means")
    assert contents() == before


def test_a_summary_by_number_of_clusters_where_these_differ():
    write_table("other.Q", OTHER_K, names=[*"abcd"])
    output_of("modes", *RUNS, "other.Q", *LOW, "--out", "new", "--format", "csv")
    names = [
        Path(f"new/mean.mode{number}.{K}.csv").read_text().split("\n")[0].split(",")
        for number, K in ((1, 3), (2, 3), (3, 4))
    ]
    assert names[2] == [f"cluster_{number}" for number in (1, 2, 3, 4)]
    assert all(sorted(name) == name and {*name} <= {*names[2]} for name in names)
    document = json.loads(output_of("modes", *RUNS, "other.Q", *LOW, "--json"))
    check_schema(document, "modes")
    three, four = document["by_n_clusters"]
    assert (three["n_clusters"], four["n_clusters"]) == (3, 4)
    assert (three["n_modes"], four["n_modes"]) == (2, 1)
    assert (three["runs"], four["runs"]) == ([1, 2, 3, 4, 5], [6])
    alone = cc.align_clusters([*RUNS])
    assert three["mean_similarity"] == pytest.approx(alone.mean_similarity)
    values = cc.agreement([*RUNS]).values[np.triu_indices(5, 1)]
    assert three["mean"] == pytest.approx(values.mean())
    assert three["least"] == values.min()
    assert four["mean"] is four["least"] is four["mean_similarity"] is None
    assert "K  partitions  modes" in output_of("modes", *RUNS, "other.Q", *LOW)
    assert "H'" not in output_of("align", "run1.Q", "other.Q")
    assert "H'" not in str(cc.align_clusters(["run1.Q", "other.Q"]))
    output_of("report", *RUNS, "other.Q", *LOW)
    page = Path("report.html").read_text("utf-8")
    assert "Of the partitions with one number of clusters" in page


def test_bars_take_groups_their_order_a_title_and_a_width():
    words = ("modes", *RUNS, *LOW, "--groups", "groups.txt", "--plot")
    output_of(*words, "bars.pdf")
    output_of(*words, "bars.svg", "--title", "a title")
    assert "<!-- a title -->" in Path("bars.svg").read_text("utf-8")
    output_of(*words, "other.svg", "--order", "east,west", "--title", "a title")
    assert Path("bars.svg").read_bytes() != Path("other.svg").read_bytes()
    output_of(*words, "narrow.svg", "--width", 3.3)
    assert 'width="237.6pt"' in Path("narrow.svg").read_text("utf-8")
    for asked, message in (
        (("--order", "east,north"), "--order names north, which is no group; there"),
        (("--order", "east"), "--order must name each group once, and west is missi"),
        (("--width", "0"), "--width"),
    ):
        assert message in run(*words, "no.svg", *asked).stderr
    Path("few.txt").write_text("west\n" * 15)
    told = fault_of("modes", *RUNS, "--groups", "few.txt", "--plot", "no.svg")
    assert "40 objects" in told
    assert "few.txt has 15" in told
    assert not Path("no.svg").exists()
    assert "give --plot" in fault_of("modes", *RUNS, "--width", 3)


HELD = "concordant: runs.popfile: holds 3 runs, and all of them are taken\n"


@pytest.mark.parametrize(
    "words",
    [
        ("modes", "runs.popfile", *LOW),
        ("agreement", "runs.popfile"),
        ("align", "runs.popfile"),
        ("consensus", "runs.popfile", "--out", "mean.csv"),
        ("report", "runs.popfile"),
    ],
)
def test_a_file_of_several_runs_counts_as_its_runs(words):
    done = run(*words)
    assert done.exit_code == 0, done.stderr
    assert done.stderr.startswith(HELD)
    where = words.index("runs.popfile")
    one_by_one = [f"runs.popfile#{number}" for number in (1, 2, 3)]
    each = run(*words[:where], *one_by_one, *words[where + 1 :])
    assert each.stdout == done.stdout
    assert each.stderr == done.stderr.removeprefix(HELD)
    told = fault_of(words[0], "one.popfile")
    assert "at least two files are needed, or one of several runs" in told


def test_runs_of_a_file_stand_beside_other_files():
    document = json.loads(
        run("modes", "one.popfile", "runs.popfile", *LOW, "--json").stdout
    )
    assert [each["file"] for each in document["partitions"]] == [
        "one.popfile",
        *(f"runs.popfile#{number}" for number in (1, 2, 3)),
    ]
    assert [mode["runs"] for mode in document["modes"]] == [[1, 2, 4], [3]]
    done = run("align", "runs.popfile", "--reference", "runs.popfile#2", "--out", "new")
    assert done.exit_code == 0, done.stderr
    assert sorted(os.listdir("new")) == [f"runs-{number}.csv" for number in (1, 2, 3)]
    one = run("modes", "runs.popfile", "--run", "2")
    assert "at least two files are needed" in one.stderr


def test_a_command_for_two_partitions_asks_which_run():
    told = fault_of("compare", "runs.popfile", "one.popfile")
    assert "holds 3 runs; --run 1 or runs.popfile#1 reads the first" in told
    told = fault_of("report", "one.popfile", "--truth", "runs.popfile")
    assert "holds 3 runs" in told
    assert not Path("report.html").exists()


def test_a_report_of_two_files_takes_groups():
    output_of("report", "run1.Q", "run2.Q", "--groups", "groups.txt")
    page = Path("report.html").read_text("utf-8")
    assert "the order of objects, by group, is the same in both rows" in page
    assert ">west<" in page or "<!-- west -->" in page
    Path("few.txt").write_text("west\n" * 15)
    told = fault_of("report", "run1.Q", "run2.Q", "--groups", "few.txt", "--out", "no")
    assert "few.txt has 15" in told
    told = fault_of("report", "run1.Q", "run2.Q", "--groups", "--out", "no")
    assert "these have none" in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run1.Q",), "at least two files are needed"),
        (("run1.Q", "run2.Q", "--threshold", "1.5"), "--threshold must be a number up"),
        (("run1.Q", "run2.Q", "--threshold", "nan"), "--threshold must be a number up"),
        (("run1.Q", "run2.Q", "--index", "mirkin"), "whose best value is 1"),
        (("run1.Q", "run2.Q", "--family", "campello"), "--family is for --index"),
        (("run1.Q", "run2.Q", "--format", "csv"), "give --out too"),
        (("run1.Q", "few.csv"), "run1.Q has 40 objects and few.csv has 2"),
        (("run1.Q", "run2.Q", "--out", "-"), "names no file"),
        (("run1.Q", "run2.Q", "--order", "a,b"), "give --plot FILE too"),
    ],
)
def test_what_cannot_be_is_refused(words, message):
    Path("few.csv").write_text("0.5,0.5\n1,0\n")
    before = contents()
    assert message in fault_of("modes", *words)
    assert contents() == before


def test_equal_runs_are_one_mode_by_any_threshold():
    for threshold in ("0", "1"):
        text = output_of("modes", "run1.Q", "run1.Q", "--threshold", threshold)
        assert text.startswith("1 mode of 2 partitions")
    assert output_of("modes", "run1.Q", "run2.Q", "--threshold", "1").startswith("2 mo")


def test_partitions_of_which_no_object_is_in_all_are_compared_in_pairs():
    kept = [range(start, start + 5) for start in (0, 3, 6)]
    kept[2] = [0, 1, 6, 7, 3]
    for number, objects in enumerate(kept):
        rows = "".join(f"o{i},{i % 2}\n" for i in objects if number or i != 3)
        Path(f"part{number}.csv").write_text(f"id,label\n{rows}")
    words = "part0.csv", "part1.csv", "part2.csv", "--common"
    found = json.loads(output_of("modes", *words, "--json"))
    runs = [cc.Partition(path) for path in words[:3]]
    modes = cc.agreement(runs, match_by="common").modes()
    assert [mode["runs"] for mode in found["modes"]] == [
        [run + 1 for run in mode.runs] for mode in modes
    ]
    assert "matched by common ids" in output_of("modes", *words)
    told = fault_of("modes", *words, "--out", "means")
    assert "no object is left: no id is in" in told
    pair = output_of("modes", *words[1:], "--plot", "bars.svg")
    assert "averages are of the 3 objects that all partitions have" in pair


def test_a_picture_that_is_refused_leaves_no_files_in_the_way():
    words = "modes", *RUNS, "--out", "means", "--plot", "means/bars.png"
    words = (*words, "--groups", "groups.txt", "--order")
    assert "--order names north, which is no group" in fault_of(*words, "north,west")
    output_of(*words, "east,west")
    assert len([*Path("means").glob("mean.mode*")]) == 2


@pytest.mark.parametrize("words", [("modes", *RUNS), ("compare", "run1.Q", "run2.Q")])
def test_no_name_is_no_place(words):
    told = fault_of(*words, "--out", "")
    assert "--out '': names no file; leave it out" in told
