"""Labels of any type become cluster numbers."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import InputError, InputTypeError, Message, Setting, Wordings
from concordant.wording import shown

# What other programs write for missing values.
_READS_MISSING = {"", "NA", "N/A", "<NA>", "NaN", "nan", "-nan", "NaT", "None", "null"}
_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]*)?([eE][+-]?[0-9]+)?")
Codes = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, eq=False)
class Coded:
    """Labels, and which of the sorted ones each object has."""

    codes: NDArray[np.integer[Any]]
    labels: NDArray[Any]


def made_with(name: str, value: object) -> Wordings:
    """Return how a partition is made with a setting."""
    setting = Setting(name, value)
    return Wordings(f"Partition(..., {setting})", setting)


#: What helps against missing values.
DROPPED = Message("; ", made_with("missing", "drop"), " leaves out what is missing")


def from_labels(
    array: NDArray[Any], categories: NDArray[Any] | None, name: str
) -> tuple[Codes, NDArray[Any]]:
    """Turn labels, or codes of categories, into cluster numbers and sorted names."""
    if categories is not None:  # of which some may have no object
        codes, present = _factorize_by_table(array, 0, len(categories))
        return codes, categories[present]
    if array.dtype.kind == "f":
        array = _whole_numbers(array, name)
    if array.dtype.kind == "O":
        labels = array.tolist()
        types = {*map(type, labels)}
        kind = _one_type(labels, types, name)
        if kind in (str, bytes):
            if not types <= {str, bytes}:  # without what a class adds to its text
                labels = [kind.__getitem__(label, slice(None)) for label in labels]
            return _factorize_text(labels, None, name)
        if kind is float:
            array = _whole_numbers(array.astype(np.float64), name)
        else:
            array = np.array(labels)  # objects still, if beyond 64 bits
            if array.dtype.kind == "f":  # each beyond one type of 64 bits
                array = np.array([int(label) for label in labels], dtype=object)
    elif array.dtype.kind not in "biuUS":
        raise InputTypeError(
            f"labels of {name} must be integers, text or booleans, found {array.dtype}"
        )
    if array.dtype.kind in "iu":
        low, high = int(array.min()), int(array.max())
        if high - low <= max(4 * array.size, 1 << 16) and high < 1 << 63:
            return _factorize_by_table(array, low, high - low + 1)
    if array.dtype.kind in "US":
        return _factorize_text(array.tolist(), array.dtype, name)
    clusters, inverse = np.unique(array, return_inverse=True)
    return smallest(inverse, len(clusters)), clusters


def _factorize_text(
    labels: list[Any], dtype: np.dtype[Any] | None, name: str
) -> tuple[Codes, NDArray[Any]]:
    """Replace labels by their position among the sorted distinct ones, by hashing."""
    distinct = sorted({*labels})
    number = {label: code for code, label in enumerate(distinct)}
    codes = np.fromiter(map(number.__getitem__, labels), np.intp, len(labels))
    clusters = np.array(distinct, dtype)
    if clusters.tolist() != distinct:  # NumPy drops them
        raise InputError(f"labels of {name} must not end in a NUL character")
    return smallest(codes, len(distinct)), clusters


def _factorize_by_table(
    array: NDArray[Any], low: int, width: int
) -> tuple[Codes, NDArray[Any]]:
    """Do so for integers of a small range in O(n), without temporaries of n words."""
    seen = np.zeros(width, dtype=bool)
    for block in _blocks(array):
        seen[block.astype(np.int64) - low] = True
    present = seen.nonzero()[0]
    number = smallest(seen.cumsum() - seen, present.size)
    codes = [number[block.astype(np.int64) - low] for block in _blocks(array)]
    return np.concatenate(codes), present + low


def _whole_numbers(array: NDArray[Any], name: str) -> NDArray[np.int64]:
    check_none_missing(np.isnan(array), name, "nan")
    # From 2^53 on, doubles leave out integers: two labels may have become one.
    bad = np.flatnonzero((array != np.floor(array)) | (np.abs(array) >= 2.0**53))
    if bad.size:
        raise InputError(
            f"labels of {name} must be whole numbers or text, found {array[bad[0]]} "
            f"at position {bad[0]}; memberships are passed as a matrix, one column per "
            "cluster"
        )
    return array.astype(np.int64)


def _one_type(labels: list[Any], types: set[type], name: str) -> type:
    """Return the type that stands for those of labels, which must be one for all."""
    families = {_family(kind) for kind in types}
    if len(families) == 1 and families < {bool, int, str, bytes}:
        return families.pop()
    first: dict[type, int] = {}
    for position, label in enumerate(labels):
        if label is None or is_missing(label):
            raise _missing(name, repr(label), position)
        first.setdefault(_family(type(label)), position)
    kind, *others = first
    if others:
        raise InputTypeError(
            f"labels of {name} mix {kind.__name__} and {others[0].__name__} (at "
            f"position {first[others[0]]}); pass one type"
        )
    if kind not in (bool, int, float, str, bytes):
        raise InputTypeError(
            f"labels of {name} must be integers, text or booleans, found "
            f"{kind.__name__}"
        )
    return kind


def check_none_missing(missing: NDArray[np.bool_], name: str, value: str) -> None:
    """Refuse labels of which some are missing, and say where the first one is."""
    if missing.any():
        raise _missing(name, value, int(missing.argmax()))


def _missing(name: str, value: str, position: int) -> InputError:
    where = f"found {value} at position {position}"
    return InputError(f"labels of {name} must not be missing, {where}", DROPPED)


def is_missing(label: object) -> bool:
    """Return whether it is NaN, NaT or pandas' NA, which do not equal themselves."""
    try:
        return not bool(label == label)
    except TypeError:
        return True
    except ValueError:  # an array of several, which is no label either
        return False


def _family(kind: type) -> type:
    """Return the Python type that stands for the type of a label."""
    if issubclass(kind, bool | np.bool_):
        return bool
    if issubclass(kind, Integral):
        return int
    if issubclass(kind, Real):
        return float
    return next((text for text in (str, bytes) if issubclass(kind, text)), kind)


def _blocks(array: NDArray[Any]) -> list[NDArray[Any]]:
    size = 1 << 20
    return [array[start : start + size] for start in range(0, array.shape[0], size)]


def smallest(codes: NDArray[Any], n_clusters: int) -> Codes:
    """Hold cluster numbers in the smallest unsigned type that has room for all."""
    return codes.astype(np.min_scalar_type(max(n_clusters - 1, 0)))


def remarks_on(clusters: NDArray[Any]) -> tuple[str, ...]:
    """Return remarks on labels that may not be meant: missing ones, white space."""
    if clusters.dtype.kind not in "OU":
        return ()
    texts = [label for label in clusters.tolist() if isinstance(label, str)]
    remarks = []
    missing = [label for label in texts if label.strip() in _READS_MISSING]
    if missing:
        remarks.append(
            f"the label {shown(missing[0])} is text, and a cluster like any other; "
            "missing labels are None or NaN"
        )
    for same, what in _SAME.items():
        first: dict[object, str] = {}
        pairs = ((first.setdefault(same(label), label), label) for label in texts)
        unlike = next((pair for pair in pairs if pair[0] != pair[1]), None)
        if unlike is not None:
            both = f"labels {shown(unlike[0])} and {shown(unlike[1])}"
            remarks.append(f"{both} {what}, and are two clusters")
    return tuple(remarks)


def _number(label: str) -> object:
    """Return the whole number that a label spells, or the label if it spells none."""
    if len(label) > 64 or not _NUMBER.fullmatch(label):
        return label
    number = float(label.replace(",", "."))
    return number if abs(number) < 2.0**53 and number.is_integer() else label


#: In what labels may agree that are not the same, by what is the same then.
_SAME: dict[Callable[[str], object], str] = {
    str.strip: "differ only by white space at their ends",
    _number: "are the same number",
}


def are_integers(clusters: NDArray[Any]) -> bool:
    """Return whether all names of clusters are integers."""
    if clusters.dtype.kind != "O":
        return clusters.dtype.kind in "iu"
    return all(_family(type(cluster)) is int for cluster in clusters)


def type_name(values: NDArray[Any]) -> str:
    """Return the names of the types of labels."""
    names = sorted({_family(type(value)).__name__ for value in values.tolist()})
    return " and ".join("text" if name == "str" else name for name in names)
