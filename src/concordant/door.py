"""Arguments of public functions are of the kinds that their names stand for."""

import inspect
from collections.abc import Callable
from functools import wraps
from numbers import Real
from os import PathLike
from typing import Any, ParamSpec, TypeVar, get_args

from concordant.errors import Argument, InputError, InputTypeError
from concordant.wording import (
    check_count,
    check_flag,
    check_two_texts,
    is_list,
    several,
    shown,
)

A = ParamSpec("A")
R = TypeVar("R")


def _path(argument: str, value: object) -> None:
    if not isinstance(value, str | PathLike):
        _refuse(argument, "the path of a file", value)


def _text(argument: str, value: object) -> None:
    if not isinstance(value, str):
        _refuse(argument, "a string", value)


def _share(argument: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        _refuse(argument, "a number", value)
    elif not 0.0 <= float(value) <= 1.0:
        what = f" must be a number from 0 to 1, found {shown(value)}"
        raise InputError(Argument(argument), what)


def _place(argument: str, value: object) -> None:
    check_count(argument, value, at_least=0)


def _many(argument: str, value: object) -> None:
    if not is_list(value):
        _refuse(argument, "a list, or what else can be gone through", value)


def _names(argument: str, value: object) -> None:
    texts = several(argument, value)
    if texts is None or not all(isinstance(text, str) for text in texts):
        _refuse(argument, "a list of texts", value)


def _inches(argument: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        _refuse(argument, "a number of inches, such as 3.3", value)


def _function(argument: str, value: object) -> None:
    if not callable(value):
        _refuse(argument, "a function", value)


def _refuse(argument: str, kind: str, value: object) -> None:
    raise InputTypeError(Argument(argument), f" must be {kind}, found {shown(value)}")


#: What arguments of a name take, beside what they have by default.
KINDS: dict[str, Callable[[str, Any], None]] = {
    "path": _path,
    "checkpoint": _path,
    "encoding": _text,
    "delimiter": _text,
    "array": _text,
    "title": _text,
    "truth_name": _text,
    "clip": check_flag,
    "legend": check_flag,
    "as_frame": check_flag,
    "max_objects": check_count,
    "max_pairs": check_count,
    "count": _place,
    "start": _place,
    "stop": _place,
    "chunks": _many,
    "panels": _names,
    "readings": _names,
    "say": _function,
    "width": _inches,
    "share": _share,
}
#: What makes the results that functions take.
_MADE_BY = {
    "Accumulator": "cc.Accumulator",
    "Agreement": "cc.agreement",
    "Comparison": "cc.compare",
    "ConcordanceTest": "cc.concordance_test",
    "ConfidenceInterval": "cc.confidence_interval",
    "PointEstimate": 'cc.consensus(loss="vi")',
    "Stability": "cc.stability",
}


def _is_made_by(kind: str) -> Callable[[str, Any], None]:
    """Return what refuses all but results of a class, also of one not yet loaded."""

    def check(argument: str, value: object) -> None:
        if kind not in {each.__name__ for each in type(value).__mro__}:
            article = "an" if kind[0] == "A" else "a"
            _refuse(argument, f"{article} {kind}, as {_MADE_BY[kind]} makes", value)

    return check


def _check_of(parameter: inspect.Parameter) -> Callable[[str, Any], None] | None:
    """Return the check of an argument, by its name or by the class it is to be."""
    given = parameter.annotation
    first = given if isinstance(given, str) else next(iter(get_args(given)), given)
    kind = str(getattr(first, "__name__", first)).removesuffix(" | None")
    if kind in _MADE_BY:
        return _is_made_by(kind)
    if parameter.name == "names" and "tuple[str, str]" in str(given):
        return check_two_texts
    return KINDS.get(parameter.name)


def checked(function: Callable[A, R]) -> Callable[A, R]:
    """Refuse arguments that are of no kind that their names stand for."""
    parameters = inspect.signature(function).parameters
    found = {name: _check_of(each) for name, each in parameters.items()}
    kinds = {name: check for name, check in found.items() if check is not None}

    @wraps(function)
    def call(*args: A.args, **kwargs: A.kwargs) -> R:
        given = {**dict(zip(parameters, args, strict=False)), **kwargs}
        for name, check in kinds.items():
            if name in given and given[name] is not parameters[name].default:
                check(name, given[name])
        return function(*args, **kwargs)

    return call
