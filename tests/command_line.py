"""Run the command line, in this process or in one of its own."""

import json
import os
import subprocess
import sys
from inspect import signature
from pathlib import Path

from click.testing import CliRunner
from jsonschema import Draft202012Validator

from concordant.cli import main

SCHEMAS = Path(__file__).parents[1] / "docs" / "schemas"

# Until click 8.2, what goes to standard error is added to the output unless told.
_APART = (
    {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}
)


def run(*args, input=None):
    """Run a command here; what it raises, other than an exit, fails the test."""
    result = CliRunner(**_APART).invoke(main, [*map(str, args)], input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def output_of(*args, input=None):
    result = run(*args, input=input)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def fault_of(*args, input=None):
    """Give the one line that a command that fails must print."""
    result = run(*args, input=input)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("concordant: ")
    assert result.stderr.endswith("\n")
    line = result.stderr[:-1]
    assert line.isprintable()
    return line.removeprefix("concordant: ")


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}


def process(*args, **options):
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "concordant", *map(str, args)],
        env=environment(),
        check=False,
        **options,
    )


def check_schema(document, command):
    schema = json.loads((SCHEMAS / f"{command}.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(document)
