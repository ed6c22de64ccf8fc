"""A run becomes a page, in HTML and in Markdown, and tables of verdicts."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import concordant as cc
from concordant.files import write_text_atomically
from concordant.paper.paper_tables import PaperTable
from concordant.paper.real_data_studies import CLASS_MEANS
from concordant.paper.repetitions import Values
from concordant.paper.simulations import (
    AGAINST_CLUSTERS,
    DIFFERENCE,
    ESTIMATED,
    EXACT,
    RANDOM_SETS,
    SINGLE,
)
from concordant.paper.study_figures import (
    Picture,
    chance_pictures,
    heat_map_picture,
    table_picture,
)
from concordant.paper.verdicts import (
    ENOUGH,
    Outcome,
    Tally,
    Verdict,
    judged,
    tally,
    under,
)
from concordant.report.page import environment_of

_MINUS = "\N{MINUS SIGN}"
_COLUMNS = (
    "table,row,comparison,index,printed,design,stated,mean,median,low,high,repetitions,"
    "inside,verdict,reason\n"
)
# What a figure takes from the page, it has by itself in a file.
_LOOK = "color: #1b2733; font-family: DejaVu Sans, Arial, sans-serif"
_GROUND = '<rect width="100%" height="100%" style="fill: #ffffff"/>'


class Section(NamedTuple):
    """What the page shows of one table; designs with their numbers inside."""

    table: PaperTable
    verdicts: list[Verdict]
    tally: Tally
    designs: list[tuple[str, int]]
    pictures: list[Picture]

    @property
    def comparisons(self) -> int:
        """How many kinds of partitions are compared."""
        return len({verdict.printed.comparison for verdict in self.verdicts})


def write_pages(
    values: Values, out: Path, *, n_repetitions: int, seed: int
) -> list[Path]:
    """Write verdicts, figures and pages of a run; the last is the HTML page."""
    sections = [_section(table, verdicts) for table, verdicts in judged(values).items()]
    chance = chance_pictures(values)
    everything = [verdict for section in sections for verdict in section.verdicts]
    simulated = [
        verdict
        for section in sections
        if section.table.judgement == "interval"
        for verdict in section.verdicts
    ]
    real = [section for section in sections if section.table.judgement == "value"]
    facts = {
        "version": cc.__version__,
        "seed": seed,
        "n_repetitions": n_repetitions,
        "sections": sections,
        "chance": chance,
        # With fewer repetitions nothing that depends on chance is decided.
        "enough": ENOUGH,
        "quick": bool(simulated) and n_repetitions < ENOUGH,
        "simulated": tally(simulated) if simulated else None,
        "real": real[0].tally if real else None,
        "outside": [v for v in everything if v.word == "outside"],
        "exact_bias": _exact_bias(values),
        "flags": _ends_of_flags(values, real[0].verdicts) if real else [],
    }
    pictures = [p for section in sections for p in section.pictures] + chance
    files = {f"figures/{picture.name}.svg": _alone(picture.svg) for picture in pictures}
    files["verdicts.csv"] = _verdicts_csv(everything)
    files["reproduction.md"] = _rendered("page.md.jinja", facts, escape=False)
    files["reproduction.html"] = _rendered("page.html.jinja", facts, escape=True)
    (out / "figures").mkdir(exist_ok=True)
    for name, text in files.items():
        write_text_atomically(out / name, text)
    return [out / name for name in files]


def _section(table: PaperTable, verdicts: list[Verdict]) -> Section:
    pictures = []
    if table.judgement != "mean":
        pictures.append(table_picture(table, verdicts))
    if table.study == "simulation-2":
        pictures.append(heat_map_picture(table, verdicts))
    inside = [
        (design.name, sum(under(design.name, verdict).holds for verdict in verdicts))
        for design in table.designs
    ]
    return Section(table, verdicts, tally(verdicts), inside, pictures)


def _exact_bias(values: Values) -> tuple[float, float] | None:
    """Return the mean and the largest |ARI - ACI| with the exact expectation."""
    if "bias" not in values:
        return None
    key = RANDOM_SETS, f"{AGAINST_CLUSTERS}; {EXACT}", DIFFERENCE
    differences = np.abs(values["bias"][key])
    return float(differences.mean()), float(differences.max())


def _ends_of_flags(values: Values, verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return where PD-clustering of Flags ends from random starts, by index."""
    if "starts" not in values:
        return []
    starts, setting = values["starts"], f"{ESTIMATED}; {SINGLE}"
    lowest = int(starts["Flags", setting, "objective"].argmin())
    rows = []
    for verdict in verdicts:
        index = verdict.printed.index
        if (verdict.printed.row, verdict.printed.comparison) == ("Flags", ESTIMATED):
            ends = starts["Flags", setting, index]
            fixed = values["real-data"]["Flags", f"{ESTIMATED}; {CLASS_MEANS}", index]
            row = {"index": index, "printed": verdict.printed.value}
            row |= {"class_means": fixed[0], "lowest_objective": ends[lowest]}
            quantiles = np.quantile(ends, [0.005, 0.5, 0.995])
            row |= zip(("low", "median", "high"), quantiles, strict=True)
            rows.append(row)
    return rows


def _rendered(template: str, facts: dict[str, object], *, escape: bool) -> str:
    environment = environment_of("concordant.paper", escape=escape)
    environment.filters |= {
        "number": _number,
        "interval": _interval,
        "minus": _with_minus,
    }
    return environment.get_template(template).render(facts)


def _alone(svg: str) -> str:
    """Return a figure as the content of a file."""
    opening, _, rest = str(svg).partition(">")
    opening = opening.replace('style="', f'style="{_LOOK}; ', 1)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{opening}>{_GROUND}{rest}\n'


def _number(value: float, tiny: bool = False) -> str:
    """Show four decimals, or powers of ten where these show nothing."""
    if value == 0.0:
        return "0"
    return _with_minus(f"{value:.2e}" if tiny or abs(value) < 5e-5 else f"{value:.4f}")


def _with_minus(text: str) -> str:
    return text.replace("-", _MINUS)


def _interval(outcome: Outcome, tiny: bool = False) -> str:
    if outcome.n == 1:
        return "one value"
    return f"{_number(outcome.low, tiny)} … {_number(outcome.high, tiny)}"


def _verdicts_csv(verdicts: Sequence[Verdict]) -> str:
    """Return a table with a row for each printed number and design."""
    text = io.StringIO()
    text.write(_COLUMNS)
    writer = csv.writer(text, lineterminator="\n")
    for verdict in verdicts:
        printed = verdict.printed
        which = printed.table, printed.row, printed.comparison, printed.index
        for found in (verdict.outcome, *verdict.alternatives):
            stated = found is verdict.outcome
            writer.writerow(
                (
                    *which,
                    printed.text,
                    found.design,
                    "yes" if stated else "no",
                    found.mean,
                    found.median,
                    found.low,
                    found.high,
                    found.n,
                    "yes" if found.holds else "no",
                    verdict.word if stated else "",
                    verdict.reason if stated else "",
                )
            )
    return text.getvalue()
