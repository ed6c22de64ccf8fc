"""Numbers that are too small for a double are 0, whatever the caller set NumPy to."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import numpy as np

A = ParamSpec("A")
R = TypeVar("R")


def tiny_is_zero(function: Callable[A, R]) -> Callable[A, R]:
    """Let a function go on where numbers underflow, in each thread that calls it."""

    @wraps(function)
    def call(*args: A.args, **kwargs: A.kwargs) -> R:
        with np.errstate(under="ignore"):
            return function(*args, **kwargs)

    return call
