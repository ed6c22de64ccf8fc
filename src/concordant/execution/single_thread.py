"""One BLAS thread, so that a matrix product has the same bits on every machine."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from threading import Lock

from threadpoolctl import ThreadpoolController

_lock = Lock()
_limits = ExitStack()
_n_inside = 0  # threads of Python, of which the last restores what the first found


@contextmanager
def single_blas_thread() -> Iterator[None]:
    """
    Limit BLAS to one thread inside a ``with`` block, then restore what was there.

    Which libraries are loaded is looked up once: that takes milliseconds, more than a
    small fit. NumPy, whose products these are, is loaded by then.
    """
    global _n_inside
    with _lock:
        if _n_inside == 0:
            _limits.enter_context(_controller().limit(limits=1, user_api="blas"))
        _n_inside += 1
    try:
        yield
    finally:
        with _lock:
            _n_inside -= 1
            if _n_inside == 0:
                _limits.close()


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
