"""The options that commands share."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce
from glob import glob
from os.path import lexists, splitext
from typing import Any, get_args

import click
from click import Choice, Context, IntRange, Parameter

from concordant.catalogue.families import FAMILIES, STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.nulls import NULLS
from concordant.catalogue.records import Kind, Noise
from concordant.catalogue.values import SIMILARITIES, T_NORMS
from concordant.errors import listed
from concordant.naming import index_named

Decorator = Callable[[Callable[..., Any]], Any]

READING = ("id_column", "delimiter", "header", "array", "skip", "encoding", "missing")
ALL_INDICES = (*INDICES, *STATISTICS)

FILE = click.Path(allow_dash=True)
COUNT = IntRange(min=1)

# What the names of files end in that are written.
_PICTURES = (".png", ".svg", ".pdf")
_PAGES = (".html", ".htm")
_RESULTS = (".json", ".csv", ".txt")
_MEMBERSHIPS = (".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq", ".Q")


def option(spelled: str, told: str, dest: str = "", **settings: Any) -> Decorator:
    """
    Return an option by what ``--help`` shows: how it is spelled, and what it is for.

    `spelled` is as ``-o, --out FILE``; what has neither a value there nor a type is a
    flag. `dest` is the argument of the command, if that has another name, and
    `settings` are those of `click.option`.
    """
    words = spelled.replace(", ", " ").split()
    flags = [word for word in words if word.startswith("-")]
    settings["metavar"] = " ".join(words[len(flags) :]) or None
    if settings["metavar"] is None and "type" not in settings:
        settings["is_flag"] = True
    return click.option(*flags, *([dest] if dest else []), help=told, **settings)


def together(*options: Decorator) -> Decorator:
    """Make one decorator of several options, in the order that --help lists them in."""
    return lambda command: reduce(lambda f, add: add(f), reversed(options), command)


def taken(settings: Mapping[str, Any], keywords: Iterable[str]) -> dict[str, Any]:
    """Return the keywords of the library for which options were given."""
    return {x: settings[x] for x in keywords if settings.get(x) is not None}


def _columns(value: str) -> list[str]:
    """Read ``a,b,c``, where a name may be quoted."""
    names = [name.strip() for name in next(csv.reader([value]), [])]
    if len(names) < 2 or not all(names):
        raise click.BadParameter(
            f"{value!r} is not a list such as a,b,c of two or more columns"
        )
    return names


def _level(value: str) -> float:
    """Read a number; what is none may be the file that comes next."""
    try:
        return float(value)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is not a level such as 0.95; put the option after the files, "
            "or write --interval=0.95"
        ) from None


def _matched(ctx: Context, param: Parameter, value: Sequence[str]) -> list[str]:
    """Replace patterns that were quoted, as ``'run*.Q'``, by the files they match."""
    found = []
    for name in value:
        is_pattern = not lexists(name) and any(mark in name for mark in "*?[")
        names = sorted(glob(name)) if is_pattern else [name]
        if not names:
            raise click.BadParameter(f"no file matches {name!r}")
        found += names
    return found


def _names_in(ctx: Context, param: Parameter, value: str | None) -> list[str] | None:
    """Read ``a,b,c``, or a file with a name per line."""
    if value is None:
        return None
    if lexists(value):
        try:
            with open(value, encoding="utf-8-sig") as file:
                names = [line.strip() for line in file]
        except (OSError, UnicodeDecodeError) as error:
            raise click.BadParameter(f"{value!r} cannot be read: {error}") from None
    else:
        names = [name.strip() for name in next(csv.reader([value]), [])]
    if not any(names):
        raise click.BadParameter(f"{value!r} names nothing")
    return [*filter(None, names)]


def _ending_in(*ends: str) -> Callable[[Context, Parameter, str | None], str | None]:
    """Return a callback that refuses to write a file whose name ends in another way."""

    def check(ctx: Context, param: Parameter, value: str | None) -> str | None:
        if value is not None:
            end = splitext(value)[1]
            if end not in ends and end.casefold() not in ends:
                said = listed([*filter(None, ends)])
                raise click.BadParameter(f"{value!r} must end in {said}")
        return value

    return check


class FileOption(click.Option):
    """An option for reading files, which the help of a command only names."""

    def get_help_record(self, ctx: Context) -> tuple[str, str] | None:
        """Return nothing: it stands in the last lines."""
        return None

    def described(self, ctx: Context) -> tuple[str, str] | None:
        """Return how it is spelled and what it is for."""
        return super().get_help_record(ctx)


class IndexName(Choice[str]):
    """The name of an index, in any spelling that people have for it."""

    def __init__(self, *others: str) -> None:
        self._others = others
        super().__init__((*ALL_INDICES, *others), case_sensitive=False)

    def convert(self, value: Any, param: Parameter | None, ctx: Context | None) -> str:
        """Return its name in the catalogue."""
        return index_named("index", value, *self._others)


def names_option(
    flag: str, told: str, dest: str, choice: Choice[str], **settings: Any
) -> Decorator:
    """Return an option for some of the names, by commas or given several times."""

    def convert(ctx: Context, param: Parameter, value: Sequence[str]) -> Sequence[str]:
        parts = [part.strip() for each in value for part in each.split(",")]
        return tuple(dict.fromkeys(choice.convert(x, param, ctx) for x in parts))

    settings |= {"callback": convert, "shell_complete": choice.shell_complete}
    told = f"{told}: {', '.join(choice.choices)}."
    return option(f"{flag} NAME,...", told, dest, multiple=True, **settings)


two_files = together(
    click.argument("p", metavar="P", type=FILE),
    click.argument("q", metavar="Q", type=FILE),
)

many_files = click.argument(
    "files", metavar="A B ...", type=FILE, nargs=-1, required=True, callback=_matched
)

family_option = option(
    "--family",
    "The family of statistics such as rand.  [default: huellermeier, or crisp if all "
    "partitions are]",
    type=Choice(tuple(FAMILIES), case_sensitive=False),
)

families_option = names_option(
    "--family",
    "Compute the tables of these families too, or of all",
    "families",
    Choice((*FAMILIES, "all"), case_sensitive=False),
)


def indices_option(told: str, *others: str, **settings: Any) -> Decorator:
    """Return the option ``--index``, whose names, or `others`, make `indices`."""
    return names_option("--index", told, "indices", IndexName(*others), **settings)


t_norm_option = option(
    "--t-norm", "Compute only tables with this t-norm.", type=Choice([*T_NORMS])
)

file_option = partial(option, cls=FileOption)

reading_options = together(
    file_option(
        "--id COLUMN",
        "Name or number (from 1) of the column of ids, or 0 if there is none. "
        "Detected by default.",
        "id_column",
    ),
    file_option(
        "--delimiter CHARACTER",
        "What separates cells: a character, or tab, semicolon, comma, bar, space "
        "(any number of blanks) or none. Detected by default.",
    ),
    file_option(
        "--header/--no-header",
        "Whether the first row names the columns. Detected by default.",
        default=None,
    ),
    file_option("--array NAME", "Which array of an .npz file to read."),
    file_option(
        "--skip N",
        "Leave out the first N lines of text files.",
        type=IntRange(min=0),
        default=0,
    ),
    file_option(
        "--encoding NAME", "How text is encoded, such as cp1252.  [default: UTF-8]"
    ),
    file_option(
        "--missing",
        "drop: leave out objects with a missing value (NA, NaN, None, an empty "
        "cell or the like), in a comparison on both sides.  [default: they are "
        "refused]",
        type=Choice(("drop",)),
    ),
)

partition_options = together(
    reading_options,
    file_option(
        "--only FILE",
        "Apply the options for reading to this file alone, given by its name or "
        "its number (from 1). Can be given several times.",
        multiple=True,
    ),
    file_option(
        "--column COLUMN",
        "Name or number (from 1) of the column that holds labels, in the files "
        "that have it. Can be given once for each file.",
        multiple=True,
    ),
    file_option(
        "--columns A,B,...",
        "The columns that hold memberships, in the files that have them.",
        type=_columns,
    ),
    file_option(
        "--ids FILE",
        "A file that names the objects: PLINK's .fam, or one id per line.",
        type=FILE,
    ),
    file_option(
        "--run N",
        "Which run to read from files that hold several; FILE#N chooses one.",
        type=COUNT,
    ),
    file_option(
        "--common",
        "Compare the objects whose ids all files have (agreement and modes: each two "
        "files), and say how many are left out.",
    ),
    file_option("--transpose", "Columns are objects, rows are clusters."),
    file_option(
        "--labels-as-text",
        "Take labels as text, whatever they look like; NA is then a cluster.",
    ),
    file_option("--normalize", "Divide the memberships of each object by their sum."),
    file_option(
        "--noise",
        "How to treat noise: the label -1 (cluster, singletons, drop), or what is "
        "missing from 1 in a row (column). One of each kind can be given.",
        type=Choice(get_args(Noise)),
        multiple=True,
    ),
    file_option(
        "--kind",
        "The kind of memberships; possibilistic ones need not sum to 1, and "
        "overlapping ones are zeros and ones.",
        type=Choice(get_args(Kind)),
    ),
)

jobs_option = option(
    "--jobs N", "Number of threads; -1 for one per core.", "n_jobs", type=int
)

seed_option = option(
    "--seed",
    "Seed of the random numbers.",
    "random_state",
    type=IntRange(min=0, max=2**32 - 1),
    default=0,
)

quiet_option = option("--quiet, -q", "Show no progress bar and no remarks.")

similarity_option = option(
    "--similarity",
    "Whether NDC and ACI compare pairs of objects by L1 similarities or by inner "
    "products of memberships.  [default: l1]",
    type=Choice(SIMILARITIES),
)


def labels_option(flag: str, what: str) -> Decorator:
    """Return an option for a label of each object, whose value may be left out."""
    return option(
        f"{flag} [FILE|COLUMN]",
        f"{what}: a file of labels, or the name of a column of P or Q; without "
        "either, the populations that files of STRUCTURE and CLUMPP have.",
        is_flag=False,
        flag_value="",
    )


algorithm_options = together(
    option(
        "--tol",
        "Sample pairs until the 95 % interval extends no further than this to "
        "either side, unless visiting all pairs is quicker.",
        type=click.FloatRange(min=0, min_open=True),
    ),
    similarity_option,
    option(
        "--null NAME",
        f"The model of chance that ACI corrects for, one of {', '.join(NULLS)}.  "
        "[default: permutations]",
        type=Choice(tuple(NULLS)),
    ),
    jobs_option,
    seed_option,
    option(
        "--dask ADDRESS",
        "Run on the workers of this Dask scheduler; local:4 starts four here.",
    ),
    option(
        "--checkpoint FILE",
        "Save the work on all pairs in this file, and resume from it.",
        type=FILE,
    ),
)

interval_option = option(
    "--interval [LEVEL]",
    "Add confidence intervals for ACI and NDC, at level 0.95 or the one given; "
    "the objects are treated as a sample.",
    type=_level,
    is_flag=False,
    flag_value="0.95",
)


def plot_option(what: str) -> Decorator:
    """Return the option for a picture."""
    told = f"{what}: {listed(_PICTURES)}."
    return option("--plot FILE", told, type=FILE, callback=_ending_in(*_PICTURES))


def plot_options(what: str, *more: Decorator) -> Decorator:
    """Return the options for a picture that has bars of memberships."""
    return together(
        plot_option(what),
        labels_option("--groups", "Draw the objects of bars by their groups"),
        option(
            "--order A,B,...|FILE",
            "The groups of bars from left to right, or without groups the ids of the "
            "objects; or a file with one per line.",
            callback=_names_in,
        ),
        option("--title TEXT", "What stands above the picture."),
        *more,
    )


width_option = option(
    "--width INCHES",
    "The width of the picture, such as 3.3 for a column of a paper.  [default: what "
    "twelve inches of bars and the names need]",
    type=click.FloatRange(min=1, max=100),
)

threshold_option = option(
    "--threshold",
    "How far any two partitions of a mode agree at least.  [default: 0.95]",
    type=float,
)

page_option = option(
    "--out, -o FILE",
    "Where to write the page.",
    type=FILE,
    default="report.html",
    callback=_ending_in("", *_PAGES),
)


def output_options(
    what: str, told: str, out: str = "--out, -o FILE", **settings: Any
) -> Decorator:
    """Return the options for what is printed, and for where `told` says it goes."""
    forms = (
        option(
            f"--{form}",
            f"Print {what} as {form.upper()}, with all digits.",
            "form",
            flag_value=form,
        )
        for form in ("json", "csv")
    )
    return together(*forms, option(out, told, **{"type": FILE, **settings}))


result_options = together(
    output_options(
        "the result",
        "Write to this file instead; .json and .csv choose the format.",
        callback=_ending_in("", *_RESULTS),
    ),
    quiet_option,
)


def membership_options(told: str) -> Decorator:
    """Return the options of a command that writes memberships."""
    return output_options("the summary", told, callback=_ending_in("", *_MEMBERSHIPS))
