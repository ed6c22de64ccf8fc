"""NDC, its expectation and ACI, and the plan that picks the algorithm."""

import dataclasses
from typing import Literal, get_args

import numpy as np

from concordant.agreement.crisp_crisp import crisp_crisp
from concordant.agreement.fuzzy_crisp import fuzzy_crisp
from concordant.agreement.permutations import permutations
from concordant.agreement.result import Concordance, assemble
from concordant.agreement.sorted_pairs import sorted_pairs
from concordant.alignment import Align, aligned
from concordant.partition import Partition
from concordant.wording import check_choice

Method = Literal["auto", "exact", "permutations"]


def concordance(
    P: object,
    Q: object,
    *,
    method: Method = "auto",
    n_permutations: int = 1000,
    random_state: int | np.random.Generator | None = None,
    clip: bool = False,
    align: Align = "position",
) -> Concordance:
    """
    Measure how far two partitions agree, with what chance would give.

    d is the mean over all pairs of |E_P - E_Q|, NDC = 1 - d and ACI = 1 - d / E[d],
    where E[d] is the mean of d over all permutations of the objects.

    Parameters
    ----------
    P, Q : Partition, or what one can be made from
        Two partitions of the same n objects, crisp or fuzzy: labels of length n, or
        memberships of shape (n, K) and (n, L).
    method : {"auto", "exact", "permutations"}, default="auto"
        ``"permutations"`` averages E[d] over permutations of the similarities, as the
        paper does: all m! of them for m <= 8 pairs, `n_permutations` random ones
        beyond. The others compute it exactly, in closed form.
    n_permutations : int, default=1000
        How many random permutations.
    random_state : int, numpy.random.Generator or None, default=None
        Where random permutations come from.
    clip : bool, default=False
        Whether a negative ACI is set to 0, as the paper allows.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids (a pandas index too).

    Returns
    -------
    Concordance
        With the numbers and their errors.

    Raises
    ------
    ValueError
        If a partition is possibilistic: E is defined for rows that sum to 1.

    Notes
    -----
    With fewer than two objects there is no pair to disagree on, and NDC and ACI are 1.
    If one partition says the same of every pair (one cluster, all singletons, equal
    rows), ACI is 0, as nothing but chance could make the other agree with it; if both
    do and their similarities are equal, it is 1.

    References
    ----------
    Amodio, D'Ambrosio, Iorio, Siciliano (2015), section 4.

    Examples
    --------
    The fuzzy example of the paper:

    >>> import concordant as cc
    >>> P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    >>> Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    >>> result = cc.concordance(P, Q)
    >>> round(result.ndc, 6), round(result.expected, 6), round(result.aci, 6)
    (0.636667, 0.697222, -0.2)
    """
    check_choice("method", method, get_args(Method), optional=False)
    if isinstance(n_permutations, bool) or not isinstance(n_permutations, int):
        raise TypeError(f"n_permutations must be an integer, found {n_permutations!r}")
    if n_permutations < 1:
        raise ValueError(f"n_permutations must be at least 1, found {n_permutations}")
    p, q = aligned(P, Q, align=align)
    result = _compute(p, q, method, n_permutations, random_state)
    if clip and result.aci < 0.0:
        return dataclasses.replace(result, aci=0.0)
    return result


def _compute(
    P: Partition,
    Q: Partition,
    method: Method,
    n_permutations: int,
    random_state: int | np.random.Generator | None,
) -> Concordance:
    for name, partition in (("P", P), ("Q", Q)):
        if partition.kind == "possibilistic":
            raise ValueError(
                f"the concordance is not defined for possibilistic partitions, and "
                f'{name} is one; use pair_table with family="anderson", "brouwer" or '
                '"campello"'
            )
    if P.n_objects < 2:
        return assemble(0.0, 0.0, n_objects=P.n_objects, method="no pairs")
    if method == "permutations":
        rng = np.random.default_rng(random_state)
        return permutations(P, Q, n_permutations=n_permutations, rng=rng)
    match (P.kind, Q.kind):
        case ("crisp", "crisp"):
            return crisp_crisp(P, Q)
        case ("fuzzy", "crisp"):
            return fuzzy_crisp(P, Q)
        case ("crisp", "fuzzy"):
            return fuzzy_crisp(Q, P)
        case _:
            return sorted_pairs(P, Q)


def normalized_degree_of_concordance(
    P: object, Q: object, *, align: Align = "position"
) -> float:
    """
    Give the mean agreement of two partitions on their pairs of objects.

    NDC = 1 - mean over i < j of |E_P(i, j) - E_Q(i, j)|, with
    E(i, j) = 1 - |u_i - u_j| / 2 in the L1 norm.

    Parameters
    ----------
    P, Q : Partition, or what one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids (a pandas index too).

    Returns
    -------
    float
        From 0 to 1; higher is better. It is 1 if and only if every pair is exactly as
        similar in P as in Q, and for crisp partitions it is the Rand index.

    References
    ----------
    Hüllermeier, Rifqi, Henzgen, Senge (2012), IEEE Transactions on Fuzzy Systems 20(3).

    Examples
    --------
    >>> import concordant as cc
    >>> cc.normalized_degree_of_concordance([0, 0, 1, 0], [0, 1, 1, 0])
    0.5
    """
    return concordance(P, Q, align=align).ndc


def adjusted_concordance_index(
    P: object, Q: object, *, clip: bool = False, align: Align = "position"
) -> float:
    """
    Give the agreement of two partitions, corrected for chance.

    ACI = (NDC - E[NDC]) / (1 - E[NDC]), with the exact expectation over all
    permutations of the objects.

    Parameters
    ----------
    P, Q : Partition, or what one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    clip : bool, default=False
        Whether a negative value is set to 0, as the paper allows.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids (a pandas index too).

    Returns
    -------
    float
        At most 1; higher is better. It is 1 if every pair is exactly as similar in P
        as in Q, 0 on average for unrelated partitions, and for crisp partitions it is
        the adjusted Rand index of Hubert and Arabie.

    References
    ----------
    Amodio, D'Ambrosio, Iorio, Siciliano (2015), section 4.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.adjusted_concordance_index([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> round(cc.adjusted_concordance_index(P, [0, 0, 1, 1]), 6)
    0.425532
    """
    return concordance(P, Q, clip=clip, align=align).aci
