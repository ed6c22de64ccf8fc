"""Files that are being written, none of which is left half done."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_asides: set[Path] = set()
_is_shut = False


@contextmanager
def unbroken(aside: Path) -> Iterator[None]:
    """Write a file that is finished before the process is left, or not begun."""
    _asides.add(aside)
    try:
        if _is_shut:
            raise KeyboardInterrupt
        yield
    finally:
        _asides.discard(aside)


def shut(seconds: float) -> None:
    """Begin no more files, and give those begun so many seconds to be finished."""
    global _is_shut
    _is_shut = True  # before looking: who comes later sees it and does not begin
    end = time.monotonic() + seconds
    while _asides and time.monotonic() < end:
        time.sleep(0.002)
    for aside in [*_asides]:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
