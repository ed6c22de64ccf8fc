"""Pairs by the fuzzy contingency table (Anderson, Bezdek, Popescu and Keller 2010)."""

import math

import numpy as np
from numpy.typing import NDArray

from concordant.engine import Engine, Threads
from concordant.families.products import products, sum_of_squares
from concordant.partition import Partition
from concordant.tables import PairTable


def anderson_table(
    P: Partition, Q: Partition, engine: Engine | None = None
) -> PairTable:
    """
    Put N = U'V, scaled to sum to n, into the formulas for crisp contingency tables.

    a = (sum N² - n) / 2, b = (sum of squared row sums - sum N²) / 2, c likewise with
    columns, d = (n² + sum N² - both) / 2.

    Parameters
    ----------
    P, Q : Partition
        Two partitions of the same objects, of any kind.
    engine : Engine, optional
        Where blocks of objects are summed; one thread by default.

    Returns
    -------
    PairTable
        Of family ``"anderson"``; a can be negative.

    Raises
    ------
    ValueError
        If no object belongs to any cluster in both partitions (possibilistic ones).

    Notes
    -----
    O(n K L), one product of matrices.

    References
    ----------
    Anderson, Bezdek, Popescu, Keller (2010), IEEE Transactions on Fuzzy Systems 18(5).
    """
    cross = products(P, Q, engine or Threads(1)).cross
    return anderson_table_from(cross, P.n_objects)


def anderson_table_from(cross: NDArray[np.float64], n_objects: int) -> PairTable:
    """
    Give the table that follows from U'V.

    Parameters
    ----------
    cross : ndarray of shape (K, L)
        U'V.
    n_objects : int
        n.

    Returns
    -------
    PairTable
        Of family ``"anderson"``.
    """
    n = n_objects
    total = math.fsum(cross.ravel())
    if total == 0.0:
        raise ValueError(
            "no object belongs to any cluster in both P and Q, so that Anderson's "
            "contingency table is empty"
        )
    N = cross * (n / total)
    cells = sum_of_squares(N)
    rows = math.fsum(math.fsum(row) ** 2 for row in N)
    columns = math.fsum(math.fsum(column) ** 2 for column in N.T)
    return PairTable(
        (cells - n) / 2,
        (rows - cells) / 2,
        (columns - cells) / 2,
        (n * n + cells - (rows + columns)) / 2,
        "anderson",
    )
