"""The Rand index of scaled similarities, and its form adjusted for chance."""

import math
from collections.abc import Mapping
from typing import Any

from concordant.formulas.adjusted import Score
from concordant.formulas.bonds import Bonds
from concordant.measures.comparing import compare
from concordant.partition.alignment import Align

_ROUNDING = 2.0**-52  # of a quotient and a difference


def fuzzy_adjusted_rand_index(
    P: object, Q: object, *, n_jobs: int | None = None, align: Align = "position"
) -> float:
    """
    Return the fuzzy adjusted Rand index (FARI) of two partitions.

    FARI = 1 - D / E[D] with D = ||N_P - N_Q||², N_P = UU' (sum of UU') / ||UU'||², and
    E[D] the mean of D over all permutations of the objects of one partition.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    float
        At most 1, which a partition has with itself; 0 is chance level. For crisp
        partitions it is the adjusted Rand index.

    Notes
    -----
    O(n (K + L)²) time, no pairs. Where all memberships are near 1/K the index depends
    on their last digits, whatever computes it: rounded to three digits, the
    memberships of its authors' example change it from -.3056 to -.4076.

    References
    ----------
    Andrews, Browne, Hvingelby (2022), Journal of Classification 39, 326-342.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    >>> Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    >>> round(cc.fuzzy_adjusted_rand_index(P, Q), 6)
    -0.253828
    """
    return compare(P, Q, indices=["fari"], n_jobs=n_jobs, align=align)["fari"]


def fri(terms: Mapping[str, Any]) -> Score:
    """Return 1 - ||N_P - N_Q||² / (n (n - 1))."""
    n, (apart, error), _ = terms["bonds"]
    pairs = max(n * (n - 1), 1)
    return Score(1.0 - apart / pairs, error / pairs + _ROUNDING * (1.0 + apart / pairs))


def fari(terms: Mapping[str, Any]) -> Score:
    """Return 1 - ||N_P - N_Q||² / E||N_P - N_Q||²; 1 if no permutation differs."""
    found: Bonds = terms["bonds"]
    (apart, error), (expected, expected_error) = found.observed, found.expected
    if expected <= expected_error:  # both are constant, as far as digits tell
        known = expected == expected_error == 0.0
        return Score(1.0 if apart <= error else 0.0, 0.0 if known else math.inf)
    value = 1.0 - apart / expected
    worst = (error + apart / expected * expected_error) / (expected - expected_error)
    return Score(value, worst + _ROUNDING * (1.0 + abs(value)))
