"""Labels of any type become cluster numbers."""

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.partition.naming import shortened

_LONGEST = 40  # label that a remark shows
# What other programs write for missing values.
_READS_MISSING = {"", "NA", "N/A", "<NA>", "NaN", "nan", "-nan", "NaT", "None", "null"}
# Types whose labels are never missing, and the type that stands for each.
_FAMILIES: dict[type, type] = {
    bool: bool,
    np.bool_: bool,
    int: int,
    **{np.dtype(code).type: int for code in "bBhHiIlLqQ"},
    str: str,
    np.str_: str,
    bytes: bytes,
    np.bytes_: bytes,
}


def from_labels(
    array: NDArray[Any], clusters: NDArray[Any] | None, name: str
) -> tuple[NDArray[np.unsignedinteger[Any]], NDArray[Any]]:
    """Turn labels, or codes of given `clusters`, into cluster numbers and names."""
    if clusters is None:
        return _factorize(array, name)
    return _occupied(array, clusters)  # a categorical: codes and categories are there


def _factorize(
    array: NDArray[Any], name: str
) -> tuple[NDArray[np.unsignedinteger[Any]], NDArray[Any]]:
    """Replace labels by their position among the sorted distinct ones."""
    if array.dtype.kind == "f":
        array = _whole_numbers(array, name)
    if array.dtype.kind == "O":
        labels = array.tolist()
        types = {*map(type, labels)}
        kind = _one_type(labels, types, name)
        if kind in (str, bytes):
            return _factorize_objects(labels, types, name)
        if kind is float:
            array = _whole_numbers(array.astype(np.float64), name)
        else:
            array = np.array(labels)  # objects still, if beyond 64 bits
            if array.dtype.kind == "f":  # each beyond one type of 64 bits
                array = np.array([int(label) for label in labels], dtype=object)
    elif array.dtype.kind not in "biuUS":
        raise TypeError(
            f"labels of {name} must be integers, text or booleans, found {array.dtype}"
        )
    if array.dtype.kind in "iu":
        low, high = int(array.min()), int(array.max())
        if high - low <= max(4 * array.size, 1 << 16) and high < 1 << 63:
            return _factorize_by_table(array, low, high - low + 1)
    if array.dtype.kind in "US":
        codes, distinct = _factorize_text(array.tolist())
        return codes, np.array(distinct, dtype=array.dtype)
    clusters, inverse = np.unique(array, return_inverse=True)
    return smallest(inverse, len(clusters)), clusters


def _factorize_objects(
    labels: list[Any], types: set[type], name: str
) -> tuple[NDArray[np.unsignedinteger[Any]], NDArray[Any]]:
    """Do so for text of these types."""
    texts = labels
    if not types <= _FAMILIES.keys():
        texts = np.array(labels).tolist()  # without what a class adds to its text
    codes, distinct = _factorize_text(texts)
    clusters = np.array(distinct)
    if clusters.tolist() != distinct or texts != labels:
        # NumPy drops trailing NUL characters: number such text by itself.
        raise ValueError(f"labels of {name} must not end in a NUL character")
    return codes, clusters


def _factorize_text(
    labels: list[Any],
) -> tuple[NDArray[np.unsignedinteger[Any]], list[Any]]:
    """Do so by hashing, so that no more than the distinct ones are sorted."""
    distinct = sorted({*labels})
    number = {label: code for code, label in enumerate(distinct)}
    codes = np.fromiter(map(number.__getitem__, labels), np.intp, len(labels))
    return smallest(codes, len(distinct)), distinct


def _factorize_by_table(
    array: NDArray[Any], low: int, width: int
) -> tuple[NDArray[np.unsignedinteger[Any]], NDArray[Any]]:
    """Do so for integers of a small range in O(n), with no temporary of n words."""
    seen = np.zeros(width, dtype=bool)
    for block in _blocks(array):
        seen[block.astype(np.int64) - low] = True
    present = np.flatnonzero(seen)
    number = smallest(np.cumsum(seen) - seen, present.size)
    codes = np.empty(array.shape, dtype=number.dtype)
    for block, out in zip(_blocks(array), _blocks(codes), strict=True):
        np.take(number, block.astype(np.int64) - low, out=out)
    return codes, present + low


def _occupied(
    codes: NDArray[Any], categories: NDArray[Any]
) -> tuple[NDArray[np.unsignedinteger[Any]], NDArray[Any]]:
    """Leave out categories that no object has."""
    dense, present = _factorize_by_table(codes, 0, len(categories))
    return dense, categories[present]


def _whole_numbers(array: NDArray[Any], name: str) -> NDArray[np.int64]:
    bad = np.flatnonzero(~np.isfinite(array))
    if bad.size:
        raise ValueError(
            f"labels of {name} must not be missing or infinite, found "
            f"{array[bad[0]]} at position {bad[0]}; drop that object or give it a label"
        )
    # From 2^53 on, doubles leave out integers: two labels may have become one.
    bad = np.flatnonzero((array != np.floor(array)) | (np.abs(array) >= 2.0**53))
    if bad.size:
        raise ValueError(
            f"labels of {name} must be whole numbers or text, found {array[bad[0]]} "
            f"at position {bad[0]}; memberships are passed as a matrix, one column per "
            "cluster"
        )
    return array.astype(np.int64)


def _one_type(labels: list[Any], kinds: set[type], name: str) -> type:
    """Give the type that stands for those of labels, which must be one for all."""
    families = {_FAMILIES.get(kind, object) for kind in kinds}
    if len(families) == 1 and object not in families:
        return families.pop()
    types: dict[type, int] = {}
    for position, label in enumerate(labels):
        if label is None or is_missing(label):
            raise ValueError(
                f"labels of {name} must not be missing, found {label!r} at position "
                f"{position}; drop that object or give it a label"
            )
        types.setdefault(_family(label), position)
    if len(types) > 1:
        (first, _), (second, position) = list(types.items())[:2]
        raise TypeError(
            f"labels of {name} mix {first.__name__} and {second.__name__} (at position "
            f"{position}); pass one type"
        )
    (kind,) = types
    if kind not in (bool, int, float, str, bytes):
        raise TypeError(
            f"labels of {name} must be integers, text or booleans, found "
            f"{kind.__name__}"
        )
    return kind


def is_missing(label: object) -> bool:
    """Tell NaN, NaT and pandas' NA, which do not equal themselves."""
    try:
        return not bool(label == label)
    except TypeError:
        return True
    except ValueError:  # an array of several, which is no label either
        return False


def _family(label: object) -> type:
    """Give the Python type that stands for this label's type."""
    if isinstance(label, bool | np.bool_):
        return bool
    if isinstance(label, Integral):
        return int
    if isinstance(label, Real):
        return float
    for kind in (str, bytes):
        if isinstance(label, kind):
            return kind
    return type(label)


def _blocks(array: NDArray[Any]) -> list[NDArray[Any]]:
    size = 1 << 20
    return [array[start : start + size] for start in range(0, array.shape[0], size)]


def smallest(codes: NDArray[Any], n_clusters: int) -> NDArray[np.unsignedinteger[Any]]:
    """Hold cluster numbers in the smallest unsigned type that has room for all."""
    return codes.astype(np.min_scalar_type(max(n_clusters - 1, 0)))


def remarks_on(clusters: NDArray[Any]) -> tuple[str, ...]:
    """Tell of labels of text that may not be meant: missing ones, and white space."""
    if clusters.dtype.kind not in "OU":
        return ()
    texts = [label for label in clusters.tolist() if isinstance(label, str)]
    remarks = []
    missing = [label for label in texts if label.strip() in _READS_MISSING]
    if missing:
        remarks.append(
            f"the label {_shown(missing[0])} is text, and a cluster like any other; "
            "missing labels are None or NaN"
        )
    first: dict[str, str] = {}
    for label in texts:
        other = first.setdefault(label.strip(), label)
        if other != label:
            remarks.append(
                f"labels {_shown(other)} and {_shown(label)} differ only by white "
                "space at their ends, and are two clusters"
            )
            break
    return tuple(remarks)


def _shown(label: str) -> str:
    return shortened(repr(label), _LONGEST)


def are_integers(clusters: NDArray[Any]) -> bool:
    """Tell whether all names of clusters are integers."""
    if clusters.dtype.kind != "O":
        return clusters.dtype.kind in "iu"
    return all(_family(cluster) is int for cluster in clusters)


def type_name(values: NDArray[Any]) -> str:
    """Say of what types labels are."""
    names = sorted({_family(value).__name__ for value in values.tolist()})
    return " and ".join("text" if name == "str" else name for name in names)
