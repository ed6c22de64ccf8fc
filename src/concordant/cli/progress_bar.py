"""A bar on standard error shows how far a command has come."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from concordant.cli.interruption import check_not_stopped
from concordant.execution.progress import Progress, so_far
from concordant.kernels.announcing import COMPILING, told_of_compiling

#: Takes the share that is done, from 0 to 1, and what is being done.
Tell = Callable[[float, str], None]


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Tell]:
    """
    Show a bar while something runs, if standard error is a terminal and not `quiet`.

    What is yielded takes, from any thread, how far the work has come; after a signal it
    ends the work.
    """
    with _shown(quiet=quiet) as (show, say), told_of_compiling(say):

        def tell(share: float, what: str) -> None:
            check_not_stopped()
            show(share, what)

        yield tell


@contextmanager
def _shown(*, quiet: bool) -> Iterator[tuple[Tell, Callable[[], None]]]:
    """Yield what moves the bar, and what says that functions are compiled."""
    if quiet or not sys.stderr.isatty():
        yield lambda share, what: None, lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield (
            lambda share, what: bar.update(task, completed=share, description=what),
            lambda: bar.console.print(COMPILING, highlight=False),
        )


def step(tell: Tell, number: int, of: int, what: str) -> Progress:
    """Return the callback for one of several steps of equal length, numbered from 0."""
    tell(number / of, what)

    def callback(done: int, total: int, estimate: float | None) -> None:
        told = f"{what} {so_far(estimate, 4)}".rstrip()
        tell((number + done / max(total, 1)) / of, told)

    return callback
