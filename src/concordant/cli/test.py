"""The command that tests whether two partitions agree more than by chance."""

from typing import TYPE_CHECKING, Any

import click

from concordant.cli import options
from concordant.cli.faults import fault_of
from concordant.cli.output import Document, check_places, deliver
from concordant.cli.progress_bar import progress_bar, step
from concordant.wording import count

if TYPE_CHECKING:
    from concordant.chance_result import ConcordanceTest
    from concordant.cli.inputs import Given
    from concordant.partition.alignment import Align

_VERSION = 1
_METHODS = ("auto", "exact", "permutations", "sampled", "normal")
_KEYWORDS = (
    *("index", "n_permutations", "alternative", "method", "stop_after", "n_pairs"),
    *("n_jobs", "random_state", "similarity"),
)
#: What a test says in words, and its CSV form leaves out.
_WORDS = ("index", "alternative", "method", "is_exact", "stopped_early", "null_moments")


@click.command()
@options.two_files
@click.option(
    "--index",
    type=click.Choice(options.ALL_INDICES, case_sensitive=False),
    default="aci",
    show_default=True,
    metavar="NAME",
    help=f"The index to test, one of {', '.join(options.ALL_INDICES)}.",
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
    help="Stop once N permutations are at least as extreme; never, if N is as large as "
    "--permutations.",
)
@click.option(
    "--pairs",
    type=click.IntRange(min=1),
    metavar="N",
    help="The approximate number of pairs in a sample.",
)
@options.similarity_option
@options.labels_option("--strata", "Permute objects within strata only")
@options.labels_option("--groups", "Permute whole groups of equal size")
@options.jobs_option
@options.seed_option
@options.reading_options
@options.partition_options
@options.output_options
@options.quiet_option
def test(
    p: str,
    q: str,
    strata: str | None,
    groups: str | None,
    form: str | None,
    out: str | None,
    quiet: bool,
    **settings: Any,
) -> None:
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
      concordant test P.csv Q.csv --strata hospitals.csv
    """
    from concordant.cli.inputs import alignment, read_given, read_labels
    from concordant.inference import concordance_test

    check_places([p, q], out=out)
    said = options.taken(settings, _KEYWORDS)
    said = {name: value for name, value in said.items() if value is not None}
    given = P, Q = read_given([p, q], **settings)
    for name, value in (("strata", strata), ("groups", groups)):
        said[name] = read_labels(f"--{name}", value, [p, q], given, settings)
    align = alignment([P, Q])
    with progress_bar(quiet=quiet) as tell:
        progress = step(tell, 0, 1, "permutations")
        try:
            result = concordance_test(
                P.partition, Q.partition, align=align, progress=progress, **said
            )
        except (ValueError, TypeError) as error:
            raise fault_of(error, [P.name, Q.name]) from error
    deliver(_document(P, Q, align, result), form=form, out=out)


def _document(
    P: "Given", Q: "Given", align: "Align", result: "ConcordanceTest"
) -> Document:
    """Make a document of a test: the same input gives the same bytes."""
    from concordant.cli.inputs import matched_by

    content = result.to_dict()
    return Document(
        json={
            "schema": "concordant/test",
            "version": _VERSION,
            "P": P.to_dict(),
            "Q": Q.to_dict(),
            "n_objects": result.n_objects,
            "matched_by": matched_by(align),
            **content,
        },
        header=("quantity", "value"),
        rows=[item for item in content.items() if item[0] not in _WORDS],
        lines=[
            *P.lines("P"),
            *Q.lines("Q"),
            f"{count(result.n_objects, 'object')}, matched by {matched_by(align)}",
            "",
            *result.sentences(),
        ],
    )
