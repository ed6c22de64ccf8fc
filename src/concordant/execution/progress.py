"""Long work tells how far it is, and shows a bar when a person is watching."""

import math
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TypeVar

from concordant.errors import Argument, InputTypeError
from concordant.wording import duration, levels_to_the_caller

R = TypeVar("R")

#: Told what is done, out of how much, and the running estimate if there is one: an
#: `Estimate` if it comes from a sample.
Progress = Callable[[int, int, float | None], None]

#: What callers say: a callback, True for a bar, False for none, None by the forecast.
Telling = Progress | bool | None

_BAR = 10.0  # seconds of work that show a bar
_WARNING = 60.0  # of which one is warned if nobody sees a bar
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
    """Say what an index is so far, with its error if it has one."""
    if estimate is None:
        return ""
    error = getattr(estimate, "error", None)
    within = "" if error is None else f" ± {error:.2g}"
    return f"so far {float(estimate):.{digits}f}{within}"


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


class LongWorkWarning(UserWarning):
    """Work takes more than about a minute, and nobody sees how far it has come."""


def check_progress(progress: object) -> None:
    """Refuse what is neither a callback nor a flag."""
    is_flag = type(progress).__name__ in ("bool", "bool_")
    if not (progress is None or is_flag or callable(progress)):
        what = f" must be a function, True or False, found {progress!r}"
        raise InputTypeError(Argument("progress"), what)


def timed(compute: Callable[[], R], times: int) -> tuple[R, float]:
    """
    Return what is computed, and how many seconds it takes so many times.

    If that seems long, and once is not, it is computed twice more, and the least time
    counts: the first may have waited for code that is loaded or compiled.
    """
    started = time.monotonic()
    found = compute()
    seconds = time.monotonic() - started
    if seconds < _BAR < times * seconds:
        for _ in range(2):
            started = time.monotonic()
            compute()
            seconds = min(seconds, time.monotonic() - started)
    return found, times * seconds


@contextmanager
def visible(
    progress: Telling, *, seconds: float, work: str = "", remedy: str = ""
) -> Iterator[Progress | None]:
    """
    Return the caller's callback, or for long work one that draws a bar.

    How long the `work` takes, and its `remedy`, stand above the bar. If nobody would
    see that, one is warned of work that is longer still.
    """
    forecast = ""
    if work and math.isfinite(seconds):
        told = f"{work} will take about {duration(seconds)}"
        forecast = f"{told}; {remedy}" if remedy else told
    check_progress(progress)
    if callable(progress):
        yield progress
    elif progress or (progress is None and seconds > _BAR and _is_watched()):
        with bar(forecast) as tell:
            yield tell
    else:
        if progress is None and seconds > _WARNING and forecast:
            level = levels_to_the_caller()
            warnings.warn(forecast, LongWorkWarning, stacklevel=level)
        yield None


def _is_watched() -> bool:
    """Return whether a bar is seen: in a terminal, or in a notebook with widgets."""
    if "IPython" in sys.modules and find_spec("ipywidgets") is not None:
        from rich.console import Console

        if Console(stderr=True).is_jupyter:
            return True
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def bar(forecast: str = "") -> Iterator[Progress]:
    """Draw a progress bar on standard error."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if forecast and console.is_jupyter:
        print(forecast, file=sys.stderr, flush=True)  # which notebooks wrap
    elif forecast:
        console.print(forecast, highlight=False)
    with Bar(console=console, transient=True) as drawn:
        task = drawn.add_task("", total=None)

        def tell(done: int, total: int, estimate: float | None) -> None:
            text = so_far(estimate, 6)
            drawn.update(task, completed=done, total=total, description=text)

        yield tell
