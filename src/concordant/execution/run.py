"""Execution settings of one computation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Argument, InputError, InputTypeError, Message
from concordant.execution.engine import Engine, Threads
from concordant.execution.progress import Telling
from concordant.wording import shown

_EXPECTED = Message(
    Argument("random_state"),
    " must be a whole number from 0 on, a numpy.random.Generator or None",
)
_SOURCES = (
    np.random.Generator
    | np.random.BitGenerator
    | np.random.SeedSequence
    | np.random.RandomState
)


@dataclass(frozen=True)
class Run:
    """
    How the work is done, made once at the door from the caller's keywords.

    `method`, `tol`, `similarity` and `null` are those of `concordance`. `groups` are
    the numbers of the groups that a jackknife leaves out, if these are not objects. Who
    compares many partitions gives a dictionary as `store`, which keeps the distribution
    of each for its comparisons with others as long as the partitions live. `options`
    are those of an index that settle its terms.
    """

    engine: Engine = field(default_factory=lambda: Threads(1))
    method: str = "auto"
    tol: float | None = None
    random_state: object = None
    similarity: str = "l1"
    null: str = "permutations"
    groups: NDArray[np.intp] | None = field(default=None, compare=False, repr=False)
    n_permutations: int = 1000
    checkpoint: str | PathLike[str] | None = None
    progress: Telling = None
    options: Mapping[str, Any] = field(default_factory=dict)
    store: dict[Any, Any] | None = field(default=None, compare=False, repr=False)

    def generator(self) -> np.random.Generator:
        """Return the generator that `random_state` stands for, anew."""
        return generator(self.random_state)

    @property
    def samples(self) -> bool:
        """Whether sums over pairs are estimated from some of them."""
        return self.tol is not None or self.method == "sampled"

    def known(self, partition: object, name: object) -> Any:
        """Return what the store keeps of a partition by a name, or None."""
        if self.store is None:
            return None
        return self.store.get((id(partition), name), (None, None))[1]

    def keep(self, partition: object, name: object, found: Any) -> None:
        """Put something of a partition into the store, if there is one."""
        if self.store is not None:  # with the partition, so that its id stays its own
            self.store[id(partition), name] = partition, found


def generator(random_state: object) -> np.random.Generator:
    """Return the generator of random numbers that a user's value stands for."""
    # NumPy would take much more, some of which it does not survive.
    if random_state is None or isinstance(random_state, _SOURCES):
        if isinstance(random_state, np.random.RandomState):  # NumPy does, from 2.2 on
            return np.random.Generator(random_state._bit_generator)
        return np.random.default_rng(random_state)
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        if int(random_state) >= 0:
            return np.random.default_rng(int(random_state))
        raise InputError(_EXPECTED, f", found {random_state}")
    simple = isinstance(random_state, str | float | bool)
    found = shown(random_state) if simple else type(random_state).__name__
    raise InputTypeError(_EXPECTED, f", found {found}")
