"""The group of all commands."""

import click

from concordant import __version__
from concordant.cli.lazy_group import LazyGroup

#: Where each command stands; it is imported when it is asked for.
COMMANDS = {
    "compare": "concordant.cli.compare",
    "test": "concordant.cli.test",
    "matrix": "concordant.cli.matrix",
    "cluster": "concordant.cli.cluster",
    "report": "concordant.cli.report",
    "formats": "concordant.cli.formats_list",
    "reproduce": "concordant.paper.command",
}


@click.group(
    cls=LazyGroup,
    places=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def main() -> None:
    """
    Measure how far two clusterings agree, fuzzy or crisp, corrected for chance.

    Files are CSV, TSV, .npy, .npz, Parquet, Arrow or output of STRUCTURE, ADMIXTURE,
    CLUMPP and MALLET; "-" is standard input. Apart from the ids, a single column holds
    labels; several hold memberships, one per cluster.

    \b
    Examples:
      concordant compare P.csv Q.csv
      concordant compare P.csv - --json < Q.csv
      concordant test P.csv Q.csv
      concordant matrix fcm.csv pd.csv truth.csv --plot map.svg
      concordant cluster data.csv --method fcm --k 3 --out P.csv
      concordant report P.csv Q.csv --truth classes.csv -o report.html
      concordant formats
      concordant reproduce --quick
    """
