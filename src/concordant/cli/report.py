"""The command that writes a report about two partitions, or about many."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from concordant.cli import options
from concordant.cli.faults import fault_of, warn
from concordant.cli.output import check_places
from concordant.cli.progress_bar import Tell, progress_bar, step
from concordant.storage.atomic import write_text_atomically

if TYPE_CHECKING:
    from concordant.cli.inputs import Given


@click.command()
@options.many_files
@click.option(
    "--truth",
    type=options.FILE,
    metavar="FILE",
    help="A third partition to compare both with, such as known classes.",
)
@options.labels_option(
    "--groups", "Draw the objects of more than two files by their groups"
)
@click.option(
    "--out",
    "-o",
    type=click.Path(),
    metavar="FILE",
    default="report.html",
    show_default=True,
    help="Where to write the page.",
)
@options.jobs_option
@options.reading_options
@options.partition_options
@options.quiet_option
def report(
    files: Sequence[str],
    truth: str | None,
    groups: str | None,
    out: str,
    jobs: int | None,
    quiet: bool,
    **settings: Any,
) -> None:
    """
    Write a report about the partitions of two files, or of more.

    The report is one HTML page that needs nothing else: it can be mailed, printed and
    kept. Of two partitions it shows ACI with a test and a confidence interval, where
    they differ, every family and statistic with a sentence on how to read it, the
    similarities of objects, the memberships, the clusters of one partition against
    those of the other, and the objects treated most differently. Of more, it shows ACI
    of all pairs, the modes (groups that say the same), which partition is typical, and
    the memberships as a structure plot.

    \b
    Examples:
      concordant report P.csv Q.csv
      concordant report fcm.csv pd.csv --truth species.csv -o iris.html
      concordant report P.parquet Q.parquet --id sample -o report.html
      concordant report run*.Q --groups populations.txt -o runs.html
    """
    from concordant.cli.inputs import read_given, read_labels

    _check_number(files, truth, groups)
    read = [*files] if truth is None else [*files, truth]
    check_places(read, out=out)
    given = read_given(read, **settings)
    labels = read_labels("--groups", groups, files, given, settings)
    for one in given:
        for remark in one.remarks:
            warn(f"{one.name}: {remark}", quiet=quiet)
    with progress_bar(quiet=quiet) as tell:
        if len(files) > 2:
            page = _page_of_many(given, labels, jobs, tell)
        else:
            page = _page(given, jobs, tell)
    write_text_atomically(out, page)
    if not quiet:
        click.echo(out)


def _check_number(files: Sequence[str], truth: str | None, groups: str | None) -> None:
    """Refuse a single file, and options that are not for this number of files."""
    if len(files) < 2:
        raise click.UsageError("at least two files are needed")
    if len(files) > 2 and truth is not None:
        raise click.UsageError(
            "--truth is for two files; name it as one more of the files"
        )
    if len(files) == 2 and groups is not None:
        raise click.UsageError("--groups is for more than two files")


def _page_of_many(
    given: "Sequence[Given]", groups: object, jobs: int | None, tell: Tell
) -> str:
    """Make the HTML of the report about many partitions."""
    import concordant as cc
    from concordant.cli.inputs import alignment
    from concordant.report import render_agreement_report

    try:
        found = cc.agreement(
            [one.partition for one in given],
            names=[one.name for one in given],
            align=alignment(given),
            n_jobs=jobs,
            progress=step(tell, 0, 1, "comparing all pairs"),
        )
        tell(0.99, "drawing")
        readings = [one.understood.sentence(one.n_rows) for one in given]
        return render_agreement_report(found, groups=groups, readings=readings)
    except (ValueError, TypeError, MemoryError) as error:
        raise fault_of(error) from error


def _page(given: "Sequence[Given]", jobs: int | None, tell: Tell) -> str:
    """Make the HTML of the report about two partitions; a third one is the truth."""
    import concordant as cc
    from concordant.cli.inputs import alignment
    from concordant.partition.alignment import aligned
    from concordant.report import render_report

    P, Q, *rest = given
    align = alignment(given)
    for truth in rest:  # a fault of it is told in its own name
        try:
            aligned(P.partition, truth.partition, align=align)
        except ValueError as error:
            raise fault_of(error, [P.name, truth.name]) from error
    try:
        p, q = aligned(P.partition, Q.partition, align=align)
        comparison = cc.compare(
            p, q, n_jobs=jobs, random_state=0, progress=step(tell, 0, 1, "comparing")
        )
        tell(0.99, "drawing")
        return render_report(
            P.partition,
            Q.partition,
            truth=rest[0].partition if rest else None,
            names=(P.name, Q.name),
            truth_name=rest[0].name if rest else "",
            align=align,
            comparison=comparison,
            readings=[one.understood.sentence(one.n_rows) for one in given],
            n_jobs=jobs,
        )
    except (ValueError, TypeError, MemoryError) as error:
        raise fault_of(error, [P.name, Q.name]) from error
