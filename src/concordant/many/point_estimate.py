"""One crisp partition for many draws, and how far around it these lie."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.arrays import Counts, Matrix, Positions, Vector, as_positions
from concordant.errors import Argument, InputError, InputMemoryError, Setting, Wordings
from concordant.execution.single_thread import single_blas_thread
from concordant.many.averaging import known_objects
from concordant.many.distinct_draws import Draws, Loss, Losses
from concordant.many.given import ending, spoken
from concordant.many.search import least_loss
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short
from concordant.storage.memory import excess
from concordant.wording import count, is_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SAME = 1e-12  # distances that differ by less are equal but for rounding
_UNITS = {"binder": "Binder", "vi": "VI in bits", "aci": "1 - ACI"}


@dataclass(frozen=True, eq=False, repr=False)
class CredibleBall(Readable):
    """
    The draws that are nearest to a point estimate.

    Parameters
    ----------
    level : float
        The share of the draws that it holds at least.
    radius : float
        Their largest distance: the least that is enough.
    fewest, most, farthest : Partition
        Its bounds, which are draws within it: of those with fewest clusters the
        farthest, of those with most clusters the farthest, and the farthest of all.
    positions : tuple of three int
        Which draws these are; of the same ones the first.
    """

    level: float
    radius: float
    fewest: Partition
    most: Partition
    farthest: Partition
    positions: tuple[int, int, int]
    _rows: Sequence[Sequence[str]] = field(repr=False)

    def _title(self) -> str:
        return f"level {self.level:g}, radius {short(self.radius)}"

    def _shown(self) -> Shown:
        header = ("bound", "draw", "clusters", "distance")
        return Shown(self._title(), (), header, self._rows, n_texts=2)


@dataclass(frozen=True, eq=False, repr=False)
class PointEstimate(Readable):
    """
    The crisp partition whose expected loss over many draws is least.

    Parameters
    ----------
    partition : Partition
        The estimate; its clusters are numbered in the order of their first objects.
    loss : {"binder", "vi", "aci"}
        What is lost if a draw is true.
    expected_loss : float
        The weighted mean of the distances.
    distances : ndarray of B float
        The loss by each draw.
    weights : ndarray of B float
        What each draw counts.
    names : tuple of B str
        What the draws are called.
    """

    partition: Partition
    loss: Loss
    expected_loss: float
    distances: Vector
    weights: Vector
    names: tuple[str, ...]
    _members: tuple[Partition, ...] = field(repr=False)
    _draws: Draws = field(repr=False)

    @property
    def n_distinct(self) -> int:
        """The number of different draws."""
        return len(self._draws)

    @property
    def n_clusters(self) -> Counts:
        """The number of clusters that have members, of each draw."""
        return self._draws.n_clusters()[self._draws.which]

    def similarity(self, i: int, j: int) -> float:
        """
        Return the share of draws in which two objects are together.

        Parameters
        ----------
        i, j : int
            Their positions.

        Returns
        -------
        float
            For soft draws the mean inner product of their memberships.
        """
        at = as_positions("i, j", [i, j], self._draws.n_objects)
        return float(self.similarities_of(at)[0, 1])

    def similarity_matrix(self) -> Matrix:
        """
        Return the similarity of every two objects.

        Returns
        -------
        ndarray of shape (n, n)
            Computed anew at each call, in O(n² B).
        """
        n = self._draws.n_objects
        too_much = excess(16 * n * n)
        if too_much:
            raise InputMemoryError(
                f"the similarities of {n} objects {too_much}; .similarity(i, j) is "
                "that of two"
            )
        return self.similarities_of(np.arange(n))

    def similarities_of(self, positions: Positions) -> Matrix:
        """
        Return the similarity of every two of some objects.

        Parameters
        ----------
        positions : ndarray of m int
            Where they stand.

        Returns
        -------
        ndarray of shape (m, m)
            In this order.
        """
        at = as_positions("positions", positions, self._draws.n_objects)
        return replace(self._draws, rows=self._draws.rows[at]).together()

    def ball(self, level: float = 0.95) -> CredibleBall:
        """
        Return the draws that are nearest, as many as a level asks for.

        Parameters
        ----------
        level : float, default=0.95
            Their share of all draws, by weight.

        Returns
        -------
        CredibleBall
            With its radius, the ``ceil(level * B)``-th smallest distance, and bounds.
        """
        if not is_number(level) or not 0.0 < level <= 1.0:
            what = f" must be a number above 0 and at most 1, found {level!r}"
            raise InputError(Argument("level"), what)
        away, w = self.distances, self.weights
        order = np.argsort(away, kind="stable")
        # In integers: added up as floats, 8 weights of 0.1 are less than .8 of 10.
        parts, powers = np.frexp(w[order])
        sizes = np.ldexp(parts, 53).tolist(), (powers - powers.min()).tolist()
        held = [*accumulate(int(m) << power for m, power in zip(*sizes, strict=True))]
        place = bisect_left(held, Fraction(repr(float(level))) * held[-1])
        radius = float(away[order[place]])
        within = np.flatnonzero((away <= radius + _SAME) & (w > 0.0))
        K = self.n_clusters[within]
        chosen = {
            "fewest clusters": within[K.min() == K],
            "most clusters": within[K.max() == K],
            "farthest": within,
        }
        at, rows = [], []
        for what, some in chosen.items():
            b = int(some[(away[some] >= away[some].max() - _SAME).argmax()])
            name, K_b = ending(self.names[b]), f"{self.n_clusters[b]}"
            at.append(b)
            rows.append([what, name, K_b, short(away[b])])
        fewest, most, farthest = (self._members[b] for b in at)
        positions = at[0], at[1], at[2]
        return CredibleBall(
            float(level), radius, fewest, most, farthest, positions, rows
        )

    def plot(self, ax: "Sequence[Axes] | None" = None, **options: Any) -> "Figure":
        """
        Draw the similarities, the numbers of clusters, and the bounds of the ball.

        Parameters
        ----------
        ax : sequence of three matplotlib.axes.Axes, optional
            Where to draw. By default those of a new figure.
        **options
            ``level`` and ``max_objects``, of `concordant.plot.posterior`.

        Returns
        -------
        matplotlib.figure.Figure
            See `concordant.plot.posterior`.
        """
        from concordant.plot.posterior_draws import posterior

        return posterior(self, ax=ax, **options)

    def _title(self) -> str:
        clusters = count(self.partition.n_clusters, "cluster")
        lost = f"expected loss {self.expected_loss:.4f} ({_UNITS[self.loss]})"
        draws, n_distinct = count(len(self.names), "draw"), self.n_distinct
        objects = count(self.partition.n_objects, "object")
        different = f", {n_distinct} different" * (n_distinct < len(self.names))
        return f"{draws} of {objects}{different}: {clusters}, {lost}"

    def _shown(self) -> Shown:
        sizes = np.bincount(self.partition.labels)
        rows = [[f"{k}", f"{size}"] for k, size in enumerate(sizes)]
        ball = f"credible ball: {self.ball()._title()}"
        return Shown(self._title(), [ball], ("cluster", "size"), rows, n_texts=0)


@single_blas_thread()
def estimated(
    members: Sequence[Partition],
    names: Sequence[str],
    loss: Loss,
    weights: Vector,
    most: int | None,
    rng: np.random.Generator,
) -> PointEstimate:
    """Find the crisp partition with the least expected loss over draws."""
    for member, name in zip(members, names, strict=True):
        if loss == "vi" and member.kind != "crisp":
            raise InputError(
                Setting("loss", loss),
                f" needs crisp draws, and {spoken(name)} is {member.kind}; use ",
                Setting("loss", "binder", "aci"),
                Wordings(", or .harden() the draws", ""),
            )
    draws = Draws.of(members, weights)
    losses = Losses(draws, loss)
    labels = least_loss(draws, loss, most, rng)
    of_each = losses.of(losses.state(labels))
    found = Partition(labels, **known_objects(members))
    return PointEstimate(
        found,
        loss,
        float(losses.shares @ of_each),
        of_each[draws.which],
        weights,
        tuple(names),
        tuple(members),
        draws,
    )
