"""The command that compares all pairs of many partitions."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import click

from concordant.catalogue import FAMILIES, INDICES, heading_of
from concordant.cli import options
from concordant.cli.faults import fault_of
from concordant.cli.output import Document, Sheet, check_places, deliver
from concordant.cli.progress_bar import Tell, progress_bar, step
from concordant.printing import short
from concordant.wording import count

if TYPE_CHECKING:
    from concordant.cli.inputs import Given
    from concordant.cli.measuring import Asked
    from concordant.comparison import Wanted
    from concordant.execution.run import Run
    from concordant.many.every_pair import Squares
    from concordant.partition.alignment import Align

_VERSION = 2


@click.command()
@options.many_files
@options.indices_option(
    "What to compute", default=("aci", "ndc"), show_default="aci,ndc"
)
@click.option(
    "--family",
    type=click.Choice(tuple(FAMILIES), case_sensitive=False),
    help="The family of statistics such as rand.  [default: huellermeier, or crisp if "
    "all partitions are]",
)
@options.t_norm_option
@click.option(
    "--plot",
    type=click.Path(),
    metavar="FILE",
    help="Draw a heat map of the first index, ordered by similarity, and a map of the "
    "partitions in the plane, based on 1 - NDC: .png, .svg or .pdf.",
)
@options.algorithm_options
@options.dask_option
@options.checkpoint_option
@options.reading_options
@options.partition_options
@options.output_options
@options.quiet_option
def matrix(
    files: Sequence[str],
    plot: str | None,
    family: str | None,
    form: str | None,
    out: str | None,
    quiet: bool,
    **settings: Any,
) -> None:
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
      concordant matrix runs/*.npy --jobs -1 --checkpoint work.ckpt
    """
    from concordant.cli.inputs import alignment, read_given
    from concordant.cli.measuring import asked_by, running, warn_of_long_work
    from concordant.many.agreeing import with_one_table

    each_column = len(files) == 1 and settings["columns"] is not None
    if len(files) < 2 and not each_column:
        raise click.UsageError(
            "at least two files are needed, two runs of one, as FILE#1 FILE#2, or one "
            "and --columns A,B,... with labels"
        )
    options.check_picture(plot)
    check_places(files, out=out, plot=plot, checkpoint=settings["checkpoint"])
    shown = settings["indices"]
    settings["indices"] = (*shown, "ndc") if plot else shown
    settings["families"] = (family,) if family else ()
    asked = asked_by(settings)
    given = read_given(files, each_column=each_column, **settings)
    align = alignment(given)
    partitions = [g.partition for g in given]
    asked = replace(asked, wanted=with_one_table(asked.wanted, partitions))
    warn_of_long_work(combinations(given, 2), asked, quiet=quiet)
    with running(asked) as asked, progress_bar(quiet=quiet) as tell:
        pairs, run = _measured(given, align, asked, tell)
    if plot is not None:
        _draw(plot, pairs, given, shown[0])
    document = _document(given, align, pairs, run, asked.wanted, shown)
    deliver(document, form=form, out=out)


def _measured(
    given: "Sequence[Given]", align: "Align", asked: "Asked", tell: Tell
) -> "tuple[Squares, Run]":
    """Compute what is asked of all pairs, and return how it was done."""
    from concordant.many.every_pair import scores_of_all_pairs
    from concordant.measures.asked_run import asked_run

    partitions, names = [g.partition for g in given], [g.name for g in given]
    try:
        progress = step(tell, 0, 1, "comparing all pairs")
        run = asked_run(progress=progress, **asked.keywords)
        pairs = scores_of_all_pairs(partitions, names, asked.wanted, run, align)
    except (ValueError, TypeError, MemoryError) as error:
        raise fault_of(error) from error
    return pairs, run


def _draw(path: str, pairs: "Squares", given: "Sequence[Given]", index: str) -> None:
    """Draw a heat map of an index and a map by NDC into a file."""
    from concordant.plot.many import many_partitions
    from concordant.plot.picture import write_picture

    figure = many_partitions(
        pairs.values[index],
        1.0 - pairs.values["ndc"],
        [g.name for g in given],
        title=heading_of(index),
    )
    write_picture(path, figure)


def _document(
    given: "Sequence[Given]",
    align: "Align",
    pairs: "Squares",
    run: "Run",
    wanted: "Wanted",
    shown: Sequence[str],
) -> Document:
    """Make a document of all pairs: the same input gives the same bytes."""
    from concordant.cli.inputs import matched_by
    from concordant.formulas.adjusted import said_of_setting
    from concordant.gather import null_of
    from concordant.many.every_pair import is_symmetric

    setting = {"similarity": run.similarity, "null": null_of(run)}
    symmetric = all(is_symmetric(name, run) for name in shown)
    of_two = combinations if symmetric else permutations
    (family,) = wanted.families or (None,)
    with_table = bool(wanted.statistics)
    sizes = sorted({g.n_objects for g in given})
    objects = count(sizes[0], "object")
    if len(sizes) > 1:
        objects = f"{sizes[0]} to {sizes[-1]} objects"
    return Document(
        json={
            "schema": "concordant/matrix",
            "version": _VERSION,
            "matched_by": matched_by(align),
            **setting,
            "partitions": [g.to_dict() for g in given],
            "family": family if with_table else None,
            "t_norm": wanted.t_norm if with_table else None,
            "values": {name: pairs.values[name].tolist() for name in shown},
            "errors": {
                name: pairs.errors[name].tolist() for name in shown if name in INDICES
            },
        },
        header=("P", "Q", *shown),
        rows=[
            [P.name, Q.name, *(float(pairs.values[name][i, j]) for name in shown)]
            for (i, P), (j, Q) in of_two(enumerate(given), 2)
        ],
        lines=[
            f"{len(given)} partitions of {objects}, matched by {matched_by(align)}"
            f"{said_of_setting(**setting)}",
            *(
                line
                for number, g in enumerate(given, start=1)
                for line in g.lines(str(number))
            ),
        ],
        sheets=[_sheet(name, pairs, wanted) for name in shown],
    )


def _sheet(name: str, pairs: "Squares", wanted: "Wanted") -> Sheet:
    values = pairs.values[name].tolist()
    numbers = [str(number) for number in range(1, len(values) + 1)]
    title = heading_of(name)
    if name in wanted.statistics and wanted.families:
        t_norm = f", {wanted.t_norm}" if wanted.t_norm else ""
        title = f"{title} ({wanted.families[0]}{t_norm})"
    rows = [
        (number, *map(short, row)) for number, row in zip(numbers, values, strict=True)
    ]
    return (title, *numbers), rows
