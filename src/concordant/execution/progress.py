"""Long work tells how far it is, and shows a bar when a person is watching."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Told what is done, out of how much, and the running estimate if there is one: an
#: `Estimate` if it comes from a sample.
Progress = Callable[[int, int, float | None], None]

_INTERVAL = 0.25  # seconds between two calls: estimates cost time


class Estimate(float):
    """A running estimate, which knows how far it may be off."""

    error: float

    def __new__(cls, value: float, error: float) -> "Estimate":
        """Make a float that has an error."""
        estimate = super().__new__(cls, value)
        estimate.error = error
        return estimate


def so_far(estimate: float | None, digits: int) -> str:
    """Say what an estimate is, with its error if it has one."""
    if estimate is None:
        return ""
    error = getattr(estimate, "error", None)
    within = "" if error is None else f" ± {error:.2g}"
    return f"{float(estimate):.{digits}f}{within}"


class Watch:
    """Tell a callback now and then how far work is."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self._next = 0.0

    def tell(
        self, done: int, estimate: Callable[[], float | None] = lambda: None
    ) -> None:
        """Pass on what is done, if it is time again or if all is."""
        now = time.monotonic()
        if self._progress is None or (now < self._next and done < self._total):
            return
        self._progress(done, self._total, estimate())
        self._next = now + _INTERVAL


@contextmanager
def visible(
    progress: Progress | None, *, long: bool, hint: str = ""
) -> Iterator[Progress | None]:
    """Return the caller's callback, or for long work one that draws a bar."""
    watched = sys.stderr is not None and sys.stderr.isatty()
    if progress is not None or not long or not watched:
        yield progress
        return
    with bar(hint) as tell:
        yield tell


@contextmanager
def bar(hint: str = "") -> Iterator[Progress]:
    """Draw a progress bar on standard error."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if hint:
        console.print(hint)
    with Bar(console=console, transient=True) as drawn:
        task = drawn.add_task("", total=None)

        def tell(done: int, total: int, estimate: float | None) -> None:
            text = so_far(estimate, 6)
            drawn.update(task, completed=done, total=total, description=text)

        yield tell
