"""The indices that a command is asked for, of two partitions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import concordant as cc
from concordant.catalogue import FAMILIES, Family, TNorm, table_name
from concordant.cli.faults import Fault, fault_of, warn
from concordant.cli.inputs import Given
from concordant.cli.options import AGREEMENTS, STATISTICS
from concordant.cli.progress_bar import Tell, step
from concordant.execution.engine import effective_n_jobs
from concordant.execution.progress import Progress
from concordant.families.defined import families_for
from concordant.indices.pair_tables import TableMethod
from concordant.pairs.bands import seconds_per_pair
from concordant.partition.alignment import Align, aligned
from concordant.partition.partition import Partition

_LONG = 300.0  # seconds of work that one is told of before it begins
_SHORT = 0.01  # seconds that nobody need estimate


@dataclass(frozen=True)
class Wanted:
    """
    What to compute, and how.

    Parameters
    ----------
    indices : sequence of str
        Names of `AGREEMENTS` and `STATISTICS`; none means all.
    families : sequence of str
        None means all that are defined for the partitions.
    t_norm : str or None
        Only the tables with this t-norm.
    algorithm : mapping of str to object
        What was said of the algorithm: ``method``, ``tol``, ``permutations``,
        ``jobs``, ``seed`` and ``checkpoint``, and the ``engine``; None where nothing
        was.
    """

    indices: Sequence[str]
    families: Sequence[Family]
    t_norm: TNorm | None
    algorithm: Mapping[str, Any]

    @property
    def agreements(self) -> tuple[str, ...]:
        """Which of NDC, its expectation and ACI are wanted."""
        return tuple(
            name for name in AGREEMENTS if name in (self.indices or AGREEMENTS)
        )

    @property
    def statistics(self) -> tuple[str, ...]:
        """Which statistics of the tables are wanted."""
        return tuple(
            name for name in STATISTICS if name in (self.indices or STATISTICS)
        )


def measure(
    P: Given, Q: Given, align: Align, wanted: Wanted, tell: Tell
) -> cc.Comparison:
    """
    Compute what is wanted of two partitions.

    Parameters
    ----------
    P, Q : Given
        The partitions.
    align : {"index", "position"}
        How objects are matched.
    wanted : Wanted
        What to compute.
    tell : callable
        Whom to tell how far it has come.

    Returns
    -------
    Comparison
        Without a concordance if none is wanted or it is not defined, with the wanted
        tables only.

    Raises
    ------
    Fault
        If the partitions are not of the same objects, or of kinds for which what is
        wanted is not defined.
    """
    try:
        return _measure(*aligned(P.partition, Q.partition, align=align), wanted, tell)
    except (ValueError, TypeError, MemoryError) as error:
        raise fault_of(error, [P.name, Q.name]) from error


def _measure(P: Partition, Q: Partition, wanted: Wanted, tell: Tell) -> cc.Comparison:
    possibilistic = "possibilistic" in (P.kind, Q.kind)
    # Unless it was asked for by name, what is not defined is left out.
    with_agreement = bool(wanted.agreements) and (
        bool(wanted.indices) or not possibilistic
    )
    definitions = [*_definitions(P, Q, wanted)] if wanted.statistics else []
    steps = with_agreement + len(definitions)
    agreement = None
    if with_agreement:
        progress = step(tell, 0, steps, "NDC and ACI")
        agreement = cc.concordance(P, Q, **agreement_options(wanted, progress))
    tables = {}
    for number, (family, t_norm) in enumerate(definitions, start=with_agreement):
        name = table_name(family, t_norm)
        options = table_options(wanted, step(tell, number, steps, name))
        tables[name] = cc.pair_table(P, Q, family=family, t_norm=t_norm, **options)
    return cc.Comparison(
        kinds=(P.kind, Q.kind),
        n_clusters=(P.n_clusters, Q.n_clusters),
        n_objects=P.n_objects,
        concordance=agreement,
        tables=tables,
    )


def warn_of_long_work(
    pairs: Iterable[tuple[Given, Given]], wanted: Wanted, *, quiet: bool
) -> None:
    """
    Say how long visiting all pairs of objects takes, if it is long, and what is short.

    Parameters
    ----------
    pairs : iterable of two Given
        Which partitions are compared.
    wanted : Wanted
        What to compute of each two of them.
    quiet : bool
        Whether to keep it.
    """
    said = wanted.algorithm
    if said["tol"] is not None or said["method"] == "sampled" or said["jobs"] == 0:
        return  # of which the last is refused later
    seconds = sum(_seconds(P.partition, Q.partition, wanted) for P, Q in pairs)
    seconds /= effective_n_jobs(said["jobs"])
    if seconds > _LONG:
        warn(
            f"visiting all pairs of objects will take some {_roughly(seconds)}; --tol "
            "0.001 estimates everything from a sample of them, with its error, and "
            "--jobs -1 uses all cores",
            quiet=quiet,
        )


def _roughly(seconds: float) -> str:
    if seconds < 5400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.0f} hours"


def _seconds(P: Partition, Q: Partition, wanted: Wanted) -> float:
    """Estimate how long one core visits all pairs of objects."""
    n_pairs = P.n_objects * (P.n_objects - 1) // 2
    once = n_pairs * seconds_per_pair(P.n_clusters + Q.n_clusters)
    if once < _SHORT or P.kind == Q.kind == "crisp":
        return 0.0
    # Imported here: they import compiled code, which little work does without.
    from concordant.agreement.plan import DEFAULT_BUDGET, choose
    from concordant.streams.accumulator import ONE_PASS

    definitions = _definitions(P, Q, wanted) if wanted.statistics else ()
    n_visits = sum(family not in ONE_PASS for family, _ in definitions)
    if wanted.agreements and "possibilistic" not in (P.kind, Q.kind):
        n_visits += choose(P, Q, DEFAULT_BUDGET) == "binned"
    return n_visits * once


def agreement_options(wanted: Wanted, progress: Progress) -> dict[str, Any]:
    """
    Give the keywords for `concordant.concordance`.

    Parameters
    ----------
    wanted : Wanted
        What was said of the algorithm.
    progress : callable
        Told how far it has come.

    Returns
    -------
    dict
        Only what was said.
    """
    said = {
        "method": wanted.algorithm["method"],
        "n_permutations": wanted.algorithm["permutations"],
    }
    return _shared_options(wanted, progress) | _only_said(said)


def table_options(wanted: Wanted, progress: Progress) -> dict[str, Any]:
    """
    Give the keywords for `concordant.pair_table`.

    Parameters
    ----------
    wanted : Wanted
        What was said of the algorithm.
    progress : callable
        Told how far it has come.

    Returns
    -------
    dict
        Only what was said, and a method only if tables have it: what is special to
        NDC and ACI leaves them as they are.
    """
    method = wanted.algorithm["method"]
    said = {"method": method if method in get_args(TableMethod) else None}
    return _shared_options(wanted, progress) | _only_said(said)


def _shared_options(wanted: Wanted, progress: Progress) -> dict[str, Any]:
    said = {
        "tol": wanted.algorithm["tol"],
        "n_jobs": wanted.algorithm["jobs"],
        "engine": wanted.algorithm["engine"],
        "random_state": wanted.algorithm["seed"],
        "checkpoint": wanted.algorithm["checkpoint"],
        "progress": progress,
    }
    return _only_said(said)


def _only_said(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in said.items() if value is not None}


def _definitions(
    P: Partition, Q: Partition, wanted: Wanted
) -> Iterator[tuple[Family, TNorm | None]]:
    """Give the families and t-norms of the wanted tables."""
    for family in wanted.families or families_for(P, Q):
        choices: tuple[TNorm | None, ...] = FAMILIES[family].t_norms or (None,)
        if wanted.t_norm is None:
            yield from ((family, t_norm) for t_norm in choices)
        elif wanted.families or wanted.t_norm in choices:
            yield family, wanted.t_norm


def wanted_from(settings: dict[str, Any]) -> Wanted:
    """
    Take what is wanted out of the options of a command.

    Parameters
    ----------
    settings : dict
        The options, from which those of `Wanted` are removed.

    Returns
    -------
    Wanted
        What they say.

    Raises
    ------
    Fault
        If an option would change nothing.
    """
    algorithm = ("method", "tol", "permutations", "jobs", "seed")
    said = {name: settings.pop(name) for name in algorithm}
    said["checkpoint"] = settings.pop("checkpoint", None)
    said["engine"] = None
    if settings.pop("dask") is not None and said["jobs"] is not None:
        raise Fault("--jobs is for threads of this machine; leave it out with --dask")
    wanted = Wanted(
        indices=settings.pop("indices"),
        families=settings.pop("families"),
        t_norm=settings.pop("t_norm"),
        algorithm=said,
    )
    if (wanted.families or wanted.t_norm) and not wanted.statistics:
        raise Fault(
            "--family and --t-norm are for --index "
            f"{', '.join(STATISTICS[:-1])} or {STATISTICS[-1]}"
        )
    if said["permutations"] is not None and said["method"] != "permutations":
        raise Fault("--permutations is for --method permutations")
    return wanted
