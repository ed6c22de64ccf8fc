"""What a model of chance returns."""

from typing import NamedTuple


class Expectation(NamedTuple):
    """E[d] under a model of chance, a bound of its error, and what it rests on."""

    value: float
    error: float
    n_permutations: int | None = None
