"""The commands that align the clusters of many files, and find their consensus."""

import json

import numpy as np
import pytest
from command_line import check_schema, output_of, run

import concordant as cc
from concordant.files import write_table

RNG = np.random.default_rng(0)
U = RNG.dirichlet([0.3] * 3, 12)
IDS = np.array([f"object {i}" for i in range(12)], dtype=object)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, order in enumerate(([0, 1, 2], [2, 0, 1], [1, 0, 2]), start=1):
        noisy = U + 0.1 * RNG.dirichlet([1.0] * 3, 12)
        noisy = (noisy / noisy.sum(axis=1, keepdims=True))[:, order]
        write_table(f"run{number}.3.Q", noisy, names=["a", "b", "c"])
        rows = RNG.permutation(12)
        write_table(f"{number}.csv", noisy[rows], names=["a", "b", "c"], ids=IDS[rows])


def test_aligned_files_are_written_as_they_were_with_columns_in_the_same_order():
    document = json.loads(
        output_of("align", "run1.3.Q", "run2.3.Q", "run3.3.Q", "--out", "new", "--json")
    )
    check_schema(document, "align")
    assert document["written"] == [f"new/run{number}.3.Q" for number in (1, 2, 3)]
    assert document["orders"] == [[1, 2, 3], [2, 3, 1], [2, 1, 3]]
    files = [f"run{number}.3.Q" for number in (1, 2, 3)]
    found = cc.align_clusters(files)
    assert document["mean_similarity"] == found.mean_similarity
    for file, partition in zip(files, found.partitions, strict=True):
        assert np.array_equal(cc.read_partition(f"new/{file}").memberships, partition)


def test_ids_and_names_of_clusters_are_kept():
    output_of("align", "1.csv", "2.csv", "--reference", "2.csv", "--out", "new")
    first, second = (cc.read_partition(f"new/{number}.csv") for number in (1, 2))
    assert second.clusters.tolist() == ["a", "b", "c"]
    assert first.clusters.tolist() == ["c", "a", "b"]
    assert sorted(first.ids) == sorted(IDS)
    assert cc.concordance(first, second, align="index").aci > 0.7


def test_orders_are_printed_and_drawn():
    text = output_of("align", "1.csv", "2.csv", "--plot", "bars.svg")
    assert "2 partitions of 12 objects, matched by id: H' 0.9" in text
    assert text.splitlines()[-1].split() == ["2.csv", "2", "3", "1"]
    table = output_of("align", "1.csv", "2.csv", "--csv")
    assert table.splitlines() == ["file,1,2,3", "1.csv,1,2,3", "2.csv,2,3,1"]
    with open("bars.svg", encoding="utf-8") as file:
        assert "<svg" in file.read()


@pytest.mark.parametrize("method", ["euclidean", "comembership"])
def test_the_consensus_is_that_of_the_library(method):
    names = [f"run{number}.3.Q" for number in (1, 2, 3)]
    document = json.loads(
        output_of("consensus", *names, "--method", method, "--out", "mean.Q", "--json")
    )
    check_schema(document, "consensus")
    found = cc.consensus(names, method=method, random_state=0)
    assert document["criterion"] == found.criterion
    assert document["distances"] == found.distances.tolist()
    written = cc.read_partition("mean.Q").memberships
    assert np.abs(written - found.partition.memberships).max() < 1e-6


def test_without_a_place_the_memberships_are_printed():
    text = output_of("consensus", "1.csv", "2.csv", "3.csv")
    assert text.splitlines()[0] == "id,cluster_1,cluster_2,cluster_3"
    assert len(text.splitlines()) == 13
    text = output_of("consensus", "run1.3.Q", "run2.3.Q", "--csv")
    assert text.splitlines()[0] == "file,distance"


def test_a_file_that_is_given_twice_counts_twice():
    once = json.loads(output_of("consensus", "1.csv", "2.csv", "--json"))
    twice = json.loads(output_of("consensus", "1.csv", "1.csv", "2.csv", "--json"))
    assert len(twice["distances"]) == 3
    assert twice["distances"][0] < once["distances"][0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("align", "1.csv"), "at least two files are needed"),
        (("consensus", "1.csv"), "at least two files are needed"),
        (("align", "1.csv", "2.csv", "--out", "1.csv"), "is a file"),
        (("align", "1.csv", "2.csv", "--out", "."), "would overwrite a file that is"),
        (("align", "1.csv", "./1.csv", "--out", "new"), "would be written to the same"),
        (("align", "1.csv", "2.csv", "--reference", "3.csv"), "not one of the files"),
        (
            ("align", "1.csv", "2.csv", "--plot", "a.txt"),
            "must end in .png, .svg or .pdf",
        ),
        (("align", "1.csv", "nowhere.csv"), "nowhere.csv"),
        (("consensus", "1.csv", "2.csv", "--out", "1.csv"), "would overwrite"),
        (("consensus", "1.csv", "2.csv", "--out", "a.npy"), "are written as CSV"),
        (("consensus", "1.csv", "2.csv", "--k", "2"), "found --k 2; leave it out"),
    ],
)
def test_what_cannot_be_is_refused(words, message):
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in " ".join(result.stderr.split())
