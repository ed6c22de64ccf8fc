"""What a page tells about a run, as words and numbers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from concordant.paper.bias import COMPARISON, DATA_SET, DIFFERENCE, EXACT
from concordant.paper.paper_tables import PaperTable
from concordant.paper.real_data_studies import CLASS_MEANS
from concordant.paper.repetitions import Values
from concordant.paper.simulations import ESTIMATED, SINGLE
from concordant.paper.verdicts import WORDS, Verdict, under


@dataclass(frozen=True)
class Tally:
    """The number of printed values, and of those with each verdict."""

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
    """How near printed numbers are to what was found: |printed - mean|."""

    n: int
    within: int
    median: float
    largest: float


@dataclass(frozen=True)
class Spread:
    """Where random starts end, for one index."""

    index: str
    printed: float
    class_means: float
    low: float
    median: float
    high: float
    lowest_objective: float


def tally(verdicts: Sequence[Verdict]) -> Tally:
    """Count verdicts."""
    words = Counter(verdict.word for verdict in verdicts)
    return Tally(len(verdicts), *(words[word] for word in WORDS))


def nearness(verdicts: Sequence[Verdict]) -> Nearness:
    """Compare printed numbers with what the stated designs gave, without a verdict."""
    apart = [abs(v.printed.value - v.outcome.mean) for v in verdicts]
    within = sum(v.outcome.holds for v in verdicts)
    return Nearness(len(verdicts), within, float(np.median(apart)), max(apart))


def inside_by_design(
    table: PaperTable, verdicts: Sequence[Verdict]
) -> list[tuple[str, int]]:
    """Count the printed numbers that lie inside under each design."""
    return [
        (design.name, sum(under(design.name, verdict).holds for verdict in verdicts))
        for design in table.designs
    ]


def exact_bias(values: Values) -> tuple[float, float] | None:
    """Return the mean and the largest |ARI - ACI| with the exact expectation."""
    if "bias" not in values:
        return None
    differences = np.abs(values["bias"][DATA_SET, f"{COMPARISON}; {EXACT}", DIFFERENCE])
    return float(differences.mean()), float(differences.max())


def flags_spread(values: Values, verdicts: Sequence[Verdict]) -> list[Spread]:
    """Return where PD-clustering of Flags ends from random starts, by index."""
    starts = values.get("starts")
    if starts is None:
        return []
    setting = f"{ESTIMATED}; {SINGLE}"
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
