"""The command that writes a report about two partitions, or about many."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

import concordant as cc
from concordant.cli import options
from concordant.cli.faults import told, warn
from concordant.cli.output import GivenFiles, check_places
from concordant.cli.progress_bar import Tell, progress_bar, progress_of
from concordant.storage.atomic import write_text_atomically


@click.command()
@options.many_files
@options.option(
    "--truth FILE",
    "A third partition to compare both with, such as known classes.",
    type=options.FILE,
)
@options.labels_option(
    "--groups", "Draw the objects of more than two files by their groups"
)
@options.option(
    "--threshold ACI",
    "ACI that any two partitions of a mode have at least, of more than two files.  "
    "[default: 0.95]",
    type=float,
)
@options.page_option
@options.jobs_option
@options.partition_options
@options.quiet_option
def report(
    files: Sequence[str], truth: str | None, n_jobs: int | None, **settings: Any
) -> None:
    """
    Write a report about the partitions of two files, or of more.

    The report is one HTML page that needs nothing else: it can be mailed, printed and
    kept. For two partitions it shows ACI with a test and a confidence interval, where
    they differ, every family and statistic with a sentence on how to read it, the
    similarities of objects, the memberships, the clusters of one partition against
    those of the other, and the objects treated most differently. For more, it shows ACI
    of all pairs, the modes (groups of which any two agree with ACI of at least 0.95, or
    --threshold), which partition is typical, and the memberships as a structure plot.

    \b
    Examples:
      concordant report P.csv Q.csv
      concordant report fcm.csv pd.csv --truth species.csv -o iris.html
      concordant report P.parquet Q.parquet --id sample -o report.html
      concordant report run*.Q --groups populations.txt -o runs.html
    """
    from concordant.cli.inputs import read_given

    if len(files) != 2 and truth is not None:
        raise click.UsageError(
            "--truth is for two files; name it as one more of the files"
        )
    if len(files) == 2 and settings["groups"] is not None:
        raise click.UsageError("--groups is for more than two files")
    if len(files) == 2 and settings["threshold"] is not None:
        raise click.UsageError("--threshold is for more than two files")
    read = [*files, *filter(None, [truth])]
    check_places(read, settings)
    given = read_given(read, settings)
    for one in given.described:
        for remark in one.remarks:
            warn(f"{one.file}: {remark}")
    with progress_bar(*given.names[:2] if len(files) == 2 else ()) as tell:
        how = {"match_by": given.match_by, "n_jobs": n_jobs}
        if len(files) == 2:
            page = _page(given, how, tell)
        else:
            chosen = options.taken(settings, ["threshold"])
            page = _page_of_many(given, how, chosen, tell)
    write_text_atomically(settings["out"], page)
    if not settings["quiet"]:
        click.echo(settings["out"])


def _page_of_many(
    given: GivenFiles, how: Mapping[str, Any], chosen: Mapping[str, Any], tell: Tell
) -> str:
    """Make the HTML of the report about many partitions."""
    from concordant.report import render_agreement_report

    found = cc.agreement(
        given.partitions,
        names=given.titles,
        progress=progress_of(tell, "comparing all pairs"),
        **how,
    )
    tell(0.99, "drawing")
    return render_agreement_report(
        found, readings=given.readings, **given.labels, **chosen
    )


def _page(given: GivenFiles, how: Mapping[str, Any], tell: Tell) -> str:
    """Make the HTML of the report about two partitions; a third one is the truth."""
    from concordant.partition.alignment import aligned
    from concordant.report import render_report

    P, Q, truth = [*given.partitions, None][:3]
    one, other, truth_name = [*given.titles, ""][:3]
    if truth is not None:
        with told(given.names[0], given.names[2]):
            aligned(P, truth, match_by=given.match_by)
    progress = progress_of(tell, "comparing")
    comparison = cc.compare(
        P, Q, families="all", random_state=0, progress=progress, **how
    )
    tell(0.99, "drawing")
    return render_report(
        P,
        Q,
        truth=truth,
        names=(one, other),
        truth_name=truth_name,
        comparison=comparison,
        readings=[f"{one.file}: {one.reading}" for one in given.described],
        **how,
    )
