"""The command that compares two partitions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from concordant.cli import options
from concordant.cli.output import Document, check_places, deliver
from concordant.wording import count

if TYPE_CHECKING:
    from concordant.cli.inputs import Described
    from concordant.comparison import Comparison
    from concordant.partition.alignment import Align

_VERSION = 2


@click.command()
@options.two_files
@options.indices_option("Compute only these indices, or all", "all")
@options.families_option
@options.t_norm_option
@click.option(
    "--interval",
    type=options.Level(),
    is_flag=False,
    flag_value="0.95",
    help="Add confidence intervals for ACI and NDC, at level 0.95 or the one given; "
    "the objects are treated as a sample.",
)
@options.labels_option(
    "--groups", "Take groups of objects, not objects, for the sample of --interval"
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
def compare(
    p: str,
    q: str,
    groups: str | None,
    in_parts: bool | None,
    form: str | None,
    out: str | None,
    quiet: bool,
    **settings: Any,
) -> None:
    """
    Compare the partitions of two files.

    Objects are matched by id if both files have ids, otherwise by position. ACI, NDC
    and other indices are printed, and a table of the statistics of each family of fuzzy
    Rand indices; --json and --csv give everything, with all digits. --interval adds
    confidence intervals for ACI and NDC, --test a p-value.

    Files that would take more than a quarter of the memory are read a part at a time,
    which is enough for everything that needs no pairs of objects.

    \b
    Examples:
      concordant compare P.csv Q.csv
      concordant compare P.csv Q.npy --index aci,ndc --csv
      concordant compare P.csv Q.csv --family campello --t-norm min
      concordant compare P.csv Q.csv --interval --test
      concordant compare P.csv Q.csv --index aci --interval 0.9 --json
      concordant compare P.csv Q.csv --interval --groups patients.csv
      concordant compare P.parquet - --id sample --json < Q.tsv
      concordant compare P.csv Q.csv --method permutations --permutations 500
      concordant compare P.npy Q.npy --jobs -1 --checkpoint work.ckpt
      concordant compare P.npy Q.npy --dask tcp://10.0.0.1:8786
      concordant compare big_P.parquet big_Q.parquet --stream --jobs -1
    """
    from concordant.cli.in_parts import are_larger_than_memory, compare_in_parts
    from concordant.cli.inputs import alignment, read_given, read_labels
    from concordant.cli.measuring import asked_by, measure, running, warn_of_long_work
    from concordant.cli.progress_bar import progress_bar

    check_places([p, q], out=out, checkpoint=settings["checkpoint"])
    asked = asked_by(settings)
    described: Sequence[Described]
    if in_parts or (in_parts is None and are_larger_than_memory([p, q])):
        comparison, align, described = compare_in_parts(
            p, q, asked, groups=groups, quiet=quiet, **settings
        )
    else:
        P, Q = given = described = read_given([p, q], **settings)
        align = alignment(given)
        labels = read_labels("--groups", groups, [p, q], given, settings)
        asked = replace(asked, keywords={**asked.keywords, "groups": labels})
        warn_of_long_work([(P, Q)], asked, quiet=quiet)
        with running(asked) as asked, progress_bar(quiet=quiet) as tell:
            comparison = measure(P, Q, align, asked, tell)
    deliver(_document(described, align, comparison), form=form, out=out)


def _document(
    described: "Sequence[Described]", align: "Align", comparison: "Comparison"
) -> Document:
    """Make a document of a comparison: the same input gives the same bytes."""
    from concordant.cli.inputs import matched_by
    from concordant.comparison import ALL_AGREE
    from concordant.formulas.adjusted import said_of_setting

    P, Q = described
    matched = matched_by(align)
    about = said_of_setting(comparison.similarity, comparison.null)
    content = comparison.to_dict() | {"P": P.to_dict(), "Q": Q.to_dict()}
    named = " ".join(f"--family {name}" for name in comparison.families_left_out)
    remarks = [
        comparison.why_no_concordance,
        comparison.said_of_tables(named, "--tol 0.001"),
        ALL_AGREE if "crisp" in comparison.tables else "",
    ]
    return Document(
        json={
            "schema": "concordant/compare",
            "version": _VERSION,
            "matched_by": matched,
            **content,
        },
        header=[*content["scores"][0]] if content["scores"] else [],
        rows=[[*record.values()] for record in content["scores"]],
        lines=[
            *P.lines("P"),
            *Q.lines("Q"),
            f"{count(comparison.n_objects, 'object')}, matched by {matched}{about}",
            "",
            *comparison.headline(),
            *filter(None, remarks),
        ],
        sheets=[comparison.table_of_families()] if comparison.tables else [],
        notes=[*filter(None, [comparison.said_of_more("--json and --csv")])],
    )
