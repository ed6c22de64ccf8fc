"""The command that writes a report about two partitions."""

from typing import Any

import click

from concordant.cli import options


@click.command()
@click.argument("p", metavar="P", type=options.FILE)
@click.argument("q", metavar="Q", type=options.FILE)
@click.option(
    "--truth",
    type=options.FILE,
    metavar="FILE",
    help="A third partition to compare both with, such as known classes.",
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
    p: str,
    q: str,
    truth: str | None,
    out: str,
    jobs: int | None,
    quiet: bool,
    **settings: Any,
) -> None:
    """
    Write a report about the partitions of two files.

    The report is one HTML page that needs nothing else: it can be mailed, printed and
    kept. It shows ACI with a test and a confidence interval, where the partitions
    differ, every family and statistic with a sentence on how to read it, the
    similarities of objects, the memberships, the clusters of one partition against
    those of the other, and the objects treated most differently.

    \b
    Examples:
      concordant report P.csv Q.csv
      concordant report fcm.csv pd.csv --truth species.csv -o iris.html
      concordant report P.parquet Q.parquet --id sample -o report.html
    """
    from concordant.cli.faults import warn
    from concordant.cli.inputs import alignment, read_given
    from concordant.cli.output import check_places
    from concordant.cli.progress_bar import progress_bar
    from concordant.cli.report_page import report_page
    from concordant.files import write_text_atomically

    files = [p, q] if truth is None else [p, q, truth]
    check_places(files, out=out)
    given = read_given(files, **settings)
    align = alignment(given)
    for one in given:
        for remark in one.remarks:
            warn(f"{one.name}: {remark}", quiet=quiet)
    with progress_bar(quiet=quiet) as tell:
        page = report_page(given, align, jobs, tell)
    write_text_atomically(out, page)
    if not quiet:
        click.echo(out)
