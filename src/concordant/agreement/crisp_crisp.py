"""Two crisp partitions: exact integers from the contingency table."""

from dataclasses import replace

from concordant.agreement.result import Concordance, assemble
from concordant.families.crisp import crisp_table
from concordant.families.pair_table import PairTable
from concordant.partition.partition import Partition


def crisp_crisp(P: Partition, Q: Partition) -> Concordance:
    """
    Compute the concordance of two crisp partitions, which is the adjusted Rand index.

    Parameters
    ----------
    P, Q : Partition
        Two crisp partitions of the same objects.

    Returns
    -------
    Concordance
        Correctly rounded: d = (b + c) / m, E[d] = (A (m - B) + B (m - A)) / m² with
        A = a + b and B = a + c, and ACI = 1 - d / E[d], each a ratio of two Python
        integers.

    Notes
    -----
    O(n).
    """
    return crisp_crisp_from(crisp_table(P, Q), P.n_objects)


def crisp_crisp_from(table: PairTable, n_objects: int) -> Concordance:
    """
    Compute the concordance from the crisp table.

    Parameters
    ----------
    table : PairTable
        Integers.
    n_objects : int
        n, two at least.

    Returns
    -------
    Concordance
        With d, E[d] and ACI correctly rounded.
    """
    a, b, c, d = (int(x) for x in (table.a, table.b, table.c, table.d))
    m = a + b + c + d
    joined_in_p, joined_in_q = a + b, a + c
    expected = joined_in_p * (m - joined_in_q) + joined_in_q * (m - joined_in_p)
    found = assemble(
        (b + c) / m, expected / (m * m), n_objects=n_objects, method="crisp"
    )
    if expected == 0:
        return found
    return replace(found, aci=(expected - (b + c) * m) / expected)
