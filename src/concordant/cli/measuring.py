"""What a command is asked to compute of two partitions, and how."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import concordant as cc
from concordant.catalogue.families import FAMILIES
from concordant.catalogue.indices import INDICES
from concordant.catalogue.terms import OF_PAIRS
from concordant.cli import options
from concordant.cli.faults import Fault, warn
from concordant.cli.output import GivenFiles
from concordant.cli.progress_bar import Tell, progress_of
from concordant.comparison import Wanted
from concordant.compute import seconds_of_pairs, takes_long, way_of
from concordant.execution.engine import Threads
from concordant.execution.run import Run
from concordant.many.every_pair import LEAST_SHARE
from concordant.partition.partition import Partition
from concordant.wording import duration

_KEYWORDS = (
    *("tol", "similarity", "null", "n_jobs", "random_state", "checkpoint", "dask"),
)
_LONG = 120.0  # seconds of work that one is told of before it begins
_SHORT = 0.01  # seconds that nobody need estimate


def asked_by(settings: Mapping[str, Any]) -> tuple[Wanted, dict[str, Any]]:
    """Return what to compute, and keywords of how, from the options of a command."""
    how = options.taken(settings, _KEYWORDS)
    indices = settings["indices"]
    of_all = "all" in indices
    families = settings["families"]
    wanted = Wanted(
        None if of_all else indices or None,
        "all" if "all" in families else families or None,
        settings["t_norm"],
        settings.get("interval"),
        settings.get("test", False),
        tuple(INDICES) if of_all else (),
    )
    if "dask" in how and "n_jobs" in how:
        raise Fault("--jobs is for threads of this machine; leave it out with --dask")
    return wanted, how


@contextmanager
def running(how: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Connect to the Dask scheduler, or start N workers for "local:N", if asked to."""
    here = {**how}
    address = here.pop("dask", None)
    if address is None:
        yield here
    else:
        from concordant.execution.dask_workers import connected

        with connected(address) as client:
            yield {**here, "engine": client}


def agreed(given: GivenFiles, tell: Tell, **how: Any) -> cc.Agreement:
    """Compare all pairs of the partitions of files, by one index."""
    found = cc.agreement(
        given.partitions,
        names=given.names,
        match_by=given.match_by,
        progress=progress_of(tell, "comparing all pairs"),
        **how,
    )
    return replace(found, names=tuple(given.titles))


def warn_of_long_work(
    pairs: Iterable[tuple[Partition, Partition]],
    wanted: Wanted,
    how: Mapping[str, Any],
) -> None:
    """Say how long visiting all pairs of objects takes at least, if it is long."""
    if "tol" in how or "dask" in how:
        return
    engine = Threads(how.get("n_jobs"))
    run = Run(engine=engine)
    each = ((seconds_of_pairs(P, Q, run), P, Q) for P, Q in pairs)
    times = [
        time
        for time, P, Q in each
        if time > _SHORT and _visits_all_pairs(P, Q, wanted, run)
    ]
    are_together = {*wanted.terms_for("fuzzy", "fuzzy")} <= OF_PAIRS
    seconds = sum(times) * (LEAST_SHARE if are_together and len(times) > 1 else 1.0)
    if seconds > _LONG:
        cores = ", and --jobs -1 uses all cores" if engine.n_threads == 1 else ""
        warn(
            f"visiting all pairs of objects will take {duration(seconds)} or more; "
            "--tol 0.001 estimates everything from a sample of them, with its "
            f"error{cores}"
        )


def _visits_all_pairs(P: Partition, Q: Partition, wanted: Wanted, run: Run) -> bool:
    """Return whether something that is wanted has no shorter way."""
    if P.kind == Q.kind == "crisp":
        return False
    if wanted.names_families or not takes_long(P, Q):
        tables = wanted.tables_for(P.kind, Q.kind)
        if any(FAMILIES[table.of].values for table in tables):
            return True
    terms = wanted.terms_for(P.kind, Q.kind)
    return any(term.is_of_values for term in terms) and way_of(P, Q, run) == "binned"
