"""Pairs by the inner product of memberships (Frigui, Hwang and Rhee 2007)."""

from concordant.execution.run import Run
from concordant.families.pair_table import PairTable
from concordant.partition.partition import Partition
from concordant.terms.products import (
    Products,
    difference,
    shared_products,
    sum_of_squares,
)


def frigui_table(P: Partition, Q: Partition, run: Run | None = None) -> PairTable:
    """
    Join a pair to the degree of the inner product of its memberships.

    With g = u_i . u_j and h = v_i . v_j: a = sum of g h, b = sum of g (1 - h),
    c = sum of (1 - g) h, d = sum of (1 - g)(1 - h), over all pairs i < j.

    Parameters
    ----------
    P, Q : Partition
        Two partitions of the same objects, crisp or fuzzy.
    run : Run, optional
        How blocks of objects are summed; on one thread by default.

    Returns
    -------
    PairTable
        Of family ``"frigui"``. Memberships are taken as they are: where a vector is
        longer than 1, as a full membership of 1 + 1e-6 makes it, g can pass 1, and b,
        c or d be as much below 0.

    Notes
    -----
    No pair is visited: over all ordered pairs, i = j among them, the sum of g h is
    |U'V|² and the sum of g is |sum of u_i|²; O(n K L). The rounding of a, b, c and d
    is a few units of 2^-53 times n² / 2, so that a cardinality that is a small part of
    all pairs has fewer digits.

    References
    ----------
    Frigui, Hwang, Rhee (2007), Pattern Recognition 40(11).
    """
    sums = shared_products(P, Q, run or Run())
    return frigui_table_from(sums, P.n_objects)


def frigui_table_from(sums: Products, n_objects: int) -> PairTable:
    """
    Give the table that follows from sums of products.

    Parameters
    ----------
    sums : Products
        Of the memberships.
    n_objects : int
        n.

    Returns
    -------
    PairTable
        Of family ``"frigui"``.
    """
    m = n_objects * (n_objects - 1) // 2
    a = difference(sum_of_squares(sums.cross), float(sums.squares_both)) / 2
    in_p = difference(sum_of_squares(sums.sums_p), float(sums.squares_p)) / 2
    in_q = difference(sum_of_squares(sums.sums_q), float(sums.squares_q)) / 2
    return PairTable(
        sums.cardinality(a),
        sums.cardinality(in_p - a),
        sums.cardinality(in_q - a),
        sums.cardinality((m + a) - (in_p + in_q)),
        "frigui",
    )


def frigui_family(P: Partition, Q: Partition, t_norm: None, run: Run) -> PairTable:
    """Give the table as every family does; there is no t-norm."""
    return frigui_table(P, Q, run)
