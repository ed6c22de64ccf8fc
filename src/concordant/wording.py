"""The words that error messages share."""

import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeGuard

from concordant.errors import Argument, InputError, InputTypeError, listed

_MOST_COUNTED = 1 << 53  # of anything that is made


def check_choice(
    argument: str, value: object, choices: tuple[str, ...], *, optional: bool = True
) -> None:
    """Refuse a value that is none of the choices."""
    if (value is None and optional) or (isinstance(value, str) and value in choices):
        return
    raise InputError(Argument(argument), f" must be {either(choices)}, found {value!r}")


def several(argument: str, given: object, or_else: str = "") -> tuple[str, ...] | None:
    """Return a list of names, of which one may stand alone; sets have no order."""
    if given is None:
        return None
    if isinstance(given, str):
        return (given,)
    if isinstance(given, set | frozenset | bytes) or not is_list(given):
        what = f" must be a list of names{or_else}, found {shown(given)}"
        raise InputTypeError(Argument(argument), what)
    return tuple(given)


def chosen(argument: str, given: object, choices: tuple[str, ...]) -> tuple[str, ...]:
    """Return some of the choices, each once."""
    found = several(argument, given) or ()
    for name in found:
        check_choice(argument, name, choices, optional=False)
    return tuple(dict.fromkeys(found))


def is_list(given: object) -> TypeGuard[Iterable[Any]]:
    """Return whether something can be gone through, as an array of no axis cannot."""
    return isinstance(given, Iterable) and getattr(given, "shape", None) != ()


def check_two_texts(argument: str, given: object) -> None:
    """Refuse what is not a list of two texts."""
    unordered = isinstance(given, Mapping | Iterator)
    texts = () if unordered else several(argument, given) or ()
    if len(texts) != 2 or not all(isinstance(text, str) for text in texts):
        what = f" must be two texts, of P and of Q, found {shown(given)}"
        raise InputError(Argument(argument), what)
    if texts[0] == texts[1]:
        what = f" must be distinct, found {shown(texts[0])} twice"
        raise InputError(Argument(argument), what)


def check_flag(argument: str, value: object, *, optional: bool = False) -> None:
    """Refuse what is neither True nor False, of Python or NumPy."""
    if type(value).__name__ not in ("bool", "bool_") and not (
        optional and value is None
    ):
        what = f" must be True or False, found {shown(value)}"
        raise InputTypeError(Argument(argument), what)


def is_number(value: object) -> bool:
    """Return whether something is a real number, and no flag."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_share(argument: str, value: Any, *, ends: bool = False) -> None:
    """Refuse what is no number between 0 and 1, or neither of these `ends`."""
    if not is_number(value):
        what = f" must be a number, found {shown(value)}"
        raise InputTypeError(Argument(argument), what)
    if not (0.0 < value < 1.0 or (ends and value in (0, 1))):
        what = f" must lie between 0 and 1, found {shown(value)}"
        raise InputError(Argument(argument), what)


def check_count(argument: str, value: object, *, at_least: int = 1) -> None:
    """Refuse what is no integer, and one that is too small."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InputTypeError(
            Argument(argument), f" must be an integer, found {value!r}"
        )
    if int(value) < at_least:
        raise InputError(
            Argument(argument), f" must be at least {at_least}, found {value}"
        )
    if at_least and int(value) > _MOST_COUNTED:  # lines to skip may be any number
        raise InputError(Argument(argument), f" is too large, found {shown(value)}")


def either(choices: tuple[str, ...]) -> str:
    """List choices as '"a", "b" or "c"'."""
    return listed([f'"{choice}"' for choice in choices])


def count(number: int, noun: str) -> str:
    """Say how many there are of something."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def show(value: Hashable) -> str:
    """Show a value as Python would write it, NumPy scalars too."""
    return repr(getattr(value, "item", lambda: value)())


def shown(cell: object) -> str:
    """Show a cell as Python would write it, cut short if it is long."""
    if isinstance(cell, str):
        return repr(cell if len(cell) <= 36 else f"{cell[:36]}...")
    text = repr(cell)
    return text if len(text) <= 36 else f"{text[:36]}..."


def called(path: str | Path) -> str:
    """Return the name of a file, "-" for standard input, in printable characters."""
    name = str(path)
    if name == "-":
        return "standard input"
    return name if name.isprintable() and name else repr(name)


def duration(seconds: float) -> str:
    """Say how long something takes, in hours, minutes or seconds."""
    for unit, size in (("hour", 3600.0), ("minute", 60.0)):
        if seconds >= 1.5 * size:
            return count(round(seconds / size), unit)
    return count(round(seconds), "second")


def levels_to_the_caller() -> int:
    """Count the frames of this package, as seen from the function that asks."""
    frame, levels = sys._getframe(1), 1
    ours = (__name__.partition(".")[0], "contextlib")
    while (
        frame.f_back is not None
        and frame.f_globals.get("__name__", "").partition(".")[0] in ours
    ):
        frame, levels = frame.f_back, levels + 1
    return levels


def pandas_for(what: str, instead: str = "") -> Any:
    """Import pandas, or say that it is needed for something."""
    try:
        import pandas
    except ImportError as error:
        told = f"{what} needs pandas: pip install pandas{instead}"
        raise ImportError(told) from error
    return pandas


def first_line(error: BaseException) -> str:
    """Return what another library says of a fault, in one line of limited length."""
    lines = str(error).splitlines() or [type(error).__name__]
    line = lines[0] if lines[0].isprintable() else repr(lines[0])
    return line if len(line) <= 80 else f"{line[:80]}..."
