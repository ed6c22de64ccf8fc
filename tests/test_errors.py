"""Errors hold their parts: Python and the command line word them."""

import ast
import pickle
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from command_line import fault_of

import concordant as cc
from concordant.cli.group import COMMANDS
from concordant.cluster import FuzzyCMeans
from concordant.errors import (
    OPTIONS,
    Argument,
    Data,
    FileError,
    InputError,
    InputMemoryError,
    InputTypeError,
    Keyword,
    MembershipError,
    Message,
    Setting,
    Wordings,
    message_of,
)
from concordant.execution.checkpoint import check_repeatable
from concordant.files import read_partition
from concordant.sums import object_sums
from concordant.sums.products import MembershipSums

SOURCE = Path(cc.__file__).parent
FUZZY = np.array([[0.25, 0.75], [0.5, 0.5], [0.9, 0.1]])
OTHER = np.array([[0.3, 0.7], [0.1, 0.9], [0.6, 0.4]])
POSSIBILISTIC = cc.Partition([[0.5, 0.9], [0.2, 0.1], [1.0, 1.0]], kind="possibilistic")
NO_CLUSTER = cc.Partition([[0.5, 0.9], [0.0, 0.0], [1.0, 1.0]], kind="possibilistic")
NAMES = ("one.csv", "two.csv")


# Both vocabularies


def options_of_commands():
    commands = [getattr(import_module(COMMANDS[name]), name) for name in COMMANDS]
    found = [parameter for command in commands for parameter in command.params]
    return {option for each in found for option in (*each.opts, *each.secondary_opts)}


def test_every_option_that_a_message_can_name_exists():
    assert {*OPTIONS.values(), "--no-header"} <= options_of_commands()


def test_an_argument_that_a_message_refers_to_has_its_option_if_there_is_one():
    named = {
        str(node.args[0].value)
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in ("Argument", "Keyword", "Setting")
        and isinstance(node.args[0], ast.Constant)
    }
    options = options_of_commands()
    assert {x for x in named if "--" + x.replace("_", "-") in options} <= {*OPTIONS}


@pytest.mark.parametrize(
    ("part", "python", "command_line"),
    [
        (Argument("n_jobs"), "n_jobs", "--jobs"),
        (Argument("match_by"), "match_by", "match_by"),
        (Keyword("t_norm"), "t_norm=", "--t-norm"),
        (Setting("noise", "drop"), 'noise="drop"', "--noise drop"),
        (Setting("normalize", True), "normalize=True", "--normalize"),
        (Setting("header", False), "header=False", "--no-header"),
        (Setting("skip", 0), "skip=0", "--skip 0"),
        (Setting("skip", 1), "skip=1", "--skip 1"),
        (Setting("id_column", 0), "id_column=0", "--id 0"),
        (Setting("id_column", 'a "b"'), "id_column='a \"b\"'", "--id 'a \"b\"'"),
        (
            Setting("family", "anderson", "brouwer", "campello"),
            'family="anderson", "brouwer" or "campello"',
            "--family anderson, brouwer or campello",
        ),
        (Setting("match_by", "id"), 'match_by="id"', 'match_by="id"'),
        (Data("P"), "P", "one.csv"),
        (Data("Q"), "Q", "two.csv"),
        (Data("the estimate"), "the estimate", "the estimate"),
        (Wordings("call .harden()", ""), "call .harden()", ""),
        (Wordings("both", Message(Data("P"), "!")), "both", "one.csv!"),
        (Message("P is ", Message(Data("P"), "?")), "P is P?", "P is one.csv?"),
    ],
)
def test_parts_have_two_wordings(part, python, command_line):
    assert str(part) == python
    assert part.on_command_line(NAMES) == command_line
    assert str(InputError("so: ", part)) == f"so: {python}"
    assert (
        message_of(InputError("so: ", part)).on_command_line(NAMES)
        == f"so: {command_line}"
    )


def test_partitions_keep_their_letters_where_no_file_is_known():
    error = InputError(Data("P"), " and ", Data("Q"))
    assert message_of(error).on_command_line() == str(error) == "P and Q"


def too_many_products():
    MembershipSums.of(cc.Partition([0, 1, 2]), cc.Partition(OTHER), None)


def file_of(text, **options):
    def read():
        path = Path("F.csv")
        path.write_text(text, encoding="utf-8")
        return read_partition(path, **options)

    return read


#: What raises, the type, what Python says and what the command line says.
RAISED = {
    "objects": (
        lambda: cc.concordance([0, 1], [0, 1, 1]),
        InputError,
        "P has 2 objects and Q has 3: they must describe the same objects",
        "one.csv has 2 objects and two.csv has 3: they must describe the same objects",
    ),
    "kind": (
        lambda: cc.concordance(FUZZY, POSSIBILISTIC),
        InputError,
        "the concordance is not defined for possibilistic partitions, and Q is one; "
        'use pair_table with family="anderson", "brouwer" or "campello"',
        "the concordance is not defined for possibilistic partitions, and two.csv is "
        "one; use --index rand with --family anderson, brouwer or campello",
    ),
    "family": (
        lambda: cc.pair_table(FUZZY, OTHER, family="crisp"),
        InputError,
        'family="crisp" needs crisp partitions, but P is fuzzy; .harden() takes each '
        "object's largest membership",
        "--family crisp needs crisp partitions, but one.csv is fuzzy",
    ),
    "t-norm": (
        lambda: cc.pair_table(FUZZY, OTHER, family="frigui", t_norm="min"),
        InputError,
        'family="frigui" has no t-norm; leave out t_norm=',
        "--family frigui has no t-norm; leave out --t-norm",
    ),
    "cosine": (
        lambda: cc.pair_table(FUZZY, NO_CLUSTER, family="brouwer"),
        InputError,
        "object 1 of Q belongs to no cluster, so that Brouwer's cosine has no value; "
        'leave such objects out, or use family="anderson" or "campello"',
        "object 1 of two.csv belongs to no cluster, so that Brouwer's cosine has no "
        "value; leave such objects out, or use --family anderson or campello",
    ),
    "method": (
        lambda: cc.concordance(FUZZY, OTHER, method="fuzzy-crisp"),
        InputError,
        'method="fuzzy-crisp" needs a fuzzy and a crisp partition; method="auto" '
        "chooses",
        "--method fuzzy-crisp needs a fuzzy and a crisp partition; --method auto "
        "chooses",
    ),
    "tolerance": (
        lambda: cc.concordance(FUZZY, OTHER, method="sorted", tol=0.1),
        InputError,
        'tol goes with method="sampled" or "auto", not with method="sorted"',
        "--tol goes with --method sampled or auto, not with --method sorted",
    ),
    "threads": (
        lambda: cc.concordance(FUZZY, OTHER, n_jobs="two"),
        InputTypeError,
        "n_jobs must be an integer or None, found 'two'",
        "--jobs must be an integer or None, found 'two'",
    ),
    "seed": (
        lambda: cc.concordance(FUZZY, OTHER, random_state=-1),
        InputError,
        "random_state must be a whole number from 0 on, a numpy.random.Generator or "
        "None, found -1",
        "--seed must be a whole number from 0 on, a numpy.random.Generator or None, "
        "found -1",
    ),
    "choice": (
        lambda: cc.concordance(FUZZY, OTHER, match_by="order"),
        InputError,
        'match_by must be "position", "id" or "common", found \'order\'',
        'match_by must be "position", "id" or "common", found \'order\'',
    ),
    "checkpoint": (
        lambda: check_repeatable(None),
        InputError,
        "checkpoint needs random_state to be a whole number for a sample, so that the "
        "next call draws the same one, found None",
        "--checkpoint needs --seed to be a whole number for a sample, so that the next "
        "call draws the same one, found None",
    ),
    "sums": (
        lambda: cc.Partition([[0.3, 0.3], [0.5, 0.5]]),
        MembershipError,
        "rows of data must sum to 1 within 1e-05, as one digit is too few to allow for "
        "rounding, row 0 sums to 0.6; if the missing mass is noise, "
        'Partition(..., noise="column") '
        "makes it one more cluster; Partition(..., normalize=True) divides each row by "
        'its sum, and kind="possibilistic" is for memberships that need not sum to 1',
        "rows of data must sum to 1 within 1e-05, as one digit is too few to allow for "
        "rounding, row 0 sums to 0.6; if the missing mass is noise, "
        "--noise column makes it one more "
        "cluster; --normalize divides each row by its sum, and --kind possibilistic is "
        "for memberships that need not sum to 1",
    ),
    "chunk": (
        lambda: cc.Accumulator().update(FUZZY, [0, 1, 1]).update([0, 1], [0, 1]),
        InputError,
        "chunk 1: P is crisp here and fuzzy before; if crisp memberships are among "
        'fuzzy ones, pass kinds=("fuzzy", None)',
        "chunk 1: one.csv is crisp here and fuzzy before; if crisp memberships are "
        "among fuzzy ones, give --kind fuzzy",
    ),
    "labels of a chunk": (
        lambda: cc.Accumulator().update([0, 1], [0, 1]).update([0, 1], ["a", "b"]),
        InputTypeError,
        "chunk 1: labels of Q are text here and integers before; pass one type",
        "chunk 1: labels of two.csv are text here and integers before; pass one type",
    ),
    "clusters": (
        lambda: FuzzyCMeans(2, n_init=1).fit([[1.0], [1.0], [1.0]]),
        InputError,
        "Number of distinct samples (1) should be >= n_clusters=2.",
        "too few distinct objects (1) for 2 clusters",
    ),
    "memory": (
        too_many_products,
        InputMemoryError,
        "the products of 3 clusters of P with 2 of Q would not fit; ACI and "
        "NDC do without them",
        "the products of 3 clusters of one.csv with 2 of two.csv would not fit; ACI "
        "and NDC do without them",
    ),
    "heading": (
        file_of("0,1\n0.25,0.75\n1,0\n"),
        FileError,
        "F.csv, line 1: is it a heading or an object? header=True says a heading, "
        "header=False an object, skip=1 a title above the table",
        "F.csv, line 1: is it a heading or an object? --header says a heading, "
        "--no-header an object, --skip 1 a title above the table",
    ),
    "kind of a file": (
        file_of("x,y\n0.25,0.75\n1,0\n", kind="crisp"),
        FileError,
        "F.csv: data is fuzzy, not crisp; call .harden() to take each object's largest "
        "membership",
        "F.csv: data is fuzzy, not crisp",
    ),
    "degrees in a file": (
        file_of("x,y\n1,1\n0.5,0\n", kind="overlapping"),
        FileError,
        "F.csv, line 3, column 1 ('x'): found 0.5, but memberships are 0 or 1 for "
        'kind="overlapping"; kind="possibilistic" is for degrees',
        "F.csv, line 3, column 1 ('x'): found 0.5, but memberships are 0 or 1 for "
        "--kind overlapping; --kind possibilistic is for degrees",
    ),
    "a comment": (
        file_of("# what this is\n# and that\n1\n2\n2\n"),
        FileError,
        "F.csv, line 1: found '# what this is', a comment or an empty line; remove "
        "it; if no line above line 3 is an object, skip=2 begins with the table",
        "F.csv, line 1: found '# what this is', a comment or an empty line; remove "
        "it; if no line above line 3 is an object, --skip 2 begins with the table",
    ),
}


@pytest.mark.parametrize("case", RAISED)
def test_errors_are_worded_for_python_and_for_the_command_line(
    case, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    if case == "memory":
        monkeypatch.setattr(object_sums, "excess", lambda n_bytes: "would not fit")
        monkeypatch.setattr(object_sums, "_SMALL", 0)
    call, kind, python, command_line = RAISED[case]
    with pytest.raises(kind) as raised:
        call()
    assert str(raised.value) == python
    assert message_of(raised.value).on_command_line(NAMES) == command_line


@pytest.mark.parametrize(
    ("ours", "builtin"),
    [
        (InputError, ValueError),
        (InputTypeError, TypeError),
        (InputMemoryError, MemoryError),
        (FileError, ValueError),
    ],
)
def test_errors_are_those_of_python_and_can_be_pickled(ours, builtin):
    error = ours(Data("P"), " is wrong; ", Setting("noise", "drop"))
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, builtin)
    assert type(again) is ours
    assert again.message == error.message
    assert str(again) == str(error)


def test_where_memberships_are_wrong_is_pickled_along():
    error = MembershipError((3, None, 0.5), "no: ", Data("P"))
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.row, again.column, again.value) == (
        error.message,
        3,
        None,
        0.5,
    )


def test_errors_of_others_have_a_message_of_one_piece():
    assert message_of(KeyError("x")) == Message("'x'")


# What users write is no reference


def test_names_and_cells_that_look_like_arguments_are_told_as_they_are(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("good.csv").write_text("0\n1\n1\n", encoding="utf-8")
    Path("Q").write_text('x,y\n0.5,0.5\nnoise="drop",1\n', encoding="utf-8")
    assert "n_jobs.csv: no such file" in fault_of("compare", "n_jobs.csv", "good.csv")
    told = fault_of("compare", "Q", "good.csv")
    assert """Q, line 3, column 1 ('x'): found 'noise="drop"', not a number""" in told


@pytest.mark.parametrize(
    "data",
    [[0.5, 0.25], [], [[0.5, 0.5], [1.0]], [np.eye(3), np.arange(3)], np.eye(3)[:0]],
)
def test_what_is_no_partition_is_an_error_of_input(data):
    with pytest.raises(cc.InputError):
        cc.Partition(data)


def test_a_list_of_partitions_is_told_which_functions_take_one():
    with pytest.raises(cc.InputError, match=r"agreement\(\) takes .* validity\(\)"):
        cc.validity(np.eye(3), [np.eye(3), np.arange(3)])
