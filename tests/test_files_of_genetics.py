"""Files of population genetics and topic models are read as their programs mean."""

import io
import json
import subprocess

import numpy as np
import pytest
from command_line import fault_of, output_of, run

import concordant as cc
from concordant.files import FileError, read_partition

RNG = np.random.default_rng(25)
K3 = RNG.dirichlet([0.6, 0.8, 1.0], 6).round(3)
K3[:, 2] = (1.0 - K3[:, 0] - K3[:, 1]).round(3)
OTHER = np.roll(K3, 1, axis=0)
LABELS = [f"ind{i}" for i in range(6)]
POPULATIONS = ["2", "2", "1", "1", "3", "3"]

HEAD = """

----------------------------------------------------
STRUCTURE by Pritchard, Stephens and Donnelly (2000)
----------------------------------------------------

Given    Inferred Clusters       Number of
 Pop       1      2      3      Individuals

  1:     0.629  0.138  0.232        4

Inferred ancestry of individuals:
"""
FOOT = (
    "\n\nEstimated Allele Frequencies in each cluster\n\nLocus 1 : A8\n0.0% missing\n"
)


def numbers(row, between=" "):
    return between.join(f"{x:.3f}" for x in row)


def people(label=True, population=True, interval="", rate=""):
    lines = []
    for i, row in enumerate(K3):
        name = f"{LABELS[i]:>8} " if label else ""
        place = f"{POPULATIONS[i]:>4}" if population else ""
        lines.append(f"{i + 1:3d} {name}  ({7 * i}) {place} : {rate} {numbers(row)} ")
        lines[-1] += interval and "  (0.641,0.908) (0.092,0.359) (0.0,0.1) "
    return "\n".join(lines) + "\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name, text):
    with open(name, "w", newline="", encoding="utf-8") as stream:
        stream.write(text)
    return name


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("interval", ["", "yes"])
@pytest.mark.parametrize("population", [True, False])
@pytest.mark.parametrize("label", [True, False])
def test_output_of_structure_is_read(label, population, interval, end):
    title = "        Label (%Miss) Pop:  Inferred clusters\n"
    text = HEAD + title + people(label, population, interval) + FOOT
    P = read_partition(put("out_f", text.replace("\n", end)))
    np.testing.assert_array_equal(P.memberships, K3)
    assert P.ids.tolist() == (LABELS if label else [*"123456"])
    assert (None if P.groups is None else P.groups.tolist()) == (
        POPULATIONS if population else None
    )


def test_recombination_rates_of_structure_are_no_memberships():
    title = "        Label (%Miss) Pop:  Ind's r Inferred clusters\n"
    P = read_partition(put("out_f", HEAD + title + people(rate="0.551") + FOOT))
    np.testing.assert_array_equal(P.memberships, K3)


def test_assumed_populations_of_structure_become_memberships():
    text = HEAD + (
        "Probability of being from assumed population | prob of other pops\n"
        "        Label (%Miss) Pop\n"
        "  1  a    (0)    1 :  0.900 | Pop 2: 0.010 0.020 0.030  "
        "| Pop 3: 0.040 0.000 0.000  | \n"
        "  2  b    (0)    3 :  0.100 | Pop 1: 0.500 0.000 0.000  "
        "| Pop 2: 0.400 0.000 0.000  |  **\n"
        "  3  c    (0)    2 :  0.200 0.300 0.500\n"
    )
    P = read_partition(put("out_f", text + FOOT))
    expected = [[0.9, 0.06, 0.04], [0.5, 0.4, 0.1], [0.2, 0.3, 0.5]]
    np.testing.assert_allclose(P.memberships, expected, atol=1e-15)
    assert P.clusters.tolist() == ["1", "2", "3"]
    assert "USEPOPINFO" in P.remarks[0]


def test_indfiles_are_read_with_their_populations():
    P = read_partition(put("run.indivq", people()))
    np.testing.assert_array_equal(P.memberships, K3)
    assert P.groups.tolist() == POPULATIONS
    taken = P.take(np.array([4, 0]))
    assert taken.groups.tolist() == ["3", "2"]
    again = read_partition(put("twice.ind", people().replace("ind1", "ind0")))
    assert again.ids.tolist() == [*"123456"]


def popfile(*runs, weights=(1,) * 6):
    return "          \n\n".join(
        "".join(
            f"{i + 1}:    {numbers(row)} {weights[i]}    \n" for i, row in enumerate(m)
        )
        for m in runs
    )


def test_the_last_column_of_a_popfile_is_a_weight():
    P = read_partition(put("K3.txt", popfile(K3)))
    np.testing.assert_array_equal(P.memberships, K3)
    assert not any("weight" in remark for remark in P.remarks)
    weighted = read_partition(put("K3.txt", popfile(K3, weights=[1, 2, 3, 4, 5, 25])))
    assert weighted.n_clusters == 3
    assert (
        "weights in the last column, from 1 to 25, are left out" in weighted.remarks[0]
    )


def test_one_of_several_runs_is_read():
    put("runs.txt", popfile(K3, OTHER))
    with pytest.raises(FileError, match=r"holds 2 runs; run=1 or runs.txt#1 reads"):
        read_partition("runs.txt")
    np.testing.assert_array_equal(read_partition("runs.txt#2").memberships, OTHER)
    np.testing.assert_array_equal(read_partition("runs.txt", run=2).memberships, OTHER)
    for wrong in ("runs.txt#3", "runs.txt#0"):
        with pytest.raises(FileError, match="holds 2 runs, not run"):
            read_partition(wrong)
    told = fault_of("compare", "runs.txt", "runs.txt")
    assert "--run 1 or runs.txt#1 reads the first" in told
    document = json.loads(output_of("compare", "runs.txt#1", "runs.txt#2", "--json"))
    assert [document[name]["understood"]["run"] for name in "PQ"] == [1, 2]
    assert document["concordance"]["aci"] == cc.adjusted_concordance_index(K3, OTHER)
    put("P.csv", "0.5,0.5\n1,0\n")
    assert "holds one run; leave out --run 2" in fault_of(
        "compare", "P.csv", "P.csv", "--run", "2"
    )


@pytest.mark.parametrize("kind", ["indfile", "popfile"])
def test_runs_that_no_empty_line_divides_are_told_apart(kind):
    def lines(matrix):
        rows = enumerate(map(numbers, matrix))
        if kind == "popfile":
            return "".join(f"{i + 1}:   {row} 25\n" for i, row in rows)
        return "".join(f"{i + 1} ind{i} (0) 1 : {row}\n" for i, row in rows)

    runs = put("runs.txt", lines(K3) + lines(OTHER) + lines(K3))
    with pytest.raises(FileError, match=r"holds 3 runs; run=1 or runs.txt#1"):
        read_partition(runs)
    np.testing.assert_array_equal(read_partition(runs, run=2).memberships, OTHER)
    assert len(cc.read_partitions(runs)) == 3


def test_numbers_that_begin_anew_in_each_population_are_no_runs():
    rows = [
        f"{i % 3 + 1} ind{i} (0) {i // 3 + 1} : {numbers(K3[i])}\n" for i in range(6)
    ]
    P = read_partition(put("people.txt", "".join(rows)))
    np.testing.assert_array_equal(P.memberships, K3)
    assert P.ids.tolist() == LABELS


def test_all_runs_or_columns_of_a_file_are_read_as_a_list():
    put("runs.txt", popfile(K3, OTHER, K3))
    found = cc.read_partitions("runs.txt")
    assert [P.memberships.tolist() for P in found] == [
        matrix.tolist() for matrix in (K3, OTHER, K3)
    ]
    (one,) = cc.read_partitions("runs.txt#2")
    np.testing.assert_array_equal(one.memberships, OTHER)
    put("t.csv", "id,kmeans,gmm,x\na,0,5,0.1\nb,1,5,0.2\nc,1,6,0.3\n")
    found = cc.read_partitions("t.csv", columns=["kmeans", "gmm"])
    assert [P.labels.tolist() for P in found] == [[0, 1, 1], [0, 0, 1]]
    put("P.csv", "x\n1\n2\n1\n")
    assert [P.n_clusters for P in cc.read_partitions("P.csv")] == [2]
    with pytest.raises(FileError, match="holds 3 runs, not run 4"):
        cc.read_partitions("runs.txt#4")


def test_a_weight_that_is_not_recognised_is_not_divided_into_a_cluster():
    put("w.csv", "a,b,n\n0.25,0.75,1\n0.5,0.5,1\n1,0,1\n")
    told = fault_of("compare", "w.csv", "w.csv")
    assert "without column 3 ('n'), which may be a weight, they do; " in told
    assert "--columns those of memberships, of 'a', 'b'" in told
    assert "--normalize" not in told
    assert read_partition("w.csv", columns=["a", "b"]).n_clusters == 2


def test_ids_of_a_q_file_stand_in_the_fam_file_beside_it():
    put("run.3.Q", "".join(numbers(row) + "\n" for row in K3))
    put("run.fam", "".join(f"f{i} {n} 0 0 1 -9\n" for i, n in enumerate(LABELS)))
    assert read_partition("run.3.Q").ids is None
    named = read_partition("run.3.Q", ids="run.fam")
    assert named.ids.tolist() == LABELS
    put("list.txt", "".join(f"{name}\n" for name in LABELS))
    assert read_partition("run.3.Q", ids="list.txt").ids.tolist() == LABELS
    put("short.txt", "a\nb\n")
    with pytest.raises(FileError, match=r"has 6 objects and short.txt has 2 ids"):
        read_partition("run.3.Q", ids="short.txt")
    put(
        "Q.csv",
        "id,label\n" + "".join(f"{n},{i % 2}\n" for i, n in enumerate(LABELS[::-1])),
    )
    words = ("compare", "run.3.Q", "Q.csv", "--ids", "run.fam", "--only", "1")
    assert "matched by id" in output_of(*words)
    told = fault_of("compare", "run.fam", "Q.csv")
    assert "PLINK's list of individuals: --ids" in told


@pytest.mark.parametrize("old", [True, False])
def test_topics_of_mallet_are_read(old):
    lines = []
    for i, row in enumerate(K3):
        order = np.argsort(-row)
        cells = [f"{k}\t{row[k]:.3f}" for k in order] if old else [numbers(row, "\t")]
        lines.append("\t".join([str(i), f"file:/doc%20{i}.txt", *cells]) + "\n")
    text = ("#doc name topic proportion ...\n" if old else "") + "".join(lines)
    P = read_partition(put("doc-topics.txt", text))
    np.testing.assert_array_equal(P.memberships, K3)
    assert P.ids.tolist()[0] == "file:/doc%200.txt"


@pytest.mark.parametrize("program", ["tess", "baps"])
def test_a_file_that_is_not_read_is_refused_with_a_line_that_converts_it(program):
    if program == "tess":
        text = "Estimated Clustering Probabilities for Samples\nSample\t"
        text += "\t".join(f"***Cluster  0{k}***" for k in (1, 2, 3)) + "\t\n"
        text += "".join(
            f"{i:06d}:\t{numbers(r, chr(9))}\t\t1\n" for i, r in enumerate(K3)
        )
        text += "\nk: 0\t10.0\n"
    else:
        text = " \n----\nRESULTS OF ADMIXTURE ANALYSIS BASED\nON\n \n   1  2  3  p\n"
        text += "".join(f"{i + 1}:  {numbers(row)}:  1\n" for i, row in enumerate(K3))
    put("out.txt", text)
    with pytest.raises(FileError, match="converts it") as caught:
        read_partition("out.txt")
    line = str(caught.value).split(": ", 2)[2].removesuffix(" converts it")
    subprocess.run(line, shell=True, check=True)
    np.testing.assert_array_equal(read_partition("out.txt.Q").memberships, K3)


def test_other_files_of_these_programs_are_refused():
    put("misc.txt", "\nUsing the parameter settings in the file: \n''paramfile''\n")
    with pytest.raises(FileError, match="CLUMPP's report of its settings"):
        read_partition("misc.txt")
    for corner in ("0.2", "-0.21"):  # estimated, it differs by order
        put("s.csv", f"1,0.5,{corner}\n0.5,1,0.3\n0.2,0.3,1\n")
        with pytest.raises(FileError, match="similarities of objects, not member"):
            read_partition("s.csv")
    put("x.h5ad", "\x89HDF")
    with pytest.raises(FileError, match="read_h5ad..x.h5ad..*to_csv..leiden.csv"):
        read_partition("x.h5ad")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("out_f", HEAD + people().replace("0.", "x.", 1) + FOOT, "line 1"),
        ("out_f", HEAD, "without memberships"),
        (
            "run.indivq",
            people() + " 7 x (0) 1 : 0.5 0.5\n",
            "2 memberships where line 1",
        ),
        (
            "run.indivq",
            people() + "nonsense\n",
            "not a line of format indfile",
        ),
        (
            "pop.txt",
            popfile(K3) + "7: x\n",
            "found '7: x', not a line of format popfile",
        ),
        (
            "t.txt",
            "#doc name topic proportion\n0 a 1 0.5 0\n",
            "not a line of format mallet",
        ),
        (
            "t.txt",
            "#doc name topic proportion\n0 a 900000000 1.0\n",
            "topic 900000000, of fewer",
        ),
    ],
)
def test_a_fault_in_such_a_file_is_told_with_its_line(name, text, message):
    with pytest.raises(FileError, match=message) as caught:
        read_partition(put(name, text))
    assert str(caught.value).startswith(name)


def test_formats_are_listed():
    listed = run("formats").stdout
    for name in ("structure", "indfile", "popfile", "mallet", "Q", "parquet"):
        assert f"\n{name} " in "\n" + listed


@pytest.mark.parametrize("start", ["1", "1 (0)", "1 a", "1 (0) 2 :"])
def test_a_line_of_blanks_is_no_individual_and_is_soon_known_as_none(start, tmp_path):
    path = tmp_path / "P.txt"
    path.write_text(f"{start}{' ' * 1_000_000}x,1\nb,2\nc,1\n")
    with pytest.raises(FileError, match="line 1: .*field larger than field limit"):
        read_partition(path)


def test_a_file_of_several_runs_is_read_once(monkeypatch):
    rows = [" ".join(map(str, row)) for row in K3]
    runs = ["".join(f"{i}: {r} 1\n" for i, r in enumerate(rows)) for _ in range(3)]
    stream = io.TextIOWrapper(io.BytesIO("\n".join(runs).encode()))
    monkeypatch.setattr("sys.stdin", stream)
    found = cc.read_partitions("-")
    assert [np.array_equal(P.memberships, K3) for P in found] == [True] * 3
