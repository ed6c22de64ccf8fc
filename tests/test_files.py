"""Files are read as they are, or refused in one line that says what and where."""

import builtins
import errno
import io
import os
import stat
import subprocess
import sys
import tracemalloc
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather
from scipy import sparse

import concordant as cc
from concordant.files import (
    FileError,
    read_partition,
    read_table,
    table_text,
    write_bytes_atomically,
    write_table,
    write_text_atomically,
)
from concordant.files.columns import labels_of

FUZZY = np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]])
LABELS = np.array([0, -1, -1])
NAMES = ["Ann", "Bob", "Cyd"]


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Write a file into the working directory, so that messages show its bare name."""
    monkeypatch.chdir(tmp_path)

    def write(content, name="P.csv"):
        data = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(data)
        return name

    return write


def npy(array, **options):
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


def npz(**arrays):
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def npy_header(text):
    header = text.ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header


# What is read


@pytest.mark.parametrize(
    ("text", "ids", "clusters"),
    [
        ("0.25,0.75\n0.5,0.5\n1,0\n", None, [0, 1]),
        ("0.25,0.75\n0.5,0.5\n1,0", None, [0, 1]),
        ("0.25,0.75\r\n0.5,0.5\r\n1,0\r\n\r\n", None, [0, 1]),
        ("0.25\t0.75\n0.5\t0.5\n1\t0\n", None, [0, 1]),
        ("0.25;0.75\n0.5;0.5\n1;0\n", None, [0, 1]),
        ("0,25;0,75\n0,5;0,5\n1;0\n", None, [0, 1]),
        ("0.25, 0.75\n0.5, 0.5\n1, 0\n", None, [0, 1]),
        ('"0.25","0.75"\n"0.5","0.5"\n"1","0"\n', None, [0, 1]),
        ("x,y\n0.25,0.75\n0.5,0.5\n1,0\n", None, ["x", "y"]),
        ("\ufeffx,y\n0.25,0.75\n0.5,0.5\n1,0\n", None, ["x", "y"]),
        ("id,x,y\n7,0.25,0.75\n8,0.5,0.5\n9,1,0\n", ["7", "8", "9"], ["x", "y"]),
        ("x,Name,y\n0.25,a,0.75\n0.5,b,0.5\n1,c,0\n", ["a", "b", "c"], ["x", "y"]),
        ("Ann,0.25,0.75\nBob,0.5,0.5\nCyd,1,0\n", NAMES, [0, 1]),
        (",0,1\n0,0.25,0.75\n1,0.5,0.5\n2,1,0\n", ["0", "1", "2"], ["0", "1"]),
        ("x\ty\nAnn\t0.25\t0.75\nBob\t0.5\t0.5\nCyd\t1\t0\n", NAMES, ["x", "y"]),
        ('"A ""1"", n",0.25,0.75\nb,0.5,0.5\nc,1,0\n', ['A "1", n', "b", "c"], [0, 1]),
        (
            '"two\nlines",0.25,0.75\nb,0.5,0.5\nc,1,0\n',
            ["two\nlines", "b", "c"],
            [0, 1],
        ),
        ("😀,0.25,0.75\nשלם,0.5,0.5\n<b>,1,0\n", ["😀", "שלם", "<b>"], [0, 1]),
    ],
)
def test_memberships_are_found_in_text(put, text, ids, clusters):
    P = read_partition(put(text))
    assert P.kind == "fuzzy"
    np.testing.assert_array_equal(P.memberships, FUZZY)
    assert (P.ids if P.ids is None else P.ids.tolist()) == ids
    assert P.clusters.tolist() == clusters


@pytest.mark.parametrize(
    ("text", "ids", "labels"),
    [
        ("1\n0\n-2\n1\n", None, [1, 0, -2, 1]),
        ("0.0\n1.0\n-2.0\n1.0\n", None, [0, 1, -2, 1]),
        ("cluster\n0\n1\n-2\n0\n", None, [0, 1, -2, 0]),
        ("b\na\nb\n", None, ["b", "a", "b"]),
        ("species\na\nb\n", None, ["a", "b"]),
        ("label\na\nb\n", None, ["a", "b"]),
        ("Ann,1\nBob,0\n", ["Ann", "Bob"], [1, 0]),
        ("Ann,x\nBob,x\n", ["Ann", "Bob"], ["x", "x"]),
        ("id,species\n1,x\n2,x\n", ["1", "2"], ["x", "x"]),
        ("label;name\nx;Ann\nx;Bob\n", ["Ann", "Bob"], ["x", "x"]),
        ("007,x\n", None, None),
        ("1\n2\nnoise\n1\n", None, ["1", "2", "noise", "1"]),
        ("True\nFalse\n", None, ["True", "False"]),
        ("2\n1_0\n3\n2\n", None, ["2", "1_0", "3", "2"]),
        # Doubles would hold each two of these as one.
        ("9007199254740993\n9007199254740992\n", None, [2**53 + 1, 2**53]),
        ("label\n-2\n9223372036854775809\n", None, [-2, 2**63 + 1]),
        ("1180591620717411303424\n1180591620717411303425\n", None, [2**70, 2**70 + 1]),
        (f"id,label\n{2**62},1\n{2**62 + 1},0\n", [str(2**62), str(2**62 + 1)], [1, 0]),
        (
            f"name,label\n{2**62},1\n{2**62 + 1},0\n",
            [str(2**62), str(2**62 + 1)],
            [1, 0],
        ),
    ],
)
def test_labels_are_found_in_text(put, text, ids, labels):
    path = put(text)
    if labels is None:
        with pytest.raises(FileError, match=r"no objects|only one object"):
            read_partition(path)
        return
    P = read_partition(path)
    assert P.kind == "crisp"
    assert P.clusters[P.labels].tolist() == labels
    assert (P.ids if P.ids is None else P.ids.tolist()) == ids


def test_what_was_found_can_be_given_instead(put):
    path = put("0 1\n1 0\n")
    P = read_partition(path, delimiter=" ", header=False)
    assert P.labels.tolist() == [1, 0]
    path = put("3,0.5,0.5\n4,0,1\n")
    assert read_partition(path, id_column=1).ids.tolist() == ["3", "4"]
    assert read_partition(path, id_column="1").ids.tolist() == ["3", "4"]
    path = put("k,x,y\n3,0.5,0.5\n4,0,1\n")
    assert read_partition(path, id_column="k").ids.tolist() == ["3", "4"]
    path = put("id,y\n0.5,0.5\n0,1\n")
    P = read_partition(path, id_column=0)
    assert P.ids is None
    assert P.clusters.tolist() == ["id", "y"]


def test_a_header_of_numbers_must_be_told(put):
    path = put("0,1\n0.25,0.75\n0.5,0.5\n1,0\n")
    with pytest.raises(
        FileError, match=r"P.csv, line 1: is it a heading or an object\?"
    ):
        read_partition(path)
    assert read_partition(path, header=True).clusters.tolist() == ["0", "1"]
    assert read_partition(path, header=False).n_objects == 4
    with pytest.raises(FileError, match="line 1: is it a heading"):
        read_partition(put("x,0.5\n0.5,0.5\n1,0\n"))


def test_noise_and_kind_are_passed_on(put):
    assert read_partition(put("1\n1\n-1\n"), noise="drop").n_objects == 2
    path = put("0.5,0.25\n0.5,0.5\n")
    assert read_partition(path, noise="column").n_clusters == 3
    assert read_partition(path, kind="possibilistic").kind == "possibilistic"
    with pytest.raises(FileError, match=r"P\.csv, line 1: memberships sum to 1\.5"):
        read_partition(put("1,0.5\n0.5,0.5\n"), noise="column")
    with pytest.raises(FileError, match=r"P\.csv: data is fuzzy, not crisp"):
        read_partition(put("0.25,0.75\n0.5,0.5\n"), kind="crisp")
    with pytest.raises(FileError, match=r'P.csv: noise="column" is for memberships'):
        read_partition(put("1\n0\n"), noise="column")


@pytest.mark.parametrize("dtype", ["f8", ">f8", "f4", "f2"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_memberships_are_read(put, dtype, order):
    path = put(npy(np.array(FUZZY, dtype=dtype, order=order)), "P.npy")
    np.testing.assert_array_equal(read_partition(path).memberships, FUZZY)


@pytest.mark.parametrize("dtype", ["i1", ">i4", "i8", "f8", "U3"])
def test_npy_labels_are_read(put, dtype):
    labels = np.array([2, 1, 2]).astype(dtype)
    P = read_partition(put(npy(labels), "P.npy"))
    expected = ["2", "1", "2"] if dtype == "U3" else [2, 1, 2]
    assert P.clusters[P.labels].tolist() == expected


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_npz_arrays_are_read_with_their_ids(put, save):
    stream = io.BytesIO()
    save(stream, P=FUZZY, ids=np.array(NAMES))
    P = read_partition(put(stream.getvalue(), "P.npz"))
    assert P.ids.tolist() == NAMES
    np.testing.assert_array_equal(P.memberships, FUZZY)


def packed(**changes):
    """Give the arrays of a sparse matrix, as SciPy saves it, some of them changed."""
    matrix = sparse.csr_matrix(FUZZY)
    arrays = {
        "indices": matrix.indices,
        "indptr": matrix.indptr,
        "format": np.array(b"csr"),
        "shape": np.array(matrix.shape),
        "data": matrix.data,
    }
    return npz(**(arrays | changes))


def test_sparse_matrices_are_read_without_other_arrays_beside_them(put):
    P = read_partition(put(packed(), "P.npz"))
    np.testing.assert_array_equal(P.memberships, FUZZY)
    with pytest.raises(FileError, match="say which one with array='indices'"):
        read_partition(put(packed(ids=[3, 4, 5]), "P.npz"))


def test_entries_of_one_cell_of_a_sparse_matrix_add_up(put):
    coo = npz(
        format=np.array("coo"),
        shape=[2, 2],
        row=[0, 0, 0, 1, 1],
        col=[0, 0, 1, 0, 1],
        data=[0.25, 0.5, 0.25, 0.5, 0.5],
    )
    P = read_partition(put(coo, "P.npz"))
    assert P.memberships.tolist() == [[0.75, 0.25], [0.5, 0.5]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"indices": [0, 1, 0, 1, 7]}, "not a NumPy file .* or a damaged one"),
        ({"indices": [0, 1, 0, 1, -1]}, "not a NumPy file .* or a damaged one"),
        ({"indices": [0, 1, 0, 1, 2**64 - 1]}, "not a NumPy file .* or a damaged one"),
        ({"indices": [0, 1, 0, 1]}, "not a NumPy file .* or a damaged one"),
        ({"indptr": [0, 2, 5]}, "not a NumPy file .* or a damaged one"),
        ({"indptr": [0, 4, 2, 5]}, "not a NumPy file .* or a damaged one"),
        ({"indptr": [1, 2, 4, 5]}, "not a NumPy file .* or a damaged one"),
        ({"data": np.ones((5, 1))}, "not a NumPy file .* or a damaged one"),
        ({"data": np.array([*"abcde"])}, "not a NumPy file .* or a damaged one"),
        ({"shape": [3]}, "not a NumPy file .* or a damaged one"),
        ({"shape": [3, 0]}, "not a NumPy file .* or a damaged one"),
        ({"shape": [2**40, 2**20]}, "not a NumPy file .* or a damaged one"),
        ({"shape": [3, 2**48]}, "memory"),
        ({"format": np.array(b"bsr")}, "not a NumPy file .* or a damaged one"),
        ({"format": np.array("x" * 70_000)}, "not a NumPy file .* or a damaged one"),
    ],
)
def test_a_fault_in_a_sparse_matrix_is_told(put, changes, message):
    with pytest.raises(FileError, match=message):
        read_partition(put(packed(**changes), "P.npz"))


def test_one_of_several_npz_arrays_can_be_chosen(put):
    path = put(npz(P=FUZZY, Q=LABELS, id=[3, 4, 5]), "P.npz")
    with pytest.raises(FileError, match=r"holds 'P', 'Q', 'id'; say which one"):
        read_partition(path)
    with pytest.raises(
        FileError, match="holds 'P', 'Q', 'id'; say which one with array='P'"
    ):
        read_partition(path, array="R")
    assert read_partition(path, array="Q", noise="drop").ids.tolist() == ["3"]


@pytest.mark.parametrize("suffix", ["parquet", "pq", "feather", "arrow"])
def test_columnar_files_are_read(put, tmp_path, suffix):
    frame = pd.DataFrame(FUZZY, columns=["x", "y"])
    frame.insert(0, "id", NAMES)
    write = frame.to_parquet if suffix in ("parquet", "pq") else frame.to_feather
    write(tmp_path / f"P.{suffix}")
    P = read_partition(f"P.{suffix}")
    assert P.ids.tolist() == NAMES
    assert P.clusters.tolist() == ["x", "y"]
    np.testing.assert_array_equal(P.memberships, FUZZY)


def test_arrow_streams_categories_and_unnamed_indexes_are_read(put, tmp_path):
    import pyarrow as pa

    table = pa.table({"label": pa.array(["x", "y", "x"]).dictionary_encode()})
    with pa.OSFile("P.arrow", "wb") as file, pa.ipc.new_stream(file, table.schema) as s:
        s.write_table(table)
    P = read_partition("P.arrow")
    assert P.clusters[P.labels].tolist() == ["x", "y", "x"]
    pd.Series([True, False, True], index=NAMES, name="L").to_frame().to_parquet("L.pq")
    L = read_partition("L.pq")
    assert L.ids.tolist() == NAMES
    assert L.labels.tolist() == [1, 0, 1]


@pytest.mark.parametrize("suffix", ["csv", "npy", "npz", "parquet", "feather"])
def test_standard_input_is_read_in_any_format(put, monkeypatch, suffix):
    frame = pd.DataFrame(FUZZY, columns=["x", "y"])
    stream = io.BytesIO()
    if suffix == "csv":
        frame.to_csv(stream, index=False)
    elif suffix.startswith("np"):
        stream = io.BytesIO(npy(FUZZY) if suffix == "npy" else npz(P=FUZZY))
    else:
        getattr(frame, f"to_{suffix}")(stream)
    fake = io.TextIOWrapper(io.BytesIO(stream.getvalue()))
    monkeypatch.setattr(sys, "stdin", fake)
    np.testing.assert_array_equal(read_partition("-").memberships, FUZZY)


def test_faults_of_standard_input_call_it_so(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"0,1\n1\n")))
    with pytest.raises(FileError, match="standard input, line 2: 1 cell where line 1"):
        read_partition("-")


def test_a_pipe_is_read_like_a_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", f"printf '1\\n0\\n' > '{pipe}'"]):
        assert read_partition(pipe).labels.tolist() == [1, 0]


def test_tables_keep_numbers_text_and_places(put):
    table = read_table(put("name,x,kind,y\nAnn,1,a,2.5\nBob,0,b,1e3\n"))
    assert table.ids.tolist() == ["Ann", "Bob"]
    truth = table.column("kind")
    assert labels_of(table, truth)[0].tolist() == ["a", "b"]
    assert table.without(truth).matrix().tolist() == [[1.0, 2.5], [0.0, 1000.0]]
    assert table.column("4") is table.column(4) is table.column("y")
    assert table.column(np.int64(4)) is table.column(4)
    with pytest.raises(FileError, match=r"line 2, column 3 .'kind'.: found 'a', not a"):
        table.matrix()
    with pytest.raises(FileError, match="no column 'z'; there are 'x', 'kind', 'y'"):
        table.column("z")
    with pytest.raises(FileError, match=r"line 3, column 2 .'x'.: found 'inf', not a"):
        read_table(put("a,x\n1,2\n3,inf\n")).matrix()
    with pytest.raises(FileError, match="2 columns are called 'x'; give a number"):
        read_table(put("x,x\n1,2\n3,4\n")).column("x")
    with pytest.raises(FileError, match="no column is left beside column 1"):
        read_table(put("1\n2\n"), id_column=1)


# What is refused: one line that says what and where

FAULTS = {
    "empty file": ("", "P.csv: is empty"),
    "blank lines only": ("\n\n", "P.csv: is empty"),
    "header only": ("x,y\n", "P.csv: has a heading but no objects"),
    "one row": ("x,y\n0,1\n", "P.csv, line 2: only one object; it takes two"),
    "ragged row": ("0.5,0.5\n1\n", "P.csv, line 2: 1 cell where line 1 has 2"),
    "ragged row below a header": (
        "x,y\n0.5,0.5\n0,1,0\n",
        "P.csv, line 3: 3 cells where line 1 has 2",
    ),
    "ragged row after quoted line ends": (
        'id,y\n"a\nb",1\n"c\nd"\n',
        "P.csv, line 4: 1 cell where line 1 has 2",
    ),
    "text in a numeric column": (
        "x,y\n0.5,0.5\n0,1\n1,O\n",
        "P.csv, line 4, column 2 ('y'): found 'O', not a number",
    ),
    "text in the first numeric column": (
        "0.5,0.5\n0.2,0.8\nx,1\n",
        "P.csv, line 3, column 1: found 'x', not a number",
    ),
    "text where decimals are commas": (
        "0,5;0,5\n0,2;0,8\n1;-\n",
        "P.csv, line 3, column 2: a missing value (-); missing=",
    ),
    "comma and point in one column": (
        "0,5;0,5\n0.2;0.8\n0,1;0,9\n",
        "P.csv, line 2, column 1: found '0.2', not a number as the others are",
    ),
    "empty cell": ("0.5,0.5\n,1\n", "P.csv, line 2, column 1: a missing value (empty)"),
    "empty id": ("id,x,y\n,0.5,0.5\nb,0,1\n", "line 2, column 1 ('id'): a missing id"),
    "empty label": (
        "a,x\nb,\nc,x\n",
        "P.csv, line 2, column 2: a missing value (empty)",
    ),
    "empty line": (
        "0.5,0.5\n\n1,0\n",
        "P.csv, line 2: found '', a comment or an empty line",
    ),
    "empty line among labels": (
        "1\n0\n\n1\n",
        "line 3, column 1: a missing value (empty); miss",
    ),
    "NaN": ("0.5,0.5\nnan,1\n", "P.csv, line 2, column 1: a missing value (nan)"),
    "NaN among labels": ("1\nNaN\n1\n", "line 2, column 1: a missing value (NaN)"),
    "NaN among text": ("a\nNaN\na\n", "line 2, column 1: a missing value (NaN)"),
    "infinity": ("0.5,0.5\ninf,1\n", "line 2, column 1: found 'inf', not a number as"),
    "outside": (
        "0.5,0.5\n-0.5,1.5\n",
        "P.csv, line 2, column 1: found -0.5, but memberships lie between 0 and 1",
    ),
    "ids that are not told": (
        "k,x,y\n17,0.5,0.5\n18,0,1\n",
        "P.csv, line 2, column 1 ('k'): found 17, but memberships lie between 0 and 1; "
        "id_column= names the ids",
    ),
    "sum": (
        "x,y\n0.5,0.5\n0.25,0.5\n",
        'P.csv, line 3: memberships sum to 0.75, not to 1; noise="column" makes what '
        "is missing one more cluster",
    ),
    "columns that nearly sum to one, as rows do": (
        "0.5,0.52\n0.5,0.5\n",
        "P.csv, line 1: memberships sum to 1.02, not to 1; normalize=True divides rows",
    ),
    "sum above one": ("0.5,0.75\n0,1\n", "P.csv, line 1: memberships sum to 1.25, not"),
    "transposed": (
        "0.25,0.5,1\n0.75,0.5,0\n",
        "P.csv, line 1: memberships sum to 1.75, not to 1; its columns do: "
        "transpose=True reads one object per column",
    ),
    "fractional labels": (
        "0.25\n0.5\n",
        "P.csv, line 1, column 1: found '0.25', but labels are whole numbers or text; "
        "memberships need one column per cluster",
    ),
    "labels beyond 2**53": (
        "1e300\n2\n",
        "line 1, column 1: found '1e300', but labels",
    ),
    "duplicate ids": (
        "id,x,y\na,0.5,0.5\nb,0,1\na,1,0\n",
        "P.csv, line 4, column 1 ('id'): the id 'a' already occurs in line 2",
    ),
    "duplicate ids without a header": (
        "a,0.5,0.5\na,1,0\n",
        "P.csv, line 2, column 1: the id 'a' already occurs in line 1",
    ),
    "invalid UTF-8": (
        b"id,x,y\nM\xfcnchen,0.5,0.5\nb,0,1\n",
        'P.csv, line 2: not encoded in utf-8; encoding="cp1252"',
    ),
    "not UTF-16": (b"\xff\xfe0,1", "P.csv, line 1: not encoded in utf-16"),
    "NUL": (b"0.5,0.5\n0,\x001\n", "P.csv, line 2: holds a NUL: is it a table?"),
    "open quote": (
        'x,y\n"0.5,0.5\n0,1\n',
        "P.csv, line 2: not a row of cells, each in quotes",
    ),
    "text after a quote": (
        '"a"b\n"c"\n',
        "P.csv, line 1: not a row of cells, each in quotes",
    ),
    "mixed line ends": (
        "0,1\r1,0\n",
        "P.csv, line 1: holds a lone carriage return",
    ),
    "long cell": ("a\n" + "b" * 200_000, "line 2: not a row of cells"),
    "long line": (b"0," * (1 << 23) + b"0\n", "P.csv, line 1: holds more than 16 MiB"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_text_is_told_in_one_line_with_its_place(put, name):
    content, message = FAULTS[name]
    with pytest.raises(FileError) as caught:
        read_partition(put(content))
    told = str(caught.value)
    assert message in told
    assert told.startswith("P.csv")
    assert "\n" not in told
    assert len(told) < 250


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(FileError, match=r"nothing\.csv: no such file$"):
        read_partition(tmp_path / "nothing.csv")
    (tmp_path / "file").write_text("0\n")
    with pytest.raises(FileError, match="cannot be read: not a directory"):
        read_partition(tmp_path / "file" / "P.csv")


def test_a_directory_is_told(tmp_path):
    with pytest.raises(FileError, match="is a directory, not a file"):
        read_partition(tmp_path)


def test_a_file_that_may_not_be_read_is_told(put, monkeypatch):
    path = put("0\n1\n")

    def refuse(*args, **kwargs):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(builtins, "open", refuse)
    with pytest.raises(FileError, match=r"P\.csv: cannot be read: permission denied"):
        read_partition(path)


@pytest.mark.parametrize("name", ["a\nb.csv", "\udcff.csv", "a\0b"])
def test_a_strange_name_makes_one_printable_line(tmp_path, name):
    with pytest.raises(FileError) as caught:
        read_partition(tmp_path / name)
    assert str(caught.value).isprintable()


def test_a_delimiter_of_two_characters_is_refused(put):
    with pytest.raises(
        FileError, match="delimiter must be one character or .*, found '::'"
    ):
        read_partition(put("0\n1\n"), delimiter="::")


def test_a_pickled_object_is_never_loaded(put, tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    objects = np.array([Trap(), Trap()], dtype=object)
    for path in (
        put(npy(objects, allow_pickle=True), "P.npy"),
        put(npz(P=objects), "P.npz"),
    ):
        with pytest.raises(
            FileError, match=f"{path}: not a NumPy file of numbers .*Object"
        ):
            read_partition(path)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"P\.npy: not a NumPy file"),
        (b"0,1\n1,0\n", r"P\.npy: not a NumPy file"),
        (npy(FUZZY)[:20], r"P\.npy: not a NumPy file"),
        (
            npy(FUZZY)[:-1],
            "not a NumPy file",
        ),
        (npy(FUZZY) + b"x", "damaged one .there is more after its array"),
        (npy(np.zeros((2, 2, 2))), r"labels \(1-D\) or a matrix .* shape \(2, 2, 2\)"),
        (npy(np.float64(1)), r"shape \(\)"),
        (npy(np.zeros((0, 2))), r"an array of shape \(0, 2\)"),
        (npy(np.ones(3, dtype=complex)), "holds complex128, not numbers or text"),
        (npy(np.zeros(3, dtype="M8[s]")), r"holds datetime64\[s\], not numbers"),
        (npy(np.zeros(3, dtype=[("a", "f8")])), "not numbers or text"),
        (npy(np.array([[0.5, np.nan], [0, 1]])), "row 1, column 2: a missing value"),
        (npy(np.array([[0.5, 0.5], [0.5, 0.6]])), "row 2: memberships sum to 1.1"),
        (npy(FUZZY.T), r"row 1: .*transpose=True"),
        (npy(np.array([0.5, 1.0])), "row 1, column 1: found 0.5, but labels"),
        (npy(np.array([1])), "row 1: only one object"),
        (npy(np.array(["a", ""])), r"row 2, column 1: a missing value \(empty\)"),
        (npy(np.array([b"a", b"b"])), "holds .S1, not numbers or text"),
        (npy(np.array(["a", "b"]))[:-1] + b"\xff", "holds text that is not Unicode"),
        (npy(np.array(["a", "\udcff"])), "holds text that is not Unicode"),
        (
            npy_header("{'descr': '<f8', 'fortran_order': False, 'shape': (2**40, 9)}"),
            "not a NumPy file",
        ),
        (
            npy_header("{'descr':'<f8','fortran_order':False,'shape':(10**12,),}"),
            "not a NumPy file",
        ),
        (
            npy_header(
                "{'descr':'<f8','fortran_order':False,'shape':(134217728000,3),}"
            ),
            "not a NumPy file",
        ),
        (
            npy_header("{'descr':'<f8','fortran_order':False,'shape':(-1,-9),}"),
            "not a NumPy file",
        ),
        (
            npy_header("{'descr':'<U0','fortran_order':False,'shape':(10000000,),}"),
            "not numbers or text",
        ),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff{", "not a NumPy file"),
    ],
)
def test_a_fault_in_an_npy_file_is_told(put, content, message):
    path = put(content, "P.npy")
    with pytest.raises(FileError, match=message) as caught:
        read_partition(path)
    assert str(caught.value).startswith("P.npy")
    assert "\n" not in str(caught.value)


def zipped(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"P\.npz: not a NumPy file"),
        (npz(P=FUZZY)[:-30], r"P\.npz: not a NumPy file"),
        (npz(P=FUZZY).replace(b"\x3f", b"\x3e"), "a damaged one .*CRC"),
        (zipped(), "holds no array; unpack it, or save it as CSV"),
        (zipped(P=npy(FUZZY)[:-4]), "a damaged one .*expected 48 bytes"),
        (
            zipped(P=npy(FUZZY), ids=npy(LABELS[:2])),
            r"'ids' cannot be the ids of its objects",
        ),
        (zipped(P=npy(FUZZY), ids=npy(np.zeros(3))), "ids must be text or whole"),
        (zipped(P=npy(FUZZY), ids=npy(np.array([1, 2, 1]))), "row 3, array .'ids'.: "),
    ],
)
def test_a_fault_in_an_npz_file_is_told(put, content, message):
    with pytest.raises(FileError, match=message):
        read_partition(put(content, "P.npz"))


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            pd.DataFrame({"x": [0.5, None], "y": [0.5, 1]}),
            "row 2, column 1 .'x'.: a mi",
        ),
        (pd.DataFrame({"x": ["a", None]}), r"row 2, column 1 \('x'\): a missing value"),
        (pd.DataFrame({"x": [[1], [2]]}), r"column 1 \('x'\): holds list<"),
        (pd.DataFrame({"x": pd.to_datetime(["2020", "2021"])}), "holds timestamp"),
        (
            pd.DataFrame({"x": [0.5, 0.5], "y": ["a", "b"]}),
            "row 1, column 2 .*'a', not",
        ),
        (pd.DataFrame({"x": [0.5, 0.5], "y": [0.5, 0.6]}), "row 2: memberships sum to"),
        (
            pd.DataFrame({"id": [1, 1], "y": [3, 4]}),
            "the id '1' already occurs in row 1",
        ),
        (pd.DataFrame({"x": []}), "is empty: it has no rows or no columns"),
        (pd.DataFrame(index=range(3)), "is empty: it has no rows or no columns"),
    ],
)
@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_a_fault_in_a_columnar_file_is_told(put, frame, message, suffix):
    getattr(frame, f"to_{suffix}")(f"P.{suffix}")
    with pytest.raises(FileError, match=message):
        read_partition(f"P.{suffix}")


@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrow"])
def test_a_truncated_or_foreign_columnar_file_is_told(put, suffix):
    frame = pd.DataFrame(FUZZY, columns=["x", "y"])
    stream = io.BytesIO()
    (frame.to_parquet if suffix == "parquet" else frame.to_feather)(stream)
    for content in (b"", b"0,1\n1,0\n", stream.getvalue()[:-20]):
        with pytest.raises(FileError, match=f"P.{suffix}: a damaged or foreign file"):
            read_partition(put(content, f"P.{suffix}"))


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_without_pyarrow_it_is_named(put, monkeypatch, suffix):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FileError, match="need pyarrow: pip install pyarrow"):
        read_partition(put(b"PAR1", f"P.{suffix}"))


def test_reading_text_and_arrays_imports_no_heavy_module(put):
    put("0.5,0.5\n0,1\n")
    put(npy(FUZZY), "P.npy")
    heavy = {"pandas", "sklearn", "numba", "dask", "matplotlib", "pyarrow"}
    code = (
        "import sys; from concordant.files import read_partition as r;"
        f"r('P.csv'); r('P.npy'); print(sorted({heavy} & set(sys.modules)))"
    )
    path = os.pathsep.join(p for p in sys.path if p)
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert ran.stdout.strip() == "[]"


def test_partitions_from_files_are_aligned_by_id(put):
    P = read_partition(put("id,x\na,0\nb,0\nc,1\n", "P.csv"))
    Q = read_partition(put(npz(Q=np.array([1, 0, 0]), ids=np.array([*"cab"])), "Q.npz"))
    assert cc.compare(P, Q, match_by="id").concordance.aci == 1.0


# What is written


@pytest.mark.parametrize("name", ["P.csv", "P.tsv"])
@pytest.mark.parametrize("ids", [None, ['A "1", n', "two\nlines", "\t😀;"]])
def test_a_table_comes_back_bit_for_bit(put, name, ids):
    rng = np.random.default_rng(0)
    matrix = rng.dirichlet([1.0, 1.0, 1.0], size=3)
    write_table(name, matrix, names=["x", "y, z", "<b>"], ids=ids)
    P = read_partition(name)
    np.testing.assert_array_equal(P.memberships, matrix)
    assert P.clusters.tolist() == ["x", "y, z", "<b>"]
    assert (P.ids if P.ids is None else P.ids.tolist()) == ids


def test_table_text_has_all_digits():
    text = table_text(np.array([[0.1 + 0.2, 1e-300]]), names=["x", "y"])
    assert text == "x,y\n0.30000000000000004,1e-300\n"


def test_writing_replaces_the_file_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "out.txt"
    write_text_atomically(path, "one\n")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.chmod(0o640)
    write_text_atomically(path, "two é\n")
    assert path.read_bytes() == "two é\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [*tmp_path.iterdir()] == [path]


def test_writing_through_a_link_leaves_the_link(tmp_path):
    path, link = tmp_path / "out.txt", tmp_path / "link"
    path.write_text("one")
    link.symlink_to(path)
    write_text_atomically(link, "two")
    assert link.is_symlink()
    assert path.read_text() == "two"


@pytest.mark.parametrize("fails", ["fsync", "replace"])
@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), FileError),
        (OSError(errno.EROFS, os.strerror(errno.EROFS)), FileError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
    ids=["full", "read-only", "interrupted"],
)
def test_a_write_that_fails_leaves_what_was_there(
    tmp_path, monkeypatch, fails, error, raised
):
    path = tmp_path / "out.txt"
    path.write_text("before")

    def fail(*args):
        raise error

    monkeypatch.setattr(os, fails, fail)
    with pytest.raises(raised, match=r"cannot be written|^$"):
        write_text_atomically(path, "after")
    assert path.read_text() == "before"
    assert [*tmp_path.iterdir()] == [path]


def test_a_full_device_is_told():
    with pytest.raises(FileError, match="/dev/full: cannot be written: no space left"):
        write_bytes_atomically("/dev/full", b"x" * 20_000)


def test_a_device_is_written_to_and_not_replaced():
    write_text_atomically(os.devnull, "gone")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(FileError, match="is a directory, not a file"):
        write_text_atomically(tmp_path, "x")
    with pytest.raises(FileError, match=r"x\.csv: cannot be written: no directory"):
        write_text_atomically(tmp_path / "missing" / "x.csv", "x")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match=r"x\.csv: cannot be written: no directory"):
        write_text_atomically(tmp_path / "file" / "x.csv", "x")
    with pytest.raises(FileError, match="a path cannot contain a NUL"):
        write_text_atomically("a\0b", "x")
    with pytest.raises(FileError, match="/proc/x: cannot be written: no directory"):
        write_text_atomically("/proc/x", "x")


def test_a_long_label_in_a_dictionary_is_held_once(tmp_path):
    path, texts = tmp_path / "labels.feather", pa.array(["x" * 20_000, "b", "unused"])
    codes = pa.array([0, 1, None, *[0] * 20_000], pa.int32())
    labels = pa.DictionaryArray.from_arrays(codes, texts)
    feather.write_feather(pa.table({"label": labels}), path, compression="zstd")
    tracemalloc.start()
    found = read_partition(path, missing="drop")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [len(name) for name in found.clusters] == [1, 20_000]
    assert found.n_objects == 20_002
    assert most < 100 << 20
