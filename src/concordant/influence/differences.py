"""Where two partitions differ: the discordance of each object."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Data, InputError
from concordant.execution.randomness import generator
from concordant.pairs.sampling import UNSEEN
from concordant.pairs.strata import Remoteness, n_rare
from concordant.partition.alignment import Align, aligned
from concordant.partition.equivalence import dissimilarity
from concordant.partition.memberships import TOLERANCE
from concordant.partition.partition import Partition
from concordant.shortcuts.fuzzy_crisp import largest_excess
from concordant.printing import (
    html_lines,
    html_table,
    short,
    size_of_error,
    table_lines,
)
from concordant.wording import check_count

Vector = NDArray[np.float64]

#: Up to so many objects all pairs of two fuzzy partitions are visited by default.
EXACT_UP_TO = 10_000
#: With how many others each object is compared beyond that.
PARTNERS = 2_000

_RARE_SHARE = 8  # one in so many partners at most is met by all objects
_BLOCK = 1 << 14  # pairs that are held at once: they stay in the second cache


@dataclass(frozen=True, eq=False)
class ObjectDiscordance:
    """
    How differently two partitions treat each object.

    Parameters
    ----------
    values : ndarray of shape (n,)
        d_i, the mean over the other objects j of ``|E_P(i, j) - E_Q(i, j)|``, from 0
        to 1 (or as little beyond as rows of a rounded table sum to more than 1).
    standard_errors : ndarray of shape (n,)
        Of the values, where the others were sampled; 0 where all were seen.
    n_partners : int
        How many other objects each one was compared with.
    """

    values: Vector
    standard_errors: Vector
    n_partners: int

    @property
    def is_exact(self) -> bool:
        """Whether each object was compared with all the others."""
        return self.n_partners >= len(self.values) - 1

    def largest(self, count: int) -> NDArray[np.intp]:
        """
        Find the objects that are treated most differently.

        Parameters
        ----------
        count : int
            How many to give, at most.

        Returns
        -------
        ndarray of int
            Their positions, the most different first; in the order of the data where
            values are equal.
        """
        return np.argsort(-self.values, kind="stable")[:count]

    def __repr__(self) -> str:
        mean = f"mean {short(float(np.mean(self.values)))}" if self.values.size else "-"
        return f"ObjectDiscordance({len(self.values)} objects, {mean})"

    def __str__(self) -> str:
        return "\n".join((self._title(), *table_lines(_HEADER, self._rows())))

    def _repr_html_(self) -> str:
        return html_lines(self._title(), ()) + html_table(_HEADER, self._rows())

    def _title(self) -> str:
        n = len(self.values)
        mean = short(float(np.mean(self.values))) if n else "0.0000"
        return f"Discordance of {n} objects, mean {mean}; the largest:"

    def _rows(self) -> list[tuple[str, str, str]]:
        return [
            (
                str(i),
                short(float(self.values[i])),
                size_of_error(float(self.standard_errors[i])),
            )
            for i in self.largest(_SHOWN).tolist()
        ]


_HEADER = ("object", "discordance", "standard error")
_SHOWN = 10  # objects that are printed


def object_discordance(
    P: object,
    Q: object,
    *,
    n_partners: int | None = None,
    random_state: int | np.random.Generator | None = None,
    align: Align = "position",
) -> ObjectDiscordance:
    """
    Measure how differently two partitions treat each object.

    d_i is the mean over j != i of ``|E_P(i, j) - E_Q(i, j)|``, and the mean of d_i
    over all objects is 1 - NDC.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    n_partners : int, optional
        With how many others each object of two fuzzy partitions is compared: all of
        them up to 10 000 objects, 2 000 beyond, most of them random; n - 1 or more
        means all. If either partition is crisp there is no need to sample, unless rows
        of the other sum to more than 1.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the sample.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids (a pandas index too).

    Returns
    -------
    ObjectDiscordance
        The values, from 0 (every other object is as close in P as in Q) to 1, with
        their standard errors.

    Raises
    ------
    ValueError
        If a partition is possibilistic: E is defined for rows that sum to 1.

    Notes
    -----
    Two crisp partitions take O(n) time, a fuzzy and a crisp one O(n K log n), two fuzzy
    ones O(n s (K + L)) with s partners; memory is O(n K) always. All objects are
    compared with the same partners, so that they can be compared with each other. Up to
    64 of these, and one in eight, are the rarest objects: furthest from the bulk in P
    or in Q, or treated most differently. The others are drawn without replacement; the
    standard errors account for their share of all objects, and for partners that are
    too rare to be seen.

    Rows that sum to more than 1 can make E negative. Of more than 10 000 objects and a
    crisp partition, that is neglected for rows within 1e-5 of 1, which is an error of
    2e-5 at most.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> Q = [[0.9, 0.1], [0.1, 0.9], [0.2, 0.8], [0.3, 0.7]]
    >>> found = cc.object_discordance(P, Q)
    >>> found.values.round(3).tolist()
    [0.233, 0.5, 0.167, 0.1]
    >>> found.largest(1).tolist()
    [1]
    """
    rng = generator(random_state)
    p, q = aligned(P, Q, align=align)
    check_partners(p, q, n_partners)
    n = p.n_objects
    if n < 2:
        return _exactly(np.zeros(n))
    if is_linear(p, q):
        return _exactly(linear_discordance(p, q))
    if n_partners is None:
        n_partners = n - 1 if n <= EXACT_UP_TO else PARTNERS
    if n_partners >= n - 1:
        return _exactly(_over_partners(p, q, np.arange(n))[0] / (n - 1))
    return _sampled(p, q, n_partners, rng)


def check_partners(P: Partition, Q: Partition, n_partners: int | None) -> None:
    """Refuse possibilistic partitions, and a number of partners that is none."""
    for name, partition in (("P", P), ("Q", Q)):
        if partition.kind == "possibilistic":
            raise InputError(
                "the discordance of objects is not defined for possibilistic "
                "partitions, and ",
                Data(name),
                " is one",
            )
    if n_partners is not None:
        check_count("n_partners", n_partners, at_least=3)


def _exactly(values: Vector) -> ObjectDiscordance:
    return ObjectDiscordance(values, np.zeros(len(values)), max(len(values) - 1, 0))


def _crisp_crisp(P: Partition, Q: Partition) -> Vector:
    """Count the objects that share a cluster with i on one side only."""
    both = P.labels.astype(np.int64) * Q.n_clusters + Q.labels
    _, cells, in_cell = np.unique(both, return_inverse=True, return_counts=True)
    in_p = np.bincount(P.labels, minlength=P.n_clusters)[P.labels]
    in_q = np.bincount(Q.labels, minlength=Q.n_clusters)[Q.labels]
    return np.asarray((in_p + in_q - 2 * in_cell[cells]) / (P.n_objects - 1))


def linear_discordance(P: Partition, Q: Partition) -> Vector:
    """
    Return d_i of two partitions of which one is crisp, by counts and sorts.

    1 - E_P is added up over the objects of i's class, E_P over the others: where rows
    sum to more than 1, it is neglected that E_P may be negative.
    """
    if P.kind == Q.kind:
        return _crisp_crisp(P, Q)
    if Q.kind != "crisp":
        P, Q = Q, P
    columns, n = P.columns(), P.n_objects
    to_all = sums_of_distances(columns)
    in_class = np.bincount(Q.labels, minlength=Q.n_clusters)
    within = np.zeros(n)
    order = np.argsort(Q.labels, kind="stable")
    starts = np.cumsum(in_class) - in_class
    for size in np.unique(in_class[in_class > 1]).tolist():
        members = order[starts[in_class == size][:, None] + np.arange(size)]
        within[members] = sums_of_distances(columns[:, members])
    others = n - in_class[Q.labels]
    sums = within + (others - (to_all - within))
    return np.asarray(np.maximum(sums, 0.0) / (n - 1))


def is_linear(P: Partition, Q: Partition) -> bool:
    """Return whether one is crisp, and E of the other negative at most negligibly."""
    if "crisp" not in (P.kind, Q.kind):
        return False
    negligible = 0.0 if P.n_objects <= EXACT_UP_TO else TOLERANCE
    return all(
        X.kind == "crisp" or largest_excess(X.columns()) <= negligible for X in (P, Q)
    )


def sums_of_distances(columns: Vector) -> Vector:
    """
    Return the sum over j of |u_i - u_j| / 2 for every i, by sorting each column.

    Columns have the shape (K, n), or (K, C, n) for C sets of n objects each.
    """
    n = columns.shape[-1]
    ranks = np.arange(n)
    sums, more = np.zeros(columns.shape[1:]), np.empty(columns.shape[1:])
    for column in columns:
        order = np.argsort(column, axis=-1, kind="stable")
        # From the least on: close memberships do not cancel.
        ordered = np.take_along_axis(column, order, -1)
        ordered -= ordered[..., :1].copy()
        before = np.cumsum(ordered, axis=-1) - ordered
        after = before[..., -1:] + ordered[..., -1:] - before
        parts = (2 * ranks - n) * ordered + (after - before)
        np.put_along_axis(more, order, parts, -1)
        sums += more
    return 0.5 * sums


def _over_partners(
    P: Partition, Q: Partition, partners: NDArray[np.intp]
) -> tuple[Vector, Vector]:
    """Sum |E_P - E_Q| and its square over partners, for every object."""
    n = P.n_objects
    sums, squares = np.empty(n), np.empty(n)
    height = max(1, _BLOCK // partners.size)
    for start in range(0, n, height):
        stop = min(start + height, n)
        i, j = np.arange(start, stop)[:, None], partners[None, :]
        differences = np.abs(dissimilarity(P, i, j) - dissimilarity(Q, i, j))
        sums[start:stop] = differences.sum(axis=1)
        squares[start:stop] = np.square(differences, out=differences).sum(axis=1)
    return sums, squares


def _sampled(
    P: Partition, Q: Partition, n_partners: int, rng: np.random.Generator
) -> ObjectDiscordance:
    n = P.n_objects
    remoteness = Remoteness.of(P.columns(), Q.columns())
    rare = remoteness.rarest(min(n_rare(n), n_partners // _RARE_SHARE))
    others = np.delete(np.arange(n), rare)
    partners = np.sort(rng.choice(others, n_partners - rare.size, replace=False))
    known = _over_partners(P, Q, rare)[0] if rare.size else np.zeros(n)
    sums, squares = _over_partners(P, Q, partners)
    seen, all_others = np.full(n, partners.size), np.full(n, others.size)
    seen[partners] -= 1  # an object is no partner of its own
    all_others[others] -= 1
    variances = np.maximum(squares - sums**2 / seen, 0.0) / (seen - 1)
    # What was not seen: as if three partners more had been, that differ most.
    largest = np.minimum(0.5 * remoteness.differences(others), 1.0)
    variances += UNSEEN * largest**2 / seen
    weights = all_others / (n - 1)
    errors = weights * np.sqrt(variances * (1.0 - seen / all_others) / seen)
    values = known / (n - 1) + weights * (sums / seen)
    return ObjectDiscordance(values, errors, n_partners)
