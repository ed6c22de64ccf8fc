"""The command that compares all pairs of many partitions."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import click

import concordant as cc
from concordant.catalogue.families import STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import heading_of
from concordant.cli import options, output
from concordant.cli.faults import Fault
from concordant.cli.progress_bar import progress_bar, progress_of
from concordant.errors import listed
from concordant.printing import cut, short, table_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from concordant.comparison import Wanted
    from concordant.execution.run import Run
    from concordant.many.every_pair import Squares


@click.command()
@options.many_files
@options.indices_option(
    "What to compute", default=("aci", "ndc"), show_default="aci,ndc"
)
@options.family_option
@options.t_norm_option
@options.plot_options(
    "Draw a heat map of the first index, with its tree and modes, a map of the "
    "partitions in the plane by 1 - NDC and, with --groups or --order, their bars"
)
@options.algorithm_options
@options.partition_options
@options.result_options
def agreement(files: Sequence[str], family: str | None, **settings: Any) -> None:
    """
    Compare all pairs of many partitions.

    Objects are matched by id if all files have ids, otherwise by position. With --noise
    drop or --missing drop, each pair is compared on the objects that both keep, and
    with --common on those whose ids both have. With a single file, --columns names the
    columns of labels to compare.

    \b
    Examples:
      concordant agreement fcm.csv pd.csv truth.csv
      concordant agreement runs/*.csv --plot map.svg
      concordant agreement run*.Q --plot runs.pdf --groups populations.txt
      concordant agreement runs/*.csv --index aci --csv --out aci.csv
      concordant agreement runs/*.npy --index rand --family campello --json
      concordant agreement table.csv --columns kmeans,gmm,fcm
      concordant agreement runs/*.npy --jobs -1 --checkpoint work.ckpt
    """
    from concordant.cli.inputs import read_given
    from concordant.cli.measuring import asked_by, running, warn_of_long_work
    from concordant.many.agreeing import with_one_table
    from concordant.many.every_pair import scores_of_all_pairs
    from concordant.measures.asked_run import asked_run

    output.check_places(files, settings)
    shown = settings["indices"]
    settings["indices"] = (*shown, "ndc") if settings["plot"] else shown
    if (family or settings["t_norm"]) and not {*STATISTICS} & {*shown}:
        names = listed([*STATISTICS])
        raise Fault(f"--family and --t-norm are for --index {names}")
    settings["families"] = (family,) if family else ()
    wanted, how = asked_by(settings)
    given = read_given(
        files, settings, each_column=True, pairwise=True, n_of_runs=len(files)
    )
    partitions = given.partitions
    wanted = with_one_table(wanted, partitions)
    warn_of_long_work(combinations(partitions, 2), wanted, how)
    with running(how) as how, progress_bar() as tell:
        tell_of_pairs = progress_of(tell, "comparing all pairs")
        run = asked_run(indices=wanted.all_indices, progress=tell_of_pairs, **how)
        pairs = scores_of_all_pairs(
            partitions, given.names, wanted, run, given.match_by
        )
    draw = partial(_picture, given, pairs, shown[0])
    output.write_plot(settings, draw, **given.labels)
    document = _document(given, pairs, run, wanted, shown)
    output.deliver(document, settings["form"], settings["out"])


def _picture(
    given: output.GivenFiles, pairs: "Squares", index: str, **how: Any
) -> "Figure":
    """Draw all pairs by an index, with bars if objects are in groups or in an order."""
    from concordant.plot.many import many_partitions

    found = cc.Agreement(
        pairs.values[index],
        pairs.errors[index],
        tuple(given.titles),
        index,
        tuple(given.partitions),
        given.match_by,
    )
    bars = None
    if any(how.get(name) is not None for name in ("groups", "order")):
        names, match_by = given.names, given.match_by
        bars = cc.align_clusters(given.partitions, names=names, match_by=match_by)
    return many_partitions(found, 1.0 - pairs.values["ndc"], bars=bars, **how)


def _document(
    given: output.GivenFiles,
    pairs: "Squares",
    run: "Run",
    wanted: "Wanted",
    shown: Sequence[str],
) -> output.Document:
    """Make a document of all pairs: the same input gives the same bytes."""
    from concordant.compute import null_of
    from concordant.many.every_pair import is_symmetric
    from concordant.measures.adjusted import said_of_setting

    setting = {"similarity": run.similarity, "null": null_of(run)}
    symmetric = all(is_symmetric(name, run) for name in shown)
    of_two = combinations if symmetric else permutations
    with_table = bool(wanted.statistics)
    family = wanted.families_for()[0] if with_table else None
    return output.Document(
        command="agreement",
        version=2,
        json={
            **given.to_dict(),
            **setting,
            "family": family,
            "t_norm": wanted.t_norm if with_table else None,
            "values": {name: pairs.values[name].tolist() for name in shown},
            "errors": {
                name: pairs.errors[name].tolist() for name in shown if name in INDICES
            },
        },
        header=("P", "Q", *shown),
        rows=[
            [P, Q, *(float(pairs.values[name][i, j]) for name in shown)]
            for (i, P), (j, Q) in of_two(enumerate(given.names), 2)
        ],
        lines=[
            f"{len(given.names)} partitions of {given.all_matched}"
            f"{said_of_setting(**setting)}",
            *given.lines,
            *(line for name in shown for line in _table(name, pairs, wanted)),
        ],
    )


def _table(name: str, pairs: "Squares", wanted: "Wanted") -> list[str]:
    """Return the lines of a table of an index, after an empty one."""
    values = pairs.values[name].tolist()
    numbers = [str(number) for number in range(1, len(values) + 1)]
    title = heading_of(name)
    if name in wanted.statistics and wanted.families:
        t_norm = f", {wanted.t_norm}" if wanted.t_norm else ""
        title = f"{title} ({wanted.families[0]}{t_norm})"
    rows = [
        (number, *map(short, row)) for number, row in zip(numbers, values, strict=True)
    ]
    return ["", *table_lines((title, *numbers), cut(rows))]
