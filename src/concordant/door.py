"""Arguments of public functions are of the kinds that their names stand for."""

import inspect
from collections.abc import Callable
from functools import partial, wraps
from os import PathLike
from typing import Any, ParamSpec, TypeVar, get_args

from concordant.errors import Argument, InputTypeError
from concordant.wording import (
    check_count,
    check_flag,
    check_share,
    check_two_texts,
    is_list,
    is_number,
    several,
    shown,
)

A = ParamSpec("A")
R = TypeVar("R")


Check = Callable[[str, Any], None]


def _is(kind: str, test: Callable[[Any], bool]) -> Check:
    """Return what refuses all but values of a kind."""

    def check(argument: str, value: object) -> None:
        if not test(value):
            what = f" must be {kind}, found {shown(value)}"
            raise InputTypeError(Argument(argument), what)

    return check


def _names(argument: str, value: object) -> None:
    texts = several(argument, value)
    if texts is None or not all(isinstance(text, str) for text in texts):
        what = f" must be a list of texts, found {shown(value)}"
        raise InputTypeError(Argument(argument), what)


#: What arguments of a name take, beside what they have by default.
KINDS: dict[str, Check] = {
    name: check
    for names, check in (
        (
            "path checkpoint",
            _is("the path of a file", lambda path: isinstance(path, str | PathLike)),
        ),
        (
            "encoding delimiter array title truth_name",
            _is("a string", lambda text: isinstance(text, str)),
        ),
        ("clip legend as_frame", check_flag),
        ("max_objects max_pairs", check_count),
        ("count start stop", partial(check_count, at_least=0)),
        ("chunks", _is("a list, or what else can be gone through", is_list)),
        ("panels readings", _names),
        ("say", _is("a function", callable)),
        ("width", _is("a number of inches, such as 3.3", is_number)),
        ("share", partial(check_share, ends=True)),
    )
    for name in names.split()
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


def _is_made_by(kind: str) -> Check:
    """Return what refuses all but results of a class, also of one not yet loaded."""
    article = "an" if kind[0] == "A" else "a"
    return _is(
        f"{article} {kind}, as {_MADE_BY[kind]} makes",
        lambda value: kind in {each.__name__ for each in type(value).__mro__},
    )


def _check_of(parameter: inspect.Parameter) -> Check | None:
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
