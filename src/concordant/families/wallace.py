"""
Agreement on pairs that one partition holds together (fuzzy Wallace indices).

With D = |E_P - E_Q| and w the inner product of memberships: the sums over all pairs of
(1 - D) w_P, (1 - D) w_Q, w_P and w_Q.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from concordant.execution.run import Run
from concordant.families.pair_table import PairTable
from concordant.partition.partition import Partition

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


def lost_weights(P: Partition, Q: Partition, run: Run) -> tuple[float, float]:
    """
    Bound how far the sums of w_P and of w_Q may be off, beside the rounding of sums.

    A weight is taken from 1, by K products, so that small ones are lost. Those of crisp
    partitions are exact, and those of clusters that hold no two objects are 0.
    """
    m = P.n_objects * (P.n_objects - 1) // 2
    found = []
    for X in (P, Q):
        holds = X.kind != "crisp" and (np.count_nonzero(X.columns(), axis=1) > 1).any()
        found.append((4 * X.n_clusters + 8) * 2.0**-53 * m if holds else 0.0)
    return found[0], found[1]
