"""Arguments of public functions are of the kinds that their names stand for."""

import inspect
from collections.abc import Callable
from functools import wraps
from os import PathLike
from typing import Any, ParamSpec, TypeVar

from concordant.errors import Argument, InputTypeError
from concordant.wording import check_flag, shown

A = ParamSpec("A")
R = TypeVar("R")


def _path(argument: str, value: object) -> None:
    if not isinstance(value, str | PathLike):
        _refuse(argument, "the path of a file", value)


def _text(argument: str, value: object) -> None:
    if not isinstance(value, str):
        _refuse(argument, "a string", value)


def _refuse(argument: str, kind: str, value: object) -> None:
    raise InputTypeError(Argument(argument), f" must be {kind}, found {shown(value)}")


#: What arguments of a name take, beside what they have by default.
KINDS: dict[str, Callable[[str, Any], None]] = {
    "path": _path,
    "checkpoint": _path,
    "encoding": _text,
    "delimiter": _text,
    "array": _text,
    "clip": check_flag,
}


def checked(function: Callable[A, R]) -> Callable[A, R]:
    """Refuse arguments that are of no kind that their names stand for."""
    parameters = inspect.signature(function).parameters
    kinds = {name: KINDS[name] for name in parameters if name in KINDS}

    @wraps(function)
    def call(*args: A.args, **kwargs: A.kwargs) -> R:
        given = {**dict(zip(parameters, args, strict=False)), **kwargs}
        for name, check in kinds.items():
            if name in given and given[name] is not parameters[name].default:
                check(name, given[name])
        return function(*args, **kwargs)

    return call
