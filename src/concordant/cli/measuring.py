"""What a command is asked to compute of two partitions, and how."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from concordant.catalogue import FAMILIES, INDICES, OF_PAIRS, STATISTICS
from concordant.cli import options
from concordant.cli.faults import Fault, fault_of, warn
from concordant.cli.inputs import Given
from concordant.cli.progress_bar import Tell, step
from concordant.comparison import Comparison, Wanted
from concordant.errors import listed
from concordant.execution.engine import effective_n_jobs
from concordant.execution.run import Run
from concordant.measures.comparing import compare_wanted
from concordant.pairs.bands import seconds_per_pair
from concordant.partition.alignment import Align
from concordant.partition.partition import Partition
from concordant.ways import takes_long, way_of

_KEYWORDS = (
    *("method", "tol", "similarity", "null", "n_permutations", "n_jobs"),
    *("random_state", "checkpoint"),
)
_LONG = 300.0  # seconds of work that one is told of before it begins
_SHORT = 0.01  # seconds that nobody need estimate
_INTERVAL = 2.0  # times the time that pairs take, for means over those of each object
_TABLE = 0.4  # of the time that a pair takes, for each table beside


@dataclass(frozen=True)
class Asked:
    """What to compute, the keywords of `compare` that were given, and where to run."""

    wanted: Wanted
    keywords: Mapping[str, Any]
    dask: str | None


def asked_by(settings: dict[str, Any]) -> Asked:
    """Take what is asked for out of the options of a command."""
    keywords = {
        name: value
        for name, value in options.taken(settings, _KEYWORDS).items()
        if value is not None
    }
    indices = settings.pop("indices")
    of_all = "all" in indices
    try:
        wanted = Wanted(
            None if of_all else indices or None,
            settings.pop("families") or None,
            settings.pop("t_norm"),
            settings.pop("interval", None),
            settings.pop("test", False),
            tuple(INDICES) if of_all else (),
        )
    except ValueError as error:
        raise fault_of(error) from error
    if (wanted.families or wanted.t_norm) and not wanted.statistics:
        names = listed([*STATISTICS])
        raise Fault(f"--family and --t-norm are for --index {names}")
    if "n_permutations" in keywords and keywords.get("method") != "permutations":
        raise Fault("--permutations is for --method permutations")
    dask = settings.pop("dask")
    if dask is not None and "n_jobs" in keywords:
        raise Fault("--jobs is for threads of this machine; leave it out with --dask")
    return Asked(wanted, keywords, dask)


@contextmanager
def running(asked: Asked) -> Iterator[Asked]:
    """Connect to the Dask scheduler, or start N workers for "local:N", if asked to."""
    if asked.dask is None:
        yield asked
        return
    try:
        from concordant.execution.dask_workers import connected
    except ImportError as error:
        raise Fault(f"--dask: {error}") from error
    with connected(asked.dask) as client:
        yield replace(asked, keywords={**asked.keywords, "engine": client})


def measure(P: Given, Q: Given, align: Align, asked: Asked, tell: Tell) -> Comparison:
    """Compute what is asked of two partitions, as `concordant.compare` does."""
    try:
        return compare_wanted(
            P.partition,
            Q.partition,
            asked.wanted,
            align=align,
            progress=step(tell, 0, 1, "comparing"),
            **asked.keywords,
        )
    except (ValueError, TypeError, MemoryError) as error:
        raise fault_of(error, [P.name, Q.name]) from error


def warn_of_long_work(
    pairs: Iterable[tuple[Given, Given]], asked: Asked, *, quiet: bool
) -> None:
    """Say how long visiting all pairs of objects takes, if it is long."""
    said = asked.keywords
    is_sampled = "tol" in said or said.get("method") == "sampled"
    if is_sampled or asked.dask or said.get("n_jobs") == 0:  # which is refused later
        return
    seconds = sum(_seconds(P.partition, Q.partition, asked.wanted) for P, Q in pairs)
    seconds /= effective_n_jobs(said.get("n_jobs"))
    if seconds > _LONG:
        minutes = seconds < 5400
        time = (
            f"{seconds / 60:.0f} minutes" if minutes else f"{seconds / 3600:.0f} hours"
        )
        warn(
            f"visiting all pairs of objects will take about {time}; --tol 0.001 "
            "estimates everything from a sample of them, with its error, and --jobs -1 "
            "uses all cores",
            quiet=quiet,
        )


def _seconds(P: Partition, Q: Partition, wanted: Wanted) -> float:
    """Estimate how long one core visits all pairs of objects."""
    n_pairs = P.n_objects * (P.n_objects - 1) // 2
    once = n_pairs * seconds_per_pair(P.n_clusters + Q.n_clusters)
    if once < _SHORT or P.kind == Q.kind == "crisp":
        return 0.0
    visits = 0.0
    if wanted.families is not None or not takes_long(P, Q):
        families = (name.split()[0] for name in wanted.tables_for(P.kind, Q.kind))
        visits += _TABLE * sum(bool(FAMILIES[family].values) for family in families)
    terms = wanted.terms_for(P.kind, Q.kind)
    if any(term.partition(" ")[0] in OF_PAIRS for term in terms):
        visits += way_of(P, Q, Run()) == "binned"
    if wanted.interval is not None and P.kind == Q.kind == "fuzzy":
        visits += _INTERVAL
    return visits * once
