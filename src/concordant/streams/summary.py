"""Sums over objects from which indices follow, and which add up."""

from collections.abc import Mapping
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.result import Concordance
from concordant.partition.partition import Partition

#: Where the clusters of P and of Q stand in a longer stream; None: where they are.
Numbers = NDArray[np.intp] | None

Arrays = Mapping[str, NDArray[Any]]


class Summary(Protocol):
    """What is kept of the objects that were seen."""

    def add(self, P: Partition, Q: Partition) -> None:
        """Add objects, the crisp among the partitions numbered as before."""

    def renumber(self, p: Numbers, q: Numbers, K: int, L: int) -> None:
        """Make room for K and L clusters."""

    def merge(self, other: Self) -> None:
        """Add what another one holds, which is not changed."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all it holds, the same for the same objects."""

    def restore(self, arrays: Arrays) -> None:
        """Take what `arrays` gave; refuse what it cannot have given: ValueError."""


class Agreement(Summary, Protocol):
    """What NDC and ACI follow from."""

    @property
    def n_objects(self) -> int:
        """The number of objects seen so far."""

    def concordance(self) -> Concordance:
        """Give the concordance of two objects or more."""
