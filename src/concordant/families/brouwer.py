"""Pairs by the cosine of memberships (Brouwer 2009)."""

import numpy as np

from concordant.families.frigui import table_from_products
from concordant.families.products import products
from concordant.pair_table import PairTable
from concordant.partition import Partition


def brouwer_table(P: Partition, Q: Partition) -> PairTable:
    """
    Join a pair to the degree of the cosine between its memberships.

    With g = cos(u_i, u_j) and h = cos(v_i, v_j): a = sum of g h, b = sum of g (1 - h),
    c = sum of (1 - g) h, d = sum of (1 - g)(1 - h), over all pairs i < j.

    Parameters
    ----------
    P, Q : Partition
        Two partitions of the same objects, of any kind.

    Returns
    -------
    PairTable
        Of family ``"brouwer"``.

    Raises
    ------
    ValueError
        If an object of a possibilistic partition belongs to no cluster at all, so that
        its cosine with others has no value.

    Notes
    -----
    O(n K L), as in *frigui* with every u_i and v_i of length 1.

    References
    ----------
    Brouwer (2009), Journal of Intelligent Information Systems 32(3).
    """
    _check_no_empty_rows(P, "P")
    _check_no_empty_rows(Q, "Q")
    return table_from_products(products(P, Q, unit_length=True), "brouwer")


def _check_no_empty_rows(partition: Partition, name: str) -> None:
    if partition.kind != "possibilistic":
        return
    empty = np.flatnonzero(~partition.columns().any(axis=0))
    if empty.size:
        raise ValueError(
            f"object {empty[0]} of {name} belongs to no cluster, so that Brouwer's "
            'cosine has no value; leave such objects out, or use family="anderson" or '
            '"campello"'
        )
