"""The paper's tables: printed numbers, and the designs that they are held against."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Literal

from concordant.paper.real_data_studies import CLASS_MEANS
from concordant.paper.simulations import (
    BEST,
    DESCRIBED,
    EQUAL_SIZES,
    ESTIMATED,
    EXACT,
    MEANS,
    PERMUTATIONS,
    RANDOM_SIZES,
    SINGLE,
    SUGGESTED,
)

Judgement = Literal["interval", "mean", "value"]


@dataclass(frozen=True)
class Printed:
    """
    A number of the paper.

    Parameters
    ----------
    table : str
        The label of its table in the paper, or the section.
    row : str
        The data set.
    comparison : str
        Which partitions are compared.
    index : str
        The index.
    text : str
        The number as printed.
    """

    table: str
    row: str
    comparison: str
    index: str
    text: str

    @property
    def value(self) -> float:
        """The number."""
        return float(self.text)

    @property
    def half_unit(self) -> float:
        """Half a unit of the last printed digit: by how much it may be rounded."""
        mantissa, _, exponent = self.text.partition("e")
        decimals = len(mantissa.partition(".")[2])
        return 0.5 * 10.0 ** (int(exponent or 0) - decimals)

    def units_from(self, value: float) -> int:
        """Return the units of the last digit to another value, printed likewise."""
        unit = 2.0 * self.half_unit
        return abs(round(value / unit) - round(self.value / unit))


def printed_values() -> list[Printed]:
    """
    Read the numbers that the paper prints.

    Returns
    -------
    list of Printed
        Those of nine tables, and the one of the bias experiment.

    Examples
    --------
    >>> from concordant.paper import printed_values
    >>> numbers = printed_values()
    >>> len(numbers)
    483
    >>> numbers[1].table, numbers[1].row, numbers[1].index, numbers[1].value
    ('frand', '2 centres, Sigma 1', 'NDC', 0.9992)
    """
    file = resources.files("concordant.paper").joinpath("printed.csv")
    _, *rows = csv.reader(file.read_text(encoding="utf-8").splitlines())
    return [Printed(*row) for row in rows]


@dataclass(frozen=True)
class Design:
    """A reading of the paper; `otherwise` is the setting of data that do not differ."""

    name: str
    study: str
    setting: str
    otherwise: str | None = None


@dataclass(frozen=True, eq=False)
class PaperTable:
    """
    A table of the paper, the designs it is held against, the stated one first, and how.

    A printed number should lie in the central 99 % of repetitions ("interval"), in the
    99 % confidence interval of their mean, or be the value to a unit of its last digit.
    `undecided` has the reason why some (row, comparison) cannot be decided.
    """

    label: str
    title: str
    statement: str
    designs: tuple[Design, ...]
    judgement: Judgement = "interval"
    undecided: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The label as the name of a file."""
        return self.label.replace(" ", "-").replace("_", "-")

    @property
    def study(self) -> str:
        """The study that the stated design comes from."""
        return self.designs[0].study


_FIRST = (
    Design("third cluster tight", "simulation-1", SUGGESTED, DESCRIBED),
    Design("as described", "simulation-1", DESCRIBED),
)
_FIRST_STATEMENT = (
    "100 objects, dealt to the centres in turn; fuzzy C-means with fuzzifier 2, the "
    "lowest objective of three starts. In the data sets of three centres the third "
    "cluster keeps the smallest covariance, I x 0.01. Beside it: every cluster with "
    "the covariance of its row, as the paper describes it."
)
_SECOND = (
    Design("random sizes", "simulation-2", RANDOM_SIZES),
    Design("equal sizes", "simulation-2", EQUAL_SIZES),
)
_SECOND_STATEMENT = (
    "120 objects, shared out to the centres in proportions drawn at random, all "
    "equally likely (Dirichlet with parameter 1); two variances drawn from (0.1, 1) "
    "for each data set; fuzzy C-means with fuzzifier 2, started once, at random "
    "objects. The entry under C compares the partition with as many clusters as "
    "centres and the one with C clusters. Beside it: equal sizes."
)
_PD_STATEMENT = (
    "The data of the first simulation, the third of three clusters tight. The true "
    "partition has memberships proportional to 1/d from the cluster means, where "
    "PD-clustering starts too, as it must for the table of real data. Beside it: all "
    "clusters as described, and a single start at objects drawn at random."
)
_TRUE_STATEMENT = (
    "The data of the first simulation, the third of three clusters tight. The true "
    "partition, with memberships proportional to 1/d from the cluster means, is "
    "compared with itself. Beside it: all clusters as described."
)
_FLAGS = (
    "the paper states neither which columns it kept nor where PD-clustering started"
)

TABLES = (
    PaperTable(
        "section 4",
        "Bias experiment: mean difference between ARI and ACI",
        "Random data sets of 100 to 1200 objects, K-means against the known clusters; "
        "the expectation estimated from 1000 permutations, as the paper does. Beside "
        "it: the exact expectation.",
        (
            Design("1000 permutations", "bias", PERMUTATIONS),
            Design("exact expectation", "bias", EXACT),
        ),
        "mean",
    ),
    PaperTable("frand", "Extensions of the Rand index", _FIRST_STATEMENT, _FIRST),
    PaperTable(
        "fadjst", "Extensions of the adjusted Rand index", _FIRST_STATEMENT, _FIRST
    ),
    PaperTable("NDCrand", "Two fuzzy partitions: NDC", _SECOND_STATEMENT, _SECOND),
    PaperTable("sim2_ACI", "Two fuzzy partitions: ACI", _SECOND_STATEMENT, _SECOND),
    PaperTable(
        "trf1",
        "PD-clustering against the true partition",
        _PD_STATEMENT,
        (
            Design(
                "third cluster tight",
                "pd",
                f"{SUGGESTED}, {MEANS}",
                f"{DESCRIBED}, {MEANS}",
            ),
            Design("as described", "pd", f"{DESCRIBED}, {MEANS}"),
            Design(
                "one random start",
                "pd",
                f"{SUGGESTED}, {SINGLE}",
                f"{DESCRIBED}, {SINGLE}",
            ),
        ),
    ),
    PaperTable(
        "trf2",
        "The true partition against itself",
        _TRUE_STATEMENT,
        (
            Design("third cluster tight", "pd", SUGGESTED, DESCRIBED),
            Design("as described", "pd", DESCRIBED),
        ),
    ),
    PaperTable(
        "trf3",
        "Random sets: PD-clustering against the true partition",
        "100 objects of one normal distribution, labelled in turn. There are no "
        "clusters to start from: PD-clustering keeps the lowest objective of three "
        "starts drawn by k-means++. Beside it: a single start at objects drawn at "
        "random, and a start at the means of the labels.",
        (
            Design("best of 3 starts", "pd", f"{DESCRIBED}, {BEST}"),
            Design("one random start", "pd", f"{DESCRIBED}, {SINGLE}"),
            Design("label means", "pd", f"{DESCRIBED}, {MEANS}"),
        ),
    ),
    PaperTable(
        "trf4",
        "Random sets: the true partition against itself",
        "100 objects of one normal distribution, labelled in turn; memberships "
        "proportional to 1/d from the means of the labels.",
        (Design("as described", "pd", DESCRIBED),),
    ),
    PaperTable(
        "tab5",
        "Real data",
        "Raw data, class means as centres, memberships proportional to 1/d; "
        "PD-clustering started at the class means and stopped when the summed movement "
        "of its centres is below 1e-4. Beside it, for Iris and Flags: random starts.",
        (
            Design("class means", "real-data", CLASS_MEANS),
            Design("random starts", "starts", SINGLE),
        ),
        "value",
        {("Flags", ESTIMATED): _FLAGS},
    ),
)
