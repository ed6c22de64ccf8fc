"""The command that compares two partitions says what the library computes."""

import csv
import io
import json
import math
import os
import pty
import subprocess
import sys

import numpy as np
import pytest
from command_line import check_schema, environment, fault_of, output_of, process, run
from hypothesis import given, settings
from hypothesis import strategies as st

import concordant as cc
from concordant.cli.output import Document, as_text
from concordant.files import write_table

P = np.array([[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]])
Q = np.array([[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]])
LABELS = "label\n0\n0\n1\n-1\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table("P.csv", P, names=["x", "y"], ids=[*"abcd"])
    write_table("Q.csv", Q[[3, 0, 1, 2]], names=["u", "v"], ids=[*"dabc"])
    np.save("Q.npy", Q)
    (tmp_path / "L.csv").write_text(LABELS)


def as_document(*args, **more):
    document = json.loads(output_of("compare", *args, "--json", **more))
    check_schema(document, "compare")
    return document


@pytest.mark.parametrize(("p", "q"), [("P.csv", "Q.csv"), ("P.csv", "Q.npy")])
def test_json_has_what_compare_has_to_the_last_bit(p, q):
    document = as_document(p, q)
    expected = cc.compare(P, Q).to_dict()
    for part in ("scores", "concordance", "tables", "n_objects"):
        assert document[part] == expected[part]
    assert document["matched_by"] == ("id" if q == "Q.csv" else "position")
    assert document["P"] == {
        "file": "P.csv",
        "kind": "fuzzy",
        "n_objects": 4,
        "n_clusters": 2,
        "understood": {
            "format": "text",
            "compression": None,
            "encoding": "utf-8",
            "delimiter": ",",
            "decimal": ".",
            "percent": False,
            "heading": True,
            "ids": "id",
            "columns": ["x", "y"],
            "holds": "memberships",
            "transposed": False,
            "run": None,
        },
        "remarks": [],
    }


def test_csv_has_the_same_numbers_as_json():
    document = as_document("P.csv", "Q.csv")
    rows = [
        *csv.DictReader(io.StringIO(output_of("compare", "P.csv", "Q.csv", "--csv")))
    ]
    assert len(rows) == len(document["scores"])
    for row, score in zip(rows, document["scores"], strict=True):
        for name in ("index", "family", "t_norm"):
            assert row[name] == (score[name] or "")
        assert float(row["value"]) == score["value"]
        assert (float(row["error"]) if row["error"] else None) == score["error"]


def test_crisp_partitions_have_whole_cardinalities():
    tables = as_document("L.csv", "L.csv")["tables"]
    assert all(type(table[x]) is int for table in tables for x in "abcd")


@given(numbers=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_machine_formats_give_the_same_floats_back(numbers):
    document = Document("", 1, {"x": numbers}, ["x"], [[x] for x in numbers], [])
    back = json.loads(as_text(document, "json"))["x"]
    assert [*map(repr, back)] == [*map(repr, numbers)]
    _, *rows = csv.reader(io.StringIO(as_text(document, "csv")))
    assert [repr(float(x)) for (x,) in rows] == [*map(repr, numbers)]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 12))
def test_indices_come_back_from_both_formats(seed, n):
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet([1.0] * 3, n), rng.dirichlet([1.0] * 2, n)
    write_table("p.csv", p, names=["x", "y", "z"])
    np.save("q.npy", q)
    words = ("compare", "p.csv", "q.npy", "--index", "aci", "--index", "expected")
    exact = cc.concordance(p, q)
    document = json.loads(output_of(*words, "--json"))["concordance"]
    assert document["aci"] == exact.aci
    rows = [*csv.DictReader(io.StringIO(output_of(*words, "--csv")))]
    assert [float(row["value"]) for row in rows] == [exact.aci, exact.expected]


def test_numbers_that_are_not_finite_are_null_in_json():
    document = Document("", 1, {"x": [math.nan, math.inf, 1.0]}, ["x"], [], [])
    assert json.loads(as_text(document, "json"))["x"] == [None, None, 1.0]


@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
def test_the_same_input_gives_the_same_bytes(form):
    words = ("compare", "P.csv", "Q.csv", "--tol", "0.3", *form)
    once, again = (process(*words, capture_output=True) for _ in range(2))
    assert once.returncode == 0
    assert once.stdout == again.stdout
    assert once.stdout == output_of(*words).encode()
    output_of(*words, "--out", "out")
    with open("out", "rb") as file:
        assert file.read() == once.stdout


def test_the_plain_text_is_stable():
    assert output_of("compare", "P.csv", "Q.csv", "--index", "aci,rand") == (
        "P.csv and Q.csv agree no more than chance would give: ACI -0.200\n"
        "  4 objects; fuzzy, 2 clusters against fuzzy, 2 clusters\n"
        "  mean difference of similarity 0.363; unrelated partitions would have 0.303\n"
        "\n"
        "family                    Rand\n"
        "------------------------------\n"
        "campello (min)          0.4712\n"
        "frigui                  0.4723\n"
        "brouwer                 0.5159\n"
        "anderson                0.3373\n"
        "huellermeier (product)  0.6367\n"
        "3 more scores in --json and --csv\n"
        "\n"
        "P: P.csv (fuzzy, 2 clusters)\n"
        "   4 objects, 2 columns of memberships, commas, heading, ids from `id`\n"
        "Q: Q.csv (fuzzy, 2 clusters)\n"
        "   4 objects, 2 columns of memberships, commas, heading, ids from `id`\n"
        "4 objects, matched by id\n"
    )


def test_a_test_stands_beside_the_interval():
    words = ("P.csv", "Q.csv", "--index", "aci", "--index", "nmi", "--test")
    document = as_document(*words)
    check_schema(document, "compare")
    expected = cc.compare(P, Q, indices=["aci"], test=True).test
    assert document["test"]["pvalue"] == expected.pvalue
    shown = output_of("compare", *words, "--interval").splitlines()
    assert shown[1].startswith("  95 % interval ")
    assert shown[1].endswith(f"; p = {expected.pvalue:.4g} (permutation test)")
    assert any(line.startswith("NMI ") for line in shown)
    assert "test" not in as_document("P.csv", "Q.csv")
    told = fault_of("compare", "Q.npy", "Q.npy", "--stream", "--test")
    assert told.startswith("--test needs all objects at once")
    told = fault_of("compare", "P.csv", "Q.csv", "--index", "rand", "--test")
    assert told == "--test is for --index aci or ndc"


def test_intervals_stand_in_every_form():
    words = ("P.csv", "Q.csv", "--index", "aci", "--index", "nmi", "--interval", "0.9")
    document = as_document(*words)
    expected = cc.compare(P, Q, indices=["aci", "nmi"], interval=0.9)
    assert document["scores"] == expected.records()
    rows = [*csv.DictReader(io.StringIO(output_of("compare", *words, "--csv")))]
    for row, score in zip(rows, document["scores"], strict=True):
        for name in ("standard_error", "low", "high", "level"):
            assert (float(row[name]) if row[name] else None) == score[name]
    shown = output_of("compare", *words)
    aci, nmi = (
        next(line for line in shown.splitlines() if line.startswith(name))
        for name in ("ACI", "NMI")
    )
    assert "90 % interval" in shown
    assert aci.endswith(expected.interval.ends())
    assert " to " not in nmi


def test_the_level_is_095_unless_it_is_given():
    for words in (["--interval"], ["--interval=0.95"], ["--interval", "0.95"]):
        document = as_document("P.csv", "Q.csv", "--index", "aci", *words)
        assert document["scores"][0]["level"] == 0.95


def test_a_file_is_not_taken_for_a_level():
    refused = run("compare", "--interval", "P.csv", "Q.csv")
    assert refused.exit_code == 2
    assert "'P.csv' is not a level such as 0.95; put the option after" in refused.stderr
    told = fault_of("compare", "P.csv", "Q.csv", "--interval", "95")
    fault = "--interval must lie between 0 and 1, found 95.0; did you mean 0.95?"
    assert told == fault


def test_intervals_are_refused_where_there_are_none(tmp_path):
    told = fault_of("compare", "Q.npy", "Q.npy", "--stream", "--interval")
    assert told.startswith("--interval needs all objects at once")
    (tmp_path / "M.csv").write_text("0.5,0.25\n1,0.5\n0,1\n0,0.5\n")
    words = ("--kind", "possibilistic", "--interval")
    told = fault_of("compare", "M.csv", "L.csv", *words)
    assert told.endswith("possibilistic partitions, and M.csv is one")
    told = fault_of("compare", "P.csv", "Q.csv", "--index", "rand", "--interval")
    assert told == "--interval is for --index aci or ndc"
    told = fault_of("compare", "P.csv", "Q.csv", "--tol", "0.1", "--interval")
    assert told.endswith("leave out --tol or the interval")


def test_what_no_index_depends_on_is_refused():
    words = ("compare", "P.csv", "Q.csv", "--index", "rand")
    told = fault_of(*words, "--similarity", "inner")
    assert told == "--similarity is for --index aci, ndc or expected; leave it out"
    told = fault_of(*words, "--null", "dirichlet-flat")
    assert told == "--null is for --index aci or expected; leave it out"


def in_a_terminal(*args):
    """Run a command whose standard output and error are a terminal of 40 columns."""
    control, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "concordant", *args],
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
        env={**environment(), "TERM": "xterm", "COLUMNS": "40"},
    ) as started:
        os.close(terminal)
        shown = b""
        while True:
            try:
                more = os.read(control, 4096)
            except OSError:  # Linux's way to say that the terminal is closed
                break
            if not more:
                break
            shown += more
    os.close(control)
    assert started.returncode == 0
    return shown.decode()


def test_a_terminal_gets_the_same_text_and_a_bar():
    shown = in_a_terminal("compare", "P.csv", "Q.csv", "--family", "campello")
    assert "━" in shown
    assert "0%" in shown
    for number in ("-0.200", "0.4712", "-0.0898", "4.9798"):
        assert number in shown


def test_quiet_shows_no_bar():
    shown = in_a_terminal("compare", "P.csv", "Q.csv", "--index", "aci", "--quiet")
    assert "━" not in shown
    assert "-0.200" in shown


def test_a_terminal_gets_machine_formats_as_they_are():
    shown = in_a_terminal("compare", "P.csv", "Q.csv", "--json", "--quiet")
    assert json.loads(shown) == as_document("P.csv", "Q.csv")


@pytest.mark.parametrize("side", [0, 1])
def test_standard_input_is_read(side):
    words = ["P.csv", "Q.csv"]
    with open(words[side], "rb") as file:
        content = file.read()
    words[side] = "-"
    document = as_document(*words, input=content)
    assert document["PQ"[side]]["file"] == "standard input"
    assert document["concordance"] == as_document("P.csv", "Q.csv")["concordance"]


def test_ids_can_be_named_or_denied(tmp_path):
    (tmp_path / "R.csv").write_text("k,x,y\n1,0.5,0.5\n2,0,1\n3,1,0\n")
    (tmp_path / "S.csv").write_text("k,x,y\n3,1,0\n2,0,1\n1,0.5,0.5\n")
    by_id = as_document("R.csv", "S.csv", "--id", "k")
    assert by_id["matched_by"] == "id"
    assert by_id["concordance"]["aci"] == 1.0
    (tmp_path / "R.csv").write_text("id,y\n0.5,0.5\n0,1\n1,0\n")
    assert as_document("R.csv", "R.csv", "--id", "0")["P"]["n_clusters"] == 2


def test_delimiter_header_and_array_can_be_given(tmp_path):
    (tmp_path / "R.txt").write_text("0 1\n1 0\n0.5 0.5\n")
    words = ("R.txt", "R.txt", "--delimiter", " ")
    assert as_document(*words, "--header")["n_objects"] == 2
    assert as_document(*words, "--no-header")["n_objects"] == 3
    np.savez("two.npz", A=P, B=Q)
    document = as_document("two.npz", "Q.npy", "--array", "B", "--index", "aci")
    assert document["concordance"]["aci"] == 1.0


def test_names_may_be_in_capitals_and_separated_by_commas():
    apart = as_document("P.csv", "Q.csv", "--index", "aci", "--index", "ndc")
    assert apart == as_document("P.csv", "Q.csv", "--index", "ACI, ndc,aci")
    both = as_document("P.csv", "Q.csv", "--family", "Frigui,brouwer")
    assert [t["family"] for t in both["tables"]] == ["frigui", "brouwer"]
    refused = run("compare", "P.csv", "Q.csv", "--index", "aci,")
    assert refused.exit_code == 2
    assert refused.stderr == (
        "concordant: --index must be a name that concordant compare --help lists, "
        "found ''\n"
    )


def test_index_and_family_restrict_what_is_computed():
    only = as_document("P.csv", "Q.csv", "--index", "ndc")
    assert only["tables"] == []
    assert [score["index"] for score in only["scores"]] == ["ndc"]
    only = as_document("P.csv", "Q.csv", "--index", "dice", "--family", "campello")
    assert only["concordance"] is None
    beside = as_document("P.csv", "Q.csv", "--index", "aci", "--family", "frigui")
    assert beside["concordance"] is not None
    assert [t["family"] for t in beside["tables"]] == ["frigui"]
    assert [score["index"] for score in only["scores"]] == ["dice"] * 2
    only = as_document("P.csv", "Q.csv", "--family", "all", "--t-norm", "min")
    assert [t["family"] for t in only["tables"]] == ["campello", "huellermeier"]
    only = as_document("P.csv", "Q.csv", "--family", "frigui", "--family", "brouwer")
    assert [t["family"] for t in only["tables"]] == ["frigui", "brouwer"]


@pytest.fixture
def many():
    rng = np.random.default_rng(2)
    p, q = rng.dirichlet([1.0] * 3, 3000), rng.dirichlet([1.0] * 3, 3000)
    np.save("p.npy", p)
    np.save("q.npy", q)
    return p, q


def test_a_sample_ends_at_the_tolerance(many, monkeypatch):
    monkeypatch.setattr("concordant.compute._FEW_TO_SAMPLE", 1000)
    words = ["p.npy", "q.npy", "--tol", "0.01", "--seed", "5"]
    words += ["--index", "aci", "--index", "rand", "--family", "huellermeier"]
    words += ["--t-norm", "product", "--jobs", "2"]
    document = as_document(*words)
    assert document["concordance"]["method"] == "sampled"
    assert 0.0 < document["concordance"]["error"] <= 0.01
    expected = cc.concordance(*many, method="sampled", tol=0.01, random_state=5)
    assert document["concordance"]["aci"] == expected.aci
    (table,) = document["tables"]
    assert 0 < table["n_sampled"] < 3000 * 2999 // 2
    assert 0.0 < table["error"] <= 0.01
    rows = [*csv.DictReader(io.StringIO(output_of("compare", *words, "--csv")))]
    errors = [float(row["error"]) for row in rows]
    assert errors[0] == document["concordance"]["error"]
    assert errors[1] == pytest.approx(table["error"], abs=1e-10)  # and rounding
    lines = output_of("compare", *words).splitlines()
    head, _, row = lines[lines.index("") + 1 :][:3]
    assert head.endswith("error")
    assert float(row.split()[-1]) == pytest.approx(table["error"], rel=0.05)


def test_jobs_change_no_bit(many):
    words = ["p.npy", "q.npy", "--index", "aci", "--index", "rand", "--t-norm", "min"]
    assert as_document(*words) == as_document(*words, "--jobs", "2")


def test_noise_goes_where_it_is_meant(tmp_path):
    (tmp_path / "M.csv").write_text("0.5,0.25\n1,0\n0,1\n0,0.5\n")
    document = as_document("M.csv", "L.csv", "--noise", "column", "--noise", "drop")
    assert document["P"]["n_clusters"] == 3
    assert document["n_objects"] == document["Q"]["n_objects"] == 3
    alone = as_document("M.csv", "L.csv", "--noise", "column")
    assert alone["Q"]["n_clusters"] == 3


def test_possibilistic_partitions_have_no_concordance(tmp_path):
    (tmp_path / "M.csv").write_text("0.5,0.25\n1,0.5\n0,1\n0,0.5\n")
    words = ("M.csv", "L.csv", "--kind", "possibilistic")
    document = as_document(*words)
    assert document["concordance"] is None
    assert document["P"]["kind"] == "possibilistic"
    assert "not defined for possibilistic" in output_of("compare", *words)


def test_the_suffix_of_out_chooses_the_format(tmp_path):
    for name in ("out.json", "out.csv", "out.txt"):
        assert output_of("compare", "P.csv", "Q.csv", "--out", name) == ""
    assert json.loads((tmp_path / "out.json").read_text())["version"] == 3
    assert (tmp_path / "out.csv").read_text().startswith("index,family,t_norm,value,")
    assert (tmp_path / "out.txt").read_text().startswith("P.csv and Q.csv")
    output_of("compare", "P.csv", "Q.csv", "--out", "out.txt", "--csv")
    assert (tmp_path / "out.txt").read_text().startswith("index,")


def test_a_fault_leaves_the_old_output(tmp_path):
    (tmp_path / "out.json").write_text("before")
    fault_of("compare", "P.csv", "nothing.csv", "--out", "out.json")
    assert (tmp_path / "out.json").read_text() == "before"


def test_names_that_are_not_ascii_come_out_intact(tmp_path):
    name = "<b>😀שלם.csv"
    write_table(name, P, names=["x", "y"])
    assert name in output_of("compare", name, "P.csv")
    assert as_document(name, "P.csv")["P"]["file"] == name


def test_intervals_can_be_about_groups(tmp_path):
    p, q = np.vstack([P, Q]), np.vstack([Q, P[::-1]])
    for name, memberships in (("p", p), ("q", q)):
        write_table(f"{name}.csv", memberships, names=["x", "y"], ids=[*"abcdefgh"])
    lines = [f"{a},{b}" for a, b in zip("hgfedcba", "wvutwvut", strict=True)]
    (tmp_path / "g.csv").write_text("\n".join(["id,g", *lines]))
    words = ("p.csv", "q.csv", "--index", "aci", "--interval")
    expected = cc.compare(p, q, indices=["aci"], interval=0.95, groups=[*"tuvwtuvw"])
    document = as_document(*words, "--groups", "g.csv")
    assert document["n_groups"] == 4
    assert document["scores"] == expected.records()
    assert "over 4 groups" in output_of("compare", *words, "--groups", "g.csv")
    told = fault_of("compare", "p.csv", "q.csv", "--groups", "g.csv")
    assert told.startswith("--groups are for confidence intervals")
    told = fault_of("compare", "Q.npy", "Q.npy", "--stream", "--groups")
    assert told.startswith("--groups needs all objects at once")


@pytest.mark.parametrize("more", [[], ["--common"]], ids=["all", "common"])
def test_groups_go_along_with_objects_that_are_dropped(tmp_path, more):
    labels, groups = [0, -1, 1, 1, 0, -1, 0, 1, 0, 1], [*"uuvvwwxxyy"]
    rows = np.column_stack([np.linspace(0.1, 0.9, 10), np.linspace(0.9, 0.1, 10)])
    ids = [*"abcdefghij"]
    write_table("p.csv", rows, names=["x", "y"], ids=ids)
    for name, values in (("q", labels), ("g", groups)):
        lines = [f"{a},{b}" for a, b in zip(ids, values, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join([f"id,{name}", *lines[::-1]]))
    words = ("p.csv", "q.csv", "--noise", "drop", "--index", "aci", "--interval")
    document = as_document(*words, "--groups", "g.csv", *more)
    kept = [i for i, label in enumerate(labels) if label >= 0]
    expected = cc.compare(
        *(rows[kept], [labels[i] for i in kept]),
        indices=["aci"],
        interval=0.95,
        groups=[groups[i] for i in kept],
    )
    assert document["scores"] == expected.records()
    (tmp_path / "g.csv").write_text("id,g\na,u\nb,u\nc,v\n")
    told = fault_of("compare", *words, "--groups", "g.csv", *more)
    assert "they must describe the same objects" in told
