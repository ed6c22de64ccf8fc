"""The command that judges partitions by their data says what the library says."""

import csv
import io
import json

import numpy as np
import pytest
from command_line import check_schema, fault_of, output_of, run

import concordant as cc
from concordant.catalogue.validity_indices import VALIDITY
from concordant.datasets import load_uci
from concordant.files import write_table

IRIS = load_uci("iris")
U = np.random.default_rng(0).dirichlet([0.3] * 3, 150)
LABELS = U.argmax(axis=1)
KINDS = [(i**0.5, IRIS.target_names[k]) for i, k in enumerate(IRIS.target)]
IDS = np.array([f"flower {i}" for i in range(150)], dtype=object)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table("data.csv", IRIS.data, names=IRIS.feature_names, ids=IDS)
    order = np.random.default_rng(1).permutation(150)
    write_table("P.csv", U[order], names=["a", "b", "c"], ids=IDS[order])
    write_table("plain.csv", U, names=["a", "b", "c"])
    write_table("bare.csv", IRIS.data, names=IRIS.feature_names)
    with open("labels.csv", "w") as file:
        file.writelines(f"{label}\n" for label in ["class", *LABELS])


def as_document(*words):
    document = json.loads(output_of("validity", *words, "--json"))
    check_schema(document, "validity")
    return document


def test_objects_are_matched_by_id_and_values_are_those_of_the_library():
    document = as_document("data.csv", "P.csv")
    expected = cc.validity(IRIS.data, U)
    assert document["matched_by"] == "id"
    assert [entry["index"] for entry in document["values"]] == [*VALIDITY]
    for entry in document["values"]:
        assert entry["value"] == pytest.approx(expected[entry["index"]], rel=1e-12)
    assert document["n_columns"] == 4


def test_files_are_compared_by_position_where_one_has_no_ids():
    document = as_document("bare.csv", "plain.csv", "labels.csv", "--index", "xb,pc")
    expected = cc.validity(IRIS.data, {"a": U, "b": LABELS}, indices=["xb", "pc"])
    assert document["matched_by"] == "position"
    values = [entry["value"] for entry in document["values"]]
    assert values == pytest.approx(expected.values.ravel().tolist(), rel=1e-12)
    assert document["choices"]["pc"] == "labels.csv"
    text = output_of("validity", "bare.csv", "plain.csv", "labels.csv", "--csv")
    rows = [*csv.DictReader(io.StringIO(text))]
    assert len(rows) == 30
    assert {row["taken"] for row in rows} == {"true", "false"}


def test_the_fuzzifier_and_the_columns_are_those_asked_for():
    words = ("data.csv", "P.csv", "--fuzzifier", "1.5", "--without", "petal_width")
    document = as_document(*words)
    expected = cc.validity(IRIS.data[:, :3], U, fuzzifier=1.5)
    assert document["fuzzifiers"] == [1.5]
    found = {entry["index"]: entry["value"] for entry in document["values"]}
    assert found["xb"] == pytest.approx(expected["xb"], rel=1e-12)
    assert found["fhv"] == pytest.approx(expected["fhv"], rel=1e-12)


def test_objects_with_a_missing_value_are_left_out(tmp_path):
    lines = (tmp_path / "data.csv").read_text().splitlines()
    lines[5] = "flower 4,NA,1,1,1"
    (tmp_path / "gaps.csv").write_text("\n".join(lines) + "\n")
    left = np.delete(np.arange(150), 4)
    expected = cc.validity(IRIS.data[left], U[left], indices="xb")["xb"]
    result = run("validity", "gaps.csv", "P.csv", "--missing", "drop", "--json")
    (value,) = (
        entry["value"]
        for entry in json.loads(result.stdout)["values"]
        if entry["index"] == "xb"
    )
    assert value == pytest.approx(expected, rel=1e-12)


def test_options_of_only_hold_for_the_data_or_for_a_partition(tmp_path):
    (tmp_path / "rest.csv").write_text((tmp_path / "bare.csv").read_text())
    text = (tmp_path / "plain.csv").read_text()
    (tmp_path / "late.csv").write_text("# made today\n# by hand\n" + text)
    words = ("bare.csv", "late.csv", "--skip", "2", "--only", "late.csv")
    expected = cc.validity(IRIS.data, U, indices="xb")["xb"]
    values = as_document(*words, "--index", "xb")["values"]
    assert values[0]["value"] == pytest.approx(expected, rel=1e-12)
    (tmp_path / "head.csv").write_text(
        "# made\n# today\n" + (tmp_path / "bare.csv").read_text()
    )
    words = ("head.csv", "plain.csv", "--skip", "2", "--only", "head.csv")
    values = as_document(*words, "--index", "xb")["values"]
    assert values[0]["value"] == pytest.approx(expected, rel=1e-12)


def test_what_is_not_defined_is_null_with_a_reason(tmp_path):
    document = as_document("data.csv", "P.csv", "--noise", "column")
    assert document["undefined"] == []
    write_table("one.csv", np.full((150, 2), 0.5), names=["a", "b"])
    document = as_document("bare.csv", "one.csv", "--index", "xb,pc")
    assert [entry["index"] for entry in document["undefined"]] == ["xb"]
    assert [entry["value"] for entry in document["values"]] == [None, 0.5]
    assert "centres coincide" in output_of("validity", "bare.csv", "one.csv")


def test_pictures_are_drawn():
    output_of("validity", "data.csv", "P.csv", "--plot", "panels.svg")
    with open("panels.svg", encoding="utf-8") as file:
        assert "<svg" in file.read()


def test_faults_are_told_in_one_line(tmp_path):
    write_table("short.csv", U[:149], names=["a", "b", "c"])
    told = fault_of("validity", "bare.csv", "short.csv")
    assert told.startswith("bare.csv has 150 objects and short.csv has 149: they must")
    with open("same.csv", "w") as file:
        file.write("x,y\n" + "1.5,2.5\n" * 150)
    told = fault_of("validity", "same.csv", "plain.csv")
    assert told.startswith("same.csv has 150 objects at the same point")
    told = fault_of("validity", "-", "-", input="")
    assert told == "standard input can be read only once, but - is given twice"
    told = fault_of("validity", "data.csv", "P.csv", "--only", "Q.csv")
    assert told == "--only Q.csv: no such file is compared"
    told = fault_of("validity", "data.csv", "P.csv", "--index", "xbb")
    assert "'xbb' is not one of" in told
    told = fault_of("validity", "labels.csv", "plain.csv", "--without", "class")
    assert told.startswith("labels.csv")


def test_text_among_the_data_is_told_with_a_remedy_that_there_is():
    with open("kinds.csv", "w") as file:
        file.writelines(f"{x},{kind}\n" for x, kind in [("x", "kind"), *KINDS])
    told = fault_of("validity", "kinds.csv", "plain.csv")
    assert "found 'setosa', not a number; --without leaves the column out" in told
    assert "--truth" not in told
    output_of("validity", "kinds.csv", "plain.csv", "--without", "kind")
