"""A file of any program is read right, or refused with the option that reads it."""

import io
import re
import zipfile

import numpy as np
import pytest
from command_line import output_of, run
from files_of_programs import CASES, M2, RNG, N

import concordant as cc
from concordant.files import FileError, read_partition
from concordant.partition.partition import Partition

STREAM = io.BytesIO()
with zipfile.ZipFile(STREAM, "w") as archive:
    archive.writestr("u.csv", "1\n2\n")
ZIPPED = STREAM.getvalue()
OTHER = RNG.dirichlet([0.5, 0.7, 0.9], N)


def truth_of(case):
    """Give the partition that a file means."""
    truth = np.asarray(case.truth)
    if truth.dtype == bool:
        truth = truth.astype(float)
    partition = Partition._named(truth, "", warn=False, ids=case.ids, **case.partition)
    if case.kept is None:
        return partition
    some = None if case.ids is None else [case.ids[i] for i in case.kept]
    kept = Partition._named(
        truth[case.kept], "", warn=False, ids=some, **case.partition
    )
    return kept._among(np.asarray(case.kept), len(truth), case.ids, None)


def check_same(found, truth):
    assert found.kind == truth.kind
    assert (None if found.ids is None else found.ids.tolist()) == (
        None if truth.ids is None else truth.ids.tolist()
    )
    if truth.kind == "crisp":
        names, expected = (p.clusters[p.labels].tolist() for p in (found, truth))
        if isinstance(names[0], type(expected[0])):
            assert names == expected
        assert found.labels.tolist() == truth.labels.tolist()
    else:
        np.testing.assert_array_equal(found.memberships, truth.memberships)


def flags(options):
    words = []
    for name, value in options.items():
        match name, value:
            case "header", False:
                words.append("--no-header")
            case "id_column", _:
                words += ["--id", value]
            case "columns", _:
                words += ["--columns", ",".join(value)]
            case _, True:
                words.append(f"--{name.replace('_', '-')}")
            case _:
                words += [f"--{name}", value]
    return [*map(str, words)]


def test_there_are_many():
    assert len(CASES) >= 100


@pytest.mark.filterwarnings("ignore::concordant.NoiseLabelWarning")
@pytest.mark.parametrize("title", CASES)
def test_a_file_is_read_right_or_the_option_is_named_that_reads_it(
    tmp_path, monkeypatch, title
):
    monkeypatch.chdir(tmp_path)
    case = CASES[title]
    (tmp_path / case.name).write_bytes(case.content)
    given = {}
    for option, value in case.options.items():
        with pytest.raises(FileError) as caught:
            read_partition(case.name, **given)
        message = str(caught.value)
        assert re.search(rf"\b{option}=", message), message
        assert message.startswith(case.name)
        assert message.isprintable()
        assert len(message) < 350
        given[option] = value
    check_same(read_partition(case.name, **given), truth_of(case))


@pytest.mark.parametrize("title", CASES)
def test_the_command_line_gives_the_right_number_or_names_the_option(
    tmp_path, monkeypatch, title
):
    monkeypatch.chdir(tmp_path)
    case = CASES[title]
    (tmp_path / case.name).write_bytes(case.content)
    np.save("other.npy", OTHER)
    truth = truth_of(case)
    # Clusters may come in another order, and so may sums over them.
    exactly = cc.concordance(truth, Partition(OTHER)).aci
    expected = pytest.approx(exactly, abs=1e-14)
    words = ["compare", case.name, "other.npy", "--index", "aci", "--csv"]
    result = run(*words)
    if result.exit_code == 0:
        assert float(result.stdout.split(",")[-2]) == expected
    else:
        first = flags(dict([next(iter(case.options.items()))]))[0]
        assert f"{first} " in result.stderr
    found = output_of(*words, *flags(case.options), "--only", case.name)
    assert float(found.split(",")[-2]) == expected


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("u.xlsx", b"PK\x03\x04\x14\0[Content_Types].xml", "save the sheet as CSV"),
        ("u", ZIPPED, "holds no array; unpack it"),
        ("u.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel workbook: save"),
        ("u.zip", ZIPPED, "holds no array; unpack it"),
        ("u.rds", b"\x1f\x8b\x08", "save it there as CSV"),
        ("u.mat", b"MATLAB 5.0 MAT-file", "save it there as CSV"),
        ("u.pkl", b"\x80\x04", "save it there as CSV, or in Python with numpy.save"),
        ("u.h5", b"\x89HDF\r\n\x1a\n", "save it there as CSV"),
        ("u.json", b"[[0.5,0.5]]", "a file of another program: save it there as CSV"),
    ],
)
def test_a_file_that_only_its_program_reads_is_refused_with_the_remedy(
    tmp_path, monkeypatch, name, content, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=re.escape(message)):
        read_partition(name)


@pytest.mark.parametrize(
    "row",
    ["[{}, {}]", "({}, {})", "{}:{}", "{}/{}", "{} & {}", "{{{},{}}}", "a{}, b{}"],
)
def test_numbers_in_other_shapes_never_become_labels(tmp_path, row):
    path = tmp_path / "u.txt"
    path.write_text("".join(row.format(*pair) + "\n" for pair in M2.round(2)))
    with pytest.raises(FileError):
        read_partition(path)
