"""Two files larger than memory are compared in one pass."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from concordant.catalogue import FAMILIES, families_of_kinds, table_name
from concordant.cli.faults import Fault, reworded, warn
from concordant.cli.inputs import Described
from concordant.cli.measuring import Wanted
from concordant.cli.options import AGREEMENTS
from concordant.cli.progress_bar import Tell
from concordant.comparison import Comparison
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
from concordant.storage.file_error import FileError
from concordant.storage.memory import memory

_SHARE = 4  # of the memory that files may take to be read at once
_SMALL = 64  # times smaller than memory: too small to be looked at

_NOISE = (
    "objects with the label -1 are counted as a cluster like any other; --noise drop "
    "leaves them out, with --no-stream"
)
_AT_ONCE = ["column", "columns", "transpose", "missing", "labels_as_text", "normalize"]


@dataclass(frozen=True)
class Both:
    """
    Two files that are read together, and what was said of them.

    Parameters
    ----------
    P, Q : FileInParts
        The files.
    kind : str or None
        What memberships are.
    noise : {"column"} or None
        What becomes of what memberships lack to 1.
    """

    P: FileInParts
    Q: FileInParts
    kind: Kind | None
    noise: Noise | None

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
        """Give what a document tells of the two, and of noise among their labels."""
        p, q = (
            Described(
                file.source,
                kind,
                file.n_rows,
                n_clusters,
                file.understood,
                file.n_rows,
                (_NOISE,) if noisy else (),
            )
            for file, kind, n_clusters, noisy in zip(
                (self.P, self.Q),
                comparison.kinds,
                comparison.n_clusters,
                noise,
                strict=True,
            )
        )
        return p, q

    def chunks(self) -> Iterator[tuple[Partition, Partition]]:
        """Give partitions of the same objects, a part of all at a time."""
        for p, q in parts_of_both(self.P, self.Q):
            yield self._partition(p), self._partition(q)

    def _partition(self, table: Table) -> Partition:
        if len(table.columns) == 1:
            return part_of_partition(table, warn=False)
        kind = self.kind if self.kind == "possibilistic" else None
        return part_of_partition(table, kind=kind, noise=self.noise, warn=False)


def are_larger_than_memory(files: Sequence[str]) -> bool:
    """
    Tell whether files had better be read a part at a time.

    Parameters
    ----------
    files : sequence of str
        Paths, of which one may be ``"-"``.

    Returns
    -------
    bool
        Whether they can be, and would take more than a quarter of the memory.
    """
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
    wanted: Wanted,
    *,
    id_column: str | None,
    noise: Sequence[Noise],
    kind: Kind | None,
    dask: str | None,
    **settings: Any,
) -> Both:
    """
    Open two files to read them together.

    Parameters
    ----------
    p, q : str
        Their paths.
    wanted : Wanted
        What to compute, and how.
    id_column : str or None
        The column of ids.
    noise : sequence of str
        What becomes of noise.
    kind : str or None
        What memberships are.
    dask : str or None
        The cluster to run on.
    **settings
        Other options, of which some are for files that are read at once; those for
        text files and archives change nothing here.

    Returns
    -------
    Both
        The files.

    Raises
    ------
    Fault
        If an option does not go with it.
    """
    for name in ("method", "tol", "permutations", "checkpoint"):
        if wanted.algorithm[name] is not None:
            raise _does_not_go(f"--{name}")
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
    both: Both, wanted: Wanted, tell: Tell
) -> tuple[Comparison, tuple[bool, bool]]:
    """
    Compute what is wanted of two files in one pass.

    Parameters
    ----------
    both : Both
        The files.
    wanted : Wanted
        What to compute.
    tell : callable
        Whom to tell how far it has come.

    Returns
    -------
    tuple
        A comparison with the wanted tables only, and the concordance if it is wanted
        and takes one pass; and whether labels of P and Q hold -1.

    Raises
    ------
    Fault
        If what was asked for by name takes more than one pass.
    """
    from concordant.streams.accumulator import Accumulator
    from concordant.streams.streaming import summed

    families = (wanted.families or None) if wanted.statistics else ()
    try:
        accumulator = Accumulator(kinds=both.kinds, families=families)
        engine = Threads(wanted.algorithm["jobs"])
        for n_seen in summed(accumulator, both.chunks(), engine):
            tell(n_seen / both.P.n_rows, "reading")
            if accumulator.n_chunks == 1:
                _check_one_pass(accumulator.result(), wanted)
        return _only(accumulator.result(), wanted), accumulator.hold_noise
    except FileError:
        raise
    except (ValueError, TypeError) as error:
        names = [both.P.source, both.Q.source]
        raise Fault(reworded(str(error), names)) from error


def warn_of_what_is_left_out(
    comparison: Comparison, wanted: Wanted, *, quiet: bool
) -> None:
    """
    Tell which families take more than one pass.

    Parameters
    ----------
    comparison : Comparison
        What was computed.
    wanted : Wanted
        What was asked for.
    quiet : bool
        Whether to keep it.
    """
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


def _check_one_pass(comparison: Comparison, wanted: Wanted) -> None:
    asked = [name for name in AGREEMENTS if name in wanted.indices]
    if asked and comparison.concordance is None:
        raise ValueError(f"--index {asked[0]}: {comparison.why_no_concordance}")
    if wanted.t_norm is not None and {*comparison.kinds} != {"crisp"}:
        raise ValueError(
            "--t-norm is for families that take all pairs of objects; leave it out, or "
            "give --no-stream"
        )


def _only(comparison: Comparison, wanted: Wanted) -> Comparison:
    """Keep what is wanted."""
    tables = comparison.tables
    if wanted.t_norm is not None:
        names = {table_name(family, wanted.t_norm) for family in FAMILIES}
        tables = {name: tables[name] for name in tables if name in names}
    return Comparison(
        comparison.kinds,
        comparison.n_clusters,
        comparison.n_objects,
        comparison.concordance if wanted.agreements else None,
        tables,
    )


def _does_not_go(option: str) -> Fault:
    return Fault(
        f"{option} takes all objects at once, not a part at a time; leave it out, or "
        "give --no-stream"
    )
