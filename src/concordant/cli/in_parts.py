"""Two files larger than memory are compared in one pass."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import click
from click.core import ParameterSource

from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import families_of_kinds
from concordant.catalogue.records import FREE_SUMS
from concordant.catalogue.terms import OF_PAIRS
from concordant.cli.faults import Fault, warn
from concordant.cli.inputs import check_any, holds_labels, partitions_of
from concordant.cli.output import Described, GivenFiles
from concordant.cli.progress_bar import progress_bar
from concordant.comparison import Comparison, Wanted
from concordant.execution.engine import Threads
from concordant.files.formats import form_in_parts, open_in_parts, parts_of_both
from concordant.partition.partition import Partition
from concordant.storage.memory import memory
from concordant.streams.accumulator import Accumulator, summed
from concordant.wording import called

_SHARE = 4  # of the memory that files may take to be read at once
_BYTES = 16  # that a number takes: once as it is read, once in a partition
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
#: Options that hold for parts, and those for text files and archives, which change
#: nothing here.
_OF_PARTS = {
    *("p", "q", "in_parts", "indices", "families", "t_norm", "tol", "n_jobs"),
    *("random_state", "id_column", "noise", "kind", "form", "out", "quiet"),
    *("delimiter", "header", "array", "skip", "encoding"),
}


def are_larger_than_memory(files: Sequence[str]) -> bool:
    """Return whether files that can be read in parts take a quarter of the memory."""
    available = memory()
    if available is None or not all(os.path.isfile(file) for file in files):
        return False
    forms = [*map(form_in_parts, files)]
    if not all(forms):
        return False
    # Columns that are compressed may be a thousand times larger than their file.
    compressed = {*forms} != {"npy"}
    size = sum(os.path.getsize(file) for file in files)
    if size * _SMALL < available and not compressed:
        return False
    opened = [open_in_parts(file, id_column=0) for file in files]
    needed = sum(file.n_rows * len(file.first.columns) * _BYTES for file in opened)
    return needed * _SHARE > available


def compare_in_parts(
    files: Sequence[str],
    wanted: Wanted,
    how: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> tuple[Comparison, GivenFiles]:
    """
    Compare two files in one pass.

    The comparison has the wanted tables only, and the concordance if it is wanted and
    takes one pass; options and indices that take more are refused.
    """
    _check_options(settings["noise"])
    opened = P, Q = [
        open_in_parts(file, id_column=settings["id_column"]) for file in files
    ]
    kind, labelled = settings["kind"], [holds_labels(file.first) for file in opened]
    if kind:
        check_any(f"--kind {kind}", labelled, labels=False)
    # Whether a part is crisp or fuzzy says nothing of the whole.
    of_parts = {**settings, "kind": kind if kind in FREE_SUMS else None}
    noticed: list[tuple[str, ...]] = [(), ()]

    def chunks() -> Iterator[tuple[Partition, Partition]]:
        for tables in parts_of_both(P, Q):
            p, q = partitions_of(tables, (True, True), of_parts)
            for side, part in enumerate((p, q)):
                if part.remarks and not labelled[side]:
                    column = "column" in settings["noise"]
                    noticed[side] = (_COLUMN if column else _ROUNDED,)
            yield p, q

    kinds = [None if has else kind for has in labelled]
    accumulator = Accumulator(
        kinds=(kinds[0], kinds[1]),
        families=_families(wanted),
        indices=wanted.indices or wanted.besides,
        tol=how.get("tol"),
        random_state=how["random_state"],
    )
    n_jobs = how.get("n_jobs")
    with progress_bar(P.source, Q.source) as tell:
        for n_seen in summed(accumulator, chunks(), Threads(n_jobs)):
            tell(n_seen / P.n_rows, "reading")
            if accumulator.n_chunks == 1:  # what takes more is refused at once
                known = _without_estimates(wanted, how)
                _check_one_pass(accumulator.result(known), known)
        comparison = accumulator.result(wanted, n_jobs=n_jobs)
    _warn_of_what_is_left_out(comparison, wanted)
    names = called(P.source), called(Q.source)
    comparison = replace(comparison, names=names)
    described = [
        Described(
            file.source,
            comparison.kinds[side],
            file.n_rows,
            comparison.n_clusters[side],
            file.first.summary(),
            (_NOISE,) if accumulator.hold_noise[side] else noticed[side],
            file.n_rows,
        )
        for side, file in enumerate(opened)
    ]
    # Ids, if both have them, were found to be equal.
    have_ids = P.first.ids is not None and Q.first.ids is not None
    return comparison, GivenFiles(described, "id" if have_ids else "position")


def _families(wanted: Wanted) -> tuple[str, ...] | None:
    """Return the families that are wanted; None if all are that take one pass."""
    if not wanted.statistics:
        return ()
    return None if not isinstance(wanted.families, tuple) else wanted.families


def _check_options(noise: Sequence[str]) -> None:
    """Refuse those that the command was given and that are not for parts."""
    ctx = click.get_current_context()
    refused = [
        param.opts[0]
        for param in ctx.command.params
        if param.name not in _OF_PARTS
        and ctx.get_parameter_source(param.name or "") != ParameterSource.DEFAULT
    ]
    refused += [f"--noise {name}" for name in noise if name in ("singletons", "drop")]
    if refused:
        raise Fault(
            f"{refused[0]} needs all objects at once, not a part at a time; leave it "
            "out, or give --no-stream"
        )


def _without_estimates(wanted: Wanted, how: Mapping[str, Any]) -> Wanted:
    """Return what was asked for by name, without what is estimated at the end."""
    estimated = OF_PAIRS if "tol" in how else set()
    exact = (
        name
        for name in wanted.indices or ()
        if name not in INDICES or not estimated & {*INDICES[name].terms}
    )
    return replace(wanted, indices=tuple(exact))


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


def _warn_of_what_is_left_out(comparison: Comparison, wanted: Wanted) -> None:
    if _needs_estimate(comparison):
        warn(
            "--tol 0.001 estimates NDC and ACI, with their errors, from a sample of "
            "the objects"
        )
    if (
        wanted.names_families
        or not wanted.statistics
        or {*comparison.kinds} == {"crisp"}
    ):
        return
    there = {table.family for table in comparison.tables.values()}
    missing = [x for x in families_of_kinds(*comparison.kinds) if x not in there]
    if missing:
        warn(
            f"{' and '.join(missing)} need all pairs of objects and are left out; "
            "--no-stream computes them"
        )


def _needs_estimate(comparison: Comparison) -> bool:
    """Return whether NDC and ACI are defined, but not there."""
    left_out = bool(comparison.why_no_concordance)
    return left_out and not FREE_SUMS & {*comparison.kinds}
