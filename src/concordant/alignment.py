"""Two partitions of the same objects are put in the same order."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.partition import Partition
from concordant.wording import check_choice, count, show

Align = Literal["position", "index"]


def aligned(
    P: object, Q: object, *, align: Align = "position"
) -> tuple[Partition, Partition]:
    """
    Make two partitions of the same objects, in the same order.

    Parameters
    ----------
    P, Q : Partition, or what one can be made from
        The two partitions.
    align : {"position", "index"}, default="position"
        Whether the i-th object of P is the i-th of Q, or the one with the same id in
        the pandas index.

    Returns
    -------
    tuple of two Partitions
        Objects that either side dropped as noise are left out of both.

    Raises
    ------
    ValueError
        If the lengths or the ids differ.
    """
    check_choice("align", align, get_args(Align), optional=False)
    p = Partition._named(P, "P")
    q = Partition._named(Q, "Q")
    if p._n_given != q._n_given:
        raise ValueError(
            f"P has {count(p._n_given, 'object')} and Q has {q._n_given}: "
            "they must describe the same objects"
        )
    order = _order_by_index(p, q) if align == "index" else None
    if order is None:
        _check_same_ids(p, q)
        if p._kept is None and q._kept is None:
            return p, q
        order = np.arange(p._n_given)
    # order[i] is the position in Q, as given, of P's i-th object as given.
    where_p = _positions_now(p)
    where_q = _positions_now(q)[order]
    both = (where_p >= 0) & (where_q >= 0)
    if not both.any():
        raise ValueError("no object is left: P and Q together drop all of them")
    return p.take(where_p[both]), q.take(where_q[both])


def _positions_now(partition: Partition) -> NDArray[np.intp]:
    """Give each object's present position by the given one, -1 where dropped."""
    if partition._kept is None:
        return np.arange(partition._n_given)
    now = np.full(partition._n_given, -1, dtype=np.intp)
    now[partition._kept] = np.arange(len(partition._kept))
    return now


def _check_same_ids(p: Partition, q: Partition) -> None:
    if p._index is None or q._index is None or p._index is q._index:
        return
    if p._index.equals(q._index):
        return
    ids_p, ids_q = np.asarray(p._index), np.asarray(q._index)
    first = next(i for i, (a, b) in enumerate(zip(ids_p, ids_q, strict=True)) if a != b)
    raise ValueError(
        f"P and Q have different ids, first at position {first}: {show(ids_p[first])} "
        f'in P and {show(ids_q[first])} in Q; pass align="index" to match objects by '
        "id, or reset both indexes to match them by position"
    )


def _order_by_index(p: Partition, q: Partition) -> NDArray[np.intp]:
    for name, partition in (("P", p), ("Q", q)):
        if partition._index is None:
            raise ValueError(
                f'align="index" needs a pandas index in both, but {name} has none'
            )
        if not partition._index.is_unique:
            twice = partition._index[partition._index.duplicated()][0]
            raise ValueError(
                f'align="index" needs unique ids, but {show(twice)} stands more than '
                f"once in the index of {name}"
            )
    order = np.asarray(q._index.get_indexer(p._index))
    if (order < 0).any():
        missing = np.asarray(p._index)[order < 0]
        shown = ", ".join(show(i) for i in missing[:3])
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise ValueError(
            f"the ids of P and Q differ: {shown}{more} of P not found in Q; both must "
            "describe the same objects"
        )
    return order
