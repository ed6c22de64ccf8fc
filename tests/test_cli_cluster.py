"""The command that clusters data writes what the estimators find."""

import csv
import gzip
import io
import json
from importlib import resources

import numpy as np
import pytest
from command_line import check_schema, output_of, run

import concordant as cc
from concordant.cluster import FuzzyCMeans, PDClustering
from concordant.datasets import load_uci
from concordant.files import read_partition, write_table

IRIS = load_uci("iris")
MODELS = {"fcm": FuzzyCMeans, "pd": PDClustering}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    packed = resources.files("concordant.datasets") / "data" / "iris.csv.gz"
    (tmp_path / "iris.csv").write_bytes(gzip.decompress(packed.read_bytes()))
    ids = [f"flower {i}" for i in range(150)]
    write_table("named.csv", IRIS.data, names=IRIS.feature_names, ids=ids)


def as_document(*args):
    document = json.loads(output_of("cluster", *args, "--json"))
    check_schema(document, "cluster")
    return document


@pytest.mark.parametrize("method", MODELS)
def test_memberships_are_written_to_the_last_bit_with_ids(tmp_path, method):
    text = output_of("cluster", "named.csv", "--method", method, "--k", "3")
    (tmp_path / "P.csv").write_text(text)
    P = read_partition("P.csv")
    model = MODELS[method](3, random_state=0).fit(IRIS.data)
    np.testing.assert_array_equal(P.memberships, model.memberships_)
    assert P.ids.tolist() == [f"flower {i}" for i in range(150)]
    assert P.clusters.tolist() == ["cluster_1", "cluster_2", "cluster_3"]
    output_of("cluster", "named.csv", "--method", method, "--k", "3", "--out", "R.csv")
    assert (tmp_path / "R.csv").read_text() == text


def test_the_truth_is_compared_with_and_not_clustered():
    words = ("iris.csv", "--k", "2:4", "--truth", "class", "--method", "pd")
    document = as_document(*words)
    assert document["n_columns"] == 4
    assert document["fuzzifier"] is None
    assert [entry["k"] for entry in document["clusterings"]] == [2, 3, 4]
    for entry in document["clusterings"]:
        model = PDClustering(entry["k"], random_state=0).fit(IRIS.data)
        exact = cc.concordance(model.memberships_, IRIS.target)
        assert entry["concordance"]["aci"] == exact.aci
        assert entry["concordance"]["ndc"] == exact.ndc
        assert entry["objective"] == model.objective_
        assert entry["n_iterations"] == model.n_iter_
        assert entry["converged"] is True
    rows = [*csv.DictReader(io.StringIO(output_of("cluster", *words, "--csv")))]
    for row, entry in zip(rows, document["clusterings"], strict=True):
        assert float(row["aci"]) == entry["concordance"]["aci"]
        assert float(row["objective"]) == entry["objective"]


def test_several_numbers_name_what_helps_to_choose():
    words = ("cluster", "iris.csv", "--without", "class", "--out", "P-{k}.csv", "--k")
    assert "concordant stability and validity" in output_of(*words, "2:3")
    assert "stability" not in output_of(*words, "3")


def test_each_number_of_clusters_has_its_file(tmp_path):
    words = ("iris.csv", "--without", "class", "--k", "2:3", "--out", "P-{k}.tsv")
    document = as_document(*words)
    assert [entry["out"] for entry in document["clusterings"]] == ["P-2.tsv", "P-3.tsv"]
    for k in (2, 3):
        assert read_partition(f"P-{k}.tsv").n_clusters == k
        assert "\t" in (tmp_path / f"P-{k}.tsv").read_text()
    assert all(entry["concordance"] is None for entry in document["clusterings"])


def test_options_reach_the_estimator():
    words = ["iris.csv", "--without", "5", "--k", "3", "--fuzzifier", "1.5"]
    words += ["--starts", "2", "--max-iter", "7", "--tol", "0.01", "--seed", "4"]
    words += ["--jobs", "2", "--out", "P.csv"]
    document = as_document(*words)
    model = FuzzyCMeans(
        3, fuzzifier=1.5, n_init=2, max_iter=7, tol=0.01, random_state=4
    )
    model.fit(IRIS.data)
    assert document["clusterings"][0]["objective"] == model.objective_
    assert document["fuzzifier"] == 1.5
    assert document["seed"] == 4
    np.testing.assert_array_equal(
        read_partition("P.csv").memberships, model.memberships_
    )


@pytest.mark.parametrize("quiet", [(), ("--quiet",)])
def test_a_start_that_does_not_converge_is_told_unless_quiet(quiet):
    words = ("iris.csv", "--truth", "class", "--k", "3", "--max-iter", "2")
    result = run("cluster", *words, *quiet)
    assert result.exit_code == 0
    assert "no" in result.stdout
    told = (
        "concordant: iris.csv: 3 clusters: not converged in 2 iterations; raise "
        "--max-iter or --tol\n"
    )
    assert result.stderr == ("" if quiet else told)
    words = (
        "iris.csv",
        "--truth",
        "class",
        "--k",
        "3",
        "--max-iter",
        "2",
        "--tol",
        "0",
    )
    assert run("cluster", *words).stderr == ""


def test_the_summary_is_a_plain_table():
    text = output_of("cluster", "iris.csv", "--truth", "class", "--k", "3")
    title, _, header, rule, row = text.splitlines()
    assert title == (
        "iris.csv: 150 objects, 4 columns, by fuzzy C-means, compared with class"
    )
    assert header.split()[:4] == ["clusters", "objective", "iterations", "converged"]
    assert {*rule} == {"-"}
    assert row.split()[0] == "3"


def test_standard_input_is_clustered():
    with open("named.csv", "rb") as file:
        text = output_of("cluster", "-", "--k", "2", input=file.read())
    assert text == output_of("cluster", "named.csv", "--k", "2")


def test_the_same_input_gives_the_same_bytes():
    words = ("cluster", "iris.csv", "--truth", "class", "--k", "3", "--json")
    assert output_of(*words) == output_of(*words)


def test_the_result_can_be_compared_at_once():
    output_of("cluster", "named.csv", "--k", "3", "--out", "P.csv")
    output_of("cluster", "named.csv", "--k", "3", "--method", "pd", "--out", "Q.csv")
    document = json.loads(output_of("compare", "P.csv", "Q.csv", "--json"))
    assert document["matched_by"] == "id"
    assert document["n_objects"] == 150
