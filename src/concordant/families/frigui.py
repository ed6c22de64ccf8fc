"""Pairs by the inner product of memberships (Frigui, Hwang and Rhee 2007)."""

from concordant.families.products import Products, products, sum_of_squares
from concordant.pair_table import PairTable
from concordant.partition import Partition


def frigui_table(P: Partition, Q: Partition) -> PairTable:
    """
    Join a pair to the degree of the inner product of its memberships.

    With g = u_i . u_j and h = v_i . v_j: a = sum of g h, b = sum of g (1 - h),
    c = sum of (1 - g) h, d = sum of (1 - g)(1 - h), over all pairs i < j.

    Parameters
    ----------
    P, Q : Partition
        Two partitions of the same objects, crisp or fuzzy.

    Returns
    -------
    PairTable
        Of family ``"frigui"``.

    Notes
    -----
    No pair is visited: the sum of g h over all ordered pairs is |U'V|², the sum of g
    is |sum of u_i|²; O(n K L).

    References
    ----------
    Frigui, Hwang, Rhee (2007), Pattern Recognition 40(11).
    """
    return table_from_products(products(P, Q), "frigui")


def table_from_products(sums: Products, family: str) -> PairTable:
    """
    Give the table of pairs that are joined to the degree of an inner product.

    Parameters
    ----------
    sums : Products
        Of the memberships, or of memberships of unit length.
    family : str
        The family's name.

    Returns
    -------
    PairTable
        The four cardinalities.
    """
    n = sums.n_objects
    # Every sum over ordered pairs has its diagonal i = j taken out.
    a = (sum_of_squares(sums.cross) - sums.squares_both) / 2
    in_p = (sum_of_squares(sums.sums_p) - sums.squares_p) / 2
    in_q = (sum_of_squares(sums.sums_q) - sums.squares_q) / 2
    d = (n * (n - 1) // 2) - (in_p + in_q) + a
    return PairTable(a, in_p - a, in_q - a, d, family)
