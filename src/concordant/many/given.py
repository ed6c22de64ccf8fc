"""What users hold as many partitions becomes a list of them, with names."""

from collections import Counter
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np

from concordant.errors import Argument, InputError, InputTypeError
from concordant.partition.alignment import MatchBy, all_aligned
from concordant.partition.labels import is_missing
from concordant.partition.noise import warn_of_noise
from concordant.partition.partition import Partition
from concordant.printing import printed
from concordant.wording import check_choice, count, is_list, several


class Given(NamedTuple):
    """Some partitions, with one name each."""

    partitions: list[Partition]
    names: tuple[str, ...]

    def on_same_objects(self, match_by: MatchBy) -> list[Partition]:
        """Return them with the objects that all of them have, in the same order."""
        return all_aligned(self.partitions, [*map(spoken, self.names)], match_by)


def given_partitions(
    partitions: object,
    names: Sequence[str] | None = None,
    match_by: MatchBy = "position",
    *,
    at_least: int = 2,
) -> Given:
    """Take in a list or mapping of partitions, a frame of labels, or paths."""
    check_choice("match_by", match_by, get_args(MatchBy), optional=False)
    members, found = _members(partitions)
    if len(members) < at_least:
        raise InputError(
            Argument("partitions"),
            f" must hold at least {count(at_least, 'partition')}, found {len(members)}",
        )
    if names is not None:
        found = checked_names(names, len(members))
    made = []
    noisy: list[str] = []
    for member, name in zip(members, found, strict=True):
        is_data = not isinstance(member, Partition | str | PathLike)
        how = {"noisy": noisy} if is_data else {}
        partition = Partition._named(member, spoken(name), **how)
        partition._own()  # they are kept
        made.append(partition)
    if noisy:  # one warning, of thousands of draws, too
        first, *others = noisy
        warn_of_noise(first + f" and {count(len(others), 'other')}" * bool(others))
    return Given(made, found)


def _members(given: Any) -> tuple[list[Any], tuple[str, ...]]:
    """Return the partitions as they were given, and what they are called."""
    if isinstance(given, Mapping):
        return [*given.values()], tuple(map(printed, given))
    if isinstance(given, str | PathLike):
        from concordant.files.partitions import read_partitions

        runs = read_partitions(Path(given))
        return [*runs], tuple(f"{given}#{i}" for i in range(1, len(runs) + 1))
    if hasattr(given, "columns") and hasattr(given, "to_numpy"):
        columns = [*given.columns]
        (most, number), *_ = [*Counter(columns).most_common(1), (None, 0)]
        if number > 1:
            what = f" has {number} columns called {printed(most)}; rename them"
            raise InputError(Argument("partitions"), what)
        return [given[column] for column in columns], tuple(map(printed, columns))
    if isinstance(given, np.ndarray) and given.ndim == 2:
        raise InputError(
            Argument("partitions"),
            " is a matrix, of which each row may be a partition or an object; pass a "
            "list of partitions: list(X) if each row holds the labels of one, "
            "list(X.T) if each column does",
        )
    one = isinstance(given, bytes | Partition | set | frozenset)
    if one or not is_list(given):
        raise InputTypeError(
            Argument("partitions"),
            " must be a list or a mapping of partitions, a data frame with a column of "
            "labels for each, or the path of a file of several runs, found "
            f"{type(given).__name__}",
        )
    members = [*given]
    names = tuple(
        printed(member) if isinstance(member, str | PathLike) else f"{number}"
        for number, member in enumerate(members, start=1)
    )
    return members, names


def checked_names(given: Sequence[str], k: int) -> tuple[str, ...]:
    """Return names for k partitions, each once and none missing."""
    names = several("names", given) or ()
    found = tuple(map(printed, names))
    if len(found) != k:
        raise InputError(
            Argument("names"),
            f" has {count(len(found), 'name')} for {count(k, 'partition')}",
        )
    for position, name in enumerate(names):
        if name is None or is_missing(name):
            what = f" must not be missing, found {name!r} at position {position}"
            raise InputError(Argument("names"), what)
        if found[position] in found[:position]:
            what = f" must be distinct, found {name!r} twice"
            raise InputError(Argument("names"), what)
    return found


def spoken(name: str) -> str:
    """Return a name as sentences have it: a mere number is that of a partition."""
    return f"partition {name}" if name.isdigit() else name


def ending(name: str, most: int = 28) -> str:
    """Return a name for a table; of a long one the end, which tells files apart."""
    return name if len(name) <= most else f"…{name[1 - most :]}"
