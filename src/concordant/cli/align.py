"""The command that gives the clusters of many partitions the same order."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concordant.cli import options
from concordant.cli.faults import Fault, fault_of
from concordant.cli.output import Document, check_places, deliver
from concordant.printing import short
from concordant.wording import called, count

if TYPE_CHECKING:
    from concordant.cli.inputs import Given
    from concordant.many.aligned import AlignedClusters
    from concordant.partition.alignment import Align

_VERSION = 1
_KEPT = (".csv", ".tsv", ".tab", ".parquet", ".pq")  # ends of names as written


@click.command()
@options.many_files
@click.option(
    "--reference",
    metavar="FILE",
    help="One of the files, whose order of clusters the others follow.  [default: the "
    "first of those with most clusters]",
)
@click.option(
    "--plot",
    type=click.Path(),
    metavar="FILE",
    help="Draw the structure plot, a row of bars for each file with the same colours: "
    ".png, .svg or .pdf.",
)
@options.reading_options
@options.partition_options
@click.option("--json", "form", flag_value="json", help="Print the orders as JSON.")
@click.option("--csv", "form", flag_value="csv", help="Print the orders as CSV.")
@click.option(
    "--out",
    "-o",
    type=click.Path(),
    metavar="FOLDER",
    help="Where to write the relabelled memberships, each in a file of the same name: "
    ".Q, CSV, TSV or Parquet as before, other formats as CSV.",
)
def align(
    files: Sequence[str],
    reference: str | None,
    plot: str | None,
    form: str | None,
    out: str | None,
    **settings: Any,
) -> None:
    """
    Give the clusters of many partitions the same order.

    All of them are relabelled together, so that memberships of the same clusters are in
    the same columns. G' and H' of CLUMPP say how near they then are.

    \b
    Examples:
      concordant align run*.Q --out aligned/
      concordant align run*.Q --plot bars.png
      concordant align K3.csv K4.csv K5.csv --reference K5.csv --json
    """
    from concordant.cli.inputs import alignment, read_given

    if len(files) < 2:
        raise click.UsageError(
            "at least two files are needed, or two runs of one, as FILE#1 FILE#2"
        )
    options.check_picture(plot)
    if reference is not None and reference not in files:
        raise click.BadParameter(
            f"{reference!r} is none of the files", param_hint="--reference"
        )
    places = _places(files, out)
    check_places(files, plot=plot)
    for place in places:
        check_places(files, out=place)
    given = read_given(files, **settings)
    matched = alignment(given)
    found = _aligned(given, matched, reference)
    if out is not None:
        _write(found, places)
    if plot is not None:
        _draw(plot, found)
    deliver(_document(given, matched, found, places), form=form, out=None)


def _aligned(
    given: "Sequence[Given]", matched: "Align", reference: str | None
) -> "AlignedClusters":
    from concordant.many.aligned import align_clusters

    try:
        return align_clusters(
            [g.partition for g in given],
            None if reference is None else called(reference),
            names=[g.name for g in given],
            align=matched,
        )
    except (ValueError, TypeError, MemoryError) as error:
        raise fault_of(error) from error


def _places(files: Sequence[str], out: str | None) -> list[str]:
    """Return where each file is written, or nothing if none is."""
    if out is None:
        return []
    if os.path.lexists(out) and not os.path.isdir(out):
        raise Fault(f"--out {called(out)}: is not a folder")
    places: dict[str, str] = {}
    for file in files:
        path, _, run = file.partition("#")
        name = Path(path).name if path != "-" else "standard_input"
        stem, end = os.path.splitext(name)
        end = end if end == ".Q" or end.casefold() in _KEPT else ".csv"
        place = os.path.join(out, f"{stem}{'-' * bool(run)}{run}{end}")
        if place in places:
            raise Fault(
                f"--out {called(out)}: {called(places[place])} and {called(file)} "
                "would be written to the same file; rename one of them"
            )
        places[place] = file
    return [*places]


def _write(found: "AlignedClusters", places: Sequence[str]) -> None:
    from concordant.files import write_table
    from concordant.partition.naming import printed

    try:
        os.makedirs(Path(places[0]).parent, exist_ok=True)
    except OSError as error:
        folder = called(Path(places[0]).parent)
        raise Fault(
            f"--out {folder}: cannot be made: {error.strerror or error}"
        ) from error
    for place, partition in zip(places, found.partitions, strict=True):
        names = [printed(cluster) for cluster in partition.clusters]
        if partition._clusters is None:
            names = [f"cluster_{number}" for number in range(1, len(names) + 1)]
        write_table(place, partition.memberships, names=names, ids=partition.ids)


def _draw(path: str, found: "AlignedClusters") -> None:
    from concordant.plot.panels import structure
    from concordant.plot.picture import write_picture

    write_picture(path, structure(found))


def _document(
    given: "Sequence[Given]",
    matched: "Align",
    found: "AlignedClusters",
    places: Sequence[str],
) -> Document:
    """Make a document of the orders: the same input gives the same bytes."""
    from concordant.cli.inputs import matched_by

    K = found.n_clusters
    numbers = [f"{column}" for column in range(1, K + 1)]
    orders = [[int(c) + 1 or None for c in order] for order in found.orders]
    return Document(
        json={
            "schema": "concordant/align",
            "version": _VERSION,
            "matched_by": matched_by(matched),
            "partitions": [g.to_dict() for g in given],
            "written": [*places],
            "orders": orders,
            "similarity": found.similarity.tolist(),
            "mean_similarity": found.mean_similarity,
        },
        header=("file", *numbers),
        rows=[(g.name, *order) for g, order in zip(given, orders, strict=True)],
        lines=[
            f"{count(len(given), 'partition')} of "
            f"{count(found.partitions[0].n_objects, 'object')}, matched by "
            f"{matched_by(matched)}: H' {short(found.mean_similarity)}",
            *(f"written: {called(place)}" for place in places),
        ],
        sheets=[
            (
                ("column of file", *numbers),
                [
                    (g.name, *("-" if c is None else f"{c}" for c in order))
                    for g, order in zip(given, orders, strict=True)
                ],
            )
        ],
    )
