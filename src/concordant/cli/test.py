"""The command that tests whether two partitions agree more than by chance."""

from typing import Any

import click

from concordant.catalogue import INDICES, STATISTICS
from concordant.cli import options

_METHODS = ("auto", "exact", "permutations", "sampled", "normal")


@click.command()
@click.argument("p", metavar="P", type=options.FILE)
@click.argument("q", metavar="Q", type=options.FILE)
@click.option(
    "--index",
    type=click.Choice((*INDICES, *STATISTICS)),
    default="aci",
    show_default=True,
    help="The index to test.",
)
@click.option(
    "--permutations",
    type=click.IntRange(min=1),
    default=9999,
    show_default=True,
    help="The largest number of random permutations.",
)
@click.option(
    "--alternative",
    type=click.Choice(("greater", "less", "two-sided")),
    default="greater",
    show_default=True,
    help="Whether the p-value is small for a large index, a small one, or either.",
)
@click.option(
    "--method",
    type=click.Choice(_METHODS),
    default="auto",
    show_default=True,
    help="permutations: on all pairs; sampled: on a fixed random sample of pairs; "
    "exact: all permutations, of few objects; normal: none, an approximation from z.",
)
@click.option(
    "--stop-after",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Stop once N permutations are at least as extreme; as many as --permutations: "
    "never.",
)
@click.option(
    "--pairs",
    type=click.IntRange(min=1),
    metavar="N",
    help="The approximate number of pairs in a sample.",
)
@options.jobs_option
@options.seed_option
@options.reading_options
@options.partition_options
@options.output_options
@options.quiet_option
def test(p: str, q: str, **settings: Any) -> None:
    """
    Test whether two partitions agree more than by chance.

    The objects of Q are permuted, and the p-value is the share of permutations that
    agree with P at least as much as Q does. The mean and standard deviation of the
    index under chance, and its distance from that mean (z), are printed as well.

    \b
    Examples:
      concordant test P.csv Q.csv
      concordant test P.csv labels.csv --permutations 99999 --jobs -1
      concordant test P.csv Q.csv --alternative two-sided --json
      concordant test P.npy Q.npy --stop-after 20
      concordant test P.npy Q.npy --method normal
    """
    from concordant.cli.chance_document import chance_document
    from concordant.cli.faults import fault_of
    from concordant.cli.inputs import alignment, read_given
    from concordant.cli.output import check_places, deliver
    from concordant.cli.progress_bar import progress_bar, step
    from concordant.inference import concordance_test

    form, out, quiet = (settings.pop(name) for name in ("form", "out", "quiet"))
    check_places([p, q], out=out)
    said = {
        argument: settings.pop(option)
        for argument, option in (
            ("index", "index"),
            ("n_permutations", "permutations"),
            ("alternative", "alternative"),
            ("method", "method"),
            ("stop_after", "stop_after"),
            ("n_pairs", "pairs"),
            ("n_jobs", "jobs"),
            ("random_state", "seed"),
        )
    }
    P, Q = read_given([p, q], **settings)
    align = alignment([P, Q])
    with progress_bar(quiet=quiet) as tell:
        progress = step(tell, 0, 1, "permutations")
        try:
            result = concordance_test(
                P.partition, Q.partition, align=align, progress=progress, **said
            )
        except (ValueError, TypeError) as error:
            raise fault_of(error, [P.name, Q.name]) from error
    document = chance_document(P.described, Q.described, align, result)
    deliver(document, form=form, out=out)
