"""The omega index of covers, and what it is for other memberships."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from concordant.measures.comparing import compare
from concordant.measures.generalized_rand import agri
from concordant.measures.scores import Score
from concordant.partition.alignment import Align
from concordant.terms.distribution import Bounded, Distribution, expected_difference

_RANGE = 3.0  # from -2, as the differences that are cut off at 1 are a metric, to 1


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
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

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
    error = terms["discordance (inner)"].discordance_error + 2.0**-50
    expected, off = _expected(*sorted((F, G), key=lambda X: X.mean.tobytes()))
    if expected <= off:
        return Score(1.0 if d <= error else 0.0, _RANGE)  # no more is known
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
