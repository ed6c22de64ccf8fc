"""
The group of all commands.

A new command is a module with a function of the command's name and a line in
`COMMANDS`, and an example in the help of `main`:

- Its options come from `options`: shared ones, and its own by ``options.option``. Its
  docstring is its help, with examples. The module imports nothing at its top that
  imports NumPy.
- ``inputs.read_given(files, settings)`` reads partitions as all commands do, and says
  how their objects are matched.
- It computes within ``progress_bar``, which turns what the library raises into a line.
- It prints an `output.Document` by `output.deliver`. The JSON of it has a schema, with
  a version, in ``docs/tables/schemas``; ``docs/command_line.md`` shows what it prints.
"""

import errno
import os
import sys
from importlib import import_module
from typing import Any, NoReturn

import click

from concordant import __version__
from concordant.cli.faults import Fault, Interruption, discard, remarked, told
from concordant.cli.options import FileOption
from concordant.errors import WordedError
from concordant.wording import called, shown

#: Where each command stands; it is imported when it is asked for.
COMMANDS = {
    "compare": "concordant.cli.compare",
    "test": "concordant.cli.test",
    "report": "concordant.cli.report",
    "agreement": "concordant.cli.agreement",
    "modes": "concordant.cli.modes_of_runs",
    "align": "concordant.cli.joint",
    "consensus": "concordant.cli.joint",
    "stability": "concordant.cli.stability",
    "validity": "concordant.cli.validity",
    "cluster": "concordant.cli.cluster",
    "formats": "concordant.cli.group",
    "help": "concordant.cli.group",
    "reproduce": "concordant.cli.reproduce",
}

#: What users can cause; other errors are those of the program.
_OF_USERS = (WordedError, MemoryError, ImportError)


class LazyGroup(click.Group):
    """The group of `COMMANDS`; whatever ends one ends it in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands, in the order given."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, or return None if there is none of that name."""
        return _imported(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a file in its place is taken for one to compare."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from difflib import get_close_matches

            from concordant.naming import proposed

            near = get_close_matches(name, COMMANDS, 1)
            meant = ["compare"] if os.path.exists(name) else near
            ctx.fail(f"No such command {shown(name)}{proposed(*meant)}")
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """Read the options of the group; click would print an empty line at Ctrl-C."""
        with told(errors=_OF_USERS):
            return super().make_context(*args, **settings)

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """List the commands in order, and apart from them those for the paper."""
        for title, of_paper in (("Commands", False), ("The paper", True)):
            listed = [
                (name, _imported(name).get_short_help_str(200))
                for name in COMMANDS
                if (name == "reproduce") == of_paper
            ]
            with formatter.section(title):
                formatter.write_dl(listed)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, and turn what went wrong into a line."""
        with told(errors=_OF_USERS), remarked():
            return super().invoke(ctx)

    def main(self, *args: Any, **settings: Any) -> NoReturn:
        """Run the command line, whatever its standard streams take."""
        fault: click.ClickException
        try:
            sys.exit(super().main(*args, **settings | {"standalone_mode": False}))
        except click.Abort:
            fault = Interruption()
        except click.UsageError as error:
            # Without a command, click shows the help instead.
            shows_usage = type(error).show is click.UsageError.show
            fault = _fault_of_usage(error) if shows_usage else error
        except click.ClickException as error:
            fault = error
        except OSError as error:
            fault = _fault_of_system(error)
        try:
            fault.show()
        except OSError:
            discard(2)
        sys.exit(fault.exit_code)


def _imported(name: str) -> click.Command:
    """Import a command; its help ends with the options of which it has only names."""
    command: click.Command = getattr(import_module(COMMANDS[name]), name)
    if named := [option.opts[0] for option in _file_options(command)]:
        told = "How files are read, as `concordant help files` describes: "
        command.epilog = f"{told}{', '.join(named)}."
    return command


def _file_options(command: click.Command) -> list[FileOption]:
    """Return the options of a command that say how files are read."""
    return [param for param in command.params if isinstance(param, FileOption)]


def _fault_of_usage(error: click.UsageError) -> Fault:
    """Return what is wrong with the options, and where to read about them."""
    said = error.format_message().removesuffix(".")
    path = "concordant" if error.ctx is None else error.ctx.command_path
    return Fault(f"{said[:1].lower()}{said[1:]}; see {path} --help")


def _fault_of_system(error: OSError) -> Fault:
    """Return what to say if the system refused something, as a broken pipe: nothing."""
    reason = (error.strerror or str(error) or type(error).__name__).lower()
    if error.errno is None or error.filename is not None:  # no stream has such errors
        place = f"{called(error.filename)}: " if error.filename else ""
        return Fault(f"{place}{reason}")
    # What is left in the buffer goes nowhere, or Python complains of it at the end.
    discard(1)
    if error.errno == errno.EPIPE:
        sys.exit(1)
    return Fault(f"standard output: cannot be written: {reason}")


@click.group(
    cls=LazyGroup,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 88,
        "show_default": True,
    },
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
      concordant report P.csv Q.csv --truth classes.csv -o report.html
      concordant agreement fcm.csv pd.csv truth.csv --plot map.svg
      concordant modes run*.Q --plot bars.pdf --groups populations.txt
      concordant align run*.Q --out aligned/
      concordant consensus run*.Q --out mean.Q
      concordant stability data.csv --method fcm --k 2:8
      concordant validity data.csv P.csv
      concordant cluster data.csv --method fcm --k 3 --out P.csv
      concordant formats
      concordant help files
      concordant reproduce --quick
    """


@click.command()
def formats() -> None:
    """
    List the formats of files that are read.

    Each is shown with how it is recognized, and what it says about ids, groups, weights
    and runs. Workbooks and files of TESS, BAPS and AnnData are refused, with a command
    that converts them.

    \b
    Examples:
      concordant formats
    """
    from concordant.files.formats import FORMATS

    for each in FORMATS:
        click.echo(f"{each.name:<10}{each.recognised}\n{'':<10}{each.says}")


@click.command()
@click.argument("topic", type=click.Choice((*COMMANDS, "files")), metavar="TOPIC")
@click.pass_context
def help(ctx: click.Context, topic: str) -> None:
    """
    Describe a command, or the options that say how files are read.

    \b
    Examples:
      concordant help files
      concordant help compare
    """
    command = main.get_command(ctx, "compare" if topic == "files" else topic)
    assert command is not None
    about = click.Context(command, ctx.parent, topic, **main.context_settings)
    if topic != "files":
        click.echo(command.get_help(about))
        return
    formatter = about.make_formatter()
    with formatter.section("Options of all commands that read partitions"):
        told = [option.described(about) for option in _file_options(command)]
        formatter.write_dl([*filter(None, told)])
    click.echo(formatter.getvalue().rstrip())
