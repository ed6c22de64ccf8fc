"""The command that compares two partitions."""

from dataclasses import replace
from typing import Any

import click

import concordant as cc
from concordant.cli import options, output
from concordant.errors import Message


@click.command()
@options.two_files
@options.indices_option("Compute only these indices, or all", "all")
@options.families_option
@options.t_norm_option
@options.interval_option
@options.labels_option(
    "--groups", "Treat groups of objects, not objects, as the sample of --interval"
)
@options.option("--test", "Add a permutation test of ACI, as the command test does.")
@options.option(
    "--stream/--no-stream",
    "Read Parquet, Arrow and .npy files a part at a time, or all at once.  "
    "[default: depends on their size]",
    "in_parts",
    default=None,
)
@options.algorithm_options
@options.partition_options
@options.result_options
def compare(p: str, q: str, in_parts: bool | None, **settings: Any) -> None:
    """
    Compare the partitions of two files.

    Objects are matched by id if both files have ids, otherwise by position. ACI, NDC
    and its expectation are computed; --json and --csv give them with all digits.
    --interval adds confidence intervals for ACI and NDC, --test a p-value, --family all
    (or names) tables of the families of fuzzy Rand indices, and --index all (or names)
    other indices.

    Files that would take more than a quarter of the memory are read a part at a time,
    which is enough for everything that needs no pairs of objects.

    \b
    Examples:
      concordant compare P.csv Q.csv
      concordant compare P.csv Q.npy --index aci,ndc --csv
      concordant compare P.csv Q.csv --family all
      concordant compare P.csv Q.csv --family campello --t-norm min
      concordant compare P.csv Q.csv --interval --test
      concordant compare P.csv Q.csv --index aci --interval 0.9 --json
      concordant compare P.csv Q.csv --interval --groups patients.csv
      concordant compare P.parquet - --id sample --json < Q.tsv
      concordant compare P.npy Q.npy --jobs -1 --checkpoint work.ckpt
      concordant compare P.npy Q.npy --dask tcp://10.0.0.1:8786
      concordant compare big_P.parquet big_Q.parquet --stream --jobs -1
    """
    from concordant.cli.in_parts import are_larger_than_memory, compare_in_parts
    from concordant.cli.inputs import read_given
    from concordant.cli.measuring import asked_by, running, warn_of_long_work
    from concordant.cli.progress_bar import progress_bar, progress_of
    from concordant.measures.comparing import compare_wanted

    output.check_places([p, q], settings)
    wanted, how = asked_by(settings)
    if in_parts or (in_parts is None and are_larger_than_memory([p, q])):
        comparison, given = compare_in_parts([p, q], wanted, how, settings)
    else:
        given = read_given([p, q], settings)
        P, Q = given.partitions
        warn_of_long_work([(P, Q)], wanted, how)
        with running(how) as how, progress_bar(*given.names) as tell:
            how |= {
                "progress": progress_of(tell, "comparing"),
                "match_by": given.match_by,
                "names": given.names,
            }
            comparison = compare_wanted(P, Q, wanted, **given.labels, **how)
    output.deliver(_document(given, comparison), settings["form"], settings["out"])


def _document(given: output.GivenFiles, comparison: "cc.Comparison") -> output.Document:
    """Make a document of a comparison: the same input gives the same bytes."""
    P, Q = given.described
    content = comparison.to_dict() | {"P": P.to_dict(), "Q": Q.to_dict()}
    # Remarks on the partitions are told with their files.
    shown = replace(comparison, partitions=None).shown(Message.on_command_line)
    return output.Document(
        command="compare",
        version=3,
        json={"matched_by": given.match_by, **content},
        header=[*content["scores"][0]] if content["scores"] else [],
        rows=[[*record.values()] for record in content["scores"]],
        lines=[
            *shown.text().split("\n"),
            "",
            *P.lines("P"),
            *Q.lines("Q"),
            given.matched(comparison.n_objects),
        ],
    )
