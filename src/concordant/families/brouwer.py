"""Pairs by the cosine of memberships (Brouwer 2009)."""

import math

import numpy as np

from concordant.errors import Data, InputError, Setting
from concordant.execution.engine import Engine, Threads
from concordant.execution.run import Run
from concordant.families.pair_table import PairTable
from concordant.partition.partition import Partition
from concordant.terms.products import (
    Products,
    difference,
    products,
    sum_of_squares,
)


def brouwer_table(
    P: Partition, Q: Partition, engine: Engine | None = None
) -> PairTable:
    """
    Join a pair to the degree of the cosine between its memberships.

    With g = cos(u_i, u_j) and h = cos(v_i, v_j): a = sum of g h, b = sum of g (1 - h),
    c = sum of (1 - g) h, d = sum of (1 - g)(1 - h), over all pairs i < j.

    Parameters
    ----------
    P, Q : Partition
        Two partitions of the same objects, of any kind.
    engine : Engine, optional
        Where blocks of objects are summed; one thread by default.

    Returns
    -------
    PairTable
        Of family ``"brouwer"``. Memberships are taken as they are: slightly negative
        ones can make a, b or c as little negative.

    Raises
    ------
    ValueError
        If an object of a possibilistic partition belongs to no cluster at all, so that
        its cosine with others has no value.

    Notes
    -----
    Between directions, 1 - g is half a squared distance, and a sum of products of
    squared distances follows from sums over objects: O(n K L). Directions are measured
    from that of an object near the mean, without cancellation, so that d has full
    relative accuracy, also where all directions are nearly the same; the rounding of b
    and c is a few units of 2^-53 times b + d and c + d, that of a times n² / 2.

    References
    ----------
    Brouwer (2009), Journal of Intelligent Information Systems 32(3).
    """
    check_no_empty_rows(P, "P")
    check_no_empty_rows(Q, "Q")
    sums = products(P, Q, engine or Threads(1), directions=True)
    return brouwer_table_from(sums, P.n_objects)


def brouwer_table_from(sums: Products, n_objects: int) -> PairTable:
    """
    Give the table that follows from sums of products.

    Parameters
    ----------
    sums : Products
        Of the directions of the memberships, shifted by any vector.
    n_objects : int
        n.

    Returns
    -------
    PairTable
        Of family ``"brouwer"``.
    """
    n = n_objects
    squares_p, squares_q = float(sums.squares_p), float(sums.squares_q)
    # These are sums of squares: only rounding could make them negative.
    apart_in_p = max(difference(n * squares_p, sum_of_squares(sums.sums_p)), 0.0) / 2
    apart_in_q = max(difference(n * squares_q, sum_of_squares(sums.sums_q)), 0.0) / 2
    mixed = math.fsum((*(sums.lifted_p * sums.sums_p), *(sums.lifted_q * sums.sums_q)))
    squared = n * float(sums.squares_both) + squares_p * squares_q
    d = max(difference(squared + 2 * sum_of_squares(sums.cross), 2 * mixed), 0.0) / 4
    a = sums.cardinality((n * (n - 1) // 2 + d) - (apart_in_p + apart_in_q))
    b, c = sums.cardinality(apart_in_q - d), sums.cardinality(apart_in_p - d)
    return PairTable(a, b, c, d, "brouwer")


def check_no_empty_rows(partition: Partition, name: str) -> None:
    """Refuse an object without a direction."""
    if partition.kind != "possibilistic":
        return
    empty = np.flatnonzero(~partition.columns().any(axis=0))
    if empty.size:
        raise InputError(
            f"object {empty[0]} of ",
            Data(name),
            " belongs to no cluster, so that Brouwer's cosine has no value; leave such "
            "objects out, or use ",
            Setting("family", "anderson", "campello"),
        )


def brouwer_family(P: Partition, Q: Partition, t_norm: None, run: Run) -> PairTable:
    """Give the table as every family does; there is no t-norm."""
    return brouwer_table(P, Q, run.engine)
