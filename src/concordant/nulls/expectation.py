"""What a model of chance gives: the expected discordance."""

from typing import NamedTuple


class Expectation(NamedTuple):
    """E[d] under a model of chance, how far it may be off, and what it rests on."""

    value: float
    error: float
    n_permutations: int | None = None
