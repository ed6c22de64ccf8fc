"""Terms that are sums over objects, filled at once or chunk by chunk."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import SUMS, loaded, sum_behind
from concordant.execution.engine import Engine
from concordant.partition.partition import Partition

#: Where the clusters of P and of Q stand in a longer stream; None: where they are.
Numbers = NDArray[np.intp] | None

Arrays = Mapping[str, NDArray[Any]]


class Summary(Protocol):
    """What is kept of the objects that were seen, in any order."""

    @property
    def n_objects(self) -> int:
        """The number of objects that were seen."""

    def add(self, P: Partition, Q: Partition) -> None:
        """Add objects, the crisp among the partitions numbered as before."""

    def merge(self, other: Self) -> None:
        """Add what another one holds, which is not changed."""

    def renumbered(self, p: Numbers, q: Numbers, K: int, L: int) -> Self:
        """Return the same among K and L clusters; itself if nothing changes."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all it holds, the same for the same objects."""

    def restore(self, arrays: Arrays) -> None:
        """Take what `arrays` returned; refuse what it cannot have: ValueError."""


class ObjectSum(Summary, Protocol):
    """A term of chunks of objects: what `SumRecord.chunks` makes of K and L."""

    def value(self) -> Any:
        """Return what `SumRecord.whole` returns for all objects at once."""


def object_terms(
    P: Partition, Q: Partition, names: Iterable[str], engine: Engine
) -> dict[str, Any]:
    """Return those of some terms that are sums over objects, with what they need."""
    return terms_of_sums(
        names,
        (P.kind, Q.kind),
        lambda name: loaded(SUMS[name].whole)(P, Q, engine),
    )


def terms_of_sums(
    names: Iterable[str], kinds: tuple[str, str], value_of: Callable[[str], Any]
) -> dict[str, Any]:
    """Return the same from the values of sums, each of which is taken once."""
    behind = {name: sum_behind(name, *kinds) for name in names}
    needed = dict.fromkeys(name for name in behind.values() if name is not None)
    terms = {name: value_of(name) for name in needed}
    views = [name for name in behind if behind[name] and SUMS[name].view]
    return terms | {name: loaded(SUMS[name].view)(terms) for name in views}
