"""The words that error messages share."""

from collections.abc import Hashable

import numpy as np


def check_choice(
    argument: str, value: object, choices: tuple[str, ...], *, optional: bool = True
) -> None:
    """Refuse a value that is none of the choices."""
    if (value is None and optional) or (isinstance(value, str) and value in choices):
        return
    raise ValueError(f"{argument} must be {either(choices)}, found {value!r}")


def either(choices: tuple[str, ...]) -> str:
    """List choices as '"a", "b" or "c"'."""
    *most, last = [f'"{choice}"' for choice in choices]
    return f"{', '.join(most)} or {last}" if most else last


def count(number: int, noun: str) -> str:
    """Say how many there are of something."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def show(value: Hashable) -> str:
    """Show a value as Python would write it, NumPy scalars too."""
    return repr(value.item() if isinstance(value, np.generic) else value)
