"""The command that compares all pairs of many partitions."""

from itertools import combinations
from typing import Any

import click

from concordant.catalogue import FAMILIES, INDICES, STATISTICS
from concordant.cli import options

_PICTURES = (".png", ".svg", ".pdf")


@click.command()
@click.argument("files", metavar="A B ...", type=options.FILE, nargs=-1, required=True)
@click.option(
    "--index",
    "indices",
    type=click.Choice((*INDICES, *STATISTICS)),
    multiple=True,
    default=("aci", "ndc"),
    show_default="aci and ndc",
    help="What to compute. Can be given several times.",
)
@click.option(
    "--family",
    type=click.Choice(tuple(FAMILIES)),
    help="The family of statistics such as rand.  [default: huellermeier, or crisp if "
    "all partitions are]",
)
@click.option(
    "--t-norm",
    type=click.Choice(options.T_NORMS),
    help="The t-norm, if the family has a choice.",
)
@click.option(
    "--plot",
    type=click.Path(),
    metavar="FILE",
    help="Draw a heat map of the first index, ordered by similarity, and a map of the "
    "partitions in the plane, based on 1 - NDC: .png, .svg or .pdf.",
)
@options.algorithm_options
@options.dask_option
@options.reading_options
@options.partition_options
@options.output_options
@options.quiet_option
def matrix(files: tuple[str, ...], **settings: Any) -> None:
    """
    Compare all pairs of many partitions.

    Objects are matched by id if all files have ids, otherwise by position. With --noise
    drop or --missing drop, each pair is compared on the objects that both keep. With a
    single file, --columns names the columns of labels to compare.

    \b
    Examples:
      concordant matrix fcm.csv pd.csv truth.csv
      concordant matrix runs/*.csv --plot map.svg
      concordant matrix runs/*.csv --index aci --csv --out aci.csv
      concordant matrix runs/*.npy --index rand --family campello --json
      concordant matrix table.csv --columns kmeans,gmm,fcm
    """
    from concordant.cli.dask_client import running_on
    from concordant.cli.inputs import alignment, read_given
    from concordant.cli.many_picture import write_picture
    from concordant.cli.matrix_document import matrix_document
    from concordant.cli.measuring import asked_by, warn_of_long_work
    from concordant.cli.measuring_many import measure_all, with_one_table
    from concordant.cli.output import check_places, deliver
    from concordant.cli.progress_bar import progress_bar

    each_column = len(files) == 1 and settings["columns"] is not None
    if len(files) < 2 and not each_column:
        raise click.UsageError(
            "at least two files are needed, or one and --columns A,B,... with labels"
        )
    form, out, quiet, plot, family = (
        settings.pop(name) for name in ("form", "out", "quiet", "plot", "family")
    )
    if plot is not None and not plot.casefold().endswith(_PICTURES):
        raise click.BadParameter(
            f"{plot!r} ends in none of {', '.join(_PICTURES)}", param_hint="--plot"
        )
    check_places(files, out=out, plot=plot)
    shown = tuple(dict.fromkeys(settings["indices"]))
    settings["indices"] = (*shown, "ndc") if plot else shown
    settings["families"] = (family,) if family else ()
    dask = settings["dask"]
    asked = asked_by(settings)
    given = read_given(files, each_column=each_column, **settings)
    align = alignment(given)
    asked = with_one_table(given, asked)
    if dask is None:
        warn_of_long_work(combinations(given, 2), asked, quiet=quiet)
    with running_on(dask, asked) as asked, progress_bar(quiet=quiet) as tell:
        pairs = measure_all(given, align, asked, tell)
    if plot is not None:
        write_picture(plot, pairs, [g.name for g in given], index=shown[0])
    deliver(
        matrix_document(given, align, pairs, asked.wanted, shown), form=form, out=out
    )
