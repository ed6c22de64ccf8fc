"""Which permutations of the objects are as likely as the order that was found."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Argument, InputError, Keyword

Positions = NDArray[np.intp]

_UNCOUNTED = 50.0  # the logarithm of a number of permutations that nobody visits


@dataclass(frozen=True, eq=False)
class Exchange:
    """
    Units of objects, in strata within which units may change their places.

    `order` lists the objects by stratum and unit: each unit has `size` objects, which
    stay together and in this order; stratum s has the units from starts[s] up to
    starts[s + 1]. Without strata and groups, all objects are units of one stratum;
    `by` says by which of both permutations are restricted, if they are.
    """

    order: Positions
    starts: Positions
    size: int = 1
    by: str = ""

    @classmethod
    def of(
        cls, n: int, strata: Positions | None, groups: Positions | None
    ) -> "Exchange":
        """Exchange all n objects, those within strata, or whole groups."""
        if strata is not None and groups is not None:
            raise InputError(
                Argument("strata"),
                " and ",
                Argument("groups"),
                " are two ways to restrict permutations; leave out one of them",
            )
        if strata is not None:
            starts = np.concatenate(([0], np.cumsum(np.bincount(strata))))
            if n > 1 and len(starts) > n:
                raise InputError(
                    Argument("strata"),
                    f" have one object each, {n} of {n}, so that nothing can be "
                    "permuted within them; join strata that are alike",
                )
            return cls(np.argsort(strata, kind="stable"), starts, 1, "strata")
        if groups is None:
            return cls(np.arange(n), np.array([0, n]))
        sizes = np.bincount(groups)
        if n > 1 and len(sizes) == 1:
            raise InputError(
                Argument("groups"),
                f" put all {n} objects into one, which can change places with no "
                "other; give at least two groups, better five or more",
            )
        if sizes.min() < sizes.max():
            raise InputError(
                Argument("groups"),
                " change their places as a whole, which takes groups of equal size, "
                f"and they have {sizes.min()} to {sizes.max()} objects; ",
                Keyword("strata"),
                " permutes the objects within them",
            )
        order = np.argsort(groups, kind="stable")
        return cls(order, np.array([0, len(sizes)]), int(sizes[0]), "groups")

    @property
    def n_units(self) -> int:
        """The number of units."""
        return int(self.starts[-1])

    @property
    def n_orders(self) -> float:
        """The number of permutations; infinite if that is beyond counting."""
        sizes = np.diff(self.starts).tolist()
        if sum(math.lgamma(size + 1.0) for size in sizes) > _UNCOUNTED:
            return math.inf
        return math.prod(map(math.factorial, sizes))

    def random(self, rng: np.random.Generator, count: int) -> Positions:
        """Return random permutations of the objects, one in each row."""
        units = np.tile(np.arange(self.n_units), (count, 1))
        for start, stop in itertools.pairwise(self.starts.tolist()):
            units[:, start:stop] = rng.permuted(units[:, start:stop], axis=1)
        return self._of_objects(units)

    def all(self, at_once: int) -> Iterator[Positions]:
        """Yield all permutations of the objects, so many at once, first what is."""
        strata = itertools.pairwise(self.starts.tolist())
        of_strata = [itertools.permutations(range(*stratum)) for stratum in strata]
        found = map(itertools.chain.from_iterable, itertools.product(*of_strata))
        while some := [[*units] for units in itertools.islice(found, at_once)]:
            yield self._of_objects(np.array(some))

    def some(self, rng: np.random.Generator, n_objects: int) -> "Exchange":
        """Return about so many of the objects, whole units drawn at random."""
        units = rng.permutation(self.n_units)[: max(3, n_objects // self.size)]
        strata = np.searchsorted(self.starts, units, side="right")
        units = units[np.argsort(strata, kind="stable")]
        starts = np.concatenate(([0], np.cumsum(np.bincount(strata)[1:])))
        order = self.order.reshape(-1, self.size)[units].ravel()
        return Exchange(order, starts, self.size, self.by)

    def _of_objects(self, units: Positions) -> Positions:
        places = units[:, :, None] * self.size + np.arange(self.size)
        orders = np.empty((len(units), self.order.size), np.intp)
        orders[:, self.order] = self.order[places.reshape(len(units), -1)]
        return orders
