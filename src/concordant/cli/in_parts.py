"""Two files larger than memory are compared in one pass."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from concordant.catalogue import INDICES, OF_PAIRS, families_of_kinds
from concordant.cli.faults import Fault, fault_of, warn
from concordant.cli.inputs import Described
from concordant.cli.measuring import Asked
from concordant.cli.progress_bar import Tell
from concordant.comparison import Comparison, Wanted
from concordant.execution.engine import Threads
from concordant.files.formats import form_of
from concordant.files.partitions import part_of_partition
from concordant.files.parts import (
    FileInParts,
    can_be_read_in_parts,
    open_in_parts,
    parts_of_both,
)
from concordant.files.table import Table
from concordant.partition.alignment import Align
from concordant.partition.partition import Kind, Noise, Partition
from concordant.storage.memory import memory

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
_COLUMN = "what rows lack to 1 is one more cluster"
_AT_ONCE = [
    *("column", "columns", "transpose", "missing", "labels_as_text", "normalize"),
    *("ids", "run", "common"),
]


@dataclass(frozen=True)
class Both:
    """
    Two files that are read together, and what was said of their memberships.

    What was noticed in them is added to `noticed`, by file, as chunks are read.
    """

    P: FileInParts
    Q: FileInParts
    kind: Kind | None
    noise: Noise | None
    noticed: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))

    @property
    def align(self) -> Align:
        """How objects are matched: ids, if both have them, were found to be equal."""
        return "index" if self.P.has_ids and self.Q.has_ids else "position"

    @property
    def kinds(self) -> tuple[Kind | None, Kind | None]:
        """What P and Q are, where that was said."""
        p, q = (None if file.holds_labels else self.kind for file in (self.P, self.Q))
        return p, q

    def described(
        self, comparison: Comparison, noise: tuple[bool, bool]
    ) -> tuple[Described, Described]:
        """Give what a document tells of the two when all chunks were read."""
        p, q = (
            Described(
                file.source,
                kind,
                file.n_rows,
                n_clusters,
                file.understood,
                file.n_rows,
                (*sorted(noticed), *((_NOISE,) if noisy else ())),
            )
            for file, kind, n_clusters, noisy, noticed in zip(
                (self.P, self.Q),
                comparison.kinds,
                comparison.n_clusters,
                noise,
                self.noticed,
                strict=True,
            )
        )
        return p, q

    def chunks(self) -> Iterator[tuple[Partition, Partition]]:
        """Give partitions of the same objects, a part of all at a time."""
        for p, q in parts_of_both(self.P, self.Q):
            yield (
                self._partition(p, self.noticed[0]),
                self._partition(q, self.noticed[1]),
            )

    def _partition(self, table: Table, noticed: set[str]) -> Partition:
        if len(table.columns) == 1:
            return part_of_partition(table, warn=False)
        kind = self.kind if self.kind == "possibilistic" else None
        part = part_of_partition(table, kind=kind, noise=self.noise, warn=False)
        if part.remarks:
            noticed.add(_ROUNDED if self.noise is None else _COLUMN)
        return part


def are_larger_than_memory(files: Sequence[str]) -> bool:
    """Tell whether files can be read in parts and take over a quarter of the memory."""
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


def open_both(
    p: str,
    q: str,
    asked: Asked,
    *,
    id_column: str | None,
    noise: Sequence[Noise],
    kind: Kind | None,
    dask: str | None,
    **settings: Any,
) -> Both:
    """
    Open two files to read them together, and refuse options that do not go with that.

    Of the settings some are for files that are read at once; those for text files and
    archives change nothing here.
    """
    for name in ("method", "similarity", "null", "permutations", "checkpoint"):
        if asked.algorithm[name] is not None:
            raise _does_not_go(f"--{name}")
    if asked.wanted.interval is not None:
        raise _does_not_go("--interval")
    if asked.wanted.test:
        raise _does_not_go("--test")
    if dask is not None:
        raise _does_not_go("--dask")
    for name in _AT_ONCE:
        if settings.get(name):
            raise _does_not_go(f"--{name.replace('_', '-')}")
    for policy in noise:
        if policy in ("singletons", "drop"):
            raise _does_not_go(f"--noise {policy}")
    for file in (p, q):
        if not can_be_read_in_parts(file):
            raise Fault(
                f"{'standard input' if file == '-' else file}: only Parquet, Arrow, "
                "Feather and .npy files can be read a part at a time; leave out "
                "--stream"
            )
    P, Q = (open_in_parts(file, id_column=id_column) for file in (p, q))
    for_memberships: Noise | None = "column" if "column" in noise else None
    if (kind or for_memberships) and P.holds_labels and Q.holds_labels:
        option = f"--kind {kind}" if kind else "--noise column"
        raise Fault(f"{option} is for memberships, but all files hold labels")
    return Both(P, Q, kind, for_memberships)


def measure_parts(
    both: Both, asked: Asked, tell: Tell
) -> tuple[Comparison, tuple[bool, bool]]:
    """
    Compute what is wanted of two files in one pass, and whether labels of each hold -1.

    The comparison has the wanted tables only, and the concordance if it is wanted and
    takes one pass; what was asked for by name and takes more is refused.
    """
    from concordant.streams.accumulator import Accumulator
    from concordant.streams.streaming import summed

    wanted, tol = asked.wanted, asked.algorithm["tol"]
    families = wanted.families if wanted.statistics else ()
    try:
        accumulator = Accumulator(
            kinds=both.kinds,
            families=families,
            indices=wanted.indices or wanted.besides,
            tol=tol,
            random_state=asked.algorithm["seed"],
        )
        engine = Threads(asked.algorithm["jobs"])
        for n_seen in summed(accumulator, both.chunks(), engine):
            tell(n_seen / both.P.n_rows, "reading")
            if accumulator.n_chunks == 1:
                known = wanted if tol is None else _without_estimates(wanted)
                _check_one_pass(accumulator.result(known), known)
        comparison = accumulator.result(wanted, n_jobs=asked.algorithm["jobs"])
        _check_one_pass(comparison, wanted)
        return comparison, accumulator.hold_noise
    except (ValueError, TypeError) as error:
        raise fault_of(error, [both.P.source, both.Q.source]) from error


def warn_of_what_is_left_out(
    comparison: Comparison, wanted: Wanted, *, quiet: bool
) -> None:
    """Tell what takes more than one pass."""
    if _needs_estimate(comparison):
        warn(
            "--tol 0.001 estimates NDC and ACI, with their errors, from a sample of "
            "the objects",
            quiet=quiet,
        )
    if wanted.families or not wanted.statistics:
        return
    p, q = comparison.kinds
    there = {table.family for table in comparison.tables.values()}
    missing = [
        family
        for family in families_of_kinds(p, q)
        if family not in there and {p, q} != {"crisp"}
    ]
    if missing:
        warn(
            f"{' and '.join(missing)} take all pairs of objects and are left out; "
            "--no-stream has them",
            quiet=quiet,
        )


def _needs_estimate(comparison: Comparison) -> bool:
    """Tell whether NDC and ACI are defined, but not there."""
    left_out = bool(comparison.why_no_concordance)
    return left_out and "possibilistic" not in comparison.kinds


def _without_estimates(wanted: Wanted) -> Wanted:
    """Leave out what is estimated at the end, if it takes pairs of objects."""
    exact = [
        name
        for name in wanted.all_indices
        if name not in wanted.besides and not OF_PAIRS & {*INDICES[name].terms}
    ]
    return replace(wanted, indices=(*exact, *wanted.statistics))


def _check_one_pass(comparison: Comparison, wanted: Wanted) -> None:
    missing = [
        name
        for name in (wanted.all_indices if wanted.indices else ())
        if name not in comparison.scores
    ]
    if missing:
        why = comparison.why_no_concordance or "takes more than one pass"
        if _needs_estimate(comparison):
            why += "; --tol 0.001 estimates them from a sample of the objects"
        raise Fault(f"--index {missing[0]}: {why}")
    if wanted.t_norm is not None and {*comparison.kinds} != {"crisp"}:
        raise Fault(
            "--t-norm is for families that take all pairs of objects; leave it out, or "
            "give --no-stream"
        )


def _does_not_go(option: str) -> Fault:
    return Fault(
        f"{option} takes all objects at once, not a part at a time; leave it out, or "
        "give --no-stream"
    )
