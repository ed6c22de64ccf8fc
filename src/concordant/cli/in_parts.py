"""Two files larger than memory are compared in one pass."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from concordant.catalogue import (
    FREE_SUMS,
    INDICES,
    OF_PAIRS,
    Kind,
    families_of_kinds,
)
from concordant.cli.faults import Fault, fault_of, warn
from concordant.cli.inputs import Described
from concordant.cli.measuring import Asked
from concordant.cli.progress_bar import progress_bar
from concordant.comparison import Comparison, Wanted
from concordant.errors import OPTIONS
from concordant.execution.engine import Threads
from concordant.files.formats import form_of
from concordant.files.partitions import part_of_partition
from concordant.files.parts import (
    can_be_read_in_parts,
    open_in_parts,
    parts_of_both,
)
from concordant.files.table import Table
from concordant.partition.alignment import Align
from concordant.partition.partition import Noise, Partition
from concordant.storage.memory import memory
from concordant.wording import called

_SHARE = 4  # of the memory that files may take to be read at once
_SMALL = 64  # times smaller than memory: too small to be looked at

_NOISE = (
    "objects with the label -1 are counted as a cluster like any other; --noise drop "
    "leaves them out, with --no-stream"
)
_ROUNDED = (
    "memberships are rounded: rows do not sum to 1, and are used as they are; "
    "--normalize divides them by their sums, with --no-stream"
)
_COLUMN = 'what is missing from 1 in each row is the cluster "noise"'
_AT_ONCE = [
    *("column", "columns", "transpose", "missing", "labels_as_text", "normalize"),
    *("ids", "run", "common", "groups"),
]


def are_larger_than_memory(files: Sequence[str]) -> bool:
    """Return whether files that can be read in parts take a quarter of the memory."""
    available = memory()
    if available is None or not all(os.path.isfile(file) for file in files):
        return False
    if not all(can_be_read_in_parts(file) for file in files):
        return False
    # Columns that are compressed may be a thousand times larger than their file.
    compressed = any(form_of(file) != "npy" for file in files)
    size = sum(os.path.getsize(file) for file in files)
    if size * _SMALL < available and not compressed:
        return False
    needed = sum(open_in_parts(file, id_column=0).n_bytes for file in files)
    return needed * _SHARE > available


def compare_in_parts(
    p: str,
    q: str,
    asked: Asked,
    *,
    quiet: bool,
    id_column: str | None,
    noise: Sequence[Noise],
    kind: Kind | None,
    **settings: Any,
) -> tuple[Comparison, Align, list[Described]]:
    """
    Compare two files in one pass, with how objects were matched and what was read.

    The comparison has the wanted tables only, and the concordance if it is wanted and
    takes one pass; options and indices that take more are refused. Settings for text
    files and archives change nothing here.
    """
    for option in _options_that_need_all(asked, noise, settings):
        raise Fault(
            f"{option} needs all objects at once, not a part at a time; leave it out, "
            "or give --no-stream"
        )
    for file in (p, q):
        if not can_be_read_in_parts(file):
            raise Fault(
                f"{called(file)}: only Parquet, Arrow, Feather and .npy files can be "
                "read a part at a time; leave out --stream"
            )
    P, Q = files = [open_in_parts(file, id_column=id_column) for file in (p, q)]
    column = "column" in noise
    if (kind or column) and P.holds_labels and Q.holds_labels:
        option = f"--kind {kind}" if kind else "--noise column"
        raise Fault(f"{option} is for memberships, but all files hold labels")
    noticed: tuple[set[str], set[str]] = (set(), set())

    def chunks() -> Iterator[tuple[Partition, Partition]]:
        for p, q in parts_of_both(P, Q):
            yield (
                _partition(p, kind, column, noticed[0]),
                _partition(q, kind, column, noticed[1]),
            )

    kinds = [None if file.holds_labels else kind for file in files]
    try:
        comparison, hold_noise = _summed(chunks(), kinds, P.n_rows, asked, quiet=quiet)
    except (ValueError, TypeError) as error:
        raise fault_of(error, [file.source for file in files]) from error
    _warn_of_what_is_left_out(comparison, asked.wanted, quiet=quiet)
    for remarks, is_noisy in zip(noticed, hold_noise, strict=True):
        remarks.update([_NOISE] if is_noisy else [])
    about = zip(files, comparison.kinds, comparison.n_clusters, noticed, strict=True)
    described = [
        Described(
            *(file.source, kind, file.n_rows, n_clusters),
            *(file.understood, file.n_rows, tuple(sorted(remarks))),
        )
        for file, kind, n_clusters, remarks in about
    ]
    # Ids, if both have them, were found to be equal.
    return comparison, "index" if P.has_ids and Q.has_ids else "position", described


def _partition(
    table: Table, kind: Kind | None, column: bool, noticed: set[str]
) -> Partition:
    """Make a partition of a part, and add what is to be said of the whole."""
    if len(table.columns) == 1:
        return part_of_partition(table, warn=False)
    part = part_of_partition(
        table,
        kind=kind if kind in FREE_SUMS else None,
        noise="column" if column else None,
        warn=False,
    )
    if part.remarks:
        noticed.add(_COLUMN if column else _ROUNDED)
    return part


def _options_that_need_all(
    asked: Asked, noise: Sequence[Noise], settings: dict[str, Any]
) -> Iterator[str]:
    for name in ("method", "similarity", "null", "n_permutations", "checkpoint"):
        if name in asked.keywords:
            yield OPTIONS[name]
    if asked.wanted.interval is not None:
        yield "--interval"
    if asked.wanted.test:
        yield "--test"
    if asked.dask:
        yield "--dask"
    for name in _AT_ONCE:
        if settings.get(name) not in (None, False, (), []):
            yield f"--{name.replace('_', '-')}"
    for policy in noise:
        if policy in ("singletons", "drop"):
            yield f"--noise {policy}"


def _summed(
    chunks: Iterator[tuple[Partition, Partition]],
    kinds: Sequence[Kind | None],
    n_objects: int,
    asked: Asked,
    *,
    quiet: bool,
) -> tuple[Comparison, tuple[bool, bool]]:
    """Compute what is wanted in one pass, and whether labels of each side hold -1."""
    from concordant.streams.accumulator import Accumulator
    from concordant.streams.streaming import summed

    wanted, tol = asked.wanted, asked.keywords.get("tol")
    n_jobs = asked.keywords.get("n_jobs")
    accumulator = Accumulator(
        kinds=(kinds[0], kinds[1]),
        families=wanted.families if wanted.statistics else (),
        indices=wanted.indices or wanted.besides,
        tol=tol,
        random_state=asked.keywords["random_state"],
    )
    with progress_bar(quiet=quiet) as tell:
        for n_seen in summed(accumulator, chunks, Threads(n_jobs)):
            tell(n_seen / n_objects, "reading")
            if accumulator.n_chunks == 1:  # what takes more is refused at once
                known = wanted if tol is None else _without_estimates(wanted)
                _check_one_pass(accumulator.result(known), known)
        comparison = accumulator.result(wanted, n_jobs=n_jobs)
    _check_one_pass(comparison, wanted)
    return comparison, accumulator.hold_noise


def _warn_of_what_is_left_out(
    comparison: Comparison, wanted: Wanted, *, quiet: bool
) -> None:
    if _needs_estimate(comparison):
        warn(
            "--tol 0.001 estimates NDC and ACI, with their errors, from a sample of "
            "the objects",
            quiet=quiet,
        )
    if wanted.families or not wanted.statistics or {*comparison.kinds} == {"crisp"}:
        return
    there = {table.family for table in comparison.tables.values()}
    missing = [x for x in families_of_kinds(*comparison.kinds) if x not in there]
    if missing:
        warn(
            f"{' and '.join(missing)} need all pairs of objects and are left out; "
            "--no-stream computes them",
            quiet=quiet,
        )


def _needs_estimate(comparison: Comparison) -> bool:
    """Return whether NDC and ACI are defined, but not there."""
    left_out = bool(comparison.why_no_concordance)
    return left_out and not FREE_SUMS & {*comparison.kinds}


def _without_estimates(wanted: Wanted) -> Wanted:
    """Leave out what is estimated at the end, if it takes pairs of objects."""
    exact = [
        name
        for name in wanted.all_indices
        if name not in wanted.besides and not OF_PAIRS & {*INDICES[name].terms}
    ]
    return replace(wanted, indices=(*exact, *wanted.statistics))


def _check_one_pass(comparison: Comparison, wanted: Wanted) -> None:
    """Refuse what was asked for by name and takes more."""
    for name in wanted.all_indices if wanted.indices else ():
        if name not in comparison.scores:
            why = comparison.why_no_concordance or "takes more than one pass"
            if _needs_estimate(comparison):
                why += "; --tol 0.001 estimates them from a sample of the objects"
            raise Fault(f"--index {name}: {why}")
    if wanted.t_norm is not None and {*comparison.kinds} != {"crisp"}:
        raise Fault(
            "--t-norm is for families that need all pairs of objects; leave it out, or "
            "give --no-stream"
        )
