"""Files are compared a part at a time as they are all at once."""

import json

import numpy as np
import pytest
from command_line import check_schema, fault_of, output_of, run

import concordant as cc
from concordant.cli import in_parts as streaming
from concordant.files import FileError, formats

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
feather = pytest.importorskip("pyarrow.feather")

N = 1000
RNG = np.random.default_rng(0)
U = RNG.dirichlet(np.ones(3), size=N)
V = 0.5 * (U + RNG.dirichlet(np.ones(3), size=N))
TWO = RNG.dirichlet(np.ones(2), size=N)
LABELS = RNG.integers(4, size=N)
IDS = [f"o{i}" for i in range(N)]


def table(matrix, ids=None):
    columns = {f"c{k}": column for k, column in enumerate(np.atleast_2d(matrix.T))}
    return pyarrow.table(columns if ids is None else {"id": ids, **columns})


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parquet.write_table(table(U, IDS), "U.parquet", row_group_size=270)
    feather.write_feather(table(LABELS, IDS), "L.feather", chunksize=77)
    with pyarrow.ipc.new_stream("L.arrows", table(LABELS).schema) as writer:
        writer.write_table(table(LABELS), max_chunksize=130)
    np.save("L.npy", LABELS)
    np.save("U.npy", U)
    np.save("two.npy", TWO)
    np.save("text.npy", np.array([*"abcd"])[LABELS])
    (tmp_path / "L.csv").write_text("label\n" + "\n".join(map(str, LABELS)))
    monkeypatch.setattr(formats, "ROWS", 128)


def document(*args):
    found = json.loads(output_of("compare", *args, "--json", "--quiet"))
    check_schema(found, "compare")
    return found


@pytest.mark.parametrize(
    ("p", "q"),
    [
        ("U.parquet", "L.feather"),
        ("L.arrows", "U.npy"),
        ("U.parquet", "text.npy"),
        ("two.npy", "two.npy"),
        ("L.npy", "L.feather"),
    ],
)
def test_a_stream_says_what_the_comparison_at_once_says(p, q):
    found, truth = document(p, q, "--stream"), document(p, q, "--no-stream")
    for key in ("P", "Q", "n_objects", "matched_by"):
        assert found[key] == truth[key]

    def by_key(document):
        return {
            (score["index"], score["family"], score["t_norm"]): score["value"]
            for score in document["scores"]
        }

    expected = by_key(truth)
    for key, value in by_key(found).items():
        assert value == pytest.approx(expected[key], rel=1e-9, abs=1e-9), key
    assert {("aci", None, None), ("ndc", None, None)} <= by_key(found).keys()


def test_a_last_part_may_hold_each_label_once(monkeypatch):
    labels = np.array([*"abcd"])[LABELS]
    labels[-3:] = [*"abc"]
    np.save("text.npy", labels)
    monkeypatch.setattr(formats, "ROWS", N - 3)
    words = ("U.npy", "text.npy", "--index", "aci")
    (found,), (whole,) = (
        document(*words, how)["scores"] for how in ("--stream", "--no-stream")
    )
    assert abs(found["value"] - whole["value"]) <= found["error"] + whole["error"]


def test_what_becomes_of_sums_is_said():
    parquet.write_table(table(np.round(U, 2)), "rounded.parquet")
    (told,) = document("rounded.parquet", "L.npy", "--stream")["P"]["remarks"]
    assert told.startswith("memberships are rounded: rows do not sum to 1, and are")
    parquet.write_table(table(0.9 * U), "less.parquet")
    found = document("less.parquet", "L.npy", "--stream", "--noise", "column")
    assert found["P"]["remarks"] == [
        'what is missing from 1 in each row is the cluster "noise"'
    ]
    assert found["Q"]["remarks"] == []
    assert document("U.parquet", "L.npy", "--stream")["P"]["remarks"] == []


def test_threads_do_not_change_a_byte():
    one, two = (
        output_of("compare", "U.parquet", "L.npy", "--stream", "--json", "--jobs", jobs)
        for jobs in (1, 2)
    )
    assert one == two


def test_what_is_left_out_is_told_unless_quiet():
    assert run("compare", "U.parquet", "L.npy", "--stream").stderr == ""
    told = run("compare", "U.parquet", "L.npy", "--stream", "--family", "all")
    assert told.stderr == (
        "concordant: campello and huellermeier need all pairs of objects and are left "
        "out; --no-stream computes them\n"
    )
    words = ("U.parquet", "L.npy", "--stream", "--family", "all", "--quiet")
    assert run("compare", *words).stderr == ""
    assert run("compare", "L.arrows", "L.npy", "--stream").stderr == ""
    shown = output_of("compare", "U.parquet", "U.npy", "--stream", "--quiet")
    assert "NDC and ACI of two fuzzy partitions take all pairs, not one pass" in shown
    assert run("compare", "U.parquet", "U.npy", "--stream").stderr.startswith(
        "concordant: --tol 0.001 estimates NDC and ACI, with their errors, from a "
        "sample of the objects\n"
    )


def test_a_tolerance_gives_an_estimate_of_two_fuzzy_files(monkeypatch):
    monkeypatch.setattr("concordant.streams.object_sample._MOST", 300)
    np.save("V.npy", V)
    words = ["U.parquet", "V.npy", "--stream", "--tol", "0.01", "--seed", "3"]
    words += ["--family", "all"]
    found = document(*words)
    concordance = found["concordance"]
    assert concordance["method"] == "sampled-objects"
    truth = cc.concordance(U, V)
    assert abs(concordance["aci"] - truth.aci) <= concordance["error"] < 1.0
    assert {table["family"] for table in found["tables"]} == {
        "frigui", "brouwer", "anderson",
    }  # fmt: skip
    assert document(*words, "--jobs", "2") == found
    alone = document(*words[:-2], "--index", "aci")
    assert alone["concordance"] == concordance
    assert "ACI" in output_of("compare", *words, "--quiet")


def test_a_tolerance_changes_nothing_where_no_pairs_are_needed():
    words = ["U.npy", "L.npy", "--stream"]
    assert document(*words, "--tol", "0.1") == document(*words)


def test_the_index_that_was_asked_for_is_all_there_is():
    found = document("U.npy", "L.npy", "--stream", "--index", "aci")
    assert found["tables"] == []
    assert [score["index"] for score in found["scores"]] == ["aci"]
    found = document("U.npy", "L.npy", "--stream", "--index", "rand")
    assert {score["index"] for score in found["scores"]} == {"rand"}
    assert len(found["tables"]) == 3
    found = document(
        "L.npy", "L.npy", "--stream", "--family", "all", "--t-norm", "product"
    )
    assert [table["family"] for table in found["tables"]] == ["crisp"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ["U.npy", "U.npy", "--tol", "0.1", "--family", "campello"],
            "--family campello of fuzzy and",
        ),
        (["U.npy", "L.npy", "--noise", "drop"], "--noise drop needs all objects"),
        (
            ["U.npy", "L.npy", "--index", "rand", "--t-norm", "min"],
            "--t-norm is for families that need",
        ),
        (["U.npy", "L.npy", "--family", "campello"], "--family campello of fuzzy and"),
        (["U.npy", "U.npy", "--index", "aci"], "--index aci: NDC and ACI of two fuzzy"),
        (["L.npy", "L.npy", "--kind", "fuzzy"], "--kind fuzzy is for memberships"),
        (["U.npy", "L.csv"], "L.csv: only Parquet, Arrow, Feather and .npy files"),
        (["U.npy", "-"], "standard input: only Parquet"),
        (["U.npy", "none.npy"], "none.npy: no such file"),
        (["U.npy", "L.npy", "--kind", "crisp"], "chunk 0: U.npy is fuzzy, not crisp"),
    ],
)
def test_what_is_not_one_pass_is_refused_in_one_line(args, message):
    assert fault_of("compare", *args, "--stream").startswith(message)


def test_ids_must_be_in_the_same_order():
    order = np.arange(N)
    order[[300, 301]] = 301, 300
    parquet.write_table(table(LABELS[order], [IDS[i] for i in order]), "Q.parquet")
    assert fault_of("compare", "U.parquet", "Q.parquet", "--stream") == (
        "Q.parquet, row 301: the id is 'o301' where U.parquet has 'o300'; sort "
        "both files by id"
    )


def test_files_must_have_as_many_rows():
    np.save("short.npy", LABELS[:-1])
    assert fault_of("compare", "U.npy", "short.npy", "--stream") == (
        "U.npy has 1000 rows and short.npy has 999: they must describe the same objects"
    )


def test_a_fault_is_told_with_its_row():
    V = U.copy()
    V[700, 0] += 0.5
    np.save("V.npy", V)
    fault = fault_of("compare", "V.npy", "L.npy", "--stream")
    assert fault.startswith("V.npy, row 701: memberships sum to 1.5")
    V[700, 0] = np.nan
    np.save("V.npy", V)
    fault = fault_of("compare", "V.npy", "L.npy", "--stream")
    assert fault.startswith("V.npy, row 701, column 1: a missing value")
    holes = pyarrow.array([None if i == 400 else int(LABELS[i]) for i in range(N)])
    parquet.write_table(pyarrow.table({"label": holes}), "holes.parquet")
    fault = fault_of("compare", "U.npy", "holes.parquet", "--stream")
    assert fault.startswith("holes.parquet, row 401, column 1 ('label'): a missing")


def test_crisp_memberships_that_become_fuzzy_name_the_remedy():
    V = U.copy()
    V[:200] = np.eye(3)[LABELS[:200] % 3]
    np.save("V.npy", V)
    fault = fault_of("compare", "V.npy", "L.npy", "--stream")
    assert fault.endswith(
        "if crisp memberships are among fuzzy ones, give --kind fuzzy"
    )
    found = document("V.npy", "L.npy", "--stream", "--kind", "fuzzy")
    truth = cc.concordance(V, LABELS)
    assert found["concordance"]["aci"] == pytest.approx(truth.aci, abs=1e-12)


@pytest.mark.parametrize("name", ["U.parquet", "L.feather", "U.npy", "L.arrows"])
def test_a_file_that_is_cut_short_is_refused(name, tmp_path):
    content = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(content[: len(content) // 2])
    assert fault_of("compare", name, "L.npy", "--stream").startswith(f"{name}: ")


def test_files_are_read_in_parts_by_themselves_if_they_are_large(monkeypatch):
    assert not streaming.are_larger_than_memory(["U.npy", "L.npy"])
    monkeypatch.setattr(streaming, "memory", lambda: 100_000)
    assert streaming.are_larger_than_memory(["U.npy", "L.npy"])
    assert streaming.are_larger_than_memory(["U.parquet", "L.feather"])
    assert not streaming.are_larger_than_memory(["U.npy", "L.csv"])
    assert not streaming.are_larger_than_memory(["U.npy", "-"])
    monkeypatch.setattr(streaming, "memory", lambda: 500_000)
    assert not streaming.are_larger_than_memory(["U.npy", "L.npy"])
    monkeypatch.setattr(streaming, "memory", lambda: None)
    assert not streaming.are_larger_than_memory(["U.npy", "L.npy"])


def test_parts_have_the_same_rows_whatever_the_format():
    for name in ("U.parquet", "U.npy", "L.feather", "L.arrows"):
        file = formats.open_in_parts(name)
        assert file.n_rows == N
        sizes = [part.n_objects for part in file.parts()]
        assert sizes == [128] * 7 + [104]
    with pytest.raises(FileError, match="only Parquet"):
        formats.open_in_parts("L.csv")
