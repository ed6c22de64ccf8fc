"""What was once read wrong, or refused with no way on, is right now."""

import json
import multiprocessing
import os
import pickle
import stat
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from command_line import fault_of, output_of, process, run
from hypothesis import given, settings
from hypothesis import strategies as st

import concordant as cc
from concordant.files import FileError, read_partition, read_table, write_table
from concordant.files.text import UnsettledHeadingError

FUZZY = np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0], [0.125, 0.875]])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(text, name="P.csv"):
    with open(name, "w", newline="", encoding="utf-8") as stream:
        stream.write(text)
    return name


def labels_of(path, **options):
    P = read_partition(path, **options)
    return P.clusters[P.labels].tolist()


ROWS = "f1,u\nf2,v\nf3,u\nf4,v\n"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (f"Clusters of flowers\nid,label\n{ROWS}", {"skip": 1}),
        (f"Iris, by k-means\nid,label\n{ROWS}", {"skip": 1}),
        (
            f"name,label\nstring,discrete\nmeta,class\n{ROWS}",
            {"skip": 3, "header": False},
        ),
        (f"name,label\nstring,d\nmeta,class\n{ROWS}", {"skip": 3, "header": False}),
        (f"id,label\n--,-----\n{ROWS}", {"skip": 2, "header": False}),
        ("*Vertices 4\n1\n2\n1\n2\n", {"skip": 1}),
        (f"Listing\n\n{ROWS}", {"skip": 2}),
        ("label\n(none)\n1\n2\n1\n2\n", {"skip": 2, "header": False}),
    ],
)
def test_a_title_or_a_second_heading_is_no_object(text, options):
    with pytest.raises(FileError) as caught:
        read_partition(put(text))
    for name, value in options.items():
        assert f"{name}={value}" in str(caught.value)
    assert read_partition("P.csv", **options).n_objects == 4


@pytest.mark.parametrize(
    ("top", "skip"),
    [
        ("s1\ns2,0.5\n", 2),  # objects that lost cells, and one that gained some
        ("s1,0.1,0.9,7\ns2,0.5\n", 2),
        ("# memberships\ns1\ns2,0.5\n", 3),
        ("Memberships\n", 1),  # so may be the id of an object that lost its cells
        ("Memberships\n\n", 2),
        ("# memberships\n", 1),
        ("Memberships\nin two clusters\nsample,a,b\n", 2),
        ("Memberships\nin two clusters\nx,a,b\n", 2),
    ],
)
def test_lines_above_a_table_are_left_out_only_if_they_are_no_objects(top, skip):
    put(f"{top}s3,0.25,0.75\ns4,0.5,0.5\ns5,1,0\ns6,0,1\n")
    with pytest.raises(FileError) as caught:
        read_partition("P.csv")
    condition = f"if no line above line {skip + 1} is an object"
    assert f"{condition}, skip={skip} begins with the table" in str(caught.value)
    assert read_partition("P.csv", skip=skip).n_objects == 4


@pytest.mark.parametrize("row", ["s5", "s5,1,0,7", "# s5", ""])
def test_lines_within_a_table_are_not_left_out(row):
    put(f"s1,1,0\n{row}\ns3,0.25,0.75\ns4,0.5,0.5\n")
    with pytest.raises(FileError, match="line 2: ") as caught:
        read_partition("P.csv")
    assert "skip=" not in str(caught.value)


@pytest.mark.parametrize("title", ["Q matrix", "0.5"])
def test_a_cell_above_numbers_may_be_a_title(title):
    put(f"{title}\n0.25,0.75,0\n0.5,0,0.5\n1,0,0\n")
    with pytest.raises(FileError, match="if no line above line 2 is an object, skip=1"):
        read_partition("P.csv")


def test_a_word_above_true_and_false_is_no_object():
    path = put("setosa,rest\nTrue,False\nFalse,True\nTrue,False\nFalse,True\n")
    with pytest.raises(FileError, match="line 1, .*'setosa', a second heading"):
        read_partition(path, column=1, header=False)


def test_a_sum_below_labels_is_no_object():
    put("id,cluster\nx,1\ny,2\nz,1\nTotal,4\n")
    with pytest.raises(FileError, match="line 5.*found 'Total 4', a footer"):
        read_partition("P.csv")


@pytest.mark.parametrize(
    "text",
    [
        " id | cluster \n----+---------\n  1 |  2\n  2 |  1\n  3 |  2\n(3 rows)\n",
        "+----+---+\n| id | k |\n+----+---+\n|  1 | 2 |\n|  2 | 1 |\n+----+---+\n",
        "id  cluster\n--  -------\n1   2\n2   1\n3   2\n",
        "| id | k |\n|----|---|\n| a | 1 |\n| b | 2 |\n| c | 1 |\n",
    ],
)
def test_a_table_drawn_for_the_eye_is_refused(text):
    put(text, "P.txt")
    options = ({}, {"header": True}, {"id_column": 0}, {"missing": "drop"})
    for said in (*options, {"id_column": 0, "missing": "drop"}):
        with pytest.raises(FileError, match="^P.txt"):
            read_partition("P.txt", **said)


@pytest.mark.parametrize("text", ['{"a": 1}\n{"a": 2}\n', "[(0, 0.9)]\n[(1, 1.0)]\n"])
def test_a_list_of_python_is_refused(text):
    with pytest.raises(
        FileError, match="a file of another program: save it there as CSV"
    ):
        read_partition(put(text, "P.txt"))


def test_thousands_are_no_decimals():
    put('x,y\n"1,234","2,345"\n"1,500","950"\n"2,000","1,000"\n')
    with pytest.raises(
        FileError, match="found '1,234', not a number as the others are"
    ):
        read_table("P.csv", header=True, id_column=0).matrix()


@pytest.mark.parametrize("footer", ["Done.", "Levels: u v", "(4 rows)", "\x1a"])
@pytest.mark.parametrize("labels", ["u\nv\nu\nv\n", "1\n2\n1\n2\n"])
def test_a_footer_is_no_object(labels, footer):
    with pytest.raises(FileError, match="line 6.*a footer. remove that line") as caught:
        read_partition(put(f"label\n{labels}{footer}\n"), delimiter="none")
    assert str(caught.value).isprintable()


def test_a_footer_that_blanks_divide_is_no_object():
    put("id\tlabel\n1\tu\n2\tv\n3\tu\n(3 rows)\n")
    with pytest.raises(FileError, match=r"line 5.*found '\(3 rows\)', a footer"):
        read_partition("P.csv")


@pytest.mark.parametrize("total", ["0.875,1.125", "1.75,2.125"])
def test_a_total_is_not_to_be_divided_by_its_sum(total):
    put(f"x,y\n0.25,0.75\n0.5,0.5\n0.125,0.875\n{total}\n")
    with pytest.raises(FileError, match="line 5.*if it is a total of the others, remo"):
        read_partition("P.csv")


def test_labels_beside_strengths_are_no_memberships():
    put("label,probability\n0,0.5\n1,1\n1,0.25\n0,0.75\n")
    with pytest.raises(FileError, match="column= takes one column as labels; normali"):
        read_partition("P.csv")
    assert labels_of("P.csv", column="label") == [0, 1, 1, 0]


def test_ids_that_occur_twice_can_be_left_out():
    put(",x,y\n1,0.25,0.75\n1,0.5,0.5\n1,1,0\n1,0.125,0.875\n")
    remedy = r"id_column=0, with column= or columns= of the others, matches objects"
    with pytest.raises(FileError, match=remedy):
        read_partition("P.csv")
    P = read_partition("P.csv", id_column=0, columns=["x", "y"])
    np.testing.assert_array_equal(P.memberships, FUZZY)


def test_memberships_that_were_transposed_for_nothing_are_told_so():
    np.save("P.npy", np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]]))
    with pytest.raises(FileError, match="its columns do: leave out transpose=True"):
        read_partition("P.npy", transpose=True)
    put("0.25,0.75\n0.5,0.5\n1,0\n", "Q.csv")
    fault = fault_of("compare", "Q.csv", "Q.csv", "--transpose")
    assert "its columns do: leave out --transpose" in fault


COVER = "1,1\n0,1\n0,0\n1,0\n"


def test_a_cover_is_told_how_it_is_read():
    with pytest.raises(FileError, match='kind="overlapping" objects in several clus'):
        read_partition(put(COVER))
    assert read_partition("P.csv", kind="overlapping").kind == "overlapping"
    np.savetxt("F.csv", FUZZY, delimiter=",")
    with pytest.raises(FileError, match="found 0.25, but memberships are 0 or 1"):
        read_partition("F.csv", kind="overlapping")


def test_options_for_one_file_leave_the_other_alone():
    put(COVER)
    np.savetxt("F.csv", FUZZY, delimiter=",")
    words = ("compare", "F.csv", "P.csv", "--index", "omega", "--csv")
    found = output_of(*words, "--kind", "overlapping", "--only", "P.csv")
    cover = cc.Partition([[1, 1], [0, 1], [0, 0], [1, 0]], kind="overlapping")
    assert f"omega,,,{cc.score(FUZZY, cover, 'omega')!r}," in found
    put("1\n-1\n1\n-1\n", "L.csv")
    put("-1\n-1\n1\n1\n", "M.csv")
    words = ("compare", "L.csv", "M.csv", "--index", "aci", "--csv")
    found = output_of(*words, "--noise", "singletons", "--only", "L.csv")
    singletons = cc.Partition([1, -1, 1, -1], noise="singletons")
    noise = cc.Partition([-1, -1, 1, 1], noise="cluster")
    assert f"aci,,,{cc.adjusted_concordance_index(singletons, noise)!r}," in found
    fault = fault_of("compare", "F.csv", "L.csv", "--noise", "drop", "--only", "1")
    assert (
        fault == "--noise drop is for labels, but the files of --only hold memberships"
    )


def test_groups_can_be_labels_of_which_no_two_are_the_same():
    np.savetxt("F.csv", FUZZY, delimiter=",")
    put("s\n1\n2\n3\n4\n", "S.csv")
    words = ("compare", "F.csv", "F.csv", "--interval", "--groups", "S.csv")
    assert "no label occurs twice" in fault_of(*words)
    output_of(*words, "--labels-as-text", "--only", "S.csv")


@pytest.mark.parametrize("command", ["compare", "test", "agreement", "consensus"])
def test_no_file_is_called_as_standard_output_is(folder, command):
    np.savetxt("F.csv", FUZZY, delimiter=",")
    fault = fault_of(command, "F.csv", "F.csv", "--out", "-")
    assert fault == "--out -: names no file; leave it out, or write ./-"
    output_of(command, "F.csv", "F.csv", "--out", "./-")
    assert Path("-").exists()


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="there is no such file")
def test_a_file_that_standard_output_adds_to_keeps_what_it_has(folder):
    np.savetxt("F.csv", FUZZY, delimiter=",")
    words = ("compare", "F.csv", "F.csv", "--index", "aci", "--csv")
    with open("log", "w+") as log:
        log.write("before\n")
        log.flush()
        process(*words, "--out", "/dev/stdout", stdout=log)
        log.seek(0, os.SEEK_END)
        log.write("after\n")
    before, *result, after = Path("log").read_text().splitlines()
    assert (before, after) == ("before", "after")
    assert result == output_of(*words).splitlines()


def test_commas_at_the_ends_of_cells_are_no_decimal_commas():
    put("id, x, y\ns1, 0, 1,\ns2, 1, 0,\ns3, 1, 0,\n")
    with pytest.raises(
        FileError, match="line 1: found 'id, x, y': one cell or several"
    ):
        read_partition("P.csv")


@pytest.mark.parametrize(
    "word", [".", "-", "N.A.", r"\N", "(null)", "#REF!", "#VALUE!", "#DIV/0!"]
)
def test_what_is_missing_among_whole_numbers_is_no_cluster(word):
    path = put(f"cluster\n1\n2\n{word}\n2\n1\n")
    with pytest.raises(FileError, match=r'line 4.*missing="drop" leaves') as caught:
        read_partition(path)
    assert "labels_as_text=True takes it as a label" in str(caught.value)
    assert labels_of(path, missing="drop") == [1, 2, 2, 1]


def test_a_word_among_whole_numbers_is_remarked_upon():
    P = read_partition(put("cluster\n1\n2\nunknown\n2\n1\n"))
    assert P.clusters.tolist() == ["1", "2", "unknown"]
    assert "'unknown' (line 4) stands among whole numbers" in P.remarks[0]
    assert labels_of(put("strand\n+\n-\n+\n-\n"), header=True) == [*"+-+-"]


@pytest.mark.parametrize(
    "labels",
    [
        ["01", "1", "001", "1"],
        ["1E2", "100", "1E2", "3"],
        ['"1,000"', "1", "1", '"1,000"'],
        ["007", "008", "007", "008"],
        ["-0", "0", "0", "1"],
        ["+1", "1", "-1", "1"],
        ["1", "1.0", "2", "1"],
    ],
)
def test_labels_that_look_different_are_different(labels):
    path = put("cluster\n" + "".join(f"{label}\n" for label in labels))
    assert labels_of(path) == [label.strip('"') for label in labels]


def test_labels_written_as_floats_keep_their_noise():
    with pytest.warns(cc.NoiseLabelWarning):
        assert labels_of(put("cluster\n-1.0\n2.0\n2.0\n-1.0\n")) == [-1, 2, 2, -1]


def test_whole_numbers_of_which_no_two_are_equal_are_no_labels():
    put("number\n11\n12\n13\n14\n")
    np.save("P.npy", np.arange(7))
    for path in ("P.csv", "P.npy"):
        with pytest.raises(FileError, match="no label occurs twice"):
            read_partition(path)
        n = read_partition(path, labels_as_text=True).n_objects
        assert n in (4, 7)


def test_row_numbers_are_no_feature():
    rows = "".join(f"{i + 1},{x},{2 * x}\n" for i, x in enumerate([1.5, 2.5, 9.5, 7]))
    put("count,x,y\n" + rows, "data.csv")
    told = fault_of("cluster", "data.csv", "--k", "2")
    assert "counts the rows; --id count takes it as ids, --without count" in told
    for words in (["--id", "count"], ["--without", "count"], ["--id", "0"]):
        output_of("cluster", "data.csv", "--k", "2", *words, "--quiet")
    put("Obs,x,y\n" + rows, "data.csv")
    assert output_of("cluster", "data.csv", "--k", "2", "--quiet").startswith("id,")


def test_cluster_names_no_option_that_it_does_not_have():
    put("x,kind\n1,a\n2,b\n4,c\n9,d\n")
    told = fault_of("cluster", "P.csv", "--k", "2", "--truth", "kind", "--id", "0")
    assert "no label occurs twice" in told
    put("x,kind\n1,a\n2,NA\n4,a\n9,d\n")
    told += fault_of("cluster", "P.csv", "--k", "2", "--truth", "kind", "--id", "0")
    assert "labels-as-text" not in told


# Objects in common, paths, arrays


def test_objects_in_common_are_compared():
    put("id,x\na,1\nb,1\nc,2\nd,2\n", "P.csv")
    put("id,x\ne,6\nd,6\nc,6\nb,5\n", "Q.csv")
    told = fault_of("compare", "P.csv", "Q.csv")
    assert "--common compares those that both have" in told
    shown = output_of("compare", "P.csv", "Q.csv", "--common")
    assert shown.count("1 object of 4 left out") == 2
    P, Q = (read_partition(name) for name in ("P.csv", "Q.csv"))
    found = cc.compare(P, Q, match_by="common")
    assert found.n_objects == 3
    assert found.concordance.aci == cc.adjusted_concordance_index([1, 2, 2], [5, 6, 6])
    put("1\n1\n2\n", "R.csv")
    assert "R.csv has none" in fault_of("compare", "P.csv", "R.csv", "--common")
    with pytest.raises(ValueError, match="no object is left"):
        cc.compare(P, Q.take(np.array([0])), match_by="common")


def test_objects_in_common_leave_out_what_either_side_drops():
    P = cc.Partition([1, None, 2, 2, 1], missing="drop", ids=[*"abcde"])
    Q = cc.Partition([7, 7, 8, 8], ids=[*"cbdx"])
    found = cc.compare(P, Q, match_by="common")
    assert found.n_objects == 2


def test_a_path_stands_for_the_partition_in_the_file():
    put("x\n1\n1\n2\n")
    for path in ("P.csv", Path("P.csv")):
        assert cc.compare(path, [5, 5, 6]).concordance.aci == 1.0
        assert cc.adjusted_rand_index(path, path) == 1.0
    with pytest.raises(FileError, match=r"Q\.csv: no such file"):
        cc.compare("P.csv", "Q.csv")
    assert cc.read_partition("P.csv").n_objects == 3


@pytest.mark.parametrize(
    "data",
    [
        [1, None, 2, 1],
        np.array([1.0, np.nan, 2.0, 1.0]),
        np.array(["a", None, "b", "a"], dtype=object),
        pd.Series(["a", None, "b", "a"]),
        pd.Categorical(["a", None, "b", "a"]),
        np.array([[0.5, 0.5], [np.nan, 1.0], [1.0, 0.0], [0.0, 1.0]]),
        pd.DataFrame({"x": [0.5, None, 1.0, 0.0], "y": [0.5, 1.0, 0.0, 1.0]}),
        np.ma.masked_array([1, 5, 2, 1], [False, True, False, False]),
    ],
)
def test_arrays_leave_out_objects_that_miss_a_value(data):
    P = cc.Partition(data, missing="drop", groups=[*"uvwx"], ids=[*"abcd"])
    assert P.n_objects == 3
    assert P.ids.tolist() == [*"acd"]
    assert P.groups.tolist() == [*"uwx"]
    assert "1 object with a missing value" in P.remarks[0]
    assert cc.compare(P, [1, 9, 2, 1]).n_objects == 3
    assert pickle.loads(pickle.dumps(P)).groups.tolist() == [*"uwx"]


@pytest.mark.parametrize(
    ("data", "remedy"),
    [
        (
            pd.DataFrame({"id": [*"ab"], "x": [0.5, 1], "y": [0.5, 0]}),
            "set_index('id')",
        ),
        (pd.DataFrame({"label": ["u", "v"]}), "data['label']"),
        (np.array([[3.0, 1.0], [2.0, 7.0]]), "Partition(..., normalize=True)"),
        (np.log([[0.2, 0.8], [0.5, 0.5]]), "numpy.exp(data)"),
        (np.column_stack([[17, 18, 19, 20], FUZZY]), "ids=data[:, 0]"),
        (np.column_stack([FUZZY, [1, 1, 1, 1]]), "data[:, :-1]"),
        (np.array([[np.nan, 1.0], [0.5, 0.5]]), 'missing="drop"'),
    ],
)
def test_what_is_refused_is_refused_with_a_remedy_that_works(data, remedy):
    with pytest.raises((ValueError, TypeError)) as caught:
        cc.Partition(data)
    assert remedy in str(caught.value)


# Errors, temporary files, many columns


def read(path):
    try:
        read_partition(path)
    except FileError as error:
        return error
    return None


def test_an_unsettled_heading_comes_back_from_another_process():
    path = put("a,u\nb,v\nc,w\nd,v\n")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        error = pool.apply_async(read, (path,)).get(timeout=60)
    assert isinstance(error, UnsettledHeadingError)
    assert str(error) == str(read(path))


def test_a_million_columns_are_refused_at_once():
    put(",".join(["0.5"] * 1_000_000) + "\n" + ",".join(["0.5"] * 1_000_000) + "\n")
    with pytest.raises(FileError, match="1000000 columns, and at most 65536 are read"):
        read_partition("P.csv")
    np.save("P.npy", np.full((2, 100_000), 0.5))
    with pytest.raises(FileError, match="at most 65536 are read"):
        read_partition("P.npy")


def test_the_temporary_file_beside_a_private_one_is_private(monkeypatch):
    put("old")
    os.chmod("P.csv", 0o600)
    modes = []
    real = os.fsync

    def watch(number):
        modes.append(stat.S_IMODE(os.fstat(number).st_mode))
        real(number)

    monkeypatch.setattr(os, "fsync", watch)
    write_table("P.csv", FUZZY, names=["x", "y"])
    assert modes == [0o600]
    assert stat.S_IMODE(os.stat("P.csv").st_mode) == 0o600


def test_pictures_are_drawn_whatever_the_backend_is_said_to_be():
    backend = "module://no.such.module"
    put("0.25,0.75\n0.5,0.5\n1,0\n")
    source = os.pathsep.join(part for part in sys.path if part)
    words = ("agreement", "P.csv", "P.csv", "--plot", "map.svg", "--quiet")
    subprocess.run(
        [sys.executable, "-m", "concordant", *words],
        env={**os.environ, "PYTHONPATH": source, "MPLBACKEND": backend},
        check=True,
        capture_output=True,
    )
    assert Path("map.svg").stat().st_size > 1000


# Writers


@pytest.mark.parametrize("name", ["P.csv", "P.tsv", "P.parquet", "P.Q"])
def test_what_is_written_is_read_back(name):
    rng = np.random.default_rng(0)
    matrix = rng.dirichlet([1.0, 1.0, 1.0], 9)
    matrix = matrix.round(6) if name == "P.Q" else matrix
    ids = [f"o{i}" for i in range(9)]
    write_table(name, matrix, names=[*"xyz"], ids=ids)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        P = read_partition(name)
    np.testing.assert_array_equal(P.memberships, matrix)
    if name != "P.Q":
        assert P.ids.tolist() == ids
        assert P.clusters.tolist() == [*"xyz"]


def test_cluster_writes_parquet_and_q():
    put("x\n1\n2\n9\n8\n", "data.csv")
    for name in ("P.parquet", "P.Q"):
        result = run("cluster", "data.csv", "--k", "2", "--out", name, "--quiet")
        assert result.exit_code == 0
        assert read_partition(name).n_objects == 4


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("id,label\na,1\n# b,2\nc,1\nd,2\n", 3),
        ("id,label\na,1\nb,2\n#c,1\nd,2\n", 4),
        ("a,.5,.5\n#b,1,0\nc,0,1\nd,1,0\n", 2),
        ("u\nv\n# u\nv\nu\n", 3),
    ],
)
def test_a_row_that_is_commented_out_is_no_object(text, line):
    with pytest.raises(FileError, match=f"P.csv, line {line}: found '# ?[a-z]', a com"):
        read_partition(put(text))


def test_marks_of_all_objects_and_missing_values_are_no_comments():
    labels = ["#1", "#2", "#1", "#2"]
    assert labels_of(put("\n".join(labels)), delimiter="none") == labels
    for text in ("\n".join([*labels, "none of them"]), "a,1\n#b,2\n#c,1\n#d,2\ne,1\n"):
        with pytest.raises(FileError, match="a comment"):
            read_partition(put(text), delimiter="none" if "," not in text else None)
    P = read_partition(put("label\n1\n2\n#N/A\n1\n2\n"), missing="drop")
    assert P.n_objects == 4


def test_a_missing_label_in_the_last_rows_is_no_end_of_the_file():
    frame = pd.DataFrame({"label": ["u", "v", "u", "v", "v"]})
    frame.to_csv("Q.csv", index=False)
    for k in (1, 2):
        frame["label"].where(frame.index < 5 - k).to_csv("P.csv", index=False)
        with pytest.raises(FileError, match=f"line {7 - k}, .* a missing value"):
            read_partition("P.csv")
        P = read_partition("P.csv", missing="drop")
        assert (P.n_objects, P._n_given) == (5 - k, 5)
        found = json.loads(
            output_of("compare", "P.csv", "Q.csv", "--missing", "drop", "--json")
        )
        assert found["n_objects"] == 5 - k


def test_empty_lines_below_labels_are_no_objects_and_a_remark_says_so():
    P = read_partition(put("label\nu\nv\nu\n\n  \n"))
    assert P.n_objects == 3
    (remark,) = P.remarks
    assert remark.startswith("2 empty lines at the end, from line 5, left out")
    assert not read_partition(put("id,label\na,u\nb,v\nc,u\n\n\n")).remarks


@pytest.mark.parametrize("other", ["1.0", "+1", "01", "1e0", "1,0"])
def test_labels_that_are_the_same_number_are_remarked_on(other):
    P = read_partition(put(f'label\n1\n"{other}"\n2\n2\n1\n'), delimiter=",")
    assert P.n_clusters == 3
    first, second = sorted([other, "1"])
    what = f"labels {first!r} and {second!r} are the same number, and are two clusters"
    assert what in P.remarks
    assert what in cc.Partition([other, "1", "1"]).remarks


def test_labels_that_are_other_numbers_are_not_remarked_on():
    labels = ["9007199254740993", "9007199254740992", "1e400", "1e401", "x", "x"]
    assert not cc.Partition(labels).remarks


def test_a_tab_in_quotes_is_no_blank_where_blanks_divide():
    P = read_partition(put('id\t label\n"a\tb"  x\n"a b"\tx\nc" x\nd\t"""\ty"\n'))
    assert P.ids.tolist() == ["a\tb", "a b", 'c"', "d"]
    assert P.clusters.tolist() == ['"\ty', "x"]
    with pytest.raises(FileError, match="line 1: a cell in quotes that goes on"):
        read_partition(put('"a\nb" x\nc x\n'), delimiter="space")


CELLS = st.one_of(
    st.text(max_size=3),
    st.integers(-1, 12).map(str),
    st.sampled_from(
        ["NA", "id", "x", "true", "5%", "0,5", "1.5", "#a", " a", "a\tb", "a;b", "a|b"]
    ),
)


@settings(max_examples=300, deadline=None)
@given(st.data(), st.sampled_from(["P.csv", "P.tsv", "P.parquet", "P"]), st.booleans())
def test_a_table_is_read_back_as_it_is_or_is_not_written(data, name, has_ids):
    n, k = data.draw(st.integers(2, 5)), data.draw(st.integers(2, 4))
    names = data.draw(st.lists(CELLS, min_size=k, max_size=k, unique=True))
    ids = data.draw(st.lists(CELLS, min_size=n, max_size=n, unique=True))
    ids = ids if has_ids else None
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    codes = rng.integers(0, k, n)
    matrix = data.draw(st.sampled_from([np.eye(k)[codes], rng.dirichlet([1.0] * k, n)]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        try:
            write_table(path, matrix, names=names, ids=ids)
        except FileError:
            assert not path.exists()
            return
        P = read_partition(path)
    np.testing.assert_array_equal(P.memberships, matrix)
    assert (None if P.ids is None else P.ids.tolist()) == ids
    assert P.clusters.tolist() in (names, [f"cluster_{each}" for each in names])


@pytest.mark.parametrize("names", [["0", "1"], ["1", "0"], ["5", "3"], ["0", "x"]])
@pytest.mark.parametrize("ids", [None, [*"7654"], [*"abcd"]])
@pytest.mark.parametrize("end", ["csv", "tsv", "parquet", "Q"])
def test_what_align_and_consensus_write_is_read_back(names, ids, end):
    index = None if ids is None else pd.Index(ids, name="id")
    for file, matrix in (("P", FUZZY), ("Q", FUZZY[:, ::-1])):
        frame = pd.DataFrame(matrix, index, names)
        if end == "parquet":
            frame.to_parquet("P.parquet".replace("P", file, 1))
        elif end == "Q":
            frame.to_csv(f"{file}.Q", sep=" ", header=False, index=False)
        else:
            mark = "\t" if end == "tsv" else ","
            frame.to_csv(f"{file}.{end}", sep=mark, index=ids is not None)
    heading = ["--header"] if end in ("csv", "tsv") else []
    files = [f"P.{end}", f"Q.{end}", *heading]
    output_of("align", *files, "--out", "new")
    output_of("consensus", *files, "--out", f"new/mean.{end}")
    for name in ("P", "Q", "mean"):
        found = read_partition(f"new/{name}.{end}")
        np.testing.assert_allclose(found.memberships, FUZZY, atol=1e-15)
        known = None if end == "Q" else ids
        assert (found.ids if known is None else found.ids.tolist()) == known


@pytest.mark.parametrize("name", ["P.npy", "P.csv.gz", "P.xlsx", "P.feather"])
def test_memberships_are_not_written_to_what_is_no_table_by_its_name(name):
    with pytest.raises(FileError, match="tables are written as CSV"):
        write_table(name, FUZZY, names=["x", "y"])
    assert not Path(name).exists()


@pytest.mark.parametrize("skip", [9, 10**21])
def test_more_lines_than_there_are_can_be_skipped(skip):
    with pytest.raises(FileError, match="P.csv: is empty below the lines that are"):
        read_partition(put("u\nv\nu\n"), skip=skip)
    assert "is empty below" in fault_of("compare", "P.csv", "P.csv", "--skip", skip)


@pytest.mark.parametrize("name", ["P.feather", "P.parquet"])
def test_a_long_label_that_comes_again_is_held_once(name):
    long = "u" * 400_000
    codes = pa.array([0, 1] * 1000, pa.int8())
    column = pa.DictionaryArray.from_arrays(codes, pa.array([long, "v"]))
    table = pa.table({"label": column})
    if name == "P.feather":
        pa.feather.write_feather(table, name, compression="zstd")
    else:
        pa.parquet.write_table(table, name)
    column = read_table(name).columns[0]
    assert {*map(id, column.cells)} == {*map(id, column.cells[:2])}
    assert read_partition(name).clusters.tolist() == [long, "v"]


# Advice


def rows_of(matrix):
    return "\n".join(" ".join(f"{x:.6f}" for x in row) for row in matrix) + "\n"


def sixty():
    matrix = np.random.default_rng(0).dirichlet([1.0] * 3, 60).round(6)
    matrix[:, 2] = (1.0 - matrix[:, 0] - matrix[:, 1]).round(6)
    return matrix


def refused(path, **options):
    with pytest.raises(FileError) as caught:
        read_partition(path, **options)
    return str(caught.value)


def test_nothing_is_missing_where_rows_sum_to_more():
    for rest in ("0.100005", "0.10002"):
        told = refused(put(f"id,x,y\na,.5,.5\nb,0.900005,{rest}\nc,.3,.7\n"))
        assert "normalize=True" in told
        assert "missing" not in told
    with pytest.raises(ValueError, match="row 0 sums to") as caught:
        cc.Partition([[0.900005, 0.10002], [0.3, 0.7]])
    assert "missing" not in str(caught.value)


def test_one_wrong_row_of_many_is_to_be_corrected_and_no_other_changed():
    matrix = sixty()
    matrix[17, 0] += 0.2
    told = refused(put(rows_of(matrix)))
    assert "line 18: memberships sum to 1.2" in told
    assert told.endswith("the other 59 rows sum to 1: correct this one")
    with pytest.raises(ValueError, match="row 17 .*: correct this one") as caught:
        cc.Partition(matrix)
    assert "normalize" not in str(caught.value)


def test_frequencies_of_alleles_are_not_to_be_normalized():
    told = refused(put(rows_of(np.random.default_rng(0).random((60, 3))), "run.3.P"))
    assert told.endswith("allele frequencies? its .Q has memberships")
    told = refused(put("l\x1b\x01\xff\0", "run.bed"))
    assert told.startswith("run.bed: genotypes of PLINK")


def test_minus_nine_may_be_a_missing_value():
    text = "0.5 0.3 0.2\n-9 -9 -9\n0.1 0.1 0.8\n"
    told = refused(put(text))
    assert told.endswith(
        'missing value, write NA: missing="drop" leaves such objects out'
    )
    P = read_partition(put(text.replace("-9", "NA")), missing="drop")
    assert P.n_objects == 2


def test_one_digit_is_not_called_two():
    with pytest.raises(ValueError, match="as one digit is too few to allow for round"):
        cc.Partition(sixty().round(1))


def test_ids_without_one_in_common_are_not_to_be_compared_by_them():
    P, Q = ("id,label\na,u\nb,v\nc,u\n", "id,label\nd,u\ne,v\nf,u\n")
    put(P)
    put(Q, "Q.csv")
    told = fault_of("compare", "P.csv", "Q.csv")
    assert "no id is in both: are these the same objects? --id 0, with --column" in told
    assert "--common" not in told
    assert output_of("compare", "P.csv", "Q.csv", "--id", "0", "--column", "label")
    put(f"{Q}g,v\n", "Q.csv")
    assert fault_of("compare", "P.csv", "Q.csv").endswith("are these the same objects?")


# Arguments of other kinds


def test_masks_of_ids_and_groups_are_not_passed_over():
    masked = np.ma.masked_array(range(4), mask=[True, False, False, False])
    for name in ("ids", "groups"):
        with pytest.raises(ValueError, match=f"{name} has masked entries"):
            cc.Partition(FUZZY, **{name: masked})
    whole = np.ma.masked_array(range(4))
    assert cc.Partition(FUZZY, ids=whole).ids.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("names", [{"a", "b"}, ["a", "a"], ["a", None], ["a", np.nan]])
def test_names_are_distinct_and_in_an_order(names):
    with pytest.raises((ValueError, TypeError), match="names must "):
        cc.agreement([FUZZY, FUZZY], names=names)


def test_clusters_and_indices_are_in_an_order():
    with pytest.raises(TypeError, match="clusters must be a list of names"):
        cc.Partition(FUZZY, clusters={"a", "b"})
    with pytest.raises(TypeError, match="indices must be a list of names"):
        cc.compare(FUZZY, FUZZY, indices={"ndc"})


@pytest.mark.parametrize(
    "call",
    [
        lambda: cc.concordance(FUZZY, FUZZY, clip="no"),
        lambda: cc.Partition(FUZZY, normalize="no"),
        lambda: read_partition("P.csv", header="no"),
        lambda: read_partition("P.csv", transpose="no"),
        lambda: read_partition("P.csv", labels_as_text="no"),
    ],
)
def test_no_does_not_mean_yes(call):
    with pytest.raises(TypeError, match="must be True or False, found 'no'"):
        call()


def test_no_does_not_mean_a_test():
    with pytest.raises(TypeError, match="test must be True, False or .* found 'no'"):
        cc.compare(FUZZY, FUZZY, test="no")


def test_a_stream_of_two_partitions_is_no_stream_of_pairs():
    with pytest.raises(TypeError, match=r"chunks must be pairs .*pass \[\(P, Q\)\]"):
        cc.stream([FUZZY, FUZZY])


def test_an_index_of_objects_is_not_said_to_be_of_pairs():
    found = cc.concordance_test(FUZZY, FUZZY, index="nmi")
    assert found.sentences()[-1] == "statistic: all 4 objects"
    found = cc.concordance_test(FUZZY, FUZZY, index="aci")
    assert found.sentences()[-1] == "statistic: all 6 pairs of 4 objects"


def test_a_file_that_is_given_again_has_a_number():
    put("label\nu\nv\nu\nv\n")
    assert "P.csv (2)" in output_of("consensus", "P.csv", "P.csv", "--csv")


def test_a_file_of_one_empty_line_in_quotes_is_refused(tmp_path):
    path = tmp_path / "u.csv"
    path.write_text('""\n')
    with pytest.raises(FileError, match="is empty"):
        read_partition(path)
