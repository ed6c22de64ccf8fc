"""The command that compares all pairs of partitions, and its pictures."""

import csv
import io
import itertools
import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from command_line import check_schema, fault_of, output_of, process, run

import concordant as cc
from concordant.files import write_table

RNG = np.random.default_rng(0)
FUZZY = {name: RNG.dirichlet([1.0] * 3, 8) for name in "ABCD"}
LABELS = [0, 0, 1, 1, 2, 2, 2, 0]
FILES = [f"{name}.csv" for name in FUZZY]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ids = np.array([f"object {i}" for i in range(8)], dtype=object)
    for number, (name, memberships) in enumerate(FUZZY.items()):
        order = np.random.default_rng(number).permutation(8)
        names = ["x", "y", "z"]
        write_table(f"{name}.csv", memberships[order], names=names, ids=ids[order])
        np.save(f"{name}.npy", memberships)
    np.save("L.npy", LABELS)


def as_document(*args):
    document = json.loads(output_of("agreement", *args, "--json"))
    check_schema(document, "agreement")
    return document


@pytest.mark.parametrize("suffix", ["csv", "npy"])
def test_all_pairs_are_those_of_the_library(suffix):
    document = as_document(*(f"{name}.{suffix}" for name in FUZZY))
    assert document["matched_by"] == ("id" if suffix == "csv" else "position")
    aci, ndc = (np.array(document["values"][name]) for name in ("aci", "ndc"))
    for i, j in itertools.product(range(4), repeat=2):
        P, Q = FUZZY["ABCD"[i]], FUZZY["ABCD"[j]]
        # Objects that are matched by id are added up in another order.
        exactly = cc.concordance(P, Q)
        assert aci[i, j] == pytest.approx(exactly.aci, abs=1e-14)
        assert ndc[i, j] == pytest.approx(exactly.ndc, abs=1e-14)


def test_statistics_of_a_fuzzy_partition_with_itself_are_computed():
    document = as_document("A.csv", "B.csv", "--index", "rand", "--family", "campello")
    assert document["family"] == "campello"
    assert document["t_norm"] == "min"
    (found,) = document["values"].values()
    A, B = FUZZY["A"], FUZZY["B"]
    for (i, P), (j, Q) in itertools.product(enumerate((A, B)), repeat=2):
        exactly = cc.rand_index(P, Q, family="campello")
        assert found[i][j] == pytest.approx(exactly, abs=1e-14)
    assert found[0][0] < 1.0
    assert document["errors"] == {}


@pytest.mark.parametrize(
    ("name", "family", "t_norm"),
    [("L", "crisp", None), ("A", "huellermeier", "product")],
)
def test_the_family_is_that_of_the_library_by_default(name, family, t_norm):
    document = as_document("L.npy", f"{name}.npy", "--index", "adjusted_rand")
    assert (document["family"], document["t_norm"]) == (family, t_norm)
    P = FUZZY.get(name, LABELS)
    found = document["values"]["adjusted_rand"][0][1]
    assert found == cc.adjusted_rand_index(LABELS, P)


def test_csv_has_a_row_for_each_pair_with_all_digits():
    rows = [*csv.DictReader(io.StringIO(output_of("agreement", *FILES, "--csv")))]
    assert [(row["P"], row["Q"]) for row in rows] == [*itertools.combinations(FILES, 2)]
    values = as_document(*FILES)["values"]
    for name in ("aci", "ndc"):
        found = [float(row[name]) for row in rows]
        upper = np.triu_indices(4, 1)
        assert found == np.array(values[name])[upper].tolist()


def test_csv_has_both_orders_of_a_pair_if_an_index_depends_on_it():
    words = (*FILES, "--index", "ndc,wallace_q")
    rows = [*csv.DictReader(io.StringIO(output_of("agreement", *words, "--csv")))]
    pairs = [*itertools.permutations(FILES, 2)]
    assert [(row["P"], row["Q"]) for row in rows] == pairs
    for name, values in as_document(*words)["values"].items():
        found = [float(row[name]) for row in rows]
        assert found == [values[FILES.index(p)][FILES.index(q)] for p, q in pairs]


def test_the_plain_table_numbers_the_files():
    text = output_of("agreement", "A.csv", "B.csv", "--index", "ndc")
    ndc = cc.normalized_degree_of_concordance(FUZZY["A"], FUZZY["B"])
    assert text == (
        "2 partitions of 8 objects, matched by id\n"
        "1: A.csv (fuzzy, 3 clusters)\n"
        "   8 objects, 3 columns of memberships, commas, heading, ids from `id`\n"
        "2: B.csv (fuzzy, 3 clusters)\n"
        "   8 objects, 3 columns of memberships, commas, heading, ids from `id`\n"
        "\n"
        "NDC       1       2\n"
        "-------------------\n"
        f"1    1.0000  {ndc:.4f}\n"
        f"2    {ndc:.4f}  1.0000\n"
    )


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_a_picture_is_drawn_with_the_same_bytes_each_time(tmp_path, form):
    for name in ("one", "two"):
        output_of("agreement", *FILES, "--plot", f"{name}.{form}")
    one, two = ((tmp_path / f"{name}.{form}").read_bytes() for name in ("one", "two"))
    assert one == two
    start = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[form]
    assert one.startswith(start)
    if form == "svg":
        ET.fromstring(one)


def test_a_picture_needs_no_ndc_among_the_indices(tmp_path):
    words = ("A.csv", "B.csv", "--index", "rand", "--plot", "map.svg")
    assert [*as_document(*words)["values"]] == ["rand"]
    assert (tmp_path / "map.svg").exists()


@pytest.mark.parametrize("name", ["a$b$c", "$\\frac{", "😀שלם", "<b>&", "x" * 90, "%k"])
def test_strange_names_are_drawn(tmp_path, name):
    np.save(f"{name}.npy", FUZZY["A"])
    output_of("agreement", "B.npy", f"{name}.npy", "C.npy", "--plot", "map.svg")
    ET.parse(tmp_path / "map.svg")


def test_noise_is_dropped_pair_by_pair():
    for name, labels in (("l", [0, 0, 1, 1, -1]), ("m", [0, -1, 1, 1, 0])):
        np.save(f"{name}.npy", labels)
    text = output_of("agreement", "l.npy", "m.npy", "l.npy", "--noise", "drop")
    assert "3 partitions of 4 objects, matched by position" in text
    value = as_document("l.npy", "m.npy", "--noise", "drop")["values"]["ndc"][0][1]
    assert value == 1.0


def test_possibilistic_partitions_need_an_index_that_has_them(tmp_path):
    (tmp_path / "M.csv").write_text("0.5,0.25\n1,0.5\n0,1\n")
    words = ("M.csv", "M.csv", "--kind", "possibilistic")
    assert "not defined for possibilistic" in fault_of("agreement", *words)
    document = as_document(*words, "--index", "rand", "--family", "brouwer")
    assert document["partitions"][0]["kind"] == "possibilistic"


def test_pictures_are_drawn_whatever_the_backend_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "there is no such backend")
    for words in (
        ("agreement", *FILES[:2], "--plot", tmp_path / "many.png"),
        ("report", *FILES[:2], "--out", tmp_path / "page.html"),
    ):
        done = process(*words, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "many.png").read_bytes().startswith(b"\x89PNG")


def test_a_quoted_pattern_stands_for_the_files_that_match():
    assert as_document("[AB].csv") == as_document("A.csv", "B.csv")
    refused = run("agreement", "run*.Q")
    assert refused.exit_code == 2
    assert "no file matches 'run*.Q'" in refused.stderr
    np.save("[A].npy", FUZZY["A"])
    found = as_document("[A].npy", "A.npy", "--index", "aci")
    assert found["values"]["aci"][0][1] == 1.0


def test_what_is_not_usual_is_said():
    usual = as_document("A.csv", "B.csv", "--index", "aci")
    assert (usual["similarity"], usual["null"]) == ("l1", "permutations")
    words = ("A.csv", "B.csv", "--index", "aci", "--similarity", "inner")
    found = as_document(*words)
    assert found["similarity"] == "inner"
    expected = cc.concordance(FUZZY["A"], FUZZY["B"], similarity="inner")
    assert found["values"]["aci"][0][1] == pytest.approx(expected.aci, abs=1e-12)
    first = output_of("agreement", *words).splitlines()[0]
    assert first.endswith(", matched by id, similarity inner")


def test_a_checkpoint_changes_nothing_and_is_of_one_set_of_files():
    words = ("agreement", "A.csv", "B.csv", "--json")
    plain = output_of(*words)
    for _ in range(2):
        assert output_of(*words, "--checkpoint", "work.ckpt") == plain
    told = fault_of("agreement", "A.csv", "C.csv", "--checkpoint", "work.ckpt")
    assert told.startswith("work.ckpt: a checkpoint of other data; give another file")
    told = fault_of("agreement", "A.csv", "B.csv", "--checkpoint", "B.csv")
    assert told == "--checkpoint B.csv: would overwrite a file that is read"
