"""The command that finds how many different solutions many runs have."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from concordant.cli import options, output
from concordant.cli.faults import Fault
from concordant.cli.progress_bar import progress_bar
from concordant.storage.atomic import write_text_atomically
from concordant.wording import called, count

if TYPE_CHECKING:
    from concordant.many.modes import Modes
    from concordant.partition.partition import Partition

_MEAN, _LIST = "mean.mode", "runs.csv"  # how names of files that are written begin


@click.command()
@options.many_files
@options.threshold_option
@options.option(
    "--index NAME",
    "The index by which any two of a mode agree; its best value must be 1.",
    type=options.IndexName(),
    default="aci",
)
@options.family_option
@options.plot_options(
    "Draw the average of each mode as a row of bars, with the same colours",
    options.width_option,
)
@options.jobs_option
@options.partition_options
@options.output_options(
    "the modes",
    f"Where to write the average of each mode, as {_MEAN}1.7.Q for the first of 7 "
    f"clusters, and the mode of each run, as {_LIST}. Nothing there is overwritten.",
    "--out, -o FOLDER",
    type=click.Path(file_okay=False),
)
@options.option(
    "--format",
    "How to write the averages.  [default: as the first file, or as CSV]",
    "end",
    type=click.Choice(("Q", "csv", "tsv", "parquet")),
)
@options.quiet_option
def modes(files: Sequence[str], end: str | None, **settings: Any) -> None:
    """
    Find how many different solutions many runs have, and which runs have each.

    A mode is a group of runs of which any two agree with ACI of at least --threshold.
    The typical run of a mode agrees best with its others. The output says which
    thresholds give the same modes. A file that holds several runs counts as these.

    \b
    Examples:
      concordant modes run*.7.Q
      concordant modes run*.7.Q --plot bars.pdf --groups populations.txt --out means/
      concordant modes run*.7.Q --plot bars.pdf --groups pop.txt --order CEU,YRI,CHB
      concordant modes clumpp.popfile --threshold 0.9 --json
      concordant modes table.csv --columns kmeans,gmm,fcm
    """
    from concordant.cli.inputs import read_given
    from concordant.cli.measuring import agreed

    out = settings["out"]
    output.check_places(files, settings)
    if out is not None:
        _check_folder(out)
    elif end is not None:
        raise click.UsageError("--format is for files that are written; give --out too")
    given = read_given(
        files, settings, each_column=True, pairwise=True, n_of_runs=len(files)
    )
    said = options.taken(settings, ("index", "family", "n_jobs"))
    with progress_bar(*given.names[:2]) as tell:
        all_pairs = agreed(given, tell, **said)
        tell(0.99, "averaging")
        found = all_pairs.modes(**options.taken(settings, ["threshold"]))
        # Partitions of which each two have ids in common need not have any together.
        means = found.partitions if out is not None or settings["plot"] else ()
    if out is not None:
        os.makedirs(out, exist_ok=True)  # where the picture may be, too
    output.write_plot(settings, found.plot, **given.labels)  # it may be refused
    places = []
    if out is not None:
        end = output.end_of(given.files[0]) if end is None else f".{end}"
        places = [
            os.path.join(out, f"{_MEAN}{place}.{mean.n_clusters}{end}")
            for place, mean in enumerate(means, start=1)
        ]
        output.write_partitions(out, places, means, _clusters(found))
        places.append(os.path.join(out, _LIST))
    document = _document(given, found, means, places)
    if out is not None:
        write_text_atomically(places[-1], output.as_text(document, "csv"))
    output.deliver(document, settings["form"])


def _check_folder(out: str) -> None:
    """Refuse a folder that holds what could be overwritten, or mixed up with modes."""
    there = sorted(os.listdir(out)) if os.path.isdir(out) else []
    for name in there:
        if name.startswith(_MEAN) or name == _LIST:
            place = called(os.path.join(out, name))
            raise Fault(f"--out: {place} is there already; name another folder")


def _clusters(found: "Modes") -> list[list[str]]:
    """Name clusters alike in all modes, as they have the same colour."""
    return [
        [f"cluster_{number}" for number, own in enumerate(order, 1) if own >= 0]
        for order in found.aligned.orders
    ]


def _document(
    given: output.GivenFiles,
    found: "Modes",
    means: Sequence["Partition"],
    places: Sequence[str],
) -> output.Document:
    """Make a document of the modes: the same input gives the same bytes."""
    of_runs = zip(given.names, found.records(), strict=True)
    rows = [(name, *[*record.values()][1:]) for name, record in of_runs]
    left = []
    if means and given.match_by == "common":
        objects = count(means[0].n_objects, "object")
        left = [f"averages are of the {objects} that all partitions have"]
    written = output.told_of_writing(places)
    title, *lines = str(found).splitlines()
    return output.Document(
        command="modes",
        version=1,
        json={
            **given.to_dict(),
            "written": places,
            "index": found.index,
            "threshold": found.threshold,
            "above": found.above,
            "up_to": found.up_to,
            "modes": [
                {
                    "runs": [run + 1 for run in mode.runs],
                    "typical": mode.typical + 1,
                    "n_clusters": mode.n_clusters,
                    "mean": mode.agreement,
                    "least": mode.least,
                }
                for mode in found
            ],
            "by_n_clusters": [
                {
                    "n_clusters": of.n_clusters,
                    "runs": [run + 1 for run in of.runs],
                    "n_modes": of.n_modes,
                    "mean": of.agreement,
                    "least": of.least,
                    "mean_similarity": of.mean_similarity,
                }
                for of in found.by_n_clusters
            ],
        },
        header=("file", "mode", "typical", "n_clusters"),
        rows=rows,
        lines=[
            f"{title} of {given.all_matched}",
            *lines,
            *([""] if written or left else []),
            *left,
            *written,
        ],
    )
