"""The indices that a command is asked for, of all pairs of partitions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import FAMILIES, Family
from concordant.cli.inputs import Given
from concordant.cli.measuring import Wanted, measure
from concordant.cli.progress_bar import Tell
from concordant.partition.alignment import Align

Square = NDArray[np.float64]

#: The indices that have an error, and where a Concordance holds it.
ERRORS = {"aci": "error", "ndc": "ndc_error"}


@dataclass(frozen=True)
class Pairs:
    """
    The indices of all pairs of k partitions.

    Parameters
    ----------
    values : mapping of str to ndarray of shape (k, k)
        By the names of the indices.
    errors : mapping of str to ndarray of shape (k, k)
        How far ``aci`` and ``ndc``, if they are there, may be from their exact values.
    """

    values: Mapping[str, Square]
    errors: Mapping[str, Square]


def with_one_table(given: Sequence[Given], wanted: Wanted) -> Wanted:
    """
    Settle by which family and t-norm statistics are computed.

    Parameters
    ----------
    given : sequence of Given
        The partitions.
    wanted : Wanted
        With one family at most.

    Returns
    -------
    Wanted
        With one family, and a t-norm if it has a choice.
    """
    all_crisp = all(g.partition.kind == "crisp" for g in given)
    default: Family = "crisp" if all_crisp else "huellermeier"
    family = wanted.families[0] if wanted.families else default
    t_norms = FAMILIES[family].t_norms
    t_norm = wanted.t_norm or (t_norms[0] if t_norms else None)
    return replace(wanted, families=(family,), t_norm=t_norm)


def measure_all(
    given: Sequence[Given], align: Align, wanted: Wanted, tell: Tell
) -> Pairs:
    """
    Compute what is wanted of all pairs of partitions.

    Parameters
    ----------
    given : sequence of k Given
        The partitions.
    align : {"index", "position"}
        How objects are matched.
    wanted : Wanted
        What to compute, with one family and t-norm.
    tell : callable
        Whom to tell how far it has come.

    Returns
    -------
    Pairs
        Of each partition with itself, too. NDC and ACI are 1 there, for every
        partition; the statistics of a fuzzy one need not be.
    """
    k = len(given)
    agreements = [name for name in ERRORS if name in wanted.indices]
    values = {name: np.eye(k) for name in (*agreements, *wanted.statistics)}
    errors = {name: np.zeros((k, k)) for name in agreements}
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    if wanted.statistics:
        pairs += [(i, i) for i in range(k)]
    of_itself = replace(wanted, indices=wanted.statistics)
    for number, (i, j) in enumerate(pairs):
        found = measure(
            given[i],
            given[j],
            align,
            of_itself if i == j else wanted,
            _part(tell, number, len(pairs)),
        )
        for table in found.tables.values():
            for name in wanted.statistics:
                values[name][[i, j], [j, i]] = getattr(table, name)
        if found.concordance is not None:
            for name in agreements:
                values[name][[i, j], [j, i]] = getattr(found.concordance, name)
                errors[name][[i, j], [j, i]] = getattr(found.concordance, ERRORS[name])
    return Pairs(values, errors)


def _part(tell: Tell, number: int, of: int) -> Tell:
    """Tell of one pair among many."""
    return lambda share, what: tell(
        (number + share) / of, f"pair {number + 1} of {of}: {what}"
    )
