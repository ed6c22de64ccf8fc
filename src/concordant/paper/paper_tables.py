"""The paper's tables: printed numbers, and the designs that they are held against."""

import csv
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources
from typing import Literal

Judgement = Literal["interval", "mean", "value"]

_FOLDER = resources.files("concordant.paper")


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
    text = _FOLDER.joinpath("printed.csv").read_text(encoding="utf-8")
    _, *rows = csv.reader(text.splitlines())
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
    `undecided` has, by row and comparison, the reason why some cannot be decided.
    """

    label: str
    title: str
    statement: str
    designs: list[Design]
    judgement: Judgement = "interval"
    undecided: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The label as the name of a file."""
        return self.label.replace(" ", "-").replace("_", "-")

    @property
    def study(self) -> str:
        """The study that the stated design comes from."""
        return self.designs[0].study


def _tables() -> Iterator[PaperTable]:
    text = _FOLDER.joinpath("tables.toml").read_text(encoding="utf-8")
    for facts in tomllib.loads(text)["tables"]:
        facts["designs"] = [Design(**design) for design in facts["designs"]]
        for label, title in facts.pop("titles").items():
            yield PaperTable(label, title, **facts)


TABLES = [*_tables()]
