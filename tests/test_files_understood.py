"""What a file is made of is found, said, and refused where it may be two things."""

import bz2
import gzip
import json
import lzma

import numpy as np
import pandas as pd
import pytest
import reference
from command_line import check_schema, fault_of, output_of, run

import concordant as cc
from concordant.files import FileError, read_partition, read_table

FUZZY = "0.25,0.75\n0.5,0.5\n0.9,0.1\n1.0,0.0\n"


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Write a file into the working directory, so that messages show its bare name."""
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        data = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(data)
        return name

    return write


def labels_of(P):
    return P.clusters[P.labels].tolist()


def described(*args):
    document = json.loads(output_of("compare", *args, "--index", "aci", "--json"))
    check_schema(document, "compare")
    return document


# What is said


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.txt", FUZZY.replace(",", " "), "2 columns of memberships, blanks, no head"),
        ("a.txt", FUZZY.replace(",", "|"), "2 columns of memberships, vertical bars, "),
        (
            "a.csv",
            "id;x;y\na;0,25;0,75\nb;0,5;0,5\nc;0,9;0,1\nd;1;0\n",
            "2 columns of memberships, semicolons, decimal commas, heading, ids from",
        ),
        (
            "a.csv.gz",
            gzip.compress(b"7%,93%\n50%,50%\n90%,10%\n100%,0%\n", mtime=0),
            "2 columns of memberships, gzip, commas, percentages, no heading, no ids",
        ),
        ("a.csv", "species\nu\nv\nv\nu\n", "labels from `species`, heading, no ids"),
        ("a.csv", "u\nv\nv\nu\n", "labels from `column 1`, no heading, no ids"),
        (
            "a.txt",
            FUZZY.encode("utf-16"),
            "2 columns of memberships, utf-16, commas, no heading, no ids",
        ),
    ],
)
def test_the_output_says_below_each_name_how_the_file_was_read(
    put, name, content, sentence
):
    put("P.csv", FUZZY)
    put(name, content)
    lines = output_of("compare", "P.csv", name).splitlines()
    named, read, matched = lines[-3:]
    assert named.startswith(f"Q: {name} (")
    assert read.startswith(f"   4 objects, {sentence}")
    assert matched == "4 objects, matched by position"
    assert f"2: {named[3:]}\n{read}\n" in output_of("agreement", "P.csv", name)


def test_json_says_how_a_file_was_read_and_what_was_noticed(put):
    put("P.tsv", "k\tx\ty\na\t0.33\t0.66\nb\t0.5\t0.5\nc\t1\t0\n")
    put("Q.csv", "1\n-1\n1\n")
    P, Q = (described("P.tsv", "Q.csv")[name] for name in "PQ")
    assert P["understood"] | {"encoding": None} == {
        "format": "text",
        "compression": None,
        "encoding": None,
        "delimiter": "\t",
        "decimal": ".",
        "percent": False,
        "heading": True,
        "ids": "k",
        "columns": ["x", "y"],
        "holds": "memberships",
        "transposed": False,
        "run": None,
    }
    assert "rounded to 2 digits" in P["remarks"][0]
    assert "1 object with the label -1" in Q["remarks"][0]
    assert "--noise drop leaves noise out" in Q["remarks"][0]
    head = output_of("compare", "P.tsv", "Q.csv")
    assert f"   {P['remarks'][0]}\n" in head
    assert f"   {Q['remarks'][0]}\n" in head


def test_a_stream_says_how_files_are_read(put):
    np.save("P.npy", np.array([1, -1, 1, 2]))
    document = described("P.npy", "P.npy", "--stream")
    assert document["P"]["understood"]["holds"] == "labels"
    assert "label -1 are counted as a cluster" in document["P"]["remarks"][0]
    told = fault_of("compare", "P.npy", "P.npy", "--stream", "--missing", "drop")
    assert "--missing needs all objects at once" in told


# Headings


@pytest.mark.parametrize(
    ("content", "n_objects"),
    [
        ("0\n0\n1\n2\n1\n", 4),
        ("0\n0\n1\n2\n", 4),
        ("flower,kind\na,u\nb,v\nc,v\nd,u\n", 4),
        ("a,u\nb,v\nc,v2\nd,v\n", 4),
    ],
)
def test_the_other_file_settles_what_may_be_a_heading(put, content, n_objects):
    put("P.csv", FUZZY)
    put("Q.csv", content)
    with pytest.raises(FileError, match="line 1: is it a heading or an object"):
        read_partition("Q.csv")
    document = described("P.csv", "Q.csv")
    assert document["n_objects"] == n_objects
    heading = content.count("\n") > n_objects
    assert document["Q"]["understood"]["heading"] is heading
    (remark,) = document["Q"]["remarks"]
    taken = "a heading" if heading else "an object"
    assert remark == f"its first line is taken as {taken}, as P.csv has 4 objects"


def test_two_files_in_doubt_settle_each_other_if_they_can(put):
    put("P.csv", "0\n0\n1\n1\n")
    put("Q.csv", "0\n1\n1\n")
    document = described("P.csv", "Q.csv")
    headings = [document[name]["understood"]["heading"] for name in "PQ"]
    assert headings == [True, False]
    assert document["concordance"]["aci"] == 1.0
    told = fault_of("compare", "P.csv", "P.csv")
    assert told.startswith("P.csv, line 1: is it a heading or an object? --header says")
    for option, n_objects in (("--header", 3), ("--no-header", 4)):
        assert described("P.csv", "P.csv", option)["n_objects"] == n_objects


@pytest.mark.parametrize(
    "content",
    [
        ",0.5,0.5\nb,0.2,0.8\nc,1,0\n",  # an id that is missing, or a heading?
        "object\nobject\nthing\nthing\n",
        "label\nlabel\nother\n",
        "b\na\na\na\n",
    ],
)
def test_what_may_be_a_heading_is_never_guessed(put, content):
    with pytest.raises(FileError, match="is it a heading or an object"):
        read_partition(put("P.csv", content))


def test_a_missing_value_at_the_top_is_no_heading(put):
    for content in ("NA\n1\n2\n1\n", "NA,0.5\n0.5,0.5\n1,0\n", "NA\na\nb\na\n"):
        with pytest.raises(FileError, match=r"line 1, column 1: a missing value .NA"):
            read_partition(put("P.csv", content))


# Delimiters


@pytest.mark.parametrize(
    ("content", "labels"),
    [
        ("flower 1,u\nflower 2,v\nflower 3,u\n", ["u", "v", "u"]),
        ("flower 1,5\nflower 2,7\nflower 3,5\n", [5, 7, 5]),
        ("flower 1\t5\nflower 2\t7\nflower 3\t5\n", [5, 7, 5]),
        ("a;b,u\nc;d,v\ne;f,u\n", None),
        ("x;1,0\ny;2,0\nz;1,0\n", None),
        ("Iris setosa\nIris virginica\nIris setosa\n", None),
    ],
)
def test_cells_with_other_marks_in_them_are_divided_right_or_not_at_all(
    put, content, labels
):
    path = put("P.csv", content)
    if labels is None:
        with pytest.raises(FileError, match='delimiter="'):
            read_partition(path)
        return
    assert labels_of(read_partition(path)) == labels


def test_words_can_be_one_cell_or_several(put):
    path = put("P.csv", "Iris setosa\nIris virginica\nIris setosa\n")
    found = read_partition(path, delimiter="none")
    assert labels_of(found) == ["Iris setosa", "Iris virginica", "Iris setosa"]
    found = read_partition(path, delimiter="space", column=2)
    assert labels_of(found) == ["setosa", "virginica", "setosa"]


def test_blanks_around_a_cell_are_not_part_of_it(put):
    labels = ["x ", "y", "x", " y"]
    np.save(put("P.npy", ""), np.array(labels))
    pd.DataFrame({"l": labels}).to_parquet("P.parquet")
    put("P.csv", '"x ",a\ny ,b\n "x", c\ny,d\n')
    for path, more in (("P.npy", {}), ("P.parquet", {}), ("P.csv", {"column": 1})):
        assert labels_of(read_partition(path, **more)) == ["x", "y", "x", "y"]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_quoted_cell_may_go_on_below_the_lines_that_are_looked_at(put, mark):
    rows = [f"a{i}{mark}{i % 3}" for i in range(998)]
    rows += [f'"b\n\nc\nd"{mark}1', f"e{mark}2"]
    P = read_partition(put("P.txt", "\n".join(rows) + "\n"), header=False)
    assert P.n_objects == 1000
    assert P.ids[998] == "b\n\nc\nd"


# Columns


def test_a_column_is_chosen_by_name_or_number(put):
    put("t.csv", "id,x,y,kmeans,gmm\nc,1,2,0,5\na,3,4,1,5\nb,5,6,1,6\n")
    told = fault_of("compare", "t.csv", "t.csv")
    assert "--column a column of labels, --columns those of memberships" in told
    assert "of 'x', 'y', 'kmeans', 'gmm'" in told
    for which in ("gmm", 5, "5"):
        P = read_partition("t.csv", column=which)
        assert labels_of(P) == [5, 5, 6]
        assert P.ids.tolist() == ["c", "a", "b"]
    words = ("t.csv", "t.csv", "--column", "kmeans", "--column", "gmm")
    document = described(*words)
    assert document["P"]["understood"]["columns"] == ["kmeans"]
    assert document["Q"]["understood"]["columns"] == ["gmm"]
    expected = cc.adjusted_concordance_index([0, 1, 1], [5, 5, 6])
    assert document["concordance"]["aci"] == expected
    put("U.csv", "0.5,0.5\n0.2,0.8\n1,0\n")
    document = described("U.csv", "t.csv", "--column", "gmm")
    assert [document[name]["kind"] for name in "PQ"] == ["fuzzy", "crisp"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--column", "z"], "t.csv: no column 'z'; there are 'id', 'x', 'kmeans'"),
        (["--columns", "x,z"], "no column 'z'"),
        (["--columns", "x,x"], "column 2 is named twice"),
        (["--column", "x", "--columns", "x,kmeans"], "--column is for labels"),
        (["--column", "x", "--column", "y", "--column", "z"], "given 3 times"),
        (["--only", "u.csv"], "--only u.csv: no such file is compared"),
        (["--column", "id", "--id", "id"], "column 1 ('id')"),
    ],
)
def test_columns_that_are_not_there_are_told(put, words, message):
    put("t.csv", "id,x,kmeans\na,1,0\nb,3,1\nc,5,1\n")
    assert message in fault_of("compare", "t.csv", "t.csv", *words)


def test_several_columns_are_named_between_commas():
    for value in ("x", "x,,y", ""):
        told = run("compare", "t.csv", "t.csv", "--columns", value)
        assert told.exit_code == 2
        assert f"{value!r} is not a list such as a,b,c" in told.stderr


def test_columns_of_one_file_are_compared_with_each_other(put):
    put("t.csv", "id,kmeans,gmm,x\na,0,5,0.1\nb,1,5,0.2\nc,1,6,0.3\nd,NA,6,0.4\n")
    words = ("agreement", "t.csv", "--columns", "kmeans,gmm", "--missing", "drop")
    document = json.loads(output_of(*words, "--json"))
    check_schema(document, "agreement")
    assert [p["file"] for p in document["partitions"]] == ["t.csv:kmeans", "t.csv:gmm"]
    expected = cc.adjusted_concordance_index([0, 1, 1], [5, 5, 6])
    assert document["values"]["aci"][0][1] == expected
    assert "or one with --columns A,B,... of labels" in run("agreement", "t.csv").stderr


def test_options_can_hold_for_one_file_alone(put):
    put("P.csv", "0.25,0.5,0.9,1.0\n0.75,0.5,0.1,0.0\n")
    put("Q.csv", FUZZY)
    told = fault_of("compare", "P.csv", "Q.csv")
    assert "its columns do: --transpose reads one object per column" in told
    told = fault_of("compare", "P.csv", "Q.csv", "--transpose")
    assert told.endswith("--only FILE applies options to one file alone")
    for file in ("P.csv", "1"):
        document = described("P.csv", "Q.csv", "--transpose", "--only", file)
        assert document["concordance"]["aci"] == 1.0


# Ids


def test_a_cluster_called_object_holds_no_ids(put):
    path = put("P.csv", "object,background\n0.25,0.75\n0.5,0.5\n0.9,0.1\n")
    assert read_partition(path).ids is None
    path = put("P.csv", "object,background\n0,1\n1,0\n0,1\n")
    assert read_partition(path).ids is None
    path = put("P.csv", "object,background\n0,1\n1,0\n")
    assert read_partition(path).ids is None
    assert read_partition(path, id_column=0).n_clusters == 2
    assert read_partition(path, id_column="object").ids.tolist() == ["0", "1"]
    path = put("P.csv", "object,cluster\n17,1\n18,0\n19,1\n")
    assert read_partition(path).ids.tolist() == ["17", "18", "19"]


# Missing values


@pytest.mark.parametrize(
    "cell",
    ["", "NA", "N/A", "nan", "-nan", "NaN", "None", "NULL", "null", "?", "<NA>"],
)
def test_what_says_missing_is_never_a_cluster(put, cell):
    path = put("P.csv", f"id,label\na,u\nb,{cell}\nc,u\nd,v\n")
    with pytest.raises(FileError) as caught:
        read_partition(path)
    assert "P.csv, line 3, column 2 ('label'): " in str(caught.value)
    assert f"({cell or 'empty'})" in str(caught.value)
    assert 'missing="drop"' in str(caught.value)
    dropped = read_partition(path, missing="drop")
    assert dropped.ids.tolist() == ["a", "c", "d"]
    text = read_partition(path, labels_as_text=True)
    assert labels_of(text) == ["u", cell, "u", "v"]


def test_objects_with_missing_values_are_left_out_on_both_sides(put):
    put("P.csv", "id,x,y\na,0.5,0.5\nb,NA,NA\nc,1,0\nd,0.2,0.8\n")
    put("Q.csv", "id,label\nd,1\nc,2\nb,1\na,\n")
    P, Q = (read_partition(f"{name}.csv", missing="drop") for name in "PQ")
    expected = cc.compare([[1.0, 0.0], [0.2, 0.8]], [2, 1])
    assert cc.compare(P, Q, match_by="id").concordance == expected.concordance
    document = described("P.csv", "Q.csv", "--missing", "drop")
    assert document["n_objects"] == 2
    assert document["concordance"]["aci"] == expected.concordance.aci
    assert document["P"]["remarks"] == [
        "1 object with a missing value left out (first line 3)"
    ]
    by_position = cc.compare(P, cc.Partition([1, 1, 2, 2]))
    assert by_position.n_objects == 3
    with pytest.raises(FileError, match="of every object is missing: no object"):
        read_partition(put("P.csv", "id,l\na,NA\nb,NA\n"), missing="drop")


def test_noise_and_missing_values_are_dropped_together(put):
    path = put("P.csv", "cluster\n1\nNA\n-1\n2\n1\n")
    P = read_partition(path, missing="drop", noise="drop")
    assert labels_of(P) == [1, 2, 1]
    other = cc.Partition([7, 7, 7, 8, 9])
    expected = cc.adjusted_rand_index([1, 2, 1], [7, 8, 9])
    assert cc.adjusted_rand_index(P, other) == expected


def test_an_id_must_not_be_missing(put):
    path = put("P.csv", "id,x,y\na,0.5,0.5\nNA,1,0\nc,0,1\n")
    for options in ({}, {"missing": "drop"}):
        with pytest.raises(FileError, match=r"line 3, column 1 .'id'.: a missing id"):
            read_partition(path, **options)


def test_a_cell_of_control_characters_makes_a_printable_line(put):
    for content in ("id,x\na,1\n\x1c,2\nc,1\n", "id,x,y\na,1,0\nb,\x1c,1\nc,0,1\n"):
        with pytest.raises(FileError, match="line 3.*a missing .*empty") as caught:
            read_partition(put("P.csv", content))
        assert str(caught.value).isprintable()


def test_tables_leave_out_objects_with_missing_values_if_asked(put):
    path = put("P.csv", "id,x\na,1\nb,NA\nc,3\n")
    table = read_table(path, missing="drop")
    assert table.ids.tolist() == ["a", "c"]
    assert table.matrix().tolist() == [[1.0], [3.0]]
    words = ("cluster", path, "--k", "2", "--missing", "drop", "--quiet")
    assert output_of(*words).count("\n") == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"skip": -1}, "skip must be at least 0"),
        ({"column": ["x"]}, "no column \\['x'\\]; there are 'x', 'y'"),
        ({"columns": "xy"}, "columns= is a list of two or more"),
        ({"missing": "keep"}, 'missing must be "drop"'),
        ({"encoding": "hex"}, "not encoded in 'hex'"),
        (
            {"column": 1, "columns": [1, 2]},
            "column= names one of labels, or columns=",
        ),
        ({"columns": [1]}, "columns= is a list of two or more of memberships"),
    ],
)
def test_what_no_file_can_be_read_by_is_refused(put, options, message):
    path = put("P.csv", "x,y\n0.5,0.5\n1,0\n")
    with pytest.raises((ValueError, TypeError), match=message):
        read_partition(path, **options)


# Labels that are none


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "(0.1; 0.9)\n(0.1; 0.9)\n(0.2; 0.8)\n",
            "memberships need one column per cluster",
        ),
        ("u\nv\nw\n", "is it a heading or an object"),
        ("label\nu\nv\nw\n", "no label occurs twice"),
        (f"label\n{'9' * 400}\n1\n2\n", r"the first is 9{36}\.\.\.\)"),
        ("0.25\n0.5\nx\n", "labels are whole numbers or text"),
    ],
)
def test_text_that_cannot_be_labels_is_refused(put, content, message):
    with pytest.raises(FileError, match=message):
        read_partition(put("P.csv", content), delimiter="none")


def test_text_is_a_label_if_that_is_said(put):
    path = put("P.csv", "label\nu\nv\n0.5\n")
    assert labels_of(read_partition(path, labels_as_text=True)) == ["u", "v", "0.5"]


# Compression


@pytest.mark.parametrize(
    "compress",
    [gzip.compress, bz2.compress, lzma.compress, None],
    ids=["gzip", "bzip2", "xz", "zstd"],
)
def test_a_damaged_compressed_file_is_told(put, compress):
    if compress is None:
        import pyarrow

        def compress(data):
            return pyarrow.Codec("zstd").compress(data).to_pybytes()

    rng = np.random.default_rng(0)
    text = "".join(f"{x},{1 - x}\n" for x in rng.random(3000))
    data = compress(text.encode())
    assert read_partition(put("P.csv", data)).n_objects == 3000
    damages = [data[: len(data) * part // 20] for part in range(1, 20)]
    for damaged in [*damages, data[:-1]]:
        with pytest.raises(FileError) as caught:
            read_partition(put("P.csv", damaged))
        assert str(caught.value).startswith("P.csv")
        assert "damaged" in str(caught.value)


def test_several_compressed_streams_are_one_file(put):
    for compress in (gzip.compress, bz2.compress, lzma.compress):
        data = compress(b"1\n0\n") + compress(b"1\n1\n")
        assert read_partition(put("P.csv", data)).labels.tolist() == [1, 0, 1, 1]


def test_a_file_that_expands_beyond_reason_is_given_up(put, monkeypatch):
    monkeypatch.setattr("concordant.storage.source.memory", lambda: 16 << 20)
    path = put("P.csv", gzip.compress(b"1\n" * (1 << 20)))
    with pytest.raises(FileError, match="longer than 0.00105 GB"):
        read_partition(path)


def test_a_shape_that_is_not_made_of_integers_is_refused(put):
    text = "{'descr':'<f8','fortran_order':False,'shape':(True,2),}"
    header = text.ljust(117).encode() + b"\n"
    start = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little")
    path = put("P.npy", start + header + np.array([0.5, 0.5]).tobytes())
    with pytest.raises(FileError, match="not a NumPy file"):
        read_partition(path)


# Rounding


@pytest.mark.parametrize("digits", [2, 3, 4])
def test_rounded_tables_give_what_the_definitions_give(put, digits):
    rng = np.random.default_rng(digits)
    U, V = (rng.dirichlet([1.0] * 3, 12).round(digits) for _ in range(2))
    assert (abs(U.sum(axis=1) - 1.0) > 1e-5).any()
    for name, matrix in (("U.csv", U), ("V.csv", V)):
        np.savetxt(name, matrix, fmt=f"%.{digits}f", delimiter=",")
    words = ["compare", "U.csv", "V.csv", "--family", "all", "--json"]
    document = json.loads(output_of(*words))
    aci = document["concordance"]["aci"]
    assert aci == pytest.approx(reference.aci(U, V), abs=1e-12)
    scores = [x for x in document["scores"] if x["index"] == "adjusted_rand"]
    assert len(scores) == len(document["tables"]) == 8
    for score in scores:
        options = {"t_norm": score["t_norm"]} if score["t_norm"] else {}
        a, b, c, d = getattr(reference, score["family"])(U, V, **options)
        expected = reference.adjusted_rand(a, b, c, d)
        assert score["value"] == pytest.approx(expected, abs=1e-12)
    for path in ("U.csv", "V.csv"):
        (remark,) = read_partition(path).remarks
        assert f"rounded to {digits} digits" in remark


def test_rows_are_divided_by_their_sums_if_asked(put):
    put("P.csv", "5,15\n10,10\n20,0\n")
    put("Q.csv", "25%,75%\n50%,50%\n100%,0%\n")
    told = fault_of("compare", "P.csv", "Q.csv")
    assert told.startswith("P.csv, line 1, column 1: found 5, but memberships lie")
    document = described("P.csv", "Q.csv", "--normalize", "--only", "P.csv")
    assert document["concordance"]["aci"] == 1.0
    assert "divided by their sums" in document["P"]["remarks"][0]
    put("L.csv", "1\n0\n")
    told = fault_of("compare", "L.csv", "L.csv", "--normalize")
    assert "--normalize is for memberships, but all files hold labels" in told


def test_a_heading_with_control_characters_makes_a_printable_line(put):
    path = put("P.csv", "a,b\x01c,d\n0.5,0.25,0.25\n0.5,7.5,0.25\n")
    with pytest.raises(FileError, match="columns= those of memberships") as caught:
        read_partition(path)
    assert str(caught.value).isprintable()
