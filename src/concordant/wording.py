"""The words that error messages share."""

from collections.abc import Hashable, Iterable
from numbers import Integral
from pathlib import Path
from typing import Any

from concordant.errors import Argument, InputError, InputTypeError, listed


def check_choice(
    argument: str, value: object, choices: tuple[str, ...], *, optional: bool = True
) -> None:
    """Refuse a value that is none of the choices."""
    if (value is None and optional) or (isinstance(value, str) and value in choices):
        return
    raise InputError(Argument(argument), f" must be {either(choices)}, found {value!r}")


def several(argument: str, given: object, or_else: str = "") -> tuple[str, ...] | None:
    """Return a list of names, or None; one name alone and what is none are refused."""
    if given is None:
        return None
    if isinstance(given, str) or not isinstance(given, Iterable):
        what = f"{argument} must be a list of names{or_else}"
        raise TypeError(f"{what}, found {given!r}")
    return tuple(given)


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


def pandas_for(what: str, instead: str = "") -> Any:
    """Import pandas, or say that it is needed for something."""
    try:
        import pandas
    except ImportError as error:
        told = f"{what} needs pandas: pip install pandas{instead}"
        raise ImportError(told) from error
    return pandas


def first_line(error: Exception) -> str:
    """Return what another library says of a fault, in one line of limited length."""
    lines = str(error).splitlines() or [type(error).__name__]
    line = lines[0] if lines[0].isprintable() else repr(lines[0])
    return line if len(line) <= 80 else f"{line[:80]}..."
