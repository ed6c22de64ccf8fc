"""Functions are compiled at their first call, and kept on disk."""

import warnings
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import njit
from numba.core import event
from numba.extending import register_jitable

from concordant.errors import WorkWarning
from concordant.kernels.announcing import announce

_LONG = 2.0  # seconds of compiling that one is told of


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function at its first call, and keep the machine code on disk."""
    try:
        compiled: Callable[..., Any] = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # Numba found no folder that it may write to
        warnings.warn(_NO_CACHE, WorkWarning, stacklevel=2)
        compiled = njit(nogil=True)(function)
    return compiled


def kernel_with(t: Callable[..., Any]) -> Callable[..., Callable[..., Any]]:
    """
    Compile a function that calls another one, `t`.

    Numba's cache goes by the name of a kernel and the date of its file. The name tells
    which `t` it is, and how that is defined, so that a change of it is noticed.
    """
    _jitable(t)
    code = t.__code__
    defined = repr((code.co_code, code.co_consts, code.co_names)).encode()

    def with_t(function: Callable[..., Any]) -> Callable[..., Any]:
        function.__qualname__ += f".{t.__name__}.{zlib.crc32(defined):08x}"
        return kernel(function)

    return with_t


_jitable = cache(register_jitable)


class Stopwatch(event.TimingListener):
    """Adds up the seconds of compiling, and announces it once when they are many."""

    announced = False

    def on_end(self, event: object) -> None:
        """Add what it took, unless it was within another."""
        super().on_end(event)  # type: ignore[no-untyped-call]
        if self.done and self.duration > _LONG and not self.announced:
            self.announced = True
            announce()


event.register("numba:compile", Stopwatch())  # type: ignore[no-untyped-call]

_NO_CACHE = (
    "compiled kernels cannot be kept on disk, so that each process compiles them "
    "again; set NUMBA_CACHE_DIR to a folder that can be written to"
)
