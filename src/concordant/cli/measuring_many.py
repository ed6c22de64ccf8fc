"""The indices that a command is asked for, of all pairs of partitions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import FAMILIES, TABLES, Family
from concordant.cli.faults import Fault, reworded
from concordant.cli.inputs import Given
from concordant.cli.measuring import Wanted
from concordant.cli.progress_bar import Tell, step
from concordant.execution.engine import chosen_engine, leaving_nothing
from concordant.execution.progress import Progress
from concordant.execution.run import Run
from concordant.families.defined import defined_table
from concordant.files import FileError
from concordant.gather import gather
from concordant.pairs.sampling import check_tol
from concordant.partition.alignment import Align, aligned
from concordant.partition.partition import Partition

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
    for number, (i, j) in enumerate(pairs):
        asked = agreements if i != j else []
        progress = step(tell, number, len(pairs), f"pair {number + 1} of {len(pairs)}")
        found = _measured(given[i], given[j], align, asked, wanted, progress)
        for name, term in found.items():
            if name in TABLES:
                for statistic in wanted.statistics:
                    values[statistic][[i, j], [j, i]] = getattr(term, statistic)
                continue
            for index in asked:
                values[index][[i, j], [j, i]] = getattr(term, index)
                errors[index][[i, j], [j, i]] = getattr(term, ERRORS[index])
    return Pairs(values, errors)


def _measured(
    P: Given,
    Q: Given,
    align: Align,
    agreements: Sequence[str],
    wanted: Wanted,
    progress: Progress,
) -> Mapping[str, Any]:
    """Gather what is wanted of two partitions, and keep what belongs to each alone."""
    said = wanted.algorithm
    names: list[str] = []
    try:
        p, q = aligned(P.partition, Q.partition, align=align)
        if agreements:
            names.append("discordance" if [*agreements] == ["ndc"] else "concordance")
        if wanted.statistics:
            names.append(defined_table(p, q, wanted.families[0], wanted.t_norm))
        method = said["method"] or "auto"
        check_tol(said["tol"], method)
        return _gathered(
            p,
            q,
            names,
            Run(
                method=method,
                tol=said["tol"],
                random_state=said["seed"],
                n_permutations=said["permutations"] or Run.n_permutations,
                checkpoint=said["checkpoint"],
                progress=progress,
                keep=True,
            ),
            jobs=said["jobs"],
            engine=said["engine"],
        )
    except FileError:
        raise
    except (ValueError, TypeError) as error:
        raise Fault(reworded(str(error), [P.name, Q.name])) from error
    except MemoryError as error:
        raise MemoryError(reworded(str(error), [P.name, Q.name])) from error


@leaving_nothing
def _gathered(
    p: Partition,
    q: Partition,
    names: Sequence[str],
    run: Run,
    *,
    jobs: int | None,
    engine: object,
) -> Mapping[str, Any]:
    return gather(p, q, names, replace(run, engine=chosen_engine(engine, jobs)))
