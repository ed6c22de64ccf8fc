"""The command that clusters data."""

from typing import Any

import click
from click.shell_completion import CompletionItem

from concordant.cli import options

_NOT_WRITTEN = (".npy", ".npz", ".arrow", ".feather", ".ipc", ".json")


def _as_range(ctx: click.Context, param: click.Parameter, value: str) -> range:
    """Read ``3`` or ``2:8``."""
    first, _, last = value.partition(":")
    try:
        numbers = range(int(first), int(last or first) + 1)
    except ValueError:
        numbers = range(0)
    if not numbers or numbers[0] < 1:
        raise click.BadParameter(f"{value!r} is neither like 3 nor like 2:8")
    return numbers


class _Tolerance(click.FloatRange):
    """A number, or ``auto``."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Read either."""
        return value if value == "auto" else super().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete ``auto``."""
        return [CompletionItem("auto")] if "auto".startswith(incomplete) else []


@click.command()
@click.argument("data", type=options.FILE)
@click.option(
    "--method",
    type=click.Choice(("fcm", "pd")),
    default="fcm",
    show_default=True,
    help="Fuzzy C-means or PD-clustering.",
)
@click.option(
    "--k",
    "numbers",
    callback=_as_range,
    metavar="K",
    required=True,
    help="The number of clusters, such as 3, or a range such as 2:8.",
)
@click.option(
    "--truth",
    metavar="COLUMN",
    help="Column of known classes, by its name or number: it is compared with "
    "the result, not clustered.",
)
@click.option(
    "--without",
    metavar="COLUMN",
    multiple=True,
    help="Column to leave out. Can be given several times.",
)
@click.option(
    "--fuzzifier",
    type=click.FloatRange(min=1, min_open=True),
    help="m of fuzzy C-means, above 1.  [default: 2]",
)
@click.option(
    "--starts",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Number of random starts, of which the best result is kept.",
)
@click.option(
    "--max-iter",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Largest number of iterations of a start.",
)
@click.option(
    "--tol",
    type=_Tolerance(min=0),
    metavar="LENGTH",
    default="auto",
    show_default=True,
    help="Stop when no centre moves further than this, in the units of the data; auto "
    "is relative to their spread.",
)
@options.jobs_option
@options.seed_option
@options.reading_options
@click.option("--json", "form", flag_value="json", help="Print the summary as JSON.")
@click.option("--csv", "form", flag_value="csv", help="Print the summary as CSV.")
@click.option(
    "--out",
    "-o",
    type=click.Path(),
    metavar="FILE",
    help="Where to write the memberships; {k} in the name becomes the number of "
    "clusters.",
)
@options.quiet_option
def cluster(data: str, **settings: Any) -> None:
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
    from concordant.cli.clustering import cluster_by_each, read_data
    from concordant.cli.clustering_document import clustering_document
    from concordant.cli.faults import warn
    from concordant.cli.output import check_places, deliver, print_text
    from concordant.cli.progress_bar import progress_bar
    from concordant.files import table_text, write_table

    numbers, form, out = (settings.pop(name) for name in ("numbers", "form", "out"))
    _settle_fuzzifier(settings)
    places = _places(out, numbers)
    for place in places:
        check_places([data], out=place)
    table = read_data(
        data,
        truth=settings["truth"],
        without=settings["without"],
        **{name: settings.pop(name) for name in options.READING},
    )
    for remark in table.remarks:
        warn(f"{table.name}: {remark}", quiet=settings["quiet"])
    with progress_bar(quiet=settings["quiet"]) as tell:
        found = cluster_by_each(table, numbers, settings, tell)
    if len(found) == 1 and not (out or form or settings["truth"]):
        (only,) = found
        names = _names(only.n_clusters)
        print_text(table_text(only.memberships, names=names, ids=table.ids))
        return
    for place, clustering in zip(places, found, strict=True):
        if place is not None:
            names = _names(clustering.n_clusters)
            write_table(place, clustering.memberships, names=names, ids=table.ids)
    deliver(clustering_document(table, found, places, settings), form=form, out=None)


def _settle_fuzzifier(settings: dict[str, Any]) -> None:
    if settings["method"] == "fcm":
        settings["fuzzifier"] = settings["fuzzifier"] or 2.0
    elif settings["fuzzifier"] is not None:
        raise click.UsageError("--fuzzifier is for --method fcm")


def _places(out: str | None, numbers: range) -> list[str | None]:
    """Give the file of each number of clusters."""
    if out is None:
        return [None for _ in numbers]
    if out.casefold().endswith(_NOT_WRITTEN):
        raise click.BadParameter(
            "memberships are written as CSV, or by the end of the name as TSV (.tsv), "
            "Parquet (.parquet) or as ADMIXTURE does (.Q)",
            param_hint="--out",
        )
    if len(numbers) > 1 and "{k}" not in out:
        raise click.BadParameter(
            "a range of numbers of clusters needs {k} in the name", param_hint="--out"
        )
    return [out.replace("{k}", str(k)) for k in numbers]


def _names(n_clusters: int) -> list[str]:
    return [f"cluster_{k}" for k in range(1, n_clusters + 1)]
