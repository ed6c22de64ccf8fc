"""The commands that relabel the clusters of many partitions jointly."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import concordant as cc
from concordant.cli import options, output
from concordant.cli.faults import Fault, told, warn
from concordant.printing import cut, printed, short, table_lines
from concordant.wording import called, count


@click.command()
@options.many_files
@options.option(
    "--reference FILE",
    "One of the files, whose order of clusters the others follow.  [default: the "
    "first of those with the most clusters]",
)
@options.plot_options(
    "Draw the structure plot, a row of bars for each file with the same colours",
    options.width_option,
)
@options.partition_options
@options.output_options(
    "the orders",
    "Where to write the relabelled memberships, each in a file of the same name: .Q, "
    "CSV, TSV or Parquet as before, other formats as CSV.",
    "--out, -o FOLDER",
    type=click.Path(file_okay=False),
)
def align(files: Sequence[str], reference: str | None, **settings: Any) -> None:
    """
    Give the clusters of many partitions the same order.

    All of them are relabelled together, so that corresponding clusters are in the same
    columns. G' and H' of CLUMPP say how close they then are.

    \b
    Examples:
      concordant align run*.Q --out aligned/
      concordant align run*.Q --plot bars.png --groups populations.txt
      concordant align run*.Q --plot bars.pdf --groups pop.txt --order CEU,YRI,CHB
      concordant align K3.csv K4.csv K5.csv --reference K5.csv --json
    """
    from concordant.cli.inputs import read_given

    out = settings["out"]
    given = read_given(files, settings, n_of_runs=len(files))
    if reference is not None and reference not in given.files:
        raise click.BadParameter(
            f"{reference!r} is not one of the files", param_hint="--reference"
        )
    places = [] if out is None else _places(given.files, out)
    output.check_places(files, settings | {"out": places})
    with told():
        found = cc.align_clusters(
            given.partitions,
            None if reference is None else called(reference),
            names=given.names,
            match_by=given.match_by,
        )
    if out is not None:
        named = [
            [f"cluster_{own + 1}" for own in order if own >= 0]
            if own_names is None
            else [*map(printed, each.clusters)]
            for own_names, each, order in zip(
                (each._clusters for each in given.partitions),
                found.partitions,
                found.orders,
                strict=True,
            )
        ]
        output.write_partitions(out, places, found.partitions, named)
    output.write_plot(settings, found.plot, names=given.titles, **given.labels)
    output.deliver(_document_of_orders(given, found, places), settings["form"])


def _places(files: Sequence[str], out: str) -> list[str]:
    """Return where in a folder each file is written."""
    from concordant.files.formats import place_and_run

    places: dict[str, str] = {}
    for file in files:
        path, run = place_and_run(file, None)
        name = Path(path).name if path != "-" else "standard_input"
        stem, number = os.path.splitext(name)[0], "" if run is None else f"-{run}"
        place = os.path.join(out, f"{stem}{number}{output.end_of(file)}")
        if place in places:
            raise Fault(
                f"--out {called(out)}: {called(places[place])} and {called(file)} "
                "would be written to the same file; rename one of them"
            )
        places[place] = file
    return [*places]


def _document_of_orders(
    given: output.GivenFiles, found: "cc.AlignedClusters", places: Sequence[str]
) -> output.Document:
    """Make a document of the orders: the same input gives the same bytes."""
    orders = [[int(c) + 1 or None for c in order] for order in found.orders]
    rows = [(name, *order) for name, order in zip(given.names, orders, strict=True)]
    cells = [["-" if cell is None else f"{cell}" for cell in row] for row in rows]
    numbers = [f"{column}" for column in range(1, found.n_clusters + 1)]
    n_objects = found.partitions[0].n_objects
    return output.Document(
        command="align",
        version=1,
        json={
            **given.to_dict(),
            "written": places,
            "orders": orders,
            "similarity": found.similarity.tolist(),
            "mean_similarity": found.mean_similarity,
        },
        header=("file", *numbers),
        rows=rows,
        lines=[
            f"{len(rows)} partitions of {given.matched(n_objects)}"
            f"{found.told_similarity(': ')}",
            *output.told_of_writing(places),
            *("", *table_lines(("column of file", *numbers), cut(cells))),
        ],
    )


@click.command()
@options.many_files
@options.option(
    "--loss",
    "What the consensus loses least by: squared distances of memberships after one "
    "joint relabelling (it is then their mean) or of co-memberships; or of draws, by "
    "labels, Binder's loss, the variation of information, or 1 - ACI.",
    type=click.Choice(("euclidean", "comembership", "binder", "vi", "aci")),
    default="euclidean",
)
@options.option(
    "--k K",
    "The number of clusters, for --loss comembership.  [default: the largest]",
    "n_clusters",
    type=options.COUNT,
)
@options.option(
    "--max-clusters K",
    "The most clusters, for --loss binder, vi and aci.  [default: any number]",
    type=options.COUNT,
)
@options.option(
    "--draws",
    "Take each row, or each column, of a single file as the labels of one partition.",
    type=click.Choice(("rows", "columns")),
)
@options.seed_option
@options.partition_options
@options.membership_options(
    "Where to write the memberships: CSV, or by the end of the name TSV (.tsv), "
    "Parquet (.parquet) or as ADMIXTURE does (.Q)."
)
def consensus(files: Sequence[str], **settings: Any) -> None:
    """
    Find one partition for many, runs or draws, and write its memberships.

    The memberships are written to --out, with the ids if there are any, and a summary
    is printed. With none of --out, --json and --csv, the memberships are printed. If
    the partitions fall into several modes (groups of which any two agree with ACI of at
    least 0.95), a remark says so: a mean of different solutions is none of them.

    \b
    Examples:
      concordant consensus run*.Q --out mean.Q
      concordant consensus run*.Q > mean.csv
      concordant consensus 1975.csv 1980.csv --loss comembership --k 2 --json
      concordant consensus posterior.csv --draws rows --loss vi --out labels.csv
    """
    from concordant.cli.inputs import read_draws, read_given
    from concordant.many.averaging import Consensus

    output.check_places(files, settings)
    keywords = "loss", "n_clusters", "max_clusters", "random_state"
    said = options.taken(settings, keywords)
    draws = settings["draws"]
    if draws is None:
        given = read_given(files, settings, n_of_runs=len(files))
    else:
        given = read_draws(files, settings)
    with told():
        names = given.names if draws is None else None
        found = cc.consensus(
            given.partitions, names=names, match_by=given.match_by, **said
        )
    told_apart = []
    if isinstance(found, Consensus):
        told_apart = [message.on_command_line() for message in found._remarks]
    for remark in told_apart:
        warn(remark)
    out, form, partition = settings["out"], settings["form"], found.partition
    if out is not None or form is None:
        output.write_memberships(out, partition.memberships, partition.ids)
    if out is not None or form is not None:
        output.deliver(_document_of_consensus(given, found, out, told_apart), form)


def _document_of_consensus(
    given: output.GivenFiles,
    found: "cc.Consensus | cc.PointEstimate",
    out: str | None,
    remarks: Sequence[str],
) -> output.Document:
    """Make a document of the summary: the same input gives the same bytes."""
    from concordant.many.averaging import Consensus

    partition, distances = found.partition, found.distances.tolist()
    told: dict[str, Any]
    header, rows = ("file", "distance"), [*zip(found.names, distances, strict=True)]
    if isinstance(found, Consensus):
        cells = [(name, short(distance)) for name, distance in rows]
        clusters = count(partition.n_clusters, "cluster")
        told = {"criterion": found.criterion, "expected_loss": None, "ball": None}
        lines = [
            f"consensus of {len(rows)} partitions of "
            f"{given.matched(partition.n_objects)}: {clusters}, {found.loss}, "
            f"criterion {short(found.criterion)}",
            *partition.remarks,
            *("", *table_lines(header, cut(cells))),
        ]
    else:
        ball = found.ball()
        told_ball = {"level": ball.level, "radius": ball.radius}
        loss = found.expected_loss
        told = {"criterion": None, "expected_loss": loss, "ball": told_ball}
        lines = str(found).splitlines()
    return output.Document(
        command="consensus",
        version=2,
        json={
            **given.to_dict(),
            "written": out,
            "loss": found.loss,
            "n_objects": partition.n_objects,
            "n_clusters": partition.n_clusters,
            **told,
            "distances": distances,
            "remarks": [*partition.remarks, *remarks],
        },
        header=header,
        rows=rows,
        lines=lines,
    )
