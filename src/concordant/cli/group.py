"""
The group of all commands.

A new command is a module with a function of the command's name and a line in
`COMMANDS`, and an example in the help of `main`:

- Its options come from `options`, shared ones first, and its docstring is its help,
  with examples. The module imports nothing at its top that imports NumPy.
- ``inputs.read_given(files, **settings)`` reads partitions as all commands do, and
  `inputs.alignment` says how their objects are matched.
- It computes within ``progress_bar``, and turns what the library raises into a line by
  `faults.fault_of`.
- It prints an `output.Document` by `output.deliver`. The JSON of it has a schema, with
  a version, in ``schemas/``, and ``docs/command_line.md`` shows what it prints.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from concordant import __version__
from concordant.cli.faults import (
    Interruption,
    end_with,
    end_with_system_error,
    fault_of,
    is_of_user,
)
from concordant.cli.interruption import is_stopped

#: Where each command stands; it is imported when it is asked for.
COMMANDS = {
    "compare": "concordant.cli.compare",
    "test": "concordant.cli.test",
    "matrix": "concordant.cli.matrix",
    "align": "concordant.cli.align",
    "consensus": "concordant.cli.consensus",
    "cluster": "concordant.cli.cluster",
    "report": "concordant.cli.report",
    "formats": "concordant.cli.formats_list",
    "reproduce": "concordant.cli.reproduce",
}


class LazyGroup(click.Group):
    """The group of `COMMANDS`; whatever ends one ends it in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands, in the order given."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, or return None if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[cmd_name]), cmd_name)
        return command

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """Read the options of the group; click would print an empty line at Ctrl-C."""
        try:
            return super().make_context(*args, **settings)
        except KeyboardInterrupt as error:
            raise Interruption from error

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, and turn what went wrong into a line."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise Interruption from error
        except Exception as error:
            if is_stopped():
                raise Interruption from error  # and not what that made go wrong
            if not is_of_user(error):
                raise
            raise fault_of(error) from error

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        *,
        standalone_mode: bool = True,
        **settings: Any,
    ) -> Any:
        """Run the command line, whatever its standard streams take."""
        if not standalone_mode:
            return super().main(args, standalone_mode=False, **settings)
        try:
            code = super().main(args, standalone_mode=False, **settings)
        except click.Abort:
            end_with(Interruption())
        except click.ClickException as error:
            end_with(error)
        except OSError as error:
            end_with_system_error(error)
        sys.exit(code)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def main() -> None:
    """
    Measure how far two clusterings agree, fuzzy or crisp, corrected for chance.

    Files are CSV, TSV, .npy, .npz, Parquet, Arrow or output of STRUCTURE, ADMIXTURE,
    CLUMPP and MALLET; "-" is standard input. Apart from the ids, a single column holds
    labels; several hold memberships, one per cluster.

    \b
    Examples:
      concordant compare P.csv Q.csv
      concordant compare P.csv - --json < Q.csv
      concordant test P.csv Q.csv
      concordant matrix fcm.csv pd.csv truth.csv --plot map.svg
      concordant align run*.Q --out aligned/
      concordant consensus run*.Q --out mean.Q
      concordant cluster data.csv --method fcm --k 3 --out P.csv
      concordant report P.csv Q.csv --truth classes.csv -o report.html
      concordant formats
      concordant reproduce --quick
    """
