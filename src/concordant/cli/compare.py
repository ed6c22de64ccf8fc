"""The command that compares two partitions."""

from typing import Any

import click

from concordant.catalogue import FAMILIES, INDICES, STATISTICS
from concordant.cli import options


@click.command()
@click.argument("p", metavar="P", type=options.FILE)
@click.argument("q", metavar="Q", type=options.FILE)
@click.option(
    "--index",
    "indices",
    type=click.Choice((*INDICES, *STATISTICS, "all")),
    multiple=True,
    help="Compute only this index, or all that there are. Can be given several times.",
)
@click.option(
    "--family",
    "families",
    type=click.Choice(tuple(FAMILIES)),
    multiple=True,
    help="Compute only the tables of this family. Can be given several times.",
)
@click.option(
    "--t-norm",
    type=click.Choice(options.T_NORMS),
    help="Compute only the tables with this t-norm.",
)
@click.option(
    "--interval",
    type=options.Level(),
    is_flag=False,
    flag_value="0.95",
    help="Add confidence intervals for ACI and NDC, at level 0.95 or the one given; "
    "the objects are treated as a sample.",
)
@click.option(
    "--test",
    is_flag=True,
    help="Add a permutation test of ACI, as the command test makes it.",
)
@click.option(
    "--stream/--no-stream",
    "in_parts",
    default=None,
    help="Read Parquet, Arrow and .npy files a part at a time, or all at once.  "
    "[default: depends on their size]",
)
@options.algorithm_options
@options.dask_option
@options.checkpoint_option
@options.reading_options
@options.partition_options
@options.output_options
@options.quiet_option
def compare(p: str, q: str, **settings: Any) -> None:
    """
    Compare the partitions of two files.

    Objects are matched by id if both files have ids, otherwise by position. ACI, NDC
    and other indices, and the statistics of each family of fuzzy Rand indices, are
    printed as tables; --json and --csv give everything, with all digits. --interval
    adds confidence intervals for ACI and NDC, --test a p-value.

    Files that would take more than a quarter of the memory are read a part at a time,
    which is enough for everything that needs no pairs of objects.

    \b
    Examples:
      concordant compare P.csv Q.csv
      concordant compare P.csv Q.npy --index aci --csv
      concordant compare P.csv Q.csv --family campello --t-norm min
      concordant compare P.csv Q.csv --interval --test
      concordant compare P.csv Q.csv --index aci --interval 0.9 --json
      concordant compare P.parquet - --id sample --json < Q.tsv
      concordant compare P.csv Q.csv --method permutations --permutations 500
      concordant compare P.npy Q.npy --jobs -1 --checkpoint work.ckpt
      concordant compare P.npy Q.npy --dask tcp://10.0.0.1:8786
      concordant compare big_P.parquet big_Q.parquet --stream --jobs -1
    """
    from concordant.cli.comparison_document import comparison_document
    from concordant.cli.dask_client import running_on
    from concordant.cli.in_parts import (
        are_larger_than_memory,
        measure_parts,
        open_both,
        warn_of_what_is_left_out,
    )
    from concordant.cli.inputs import alignment, read_given
    from concordant.cli.measuring import asked_by, measure, warn_of_long_work
    from concordant.cli.output import check_places, deliver
    from concordant.cli.progress_bar import progress_bar

    form, out, quiet = (settings.pop(name) for name in ("form", "out", "quiet"))
    dask = settings["dask"]
    check_places([p, q], out=out, checkpoint=settings["checkpoint"])
    asked = asked_by(settings)
    in_parts = settings.pop("in_parts")
    if in_parts or (in_parts is None and are_larger_than_memory([p, q])):
        both = open_both(p, q, asked, dask=dask, **settings)
        with progress_bar(quiet=quiet) as tell:
            comparison, noise = measure_parts(both, asked, tell)
        warn_of_what_is_left_out(comparison, asked.wanted, quiet=quiet)
        align = both.align
        described = both.described(comparison, noise)
    else:
        P, Q = read_given([p, q], **settings)
        align = alignment([P, Q])
        if dask is None:
            warn_of_long_work([(P, Q)], asked, quiet=quiet)
        with running_on(dask, asked) as asked, progress_bar(quiet=quiet) as tell:
            comparison = measure(P, Q, align, asked, tell)
        described = P.described, Q.described
    document = comparison_document(*described, align, comparison)
    deliver(document, form=form, out=out)
