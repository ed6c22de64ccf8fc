"""Every fault of every command is one line on standard error, and the exit code 2."""

import errno
import io
import os
import re

import numpy as np
import pandas as pd
import pytest
from command_line import fault_of, process, run

from concordant.cli import COMMANDS as COMMANDS_OF_ALL
from concordant.cli import main

GOOD = "id,x,y\na,0.25,0.75\nb,0.5,0.5\nc,1,0\n"


def npy(array, **options):
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


class Trap:
    """An object that writes a file when it is unpickled."""

    def __reduce__(self):
        return (open, ("sprung", "w"))


def huge_npy():
    text = "{'descr': '<f8', 'fortran_order': False, 'shape': (44739243, 3), }"
    header = text.ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header


#: Name of the file, its content, and what the line says.
OF_ANY_FILE = {
    "missing": ("F.csv", None, "F.csv: no such file"),
    "directory": ("F", "directory", "F: is a directory, not a file"),
    "empty": ("F.csv", "", "F.csv: is empty"),
    "header only": ("F.csv", "id,x,y\n", "F.csv: has a heading but no objects"),
    "one row": ("F.csv", "id,x,y\na,0,1\n", "F.csv, line 2: only one object"),
    "ragged": (
        "F.csv",
        "id,x,y\na,0.25,0.75\nb,0.5\nc,1,0\n",
        "F.csv, line 3: 2 cells where line 1 has 3",
    ),
    "text in a numeric column": (
        "F.csv",
        "id,x,y\na,0.25,0.75\nb,0.5,half\nc,1,0\n",
        "F.csv, line 3, column 3 ('y'): found 'half', not a number",
    ),
    "NaN": (
        "F.csv",
        "id,x,y\na,0.25,0.75\nb,nan,0.5\nc,1,0\n",
        "F.csv, line 3, column 2 ('x'): a missing value (nan)",
    ),
    "duplicate ids": (
        "F.csv",
        "id,x,y\na,0.25,0.75\nb,0.5,0.5\na,1,0\n",
        "F.csv, line 4, column 1 ('id'): the id 'a' already occurs in line 2",
    ),
    "header of 1 GB": (
        "F.npy",
        huge_npy(),
        "F.npy: not a NumPy file",
    ),
    "endless header": (
        "F.csv",
        b"x," * (1 << 23) + b"y\n",
        "line 1: holds more than 16",
    ),
    "invalid UTF-8": (
        "F.csv",
        b"id,x,y\nM\xfc,0.25,0.75\nb,0.5,0.5\n",
        "F.csv, line 2: not encoded in utf-8; --encoding cp1252",
    ),
    "pickled objects": (
        "F.npy",
        npy(np.array([Trap(), Trap()], dtype=object), allow_pickle=True),
        "F.npy: not a NumPy file of numbers or text",
    ),
    "ambiguous header": (
        "F.csv",
        "0,1\n0.25,0.75\n0.5,0.5\n1,0\n0,1\n",
        "F.csv, line 1: is it a heading or an object? --header says a heading, "
        "--no-header an object, --skip 1 a title",
    ),
    "several arrays": (
        "F.npz",
        lambda path: np.savez(path, A=np.eye(3), B=np.eye(3)),
        "F.npz: holds 'A', 'B'; say which one with --array 'A' or 'B'",
    ),
    "damaged Parquet": ("F.parquet", b"PAR1", "F.parquet: a damaged or foreign file"),
    "null in Parquet": (
        "F.parquet",
        lambda path: pd.DataFrame({"x": [0.5, None], "y": [0.5, 1]}).to_parquet(path),
        "F.parquet, row 2, column 1 ('x'): a missing value (nan)",
    ),
}
OF_PARTITIONS = {
    "rows that do not sum to 1": (
        "F.csv",
        "id,x,y\na,0.25,0.75\nb,0.5,0.25\nc,1,0\n",
        "F.csv, line 3: memberships sum to 0.75, not to 1; --noise column makes what "
        "is missing one more cluster",
    ),
    "transposed": (
        "F.csv",
        "0.25,0.5,1\n0.75,0.5,0\n",
        "F.csv, line 1: memberships sum to 1.75, not to 1; its columns do: --transpose",
    ),
    "different lengths": (
        "F.csv",
        "1\n0\n1\n1\n",
        "P.csv has 3 objects and F.csv has 4: they must describe the same objects",
    ),
    "different lengths with ids": (
        "F.csv",
        "id,x,y\na,0.25,0.75\nb,0.5,0.5\nc,1,0\nd,0,1\n",
        "has 4: they must describe the same objects ('d' of F.csv not found in P.csv)",
    ),
    "other ids": (
        "F.csv",
        "id,x,y\na,0.25,0.75\nb,0.5,0.5\nP,1,0\n",
        "the ids of P.csv and F.csv differ: 'c' of P.csv not found in F.csv",
    ),
    "ids that are not told": (
        "F.csv",
        "k,x,y\n17,0.25,0.75\n18,0.5,0.5\n19,1,0\n",
        "between 0 and 1; --id names the ids",
    ),
}
OF_DATA = {
    "text column": (
        "F.csv",
        "id,x,kind\na,1,u\nb,2,v\nc,3,u\n",
        "F.csv, line 2, column 3 ('kind'): found 'u', not a number; --without leaves",
    ),
    "infinity": (
        "F.csv",
        "id,x,y\na,1,2\nb,inf,4\nc,5,6\n",
        "F.csv, line 3, column 2 ('x'): found 'inf', not a number as the others",
    ),
    "too few objects": (
        "F.csv",
        "1,2\n",
        "F.csv, line 1: only one object",
    ),
    "too few distinct objects": (
        "F.csv",
        "x,y\n1,2\n1,2\n1,2\n",
        "too few distinct objects (1) for 2 clusters",
    ),
}
PARTITIONS = OF_ANY_FILE | OF_PARTITIONS
DATA = OF_ANY_FILE | OF_DATA


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Make a faulty file F beside good ones P and Q."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "P.csv").write_text(GOOD)
    (tmp_path / "Q.csv").write_text(GOOD)

    def write(name, content):
        path = tmp_path / name
        if content == "directory":
            path.mkdir()
        elif callable(content):
            content(path)
        elif content is not None:
            data = content.encode() if isinstance(content, str) else content
            path.write_bytes(data)
        return name

    return write


#: What each command writes: an option, and how the name of a file may not end.
WRITTEN = [
    ("compare", "--out", "x.pdf", ".json, .csv or .txt"),
    ("test", "--out", "x.html", ".json, .csv or .txt"),
    ("agreement", "--out", "x.xlsx", ".json, .csv or .txt"),
    ("agreement", "--plot", "x.html", ".png, .svg or .pdf"),
    ("agreement", "--plot", "x", ".png, .svg or .pdf"),
    ("align", "--plot", "x.csv", ".png, .svg or .pdf"),
    ("modes", "--plot", "x.csv", ".png, .svg or .pdf"),
    ("consensus", "--out", "x.csv.gz", ".csv, .tsv, .tab, .txt, .parquet, .pq or .Q"),
    ("cluster", "--out", "x.json", ".csv, .tsv, .tab, .txt, .parquet, .pq or .Q"),
    ("validity", "--out", "x.xlsx", ".json, .csv or .txt"),
    ("validity", "--plot", "x.html", ".png, .svg or .pdf"),
    ("stability", "--out", "x.html", ".json, .csv or .txt"),
    ("stability", "--plot", "x.csv", ".png, .svg or .pdf"),
    ("report", "--out", "x.pdf", ".html or .htm"),
    ("report", "--out", "x.csv", ".html or .htm"),
]


@pytest.mark.parametrize(("command", "option", "name", "ends"), WRITTEN)
def test_an_ending_that_is_not_written_is_refused(
    put, tmp_path, command, option, name, ends
):
    fitted = command in ("cluster", "stability")
    files = ["P.csv", "--k", "2"] if fitted else ["P.csv", "Q.csv"]
    told = fault_of(command, *files, option, name)
    assert f"{name!r} must end in {ends}" in told
    check_nothing_new(tmp_path)


def test_every_option_that_writes_a_file_says_how_its_name_ends():
    wanted = {
        (name, option.opts[0])
        for name in COMMANDS_OF_ALL
        for option in main.get_command(None, name).params
        if option.name in ("out", "plot") and getattr(option.type, "file_okay", False)
    }
    assert wanted == {(command, option) for command, option, *_ in WRITTEN}


def check_nothing_new(folder, *faulty):
    assert {path.name for path in folder.iterdir()} <= {"P.csv", "Q.csv", *faulty}


@pytest.mark.parametrize("fault", PARTITIONS)
@pytest.mark.parametrize(
    "command",
    [
        ("compare", "P.csv", "{}"),
        ("compare", "P.csv", "{}", "--json", "--out", "out.json"),
        ("agreement", "P.csv", "{}", "Q.csv", "--out", "out.csv", "--plot", "out.svg"),
        ("report", "P.csv", "{}", "--out", "out.html"),
        ("report", "P.csv", "Q.csv", "--truth", "{}", "--out", "out.html"),
    ],
    ids=["compare", "compare to a file", "agreement", "report", "report with a truth"],
)
def test_a_faulty_partition_is_told_in_one_line(put, tmp_path, command, fault):
    name, content, message = PARTITIONS[fault]
    file = put(name, content)
    assert message in fault_of(*(word.format(file) for word in command))
    check_nothing_new(tmp_path, name)


@pytest.mark.parametrize("fault", [f for f in PARTITIONS if "different" not in f])
def test_the_first_partition_is_no_other_than_the_second(put, fault):
    name, content, _ = PARTITIONS[fault]
    put(name, content)
    assert "F" in fault_of("compare", name, "Q.csv")


@pytest.mark.parametrize("fault", DATA)
@pytest.mark.parametrize("more", [(), ("--out", "out.csv")])
def test_faulty_data_are_told_in_one_line(put, tmp_path, fault, more):
    name, content, message = DATA[fault]
    file = put(name, content)
    assert message in fault_of("cluster", file, "--k", "2", *more)
    check_nothing_new(tmp_path, name)


IN_BYTES = [
    fault
    for fault, (_, content, _) in PARTITIONS.items()
    if isinstance(content, str | bytes) and content != "directory"
]


@pytest.mark.parametrize("fault", IN_BYTES)
def test_standard_input_is_checked_like_a_file(put, fault):
    name, content, message = PARTITIONS[fault]
    told = fault_of("compare", "P.csv", "-", input=content)
    assert message.replace(name, "standard input") in told


COMMANDS = {
    "compare": ("compare", "P.csv", "Q.csv"),
    "test": ("test", "P.csv", "Q.csv", "--permutations", "9"),
    "agreement": ("agreement", "P.csv", "Q.csv"),
    "cluster": ("cluster", "P.csv", "--k", "2"),
    "validity": ("validity", "P.csv", "Q.csv"),
    "report": ("report", "P.csv", "Q.csv"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_device_is_told(put, command):
    told = fault_of(*COMMANDS[command], "--out", "/dev/full")
    assert told == "/dev/full: cannot be written: no space left on device"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.ENOSPC])
def test_a_place_that_takes_no_file_is_told(put, tmp_path, monkeypatch, command, code):
    def fail(*args):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "replace", fail)
    told = fault_of(*COMMANDS[command], "--out", "out")
    assert told == f"out: cannot be written: {os.strerror(code).lower()}"
    check_nothing_new(tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_read_is_not_written_over(put, tmp_path, command):
    (tmp_path / "link").symlink_to(tmp_path / "P.csv")
    os.link(tmp_path / "P.csv", tmp_path / "other")
    before = (tmp_path / "P.csv").read_bytes()
    itself = () if command == "report" else ("P.csv", "./P.csv", tmp_path / "P.csv")
    for name in (*itself, "link", "./link", tmp_path / "link", "other"):
        told = fault_of(*COMMANDS[command], "--out", name)
        assert told == f"--out {name}: would overwrite a file that is read"
    assert (tmp_path / "P.csv").read_bytes() == before


def test_no_option_writes_over_what_another_writes(put):
    words = ("--plot", "a.svg", "--checkpoint", "./a.svg")
    told = fault_of(*COMMANDS["agreement"], *words)
    assert told == "--checkpoint ./a.svg: would overwrite what --plot writes"
    told = fault_of(*COMMANDS["compare"], "--checkpoint", "P.csv")
    assert told == "--checkpoint P.csv: would overwrite a file that is read"
    told = fault_of("cluster", "P-2.csv", "--k", "2:3", "--out", "P-{k}.csv")
    assert told == "--out P-2.csv: would overwrite a file that is read"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_place_that_is_not_there_is_told(put, tmp_path, command):
    told = fault_of(*COMMANDS[command], "--out", "nowhere/out")
    assert told.startswith("nowhere/out: cannot be written: no directory")
    assert "is a directory" in fault_of(*COMMANDS[command], "--out", str(tmp_path))


def test_a_picture_that_cannot_be_written_is_told(put):
    told = fault_of("agreement", "P.csv", "Q.csv", "--plot", "nowhere/map.svg")
    assert told.startswith("nowhere/map.svg: cannot be written")


@pytest.mark.parametrize(
    "words", [COMMANDS["compare"], COMMANDS["cluster"], ("--help",)]
)
def test_full_standard_output_is_told(put, words):
    with open("/dev/full", "wb") as full:
        ended = process(*words, stdout=full, stderr=-1, text=True)
    assert ended.returncode == 2
    assert ended.stderr == (
        "concordant: standard output: cannot be written: no space left on device\n"
    )


@pytest.mark.parametrize(
    "words", [COMMANDS["compare"], COMMANDS["cluster"], ("--help",)]
)
def test_a_broken_pipe_is_quiet(put, words):
    read, write = os.pipe()
    os.close(read)
    with open(write, "wb") as pipe:
        ended = process(*words, stdout=pipe, stderr=-1, text=True)
    assert ended.stderr == ""
    assert ended.returncode == 1


def closed(*numbers):
    """Close standard streams in a process before it begins."""
    return {"preexec_fn": lambda: [os.close(number) for number in numbers]}  # type: ignore[func-returns-value]


@pytest.mark.parametrize("words", [COMMANDS["compare"], ("--help",)])
def test_closed_standard_output_is_told(put, words):
    ended = process(*words, stderr=-1, text=True, **closed(1))
    assert ended.stderr == (
        "concordant: standard output: cannot be written: bad file descriptor\n"
    )
    assert ended.returncode == 2


def test_closed_standard_output_is_not_needed_for_a_file(put, tmp_path):
    words = (*COMMANDS["compare"], "--out", "out.json")
    ended = process(*words, **closed(0, 1, 2))
    assert ended.returncode == 0
    # What was opened first had the number of a closed stream.
    assert (tmp_path / "out.json").read_text().startswith("{")


@pytest.mark.parametrize("how", ["closed", "full", "broken"])
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (COMMANDS["compare"], 0),
        (("compare", "P.csv", "nothing.csv"), 2),
        (("compare", "P.csv", "Q.csv", "--nothing"), 2),
    ],
)
def test_messages_that_nobody_can_see_change_nothing(put, words, code, how):
    if how == "closed":
        ended = process(*words, stdout=-1, text=True, **closed(2))
    elif how == "full":
        with open("/dev/full", "wb") as full:
            ended = process(*words, stdout=-1, stderr=full, text=True)
    else:
        read, write = os.pipe()
        os.close(read)
        with open(write, "wb") as pipe:
            ended = process(*words, stdout=-1, stderr=pipe, text=True)
    assert ended.returncode == code
    assert ended.stdout == (run(*words).stdout if code == 0 else "")


def test_closed_standard_input_is_told(put):
    ended = process("compare", "P.csv", "-", stderr=-1, text=True, **closed(0))
    assert ended.stderr == "concordant: standard input: is closed\n"
    assert ended.returncode == 2


def test_no_pickled_object_is_loaded(put, tmp_path):
    put(*OF_ANY_FILE["pickled objects"][:2])
    fault_of("compare", "P.csv", "F.npy")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--noise", "drop"], "--noise drop is for labels, but all files hold members"),
        (["--noise", "drop", "--noise", "singletons"], "exclude each other"),
        (["--kind", "crisp"], "P.csv: data is fuzzy, not crisp"),
        (["--method", "sorted"], "no such option '--method'"),
        (["--family", "crisp"], "--family crisp needs crisp partitions, but P.csv is"),
        (
            ["--family", "frigui", "--t-norm", "min"],
            "has no t-norm; leave out --t-norm",
        ),
        (
            ["--family", "campello", "--t-norm", "lukasiewicz"],
            '--t-norm must be "min" ',
        ),
        (["--t-norm", "min"], "--t-norm is for tables; add --family all"),
        (
            ["--index", "nothing"],
            "--index must be a name that concordant compare --help lists, found 'noth",
        ),
        (["--tol", "nan"], "--tol must be positive, found nan"),
        (["--jobs", "0"], "--jobs must not be 0; use 1, or -1 for all cores"),
        (["--id", "z"], "P.csv: no column 'z'; there are 'id', 'x', 'y'"),
        (["--delimiter", "::"], "the delimiter must be one character or one of tab, "),
        (
            ["--kind", "possibilistic", "--index", "aci"],
            "not defined for possibilistic partitions, and P.csv is one; use --index "
            "rand with --family anderson, brouwer or campello",
        ),
    ],
)
def test_hints_are_in_terms_of_options(put, words, message):
    told = fault_of("compare", "P.csv", "Q.csv", *words)
    assert message in told
    assert "=" not in told
    assert "harden" not in told


def test_options_for_memberships_are_refused_for_labels(put):
    put("F.csv", "1\n0\n1\n")
    assert "--noise column is for memberships, but all files hold labels" in fault_of(
        "compare", "F.csv", "F.csv", "--noise", "column"
    )
    assert "--kind fuzzy is for memberships" in fault_of(
        "compare", "F.csv", "F.csv", "--kind", "fuzzy"
    )


def test_ids_in_another_order_need_ids_in_all_files(put):
    put("F.csv", "id,x,y\nb,0.5,0.5\na,0.25,0.75\nc,1,0\n")
    put("L.csv", "0\n1\n1\n")
    told = fault_of("agreement", "P.csv", "F.csv", "L.csv")
    assert "P.csv and F.csv have different ids, first at position 0: 'a' in" in told
    assert told.endswith("give every file an id column, and objects are matched by it")


def test_standard_input_is_not_read_twice(put):
    assert "standard input can be read only once" in fault_of("compare", "-", "-")


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "P.csv"],
        ["compare", "P.csv", "Q.csv", "--nothing"],
        ["compare", "P.csv", "Q.csv", "--tol", "0"],
        ["compare", "P.csv", "Q.csv", "--seed", "-1"],
        ["agreement", "P.csv"],
        ["agreement", "P.csv", "Q.csv", "--plot", "map.txt"],
        ["cluster", "P.csv"],
        ["cluster", "P.csv", "--k", "0"],
        ["cluster", "P.csv", "--k", "3:2"],
        ["cluster", "P.csv", "--k", "many"],
        ["cluster", "P.csv", "--k", "2:3", "--out", "out.csv"],
        ["cluster", "P.csv", "--k", "2", "--out", "out.npy"],
        ["cluster", "P.csv", "--k", "2", "--fuzzifier", "1"],
        ["cluster", "P.csv", "--k", "2", "--method", "pd", "--fuzzifier", "2"],
        ["nothing"],
    ],
)
def test_wrong_options_are_refused_in_one_line_that_names_the_help(
    put, tmp_path, words
):
    result = run(*words)
    assert result.exit_code == 2
    command = "main" if words == ["nothing"] else f"main {words[0]}"
    assert re.fullmatch(rf"concordant: .+; see {command} --help\n", result.stderr)
    assert result.stdout == ""
    check_nothing_new(tmp_path)


def test_strange_names_come_out_printable(put):
    assert fault_of("compare", "a\nb.csv", "Q.csv") == r"'a\nb.csv': no such file"


@pytest.mark.parametrize("words", [["--tol", "nan"], ["--fuzzifier", "nan"]])
def test_options_that_are_not_numbers_are_refused(put, words):
    assert run("cluster", "P.csv", "--k", "2", *words).exit_code == 2
