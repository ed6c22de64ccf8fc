"""What a model of chance is given, and what it returns."""

from dataclasses import dataclass
from typing import NamedTuple

from concordant.arrays import Vector


class Expectation(NamedTuple):
    """E[d] under a model of chance, a bound of its error, and what it rests on."""

    value: float
    error: float
    n_permutations: int | None = None
    note: str = ""


@dataclass(frozen=True, eq=False)
class ObjectMeans:
    """
    Means over the other objects j, for each of n objects i.

    `discordance` is the mean of |x_ij - y_ij| over j; `from_p` that of |x_ij - y_kl|
    over j and all pairs of Q, `from_q` that of |x_kl - y_ij|, and `between` that of
    |x_ij - y_ik| over j and k.
    """

    discordance: Vector
    from_p: Vector
    from_q: Vector
    between: Vector


class Influence(NamedTuple):
    """E[d], and by how much it changes if an object is left out, for each object."""

    expected: float
    changes: Vector
