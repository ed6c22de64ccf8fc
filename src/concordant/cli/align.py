"""The command that gives the clusters of many partitions the same order."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import concordant as cc
from concordant.cli import options
from concordant.cli.faults import Fault, told
from concordant.cli.output import Document, Given, check_places, deliver
from concordant.printing import short, table_lines
from concordant.wording import called

_KEPT = (".csv", ".tsv", ".tab", ".parquet", ".pq")  # ends of names as written


@click.command()
@options.many_files
@click.option(
    "--reference",
    metavar="FILE",
    help="One of the files, whose order of clusters the others follow.  [default: the "
    "first of those with the most clusters]",
)
@options.plot_option(
    "Draw the structure plot, a row of bars for each file with the same colours"
)
@options.reading_options
@options.partition_options
@options.output_options(
    "the orders",
    "Where to write the relabelled memberships, each in a file of the same name: .Q, "
    "CSV, TSV or Parquet as before, other formats as CSV.",
    metavar="FOLDER",
    type=click.Path(file_okay=False),
)
def align(
    files: Sequence[str],
    reference: str | None,
    plot: str | None,
    out: str | None,
    **settings: Any,
) -> None:
    """
    Give the clusters of many partitions the same order.

    All of them are relabelled together, so that corresponding clusters are in the same
    columns. G' and H' of CLUMPP say how close they then are.

    \b
    Examples:
      concordant align run*.Q --out aligned/
      concordant align run*.Q --plot bars.png
      concordant align K3.csv K4.csv K5.csv --reference K5.csv --json
    """
    from concordant.cli.inputs import read_given
    from concordant.partition.naming import printed

    if reference is not None and reference not in files:
        raise click.BadParameter(
            f"{reference!r} is not one of the files", param_hint="--reference"
        )
    places = _places(files, out)
    check_places(files, {"plot": plot})
    for place in places:
        check_places(files, {"out": place})
    given = read_given(files, settings)
    with told():
        found = cc.align_clusters(
            given.partitions,
            None if reference is None else called(reference),
            names=given.names,
            align=given.align,
        )
    if out is not None:
        os.makedirs(out, exist_ok=True)
    for place, partition in zip(places, found.partitions, strict=bool(places)):
        names = [printed(cluster) for cluster in partition.clusters]
        if partition._clusters is None:
            names = [f"cluster_{number}" for number in range(1, len(names) + 1)]
        memberships = partition.memberships
        cc.files.write_table(place, memberships, names=names, ids=partition.ids)
    if plot is not None:
        from concordant.plot.panels import structure
        from concordant.plot.picture import write_picture

        write_picture(plot, structure(found))
    deliver(_document(given, found, places), settings["form"])


def _places(files: Sequence[str], out: str | None) -> list[str]:
    """Return where each file is written, or nothing if none is."""
    if out is None:
        return []
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


def _document(
    given: Given, found: "cc.AlignedClusters", places: Sequence[str]
) -> Document:
    """Make a document of the orders: the same input gives the same bytes."""
    orders = [[int(c) + 1 or None for c in order] for order in found.orders]
    rows = [(name, *order) for name, order in zip(given.names, orders, strict=True)]
    cells = [["-" if cell is None else f"{cell}" for cell in row] for row in rows]
    numbers = [f"{column}" for column in range(1, found.n_clusters + 1)]
    n_objects = found.partitions[0].n_objects
    return Document(
        command="align",
        version=1,
        json={
            **given.to_dict(),
            "written": [*places],
            "orders": orders,
            "similarity": found.similarity.tolist(),
            "mean_similarity": found.mean_similarity,
        },
        header=("file", *numbers),
        rows=rows,
        lines=[
            f"{len(rows)} partitions of {given.matched(n_objects)}: "
            f"H' {short(found.mean_similarity)}",
            *(f"written: {called(place)}" for place in places),
            *("", *table_lines(("column of file", *numbers), cells)),
        ],
    )
