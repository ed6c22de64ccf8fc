"""Functions are compiled at their first call, and kept on disk."""

import warnings
from collections.abc import Callable
from typing import Any

from numba import njit


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function at its first call, and keep the machine code on disk."""
    try:
        compiled: Callable[..., Any] = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # Numba found no folder that it may write to
        warnings.warn(_NO_CACHE, RuntimeWarning, stacklevel=2)
        compiled = njit(nogil=True)(function)
    return compiled


_NO_CACHE = (
    "compiled kernels cannot be kept on disk, so that each process compiles them "
    "again; set NUMBA_CACHE_DIR to a folder that can be written to"
)
