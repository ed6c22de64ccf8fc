"""Help is there for every command, with examples, and imports nothing heavy."""

import json
import subprocess
import sys

import pytest
from command_line import environment, output_of, process

from concordant import __version__
from concordant.cli import COMMANDS, main

HEAVY = [
    "numpy",
    "numba",
    "sklearn",
    "scipy",
    "matplotlib",
    "pandas",
    "pyarrow",
    "jinja2",
    "rich",
]


@pytest.mark.parametrize("words", [[], *([name] for name in COMMANDS)])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_has_examples(words, option):
    text = output_of(*words, option)
    assert "Examples:\n" in text
    assert f"  concordant {' '.join(words)}".rstrip() in text
    assert max(map(len, text.splitlines())) <= 88


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_two_screens(name):
    assert len(output_of(name, "--help").splitlines()) <= 85


def test_options_of_files_are_described_once():
    told = output_of("help", "files")
    for option in ("--id COLUMN", "--noise [", "--only FILE"):
        assert f"  {option}" in told
        assert f"  {option}" not in output_of("compare", "--help")
    assert "--only, --column" in " ".join(output_of("compare", "--help").split())
    assert "--only" not in output_of("cluster", "--help")
    assert output_of("help", "compare") == output_of("compare", "--help")


@pytest.mark.parametrize("words", [[], *([name] for name in COMMANDS)])
def test_help_imports_nothing_heavy(words):
    code = (
        "import sys, json\n"
        "from concordant.cli import main\n"
        "try:\n"
        f"    main({[*words, '--help']})\n"
        "except SystemExit:\n"
        "    pass\n"
        f"heavy = [name for name in {HEAVY} if name in sys.modules]\n"
        "print(json.dumps(heavy), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    assert json.loads(done.stderr) == []
    assert "Usage:" in done.stdout


def test_a_comparison_imports_only_what_it_needs(tmp_path):
    (tmp_path / "P.csv").write_text("0.5,0.5\n0,1\n")
    code = (
        "import sys, json\n"
        "from concordant.cli import main\n"
        "try:\n"
        "    main(['compare', 'P.csv', 'P.csv', '--out', 'out'])\n"
        "except SystemExit:\n"
        "    pass\n"
        f"print(json.dumps([name for name in {HEAVY[1:]} if name in sys.modules]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
        cwd=tmp_path,
    )
    assert json.loads(done.stdout) == []


def test_the_program_is_called_by_its_name():
    ended = process("--version", capture_output=True, text=True)
    assert ended.stdout == f"concordant {__version__}\n"
    ended = process("compare", "--nothing", capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr.startswith("concordant: no such option")
    assert ended.stderr.endswith("; see concordant compare --help\n")


@pytest.mark.parametrize(
    ("word", "meant"),
    [("mode", '; did you mean "modes"?'), (__file__, '; did you mean "compare"?')],
)
def test_a_command_that_there_is_not_is_answered_with_the_nearest(word, meant):
    told = process(word, "b.csv", capture_output=True, text=True).stderr
    assert told.startswith("concordant: no such command '")
    assert told.endswith(f"'{meant}; see concordant --help\n")


def test_every_command_stands_where_the_group_says():
    for name in COMMANDS:
        command = main.get_command(None, name)
        assert command.name == name
        assert f"  {name} " in output_of("--help")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("concordant ", {*COMMANDS}),
        ("concordant compare --nu", {"--null"}),
        ("concordant compare --null p", {"permutations"}),
        ("concordant compare --family c", {"crisp", "campello"}),
    ],
)
def test_the_shell_completes_commands_and_options(words, offered):
    completed = subprocess.run(
        [sys.executable, "-m", "concordant"],
        capture_output=True,
        text=True,
        check=True,
        env={
            **environment(),
            "_CONCORDANT_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
        },
    )
    assert {line.partition(",")[2] for line in completed.stdout.splitlines()} == offered
