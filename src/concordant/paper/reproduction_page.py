"""A run becomes a page, in HTML and in Markdown, and tables of verdicts."""

import csv
import io
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

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
    chance_pictures,
    heat_map_picture,
    table_picture,
)
from concordant.paper.verdicts import (
    ENOUGH,
    Outcome,
    Verdict,
    judged,
    tally,
    under,
)
from concordant.report.page import environment_of

_YES = {True: "yes", False: "no"}
_MINUS = "\N{MINUS SIGN}"
_COLUMNS = (
    "table,row,comparison,index,printed,design,stated,mean,median,low,high,repetitions,"
    "inside,verdict,reason\n"
)
# What a figure takes from the page, it has by itself in a file.
_LOOK = "color: #1b2733; font-family: DejaVu Sans, Arial, sans-serif"
_GROUND = '<rect width="100%" height="100%" style="fill: #ffffff"/>'


def write_pages(
    values: Values, out: Path, *, n_repetitions: int, seed: int
) -> list[Path]:
    """Write verdicts, figures and pages of a run; the last is the HTML page."""
    found = judged(values)
    sections = [_section(table, verdicts) for table, verdicts in found.items()]
    chance = chance_pictures(values)
    everything = [v for verdicts in found.values() for v in verdicts]
    simulated, real = (
        [v for table in found if table.judgement == how for v in found[table]]
        for how in ("interval", "value")
    )
    facts = {
        "version": cc.__version__,
        "seed": seed,
        "n_repetitions": n_repetitions,
        "sections": sections,
        "chance": chance,
        # With fewer repetitions nothing that depends on chance is decided.
        "enough": ENOUGH,
        "quick": bool(simulated) and n_repetitions < ENOUGH,
        "simulated": tally(simulated),
        "real": tally(real),
        "outside": [v for v in everything if v.word == "outside"],
        "exact_bias": _exact_bias(values),
        "flags": _ends_of_flags(values, real),
    }
    pictures = [p for section in sections for p in section["pictures"]] + chance
    files = {f"figures/{picture.name}.svg": _alone(picture.svg) for picture in pictures}
    files["verdicts.csv"] = _verdicts_csv(everything)
    environment = environment_of("concordant.paper")
    environment.filters |= {
        "number": _number,
        "interval": _interval,
        "minus": _with_minus,
    }
    for form in ("md", "html"):
        template = environment.get_template(f"page.{form}.jinja")
        files[f"reproduction.{form}"] = template.render(facts)
    (out / "figures").mkdir(exist_ok=True)
    for name, text in files.items():
        write_text_atomically(out / name, text)
    return [out / name for name in files]


def _section(table: PaperTable, verdicts: list[Verdict]) -> dict[str, Any]:
    """Return what the pages show of one table."""
    pictures = []
    if table.judgement != "mean":
        pictures.append(table_picture(table, verdicts))
    if table.study == "simulation-2":
        pictures.append(heat_map_picture(table, verdicts))
    inside = [
        (design.name, sum(under(design.name, verdict).holds for verdict in verdicts))
        for design in table.designs
    ]
    return {
        "table": table,
        "verdicts": verdicts,
        "tally": tally(verdicts),
        "designs": inside,
        "pictures": pictures,
        "comparisons": len({verdict.printed.comparison for verdict in verdicts}),
    }


def _exact_bias(values: Values) -> tuple[float, float] | None:
    """Return the mean and the largest |ARI - ACI| with the exact expectation."""
    if "bias" not in values:
        return None
    key = RANDOM_SETS, f"{AGAINST_CLUSTERS}; {EXACT}", DIFFERENCE
    differences = np.abs(values["bias"][key])
    return float(differences.mean()), float(differences.max())


def _ends_of_flags(values: Values, verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return where PD-clustering of Flags ends from random starts, by index."""
    if not verdicts or "starts" not in values:
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
        which = astuple(verdict.printed)
        told = verdict.word, verdict.reason
        for found in (verdict.outcome, *verdict.alternatives):
            stated = found is verdict.outcome
            design, *numbers, holds = astuple(found)
            row = *which, design, _YES[stated], *numbers, _YES[holds]
            writer.writerow(row + (told if stated else ("", "")))
    return text.getvalue()
