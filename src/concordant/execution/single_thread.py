"""One BLAS thread, so that a matrix product has the same bits on every machine."""

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


def single_blas_thread() -> AbstractContextManager[object]:
    """
    Limit BLAS to one thread inside a ``with`` block.

    Returns
    -------
    context manager
        Which restores the limits that were there.

    Notes
    -----
    Which libraries are loaded is looked up once: that takes milliseconds, more than a
    small fit. NumPy, whose products these are, is loaded by then.
    """
    limit: AbstractContextManager[object] = _controller().limit(
        limits=1, user_api="blas"
    )
    return limit


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
