"""Callbacks for long compilation, without importing Numba."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

COMPILING = (
    "concordant: compiling inner loops for this machine, which takes a few seconds; "
    "they are kept on disk for next time"
)

_asked: list[Callable[[], None]] = []


@contextmanager
def told_of_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` once, instead of a line on standard error, if compiling is long."""
    _asked.append(tell)
    try:
        yield
    finally:
        _asked.remove(tell)


def announce() -> None:
    """Tell those who asked, or else standard error."""
    for tell in _asked or [lambda: print(COMPILING, file=sys.stderr, flush=True)]:
        tell()
