"""The command that tests whether two partitions agree more than by chance."""

from typing import Any

import click

import concordant as cc
from concordant.cli import options, output
from concordant.cli.progress_bar import progress_bar, progress_of

_KEYWORDS = (
    *("index", "n_permutations", "alternative", "method", "stop_after"),
    *("n_jobs", "random_state", "similarity"),
)
#: What a test says in words, and its CSV form leaves out.
_WORDS = ("index", "alternative", "method", "is_exact", "stopped_early", "null_moments")


@click.command()
@options.two_files
@options.option(
    "--index NAME",
    f"The index to test, one of {', '.join(options.ALL_INDICES)}.",
    type=options.IndexName(),
    default="aci",
)
@options.option(
    "--permutations",
    "The largest number of random permutations.",
    "n_permutations",
    type=options.COUNT,
    default=9999,
)
@options.option(
    "--alternative",
    "Whether the p-value is small for more agreement, for less, or for either.",
    type=click.Choice(("greater", "less", "two-sided")),
    default="greater",
)
@options.option(
    "--method",
    "permutations: on all pairs; sampled: on a fixed random sample of pairs; exact: "
    "all permutations, of few objects; normal: none, an approximation from z.",
    type=click.Choice(("auto", "exact", "permutations", "sampled", "normal")),
    default="auto",
)
@options.option(
    "--stop-after N",
    "Stop once N permutations are at least as extreme; never, if N is as large as "
    "--permutations.",
    type=options.COUNT,
    default=100,
)
@options.similarity_option
@options.labels_option("--strata", "Permute objects within strata only")
@options.labels_option("--groups", "Permute whole groups of equal size")
@options.jobs_option
@options.seed_option
@options.partition_options
@options.result_options
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
      concordant test P.csv Q.csv --strata hospitals.csv
    """
    from concordant.cli.inputs import read_given

    output.check_places([p, q], settings)
    said = options.taken(settings, _KEYWORDS)
    given = read_given([p, q], settings)
    P, Q = given.partitions
    with progress_bar(*given.names) as tell:
        said |= {
            "progress": progress_of(tell, "permutations"),
            "match_by": given.match_by,
        }
        result = cc.concordance_test(P, Q, **given.labels, **said)
    output.deliver(_document(given, result), settings["form"], settings["out"])


def _document(
    given: output.GivenFiles, result: "cc.inference.ConcordanceTest"
) -> output.Document:
    """Make a document of a test: the same input gives the same bytes."""
    P, Q = given.described
    content = result.to_dict()
    return output.Document(
        command="test",
        version=1,
        json={
            "P": P.to_dict(),
            "Q": Q.to_dict(),
            "n_objects": result.n_objects,
            "matched_by": given.match_by,
            **content,
        },
        header=("quantity", "value"),
        rows=[item for item in content.items() if item[0] not in _WORDS],
        lines=[
            *P.lines("P"),
            *Q.lines("Q"),
            given.matched(result.n_objects),
            "",
            *result.sentences(),
        ],
    )
