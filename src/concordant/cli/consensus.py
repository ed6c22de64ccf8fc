"""The command that finds the partition that is nearest to many."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from concordant.cli import options
from concordant.cli.faults import fault_of
from concordant.cli.output import Document, check_places, deliver, print_text
from concordant.printing import short
from concordant.wording import count

if TYPE_CHECKING:
    from concordant.cli.inputs import Given
    from concordant.many.averaging import Consensus
    from concordant.partition.alignment import Align

_VERSION = 1


@click.command()
@options.many_files
@click.option(
    "--method",
    type=click.Choice(("euclidean", "comembership")),
    default="euclidean",
    show_default=True,
    help="Which distance the consensus minimises: of memberships after one joint "
    "relabelling, whose mean it is, or of co-memberships.",
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
@click.option("--json", "form", flag_value="json", help="Print the summary as JSON.")
@click.option("--csv", "form", flag_value="csv", help="Print the summary as CSV.")
@click.option(
    "--out",
    "-o",
    type=click.Path(),
    metavar="FILE",
    help="Where to write the memberships: CSV, or by the end of the name TSV (.tsv), "
    "Parquet (.parquet) or as ADMIXTURE does (.Q).",
)
def consensus(
    files: Sequence[str],
    method: str,
    n_clusters: int | None,
    seed: int,
    form: str | None,
    out: str | None,
    **settings: Any,
) -> None:
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
    from concordant.cli.inputs import alignment, read_given
    from concordant.files import table_text, write_table
    from concordant.many.averaging import consensus as nearest

    if len(files) < 2:
        raise click.UsageError(
            "at least two files are needed, or two runs of one, as FILE#1 FILE#2"
        )
    options.check_written(out)
    check_places(files, out=out)
    given = read_given(files, **settings)
    matched = alignment(given)
    try:
        found = nearest(
            [g.partition for g in given],
            method=method,  # type: ignore[arg-type]
            n_clusters=n_clusters,
            random_state=seed,
            names=[g.name for g in given],
            align=matched,
        )
    except (ValueError, TypeError, MemoryError) as error:
        raise fault_of(error) from error
    partition = found.partition
    names = [f"cluster_{number}" for number in range(1, partition.n_clusters + 1)]
    if out is not None:
        write_table(out, partition.memberships, names=names, ids=partition.ids)
    elif form is None:
        text = table_text(partition.memberships, names=names, ids=partition.ids)
        print_text(text)
        return
    deliver(_document(given, matched, found, out), form=form, out=None)


def _document(
    given: "Sequence[Given]", matched: "Align", found: "Consensus", out: str | None
) -> Document:
    """Make a document of the summary: the same input gives the same bytes."""
    from concordant.cli.inputs import matched_by

    partition = found.partition
    rows = [*zip((g.name for g in given), found.distances.tolist(), strict=True)]
    return Document(
        json={
            "schema": "concordant/consensus",
            "version": _VERSION,
            "matched_by": matched_by(matched),
            "partitions": [g.to_dict() for g in given],
            "written": out,
            "method": found.method,
            "n_objects": partition.n_objects,
            "n_clusters": partition.n_clusters,
            "criterion": found.criterion,
            "distances": found.distances.tolist(),
            "remarks": [*partition.remarks],
        },
        header=("file", "distance"),
        rows=rows,
        lines=[
            f"consensus of {count(len(given), 'partition')} of "
            f"{count(partition.n_objects, 'object')}, matched by "
            f"{matched_by(matched)}: {count(partition.n_clusters, 'cluster')}, "
            f"{found.method}, criterion {short(found.criterion)}",
            *partition.remarks,
        ],
        sheets=[
            (("file", "distance"), [(name, short(distance)) for name, distance in rows])
        ],
    )
