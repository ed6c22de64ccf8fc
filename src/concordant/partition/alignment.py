"""Two partitions of the same objects are put in the same order."""

from collections.abc import Hashable, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.errors import (
    Argument,
    Data,
    InputError,
    Message,
    Piece,
    Setting,
    Wordings,
)
from concordant.partition.ids import Ids, are_distinct, keys, same_ids
from concordant.partition.partition import Partition
from concordant.wording import check_choice, count, show

MatchBy = Literal["position", "id", "common"]

_NO_ID = "; no id is in both: are these the same objects?"
_BY_POSITION = Wordings(
    " Without ids they are matched by position",
    " --id 0, with --column or --columns, matches them by position",
)
_COMMON = Wordings(
    'match_by="common" compares those that both have',
    "--common compares those that both have",
)
_LISTED = 3  # names in a sentence
_IN_PAIRS = Wordings(
    'agreement(..., match_by="common") and its modes compare',
    "agreement --common, and modes --common without --out and --plot, compare",
)


def aligned(
    P: object, Q: object, *, match_by: MatchBy = "position", **others: object
) -> list[Partition]:
    """Make partitions of the same objects, in the same order; others by argument."""
    check_choice("match_by", match_by, get_args(MatchBy), optional=False)
    given = {"P": P, "Q": Q, **others}
    made = [Partition._named(each, name) for name, each in given.items()]
    return all_aligned(made, ["P", "Q", *map(Argument, others)], match_by)


def all_aligned(
    partitions: Sequence[Partition], names: Sequence[str | Argument], match_by: MatchBy
) -> list[Partition]:
    """
    Put partitions of the same objects in the same order, that of the first.

    The i-th object of one is the i-th of the others, or by "id" the one with the
    same id; by "common", so are those objects whose ids all have, and remarks tell of
    the others. Objects that one of them dropped as noise are left out of all; other
    lengths and ids are refused.
    """
    said = [Data(name) if isinstance(name, str) else name for name in names]
    if match_by == "common":
        partitions, match_by = _in_common(partitions, said), "id"
    # By position, the first that has ids tells those of the others.
    with_ids = (i for i, p in enumerate(partitions) if p._ids is not None)
    base = next(with_ids, 0) if match_by == "position" else 0
    # The position in each, as given, of the objects of the first.
    orders: list[slice | NDArray[np.intp]] = [slice(None) for _ in partitions]
    for number in range(len(partitions)):
        if number == base:
            continue
        first, second = sorted((base, number))
        pair = partitions[first], partitions[second], said[first], said[second]
        _check_same_number(*pair)
        if match_by == "id":
            orders[number] = _order_by_id(*pair)
        else:
            _check_same_ids(*pair)
    if match_by == "position" and all(q._kept is None for q in partitions):
        return [*partitions]
    both = zip(partitions, orders, strict=True)
    where = [_positions_now(q)[order] for q, order in both]
    left = np.all([now >= 0 for now in where], axis=0)
    if not left.any():
        others = (part for each in said[1:] for part in (" and ", each))
        drop = " together drop all of them"
        raise InputError("no object is left: ", said[0], *others, drop)
    return [_taken(q, now[left]) for q, now in zip(partitions, where, strict=True)]


def _check_same_number(p: Partition, q: Partition, P: Argument, Q: Argument) -> None:
    if p._n_given == q._n_given:
        return
    n = count(p._n_given, "object")
    other = f" has {q._n_given}: they must describe the same objects"
    told: tuple[Piece, ...] = P, f" has {n} and ", Q, other
    numbered = isinstance(p._ids, range) and isinstance(q._ids, range)  # by pandas
    if p._ids is not None and q._ids is not None and not numbered:
        alone = _only_on_one_side(p._ids, q._ids, P, Q)
        remedy = _remedy(p._ids, q._ids, Message("; ", _COMMON))
        told += (*((" (", alone, ")") if alone else ()), remedy)
    raise InputError(*told)


def along(p: Partition, r: Partition, argument: str, match_by: MatchBy) -> Partition:
    """Put the objects of another partition in the order of those of P, aligned."""
    name = Argument(argument)
    if p.n_objects != r.n_objects or r._kept is not None:
        raise InputError(
            f"P and Q have {count(p.n_objects, 'object')} and ",
            name,
            f" has {r.n_objects}: they must describe the same objects; objects that ",
            Setting("noise", "drop"),
            " leaves out of one must be left out of all three",
        )
    by = "id" if match_by == "common" else match_by
    return all_aligned([p, r], ["P", name], by)[1]


def same_objects(partitions: Sequence[Partition]) -> bool:
    """Return whether all partitions have ids, and the same ones."""
    found = {frozenset(keys(p.ids)) if p.ids is not None else None for p in partitions}
    return len(found) == 1 and None not in found


def keys_of(partition: Partition) -> list[Hashable]:
    """Return what objects are looked up by; nothing without ids."""
    return [] if partition.ids is None else keys(partition.ids)


def _in_common(
    partitions: Sequence[Partition], names: Sequence[Argument]
) -> list[Partition]:
    """Keep the objects whose ids are in all partitions, with a remark on the others."""
    for partition, name in zip(partitions, names, strict=True):
        _unique(partition, name)
    # What either side dropped is in none: ids are those of the objects that are left.
    ids = [*map(keys_of, partitions)]
    shared = set.intersection(*({*each} for each in ids))
    if not shared:
        others = (part for each in names[1:] for part in (" and ", each))
        if len(names) <= _LISTED:
            raise InputError("no object is left: no id is in ", names[0], *others)
        none = f"no object is left: no id is in all {len(names)} partitions; "
        raise InputError(none, _IN_PAIRS, " each two on the objects that both have")
    found = []
    for partition, each in zip(partitions, ids, strict=True):
        if len(each) == len(shared):
            found.append(_taken(partition, np.arange(len(each))))
            continue
        taken = partition.take(np.array([i for i, k in enumerate(each) if k in shared]))
        left_out = count(len(each) - len(shared), "object")
        remark = f"{left_out} of {len(each)} left out: only ids in common are compared"
        found.append(taken._replace(remarks=(*taken._remarks, remark)))
    return found


def _taken(partition: Partition, positions: NDArray[np.intp]) -> Partition:
    """Take objects; all of them in order are the partition itself."""
    n = partition._n_given
    if partition._kept is None and np.array_equal(positions, np.arange(n)):
        return partition
    return partition.take(positions)


def _positions_now(partition: Partition) -> NDArray[np.intp]:
    """Return each object's present position by the given one, -1 where dropped."""
    if partition._kept is None:
        return np.arange(partition._n_given)
    now = np.full(partition._n_given, -1, dtype=np.intp)
    now[partition._kept] = np.arange(len(partition._kept))
    return now


def _check_same_ids(p: Partition, q: Partition, P: Argument, Q: Argument) -> None:
    if p._ids is None or q._ids is None or same_ids(p._ids, q._ids):
        return
    pairs = zip(keys(p._ids), keys(q._ids), strict=True)
    first = next(i for i, (a, b) in enumerate(pairs) if a != b)
    one, other = show(p._ids[first]), show(q._ids[first])
    differ = f" have different ids, first at position {first}: {one} in "
    remedy: Piece = Wordings(
        '; pass match_by="id" to match objects by id, or reset both indexes to match '
        "them by position",
        "; give every file an id column, and objects are matched by it",
    )
    remedy = _remedy(p._ids, q._ids, remedy)
    raise InputError(P, " and ", Q, differ, P, f" and {other} in ", Q, remedy)


def _order_by_id(
    p: Partition, q: Partition, P: Argument, Q: Argument
) -> NDArray[np.intp]:
    ids_p, ids_q = _unique(p, P), _unique(q, Q)
    if same_ids(ids_p, ids_q):
        return np.arange(len(ids_p))
    where = {key: position for position, key in enumerate(keys(ids_q))}
    order = np.array([where.get(key, -1) for key in keys(ids_p)], dtype=np.intp)
    if (order < 0).any():
        differ = " differ: ", _only_on_one_side(ids_p, ids_q, P, Q)
        both = Message("; both must describe the same objects; ", _COMMON)
        remedy = _remedy(ids_p, ids_q, both)
        raise InputError("the ids of ", P, " and ", Q, *differ, remedy)
    return order


def _unique(partition: Partition, name: Argument) -> Ids:
    """Return the ids of a partition, each of which must stand there once."""
    if partition._ids is None:
        needs = "matching by id needs a pandas index or ids= in both"
        wanted = Wordings(needs, "--common matches objects by id")
        raise InputError(wanted, ", but ", name, " has none")
    seen: set[Hashable] = set()
    listed = keys(partition._ids)
    for position, key in enumerate(() if are_distinct(listed) else listed):
        if key in seen:
            twice = f"{show(partition._ids[position])} occurs more than once"
            needs = f"matching by id needs unique ids, but {twice} in the index of "
            raise InputError(needs, name)
        seen.add(key)
    return partition._ids


def _remedy(ids_p: Ids, ids_q: Ids, remedy: Piece) -> Piece:
    """Return what helps if ids differ, which none in common makes another matter."""
    if {*keys(ids_p)} & {*keys(ids_q)}:
        return remedy
    return Message(_NO_ID, *([_BY_POSITION] if len(ids_p) == len(ids_q) else []))


def _only_on_one_side(ids_p: Ids, ids_q: Ids, P: Argument, Q: Argument) -> Piece:
    keys_p, keys_q = keys(ids_p), keys(ids_q)
    for ids, one, other, has, lacks in (
        (ids_p, keys_p, set(keys_q), P, Q),
        (ids_q, keys_q, set(keys_p), Q, P),
    ):
        alone = [i for i, key in enumerate(one) if key not in other]
        if alone:
            shown = ", ".join(show(ids[i]) for i in alone[:3])
            more = f" and {len(alone) - 3} more" if len(alone) > 3 else ""
            return Message(f"{shown}{more} of ", has, " not found in ", lacks)
    return ""
