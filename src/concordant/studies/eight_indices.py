"""The eight indices that the paper's tables compare."""

from typing import Literal

import concordant as cc
from concordant.partition.partition import Partition

_FAMILIES: tuple[Literal["brouwer", "campello", "anderson"], ...] = (
    "brouwer",
    "campello",
    "anderson",
)


def eight_indices(P: object, Q: object) -> dict[str, float]:
    """
    Compute NDC, ACI, and the Rand and adjusted Rand index of three families.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same objects.

    Returns
    -------
    dict from str to float
        By the names that the paper prints.

    Examples
    --------
    >>> from concordant.studies.eight_indices import eight_indices
    >>> values = eight_indices([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], [0, 0, 1])
    >>> [*values][:3]
    ['NDC', 'ACI', 'Brouwer Rand']
    >>> round(values["NDC"], 4)
    0.6667
    """
    p, q = Partition(P), Partition(Q)
    agreement = cc.concordance(p, q)
    values = {"NDC": agreement.ndc, "ACI": agreement.aci}
    for family in _FAMILIES:
        table = cc.pair_table(p, q, family=family)
        name = family.capitalize()
        values[f"{name} Rand"] = table.rand
        values[f"{name} adjusted Rand"] = table.adjusted_rand
    return values
