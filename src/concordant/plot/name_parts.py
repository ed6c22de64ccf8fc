"""What tells names apart, and what they have in common."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from concordant.partition.naming import printed

_SHORT = 12  # names that are no longer are shown whole
_LONGEST = 24  # characters, unless more are needed to tell two names apart
_COMMON = 44  # characters of what is left out, if it is told
_WORD = re.compile(r"\d+(?:\.\d+)+|[^\W_]+")  # a number with a point is one


class Labels(NamedTuple):
    """Names for a picture, and what all of them begin and end with."""

    texts: list[str]
    start: str
    end: str

    @property
    def remark(self) -> str:
        """Say in a few lines what was left out; empty if nothing was."""
        left = [f"{_without_middle(self.start, _COMMON)}…"] if self.start else []
        left += [f"…{_without_middle(self.end, _COMMON)}"] if self.end else []
        return "\n".join(["left out of every name:", *left]) if left else ""


def labels_of(names: Sequence[str]) -> Labels:
    """
    Shorten names to what tells them apart.

    Whole words that all of them begin or end with are left out if a name is long; what
    is still long loses its middle, unless two different names would become the same.

    Examples
    --------
    >>> from concordant.plot.name_parts import labels_of
    >>> labels_of(["runs/fcm_seed_01.csv", "runs/fcm_seed_02.csv"])
    Labels(texts=['01', '02'], start='runs/fcm_seed_', end='.csv')
    >>> labels_of(["P.csv", "Q.csv"]).texts
    ['P.csv', 'Q.csv']
    """
    shown = [printed(name) for name in names]
    start = end = ""
    if len({*shown}) > 1 and max(map(len, shown)) > _SHORT:
        start = _common_start(shown)
        rest = [name[len(start) :] for name in shown]
        end = _common_end(rest)
        shown = [name[: len(name) - len(end)] for name in rest]
    for most in range(_LONGEST, max(map(len, shown), default=0) + 1):
        cut = [_without_middle(name, most) for name in shown]
        if len({*cut}) == len({*shown}):
            return Labels(cut, start, end)
    return Labels(shown, start, end)


def _common_start(names: Sequence[str]) -> str:
    """Find the whole words that all names begin with, if a word is left of each."""
    for length in range(min(map(len, names)) - 1, 0, -1):
        starts = {name[:length] for name in names}
        if len(starts) == 1 and all(_parts(name, length, -1) for name in names):
            return starts.pop()
    return ""


def _common_end(names: Sequence[str]) -> str:
    """Find the whole words that all names end with, if a word is left of each."""
    for length in range(min(map(len, names)) - 1, 0, -1):
        ends = {name[-length:] for name in names}
        if len(ends) == 1 and all(_parts(n, len(n) - length, 0) for n in names):
            return ends.pop()
    return ""


def _parts(name: str, place: int, left: int) -> bool:
    """Tell whether a place is between words, and a word is left before or behind it."""
    words = [word.span() for word in _WORD.finditer(name)]
    if not words or any(start < place < end for start, end in words):
        return False
    start, end = words[left]
    return start >= place if left else end <= place


def _without_middle(name: str, most: int) -> str:
    if len(name) <= most:
        return name
    front = (most - 1) // 2
    return f"{name[:front]}…{name[len(name) - (most - 1 - front) :]}"
