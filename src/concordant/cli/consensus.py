"""The command that finds the partition that is nearest to many."""

from collections.abc import Sequence
from typing import Any

import click

import concordant as cc
from concordant.cli import options
from concordant.cli.faults import told
from concordant.cli.output import (
    Document,
    Given,
    check_places,
    deliver,
    write_memberships,
)
from concordant.printing import short, table_lines
from concordant.wording import count


@click.command()
@options.many_files
@click.option(
    "--method",
    type=click.Choice(("euclidean", "comembership")),
    default="euclidean",
    help="Which distances the consensus minimises: between memberships after one "
    "joint relabelling (it is then their mean), or between co-memberships.",
)
@click.option(
    "--k",
    "n_clusters",
    type=click.IntRange(min=1),
    metavar="K",
    help="The number of clusters, for --method comembership.  [default: the largest]",
)
@options.seed_option
@options.reading_options
@options.partition_options
@options.membership_options(
    "Where to write the memberships: CSV, or by the end of the name TSV (.tsv), "
    "Parquet (.parquet) or as ADMIXTURE does (.Q)."
)
def consensus(files: Sequence[str], **settings: Any) -> None:
    """
    Find the partition that is nearest to many, and write its memberships.

    The memberships are written to --out, with the ids if there are any, and a summary
    is printed. With none of --out, --json and --csv, the memberships are printed.

    \b
    Examples:
      concordant consensus run*.Q --out mean.Q
      concordant consensus run*.Q > mean.csv
      concordant consensus 1975.csv 1980.csv --method comembership --k 2 --json
    """
    from concordant.cli.inputs import read_given

    check_places(files, settings)
    said = options.taken(settings, ("method", "n_clusters", "random_state"))
    given = read_given(files, settings)
    with told():
        found = cc.consensus(
            given.partitions, names=given.names, align=given.align, **said
        )
    out, form, partition = settings["out"], settings["form"], found.partition
    if out is not None or form is None:
        write_memberships(out, partition.memberships, partition.ids)
    if out is not None or form is not None:
        deliver(_document(given, found, out), form)


def _document(given: Given, found: "cc.Consensus", out: str | None) -> Document:
    """Make a document of the summary: the same input gives the same bytes."""
    partition, distances = found.partition, found.distances.tolist()
    rows = [*zip(given.names, distances, strict=True)]
    cells = [(name, short(distance)) for name, distance in rows]
    return Document(
        command="consensus",
        version=1,
        json={
            **given.to_dict(),
            "written": out,
            "method": found.method,
            "n_objects": partition.n_objects,
            "n_clusters": partition.n_clusters,
            "criterion": found.criterion,
            "distances": distances,
            "remarks": [*partition.remarks],
        },
        header=("file", "distance"),
        rows=rows,
        lines=[
            f"consensus of {len(rows)} partitions of "
            f"{given.matched(partition.n_objects)}: "
            f"{count(partition.n_clusters, 'cluster')}, {found.method}, criterion "
            f"{short(found.criterion)}",
            *partition.remarks,
            *("", *table_lines(("file", "distance"), cells)),
        ],
    )
