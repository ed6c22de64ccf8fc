"""The command that clusters data."""

import warnings
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import click

import concordant as cc
from concordant.catalogue.lookups import heading_of
from concordant.cli import options, output
from concordant.cli.faults import Fault, warn
from concordant.cli.progress_bar import progress_bar
from concordant.errors import Message
from concordant.printing import table_lines
from concordant.wording import count

#: The class of each method, and what it is called.
_METHODS = {
    "fcm": ("FuzzyCMeans", "fuzzy C-means"),
    "pd": ("PDClustering", "PD-clustering"),
}
_HEADINGS = ("clusters", "objective", "iterations", "converged")
_AGREEMENTS = ("aci", "ndc", "expected")
_HOW_MANY = "Objectives fall as clusters are added; "
_HOW_MANY += "concordant stability and validity help to choose."


def number_range(value: str) -> range:
    """Read ``3`` or ``2:8``."""
    first, _, last = value.partition(":")
    try:
        numbers = range(int(first), int(last or first) + 1)
    except ValueError:
        numbers = range(0)
    if not numbers or numbers[0] < 1:
        raise click.BadParameter(
            f"{value!r} is neither a number such as 3 nor a range such as 2:8"
        )
    return numbers


def _tolerance(value: str) -> float | str:
    """Read a length, or ``auto``."""
    return value if value == "auto" else click.FloatRange(min=0)(value)


method_option = options.option(
    "--method",
    "Fuzzy C-means or PD-clustering.",
    type=click.Choice(tuple(_METHODS)),
    default="fcm",
)

numbers_option = options.option(
    "--k K",
    "The number of clusters, such as 3, or a range such as 2:8.",
    "numbers",
    type=number_range,
    required=True,
)

without_option = options.option(
    "--without COLUMN",
    "Column to leave out. Can be given several times.",
    multiple=True,
)

fit_options = options.together(
    options.option(
        "--fuzzifier",
        "The fuzzifier of fuzzy C-means, above 1.  [default: 2]",
        type=click.FloatRange(min=1, min_open=True),
    ),
    options.option(
        "--starts",
        "Number of random starts, of which the best result is kept.",
        "n_init",
        type=options.COUNT,
        default=10,
    ),
    options.option(
        "--max-iter",
        "Largest number of iterations of a start.",
        type=options.COUNT,
        default=1000,
    ),
    options.option(
        "--tol LENGTH",
        "Stop when no centre moves further than this, in the units of the data; auto "
        "is relative to their spread.",
        type=_tolerance,
        default="auto",
    ),
)


@click.command()
@click.argument("data", type=options.FILE)
@method_option
@numbers_option
@options.option(
    "--truth COLUMN",
    "Column of known classes, by its name or number: it is compared with the result, "
    "not clustered.",
)
@without_option
@fit_options
@options.jobs_option
@options.seed_option
@options.reading_options
@options.membership_options(
    "Where to write the memberships; {k} in the name becomes the number of clusters."
)
@options.quiet_option
def cluster(data: str, numbers: range, out: str | None, **settings: Any) -> None:
    """
    Cluster the rows of a table, and write the memberships.

    The memberships are written to --out, with the ids if there are any, and a summary
    is printed, with NDC and ACI if --truth is given. With a single number of clusters
    and none of --out, --truth, --json and --csv, the memberships are printed instead.

    \b
    Examples:
      concordant cluster data.csv --k 3 > P.csv
      concordant cluster data.csv --method pd --k 3 --out P.csv
      concordant cluster iris.csv --k 2:8 --truth species
      concordant cluster iris.csv --k 2:8 --truth species --out 'fcm-{k}.csv'
    """
    settings["fuzzifier"] = fuzzifier_of(settings)
    if out is not None and len(numbers) > 1 and "{k}" not in out:
        raise click.BadParameter(
            "a range of numbers of clusters needs {k} in the name", param_hint="--out"
        )
    places = [out.replace("{k}", str(k)) for k in numbers] if out else []
    output.check_places([data], {"out": places})
    table, classes = read_data(data, settings)
    models = _fitted(table, numbers, settings)
    for place, model in zip(places, models, strict=False):
        output.write_memberships(place, model.memberships_, table.ids)
    if len(models) == 1 and not (out or settings["form"] or settings["truth"]):
        output.write_memberships(None, models[0].memberships_, table.ids)
        return
    records = [
        _record(model, place, classes) for model, place in zip_longest(models, places)
    ]
    output.deliver(_document(table, records, settings), settings["form"])


def read_data(
    file: str, settings: Mapping[str, Any]
) -> "tuple[cc.files.Table, cc.Partition | None]":
    """Read a table of features, and the known classes if a column may have them."""
    from concordant.files.columns import labels_of

    table = cc.files.read_table(file, **{x: settings[x] for x in options.READING})
    if table.n_objects == 1:
        raise table.fault("only one object; there is nothing to cluster", at=0)
    left_out, classes = [*map(table.column, settings["without"])], None
    if settings.get("truth") is not None:
        left_out.append(table.column(settings["truth"]))
        labels, _ = labels_of(table, left_out[-1])
        classes = cc.Partition._named(labels, "labels", warn=False)
    for column in dict.fromkeys(left_out):
        table = table.without(column)
    for column in table.columns:
        if not column.is_mostly_numbers:
            raise table.fault(
                f"found {str(column.cell(0))[:36]!r}, not a number; --without leaves "
                f"the column out{', --truth compares with it' * ('truth' in settings)}",
                at=0,
                column=column,
            )
    for column in table.columns if settings["id_column"] != "0" else ():
        if _counts_rows(column):
            which = column.name or column.number
            raise table.fault(
                f"counts the rows; --id {which} takes it as ids, --without {which} "
                "leaves it out, --id 0 says that it is a feature",
                column=column,
            )
    for remark in table.remarks:
        warn(f"{table.source}: {Message(remark).on_command_line()}")
    return table, classes


def _counts_rows(column: "cc.files.table.Column") -> bool:
    """Return whether a column has the numbers of the rows, from 0 or 1."""
    numbers = column.numbers
    follow = bool((numbers[1:] == numbers[:-1] + 1.0).all())
    return len(numbers) > 2 and numbers[0] in (0.0, 1.0) and follow


def fuzzifier_of(settings: Mapping[str, Any]) -> float | None:
    """Return the fuzzifier of fuzzy C-means; refuse one for another method."""
    given: float | None = settings["fuzzifier"]
    if settings["method"] == "fcm":
        return given or 2.0
    if given is not None:
        raise click.UsageError("--fuzzifier is for --method fcm")
    return None


def estimator_of(settings: Mapping[str, Any], *more: str) -> Any:
    """Return the estimator of ``--method`` with its options and `more` of them."""
    name, _ = _METHODS[settings["method"]]
    keywords = ("fuzzifier", "n_init", "max_iter", "tol", *more)
    return getattr(cc.cluster, name)(**options.taken(settings, keywords))


def _fitted(
    table: "cc.files.Table", numbers: range, settings: Mapping[str, Any]
) -> list[Any]:
    """Cluster data into each of several numbers of clusters."""
    from sklearn.exceptions import ConvergenceWarning

    matrix = table.matrix()
    if numbers[-1] > len(matrix):
        too_few = f"too few objects ({len(matrix)}) for {numbers[-1]} clusters"
        raise Fault(f"{table.source}: {too_few}")
    models = []
    with progress_bar() as tell, warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for position, k in enumerate(numbers):
            tell(position / len(numbers), f"{k} clusters")
            model = estimator_of(settings, "random_state", "n_jobs")
            models.append(model.set_params(n_clusters=k).fit(matrix))
            for remark in model._remarks():
                told = remark.on_command_line(())
                warn(f"{table.source}: {k} clusters: {told}")
    return models


def _record(
    model: Any, place: str | None, classes: "cc.Partition | None"
) -> dict[str, Any]:
    """Return what is told of a clustering."""
    found = None if classes is None else cc.concordance(model.memberships_, classes)
    return {
        "k": model.n_clusters,
        "objective": model.objective_,
        "n_iterations": model.n_iter_,
        "converged": model.converged_,
        "out": place,
        "concordance": found and {name: getattr(found, name) for name in _AGREEMENTS},
    }


def told_of(
    table: "cc.files.Table", settings: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """Return what is clustered and how, as a title and as JSON."""
    n, p, method = table.n_objects, len(table.columns), settings["method"]
    title = f"{table.source}: {count(n, 'object')}, {count(p, 'column')}"
    return f"{title}, by {_METHODS[method][1]}", {
        "file": table.source,
        "n_objects": n,
        "n_columns": p,
        "method": method,
        "fuzzifier": settings["fuzzifier"],
        "seed": settings["random_state"],
    }


def _document(
    table: "cc.files.Table",
    records: Sequence[dict[str, Any]],
    settings: Mapping[str, Any],
) -> output.Document:
    """Make a document of clusterings: the same input gives the same bytes."""
    title, content = told_of(table, settings)
    truth = settings["truth"]
    agreements = _AGREEMENTS if truth is not None else ()
    header = ("k", "objective", "n_iterations", "converged")
    rows = [
        [*(record[name] for name in header), *(record["concordance"] or {}).values()]
        for record in records
    ]
    cells = [
        [f"{k}", f"{objective:.6g}", f"{n_iterations}", "yes" if converged else "no"]
        + [f"{value:z.6f}" for value in values]
        for k, objective, n_iterations, converged, *values in rows
    ]
    headings = [*_HEADINGS, *map(heading_of, agreements)]
    title += f", compared with {truth}" if truth else ""
    told = [_HOW_MANY] if len(records) > 1 else []
    return output.Document(
        command="cluster",
        version=1,
        json=content | {"truth": truth, "clusterings": records},
        header=(*header, *agreements),
        rows=rows,
        lines=[title, "", *table_lines(headings, cells), *told],
    )
