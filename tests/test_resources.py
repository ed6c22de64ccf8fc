"""What would take too much is refused before it is taken, or done in parts."""

import contextlib
import io
import os
import threading
import zipfile

import numpy as np
import pytest
from command_line import fault_of, output_of, process, run

import concordant as cc
from concordant import compute
from concordant.cli import in_parts
from concordant.files import FileError, read_partition
from concordant.files.formats import open_in_parts
from concordant.storage import memory

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from pyarrow import feather, parquet  # noqa: E402  (only if it is there)

GIGABYTE = 10**9


@pytest.fixture
def little_memory(monkeypatch):
    """Give a machine of 100 MB."""
    monkeypatch.setattr(memory, "_of_machine", lambda: GIGABYTE // 10)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "P.csv").write_text("0\n1\n1\n")
    return tmp_path


def test_memory_is_what_the_least_limit_leaves(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "_of_machine", lambda: 8)
    monkeypatch.setattr(memory, "_of_process", lambda: None)
    (tmp_path / "memory.max").write_text("max\n")
    monkeypatch.setattr(memory, "_CONTROL_GROUPS", [tmp_path / "memory.max"])
    assert memory.memory() == 8
    (tmp_path / "memory.max").write_text("5\n")
    assert memory.memory() == 5
    assert memory.excess(5) == ""
    assert memory.excess(6_400_000_000) == (
        "would take 6.4 GB of memory, and there are 5e-09 GB"
    )


def parquet_bomb(path, n_rows):
    """Write equal rows, of which Parquet keeps one."""
    half = pyarrow.array(np.full(n_rows, 0.5))
    parquet.write_table(pyarrow.table({"x": half, "y": half}), path)
    assert os.path.getsize(path) < n_rows * 16 // 256


def test_a_parquet_file_is_as_large_as_what_is_in_it(monkeypatch, folder):
    monkeypatch.setattr(memory, "_of_machine", lambda: GIGABYTE // 50)
    for name in ("P.parquet", "Q.parquet"):
        parquet_bomb(folder / name, 1 << 17)
    files = ["P.parquet", "Q.parquet"]
    assert sum(map(os.path.getsize, files)) * 64 < memory.memory()
    assert in_parts.are_larger_than_memory(files)
    result = run("compare", *files, "--family", "frigui", "--json")
    assert result.exit_code == 0
    assert '"n_objects": 131072' in result.stdout


def test_what_cannot_be_read_in_parts_is_refused_with_what_it_would_take(
    little_memory, folder
):
    parquet_bomb(folder / "P.parquet", 10_000_000)
    assert fault_of("compare", "P.parquet", "P.csv") == (
        "P.parquet: would take 0.96 GB of memory, and there are 0.1 GB; Parquet, "
        "Arrow, Feather and .npy files can be compared a part at a time"
    )


def npz_bomb(path, shape, n_zeros):
    head = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(head, header)
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.npy", "w") as member,
    ):
        member.write(head.getvalue())
        for _ in range(n_zeros // (1 << 20)):
            member.write(bytes(1 << 20))


@pytest.mark.parametrize("shape", [(1 << 20, 2), (1 << 22, 4)])
def test_a_small_archive_of_much_is_refused_before_it_is_unpacked(
    shape, folder, little_memory, monkeypatch
):
    message = "would take 0.805 GB of memory, and there are 0.1 GB"
    npz_bomb(folder / "F.npz", shape, 1 << 27)
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("unpacked"))
    assert message in fault_of("compare", "F.npz", "P.csv")


@pytest.mark.parametrize("name", ["big.npy", "big.npz", "big.parquet", "big.arrow"])
def test_a_file_larger_than_memory_is_refused_before_it_is_read(
    name, folder, little_memory
):
    with open(folder / name, "wb") as stream:
        stream.truncate(GIGABYTE)  # which takes no room
    told = fault_of("compare", name, "P.csv")
    assert told.startswith(f"{name}: would take ")
    assert " GB of memory, and there are 0.1 GB; Parquet, Arr" in told


@pytest.mark.parametrize("more", [{}, {"id_column": 0}])
def test_a_device_is_no_file(more):
    with pytest.raises(FileError, match="/dev/zero: is a device, not a file"):
        read_partition("/dev/zero", **more)
    with pytest.raises(FileError, match="/dev/null: is empty"):
        read_partition("/dev/null", **more)


def test_a_device_is_no_standard_input(folder):
    with open("/dev/zero", "rb") as zeros:
        ended = process("compare", "P.csv", "-", stdin=zeros, stderr=-1, text=True)
    assert ended.stderr == "concordant: standard input: is a device, not a file\n"
    assert ended.returncode == 2


def test_a_file_can_be_standard_input(folder):
    words = ("compare", "P.csv", "-", "--no-header")
    with open("P.csv", "rb") as stream:
        ended = process(*words, stdin=stream, stdout=-1, text=True)
    assert ended.stdout == output_of(*words, input="0\n1\n1\n")


@pytest.mark.parametrize("name", ["pipe.csv", "pipe.npy", "pipe.parquet"])
def test_a_pipe_without_end_is_given_up(name, folder, little_memory, monkeypatch):
    monkeypatch.setattr("concordant.storage.source._SHARE", 100)
    os.mkfifo(name)

    def fill():
        with contextlib.suppress(BrokenPipeError), open(name, "wb") as pipe:
            while True:
                pipe.write(b"0\n1\n" * (1 << 14))

    threading.Thread(target=fill, daemon=True).start()
    assert fault_of("compare", name, "P.csv").startswith(
        f"{name}: longer than 0.001 GB, which is too much to hold in memory"
    )


def test_products_of_clusters_that_fit_nowhere_are_refused(folder, little_memory):
    K = 2000
    P = np.full((3, K), 1 / K)
    for family in ("frigui", "brouwer", "anderson"):
        with pytest.raises(MemoryError, match="clusters of P with 2000 of Q would"):
            cc.pair_table(P, P, family=family)
    np.save("P.npy", P)
    words = ("compare", "P.npy", "P.npy", "--index", "rand", "--family", "frigui")
    told = fault_of(*words)
    assert told.startswith("not enough memory: the products of 2000 clusters of P.npy")
    assert "would take 0.257 GB of memory, and there are 0.1 GB; ACI" in told


def write(name, n_rows):
    """Write memberships that do not fit into one part, for any format."""
    memberships = np.tile([[0.25, 0.75], [0.5, 0.5]], (n_rows // 2, 1))
    if name.endswith(".npy"):
        order = "F" if "fortran" in name else "C"
        np.save(name, np.asarray(memberships, order=order))
        return
    table = pyarrow.table({"x": memberships[:, 0], "y": memberships[:, 1]})
    rows = 1 << 16
    if name.endswith(".arrows"):
        with (
            pyarrow.OSFile(name, "wb") as file,
            pyarrow.ipc.new_stream(file, table.schema) as writer,
        ):
            writer.write_table(table, max_chunksize=rows)
    elif name.endswith(".parquet"):
        parquet.write_table(table, name, use_dictionary=False, row_group_size=rows)
    else:
        feather.write_feather(table, name, "uncompressed", chunksize=rows)


@pytest.mark.parametrize(
    "name", ["a.npy", "fortran.npy", "a.feather", "a.arrows", "a.parquet"]
)
def test_a_file_that_becomes_shorter_while_it_is_read_is_told(name, folder):
    write(name, 1 << 19)
    file = open_in_parts(name)
    parts = file.parts()
    next(parts)
    os.truncate(name, os.path.getsize(name) // 4)
    with pytest.raises(FileError, match=rf"^{name}: (became shorter|a damaged)"):
        list(parts)


@pytest.mark.parametrize("name", ["a.npy", "fortran.npy", "a.feather", "a.arrows"])
def test_parts_are_what_the_whole_is(name, folder):
    write(name, 150_000)
    whole = read_partition(name).memberships
    parts = [part.matrix() for part in open_in_parts(name).parts()]
    assert len(parts) == 3
    assert np.array_equal(np.concatenate(parts), whole)


def test_a_checkpoint_is_a_file(folder):
    np.save("P.npy", np.random.default_rng(0).dirichlet([1, 1, 1], 500))
    os.mkfifo("pipe")
    words = ("compare", "P.npy", "P.npy", "--family", "campello", "--index", "rand")
    for place in ("pipe", "/dev/zero"):
        told = fault_of(*words, "--checkpoint", place)
        assert told == f"{place}: is not a file that can be replaced"


def test_long_work_is_told_before_it_begins_with_what_is_short(folder, monkeypatch):
    np.save("P.npy", np.random.default_rng(0).dirichlet([1, 1, 1], 300))
    words = ["compare", "P.npy", "P.npy"]
    assert run(*words).stderr == ""
    monkeypatch.setattr(compute, "seconds_per_pair", lambda n_columns: 1.0)
    assert run(*words).stderr == ""  # ACI and NDC need no visit to all pairs
    # One visit to all pairs, 300 * 299 / 2 of them.
    told = run(*words, "--family", "all").stderr
    assert told.startswith(
        "concordant: visiting all pairs of objects will take 12 hours or more; --tol"
    )
    assert told.endswith("and --jobs -1 uses all cores\n")
    assert told.count("\n") == 1
    assert (
        "will take 6 hours or more"
        in run(*words, "--index", "rand", "--jobs", 2).stderr
    )
    matrix = ["agreement", "P.npy", "P.npy", "P.npy", "--family", "huellermeier"]
    assert "take 37 hours" in run(*matrix, "--index", "rand").stderr
    for quiet in (["--quiet"], ["--tol", "0.1"], ["--family", "frigui"]):
        assert run(*words, "--index", "rand", *quiet).stderr == ""
