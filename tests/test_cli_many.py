"""The commands that align the clusters of many files, and find their consensus."""

import json
from pathlib import Path

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
    assert cc.concordance(first, second, match_by="id").aci > 0.7


def test_columns_without_names_are_called_by_their_numbers_in_the_file():
    noisy = np.random.default_rng(1).dirichlet([0.2] * 3, 9)
    for name, order in (("p.csv", [0, 1, 2]), ("q.csv", [2, 0, 1])):
        np.savetxt(name, noisy[:, order], delimiter=",")
    table = output_of("align", "p.csv", "q.csv", "--out", "new", "--csv").splitlines()
    assert table == ["file,1,2,3", "p.csv,1,2,3", "q.csv,2,3,1"]
    for name, order in (("p", "123"), ("q", "231")):
        found = cc.read_partition(f"new/{name}.csv").clusters
        assert found.tolist() == [f"cluster_{number}" for number in order]


def test_orders_are_printed_and_drawn():
    text = output_of("align", "1.csv", "2.csv", "--plot", "bars.svg")
    assert "2 partitions of 12 objects, matched by id: mean similarity H' 0.9" in text
    assert text.splitlines()[-1].split() == ["2.csv", "2", "3", "1"]
    table = output_of("align", "1.csv", "2.csv", "--csv")
    assert table.splitlines() == ["file,1,2,3", "1.csv,1,2,3", "2.csv,2,3,1"]
    with open("bars.svg", encoding="utf-8") as file:
        assert "<svg" in file.read()


@pytest.mark.parametrize("command", ["align", "agreement"])
def test_bars_take_groups_their_order_and_a_title(command):
    files = [f"run{number}.3.Q" for number in (1, 2, 3)]
    with open("groups.txt", "w", encoding="utf-8") as file:
        file.write("west\n" * 5 + "east\n" * 7)
    with open("order.txt", "w", encoding="utf-8") as file:
        file.write("east\nwest\n")
    words = (command, *files, "--groups", "groups.txt", "--title", "three runs")
    drawn = []
    for order in ((), ("--order", "east,west"), ("--order", "order.txt")):
        output_of(*words, *order, "--plot", "bars.svg")
        with open("bars.svg", encoding="utf-8") as file:
            drawn.append(file.read())
    assert drawn[0] != drawn[1] == drawn[2]
    refused = run(*words, "--order", "east", "--plot", "x.png")
    assert refused.exit_code == 2
    assert "--order must name each group once, and west is missing" in refused.stderr
    assert "give --plot FILE too" in run(command, *files, "--title", "x").stderr
    assert "names nothing" in run(command, *files, "--order", ",").stderr


@pytest.mark.parametrize("loss", ["euclidean", "comembership"])
def test_the_consensus_is_that_of_the_library(loss):
    names = [f"run{number}.3.Q" for number in (1, 2, 3)]
    document = json.loads(
        output_of("consensus", *names, "--loss", loss, "--out", "mean.Q", "--json")
    )
    check_schema(document, "consensus")
    found = cc.consensus(names, loss=loss, random_state=0)
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


def test_a_consensus_of_several_modes_says_so_on_standard_error():
    names = [f"run{number}.3.Q" for number in (1, 2)]
    write_table("run4.3.Q", U[::-1], names=["a", "b", "c"])
    done = run("consensus", *names, "run4.3.Q", "--json", "--out", "mean.Q")
    (line,) = done.stderr.splitlines()
    assert line.startswith("concordant: 3 partitions fall into ")
    assert line.endswith(
        "concordant modes finds the modes and averages each, also for a lower threshold"
    )
    assert json.loads(done.stdout)["remarks"][-1] == line.removeprefix("concordant: ")
    assert run("consensus", names[0], names[0], "--out", "mean.Q").stderr == ""


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
        (("consensus", "1.csv", "2.csv", "--out", "a.npy"), "must end in .csv, .tsv"),
        (("consensus", "1.csv", "2.csv", "--k", "2"), "found --k 2; leave it out"),
    ],
)
def test_what_cannot_be_is_refused(words, message):
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in " ".join(result.stderr.split())


@pytest.fixture
def draws():
    labels = np.random.default_rng(1).integers(0, 2, (6, 1)) + np.zeros((6, 8), int)
    labels[:, :4] = 3
    np.savetxt("rows.csv", labels, fmt="%d", delimiter=",")
    np.savetxt("columns.csv", labels.T, fmt="%d", delimiter=",")
    return labels


@pytest.mark.parametrize("loss", ["binder", "vi", "aci", "euclidean"])
def test_draws_are_read_from_the_axis_that_is_named(draws, loss):
    for axis in ("rows", "columns"):
        asked = ("--draws", axis, "--loss", loss, "--seed", "0", "--json")
        document = json.loads(output_of("consensus", f"{axis}.csv", *asked))
        check_schema(document, "consensus")
        found = cc.consensus(draws, loss=loss, draws="rows", random_state=0)
        assert document["distances"] == pytest.approx(found.distances.tolist())
        assert document["n_objects"] == 8
        if loss != "euclidean":
            assert document["expected_loss"] == found.expected_loss
            assert document["ball"] == {"level": 0.95, "radius": found.ball().radius}


def test_an_estimate_of_draws_is_printed_and_written(draws):
    draws[0, 0] = -1
    np.savetxt("noise.csv", draws, fmt="%d", delimiter=",")
    words = "consensus", "noise.csv", "--draws", "rows", "--loss", "vi"
    assert run(*words).stderr == ""
    text = output_of(
        "consensus",
        "rows.csv",
        "--draws",
        "rows",
        "--loss",
        "vi",
        "--max-clusters",
        "2",
        "--out",
        "labels.csv",
    )
    assert text.startswith("6 draws of 8 objects, 1 different: 2 clusters, ex")
    assert cc.read_partition("labels.csv").harden().labels.tolist() == [0] * 4 + [1] * 4


@pytest.mark.parametrize(
    ("heading", "more"),
    [('"",V1,V2,V3', ()), ("V1 V2 V3", ()), ("id,a,b,c", ()), ("it,a,b,c", ("it",))],
)
def test_the_numbers_of_draws_are_no_object(heading, more):
    text = f"{heading}\n1,1,1,2\n2,1,2,2\n3,1,1,1\n"
    Path("draws.csv").write_text(text.replace(",", " ") if " " in heading else text)
    ids = ("--id", *more) if more else ()
    for axis in ("rows", "columns"):
        words = "consensus", "draws.csv", "--draws", axis, "--loss", "binder", *ids
        document = json.loads(output_of(*words, "--json"))
        assert (document["n_objects"], len(document["distances"])) == (3, 3)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("rows.csv", "columns.csv"), "--draws is for a single file, found 2"),
        (("rows.csv", "--column", "1"), "--column is not for --draws"),
        (("rows.csv", "--noise", "drop"), "--noise is not for --draws"),
        (("rows.csv", "--labels-as-text"), "--labels-as-text is not for --draws"),
        (("run1.3.Q", "--loss", "vi"), "--draws needs whole numbers, found '0."),
        (("text.csv",), "--draws needs whole numbers, found 'x'"),
        (("rows.csv", "--max-clusters", "2"), "--max-clusters is for --loss binder"),
        (("rows.csv", "--k", "2", "--loss", "vi"), "--k is for --loss comembership"),
    ],
)
def test_what_is_no_file_of_draws_is_refused(draws, words, message):
    with open("text.csv", "w", encoding="utf-8") as file:
        file.write("1,2,1\n1,1,2\n1,x,2\n")
    result = run("consensus", *words, "--draws", "rows")
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
