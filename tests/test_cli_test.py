"""The command that tests whether two partitions agree more than by chance."""

import csv
import io
import json

import numpy as np
import pytest
from command_line import check_schema, fault_of, output_of

from concordant.catalogue.families import STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import heading_of
from concordant.files import write_table
from concordant.inference import concordance_test

RNG = np.random.default_rng(0)
P = RNG.dirichlet([1.0] * 3, 40)
Q = 0.3 * P + 0.7 * RNG.dirichlet([1.0] * 3, 40)
LABELS = RNG.integers(3, size=40)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, memberships in (("P", P), ("Q", Q)):
        write_table(f"{name}.csv", memberships, names=["x", "y", "z"])
    np.save("L.npy", LABELS)


def as_document(*args):
    document = json.loads(output_of("test", *args, "--json"))
    check_schema(document, "test")
    return document


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--alternative", "two-sided", "--index", "ndc"),
        ("--method", "sampled"),
        ("--stop-after", "5"),
        ("--method", "normal"),
    ],
)
def test_numbers_are_those_of_the_library(words):
    options = dict(zip(words[::2], words[1::2], strict=True))
    document = as_document("P.csv", "Q.csv", "--permutations", "199", *words)
    result = concordance_test(
        P,
        Q,
        n_permutations=199,
        random_state=0,
        alternative=options.get("--alternative", "greater"),
        index=options.get("--index", "aci"),
        method=options.get("--method", "auto"),
        stop_after=int(options.get("--stop-after", 100)),
    )
    names = ("statistic", "pvalue", "zscore", "null_sd", "n_pairs", "method")
    for name in (*names, "n_permutations", "stopped_early"):
        assert document[name] == getattr(result, name), name


def test_a_fuzzy_and_a_crisp_file_are_tested():
    document = as_document("P.csv", "L.npy", "--permutations", "99", "--jobs", "2")
    assert document["method"] == "all pairs"
    assert document["null_moments"] == "closed form"


def test_csv_has_a_row_for_each_number():
    text = output_of("test", "P.csv", "Q.csv", "--permutations", "99", "--csv")
    rows = dict(csv.reader(io.StringIO(text)))
    assert rows["quantity"] == "value"
    assert float(rows["pvalue"]) == 0.02
    assert rows["n_permutations"] == "99"


def test_people_read_sentences():
    text = output_of("test", "P.csv", "Q.csv", "--permutations", "99")
    assert "p = 0.02 (one-sided: more agreement than by chance)" in text
    assert "all 780 pairs of 40 objects" in text


@pytest.mark.parametrize("index", [*INDICES, *STATISTICS])
def test_every_index_is_called_by_its_name(index):
    words = ("P.csv", "Q.csv", "--permutations", "3", "--index", index)
    document = as_document(*words)
    assert document["index"] == index
    text = output_of("test", *words)
    assert f"\n{heading_of(index)} = " in text
    assert "(one-sided: more agreement than by chance)" in text


def test_a_constant_partition_has_no_zscore():
    np.save("one.npy", np.zeros(40, dtype=int))
    document = as_document("P.csv", "one.npy", "--permutations", "9")
    assert document["zscore"] is None
    assert document["pvalue"] == 1.0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--method", "exact"), "of at most 10 objects, found 40"),
        (("--method", "normal", "--stop-after", "3"), "--stop-after is for random"),
        (("--jobs", "0"), "--jobs must not be 0"),
    ],
)
def test_what_cannot_be_is_told_in_words_of_the_command_line(words, message):
    assert message in fault_of("test", "P.csv", "Q.csv", *words)


def test_strata_and_groups_come_from_a_file_or_a_column(tmp_path):
    hospitals = np.repeat([*"ABCD"], 10)
    (tmp_path / "where.csv").write_text("hospital\n" + "\n".join(hospitals))
    rows = zip(hospitals, P.tolist(), strict=True)
    lines = (",".join(map(str, (hospital, *row))) for hospital, row in rows)
    (tmp_path / "both.csv").write_text("where,x,y,z\n" + "\n".join(lines))
    for name in ("strata", "groups"):
        expected = concordance_test(
            P, Q, n_permutations=99, random_state=0, **{name: hospitals}
        )
        words = ("Q.csv", "--permutations", "99", f"--{name}")
        of_file = as_document("P.csv", *words, "where.csv")
        words = (*words, "where", "--columns", "x,y,z")
        of_column = as_document("both.csv", *words)
        given = (tmp_path / "both.csv").read_text()
        of_input = json.loads(output_of("test", "-", *words, "--json", input=given))
        for document in (of_file, of_column, of_input):
            assert document["pvalue"] == expected.pvalue
            assert document[f"n_{name}"] == 4
    fault = fault_of("test", "P.csv", "Q.csv", "--groups", "nowhere")
    assert fault == "--groups nowhere: is neither a file nor a column of P.csv or Q.csv"
    fault = fault_of("test", "P.csv", "Q.csv", "--groups", "P.csv")
    assert fault.startswith("--groups P.csv: needs one label for each object; --only")
    fault = fault_of("test", "P.csv", "Q.csv", "--strata")
    assert fault.startswith("--strata stands for the groups of P.csv and Q.csv")


def test_labels_with_blanks_are_read_by_the_remedy_that_is_named(tmp_path):
    towns = np.repeat(["New York", "San Diego"], 20)
    (tmp_path / "towns.txt").write_text("\n".join(towns))
    words = ("P.csv", "Q.csv", "--permutations", "99", "--strata", "towns.txt")
    fault = fault_of("test", *words)
    assert "--delimiter none" in fault
    assert fault.endswith("--only FILE applies options to one file alone")
    document = as_document(*words, "--delimiter", "none", "--only", "towns.txt")
    expected = concordance_test(P, Q, n_permutations=99, random_state=0, strata=towns)
    assert document["pvalue"] == expected.pvalue


def test_labels_without_ids_are_not_matched_with_ids(tmp_path):
    for name in "PQ":
        ids = [f"o{i}" for i in range(40)]
        write_table(f"{name}.csv", P, names=["x", "y", "z"], ids=ids)
    (tmp_path / "where.csv").write_text("hospital\n" + "A\nB\n" * 20)
    fault = fault_of("test", "P.csv", "Q.csv", "--strata", "where.csv")
    assert fault == (
        "--strata where.csv: has no ids, by which P.csv and Q.csv are matched"
    )


def test_inner_products_are_tested():
    words = ("P.csv", "Q.csv", "--permutations", "99", "--similarity", "inner")
    expected = concordance_test(
        P, Q, similarity="inner", n_permutations=99, random_state=0
    )
    document = as_document(*words)
    assert document["similarity"] == "inner"
    assert document["statistic"] == expected.statistic
