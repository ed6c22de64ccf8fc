"""Pairs by the inner product of memberships (Frigui, Hwang and Rhee 2007)."""

from concordant.bounded import UNIT_ROUNDOFF
from concordant.measures.tables.pair_table import PairTable
from concordant.sums.products import Products, difference, sum_of_squares


def frigui(sums: Products) -> PairTable:
    """
    Join a pair to the degree of the inner product of its memberships.

    With g = u_i . u_j and h = v_i . v_j: a = sum of g h, b = sum of g (1 - h),
    c = sum of (1 - g) h, d = sum of (1 - g)(1 - h), over all pairs i < j. Over all
    ordered pairs, i = j among them, the sum of g h is |U'V|² and the sum of g is
    |sum of u_i|². Memberships are taken as they are: where a vector is longer than 1,
    as a full membership of 1 + 1e-6 makes it, g can pass 1, and b, c or d be as much
    below 0.
    """
    n, largest = sums.n_objects, 0.0
    together = []
    for products, own in (
        (sums.cross, sums.squares_both),
        (sums.sums_p, sums.squares_p),
        (sums.sums_q, sums.squares_q),
    ):
        over_all = sum_of_squares(products)
        together.append(difference(over_all, own) / 2)
        largest = max(largest, over_all)
    a, in_p, in_q = together
    # Squares of sums, which are larger than what is taken from them.
    off = (3.0 * sums.rounding + (sum(sums.cross.shape) + 64) * UNIT_ROUNDOFF) * largest
    found = a, in_p - a, in_q - a, (n * (n - 1) // 2 + a) - (in_p + in_q)
    return sums.table("frigui", found, (off, 2.0 * off, 2.0 * off, 4.0 * off))
