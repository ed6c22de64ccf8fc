"""The ids of objects, by which two partitions can be matched."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Argument, InputError, InputTypeError
from concordant.partition.labels import is_missing
from concordant.partition.reading import is_masked, is_pandas
from concordant.wording import count

#: One id per object; a range stands for the ids that pandas gives by default.
Ids = NDArray[Any] | range

_MISSING = object()
_MIXER = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no two words become one


def as_ids(given: object, n_objects: int, name: str, what: str = "ids") -> Ids:
    """Make a read-only copy of the n ids or groups that were given for `name`."""
    if isinstance(given, range):
        ids: Ids = given
    elif isinstance(given, str | bytes) or not (
        isinstance(given, Sequence) or hasattr(given, "__array__")
    ):
        raise InputTypeError(
            f"{what} must be a sequence of one {what[:-1]} per object, found "
            f"{type(given).__name__}"
        )
    else:
        ids = _as_array(given, what)
    if len(ids) != n_objects:
        raise InputError(
            f"{what} has {count(len(ids), what[:-1])} and {name} has "
            f"{count(n_objects, 'object')}: each object needs one"
        )
    return ids


def ids_of(data: object) -> Ids | None:
    """Return the ids that data brings along: its pandas index, if it has one."""
    index: Any = getattr(data, "index", None) if is_pandas(data) else None
    if index is None:
        return None
    if hasattr(index, "step"):
        return range(index.start, index.stop, index.step)
    return _read_only(np.asarray(index))


def take_ids(
    ids: Ids | None, positions: NDArray[np.intp] | None
) -> NDArray[Any] | None:
    """Return the ids at some positions, None for all."""
    where = slice(None) if positions is None else positions
    return None if ids is None else _read_only(np.asarray(ids)[where])


def same_ids(one: Ids, other: Ids) -> bool:
    """Return whether two lots of ids are the same, in the same order."""
    if isinstance(one, range) and isinstance(other, range):
        return one == other
    one, other = np.asarray(one), np.asarray(other)
    # Objects may refuse to be compared, and NaN differs from itself: see their keys.
    alike = one.dtype.kind == other.dtype.kind != "O"
    return (alike and np.array_equal(one, other)) or keys(one) == keys(other)


def keys(ids: Ids) -> list[Hashable]:
    """
    Return what ids are compared and looked up by.

    Equal where the ids are: the integers 1 of any type, the times that are the same in
    any unit, and missing ones.
    """
    if isinstance(ids, range):
        return [*ids]
    if ids.dtype.kind in "mM":
        unit = f"{ids.dtype.kind}8[ns]"
        return [(unit, time) for time in ids.astype(unit).tolist()]
    if ids.dtype.kind in "biuUS":
        return [*ids.tolist()]
    listed: list[Hashable] = ids.tolist()
    if {*map(type, listed)} == {str}:
        return listed
    return [_MISSING if is_missing(key) else key for key in listed]


def are_distinct(values: Sequence[Hashable] | NDArray[Any]) -> bool:
    """Return whether no two of many values are the same."""
    if isinstance(values, np.ndarray) and values.dtype.kind == "U":
        points = values.view(np.uint32).reshape(len(values), -1)
        factors = _MIXER ** np.arange(points.shape[1], dtype=np.uint64)
        hashes = np.einsum("ij,j->i", points, factors)
    else:
        values = values.tolist() if isinstance(values, np.ndarray) else values
        hashes = np.fromiter(map(hash, values), np.int64, len(values))
    hashes.sort()
    # Two values may have one hash.
    return bool((hashes[1:] != hashes[:-1]).all()) or len({*values}) == len(values)


def _as_array(given: Any, what: str) -> NDArray[Any]:
    if is_masked(given):
        raise InputError(
            Argument(what), " has masked entries; fill them, or leave out these objects"
        )
    if hasattr(given, "__array__"):
        ids = np.array(given)
    else:
        # A list of 1 and "1" must not become a list of two "1": keep the types apart.
        ids = np.fromiter(given, dtype=object, count=len(given))
    if ids.ndim != 1:
        raise InputError(f"{what} must have one dimension, found {ids.ndim}")
    if ids.dtype.kind == "O":
        keys = ids.tolist()
        unhashable = {
            kind for kind in {*map(type, keys)} if not issubclass(kind, Hashable)
        }
        for position, key in enumerate(keys if unhashable else ()):
            if type(key) in unhashable:
                raise InputTypeError(
                    f"{what} must be hashable, found {type(key).__name__} at position "
                    f"{position}"
                )
    return _read_only(ids)


def _read_only(ids: NDArray[Any]) -> NDArray[Any]:
    ids = ids.view()  # the flag is set on the view, never on what pandas holds
    ids.flags.writeable = False
    return ids
