"""The command that finds how many clusters there are says what the library finds."""

import csv
import io
import json

import numpy as np
import pytest
from command_line import check_schema, fault_of, output_of, run

import concordant as cc
from concordant.cluster import FuzzyCMeans, PDClustering
from concordant.files import write_table

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(at, 1.0, (20, 2)) for at in ([0, 0], [8, 0], [0, 8])])
FEW = ("--k", "2:4", "--resamples", "3", "--sets", "2")
KEYS = {"n_clusters": range(2, 5), "n_resamples": 3, "n_references": 2}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table("data.csv", X, names=["x", "y"], ids=[f"object {i}" for i in range(60)])


def test_json_and_csv_have_the_values_of_the_library():
    words = ("stability", "data.csv", *FEW, "--starts", "3")
    document = json.loads(output_of(*words, "--json"))
    check_schema(document, "stability")
    found = cc.stability(FuzzyCMeans(n_init=3), X, random_state=0, **KEYS)
    assert document["n_clusters"] == found.n_clusters == 3
    assert document["levels"] == [3]
    assert [each["k"] for each in document["numbers"]] == [2, 3, 4]
    for place, each in enumerate(document["numbers"]):
        assert each["values"] == found.aci[place].tolist()
        assert each["reference_values"] == found.reference_aci[place].tolist()
        assert each["jaccard"] == found.jaccard[place].tolist()
        assert [each["z_skewed"], each["z_uniform"]] == found.z[place].tolist()
    rows = [*csv.DictReader(io.StringIO(output_of(*words, "--csv")))]
    for row, each in zip(rows, document["numbers"], strict=True):
        assert float(row["z_skewed"]) == each["z_skewed"]
        assert row["level"] == str(each["level"]).lower()


def test_text_has_the_decision_and_the_picture_is_written(tmp_path):
    words = ("--method", "pd", "--starts", "1", "--seed", "3", "--plot", "s.svg")
    result = run("stability", "data.csv", *FEW, *words)
    estimator = PDClustering(n_init=1)
    found = cc.stability(estimator, X, random_state=3, **KEYS)
    lines = result.stdout.splitlines()
    assert lines[0] == "data.csv: 60 objects, 2 columns, by PD-clustering"
    assert lines[2] == found.sentence()
    assert lines[-1] == str(found).splitlines()[-1]
    assert result.stderr == (
        "concordant: data.csv: each fit has one start: what it misses counts as "
        "instability of the data; --starts 10 takes ten\n"
    )
    assert "<svg" in (tmp_path / "s.svg").read_text()


def test_work_is_kept_in_a_file():
    words = ("stability", "data.csv", *FEW, "--starts", "2", "--checkpoint", "w.ckpt")
    assert output_of(*words, "--json") == output_of(*words, "--json", "--jobs", "2")


def test_wrong_input_is_told_in_one_line():
    assert fault_of("stability", "data.csv", "--k", "2:40") == (
        "--k goes up to 40, and there are 60 distinct objects, of which resamples have "
        "fewer; try up to 30"
    )
    assert fault_of("stability", "data.csv", "--k", "1:3") == (
        "--k must be numbers from 2 on, found 1; one cluster is always among the "
        "answers"
    )
    constant = np.column_stack([X, np.ones(60)])
    write_table("constant.csv", constant, names=["x", "y", "z"])
    assert fault_of("stability", "constant.csv", "--k", "2:3") == (
        "constant.csv, column 3 ('z'): does not vary; --without z leaves it out"
    )
    assert "--fuzzifier is for --method fcm" in fault_of(
        "stability", "data.csv", "--k", "2", "--method", "pd", "--fuzzifier", "2"
    )
