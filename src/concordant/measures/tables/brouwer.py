"""Pairs by the cosine of memberships (Brouwer 2009)."""

import math

from concordant.measures.tables.pair_table import PairTable
from concordant.sums.products import Products, difference, sum_of_squares


def brouwer(sums: Products) -> PairTable:
    """
    Join a pair to the degree of the cosine between its memberships.

    With g = cos(u_i, u_j) and h = cos(v_i, v_j): a = sum of g h, b = sum of g (1 - h),
    c = sum of (1 - g) h, d = sum of (1 - g)(1 - h), over all pairs i < j. Between
    directions, 1 - g is half a squared distance, and a sum of products of squared
    distances follows from sums over objects, wherever directions are measured from. So
    d has full relative accuracy also where they are nearly the same; the rounding of b
    and c is a few units of 2^-53 times b + d and c + d, that of a times n² / 2.
    """
    n, squares_p, squares_q = sums.n_objects, sums.squares_p, sums.squares_q
    # These are sums of squares: only rounding could make them negative.
    apart_in_p = max(difference(n * squares_p, sum_of_squares(sums.sums_p)), 0.0) / 2
    apart_in_q = max(difference(n * squares_q, sum_of_squares(sums.sums_q)), 0.0) / 2
    mixed = math.fsum((*(sums.higher_p * sums.sums_p), *(sums.higher_q * sums.sums_q)))
    squared = n * sums.squares_both + squares_p * squares_q
    d = max(difference(squared + 2 * sum_of_squares(sums.cross), 2 * mixed), 0.0) / 4
    a = (n * (n - 1) // 2 + d) - (apart_in_p + apart_in_q)
    return sums.table("brouwer", (a, apart_in_q - d, apart_in_p - d, d), None)
