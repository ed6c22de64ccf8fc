"""The command that reproduces the paper."""

from pathlib import Path
from typing import Any

import click

from concordant.cli import options
from concordant.cli.faults import Fault, warn
from concordant.cli.progress_bar import progress_bar

# Written out, so that --help need not import the library.
NAMES = ("bias", "simulation-1", "simulation-2", "pd", "real-data", "starts", "chance")

_REPETITIONS = 1000
_QUICK = 15


@click.command()
@click.argument("studies", metavar="[STUDY]...", nargs=-1, type=click.Choice(NAMES))
@options.option(
    "--repetitions",
    "How often to repeat studies that depend on chance.  "
    f"[default: {_REPETITIONS}, with --quick {_QUICK}]",
    type=click.IntRange(1, 999_999),
)
@options.seed_option
@options.option(
    "--jobs",
    "Number of processes, -1 for all cores. It changes no result.",
    type=int,
    default=-1,
)
@options.option(
    "--out DIR",
    "Folder for tables, figures and pages.",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reproduction"),
)
@options.option("--quick", "A quick look within a minute: few repetitions.")
@options.option("--resume", "Keep the repetitions that an earlier run in DIR finished.")
def reproduce(studies: tuple[str, ...], jobs: int, out: Path, **settings: Any) -> None:
    """
    Repeat the paper's experiments, and compare the results with its numbers.

    Without STUDY, all of them are run: bias, simulation-1, simulation-2, pd, real-data,
    starts and chance. For each, a CSV file in DIR holds the values of every repetition;
    verdicts.csv has a verdict on each printed number, and reproduction.html and
    reproduction.md show it all with figures.

    \b
    Examples:
      concordant reproduce
      concordant reproduce --quick --out look
      concordant reproduce simulation-2 pd --repetitions 200
      concordant reproduce --resume
    """
    if jobs == 0:
        raise click.BadParameter("0 processes do nothing; use 1, or -1 for all cores")
    from concurrent.futures.process import BrokenProcessPool

    from concordant.execution.engine import effective_n_jobs
    from concordant.paper.repetitions import run_studies
    from concordant.paper.reproduction_page import write_pages

    usual = _QUICK if settings["quick"] else _REPETITIONS
    n_repetitions = settings["repetitions"] or usual
    drawn: Any = {"n_repetitions": n_repetitions, "seed": settings["random_state"]}
    try:
        with progress_bar() as tell:
            values = run_studies(
                [name for name in NAMES if name in studies or not studies],
                out,
                n_jobs=effective_n_jobs(jobs),
                resume=settings["resume"],
                on_progress=lambda name, done, total: tell(done / total, name),
                on_remark=warn,
                **drawn,
            )
        *_, page = write_pages(values, out, **drawn)
    except BrokenProcessPool as error:
        raise Fault(
            "a process ended before its work was done, perhaps for lack of memory; "
            "--resume continues, with fewer --jobs if need be"
        ) from error
    click.echo(page)
