"""What a page tells about a run, as words and numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from concordant.studies.bias import COMPARISON, DATA_SET, DIFFERENCE, EXACT
from concordant.studies.paper_tables import PaperTable
from concordant.studies.random_starts import DESIGN as RANDOM_OBJECTS
from concordant.studies.real_data import DESIGN as CLASS_MEANS
from concordant.studies.real_data import ESTIMATED
from concordant.studies.repetitions import Values
from concordant.studies.verdicts import Verdict, count, under


@dataclass(frozen=True)
class Tally:
    """
    How many printed numbers came out.

    Parameters
    ----------
    n, reproduced, outside, undecided : int
        All of them, and by verdict.
    """

    n: int
    reproduced: int
    outside: int
    undecided: int

    @property
    def share(self) -> str:
        """Those reproduced among those that can be decided, in per cent."""
        decided = self.n - self.undecided
        return f"{100 * self.reproduced / decided:.1f} %" if decided else "none decided"


@dataclass(frozen=True)
class Nearness:
    """
    How near printed numbers are to what was found, however few the repetitions.

    Parameters
    ----------
    n, within : int
        All of them, and those that lie within what the repetitions gave.
    median, largest : float
        Of |printed - mean|.
    """

    n: int
    within: int
    median: float
    largest: float


@dataclass(frozen=True)
class Spread:
    """
    Where random starts end, for one index.

    Parameters
    ----------
    index : str
        The index.
    printed, class_means, low, median, high, lowest_objective : float
        What the paper prints; what the start at the class means gives; the central
        99 % and the median over random starts; where the lowest objective among them
        was found.
    """

    index: str
    printed: float
    class_means: float
    low: float
    median: float
    high: float
    lowest_objective: float


def tally(verdicts: Sequence[Verdict]) -> Tally:
    """
    Count verdicts.

    Parameters
    ----------
    verdicts : sequence of Verdict
        Any of them.

    Returns
    -------
    Tally
        The counts.
    """
    words = count(verdicts)
    return Tally(
        len(verdicts),
        words["reproduced"],
        words["outside"],
        words["cannot be decided"],
    )


def nearness(verdicts: Sequence[Verdict]) -> Nearness:
    """
    Compare printed numbers with what was found, without a verdict.

    Parameters
    ----------
    verdicts : sequence of Verdict
        At least one.

    Returns
    -------
    Nearness
        Under the stated designs.
    """
    apart = [abs(v.printed.value - v.outcome.mean) for v in verdicts]
    within = sum(v.outcome.holds for v in verdicts)
    return Nearness(len(verdicts), within, float(np.median(apart)), max(apart))


def inside_by_design(
    table: PaperTable, verdicts: Sequence[Verdict]
) -> list[tuple[str, int]]:
    """
    Count the printed numbers that lie inside under each design.

    Parameters
    ----------
    table : PaperTable
        The table.
    verdicts : sequence of Verdict
        Its verdicts.

    Returns
    -------
    list of (str, int)
        The designs in the order of the table; a number on which an alternative does
        not differ counts as under the stated design.
    """
    return [
        (design.name, sum(under(design.name, verdict).holds for verdict in verdicts))
        for design in table.designs
    ]


def exact_bias(values: Values) -> tuple[float, float] | None:
    """
    Give the mean and the largest |ARI - ACI| with the exact expectation.

    Parameters
    ----------
    values : dict
        What `run_studies` returned.

    Returns
    -------
    tuple of two float or None
        None if the bias experiment was not run.
    """
    if "bias" not in values:
        return None
    differences = np.abs(values["bias"][DATA_SET, f"{COMPARISON}; {EXACT}", DIFFERENCE])
    return float(differences.mean()), float(differences.max())


def flags_spread(values: Values, verdicts: Sequence[Verdict]) -> list[Spread]:
    """
    Tell where PD-clustering of Flags ends from random starts.

    Parameters
    ----------
    values : dict
        What `run_studies` returned.
    verdicts : sequence of Verdict
        Those of the real data.

    Returns
    -------
    list of Spread
        One per index; empty if the random starts were not run.
    """
    starts = values.get("starts")
    if starts is None:
        return []
    setting = f"{ESTIMATED}; {RANDOM_OBJECTS}"
    lowest = int(starts["Flags", setting, "objective"].argmin())
    spreads = []
    for verdict in verdicts:
        printed = verdict.printed
        if (printed.row, printed.comparison) != ("Flags", ESTIMATED):
            continue
        ends = starts["Flags", setting, printed.index]
        fixed = values["real-data"][
            "Flags", f"{ESTIMATED}; {CLASS_MEANS}", printed.index
        ]
        low, median, high = np.quantile(ends, [0.005, 0.5, 0.995]).tolist()
        spreads.append(
            Spread(
                printed.index,
                printed.value,
                float(fixed[0]),
                low,
                median,
                high,
                float(ends[lowest]),
            )
        )
    return spreads
