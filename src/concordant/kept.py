"""An attribute is computed when it is first asked for, and kept."""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class kept(Generic[T]):  # noqa: N801  (a decorator, as property)
    """
    Keep what a method returns as an attribute of the object.

    Unlike `functools.cached_property` of Python 3.11, it holds no lock while it
    computes: in a process that is forked meanwhile nobody would release it. Of two
    threads that compute at the same time, both get what the first has kept.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object, owner: type) -> Self | T:
        """Compute it; from then on Python finds the attribute itself."""
        if instance is None:
            return self
        found: T = vars(instance).setdefault(self._name, self._compute(instance))
        return found
