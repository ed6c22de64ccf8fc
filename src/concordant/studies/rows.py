"""A number that a study gave, with all that is needed to compute it again."""

from collections.abc import Mapping
from dataclasses import dataclass

Key = tuple[str, str, str]

COLUMNS = ("study", "data set", "setting", "index", "value", "seed")


@dataclass(frozen=True, slots=True)
class Row:
    """
    A line of a study's tidy table.

    Parameters
    ----------
    study : str
        The name of the study.
    data_set : str
        Which data set of the design.
    setting : str
        What was compared, and under which design, parted by a semicolon.
    index : str
        The name of the index.
    value : float
        Its value.
    seed : int
        What the study is called with to get this row again.
    """

    study: str
    data_set: str
    setting: str
    index: str
    value: float
    seed: int

    @property
    def key(self) -> "Key":
        """What the values of all repetitions have in common."""
        return self.data_set, self.setting, self.index


def tidy(
    study: str, data_set: str, setting: str, values: Mapping[str, float], seed: int
) -> list[Row]:
    """
    Make a row of each index.

    Parameters
    ----------
    study, data_set, setting : str
        What the values have in common.
    values : mapping from str to float
        The values by the names of the indices.
    seed : int
        What the study was called with.

    Returns
    -------
    list of Row
        One per value.

    Examples
    --------
    >>> from concordant.studies.rows import tidy
    >>> tidy("bias", "data set", "exact", {"ACI": 0.5}, 1)[0].value
    0.5
    """
    return [
        Row(study, data_set, setting, index, value, seed)
        for index, value in values.items()
    ]
