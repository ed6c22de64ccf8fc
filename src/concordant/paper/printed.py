"""The numbers that the paper prints, for comparison only."""

import csv
from dataclasses import dataclass
from importlib import resources


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
