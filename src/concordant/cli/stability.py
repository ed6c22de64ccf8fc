"""The command that finds how many clusters there are."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

import concordant as cc
from concordant.cli import options, output
from concordant.cli.cluster import (
    estimator_of,
    fit_options,
    fuzzifier_of,
    method_option,
    numbers_option,
    read_data,
    told_of,
    without_option,
)
from concordant.cli.faults import warn
from concordant.cli.progress_bar import progress_bar, progress_of
from concordant.printing import table_lines

_SAID = ("n_resamples", "n_references", "alpha", "random_state", "checkpoint", "n_jobs")


@click.command()
@click.argument("data", type=options.FILE)
@method_option
@numbers_option
@without_option
@options.option(
    "--resamples N",
    "Number of pairs of resamples for each K.",
    "n_resamples",
    type=click.IntRange(min=2),
    default=16,
)
@options.option(
    "--sets N",
    "Number of sets without structure, of each of two kinds.",
    "n_references",
    type=click.IntRange(min=2),
    default=12,
)
@options.option(
    "--alpha",
    "Tuning constant of the decision; smaller values find clusters less often.",
    type=click.FloatRange(min=0, max=1, min_open=True, max_open=True),
    default=0.2,
)
@fit_options
@options.plot_option("Draw the ACI between resamples by the number of clusters")
@options.option(
    "--checkpoint FILE",
    "Save the work in this file, and resume from it.",
    type=options.FILE,
)
@options.jobs_option
@options.seed_option
@options.reading_options
@options.result_options
def stability(data: str, numbers: range, **settings: Any) -> None:
    """
    Find how many clusters there are, if any.

    For each number of clusters, clusterings of resamples are compared by ACI, and the
    result with that of data without structure, skewed and uniform, which have the same
    covariance. If none is more stable than without structure, there is one cluster.

    \b
    Examples:
      concordant stability data.csv --method fcm --k 2:8
      concordant stability iris.csv --k 2:6 --without species --plot stability.svg
      concordant stability data.csv --k 2:8 --starts 3 --json
    """
    output.check_places([data], settings)
    settings["fuzzifier"] = fuzzifier_of(settings)
    table, _ = read_data(data, settings)
    X = table.matrix()
    for column, values in zip(table.columns, X.T, strict=True):
        if (values[0] == values).all():
            which = column.name or column.number
            what = f"does not vary; --without {which} leaves it out"
            raise table.fault(what, column=column)
    with progress_bar("P", "Q", table.source) as tell:
        found = cc.stability(
            estimator_of(settings),
            X,
            n_clusters=numbers,
            progress=progress_of(tell, "clustering resamples"),
            **options.taken(settings, _SAID),
        )
    remarks = [remark.on_command_line() for remark in found._remarks]
    for remark in remarks:
        warn(f"{table.source}: {remark}")
    output.write_plot(settings, found.plot)
    document = _document(table, found, remarks, settings)
    output.deliver(document, settings["form"], settings["out"])


def _document(
    table: "cc.files.Table",
    found: "cc.Stability",
    remarks: Sequence[str],
    settings: Mapping[str, Any],
) -> output.Document:
    """Make a document of the decision: the same input gives the same bytes."""
    title, content = told_of(table, settings)
    shown = found._shown()
    frame = found.to_frame().reset_index()
    header, rows = ["k", *frame.columns[1:]], frame.astype(object).to_numpy().tolist()
    lines = table_lines(shown.header, shown.rows)
    return output.Document(
        command="stability",
        version=1,
        json={
            **content,
            "alpha": found.alpha,
            "threshold": found.threshold,
            "n_clusters": found.n_clusters,
            "levels": found.levels,
            "remarks": remarks,
            "references": found.references,
            "numbers": [
                {
                    **dict(zip(header, row, strict=True)),
                    "values": found.aci[place].tolist(),
                    "reference_values": found.reference_aci[place].tolist(),
                    "jaccard": found.jaccard[place].tolist(),
                }
                for place, row in enumerate(rows)
            ],
        },
        header=header,
        rows=rows,
        lines=[title, "", found.sentence(), "", *lines, shown.note],
    )
