"""Pairs by the inner product of memberships (Frigui, Hwang and Rhee 2007)."""

from collections.abc import Mapping
from typing import Any

from concordant.families.pair_table import PairTable
from concordant.terms.products import Products, difference, sum_of_squares


def frigui(terms: Mapping[str, Any]) -> PairTable:
    """
    Join a pair to the degree of the inner product of its memberships.

    With g = u_i . u_j and h = v_i . v_j: a = sum of g h, b = sum of g (1 - h),
    c = sum of (1 - g) h, d = sum of (1 - g)(1 - h), over all pairs i < j. Over all
    ordered pairs, i = j among them, the sum of g h is |U'V|² and the sum of g is
    |sum of u_i|². Memberships are taken as they are: where a vector is longer than 1,
    as a full membership of 1 + 1e-6 makes it, g can pass 1, and b, c or d be as much
    below 0.
    """
    sums: Products = terms["products"]
    m = sums.n_objects * (sums.n_objects - 1) // 2
    a = difference(sum_of_squares(sums.cross), sums.squares_both) / 2
    in_p = difference(sum_of_squares(sums.sums_p), sums.squares_p) / 2
    in_q = difference(sum_of_squares(sums.sums_q), sums.squares_q) / 2
    return PairTable(
        sums.cardinality(a),
        sums.cardinality(in_p - a),
        sums.cardinality(in_q - a),
        sums.cardinality((m + a) - (in_p + in_q)),
        "frigui",
    )
