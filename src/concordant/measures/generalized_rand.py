"""Agreement on inner products: the generalized Rand index, and omega of covers."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from concordant.formulas.adjusted import Score
from concordant.measures.comparing import compare
from concordant.partition.alignment import Align
from concordant.terms.distribution import Bounded, Distribution, expected_difference

_LEAST = 2.0**-900  # mean products of row sums below which rounding is not relative


def generalized_rand_index(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return the mean agreement of two partitions on inner products of memberships.

    ``GRI = 1 - mean over i < j of |u_i . u_j - v_i . v_j|`` (13GRI). Where memberships
    need not sum to 1, ``J = u_i . u_j``, ``T`` is the product of the sums of u_i and of
    u_j, ``S = T - J``, and GRI is the sum of ``min(J_P, J_Q) + min(S_P, S_Q)`` over
    pairs, divided by the larger one of the sums of T.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, of any kind.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `concordance`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    float
        From 0 to 1; higher is better. It is 1 if every pair has the same inner product
        in P as in Q, and for crisp partitions it is the Rand index.

    See Also
    --------
    adjusted_generalized_rand_index : The same, corrected for chance.

    References
    ----------
    Horta, Campello (2015), Journal of Machine Learning Research 16, 2949-2997.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    >>> Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    >>> round(cc.generalized_rand_index(P, Q), 6)
    0.753867

    Two covers, in which objects may belong to several clusters:

    >>> P = cc.Partition([[1, 0], [1, 1], [0, 1]], kind="overlapping")
    >>> Q = cc.Partition([[1, 0], [1, 0], [0, 1]], kind="overlapping")
    >>> round(cc.generalized_rand_index(P, Q), 6)
    0.6
    """
    found = compare(P, Q, indices=["gri"], n_jobs=n_jobs, engine=engine, align=align)
    return found["gri"]


def adjusted_generalized_rand_index(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return the generalized Rand index, corrected for chance.

    ``AGRI = (GRI - E[GRI]) / (1 - E[GRI])`` with the exact expectation over all
    permutations of the objects (13AGRI).

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, of any kind.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `concordance`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    float
        At most 1; higher is better. It is 1 if every pair has the same inner product
        in P as in Q, 0 on average for unrelated partitions, and for crisp partitions
        it is the adjusted Rand index of Hubert and Arabie.

    See Also
    --------
    concordance : With ``similarity="inner"`` the same, with its error, a test and an
        interval.

    References
    ----------
    Horta, Campello (2015), Journal of Machine Learning Research 16, 2949-2997.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    >>> Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    >>> round(cc.adjusted_generalized_rand_index(P, Q), 6)
    -0.051902
    """
    found = compare(P, Q, indices=["agri"], n_jobs=n_jobs, engine=engine, align=align)
    return found["agri"]


def gri(terms: Mapping[str, Any]) -> Score:
    """Return one minus what memberships differ by, in relation to all of them."""
    inner = terms["discordance (inner)"]
    if "row products" not in terms:
        return Score(inner.ndc, inner.discordance_error)
    sums, off = terms["row products"], terms["discordance (outer)"]
    missed, error = _missed(sums, inner.discordance, off.discordance, inner, off)
    most = max(sums)
    if most == 0.0:  # no two objects belong to clusters
        return Score(1.0, 0.0)
    if most < _LEAST:
        return Score(1.0 - min(missed / most, 1.0), 1.0)
    return Score(1.0 - missed / most, min(error / most, 1.0))


def agri(terms: Mapping[str, Any]) -> Score:
    """Return the same in relation to what chance gives."""
    inner = terms["concordance (inner)"]
    if "row products" not in terms:
        return Score(inner.aci, inner.error)
    sums, off = terms["row products"], terms["concordance (outer)"]
    if inner.error == off.error == 0.0:  # all pairs have one value each, in P and in Q
        return Score(min(inner.aci, off.aci), 0.0)
    missed, error = _missed(sums, inner.discordance, off.discordance, inner, off)
    chance, off_by = _missed(
        sums, inner.expected_discordance, off.expected_discordance, inner, off
    )
    value = 1.0 - missed / chance if chance > 0.0 else 1.0
    if chance <= off_by or max(sums) < _LEAST:
        return Score(max(value, -2.0), 3.0)
    return Score(value, (error + (1.0 - value) * off_by) / (chance - off_by))


def _missed(
    sums: tuple[float, float], together: float, apart: float, *found: Any
) -> tuple[float, float]:
    """
    Return how far agreement is from complete, as a mean over pairs, and its error.

    With T the products of two objects' sums, J inner products and S = T - J, the sum of
    min(J_P, J_Q) + min(S_P, S_Q) is less than that of the larger T by half of
    |T_P - T_Q| and of the mean differences of J and of S.
    """
    value = 0.5 * (abs(sums[0] - sums[1]) + together + apart)
    errors = [
        max(x.discordance_error, getattr(x, "expected_error", 0.0)) for x in found
    ]
    return value, 0.5 * math.fsum(errors) + 2.0**-48 * max(sums)


def omega_index(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return how often two covers hold a pair in equally many clusters, beyond chance.

    ``omega = (w - E[w]) / (1 - E[w])``, where w is the share of pairs of objects that
    are together in equally many clusters of P and of Q, and E[w] its mean over all
    permutations of the objects. For other memberships the numbers of shared clusters
    are inner products, and a pair counts ``max(0, 1 - |u_i . u_j - v_i . v_j|)``.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, of any kind.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `concordance`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    float
        At most 1, for equal partitions; 0 on average for unrelated ones. For crisp
        partitions it is the adjusted Rand index, for fuzzy ones the adjusted
        generalized Rand index.

    References
    ----------
    Collins, Dent (1988), Multivariate Behavioral Research 23(2), 231-242.

    Examples
    --------
    >>> import concordant as cc
    >>> P = cc.Partition([[1, 0], [1, 1], [0, 1], [0, 1]], kind="overlapping")
    >>> Q = cc.Partition([[1, 0], [1, 0], [0, 1], [0, 1]], kind="overlapping")
    >>> round(cc.omega_index(P, Q), 6)
    0.4
    """
    found = compare(P, Q, indices=["omega"], n_jobs=n_jobs, engine=engine, align=align)
    return found["omega"]


def omega(terms: Mapping[str, Any]) -> Score:
    """Return omega from differences of inner products, cut off at 1."""
    if "omega" not in terms:
        return agri(terms)
    if terms["distributions (inner)"] is None:
        return Score(1.0, 0.0)  # there is no pair
    F, G = terms["distributions (inner)"]
    d = terms["omega"].a / F.total
    inner = terms["concordance (inner)"]
    error = inner.discordance_error + 2.0**-50
    expected, off = _expected(*sorted((F, G), key=lambda X: X.mean.tobytes()))
    if expected <= off:  # no difference passes 1, by far
        return Score(inner.aci, inner.error)
    ratio = d / expected
    return Score(1.0 - ratio, (error + ratio * off) / (expected - off) + 2.0**-52)


def _expected(F: Distribution, G: Distribution) -> Bounded:
    """
    Return E min(|X - Y|, 1) with a bound of its error.

    What |z| has above 1 is (|z - 1| + |z + 1|) / 2 - 1.
    """
    found = [expected_difference(_shifted(F, step), G) for step in (0.0, -1.0, 1.0)]
    value = found[0].value - (0.5 * (found[1].value + found[2].value) - 1.0)
    error = found[0].error + 0.5 * (found[1].error + found[2].error)
    return Bounded(max(value, 0.0), error + 2.0**-50 * (1.0 + found[0].value))


def _shifted(F: Distribution, step: float) -> Distribution:
    """Return the distribution of X + step, with what that rounds."""
    if step == 0.0:
        return F
    low, mean = F.low + step, F.mean + step
    high = low if F.is_of_values else F.high + step
    moved = F.displacement + 2.0**-52 * float(max(abs(F.low[0]), abs(F.high[-1])) + 1.0)
    return replace(F, low=low, high=high, mean=mean, displacement=moved)
