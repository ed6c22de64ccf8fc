"""The options that commands share."""

from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

# Written out, so that --help need not import the library.
AGREEMENTS = ("aci", "ndc", "expected")
STATISTICS = ("rand", "adjusted_rand", "jaccard", "fowlkes_mallows", "mirkin", "dice")
FAMILIES = ("crisp", "campello", "frigui", "brouwer", "anderson", "huellermeier")
T_NORMS = ("min", "product", "lukasiewicz")
METHODS = ("auto", "exact", "permutations", "sampled")
KINDS = ("crisp", "fuzzy", "possibilistic")
NOISES = ("cluster", "singletons", "drop", "column")

FILE = click.Path(allow_dash=True)


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """
    Make one decorator of several options.

    Parameters
    ----------
    *options : decorators
        In the order in which --help lists them.

    Returns
    -------
    decorator
        All of them.
    """
    return lambda command: reduce(lambda f, add: add(f), reversed(options), command)


reading_options = together(
    click.option(
        "--id",
        "id_column",
        metavar="COLUMN",
        help="Name or number (from 1) of the column of ids; 0: there is none. Found "
        "by default.",
    ),
    click.option(
        "--delimiter",
        metavar="CHARACTER",
        help="What stands between cells. Found by default.",
    ),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first row names the columns. Found by default.",
    ),
    click.option(
        "--array", metavar="NAME", help="Which array of an .npz file to read."
    ),
)

partition_options = together(
    click.option(
        "--noise",
        type=click.Choice(NOISES),
        multiple=True,
        help="What becomes of noise: label -1 (cluster, singletons, drop), or what "
        "memberships lack to 1 (column). Can be given for both.",
    ),
    click.option(
        "--kind",
        type=click.Choice(KINDS),
        help="What memberships are; possibilistic ones need not sum to 1.",
    ),
)

jobs_option = click.option(
    "--jobs", type=int, metavar="N", help="How many threads; -1: one per core."
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
    help="Keep the work on all pairs there, and go on from it.",
)

seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0, max=2**32 - 1),
    default=0,
    show_default=True,
    help="Where chance starts.",
)

algorithm_options = together(
    click.option(
        "--method",
        metavar="METHOD",
        shell_complete=lambda ctx, param, incomplete: [
            method for method in METHODS if method.startswith(incomplete)
        ],
        help=f"How NDC and ACI are computed: {', '.join(METHODS)}.  [default: auto]",
    ),
    click.option(
        "--tol",
        type=click.FloatRange(min=0, min_open=True),
        help="Half width of the interval at which sampling ends.",
    ),
    click.option(
        "--permutations",
        type=click.IntRange(min=1),
        help="How many, for --method permutations.",
    ),
    jobs_option,
    seed_option,
)

output_options = together(
    click.option("--json", "form", flag_value="json", help="Print JSON, all digits."),
    click.option("--csv", "form", flag_value="csv", help="Print CSV, all digits."),
    click.option(
        "--out",
        "-o",
        type=click.Path(),
        metavar="FILE",
        help="Write there instead; .json and .csv choose the format.",
    ),
)

quiet_option = click.option(
    "--quiet", "-q", is_flag=True, help="No progress bar and no remarks."
)
