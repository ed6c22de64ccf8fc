"""What tells names apart, and what they have in common."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from concordant.partition.naming import printed

_SHORT = 12  # names that are no longer are shown whole
_LONGEST = 24  # characters, unless more are needed to tell two names apart
_COMMON = 44  # characters of what is left out, if it is told
_ONE_LINE = 50  # characters of what is left out before and behind
_WORD = re.compile(r"\d+(?:\.\d+)+|[^\W_]+")  # a number with a point is one


class Labels(NamedTuple):
    """Names for a picture, and what all of them begin and end with."""

    texts: list[str]
    start: str
    end: str


def remark_on(*labels: Labels) -> str:
    """Return a few lines that say what was left out of names; empty if nothing was."""
    lines = dict.fromkeys(line for each in labels for line in _left_out(each))
    return "\n".join(["left out of every name:", *lines]) if lines else ""


def _left_out(labels: Labels) -> list[str]:
    """Return the beginning and the end, on one line if they are short."""
    start, end = (without_middle(part, _COMMON) for part in (labels.start, labels.end))
    if len(start) + len(end) <= _ONE_LINE:
        return [f"{start}…{end}"] if start or end else []
    return [f"{start}…"] * bool(start) + [f"…{end}"] * bool(end)


def labels_of(names: Sequence[str]) -> Labels:
    """
    Shorten names to what tells them apart.

    Whole words that all of them begin or end with are left out if a name is long; what
    is still long loses its middle, unless two different names would become the same.
    """
    shown = [printed(name) for name in names]
    start = end = ""
    if len({*shown}) > 1 and max(map(len, shown)) > _SHORT:
        start = _common_start(shown)
        rest = [name[len(start) :] for name in shown]
        end = _common_end(rest)
        shown = [name[: len(name) - len(end)] for name in rest]
    for most in range(_LONGEST, max(map(len, shown), default=0) + 1):
        cut = [without_middle(name, most) for name in shown]
        if len({*cut}) == len({*shown}):
            return Labels(cut, start, end)
    return Labels(shown, start, end)


def _common_start(names: Sequence[str]) -> str:
    """Return the whole words that all names begin with, if a word is left of each."""
    for length in range(min(map(len, names)) - 1, 0, -1):
        starts = {name[:length] for name in names}
        if len(starts) == 1 and all(_parts(name, length, -1) for name in names):
            return starts.pop()
    return ""


def _common_end(names: Sequence[str]) -> str:
    """Return the whole words that all names end with, if a word is left of each."""
    for length in range(min(map(len, names)) - 1, 0, -1):
        ends = {name[-length:] for name in names}
        if len(ends) == 1 and all(_parts(n, len(n) - length, 0) for n in names):
            return ends.pop()
    return ""


def _parts(name: str, place: int, left: int) -> bool:
    """Return whether a place is between words, with a word left before or behind."""
    words = [word.span() for word in _WORD.finditer(name)]
    if not words or any(start < place < end for start, end in words):
        return False
    start, end = words[left]
    return start >= place if left else end <= place


def without_middle(name: str, most: int) -> str:
    """Return a name of at most `most` characters, an ellipsis for its middle."""
    if len(name) <= most:
        return name
    front = (most - 1) // 2
    return f"{name[:front]}…{name[len(name) - (most - 1 - front) :]}"
