"""The command that judges partitions by the data that they are of."""

from collections.abc import Sequence
from typing import Any

import click

import concordant as cc
from concordant.catalogue.validity_indices import VALIDITY
from concordant.cli import options, output
from concordant.cli.cluster import read_data
from concordant.cli.progress_bar import progress_bar
from concordant.wording import count


@click.command()
@click.argument("data", type=options.FILE)
@options.many_files
@options.names_option(
    "--index",
    "Compute only these indices",
    "indices",
    click.Choice([*VALIDITY], case_sensitive=False),
)
@options.option(
    "--fuzzifier",
    "The fuzzifier with which the memberships were found.",
    type=click.FloatRange(min=1),
    default=2.0,
)
@options.option(
    "--without COLUMN",
    "Column of the data to leave out. Can be given several times.",
    multiple=True,
)
@options.plot_option("Draw each index by partition")
@options.seed_option
@options.partition_options
@options.result_options
def validity(data: str, files: Sequence[str], **settings: Any) -> None:
    """
    Judge partitions by the data that they are of.

    All indices are computed, each with the partition that it takes. They disagree, and
    take a partition even where there are no clusters: one alone is no answer. Centres
    are the means weighted by memberships to the power of the fuzzifier. Options for
    reading hold for the data and for the partitions, unless --only names a file.

    \b
    Examples:
      concordant validity data.csv P.csv
      concordant validity iris.csv fcm-2.csv fcm-3.csv fcm-4.csv --without species
      concordant validity data.csv P.csv Q.csv --index xb,silhouette --json
      concordant validity data.csv 'P-*.csv' --plot panels.svg
    """
    from concordant.cli.inputs import read_given
    from concordant.files.partitions import among_whole
    from concordant.files.table import Reading
    from concordant.partition.alignment import all_aligned

    output.check_places([data, *files], settings)
    given = read_given(files, settings, data=data)
    only = settings["only"]
    how = settings | (vars(Reading()) if only and data not in only else {})
    table, _ = read_data(data, how)
    given.tell_remarks()
    with progress_bar("P", "Q", table.source) as tell:
        tell(0.0, "computing indices")
        match_by = "position" if table.ids is None else given.match_by
        match_by = "common" if settings["common"] else match_by
        own = cc.Partition(range(table.n_objects), ids=table.ids)
        numbers, *partitions = all_aligned(
            [among_whole(table, own), *given.partitions],
            [table.source, *given.names],
            match_by,
        )
        found = cc.validity(
            table.matrix()[numbers.labels],
            dict(zip(given.names, partitions, strict=True)),
            indices=settings["indices"] or "all",
            fuzzifier=settings["fuzzifier"],
            random_state=settings["random_state"],
        )
    output.write_plot(settings, found.plot)
    document = _document(table, given, found, match_by)
    output.deliver(document, settings["form"], settings["out"])


def _document(
    table: "cc.files.Table",
    given: output.GivenFiles,
    found: "cc.Validity",
    match_by: str,
) -> output.Document:
    """Make a document of indices: the same input gives the same bytes."""
    matched_by = "position" if match_by == "position" else "id"
    columns = count(len(table.columns), "column")
    records = found.records()
    return output.Document(
        command="validity",
        version=1,
        json={
            "file": table.source,
            "n_columns": len(table.columns),
            **given.to_dict(),
            "matched_by": matched_by,
            **found.to_dict(),
        },
        header=[*records[0]],
        rows=[[*record.values()] for record in records],
        lines=[
            f"{table.source}: {columns}, matched by {matched_by}",
            *given.lines,
            "",
            *str(found).splitlines(),
        ],
    )
