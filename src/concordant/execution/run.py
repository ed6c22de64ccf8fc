"""How the work is done: where, how exactly, kept in which file, watched by whom."""

from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np

from concordant.execution.engine import Engine, Threads
from concordant.execution.progress import Progress


@dataclass(frozen=True)
class Run:
    """
    How the work is done, made once at the door from the caller's keywords.

    `method` and `tol` are those of `concordance`; `rng` is the generator made of
    `random_state`, which checkpoints of samples need itself. With `keep` the
    distribution of distances stays with each partition, for comparisons with others;
    work on all pairs of two of them is then kept in no file. `shared` holds what
    several terms of the same two partitions follow from.
    """

    engine: Engine = field(default_factory=lambda: Threads(1))
    method: str = "auto"
    tol: float | None = None
    rng: np.random.Generator = field(default_factory=np.random.default_rng)
    random_state: object = None
    null: str = "permutations"
    n_permutations: int = 1000
    memory_budget: int | None = None
    checkpoint: str | PathLike[str] | None = None
    progress: Progress | None = None
    keep: bool = False
    shared: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def samples(self) -> bool:
        """Whether sums over pairs are estimated from some of them."""
        return self.tol is not None or self.method == "sampled"
