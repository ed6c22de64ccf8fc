"""The indices that a command is asked for, of all pairs of partitions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import FAMILIES, INDICES
from concordant.cli.inputs import Given
from concordant.cli.measuring import Asked, measure
from concordant.cli.progress_bar import Tell
from concordant.partition.alignment import Align

Square = NDArray[np.float64]


@dataclass(frozen=True)
class Pairs:
    """
    The indices of all pairs of k partitions.

    Parameters
    ----------
    values : mapping of str to ndarray of shape (k, k)
        By the names of the indices.
    errors : mapping of str to ndarray of shape (k, k)
        How far indices, statistics of tables aside, may be from their exact values.
    """

    values: Mapping[str, Square]
    errors: Mapping[str, Square]


def with_one_table(given: Sequence[Given], asked: Asked) -> Asked:
    """Settle by which one family and t-norm statistics are computed."""
    wanted = asked.wanted
    all_crisp = all(g.partition.kind == "crisp" for g in given)
    default = "crisp" if all_crisp else "huellermeier"
    family = wanted.families[0] if wanted.families else default
    t_norms = FAMILIES[family].t_norms
    t_norm = wanted.t_norm or (t_norms[0] if t_norms else None)
    wanted = replace(wanted, families=(family,), t_norm=t_norm)
    return replace(asked, wanted=wanted)


def measure_all(
    given: Sequence[Given], align: Align, asked: Asked, tell: Tell
) -> Pairs:
    """
    Compute what is asked of all pairs of partitions, with one family and t-norm.

    Of each partition with itself, too: indices that are reflexive have their best value
    there, and all others are computed.
    """
    k, wanted = len(given), asked.wanted
    names = (*wanted.all_indices, *wanted.statistics)
    best = {name: INDICES[name].best for name in names if _is_reflexive(name)}
    values = {name: np.eye(k) * best.get(name, 1.0) for name in names}
    errors = {name: np.zeros((k, k)) for name in wanted.all_indices}
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    computed = tuple(name for name in names if name not in best)
    if computed:
        pairs += [(i, i) for i in range(k)]
    of_itself = replace(asked, wanted=replace(wanted, indices=computed))
    store: dict[Any, Any] = {}  # what belongs to one partition alone
    for number, (i, j) in enumerate(pairs):
        found = measure(
            given[i],
            given[j],
            align,
            of_itself if i == j else asked,
            _part(tell, number, len(pairs)),
            store=store,
        )
        for record in found.records():
            values[record["index"]][[i, j], [j, i]] = record["value"]
            if record["index"] in errors:
                errors[record["index"]][[i, j], [j, i]] = record["error"]
    return Pairs(values, errors)


def _is_reflexive(name: str) -> bool:
    return name in INDICES and "reflexive" in INDICES[name].laws


def _part(tell: Tell, number: int, of: int) -> Tell:
    """Tell of one pair among many."""
    return lambda share, what: tell(
        (number + share) / of, f"pair {number + 1} of {of}: {what}"
    )
