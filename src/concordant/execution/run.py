"""How the work is done: where, how exactly, kept in which file, watched by whom."""

from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Argument, InputError, InputTypeError, Message
from concordant.execution.engine import Engine, Threads
from concordant.execution.progress import Progress

_EXPECTED = Message(
    Argument("random_state"),
    " must be a whole number from 0 on, a numpy.random.Generator or None",
)


@dataclass(frozen=True)
class Run:
    """
    How the work is done, made once at the door from the caller's keywords.

    `method`, `tol`, `similarity` and `null` are those of `concordance`. `groups` are
    the numbers of the groups that a jackknife leaves out, if these are not objects. Who
    compares many partitions gives a dictionary as `store`, which keeps the distribution
    of each for its comparisons with others as long as the partitions live.
    """

    engine: Engine = field(default_factory=lambda: Threads(1))
    method: str = "auto"
    tol: float | None = None
    random_state: object = None
    similarity: str = "l1"
    null: str = "permutations"
    groups: NDArray[np.intp] | None = field(default=None, compare=False, repr=False)
    n_permutations: int = 1000
    memory_budget: int | None = None
    checkpoint: str | PathLike[str] | None = None
    progress: Progress | None = None
    store: dict[Any, Any] | None = field(default=None, compare=False, repr=False)

    def generator(self) -> np.random.Generator:
        """Return the generator that `random_state` stands for, anew."""
        return generator(self.random_state)

    @property
    def samples(self) -> bool:
        """Whether sums over pairs are estimated from some of them."""
        return self.tol is not None or self.method == "sampled"

    def known(self, partition: object, name: str) -> Any:
        """Return what the store keeps of a partition by a name, or None."""
        if self.store is None:
            return None
        return self.store.get((id(partition), name), (None, None))[1]

    def keep(self, partition: object, name: str, found: Any) -> None:
        """Put something of a partition into the store, if there is one."""
        if self.store is not None:  # with the partition, so that its id stays its own
            self.store[id(partition), name] = partition, found


def generator(random_state: object) -> np.random.Generator:
    """Return the generator of random numbers that a user's value stands for."""
    try:
        if isinstance(random_state, bool | np.bool_):
            raise TypeError("a truth value is no number")
        return np.random.default_rng(random_state)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        refused = InputTypeError if isinstance(error, TypeError) else InputError
        raise refused(_EXPECTED, f", found {random_state!r}") from error
