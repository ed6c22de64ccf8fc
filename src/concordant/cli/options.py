"""The options that commands share."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from glob import glob
from os.path import lexists
from typing import Any, get_args

import click
from click import Context, Parameter

from concordant.catalogue import (
    FAMILIES,
    INDICES,
    NULLS,
    STATISTICS,
    T_NORMS,
    Kind,
    Similarity,
)

Decorator = Callable[[Callable[..., Any]], Any]

METHODS = ("auto", "exact", "permutations", "sampled")
NOISES = ("cluster", "singletons", "drop", "column")

READING = ("id_column", "delimiter", "header", "array", "skip", "encoding", "missing")

ALL_INDICES = (*INDICES, *STATISTICS)

FILE = click.Path(allow_dash=True)

_PICTURES = (".png", ".svg", ".pdf")
_NOT_WRITTEN = (
    *(".npy", ".npz", ".arrow", ".feather", ".ipc", ".json"),
    *(".xlsx", ".xls", ".ods", ".mat", ".rds", ".rdata", ".h5", ".h5ad"),
)


def together(*options: Decorator) -> Decorator:
    """Make one decorator of several options, in the order that --help lists them in."""
    return lambda command: reduce(lambda f, add: add(f), reversed(options), command)


def taken(settings: Mapping[str, Any], keywords: Iterable[str]) -> dict[str, Any]:
    """Return the keywords of the library for which options were given."""
    said = {name: settings.get(name) for name in keywords}
    return {name: value for name, value in said.items() if value is not None}


def _as_list(ctx: Context, param: Parameter, value: str | None) -> list[str] | None:
    """Read ``a,b,c``, where a name may be quoted."""
    if value is None:
        return None
    names = [name.strip() for name in next(csv.reader([value]), [])]
    if len(names) < 2 or not all(names):
        raise click.BadParameter(
            f"{value!r} is not a list such as a,b,c of two or more columns"
        )
    return names


def _matched(ctx: Context, param: Parameter, value: Sequence[str]) -> list[str]:
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


def _as_level(ctx: Context, param: Parameter, value: str | None) -> float | None:
    """Read a number; what is none may be the file that comes next."""
    try:
        return None if value is None else float(value)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is not a level such as 0.95; put the option after the files, "
            "or write --interval=0.95"
        ) from None


def _as_picture(ctx: Context, param: Parameter, value: str | None) -> str | None:
    """Refuse a picture in a format that is not drawn."""
    if value is not None and not value.casefold().endswith(_PICTURES):
        *most, last = _PICTURES
        raise click.BadParameter(f"{value!r} must end in {', '.join(most)} or {last}")
    return value


def _as_written(ctx: Context, param: Parameter, value: str | None) -> str | None:
    """Refuse memberships in a format that is not written."""
    if value is not None and value.casefold().endswith(_NOT_WRITTEN):
        raise click.BadParameter(
            "memberships are written as CSV, or by the end of the name as TSV (.tsv), "
            "Parquet (.parquet) or as ADMIXTURE does (.Q)"
        )
    return value


two_files = together(
    click.argument("p", metavar="P", type=FILE),
    click.argument("q", metavar="Q", type=FILE),
)

many_files = click.argument(
    "files", metavar="A B ...", type=FILE, nargs=-1, required=True, callback=_matched
)


def completed(names: Sequence[str]) -> Callable[[Context, Parameter, str], list[str]]:
    """Return what a shell calls to complete a name."""
    return lambda ctx, param, begun: [name for name in names if name.startswith(begun)]


def names_option(
    option: str, dest: str, names: Sequence[str], **settings: Any
) -> Decorator:
    """Return an option for some of the names, by commas or given several times."""
    choice = click.Choice(names, case_sensitive=False)

    def convert(ctx: Context, param: Parameter, value: Sequence[str]) -> Sequence[str]:
        parts = [part.strip() for each in value for part in each.split(",")]
        return tuple(dict.fromkeys(choice.convert(x, param, ctx) for x in parts))

    return click.option(
        option,
        dest,
        metavar="NAME,...",
        multiple=True,
        callback=convert,
        shell_complete=completed(names),
        **settings,
    )


def indices_option(what: str, *others: str, **settings: Any) -> Decorator:
    """Return the option ``--index``, whose names, or `others`, make `indices`."""
    names = (*ALL_INDICES, *others)
    told = f"{what}: {', '.join(names)}."
    return names_option("--index", "indices", names, help=told, **settings)


families_option = names_option(
    "--family",
    "families",
    [*FAMILIES],
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
        type=click.Choice(("drop",)),
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
        help="Which run to read from files that hold several; FILE#N chooses one.",
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
        type=click.Choice(get_args(Kind)),
        help="The kind of memberships; possibilistic ones need not sum to 1, and "
        "overlapping ones are zeros and ones.",
    ),
)

jobs_option = click.option(
    "--jobs",
    "n_jobs",
    type=int,
    metavar="N",
    help="Number of threads; -1 for one per core.",
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
    "random_state",
    type=click.IntRange(min=0, max=2**32 - 1),
    default=0,
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


def labels_option(name: str, what: str) -> Decorator:
    """Return an option for a label of each object, whose value may be left out."""
    return click.option(
        name,
        metavar="[FILE|COLUMN]",
        is_flag=False,
        flag_value="",
        help=f"{what}: a file of labels, or the name of a column of P or Q; without "
        "either, the populations that files of STRUCTURE and CLUMPP have.",
    )


algorithm_options = together(
    click.option(
        "--method",
        metavar="METHOD",
        shell_complete=completed(METHODS),
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
        "n_permutations",
        type=click.IntRange(min=1),
        help="Number of permutations, for --method permutations.",
    ),
    jobs_option,
    seed_option,
)

interval_option = click.option(
    "--interval",
    metavar="[LEVEL]",
    callback=_as_level,
    is_flag=False,
    flag_value="0.95",
    help="Add confidence intervals for ACI and NDC, at level 0.95 or the one given; "
    "the objects are treated as a sample.",
)


def plot_option(what: str) -> Decorator:
    """Return the option for a picture."""
    return click.option(
        "--plot",
        type=click.Path(),
        metavar="FILE",
        callback=_as_picture,
        help=f"{what}: {', '.join(_PICTURES[:-1])} or {_PICTURES[-1]}.",
    )


def output_options(what: str, out: str, **settings: Any) -> Decorator:
    """Return the options for what is printed, and for what `out` says of a file."""
    return together(
        *(
            click.option(
                f"--{form}",
                "form",
                flag_value=form,
                help=f"Print {what} as {form.upper()}, with all digits.",
            )
            for form in ("json", "csv")
        ),
        click.option(
            *("--out", "-o"),
            **{"type": click.Path(), "metavar": "FILE", "help": out, **settings},
        ),
    )


result_options = output_options(
    "the result", "Write to this file instead; .json and .csv choose the format."
)


def membership_options(out: str) -> Decorator:
    """Return the options of a command that writes memberships."""
    return output_options("the summary", out, callback=_as_written)


quiet_option = click.option(
    "--quiet", "-q", is_flag=True, help="Show no progress bar and no remarks."
)
