"""A run becomes a page, in HTML and in Markdown, and tables of verdicts."""

import csv
import io
from pathlib import Path
from typing import NamedTuple

import jinja2

import concordant as cc
from concordant.files import write_text_atomically
from concordant.paper.paper_tables import PaperTable
from concordant.paper.repetitions import Values
from concordant.paper.reproduction_summary import (
    Nearness,
    Tally,
    exact_bias,
    flags_spread,
    inside_by_design,
    nearness,
    tally,
)
from concordant.paper.study_figures import in_page_ink
from concordant.paper.study_pictures import (
    Picture,
    chance_pictures,
    heat_map_picture,
    table_picture,
)
from concordant.paper.verdicts import ENOUGH, Outcome, Verdict, judged

_MINUS = "\N{MINUS SIGN}"
_VERDICT_COLUMNS = (
    "table",
    "row",
    "comparison",
    "index",
    "printed",
    "design",
    "stated",
    "mean",
    "median",
    "low",
    "high",
    "repetitions",
    "inside",
    "verdict",
    "reason",
)


class Section(NamedTuple):
    """What the page shows of one table; designs with their numbers inside."""

    table: PaperTable
    verdicts: list[Verdict]
    tally: Tally
    designs: list[tuple[str, int]]
    pictures: list[Picture]

    @property
    def nearness(self) -> Nearness:
        """How near the printed numbers are to what was found."""
        return nearness(self.verdicts)

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
        "near": nearness(simulated) if simulated else None,
        "simulated": tally(simulated) if simulated else None,
        "real": real[0].tally if real else None,
        "outside": [v for v in everything if v.word == "outside"],
        "exact_bias": exact_bias(values),
        "flags": flags_spread(values, real[0].verdicts) if real else [],
    }
    pictures = [p for section in sections for p in section.pictures] + chance
    files = {f"figures/{picture.name}.svg": _alone(picture) for picture in pictures}
    files["verdicts.csv"] = _verdicts_csv(sections)
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
    designs = inside_by_design(table, verdicts)
    return Section(table, verdicts, tally(verdicts), designs, pictures)


def _rendered(template: str, facts: dict[str, object], *, escape: bool) -> str:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("concordant.paper"),
        autoescape=escape,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"number": _number, "interval": _interval, "anchor": _anchor}
    environment.filters |= {"inked": in_page_ink, "minus": _with_minus}
    return environment.get_template(template).render(facts)


def _alone(picture: Picture) -> str:
    return f'<?xml version="1.0" encoding="utf-8"?>\n{picture.svg}\n'


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


def _anchor(label: str) -> str:
    return label.replace(" ", "-").replace("_", "-").lower()


def _verdicts_csv(sections: list[Section]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_VERDICT_COLUMNS)
    for section in sections:
        for verdict in section.verdicts:
            printed = verdict.printed
            for outcome in (verdict.outcome, *verdict.alternatives):
                stated = outcome is verdict.outcome
                writer.writerow(
                    (
                        printed.table,
                        printed.row,
                        printed.comparison,
                        printed.index,
                        printed.text,
                        outcome.design,
                        "yes" if stated else "no",
                        outcome.mean,
                        outcome.median,
                        outcome.low,
                        outcome.high,
                        outcome.n,
                        "yes" if outcome.holds else "no",
                        verdict.word if stated else "",
                        verdict.reason if stated else "",
                    )
                )
    return text.getvalue()
