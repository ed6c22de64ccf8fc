"""The indices that a command is asked for, of two partitions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from concordant.catalogue import FAMILIES, INDICES, STATISTICS
from concordant.cli.faults import Fault, fault_of, warn
from concordant.cli.inputs import Given
from concordant.cli.progress_bar import Tell, step
from concordant.comparison import Comparison, Wanted
from concordant.execution.engine import effective_n_jobs
from concordant.execution.progress import Progress
from concordant.execution.run import Run
from concordant.pairs.bands import seconds_per_pair
from concordant.partition.alignment import Align
from concordant.partition.partition import Partition

_LONG = 300.0  # seconds of work that one is told of before it begins
_SHORT = 0.01  # seconds that nobody need estimate
_INTERVAL = 2.0  # times the time that pairs take, for means over those of each object
_TABLE = 0.4  # of the time that a pair takes, for each table beside


@dataclass(frozen=True)
class Asked:
    """
    What to compute, and how.

    `algorithm` is what was said of it: ``method``, ``tol``, ``similarity``, ``null``,
    ``permutations``, ``jobs``, ``seed`` and ``checkpoint``, and the ``engine``; None
    where nothing was.
    """

    wanted: Wanted
    algorithm: Mapping[str, Any]

    def keywords(self, progress: Progress) -> dict[str, Any]:
        """Give the keywords for `compare_wanted`: only what was said."""
        said = {
            "method": self.algorithm["method"],
            "similarity": self.algorithm["similarity"],
            "null": self.algorithm["null"],
            "n_permutations": self.algorithm["permutations"],
            "tol": self.algorithm["tol"],
            "n_jobs": self.algorithm["jobs"],
            "engine": self.algorithm["engine"],
            "random_state": self.algorithm["seed"],
            "checkpoint": self.algorithm["checkpoint"],
        }
        only = {name: value for name, value in said.items() if value is not None}
        return only | {"progress": progress}


def measure(
    P: Given,
    Q: Given,
    align: Align,
    asked: Asked,
    tell: Tell,
    *,
    store: dict[Any, Any] | None = None,
) -> Comparison:
    """Compute what is asked of two partitions, as `concordant.compare` does."""
    # Imported here: it imports NumPy, which a fault in the options does without.
    from concordant.measures.comparing import compare_wanted

    try:
        return compare_wanted(
            P.partition,
            Q.partition,
            asked.wanted,
            align=align,
            store=store,
            **asked.keywords(step(tell, 0, 1, "comparing")),
        )
    except (ValueError, TypeError, MemoryError) as error:
        raise fault_of(error, [P.name, Q.name]) from error


def warn_of_long_work(
    pairs: Iterable[tuple[Given, Given]], asked: Asked, *, quiet: bool
) -> None:
    """Say how long visiting all pairs of objects takes, if it is long."""
    said = asked.algorithm
    if said["tol"] is not None or said["method"] == "sampled" or said["jobs"] == 0:
        return  # of which the last is refused later
    seconds = sum(_seconds(P.partition, Q.partition, asked.wanted) for P, Q in pairs)
    seconds /= effective_n_jobs(said["jobs"])
    if seconds > _LONG:
        warn(
            f"visiting all pairs of objects will take about {_roughly(seconds)}; --tol "
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
    from concordant.ways import takes_long, way_of

    terms = wanted.terms_for(P.kind, Q.kind)
    visits = 0.0
    if wanted.families is not None or not takes_long(P, Q):
        families = (name.split()[0] for name in wanted.tables_for(P.kind, Q.kind))
        visits += _TABLE * sum(bool(FAMILIES[family].values) for family in families)
    if {"concordance", "discordance"} & {*terms}:
        visits += way_of(P, Q, Run()) == "binned"
    if wanted.interval is not None and P.kind == Q.kind == "fuzzy":
        visits += _INTERVAL
    return visits * once


def asked_by(settings: dict[str, Any]) -> Asked:
    """Take what is asked for out of the options of a command."""
    algorithm = ("method", "tol", "similarity", "null", "permutations", "jobs", "seed")
    said = {name: settings.pop(name) for name in algorithm}
    said["checkpoint"] = settings.pop("checkpoint", None)
    said["engine"] = None
    if settings.pop("dask") is not None and said["jobs"] is not None:
        raise Fault("--jobs is for threads of this machine; leave it out with --dask")
    indices, families = settings.pop("indices"), settings.pop("families")
    try:
        wanted = Wanted(
            None if "all" in indices else indices or None,
            families or None,
            settings.pop("t_norm"),
            settings.pop("interval", None),
            settings.pop("test", False),
            tuple(INDICES) if "all" in indices else (),
        )
    except ValueError as error:
        raise fault_of(error) from error
    if (wanted.families or wanted.t_norm) and not wanted.statistics:
        *most, last = STATISTICS
        raise Fault(
            f"--family and --t-norm are for --index {', '.join(most)} or {last}"
        )
    if said["permutations"] is not None and said["method"] != "permutations":
        raise Fault("--permutations is for --method permutations")
    return Asked(wanted, said)
