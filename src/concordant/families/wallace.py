"""
Agreement on pairs that one partition holds together (fuzzy Wallace indices).

With D = |E_P - E_Q| and w the inner product of memberships: the sums over all pairs of
(1 - D) w_P, (1 - D) w_Q, w_P and w_Q.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from concordant.families.pair_table import PairTable

Vector = NDArray[np.float64]


def cardinalities(
    x: Vector, apart_p: Vector, y: Vector, apart_q: Vector
) -> tuple[Vector, Vector, Vector, Vector]:
    """Return what each pair adds to the four sums."""
    agreement, in_p, in_q = 1.0 - np.abs(x - y), 1.0 - apart_p, 1.0 - apart_q
    return agreement * in_p, agreement * in_q, in_p, in_q


def of_crisp(table: PairTable) -> PairTable:
    """Return the four sums of two crisp partitions."""
    a, b, c = table.a, table.b, table.c
    return replace(table, a=a, b=a, c=a + b, d=a + c, family="wallace")
