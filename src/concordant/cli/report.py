"""The command that writes a report about two partitions, or about many."""

from collections.abc import Sequence
from typing import Any

import click

import concordant as cc
from concordant.cli import options, output
from concordant.cli.faults import told
from concordant.cli.progress_bar import Tell, progress_bar, progress_of


@click.command()
@options.many_files
@options.option(
    "--truth FILE",
    "A third partition to compare both with, such as known classes.",
    type=options.FILE,
)
@options.labels_option("--groups", "Draw the objects by their groups")
@options.threshold_option
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
    from concordant.cli.measuring import agreed
    from concordant.report import write_agreement_report

    read = [*files, *filter(None, [truth])]
    output.check_places(read, settings)
    given = read_given(read, settings, n_of_runs=len(files))
    are_two = len(given.partitions) - (truth is not None) == 2
    if truth is not None and not are_two:
        raise click.UsageError(
            "--truth is for two files; name it as one more of the files"
        )
    if are_two and settings["threshold"] is not None:
        raise click.UsageError("--threshold is for more than two files")
    given.tell_remarks()
    with progress_bar(*given.names[:2] if are_two else ()) as tell:
        if are_two:
            _write_page(settings["out"], given, n_jobs, tell)
        else:
            found = agreed(given, tell, n_jobs=n_jobs)
            tell(0.99, "drawing")
            how = {**options.taken(settings, ["threshold"]), **given.labels}
            readings = [each.reading for each in given.described]
            write_agreement_report(found, settings["out"], readings=readings, **how)
    if not settings["quiet"]:
        click.echo(settings["out"])


def _write_page(
    place: str, given: output.GivenFiles, n_jobs: int | None, tell: Tell
) -> None:
    """Write the report about two partitions; a third one is the truth."""
    from concordant.partition.alignment import aligned
    from concordant.report import write_report

    P, Q, truth = [*given.partitions, None][:3]
    one, other, truth_name = [*given.titles, ""][:3]
    if truth is not None:
        with told(given.names[0], given.names[2]):
            aligned(P, truth, match_by=given.match_by)
    progress = progress_of(tell, "comparing")
    how: dict[str, Any] = {"match_by": given.match_by, "n_jobs": n_jobs}
    found = cc.compare(P, Q, families="all", random_state=0, progress=progress, **how)
    tell(0.99, "drawing")
    readings = [f"{each.file}: {each.reading}" for each in given.described]
    of_truth = {"truth": truth, "truth_name": truth_name}
    how |= {"names": (one, other), "readings": readings, **of_truth, **given.labels}
    write_report(P, Q, place, comparison=found, **how)
