"""Printed numbers held against reproduced ones."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.paper.paper_tables import (
    TABLES,
    Design,
    PaperTable,
    Printed,
    printed_values,
)
from concordant.paper.repetitions import Values

Word = Literal["reproduced", "outside", "cannot be decided"]

WORDS: tuple[Word, ...] = get_args(Word)

#: Fewer repetitions do not reach the outer half per cent on either side.
ENOUGH = 200

#: By how many units of its last digit a value without chance in it may differ.
TOLERANCE = 1

_Z99 = 2.5758293035489004  # 99.5 % quantile of the normal distribution


@dataclass(frozen=True)
class Outcome:
    """
    What a design gave for one printed number, and whether that number lies within.

    `low` and `high` are the central 99 % of repetitions, of fewer than 200 the lowest
    and the highest, or the 99 % confidence interval of their mean.
    """

    design: str
    mean: float
    median: float
    low: float
    high: float
    n: int
    holds: bool


@dataclass(frozen=True)
class Verdict:
    """A printed number, what was found under each design, and the verdict."""

    printed: Printed
    outcome: Outcome
    alternatives: tuple[Outcome, ...]
    word: Word
    reason: str = ""


def tally(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """
    Count verdicts, and those within, whatever the verdict; empty if there are none.

    `share` is that of those reproduced among those that can be decided, in per cent;
    `median` and `largest` are of |printed - mean|, what the stated designs gave.
    """
    if not verdicts:
        return {}
    words = Counter(verdict.word for verdict in verdicts)
    decided = words["reproduced"] + words["outside"]
    share = 100 * words["reproduced"] / decided if decided else math.nan
    apart = [abs(v.printed.value - v.outcome.mean) for v in verdicts]
    return {
        "n": len(verdicts),
        "reproduced": words["reproduced"],
        "outside": words["outside"],
        "undecided": words["cannot be decided"],
        "share": f"{share:.1f} %" if decided else "none decided",
        "within": sum(verdict.outcome.holds for verdict in verdicts),
        "median": float(np.median(apart)),
        "largest": max(apart),
    }


def judged(values: Values) -> dict[PaperTable, list[Verdict]]:
    """Judge the printed numbers of all tables that a run can tell about."""
    return {
        table: [
            judge(table, printed, values)
            for printed in printed_values()
            if printed.table == table.label
        ]
        for table in TABLES
        if table.study in values
    }


def under(design: str, verdict: Verdict) -> Outcome:
    """Return the outcome of a design, or the stated one where it does not differ."""
    return next(
        (o for o in verdict.alternatives if o.design == design), verdict.outcome
    )


def judge(table: PaperTable, printed: Printed, values: Values) -> Verdict:
    """Compare a printed number with what a run gave."""
    found = [
        _outcome(table, printed, design, repetitions)
        for design in table.designs
        if (repetitions := _repetitions(printed, design, values)) is not None
    ]
    stated, *others = found
    differing = tuple(
        other
        for other in others
        if (other.low, other.high) != (stated.low, stated.high)
    )
    reason = table.undecided.get(printed.row, {}).get(printed.comparison, "")
    if reason and differing:
        low, high = differing[0].low, differing[0].high
        n = differing[0].n
        share = "99 %" if n >= ENOUGH else "all"
        reason += f"; of {n} starts {share} end from {low:.4f} to {high:.4f}"
    elif table.judgement != "value" and stated.n < ENOUGH:
        reason = f"{stated.n} repetitions, {ENOUGH} needed"
    word: Word = "reproduced" if stated.holds else "outside"
    return Verdict(
        printed, stated, differing, "cannot be decided" if reason else word, reason
    )


def _repetitions(
    printed: Printed, design: Design, values: Values
) -> NDArray[np.float64] | None:
    study = values.get(design.study, {})
    for setting in (design.setting, design.otherwise):
        key = printed.row, f"{printed.comparison}; {setting}", printed.index
        if key in study:
            return study[key]
    return None


def _outcome(
    table: PaperTable,
    printed: Printed,
    design: Design,
    repetitions: NDArray[np.float64],
) -> Outcome:
    n, mean = len(repetitions), math.fsum(repetitions) / len(repetitions)
    if table.judgement == "mean":
        spread = float(repetitions.std(ddof=1)) if n > 1 else 0.0
        low, high = (mean + side * _Z99 * spread / math.sqrt(n) for side in (-1, 1))
    else:
        ends = [0.005, 0.995] if n >= ENOUGH else [0.0, 1.0]
        low, high = np.quantile(repetitions, ends).tolist()
    if n == 1 and table.judgement == "value":
        holds = printed.units_from(mean) <= TOLERANCE
    else:
        slack = printed.half_unit
        holds = low - slack <= printed.value <= high + slack
    median = float(np.median(repetitions))
    return Outcome(design.name, mean, median, low, high, n, holds)
