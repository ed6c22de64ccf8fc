"""The options that commands share."""

import csv
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from glob import glob
from os.path import lexists
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from concordant.catalogue import (
    FAMILIES,
    INDICES,
    NULLS,
    STATISTICS,
    T_NORMS,
    Kind,
    Similarity,
)
from concordant.errors import OPTIONS

if TYPE_CHECKING:
    Choice = click.Choice[str]
else:  # which click 8.1 does not make generic
    Choice = click.Choice

F = TypeVar("F", bound=Callable[..., Any])

METHODS = ("auto", "exact", "permutations", "sampled")
KINDS = get_args(Kind)
MISSING = ("drop",)
NOISES = ("cluster", "singletons", "drop", "column")

READING = ("id_column", "delimiter", "header", "array", "skip", "encoding", "missing")

ALL_INDICES = (*INDICES, *STATISTICS)

FILE = click.Path(allow_dash=True)

_PICTURES = (".png", ".svg", ".pdf")
_NOT_WRITTEN = (
    *(".npy", ".npz", ".arrow", ".feather", ".ipc", ".json"),
    *(".xlsx", ".xls", ".ods", ".mat", ".rds", ".rdata", ".h5", ".h5ad"),
)


def check_picture(plot: str | None) -> None:
    """Refuse a picture in a format that is not drawn."""
    if plot is not None and not plot.casefold().endswith(_PICTURES):
        raise click.BadParameter(
            f"{plot!r} ends in none of {', '.join(_PICTURES)}", param_hint="--plot"
        )


def check_written(out: str | None) -> None:
    """Refuse memberships in a format that is not written."""
    if out is not None and out.casefold().endswith(_NOT_WRITTEN):
        raise click.BadParameter(
            "memberships are written as CSV, or by the end of the name as TSV (.tsv), "
            "Parquet (.parquet) or as ADMIXTURE does (.Q)",
            param_hint="--out",
        )


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Make one decorator of several options, in the order that --help lists them in."""
    return lambda command: reduce(lambda f, add: add(f), reversed(options), command)


def taken(settings: dict[str, Any], keywords: Iterable[str]) -> dict[str, Any]:
    """Take the values of keywords of the library out of the options of a command."""
    names = {
        keyword: OPTIONS[keyword].removeprefix("--").replace("-", "_")
        for keyword in keywords
    }
    return {
        keyword: settings.pop(name)
        for keyword, name in names.items()
        if name in settings
    }


def _as_list(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> list[str] | None:
    """Read ``a,b,c``, where a name may be quoted."""
    if value is None:
        return None
    names = [name.strip() for name in next(csv.reader([value]), [])]
    if len(names) < 2 or not all(names):
        raise click.BadParameter(
            f"{value!r} is not like a,b,c, the names of two columns or more"
        )
    return names


def _matched(
    ctx: click.Context, param: click.Parameter, value: Sequence[str]
) -> list[str]:
    """Replace patterns that were quoted, as ``'run*.Q'``, by the files they match."""
    found = []
    for name in value:
        if lexists(name) or not any(character in name for character in "*?["):
            found.append(name)
        elif names := sorted(glob(name)):
            found += names
        else:
            raise click.BadParameter(f"no file matches {name!r}")
    return found


class Names(Choice):
    """Some of the names, separated by commas, in capital letters or not."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(tuple(names), case_sensitive=False)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Return a list of names."""
        parts = value.split(",") if isinstance(value, str) else value
        return [super(Names, self).convert(part.strip(), param, ctx) for part in parts]


def _together(
    ctx: click.Context, param: click.Parameter, value: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """Make one list of those of an option that was given several times."""
    return tuple(dict.fromkeys(name for names in value for name in names))


class Optional(click.types.StringParamType):
    """A file or column, of an option that may be given without one."""

    def get_metavar(
        self, param: click.Parameter, ctx: click.Context | None = None
    ) -> str:
        """Show in --help that it may be left out; click 8.1 gives no context."""
        return "[FILE|COLUMN]"


class Level(click.types.FloatParamType):
    """A level between 0 and 1, of an option that may be given without one."""

    name = "level"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Take a number; what is none may be the file that comes next."""
        try:
            return float(value)
        except ValueError:
            self.fail(
                f"{value!r} is not a level such as 0.95; put the option after the "
                "files, or write --interval=0.95",
                param,
                ctx,
            )

    def get_metavar(
        self, param: click.Parameter, ctx: click.Context | None = None
    ) -> str:
        """Show in --help that the level may be left out; click 8.1 gives no context."""
        return "[LEVEL]"


two_files = together(
    click.argument("p", metavar="P", type=FILE),
    click.argument("q", metavar="Q", type=FILE),
)

many_files = click.argument(
    "files", metavar="A B ...", type=FILE, nargs=-1, required=True, callback=_matched
)


def indices_option(what: str, *others: str, **settings: Any) -> Callable[[F], F]:
    """Return the option ``--index``, whose names, or `others`, make `indices`."""
    names = (*ALL_INDICES, *others)
    return click.option(
        "--index",
        "indices",
        type=Names(names),
        metavar="NAME,...",
        multiple=True,
        callback=_together,
        help=f"{what}: {', '.join(names)}.",
        **settings,
    )


families_option = click.option(
    "--family",
    "families",
    type=Names(FAMILIES),
    metavar="NAME,...",
    multiple=True,
    callback=_together,
    help=f"Compute only the tables of these families: {', '.join(FAMILIES)}.",
)

t_norm_option = click.option(
    "--t-norm",
    type=click.Choice([*T_NORMS]),
    help="Compute only tables with this t-norm.",
)

reading_options = together(
    click.option(
        "--id",
        "id_column",
        metavar="COLUMN",
        help="Name or number (from 1) of the column of ids, or 0 if there is none. "
        "Detected by default.",
    ),
    click.option(
        "--delimiter",
        metavar="CHARACTER",
        help="What separates cells: a character, or tab, semicolon, comma, bar, space "
        "(any number of blanks) or none. Detected by default.",
    ),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first row names the columns. Detected by default.",
    ),
    click.option(
        "--array", metavar="NAME", help="Which array of an .npz file to read."
    ),
    click.option(
        "--skip",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Leave out the first N lines of text files.",
    ),
    click.option(
        "--encoding",
        metavar="NAME",
        help="How text is encoded, such as cp1252.  [default: UTF-8]",
    ),
    click.option(
        "--missing",
        type=click.Choice(MISSING),
        help="drop: leave out objects with a missing value (NA, NaN, None, an empty "
        "cell or the like), in a comparison on both sides.  [default: they are "
        "refused]",
    ),
)

partition_options = together(
    click.option(
        "--only",
        metavar="FILE",
        multiple=True,
        help="Apply the options for reading to this file alone, given by its name or "
        "its number (from 1). Can be given several times.",
    ),
    click.option(
        "--column",
        metavar="COLUMN",
        multiple=True,
        help="Name or number (from 1) of the column that holds labels, in the files "
        "that have it. Can be given once for each file.",
    ),
    click.option(
        "--columns",
        metavar="A,B,...",
        callback=_as_list,
        help="The columns that hold memberships, in the files that have them.",
    ),
    click.option(
        "--ids",
        type=click.Path(),
        metavar="FILE",
        help="A file that names the objects: PLINK's .fam, or one id per line.",
    ),
    click.option(
        "--run",
        type=click.IntRange(min=1),
        metavar="N",
        help="Which run to read of files that hold several; FILE#N says so for one.",
    ),
    click.option(
        "--common",
        is_flag=True,
        help="Compare the objects whose ids all files have, and say how many are left "
        "out.",
    ),
    click.option(
        "--transpose",
        is_flag=True,
        help="Columns are objects, rows are clusters.",
    ),
    click.option(
        "--labels-as-text",
        is_flag=True,
        help="Take labels as text, whatever they look like; NA is then a cluster.",
    ),
    click.option(
        "--normalize",
        is_flag=True,
        help="Divide the memberships of each object by their sum.",
    ),
    click.option(
        "--noise",
        type=click.Choice(NOISES),
        multiple=True,
        help="How to treat noise: the label -1 (cluster, singletons, drop), or what is "
        "missing from 1 in a row (column). One of each kind can be given.",
    ),
    click.option(
        "--kind",
        type=click.Choice(KINDS),
        help="The kind of memberships; possibilistic ones need not sum to 1, and "
        "overlapping ones are zeros and ones.",
    ),
)

jobs_option = click.option(
    "--jobs", type=int, metavar="N", help="Number of threads; -1 for one per core."
)

dask_option = click.option(
    "--dask",
    metavar="ADDRESS",
    help="Run on the workers of this Dask scheduler; local:4 starts four here.",
)

checkpoint_option = click.option(
    "--checkpoint",
    type=click.Path(),
    metavar="FILE",
    help="Save the work on all pairs in this file, and resume from it.",
)

seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0, max=2**32 - 1),
    default=0,
    show_default=True,
    help="Seed of the random numbers.",
)

similarity_option = click.option(
    "--similarity",
    type=click.Choice(get_args(Similarity)),
    help="Whether NDC and ACI compare pairs of objects by L1 similarities or by inner "
    "products of memberships.  [default: l1]",
)

null_option = click.option(
    "--null",
    type=click.Choice(tuple(NULLS)),
    metavar="NAME",
    help=f"The model of chance that ACI corrects for, one of {', '.join(NULLS)}.  "
    "[default: permutations]",
)


def labels_option(name: str, what: str) -> Callable[[F], F]:
    """Return an option for a label of each object, whose value may be left out."""
    return click.option(
        name,
        type=Optional(),
        is_flag=False,
        flag_value="",
        help=f"{what}: a file of labels, or the name of a column of P or Q; without "
        "either, the populations that files of STRUCTURE and CLUMPP have.",
    )


algorithm_options = together(
    click.option(
        "--method",
        metavar="METHOD",
        shell_complete=lambda ctx, param, incomplete: [
            method for method in METHODS if method.startswith(incomplete)
        ],
        help=f"How to compute NDC and ACI: {', '.join(METHODS)}, or the name of an "
        "algorithm.  [default: auto]",
    ),
    click.option(
        "--tol",
        type=click.FloatRange(min=0, min_open=True),
        help="Sample pairs until the 95 % interval extends no further than this to "
        "either side, unless visiting all pairs is quicker.",
    ),
    similarity_option,
    null_option,
    click.option(
        "--permutations",
        type=click.IntRange(min=1),
        help="Number of permutations, for --method permutations.",
    ),
    jobs_option,
    seed_option,
)

output_options = together(
    click.option(
        "--json", "form", flag_value="json", help="Print JSON, with all digits."
    ),
    click.option("--csv", "form", flag_value="csv", help="Print CSV, with all digits."),
    click.option(
        "--out",
        "-o",
        type=click.Path(),
        metavar="FILE",
        help="Write to this file instead; .json and .csv choose the format.",
    ),
)

quiet_option = click.option(
    "--quiet", "-q", is_flag=True, help="Show no progress bar and no remarks."
)
