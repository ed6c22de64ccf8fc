"""The memory there is, and what would take more."""

import functools
import os
from contextlib import suppress
from pathlib import Path

import numpy as np

_KEPT = 31 << 20  # bytes, the C library has 32 MiB as its limit
_CONTROL_GROUPS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def memory() -> int | None:
    """Return the bytes of memory this process may have; None if nobody says."""
    limits = [_of_machine(), _of_process(), *map(_of_group, _CONTROL_GROUPS)]
    return min((limit for limit in limits if limit is not None), default=None)


def excess(n_bytes: int) -> str:
    """Return a phrase on what so many bytes would take, empty if there is enough."""
    limits = [limit for limit in (memory(), _free()) if limit is not None]
    if not limits or n_bytes <= min(limits):
        return ""
    there_are = _gigabytes(min(limits))
    return f"would take {_gigabytes(n_bytes)} of memory, and there are {there_are}"


def _gigabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:.3g} GB" if n_bytes < 1e12 else f"{n_bytes / 1e9:.0f} GB"


def _of_machine() -> int | None:
    with suppress(AttributeError, OSError, ValueError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return None


def _free() -> int | None:
    """Return the bytes that nobody uses now, where the system says so."""
    with suppress(OSError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return None


def _of_process() -> int | None:
    with suppress(ImportError):
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        return None if limit == resource.RLIM_INFINITY else limit
    return None


def _of_group(path: Path) -> int | None:
    with suppress(OSError, ValueError):
        return int(path.read_text())
    return None


@functools.cache
def keep_freed_memory() -> None:
    """
    Let the C library keep what arrays of some megabytes free for those that follow.

    It does so once an array of this size was freed; new memory is slow to fill.
    """
    np.empty(_KEPT, np.uint8)
