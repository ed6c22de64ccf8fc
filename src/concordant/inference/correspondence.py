"""Which clusters of one partition are those of another: kept, split or merged."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Positions, Vector
from concordant.inference.object_means import Weights, shares
from concordant.partition.partition import Partition
from concordant.printing import shortened
from concordant.sums.contingency import soft_cross_table
from concordant.sums.matching import best_pairs

Fate = Literal["kept", "split", "merged", "rearranged", "dissolved", "new"]

# Two clusters belong together if they share so much of what they could at most, both
# less what they share by chance.
_TOGETHER = 0.5
_SHOWN = 3  # clusters that a sentence lists where there is no counterpart
_EMPTY = 1e-9  # objects
_ROUNDING = 1e-14  # of memberships
_DIGITS = 9  # of correlations that are no rounding
_TIE = 1e-10  # less than the last of these
_DEVIATIONS = 2.5  # beyond which a correlation is taken for no chance
_CLEAR = 0.8  # a correlation that is none however few objects there are


@dataclass(frozen=True)
class Change:
    """
    What became of some clusters of P.

    Parameters
    ----------
    fate : str
        ``"kept"``: one cluster of P is one of Q. ``"split"``: one is several of Q.
        ``"merged"``: several are one of Q. ``"rearranged"``: several are several.
        ``"dissolved"``: a cluster of P has no counterpart. ``"new"``: one of Q has
        none.
    clusters_p, clusters_q : tuple of str
        Their names, the largest part first.
    shares_p : tuple of float
        What part of each of `clusters_p` lies in `clusters_q` together.
    shares_q : tuple of float
        What part of each of `clusters_q` comes from `clusters_p` together.
    size : float
        Number of objects that the clusters of P hold, or that of Q if it is new.
    sentence : str
        The same in words.
    """

    fate: Fate
    clusters_p: tuple[str, ...]
    clusters_q: tuple[str, ...]
    shares_p: tuple[float, ...]
    shares_q: tuple[float, ...]
    size: float
    sentence: str


def crossing(P: Partition, Q: Partition) -> Vector:
    """Return `transfer` of all clusters, on which the percentages of changes stand."""
    table = np.zeros((P.n_clusters, Q.n_clusters))
    in_p, in_q = _occupied(P), _occupied(Q)
    P, Q = P._with_clusters(in_p), Q._with_clusters(in_q)
    table[np.ix_(in_p, in_q)] = transfer(P, Q, shared(P, Q)[0])
    return table


def _occupied(P: Partition) -> Positions:
    """Return the clusters that hold anything: others have no part in a matching."""
    return np.flatnonzero(Weights(P).sizes() > _EMPTY)


def transfer(P: Partition, Q: Partition, beyond_chance: Vector) -> Vector:
    """
    Return the number of objects that go from each cluster of P to each of Q.

    For a crisp partition that is the soft cross-table U'V. Of two fuzzy ones the
    cross-table of a partition with itself is not diagonal; so clusters are matched
    first, such that they share most beyond chance, an object stays in its cluster with
    as much membership as it has on both sides, and only the rest is shared out.
    """
    weights = Weights(P), Weights(Q)
    if "crisp" in (P.kind, Q.kind):
        return weights[0].cross(weights[1], np.ones(P.n_objects))
    matched = _matched(beyond_chance, _likeness(P, Q))
    return _moved(weights[0].columns, weights[1].columns, matched)


def _matched(values: Vector, likeness: Vector) -> tuple[Positions, Positions]:
    """
    Match rows and columns, each with one at most, so that the sum is largest.

    Of matches that are equal but for rounding, that of the most alike is taken.
    """
    scale = float(np.abs(values).max(initial=0.0)) or 1.0
    return best_pairs(values / scale + _TIE * likeness)


def _likeness(P: Partition, Q: Partition) -> Vector:
    """Return 2 uv / (uu + vv) of the memberships of clusters, 1 if these are equal."""
    u, v = P.columns(), Q.columns()
    both = np.add.outer(np.square(u).sum(axis=1), np.square(v).sum(axis=1))
    return np.nan_to_num(shares(2.0 * (u @ v.T), both))


def _moved(u: Vector, v: Vector, matched: tuple[Positions, Positions]) -> Vector:
    """Let memberships stay in matched clusters, and share out the rest."""
    rows, columns = matched
    stays = np.minimum(u[rows], v[columns])
    rest_u, rest_v = u.copy(), v.copy()
    rest_u[rows] -= stays
    rest_v[columns] -= stays
    moved = rest_v.sum(axis=0)
    rest_v = np.divide(rest_v, moved, out=np.zeros_like(rest_v), where=moved > 0.0)
    table = rest_u @ rest_v.T
    table[rows, columns] += stays.sum(axis=1)
    return np.asarray(table)


def changes_between(
    P: Partition, Q: Partition, called: tuple[str, str] = ("P", "Q")
) -> tuple[Change, ...]:
    """List what became of the clusters of P, the largest first, and what is new."""
    P, Q = (X._with_clusters(_occupied(X)) for X in (P, Q))
    beyond_chance, at_most = shared(P, Q)
    table = transfer(P, Q, beyond_chance)
    sizes_p, sizes_q = Weights(P).sizes(), Weights(Q).sizes()
    together = (beyond_chance >= _TOGETHER * at_most) & (at_most > 0.0)
    # If all clusters of a partition hold all objects alike, each holds every other.
    everything = _is_constant(P).all() or _is_constant(Q).all()
    together |= everything
    if P.kind == Q.kind == "fuzzy":
        likeness = _likeness(P, Q)
        if not everything:
            together &= _closest(P, Q, beyond_chance, likeness)
        _keep_equal(together, likeness)
    parts = shares(table, sizes_p[:, None]), shares(table.T, sizes_q[:, None])
    names = ([shortened(name) for name in X.clusters] for X in (P, Q))
    p, q = map(_NamedClusters, called, names, parts)
    found = []
    for in_p, in_q in _groups(together):
        part = table[np.ix_(in_p, in_q)]
        in_p = [in_p[i] for i in np.argsort(-part.sum(axis=1), kind="stable")]
        in_q = [in_q[i] for i in np.argsort(-part.sum(axis=0), kind="stable")]
        part = table[np.ix_(in_p, in_q)]
        fate, sentence = _told(in_p, in_q, p, q)
        found.append(
            Change(
                fate=fate,
                clusters_p=tuple(p.names[k] for k in in_p),
                clusters_q=tuple(q.names[k] for k in in_q),
                shares_p=tuple(shares(part.sum(axis=1), sizes_p[in_p]).tolist()),
                shares_q=tuple(shares(part.sum(axis=0), sizes_q[in_q]).tolist()),
                size=float(sizes_p[in_p].sum() if in_p else sizes_q[in_q].sum()),
                sentence=sentence,
            )
        )
    return tuple(sorted(found, key=lambda change: (change.fate == "new", -change.size)))


def shared(P: Partition, Q: Partition) -> tuple[Vector, Vector]:
    """
    Return what two clusters share beyond chance, and what they would if nested.

    The former is the sum over the objects of the products of memberships, less its mean
    over all orders of the objects: n times a covariance. Nested are two clusters if
    the objects that belong to the one first of all also belong to the other so, and
    these have the mean membership of such objects, the others that of the others: a
    spread of memberships around these means adds nothing. Clusters to which no object
    belongs first of all share most if both have their objects in the order of
    memberships.
    """
    hard_p, hard_q = _first_sizes(P), _first_sizes(Q)
    by_chance = np.outer(hard_p, hard_q) / P.n_objects
    nested = np.minimum.outer(hard_p, hard_q) - by_chance
    if P.kind == Q.kind == "crisp":
        return soft_cross_table(P, Q) - by_chance, nested
    if P.kind == "crisp":
        beyond_chance, in_order = (table.T for table in _with_labels(Q, P))
    elif Q.kind == "crisp":
        beyond_chance, in_order = _with_labels(P, Q)
    else:
        u, v = _centred(P), _centred(Q)
        beyond_chance = u @ v.T
        in_order = np.sort(u, axis=1) @ np.sort(v, axis=1).T
    at_most = nested * np.outer(_contrasts(P, hard_p), _contrasts(Q, hard_q))
    at_most = np.where(nested > 0.0, np.minimum(at_most, in_order), in_order)
    return beyond_chance, at_most


def _with_labels(P: Partition, labelled: Partition) -> tuple[Vector, Vector]:
    """Return what fuzzy clusters share with crisp ones, and what in order."""
    u, labels, L = _centred(P), labelled.labels, labelled.n_clusters
    sizes = np.bincount(labels, minlength=L)
    highest = np.cumsum(np.pad(-np.sort(-u, axis=1), ((0, 0), (1, 0))), axis=1)
    return np.stack([np.bincount(labels, row, L) for row in u]), highest[:, sizes]


def _first_sizes(P: Partition) -> Vector:
    """Count the objects that belong to each cluster first of all."""
    return np.bincount(_first(P), minlength=P.n_clusters).astype(np.float64)


def _first(P: Partition) -> NDArray[np.integer]:
    return P.labels if P.kind == "crisp" else P.columns().argmax(axis=0)


def _contrasts(P: Partition, sizes: Vector) -> Vector:
    """Return by how much memberships of such objects exceed those of the others."""
    if P.kind == "crisp":
        return np.ones(P.n_clusters)
    columns, n = P.columns(), P.n_objects
    within = np.bincount(_first(P), columns.max(axis=0), P.n_clusters)
    others = columns.sum(axis=1) - within
    return np.asarray(
        within / np.maximum(sizes, 1.0) - others / np.maximum(n - sizes, 1.0)
    )


def _keep_equal(together: NDArray[np.bool_], likeness: Vector) -> None:
    """Let clusters that are equal correspond to each other, and to no other."""
    for k, other in zip(*_matched(likeness, likeness), strict=True):
        if likeness[k, other] > 1.0 - _ROUNDING:
            together[k] = together[:, other] = False
            together[k, other] = True


def _closest(
    P: Partition, Q: Partition, beyond_chance: Vector, likeness: Vector
) -> NDArray[np.bool_]:
    """
    Return which clusters have none that is correlated more, on one side or the other.

    Two clusters of one fuzzy partition may be correlated, and are not the same for it.
    Nor are clusters of two of them whose correlation may be chance: over all orders of
    the objects its standard deviation is one over the root of n - 1.
    """
    deviations = [np.sqrt(np.square(_centred(X)).sum(axis=1)) for X in (P, Q)]
    correlation = shares(beyond_chance, np.outer(*deviations))
    correlation = np.nan_to_num(correlation, nan=-1.0)
    by_chance = min(_DEVIATIONS / np.sqrt(P.n_objects - 1.0), _CLEAR)
    is_clear = correlation >= by_chance
    correlation = np.round(correlation, _DIGITS)
    matched = _matched(correlation, likeness)
    correlation[matched] += _TIE  # of several that are equally close
    is_closest = correlation == correlation.max(axis=0, keepdims=True)
    is_closest |= correlation == correlation.max(axis=1, keepdims=True)
    return np.asarray(is_closest & is_clear)


def _centred(P: Partition) -> Vector:
    """Return memberships less their means: close ones do not cancel in products."""
    columns = P.columns()
    return np.asarray(columns - columns.mean(axis=1, keepdims=True))


def _is_constant(P: Partition) -> NDArray[np.bool_]:
    """Return which clusters have all objects to the same degree."""
    if P.kind == "crisp":
        sizes = np.bincount(P.labels, minlength=P.n_clusters)
        return np.asarray(sizes == P.n_objects)
    columns = P.columns()
    return np.asarray(np.ptp(columns, axis=1) <= _ROUNDING * columns.max(axis=1))


def _groups(together: NDArray[np.bool_]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield clusters of P and of Q that are linked, directly or through others."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n_p, n_all = len(together), sum(together.shape)
    # Older versions of SciPy want the numbers of clusters as 32-bit integers.
    k, other = (which.astype(np.int32) for which in np.nonzero(together))
    links = coo_array(
        (np.ones(k.size), (k, other + np.int32(n_p))), shape=(n_all, n_all)
    )
    _, groups = connected_components(links, directed=False)
    ends = np.cumsum(np.bincount(groups))[:-1]
    for members in np.split(np.argsort(groups, kind="stable"), ends):
        yield members[members < n_p].tolist(), (members[members >= n_p] - n_p).tolist()


class _NamedClusters(NamedTuple):
    """A partition: its clusters by name, and their parts in those of the other."""

    called: str
    names: list[str]
    parts: Vector


def _told(
    in_p: list[int], in_q: list[int], p: _NamedClusters, q: _NamedClusters
) -> tuple[Fate, str]:
    """Return what became of linked clusters, in a word and in a sentence."""
    P, Q = p.called, q.called
    ones, others = [p.names[k] for k in in_p], [q.names[k] for k in in_q]
    match in_p, in_q:
        case [k], [other]:
            return "kept", (
                f"Cluster {ones[0]} of {P} is kept as cluster {others[0]} of {Q}: they "
                f"have {_percent(p.parts[k, other])} of the former and "
                f"{_percent(q.parts[other, k])} of the latter in common."
            )
        case [k], []:
            where = _largest_parts(p.parts[k], q.names)
            return "dissolved", (
                f"Cluster {ones[0]} of {P} has no counterpart in {Q}: {where}."
            )
        case [], [other]:
            where = _largest_parts(q.parts[other], p.names)
            return "new", (
                f"Cluster {others[0]} of {Q} has no counterpart in {P}: {where}."
            )
        case [k], _:
            parts = _listed(_with_percent(others, p.parts[k, in_q]))
            return "split", (
                f"Cluster {ones[0]} of {P} is split into clusters {parts} of {Q}."
            )
        case _, [other]:
            parts = _listed(_with_percent(ones, p.parts[in_p, other]))
            return "merged", (
                f"Clusters {parts} of {P} are merged into cluster {others[0]} of {Q}."
            )
    return "rearranged", (
        f"Clusters {_listed(ones)} of {P} are rearranged into clusters "
        f"{_listed(others)} of {Q}."
    )


def _largest_parts(parts: Vector, names: Sequence[str]) -> str:
    first = [i for i in np.argsort(-parts, kind="stable")[:_SHOWN] if parts[i] > 0]
    told = [f"{_percent(parts[i])} in {names[i]}" for i in first]
    return _listed(told).replace("%", "% of it is", 1)


def _with_percent(names: Sequence[str], parts: Vector) -> list[str]:
    return [f"{name} ({_percent(x)})" for name, x in zip(names, parts, strict=True)]


def _percent(share: float) -> str:
    almost_all = 0.995 < share < 1.0 - _EMPTY
    return "over 99 %" if almost_all else f"{100.0 * share:.0f} %"


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
