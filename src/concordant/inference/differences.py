"""Where two partitions differ: the discordance of each object."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.catalogue.values import SIMILARITIES, Similarity
from concordant.compute import check_sums
from concordant.door import checked
from concordant.execution.run import generator
from concordant.inference.object_means import PARTNERS, Sides
from concordant.inference.profiles import Rows
from concordant.inference.sums_by_sorts import EXACT_UP_TO, is_linear, linear_sums
from concordant.pairs.sampling import UNSEEN
from concordant.pairs.side import Side
from concordant.partition.alignment import MatchBy, aligned
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short, shortened, size_of_error
from concordant.underflow import tiny_is_zero
from concordant.wording import check_choice, check_count, count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHOWN = 10  # objects that are printed


@dataclass(frozen=True, eq=False)
class ObjectDiscordance(Readable):
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
        Number of other objects that each one was compared with.
    ids : ndarray of shape (n,), optional
        What the objects are called, if the partitions say so.
    """

    values: Vector
    standard_errors: Vector
    n_partners: int
    ids: NDArray[Any] | None = None

    @property
    def is_exact(self) -> bool:
        """Whether each object was compared with all the others."""
        return self.n_partners >= len(self.values) - 1

    @checked
    def largest(self, count: int) -> NDArray[np.intp]:
        """
        Find the objects that are treated most differently.

        Parameters
        ----------
        count : int
            The largest number of objects to return.

        Returns
        -------
        ndarray of int
            Their positions, the most different first; in the order of the data where
            values are equal.
        """
        return np.argsort(-self.values, kind="stable")[:count]

    def plot(self, ax: "Axes | None" = None, **options: Any) -> "Axes":
        """
        Draw the objects that are treated most differently.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw.
        **options
            As in `concordant.plot.differing_objects`.

        Returns
        -------
        Axes
            With the picture.
        """
        from concordant.plot import differing_objects

        return differing_objects(self, ax=ax, **options)

    def __repr__(self) -> str:
        mean = f"mean {short(float(np.mean(self.values)))}" if self.values.size else "-"
        return f"ObjectDiscordance({count(len(self.values), 'object')}, {mean})"

    def _shown(self) -> Shown:
        n = len(self.values)
        mean = short(float(np.mean(self.values))) if n else "0.0000"
        ids = range(n) if self.ids is None else self.ids
        largest = self.largest(_SHOWN).tolist()
        header = ["object", "discordance"]
        rows = [[shortened(ids[i]), short(float(self.values[i]))] for i in largest]
        if not self.is_exact:
            header.append("standard error")
            for i, row in zip(largest, rows, strict=True):
                row.append(size_of_error(float(self.standard_errors[i])))
        title = f"Discordance of {count(n, 'object')}, mean {mean}; the largest:"
        return Shown(title, header=header, rows=rows)


@tiny_is_zero
def object_discordance(
    P: object,
    Q: object,
    *,
    n_partners: int | None = None,
    similarity: Similarity = "l1",
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
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
        Number of others that each object of two fuzzy partitions is compared with: all
        of them up to 10 000 objects, 2 000 beyond, drawn at random; n - 1 or more
        means all. If either partition is crisp there is no need to sample, unless rows
        of the other sum to more than 1.
    similarity : {"l1", "inner"}, default="l1"
        The similarity E of a pair; see `concordance`.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the sample.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids (a pandas index too), or only
        those whose ids are on both sides.

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
    compared with the same partners, so that they can be compared with each other. These
    are drawn without replacement; the standard errors account for their share of all
    objects, and for partners that are too rare to be seen.

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
    p, q = aligned(P, Q, match_by=match_by)
    check_partners(p, q, n_partners)
    check_choice("similarity", similarity, SIMILARITIES, optional=False)
    return discordance_of_objects(p, q, similarity, n_partners, rng)


def discordance_of_objects(
    p: Partition,
    q: Partition,
    similarity: str,
    n_partners: int | None,
    rng: np.random.Generator,
) -> ObjectDiscordance:
    """Return the discordance of the objects of aligned partitions, with their ids."""
    n, ids = p.n_objects, q.ids if p.ids is None else p.ids
    if n_partners is None:
        n_partners = n - 1 if n <= EXACT_UP_TO else PARTNERS
    sides = Side(p, similarity), Side(q, similarity)
    if n < 2:
        sums = np.zeros(n)
    elif is_linear(p, q, similarity):
        sums = linear_sums(p, q, similarity).discordance
    elif n_partners >= n - 1:
        sums, _ = _over_partners(sides, np.arange(n))
    else:
        values, errors = _sampled(sides, n_partners, rng)
        return ObjectDiscordance(values, errors, n_partners, ids)
    n_others = max(n - 1, 0)
    return ObjectDiscordance(sums / max(n_others, 1), np.zeros(n), n_others, ids)


def check_partners(P: Partition, Q: Partition, n_partners: int | None) -> None:
    """Refuse possibilistic partitions, and a number of partners that is none."""
    check_sums("the discordance of objects", P=P, Q=Q)
    if n_partners is not None:
        check_count("n_partners", n_partners, at_least=3)


def _over_partners(sides: Sides, partners: NDArray[np.intp]) -> tuple[Vector, Vector]:
    """Sum |E_P - E_Q| and its square over partners, for every object."""
    p, q = (Rows(side, partners) for side in sides)
    sums, squares = np.empty((2, p.n))
    for i0, i1 in p.tasks():
        differences = np.abs(p.values(i0, i1) - q.values(i0, i1))
        sums[i0:i1] = differences.sum(axis=1)
        squares[i0:i1] = np.square(differences, out=differences).sum(axis=1)
    return sums, squares


def _sampled(
    sides: Sides, n_partners: int, rng: np.random.Generator
) -> tuple[Vector, Vector]:
    """Estimate the discordance of objects by random partners, with standard errors."""
    n = sides[0].partition.n_objects
    partners = np.sort(rng.choice(n, n_partners, replace=False))
    sums, squares = _over_partners(sides, partners)
    seen = np.full(n, n_partners)
    seen[partners] -= 1  # an object is no partner of its own
    variances = np.maximum(squares - sums**2 / seen, 0.0) / (seen - 1)
    # What was not seen: as if three partners more had been, that differ by 1.
    variances += UNSEEN / seen
    return sums / seen, np.sqrt(variances * (1.0 - seen / (n - 1)) / seen)
