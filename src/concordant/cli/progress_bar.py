"""A bar on standard error shows how far a command has come."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from concordant.cli.faults import check_not_stopped, is_quiet, told
from concordant.execution.progress import Progress, so_far
from concordant.kernels.announcing import COMPILING, told_of_compiling

#: Takes the share that is done, from 0 to 1, and what is being done.
Tell = Callable[[float, str], None]


@contextmanager
def progress_bar(*names: str) -> Iterator[Tell]:
    """
    Show a bar while something runs, if standard error is a terminal.

    What is yielded takes, from any thread, how far the work has come; after a signal it
    ends the work. Errors of the library are told of the files `names`, P and Q.
    """
    with told(*names), _shown() as (show, say), told_of_compiling(say):

        def tell(share: float, what: str) -> None:
            check_not_stopped()
            show(share, what)

        yield tell


@contextmanager
def _shown() -> Iterator[tuple[Tell, Callable[[], None]]]:
    """Yield what moves the bar, and what says that functions are compiled."""
    if is_quiet() or not sys.stderr.isatty():
        yield lambda share, what: None, lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield (
            lambda share, what: bar.update(task, completed=share, description=what),
            lambda: bar.console.print(COMPILING, highlight=False),
        )


def progress_of(tell: Tell, what: str) -> Progress:
    """Return the callback that moves the bar as the library computes."""
    tell(0.0, what)

    def callback(done: int, total: int, estimate: float | None) -> None:
        tell(done / max(total, 1), f"{what} {so_far(estimate, 4)}".rstrip())

    return callback
