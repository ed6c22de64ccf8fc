"""Who is told that compiling takes a while; Numba is not needed to ask for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_asked: list[Callable[[], None]] = []


@contextmanager
def told_of_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Be told once, if functions that are compiled meanwhile take long."""
    _asked.append(tell)
    try:
        yield
    finally:
        _asked.remove(tell)


def announce() -> None:
    """Tell those who asked."""
    for tell in _asked:
        tell()
